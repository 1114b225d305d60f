// Counts o200k_base tokens in time linear in the text: text is cut into the pieces that the encoding itself never merges
// across, short pieces are counted exactly (and remembered), and a piece longer than `longPiece` is counted in parts,
// which can only overstate it, by less than one token a part (byte-pair merging is quadratic in the length of a piece).
import { createRequire } from 'node:module';
import { createSpanCache } from './span-cache.ts';
import { cacheTexts } from './text-cache.ts';
import { forEachTokenPiece } from './token-pieces.ts';
import { countMerged } from './token-ranks.ts';

const longPiece = 512;
/** An index cuts pieces finer, so that a range can end inside a long one. */
const indexedPiece = 32;
/** Longer pieces would push the words out of the memory. */
const longestWord = 64;
/** About 14 MB when full. */
const countWord = createSpanCache<number>({ spans: 131_072, longestSpan: longestWord }).reader(countAnew);
/** A few parts of long pieces: what is long is often one character over and over. */
const countPart = createSpanCache<number>({ spans: 2048, longestSpan: longPiece }).reader(countAnew);
/** What the encoder takes for something else than its bytes: half characters and byte order marks. */
const peculiar = /[\p{Surrogate}\ufeff]/u;

/** Longest run cut into pieces at once: bounds how far the pattern looks ahead and back. */
const longestRun = 32_768;

export interface TokenIndex {
  /** Tokens of the whole text. */
  readonly total: number;
  /** Tokens of `text.slice(start, end)`, never less than `countTokens` of it but for a token at each cut piece. */
  between(start: number, end: number): number;
  /** The furthest end >= start such that `between(start, end) <= tokens`. */
  reach(start: number, tokens: number): number;
  /** The furthest start <= end such that `between(start, end) <= tokens`. */
  reachBack(end: number, tokens: number): number;
}

/** o200k_base tokens of `text`; special tokens are counted as the plain text that they are in a document. */
export function countTokens(text: string): number {
  let total = 0;
  let start = 0;
  for (let end = text.indexOf('\n') + 1; end > 0; end = text.indexOf('\n', end) + 1) {
    if (!startsPiece(text, end)) continue;
    total += countLine(text.slice(start, end));
    start = end;
  }
  return total + countLine(start === 0 ? text : text.slice(start));
}

/** Prompts differ, but show lines that were shown before. At most 8 MB. */
const countLine = cacheTexts(countPieces, { characters: 2_000_000, shortest: 48, longest: 4096 });

/** After the end of a line: no piece of the pattern reaches from there into anything but white space and slashes. */
const startsPiece = (text: string, at: number): boolean => at < text.length && !/[\s/]/u.test(text.charAt(at));

function countPieces(text: string): number {
  let total = 0;
  forEachPiece(text, (run, start, end) => {
    total += end - start <= longPiece ? countShort(run, start, end) : countLong(run, start, end);
  });
  return total;
}

/** Counts a text once so that any range of it can be measured in logarithmic time. */
export function indexTokens(text: string): TokenIndex {
  // Of four bytes each: a text of 60 million characters has 20 million pieces.
  let ends = new Int32Array(64 + (text.length >> 2));
  let sums = new Int32Array(ends.length);
  let count = 1;
  let position = 0;
  let total = 0;
  forEachPiece(text, (run, start, end) => {
    for (let from = start; from < end; ) {
      const to = end - start <= indexedPiece ? end : partEnd(run, { from, end, length: indexedPiece });
      position += to - from;
      total += countShort(run, from, to);
      if (count === ends.length) {
        ends = longer(ends);
        sums = longer(sums);
      }
      ends[count] = position;
      sums[count] = total;
      count += 1;
      from = to;
    }
  });
  // The last index whose end is <= position.
  const floorIndex = (at: number): number => {
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((ends[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const lastSumUpTo = (limit: number): number => {
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((sums[middle] ?? 0) <= limit) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const sumAt = (index: number): number => (index < count ? (sums[index] ?? total) : total);
  const ceilIndex = (at: number): number => {
    const index = floorIndex(at);
    return (ends[index] ?? 0) === at ? index : index + 1;
  };
  return {
    total,
    between: (start, end) => (end <= start ? 0 : sumAt(ceilIndex(end)) - (sums[floorIndex(start)] ?? 0)),
    reach: (start, tokens) => Math.max(start, ends[lastSumUpTo((sums[floorIndex(start)] ?? 0) + tokens)] ?? start),
    reachBack: (end, tokens) => {
      const limit = sumAt(ceilIndex(end)) - tokens;
      const index = limit <= 0 ? 0 : lastSumUpTo(limit - 1) + 1;
      return Math.min(end, index < count ? (ends[index] ?? end) : end);
    },
  };
}

function longer(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const twice = new Int32Array(numbers.length * 2);
  twice.set(numbers);
  return twice;
}

function forEachPiece(text: string, visit: (run: string, start: number, end: number) => void): void {
  for (let start = 0; start < text.length; ) {
    const end = runEnd(text, start);
    const run = start === 0 && end === text.length ? text : text.slice(start, end);
    forEachTokenPiece(run, (pieceStart, pieceEnd) => visit(run, pieceStart, pieceEnd));
    start = end;
  }
}

/** Ends a run before a space that follows a non-space, where the pattern always has a boundary too. */
function runEnd(text: string, start: number): number {
  const limit = start + longestRun;
  if (limit >= text.length) return text.length;
  for (let end = limit; end > start + longestRun / 2; end--) {
    if (text.charCodeAt(end) === 0x20 && text.charCodeAt(end - 1) > 0x20 && text.charCodeAt(end - 1) !== 0xa0)
      return end;
  }
  return isLowSurrogate(text, limit) ? limit - 1 : limit;
}

let encoder: { countTokens(text: string): number } | undefined;

/** Loaded when first needed, which is seldom: the encoder takes 70 MB. */
function countExactly(piece: string): number {
  encoder ??= createRequire(import.meta.url)('gpt-tokenizer/encoding/o200k_base') as {
    countTokens(text: string): number;
  };
  return encoder.countTokens(piece);
}

function countAnew(piece: string): number {
  // No piece holds a whole special token, so none is taken for one.
  return peculiar.test(piece) ? countExactly(piece) : countMerged(piece);
}

const countShort = (text: string, start: number, end: number): number =>
  end - start <= longestWord ? countWord(text, start, end) : countPart(text, start, end);

function countLong(text: string, start: number, end: number): number {
  let total = 0;
  for (let from = start; from < end; ) {
    const to = partEnd(text, { from, end, length: longPiece });
    total += countShort(text, from, to);
    from = to;
  }
  return total;
}

function partEnd(text: string, { from, end, length }: { from: number; end: number; length: number }): number {
  const to = from + length;
  if (to >= end) return end;
  return isLowSurrogate(text, to) ? to - 1 : to;
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}
