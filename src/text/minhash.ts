// The fingerprint of a text: the smallest hashes of its runs of words, by which near duplicates are found (A. Broder 1997, section 5;
// J. Leskovec, A. Rajaraman, J. Ullman, Mining of Massive Datasets, ch. 3), and a hash of all its words. Linear in the text, and
// in memory bounded but for the words.
import { createHash } from 'node:crypto';
import type { SourceSpan } from '../core/document.ts';
import { type Fingerprint, sketchSize } from '../core/documents/fingerprint.ts';
import { createRuns, forEachComparedWord, forEachRun } from './shingles.ts';

/** Of all hashes below 2^48. */
const hashSpace = 2 ** 48;

/** `content`: the parts that count as what the text says; by default all of it. */
export function fingerprintOf(
  text: string,
  content: readonly SourceSpan[] = [{ start: 0, end: text.length }],
): Fingerprint {
  const smallest = createSmallest();
  const words = createWordsHash();
  const [only] = content;
  if (content.length === 1 && only?.start === 0 && only.end === text.length) {
    // The words are looked for once.
    const runs = createRuns(smallest.add);
    forEachComparedWord(text, (word) => {
      words.add(word);
      runs.add(word);
    });
    runs.end();
  } else {
    forEachComparedWord(text, words.add);
    for (const span of content) forEachRun(text, span, smallest.add);
  }
  const sketch = smallest.take();
  const isComplete = sketch.length < sketchSize;
  return {
    wordsHash: words.digest(),
    runs: isComplete ? sketch.length : Math.round(((sketchSize - 1) * hashSpace) / ((sketch.at(-1) ?? 0) + 1)),
    sketch,
  };
}

const wordsTogether = 4096;

/** SHA-256 of the words with a space after each but the last; where these are a multiple of `wordsTogether`, after that, too. */
function createWordsHash(): { readonly add: (word: string) => void; readonly digest: () => string } {
  const hash = createHash('sha256');
  let words = '';
  let count = 0;
  return {
    add(word) {
      words = count === 0 ? word : `${words} ${word}`;
      if (++count < wordsTogether) return;
      hash.update(`${words} `);
      words = '';
      count = 0;
    },
    digest: () => hash.update(words).digest('hex'),
  };
}

/** Keeps the smallest different numbers, ascending. */
function createSmallest(): { readonly add: (hash: number) => void; readonly take: () => Float64Array } {
  let kept = new Float64Array(2 * sketchSize);
  let count = 0;
  let limit = Number.POSITIVE_INFINITY;
  const shrink = (): void => {
    const sorted = kept.subarray(0, count).sort();
    let different = 0;
    for (let at = 0; at < count && different < sketchSize; at++)
      if (at === 0 || sorted[at] !== sorted[at - 1]) kept[different++] = sorted[at] as number;
    count = different;
    if (count === sketchSize) limit = kept[count - 1] as number;
  };
  return {
    add(hash) {
      if (hash >= limit) return;
      if (count === kept.length) {
        shrink();
        // Few different ones came so far: there may be more.
        if (count > kept.length / 2) kept = Float64Array.from({ length: kept.length * 2 }, (_, at) => kept[at] ?? 0);
        if (hash >= limit) return;
      }
      kept[count++] = hash;
    },
    take() {
      shrink();
      return kept.slice(0, count);
    },
  };
}
