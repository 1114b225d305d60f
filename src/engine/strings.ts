// Many strings as one run of UTF-8 bytes with offsets: no JavaScript object per string, so that a million keys cost their
// bytes and load in no time. Sorted lists are searched by their bytes, which is the order of code points.

export interface Strings {
  /** One more than there are strings: string `i` is `bytes[offsets[i], offsets[i + 1])`. */
  readonly offsets: Uint32Array;
  readonly bytes: Buffer;
}

const encoder = new TextEncoder();

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

export function packStrings(texts: readonly string[]): Strings {
  const offsets = new Uint32Array(texts.length + 1);
  const text = texts.join('');
  const joined = Buffer.from(text, 'utf8');
  // As many bytes as code units: all of it is ASCII.
  const plain = joined.length === text.length;
  let end = 0;
  for (let index = 0; index < texts.length; index++) {
    const one = texts[index] as string;
    end += plain ? one.length : byteLength(one);
    offsets[index + 1] = end;
  }
  return { offsets, bytes: joined };
}

/** UTF-8 bytes of a well-formed text. */
function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    // Each half of a surrogate pair counts two of the pair's four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

export function stringAt(strings: Strings, index: number): string {
  const { bytes, offsets } = strings;
  return bytes.toString('utf8', offsets[index], offsets[index + 1]);
}

/** Negative, zero or positive as string `index` stands before, at or after `key`. */
export function compareAt(strings: Strings, index: number, key: Uint8Array): number {
  const { bytes, offsets } = strings;
  const start = offsets[index] as number;
  const length = (offsets[index + 1] as number) - start;
  const shared = length < key.length ? length : key.length;
  for (let at = 0; at < shared; at++) {
    const difference = (bytes[start + at] as number) - (key[at] as number);
    if (difference !== 0) return difference;
  }
  return length - key.length;
}

/** Order of a string of one list and one of another. */
export function compareStrings(left: Strings, leftIndex: number, right: Strings, rightIndex: number): number {
  const leftStart = left.offsets[leftIndex] as number;
  const rightStart = right.offsets[rightIndex] as number;
  const leftLength = (left.offsets[leftIndex + 1] as number) - leftStart;
  const rightLength = (right.offsets[rightIndex + 1] as number) - rightStart;
  const shared = leftLength < rightLength ? leftLength : rightLength;
  for (let at = 0; at < shared; at++) {
    const difference = (left.bytes[leftStart + at] as number) - (right.bytes[rightStart + at] as number);
    if (difference !== 0) return difference;
  }
  return leftLength - rightLength;
}

/** The first index of a sorted list that is not before `key`. */
export function lowerBound(strings: Strings, key: Uint8Array): number {
  let low = 0;
  let high = strings.offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareAt(strings, middle, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of `key` in a sorted list, or -1. */
export function findString(strings: Strings, key: Uint8Array): number {
  const index = lowerBound(strings, key);
  return index < strings.offsets.length - 1 && compareAt(strings, index, key) === 0 ? index : -1;
}

/** Order of code points, which is that of UTF-8 bytes; `<` of JavaScript differs where surrogates stand. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const one = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (one === other) continue;
    const oneSurrogate = one >= 0xd800 && one <= 0xdfff;
    const otherSurrogate = other >= 0xd800 && other <= 0xdfff;
    if (oneSurrogate !== otherSurrogate) return oneSurrogate ? 1 : -1;
    return one - other;
  }
  return left.length - right.length;
}
