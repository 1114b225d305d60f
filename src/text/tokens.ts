// Counts o200k_base tokens in time linear in the text: text is cut into the pieces that the encoding itself never merges
// across, short pieces are counted exactly (and remembered), and a piece longer than `longPiece` is counted in parts,
// which can only overstate it, by less than one token a part (byte-pair merging is quadratic in the length of a piece).
import { countTokens as countExactly } from 'gpt-tokenizer/encoding/o200k_base';

const contraction = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?";
const upper = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]';
const lower = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]';
/** The pre-tokeniser of o200k_base, as published with tiktoken. */
const pieces = new RegExp(
  [
    `[^\\r\\n\\p{L}\\p{N}]?${upper}*${lower}+${contraction}`,
    `[^\\r\\n\\p{L}\\p{N}]?${upper}+${lower}*${contraction}`,
    '\\p{N}{1,3}',
    ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*',
    '\\s*[\\r\\n]+',
    '\\s+(?!\\S)',
    '\\s+',
  ].join('|'),
  'gu',
);

const longPiece = 512;
/** An index cuts pieces finer, so that a range can end inside a long one. */
const indexedPiece = 32;
const rememberedPieces = 50_000;
const remembered = new Map<string, number>();

/** Longest run handed to the pattern at once: bounds its backtracking. */
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
  forEachPiece(text, (piece) => {
    total += countPiece(piece);
  });
  return total;
}

/** Counts a text once so that any range of it can be measured in logarithmic time. */
export function indexTokens(text: string): TokenIndex {
  const ends: number[] = [0];
  const sums: number[] = [0];
  let position = 0;
  let total = 0;
  forEachPiece(text, (piece) => {
    for (let offset = 0; offset < piece.length; ) {
      const part = piece.length <= indexedPiece ? piece : partOf(piece, offset, indexedPiece);
      offset += part.length;
      position += part.length;
      total += countShort(part);
      ends.push(position);
      sums.push(total);
    }
  });
  // The last index whose end is <= position.
  const floorIndex = (at: number): number => {
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((ends[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const lastSumUpTo = (limit: number): number => {
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((sums[middle] ?? 0) <= limit) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const ceilIndex = (at: number): number => {
    const index = floorIndex(at);
    return (ends[index] ?? 0) === at ? index : index + 1;
  };
  return {
    total,
    between: (start, end) => (end <= start ? 0 : (sums[ceilIndex(end)] ?? total) - (sums[floorIndex(start)] ?? 0)),
    reach: (start, tokens) => Math.max(start, ends[lastSumUpTo((sums[floorIndex(start)] ?? 0) + tokens)] ?? start),
    reachBack: (end, tokens) => {
      const limit = (sums[ceilIndex(end)] ?? total) - tokens;
      const index = limit <= 0 ? 0 : lastSumUpTo(limit - 1) + 1;
      return Math.min(end, ends[index] ?? end);
    },
  };
}

function forEachPiece(text: string, visit: (piece: string) => void): void {
  for (let start = 0; start < text.length; ) {
    const end = runEnd(text, start);
    const run = start === 0 && end === text.length ? text : text.slice(start, end);
    for (const match of run.matchAll(pieces)) visit(match[0]);
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

function countPiece(piece: string): number {
  if (piece.length <= longPiece) return countShort(piece);
  let total = 0;
  for (let offset = 0; offset < piece.length; ) {
    const part = partOf(piece, offset, longPiece);
    total += countShort(part);
    offset += part.length;
  }
  return total;
}

function partOf(piece: string, offset: number, length: number): string {
  const end = offset + length;
  return piece.slice(offset, isLowSurrogate(piece, end) ? end - 1 : end);
}

function countShort(piece: string): number {
  const known = remembered.get(piece);
  if (known !== undefined) return known;
  // No piece holds a whole special token, so none is taken for one.
  const count = countExactly(piece);
  if (remembered.size >= rememberedPieces) remembered.clear();
  if (piece.length <= 64) remembered.set(piece, count);
  return count;
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}
