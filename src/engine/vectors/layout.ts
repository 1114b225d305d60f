// How vectors lie in memory: rows of components padded with zeros to whole runs of sixteen, rows of bits padded to whole
// words of 64. The kernel has no other loops than these, so that every number of dimensions takes the same path.
export const maximumDimensions = 3_072;

export interface VectorShape {
  readonly dimensions: number;
  /** Components of a row with its padding. */
  readonly stride: number;
  /** Words of 64 bits of a row's bits. */
  readonly words: number;
}

export function shapeOf(dimensions: number): VectorShape {
  return { dimensions, stride: Math.ceil(dimensions / 16) * 16, words: Math.ceil(dimensions / 64) };
}

/** Bytes of a block of components and of one of bits: both stay in a core's own cache while they are computed on. */
export const blockBytes = 262_144;
const scanBytes = 131_072;

/** Of the shortest rows: what is reused from call to call is so long. */
export const mostBlockRows = blockBytes / 64;
export const mostScanRows = scanBytes / 8;

/** The most rows whose components one call of a kernel takes. */
export function blockRows({ stride }: VectorShape): number {
  return Math.floor(blockBytes / (stride * 4));
}

/** The most rows whose bits one call of a kernel scans: a multiple of 32. */
export function scanRows({ words }: VectorShape): number {
  return Math.floor(scanBytes / (words * 8 * 32)) * 32;
}
