// A set of slots as bits in 32-bit words. Plain functions over Uint32Array, because the scan that uses them is the hottest
// loop of the engine and an object per set would cost more than the set.

export type Bitmap = Uint32Array;

export function createBitmap(size: number): Bitmap {
  return new Uint32Array((size + 31) >>> 5);
}

/** A bitmap that threads share; a copy of `source` where there is one. */
export function createSharedBitmap(size: number, source?: Bitmap): Bitmap {
  const bitmap = new Uint32Array(new SharedArrayBuffer(((size + 31) >>> 5) * 4));
  if (source) bitmap.set(source);
  return bitmap;
}

export function hasBit(bitmap: Bitmap, bit: number): boolean {
  return ((bitmap[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
}

/** Whether the bit was not set before. */
export function setBit(bitmap: Bitmap, bit: number): boolean {
  const word = bitmap[bit >>> 5] ?? 0;
  const mask = 1 << (bit & 31);
  bitmap[bit >>> 5] = word | mask;
  return (word & mask) === 0;
}

/** Sets the bits from `first` up to and without `end`. */
export function setBits(bitmap: Bitmap, first: number, end: number): void {
  let bit = first;
  while (bit < end && (bit & 31) !== 0) setBit(bitmap, bit++);
  const lastWord = end >>> 5;
  if (bit >>> 5 < lastWord) {
    bitmap.fill(0xffffffff, bit >>> 5, lastWord);
    bit = lastWord << 5;
  }
  while (bit < end) setBit(bitmap, bit++);
}

export function countBits(bitmap: Bitmap): number {
  let count = 0;
  for (let word of bitmap) {
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
