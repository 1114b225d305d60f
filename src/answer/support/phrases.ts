// Makes acronyms and the words they stand for meet: where one text has "WHO" and the other "World Health Organization", the
// run of words becomes one token. A run is only merged when nothing in the quote spells the acronym out differently.
import { findExpansions, isInitialism } from '../../text/words/names.ts';
import { knownPhrases } from '../../text/words/synonyms.ts';
import type { Token } from './tokens.ts';

const acronymForm = /^(?=(?:.*\p{Lu}){2})[\p{Lu}\d&.]{2,10}s?$/u;
/** Most words begin with a small letter. */
const isShort = (text: string): boolean => !/^[a-z]/u.test(text) && acronymForm.test(text);
const listed = new Set(knownPhrases.map(([, acronym]) => acronym));
const phrasesByHead = new Map<string, (readonly [words: readonly string[], acronym: string])[]>();
for (const [phrase, acronym] of knownPhrases) {
  const words = phrase.split(' ');
  const list = phrasesByHead.get(words[0] as string) ?? [];
  list.push([words, acronym]);
  phrasesByHead.set(words[0] as string, list);
}

const letters = (text: string): string =>
  text
    .replace(/[^\p{L}\d]/gu, '')
    .toLowerCase()
    .replace(/(?<=...)s$/u, '');

/** Both token lists with matching phrases merged. Lists without any acronym come back as they are. */
export function mergePhrases(
  claim: readonly Token[],
  quote: readonly Token[],
  expansions: ReadonlyMap<string, readonly string[]>,
): { claim: readonly Token[]; quote: readonly Token[] } {
  const mine = mergeKnown(claim);
  const theirs = mergeKnown(quote);
  const acronymsIn = (tokens: readonly Token[]): Set<string> =>
    new Set(tokens.filter((token) => isShort(token.text)).map((token) => letters(token.text)));
  const claimAcronyms = acronymsIn(mine);
  const quoteAcronyms = acronymsIn(theirs);
  if (claimAcronyms.size + quoteAcronyms.size === 0) return { claim: mine, quote: theirs };
  const own = findExpansions(quote.map((token) => token.text).join(' '));
  const spelt = new Map([...expansions, ...own]);
  // The claim may not make up what an acronym of the quote stands for: "BBS" is no "Bardet-Biedl Study".
  const said = new Set(theirs.flatMap((token) => [token.lower, ...token.keys]));
  const ownWords = mergeRuns(mine, quoteAcronyms, spelt, (run) =>
    run.every((token) => !token.content || said.has(token.lower) || token.keys.some((key) => said.has(key))),
  );
  return { claim: ownWords, quote: mergeRuns(theirs, claimAcronyms, spelt, () => true) };
}

/** Replaces listed phrases ("United States of America") on both sides alike. */
function mergeKnown(tokens: readonly Token[]): readonly Token[] {
  let out: Token[] | undefined;
  for (let at = 0; at < tokens.length; at += 1) {
    const candidates = phrasesByHead.get((tokens[at] as Token).lower);
    const hit = candidates?.find(([words]) => words.every((word, index) => sameWord(tokens[at + index], word)));
    const cause = causeAt(tokens, at);
    if (cause) {
      out ??= tokens.slice(0, at);
      out.push({ ...joined(tokens.slice(at, at + 2), 'because of'), name: false });
      at += 1;
      continue;
    }
    if (!hit) {
      out?.push(tokens[at] as Token);
      continue;
    }
    out ??= tokens.slice(0, at);
    out.push(joined(tokens.slice(at, at + hit[0].length), hit[1]));
    at += hit[0].length - 1;
  }
  return out ?? tokens;
}

/** "Because of", "due to", "owing to": one and the same, unless "is due to open" announces something. */
function causeAt(tokens: readonly Token[], at: number): boolean {
  const [word, next] = [(tokens[at] as Token).lower, tokens[at + 1]?.lower];
  if ((word === 'because' && next === 'of') || (word === 'owing' && next === 'to')) return true;
  if (word !== 'due' || next !== 'to') return false;
  const [before, after] = [tokens[at - 1]?.lower ?? '', tokens[at + 2]];
  if (!/^(?:is|are|was|were|be|been|being)$/u.test(before)) return true;
  return (
    after !== undefined && (!after.content || after.name || /(?:s|ion|ment|ness|ity|ing|nce|ure)$/u.test(after.lower))
  );
}

const sameWord = (token: Token | undefined, word: string): boolean =>
  token !== undefined && (token.lower === word || token.text.toLowerCase() === word);

function joined(run: readonly Token[], acronym: string): Token {
  const first = run[0] as Token;
  const last = run.at(-1) as Token;
  const quiet = acronym === 'eg' || acronym === 'ie' || acronym === 'zb';
  return {
    ...first,
    type: 'word',
    end: last.end,
    text: run.map((token) => token.text).join(' '),
    lower: acronym,
    keys: [acronym],
    content: !quiet,
    name: !quiet,
    possessive: last.possessive,
    quantity: undefined,
  };
}

function mergeRuns(
  tokens: readonly Token[],
  acronyms: ReadonlySet<string>,
  spelt: ReadonlyMap<string, readonly string[]>,
  mayMerge: (run: readonly Token[]) => boolean,
): readonly Token[] {
  if (acronyms.size === 0) return tokens;
  const out: Token[] = [];
  let at = 0;
  while (at < tokens.length) {
    const size = runAt(tokens, at, { acronyms, spelt, mayMerge });
    if (size === undefined) {
      out.push(tokens[at] as Token);
      at += 1;
    } else {
      out.push(joined(tokens.slice(at, at + size.size), size.acronym));
      at += size.size;
    }
  }
  return out;
}

interface RunRules {
  readonly acronyms: ReadonlySet<string>;
  readonly spelt: ReadonlyMap<string, readonly string[]>;
  readonly mayMerge: (run: readonly Token[]) => boolean;
}

function runAt(
  tokens: readonly Token[],
  at: number,
  { acronyms, spelt, mayMerge }: RunRules,
): { size: number; acronym: string } | undefined {
  const first = tokens[at] as Token;
  if (first.type !== 'word' || !first.content) return undefined;
  for (const acronym of acronyms) {
    // A listed acronym has listed words: "Ullman Show" is no US.
    if (first.lower[0] !== acronym[0] || (listed.has(acronym) && !spelt.has(acronym.toUpperCase()))) continue;
    for (let size = Math.min(acronym.length + 3, tokens.length - at); size >= 2; size -= 1) {
      const run = tokens.slice(at, at + size);
      if (
        run.some(
          (token) => (token.type !== 'word' && token.text !== '-') || token.text.includes(' ') || isShort(token.text),
        )
      )
        continue;
      const words = run.filter((token) => token.type === 'word').map((token) => token.text);
      if (!(run.at(-1) as Token).content || !isInitialism(acronym.toUpperCase(), words)) continue;
      const capitals = run.filter((token) => /^\p{Lu}/u.test(token.text)).length;
      if (capitals < 2 && acronym.length < 3) continue;
      const known = spelt.get(acronym.toUpperCase());
      if (known && known.join(' ') !== words.join(' ').toLowerCase()) continue;
      if (!known && !mayMerge(run)) continue;
      return { size, acronym };
    }
  }
  return undefined;
}
