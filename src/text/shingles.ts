// The runs of five words of a text as numbers ("shingles": A. Broder, On the resemblance and containment of documents, 1997), for
// comparing texts. Words are compared without case, width, marks and the hyphens that end lines; the hashes never change, since
// they are recorded.
import type { SourceSpan } from '../core/document.ts';
import { wordAfterBreak } from './line-end-hyphens.ts';
import { foldDiacritics, normaliseWord } from './words/normalise.ts';
import { forEachWord } from './words/words.ts';

const runLength = 5;

/** An expression would take longer than all else for a word. */
function isAscii(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > 0x7f) return false;
  return true;
}

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
    const whole = rest ? word + rest.letters : word;
    const compared = isAscii(whole) ? whole.toLowerCase() : foldDiacritics(normaliseWord(whole));
    if (compared !== '') visit(compared);
  });
}

/** Calls `visit` with a number below 2^48 for each run of five words within a span; a span of fewer words is one run. */
export function forEachRun(text: string, span: SourceSpan, visit: (hash: number) => void): void {
  const runs = createRuns(visit);
  forEachComparedWord(text.slice(span.start, span.end), runs.add);
  runs.end();
}

/** The same for words that are given one by one, up to `end`. */
export function createRuns(visit: (hash: number) => void): {
  readonly add: (word: string) => void;
  readonly end: () => void;
} {
  const lows = new Int32Array(runLength);
  const highs = new Int32Array(runLength);
  let count = 0;
  const close = (): void => {
    let low = 0x9747b28c;
    let high = 0x3c6ef372;
    const length = Math.min(count, runLength);
    for (let index = count - length; index < count; index++) {
      low = step(low, lows[index % runLength] as number);
      high = step(high, highs[index % runLength] as number);
    }
    visit((finish(low) >>> 0) * 0x10000 + (finish(high) & 0xffff));
  };
  return {
    // FNV-1a over UTF-16 code units (http://www.isthe.com/chongo/tech/comp/fnv), from two seeds.
    add(word) {
      let low = 0x811c9dc5;
      let high = 0x01000193;
      for (let index = 0; index < word.length; index++) {
        const code = word.charCodeAt(index);
        low = Math.imul(low ^ code, 0x01000193);
        high = Math.imul(high ^ code, 0x01000193);
      }
      lows[count % runLength] = low;
      highs[count % runLength] = high;
      count += 1;
      if (count >= runLength) close();
    },
    end() {
      if (count > 0 && count < runLength) close();
    },
  };
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
