// A claim that is nearly its quote, with a word or two put in, left out or exchanged, is no rewording: there every difference that the
// comparison word by word names tells against it.
import type { Token } from '../tokens.ts';
import type { Comparison } from './comparison.ts';

/** From this share of its words in the order of one sentence on, or with so few words beside them, a claim is a copy. */
const leastShare = 0.8;
const mostChanged = 2;
const leastShareOfFew = 0.6;

/** The same words in another order: so much of the claim and so much of the sentence. */
const leastOfClaim = 0.85;
const leastOfSentence = 0.75;

export interface Likeness {
  /** The claim is one sentence of the quotes with little changed. */
  readonly isCopy: boolean;
  /** Nothing is changed but what is left out. */
  readonly isExtract: boolean;
}

/** How near the claim, small words included, comes to the sentence that carries most of it. */
export function likenessOf({ written }: Comparison): Likeness {
  const isWord = ({ type }: Token): boolean => type !== 'mark';
  const [mine, theirs] = [written.claim.filter(isWord), written.anchored.filter(isWord)];
  if (mine.length === 0) return { isCopy: false, isExtract: false };
  const run = commonRun(mine, theirs);
  const share = run / mine.length;
  const both = sharedWords(mine, theirs);
  return {
    isCopy:
      share >= leastShare ||
      (mine.length - run <= mostChanged && share >= leastShareOfFew) ||
      (both >= leastOfClaim * mine.length && both >= leastOfSentence * theirs.length),
    isExtract: mine.length - run <= Math.max(1, 0.08 * mine.length),
  };
}

function sharedWords(mine: readonly Token[], theirs: readonly Token[]): number {
  const left = [...theirs];
  let shared = 0;
  for (const token of mine) {
    const at = left.findIndex((other) => isSame(token, other));
    if (at < 0) continue;
    left.splice(at, 1);
    shared += 1;
  }
  return shared;
}

const isSame = (a: Token, b: Token): boolean =>
  a.lower === b.lower || (a.content && b.content && a.keys.some((key) => b.keys.includes(key)));

/** Length of the longest common subsequence. */
function commonRun(mine: readonly Token[], theirs: readonly Token[]): number {
  let previous = new Uint16Array(theirs.length + 1);
  for (const token of mine) {
    const row = new Uint16Array(theirs.length + 1);
    for (const [at, other] of theirs.entries())
      row[at + 1] = isSame(token, other)
        ? (previous[at] as number) + 1
        : Math.max(previous[at + 1] as number, row[at] as number);
    previous = row;
  }
  return previous[theirs.length] as number;
}

/** A word or figure that the copy has more often than its sentence: it stands in the place of another. */
export function repeatedWords({ written: { claim, anchored } }: Comparison): string[] {
  const countOf = (tokens: readonly Token[], word: string): number =>
    tokens.filter(({ lower }) => lower === word).length;
  return claim.flatMap(({ content, lower, text }, at) => {
    const isFirst = claim.findIndex((other) => other.lower === lower) === at;
    const there = content && isFirst ? countOf(anchored, lower) : 0;
    return there > 0 && countOf(claim, lower) > there ? [`word-repeated: ${text}`] : [];
  });
}
