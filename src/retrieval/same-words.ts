// Whether two passages of documents that are known as duplicates say the same: the same words but for a few, none of which is a number
// or a negation, for those are what versions of a document differ in. Case, wrapping and punctuation do not count. Pure.

import { forEachComparedWord } from '../text/shingles.ts';
import { negationAt } from '../text/words/negation.ts';

/** Of the words of the longer passage. */
const mostDifferent = 0.05;

export type WordCounts = ReadonlyMap<string, number>;

export function countWords(text: string): WordCounts {
  const counts = new Map<string, number>();
  forEachComparedWord(text, (word) => counts.set(word, (counts.get(word) ?? 0) + 1));
  return counts;
}

export function haveSameWords(left: WordCounts, right: WordCounts): boolean {
  const most = mostDifferent * Math.max(totalOf(left), totalOf(right));
  let different = 0;
  for (const word of new Set([...left.keys(), ...right.keys()])) {
    const difference = Math.abs((left.get(word) ?? 0) - (right.get(word) ?? 0));
    if (difference === 0) continue;
    different += difference;
    if (different > most || /\p{N}/u.test(word) || negationAt([word], 0) !== undefined) return false;
  }
  return true;
}

function totalOf(counts: WordCounts): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}
