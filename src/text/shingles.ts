// The runs of five words of a text as numbers ("shingles": A. Broder, On the resemblance and containment of documents, 1997), for
// comparing texts. Words are compared without case, width, marks and the hyphens that end lines; the hashes never change, since
// they are recorded.
import type { SourceSpan } from '../core/document.ts';
import { wordAfterBreak } from './line-end-hyphens.ts';
import { foldDiacritics, normaliseWord } from './normalise.ts';
import { forEachWord } from './words/words.ts';

const runLength = 5;

/** The words of a text in order, in the form in which they are compared. Scripts without spaces give one word a character. */
export function forEachComparedWord(text: string, visit: (word: string) => void): void {
  let joinedUpTo = 0;
  forEachWord(text, (start, end, kind) => {
    if (start < joinedUpTo) return;
    const word = text.slice(start, end);
    if (kind !== 'word') {
      for (const character of normaliseWord(word)) visit(character);
      return;
    }
    const rest = wordAfterBreak(text, end);
    if (rest) joinedUpTo = rest.end;
    const compared = foldDiacritics(normaliseWord(rest ? word + rest.letters : word));
    if (compared !== '') visit(compared);
  });
}

/** Calls `visit` with a number below 2^48 for each run of five words within a span; a span of fewer words is one run. */
export function forEachRun(text: string, span: SourceSpan, visit: (hash: number) => void): void {
  const lows: number[] = [];
  const highs: number[] = [];
  let count = 0;
  const close = (): void => {
    let low = 0x9747b28c;
    let high = 0x3c6ef372;
    const length = Math.min(count, runLength);
    for (let index = count - length; index < count; index++) {
      low = step(low, lows[index % runLength] ?? 0);
      high = step(high, highs[index % runLength] ?? 0);
    }
    visit((finish(low) >>> 0) * 0x10000 + (finish(high) & 0xffff));
  };
  forEachComparedWord(text.slice(span.start, span.end), (word) => {
    lows[count % runLength] = hashOf(word, 0x811c9dc5);
    highs[count % runLength] = hashOf(word, 0x01000193);
    count += 1;
    if (count >= runLength) close();
  });
  if (count > 0 && count < runLength) close();
}

/** FNV-1a over UTF-16 code units (http://www.isthe.com/chongo/tech/comp/fnv). */
function hashOf(word: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < word.length; index++) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return hash;
}

/** A round and the finish of MurmurHash3 (A. Appleby, public domain). */
function step(hash: number, value: number): number {
  const mixed = Math.imul(value, 0xcc9e2d51);
  const next = hash ^ Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
  return (Math.imul((next << 13) | (next >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
