// What the store keeps of a term in a chunk, in one number of 32 bits: its place in the block of chunks, how often it stands there, and how long
// the chunk is. So a search that reads a term reads four bytes for each chunk that holds it, and needs no other row to score.

/** Chunks of a block. */
export const blockSize = 4096;
const most = { frequency: 255, length: 4095 } as const;

export interface Packed {
  /** Of the chunk in its tenant, from 0. */
  readonly number: number;
  readonly frequency: number;
  /** Of the chunk, in terms; longer ones count as `most.length`. */
  readonly length: number;
}

export const blockOf = (number: number): number => Math.floor(number / blockSize);

export const pack = ({ number, frequency, length }: Packed): number =>
  ((number % blockSize) << 20) | (Math.min(frequency, most.frequency) << 12) | Math.min(length, most.length);

/** The same in SQL, of a column. */
export const packedSql = (column: string) => ({
  place: `((${column} >> 20) & ${blockSize - 1})`,
  frequency: `((${column} >> 12) & ${most.frequency})`,
  length: `(${column} & ${most.length})`,
});

export const countedLength = (length: number): number => Math.min(length, most.length);

/** A bit for each place of a block, as `get_bit` reads them. */
export function maskOf(numbers: readonly number[]): Uint8Array {
  const mask = new Uint8Array(blockSize / 8);
  for (const number of numbers) {
    const place = number % blockSize;
    mask[place >> 3] = (mask[place >> 3] ?? 0) | (1 << (place & 7));
  }
  return mask;
}
