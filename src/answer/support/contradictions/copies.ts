// A claim that is nearly its quote, with a word or two put in, left out or exchanged, is no rewording: there every difference that the
// comparison word by word names tells against it.
import type { Token } from '../tokens.ts';
import type { Comparison } from './comparison.ts';
import { isFigure, isSameFigure } from './facts.ts';

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
  /** It would be, if any figure were as good as any other. */
  readonly isCopyButForFigures: boolean;
  /** Nothing is changed but what is left out. */
  readonly isExtract: boolean;
}

/** How near the claim, small words included, comes to the sentence that carries most of it. */
export function likenessOf({ written }: Comparison): Likeness {
  const isWord = ({ type }: Token): boolean => type !== 'mark';
  const [mine, theirs] = [written.claim.filter(isWord), written.anchored.filter(isWord)];
  if (mine.length === 0) return { isCopy: false, isCopyButForFigures: false, isExtract: false };
  const plain = mine.filter((token) => !isFigure(token));
  const run = commonRun(mine, theirs);
  const share = run / mine.length;
  const both = sharedWords(mine, theirs);
  const isCopy =
    share >= leastShare ||
    (mine.length - run <= mostChanged && share >= leastShareOfFew) ||
    (both >= leastOfClaim * mine.length && both >= leastOfSentence * theirs.length);
  return {
    isCopy,
    isCopyButForFigures:
      isCopy || (plain.length < mine.length && commonRun(plain, theirs) >= leastShare * Math.max(1, plain.length)),
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
const commonRun = (mine: readonly Token[], theirs: readonly Token[]): number =>
  commonRuns(mine, theirs)[mine.length]?.[theirs.length] ?? 0;

/** The same for so many of the first words of each. */
function commonRuns(mine: readonly Token[], theirs: readonly Token[]): Uint16Array[] {
  const runs = [new Uint16Array(theirs.length + 1)];
  for (const [line, token] of mine.entries()) {
    const row = new Uint16Array(theirs.length + 1);
    const previous = runs[line] as Uint16Array;
    for (const [at, other] of theirs.entries())
      row[at + 1] = isSame(token, other)
        ? (previous[at] as number) + 1
        : Math.max(previous[at + 1] as number, row[at] as number);
    runs.push(row);
  }
  return runs;
}

/** For each word the place of its like in the other text, in the order of both, or -1. */
function placesOf(mine: readonly Token[], theirs: readonly Token[]): number[] {
  const runs = commonRuns(mine, theirs);
  const places = mine.map(() => -1);
  let [line, column] = [mine.length, theirs.length];
  while (line > 0 && column > 0) {
    const run = runs[line]?.[column];
    if (
      isSame(mine[line - 1] as Token, theirs[column - 1] as Token) &&
      run === (runs[line - 1]?.[column - 1] ?? 0) + 1
    ) {
      places[line - 1] = column - 1;
      line -= 1;
      column -= 1;
    } else if (runs[line - 1]?.[column] === run) line -= 1;
    else column -= 1;
  }
  return places;
}

/** So many words of the sentence give way to a figure: more are summed up by it. */
const mostReplaced = 2;

/**
 * A figure of the copy that stands in the place of another one. Neither arithmetic nor another sentence makes it that: "four awards, eight medals"
 * is not said by "four awards, four medals", though four and four are eight. Another unit or kind of figure may say the same.
 */
export function replacedFigures({ written }: Comparison, computed: ReadonlyMap<string, string>): string[] {
  const isWord = ({ type }: Token): boolean => type !== 'mark';
  const [mine, theirs] = [written.claim.filter(isWord), written.anchored.filter(isWord)];
  const places = placesOf(mine, theirs);
  const known = places.filter((place) => place >= 0);
  const [first, last] = [Math.min(...known), Math.max(...known)];
  // Of the part of the sentence that the claim speaks of.
  const lost = theirs.filter((other, at) => isFigure(other) && at > first && at < last && !places.includes(at)).length;
  const putIn = mine.filter((token, at) => isFigure(token) && places[at] === -1).length;
  return mine.flatMap((token, at) => {
    if (!isFigure(token) || places[at] !== -1) return [];
    const from = at === 0 ? 0 : (places[at - 1] ?? -1) + 1;
    const next = at === mine.length - 1 ? theirs.length : (places[at + 1] ?? -1);
    // Its neighbours stand side by side there but for what it replaces.
    if ((at > 0 && from === 0) || next < 0 || next - from > mostReplaced) return [];
    const rivals = theirs.slice(from, next).filter(isFigure);
    // A sum stands for all that it sums up, and "nearly 49,000" for a figure close by.
    const mayBe = (other: Token): boolean =>
      computed.has(token.text) &&
      (lost > putIn || !isOfOneKind(token, other) || (token.quantity?.bound ?? 'exact') !== 'exact');
    const [rival] = rivals;
    return rival && rivals.every((other) => !isSameFigure(token, other) && !mayBe(other))
      ? [`number-changed: ${rival.text} in its place → ${token.text}`]
      : [];
  });
}

const plainWord = /\p{Nd}(?:[\p{Nd}.,]*\p{Nd})?|\p{L}+/gu;

/** The very words of a sentence, of which figures alone stand elsewhere: what was told of one is told of another. */
export function exchangedFigures({ written }: Comparison): string[] {
  const wordsOf = (tokens: readonly Token[]): string[] =>
    tokens
      .map(({ text }) => text)
      .join(' ')
      .toLowerCase()
      .match(plainWord) ?? [];
  const [mine, theirs] = [wordsOf(written.claim), wordsOf(written.anchored)];
  const isPlain = (word: string): boolean => !/^\p{Nd}/u.test(word);
  const isSameRun = (a: readonly string[], b: readonly string[]): boolean => a.join(' ') === b.join(' ');
  if (mine.length !== theirs.length || isSameRun(mine, theirs)) return [];
  if (!isSameRun(mine.filter(isPlain), theirs.filter(isPlain))) return [];
  return isSameRun(mine.toSorted(), theirs.toSorted()) ? ['order-changed: figures change places'] : [];
}

const isOfOneKind = (a: Token, b: Token): boolean =>
  (a.date === undefined) === (b.date === undefined) && a.quantity?.unit?.name === b.quantity?.unit?.name;

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
