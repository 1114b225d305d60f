// The fingerprint of a text: the smallest hashes of its runs of words, by which near duplicates are found (A. Broder 1997, section 5;
// J. Leskovec, A. Rajaraman, J. Ullman, Mining of Massive Datasets, ch. 3), and a hash of all its words. Linear in the text, and
// in memory bounded but for the words.
import { createHash } from 'node:crypto';
import type { SourceSpan } from '../core/document.ts';
import { type Fingerprint, sketchSize } from '../core/fingerprint.ts';
import { forEachComparedWord, forEachRun } from './shingles.ts';

/** Of all hashes below 2^48. */
const hashSpace = 2 ** 48;

/** `content`: the parts that count as what the text says; by default all of it. */
export function fingerprintOf(
  text: string,
  content: readonly SourceSpan[] = [{ start: 0, end: text.length }],
): Fingerprint {
  const smallest = createSmallest();
  for (const span of content) forEachRun(text, span, smallest.add);
  const sketch = smallest.take();
  const isComplete = sketch.length < sketchSize;
  return {
    wordsHash: hashWords(text),
    runs: isComplete ? sketch.length : Math.round(((sketchSize - 1) * hashSpace) / ((sketch.at(-1) ?? 0) + 1)),
    sketch: Float64Array.from(sketch),
  };
}

function hashWords(text: string): string {
  const hash = createHash('sha256');
  let words: string[] = [];
  forEachComparedWord(text, (word) => {
    words.push(word);
    if (words.length < 4096) return;
    hash.update(`${words.join(' ')} `);
    words = [];
  });
  return hash.update(words.join(' ')).digest('hex');
}

/** Keeps the smallest different numbers, ascending. */
function createSmallest(): { readonly add: (hash: number) => void; readonly take: () => number[] } {
  let kept = new Set<number>();
  let limit = Number.POSITIVE_INFINITY;
  const shrink = (): number[] => {
    const sorted = [...kept].sort((a, b) => a - b).slice(0, sketchSize);
    kept = new Set(sorted);
    if (sorted.length === sketchSize) limit = sorted.at(-1) ?? limit;
    return sorted;
  };
  return {
    add(hash) {
      if (hash >= limit) return;
      kept.add(hash);
      if (kept.size >= 8 * sketchSize) shrink();
    },
    take: shrink,
  };
}
