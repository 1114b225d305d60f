// Where to and where from: a move "from Bexley to Arlow" is none to Bexley. A piece that names a place only with the other direction counts little of it.
// English. Pure.
import type { Question } from '../question/question.ts';

export interface DirectedName {
  /** Its place among the question's terms. */
  readonly at: number;
  /** In small letters. */
  readonly word: string;
  readonly isSource: boolean;
}

/** What such a piece counts of the name. */
const otherWay = 0.4;

/** The names of a question that stand behind "to" or "from". */
export function directedNames({ text, terms, named }: Question): readonly DirectedName[] {
  return terms.flatMap(({ start, end }, at) => {
    if (named[at] !== true) return [];
    const way = /\b(from|to|into)\s{1,4}(?:the\s)?$/iu.exec(text.slice(Math.max(0, start - 20), start))?.[1];
    return way === undefined
      ? []
      : [{ at, word: text.slice(start, end).toLowerCase(), isSource: way.toLowerCase() === 'from' }];
  });
}

/** The matches of a piece, less those of names that it has in the other direction alone. */
export function asDirected(
  matches: readonly number[],
  piece: string,
  directed: readonly DirectedName[],
): readonly number[] {
  const wrong = directed.filter(
    ({ at, word, isSource }) => (matches[at] ?? 0) > otherWay && isTurned(piece, word, isSource),
  );
  if (wrong.length === 0) return matches;
  const less = [...matches];
  for (const { at } of wrong) less[at] = otherWay;
  return less;
}

/** Each time the word stands there, the other direction stands before it. */
function isTurned(piece: string, word: string, isSource: boolean): boolean {
  const text = piece.toLowerCase();
  let [found, at] = [0, text.indexOf(word)];
  while (at >= 0) {
    const before = /\b(from|to|into)\s{1,4}(?:the\s)?$/u.exec(text.slice(Math.max(0, at - 20), at))?.[1];
    if (before === undefined || (before === 'from') === isSource) return false;
    found += 1;
    at = text.indexOf(word, at + word.length);
  }
  return found > 0;
}
