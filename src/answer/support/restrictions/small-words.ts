// The small words between two neighbours of a claim must be those that stand between them in the sentence: "held for the French" is not "held by the
// French", and "was beaten" is not "beat". Articles and forms of one word may differ; where the claim leaves words out or moves them, other checks speak.
// So must signs that say something: "a < b" is not "a > b". A claim may leave out what could be Markdown, a menu or a table.
import type { Alignment } from '../align.ts';
import { prepositions } from '../markers.ts';
import type { Token } from '../tokens.ts';

const present = /^(?:is|are|am|ist|sind|wird|werden)$/u;
const past = /^(?:was|were|war|waren|wurde|wurden)$/u;
const bare = /^(?:be|been|being|worden)$/u;
const pronoun = /^(?:he|she|it|they|we|i|you|who|which|er|sie|es|wir|ihr|ich|there|but)$/u;

/** As it is compared: forms of "be" by their time; relations of dates and figures are read with them (checks.ts). */
function telling({ lower, type }: Token, isBeforeWord: boolean): string {
  if (type !== 'word') return '';
  if (present.test(lower)) return 'is';
  if (past.test(lower)) return 'was';
  if (bare.test(lower)) return 'be';
  return pronoun.test(lower) || (isBeforeWord && prepositions.has(lower)) ? lower : '';
}

const spellings: Readonly<Record<string, string>> = { '<=': '≤', '>=': '≥', '!=': '≠', '->': '→', '<-': '←' };
const signForm = /(?<![*/.])[*/.]*\/\*+[/.][*/.]*|(?<![<>=!-])[<>=!-]*[<>=≠≤≥≈±→←|&+][<>=&|-]*/gu;
/** Without these a text says something else; they are no layout. */
const isTelling = /^(?:!|≠|±|≈|[*/.]*\/\*)/u;
const isLayout = /^(?:[|&](?: |$))*$/u;
const hasDirection = /[<>≤≥→←]/u;

/** The signs among the marks, with one space between them; marks that touch are read as one. Of a beginning only what touches the word behind it. */
function signsIn(tokens: readonly Token[], next: Token | undefined, isBeginning = false): string {
  const runs: { text: string; end: number }[] = [];
  for (const { type, text, start, end } of tokens) {
    const last = runs.at(-1);
    if (type !== 'mark') runs.push({ text: '', end: -1 });
    else if (last?.end === start) [last.text, last.end] = [last.text + text, end];
    else runs.push({ text, end });
  }
  return runs
    .filter(({ end }) => !isBeginning || end === next?.start)
    .flatMap(({ text, end }) => [
      ...[...text.matchAll(signForm)].map(([sign]) => spellings[sign] ?? sign),
      ...(end === next?.start && text.endsWith('!') ? ['!'] : []),
    ])
    .join(' ');
}

/** Whether the claim says another sign than stands in the same place. */
function isOtherSign(mine: string, theirs: string, isNothingBetween: boolean): boolean {
  if (mine === theirs || (theirs === '' && isLayout.test(mine))) return false;
  return mine !== '' || (isNothingBetween && theirs.split(' ').some((sign) => isTelling.test(sign)));
}

/** The first stretch whose small words or signs differ, or undefined. */
export function smallWordsChanged(
  claim: readonly Token[],
  quote: readonly Token[],
  { toQuote }: Alignment,
): { readonly claim: string; readonly quote: string } | undefined {
  // From the beginning, too.
  const content = [-1, ...[...claim.keys()].filter((at) => claim[at]?.content)];
  for (const [index, at] of content.entries()) {
    const next = content[index + 1];
    const from = at < 0 ? -1 : (toQuote[at] as number);
    if (next === undefined) return signsBehind(claim.slice(at + 1), quote.slice(from + 1));
    const to = toQuote[next] as number;
    const said = signsIn(claim.slice(at + 1, next), claim[next], at < 0);
    if (to <= from && hasDirection.test(said)) return { claim: said, quote: 'another order' };
    if ((at >= 0 && from < 0) || to <= from) continue;
    const between = quote.slice(from + 1, to);
    const isApart = between.some((token) => token.content);
    const there = signsIn(between, quote[to], at < 0);
    if (isOtherSign(said, there, at < 0 || !isApart)) return { claim: said || 'nothing', quote: there || 'nothing' };
    if (isApart) continue;
    const isBeforeWord = quote[to]?.type === 'word';
    const wordsOf = (tokens: readonly Token[]): string =>
      tokens
        .map((token) => telling(token, isBeforeWord))
        .filter((word) => word !== '')
        .join(' ');
    const [mine, theirs] = [wordsOf(claim.slice(at + 1, next)), wordsOf(between)];
    if (mine !== theirs) return { claim: mine || 'nothing', quote: theirs || 'nothing' };
  }
  return undefined;
}

/** Behind its last word a claim may end before the sentence does. */
function signsBehind(claim: readonly Token[], rest: readonly Token[]): { claim: string; quote: string } | undefined {
  const end = rest.findIndex((token) => token.content);
  const [mine, theirs] = [signsIn(claim, undefined), signsIn(end < 0 ? rest : rest.slice(0, end), rest[end])];
  return theirs.startsWith(mine) || !isOtherSign(mine, theirs, false)
    ? undefined
    : { claim: mine, quote: theirs || 'nothing' };
}
