// A claim that joins several statements is carried where each of them is, by the quote as it stands or by one of the statements that a
// sentence of the quote joins: "Born in Lyon in 1954, Ana Ruiz became a judge" says that Ana Ruiz was born in Lyon.
import { knownWord } from '../../../text/words/lexicon.ts';
import { statementsOf } from './statements.ts';

/** What carries a statement: its support, and the computations that it rests on. */
export interface Carried {
  readonly support: number;
  readonly derivation: string;
}

export interface InParts {
  readonly claim: string;
  readonly quote: string;
  /** The sentences of its prose. */
  readonly sentences: readonly string[];
  /** Whether a text carries a statement that is not parted any more. */
  readonly carries: (statement: string, text: string) => Carried | undefined;
}

/** Sentences of a quote that are parted at most. */
const mostParted = 6;

/** How well the least carried statement is; undefined where one is not. */
export function carriedInParts({ claim, quote, sentences, carries }: InParts): Carried | undefined {
  const parts = statementsOf(claim);
  const statements = parts.length > 0 ? parts : [claim];
  const pronoun = /^(?:He|She|It|They)(?=\s)/u.exec(claim)?.[0].toLowerCase();
  // "It" of one sentence and "Northumbria" of the next may be two.
  const wholly = (statement: string, near: readonly number[], text: string): Carried | undefined =>
    pronoun === undefined
      ? carries(statement, text)
      : firstOf(
          near.flatMap((at) =>
            wordsIn(sentences[at] as string, 2).includes(pronoun) ? [sentences[at] as string] : [],
          ),
          (one) => carries(statement, one),
        );
  for (const near of isOfName(claim) ? [placesNear(claim, sentences)] : neighboursNear(claim, sentences)) {
    const joined = near.flatMap((at) => statementsOf(sentences[at] as string));
    if (parts.length === 0 && joined.length === 0) continue;
    const text = isOfName(claim) && sentences.length <= mostParted ? quote : near.map((at) => sentences[at]).join(' ');
    const found = allCarried(
      statements,
      (statement) =>
        (parts.length > 0 ? wholly(statement, near, text) : undefined) ??
        firstOf(
          joined.filter((one) => isNear(statement, one) && (!pronoun || wordsIn(one, 2)[0] === pronoun)),
          (one) => carries(statement, one),
        ),
    );
    if (found)
      return {
        support: Math.min(...found.map(({ support }) => support)),
        derivation: found.flatMap(({ derivation }) => (derivation === '' ? [] : [derivation])).join('; '),
      };
  }
  return undefined;
}

/** "Ana Ruiz …" is one person wherever she is named; "it" and "the museum" may be others in another place. */
function isOfName(claim: string): boolean {
  const [first = '', second = ''] = claim.split(/\s+/u);
  const bare = first.replace(/['’]s$|[^\p{L}\p{N}-]+/gu, '');
  if (!/^\p{Lu}/u.test(bare) || small.test(bare)) return false;
  return /^\p{Lu}/u.test(second) || !knownWord(bare.toLowerCase());
}

const small =
  /^(?:The|An?|He|She|It|They|This|These|That|Those|His|Her|Its|Their|We|I|You|In|On|At|By|From|For|After|Before|During|Since|Until|With|As|Several|Some|Many|Most|All|Both|One|Two|Three)$/u;

/** Undefined from the first on that is not carried. */
function allCarried(
  statements: readonly string[],
  carries: (statement: string) => Carried | undefined,
): readonly Carried[] | undefined {
  const found: Carried[] = [];
  for (const statement of statements) {
    const one = carries(statement);
    if (!one) return undefined;
    found.push(one);
  }
  return found;
}

/** Half of its words stand there, as far as their beginnings tell. */
function isNear(statement: string, text: string): boolean {
  const there = new Set(wordsIn(text).map(beginningOf));
  const wanted = wordsIn(statement);
  return wanted.filter((word) => there.has(beginningOf(word))).length * 2 >= wanted.length;
}
const beginningOf = (word: string): string => word.slice(0, 4);

function firstOf(texts: readonly string[], carries: (text: string) => Carried | undefined): Carried | undefined {
  for (const text of texts) {
    const carried = carries(text);
    if (carried) return carried;
  }
  return undefined;
}

const wordsIn = (text: string, least = 3): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length >= least);

/** Places of the sentences that share most words with the claim, in their order. */
function placesNear(claim: string, sentences: readonly string[]): readonly number[] {
  const wanted = new Set(wordsIn(claim));
  const sharedBy = (sentence: string): number => new Set(wordsIn(sentence).filter((word) => wanted.has(word))).size;
  return sentences
    .map((sentence, at) => ({ at, shared: sharedBy(sentence) }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared || a.at - b.at)
    .slice(0, mostParted)
    .map(({ at }) => at)
    .sort((a, b) => a - b);
}

/** The same, each with the sentence behind it. */
const neighboursNear = (claim: string, sentences: readonly string[]): readonly (readonly number[])[] =>
  placesNear(claim, sentences).map((at) => (at + 1 < sentences.length ? [at, at + 1] : [at]));
