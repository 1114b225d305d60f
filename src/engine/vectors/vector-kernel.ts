// What vector search asks of its arithmetic: kernel.ts gives it in WebAssembly.
import type { VectorShape } from './layout.ts';

/** Rows of components and of their bits, padded as layout.ts says. */
export interface VectorRows {
  readonly shape: VectorShape;
  readonly matrix: Float32Array;
  readonly bits: Uint8Array;
}

/** What the bits of a row tell: which components exceed the centre's, times the length of the row if `scaled`. */
export interface Centre {
  readonly at: Float32Array;
  readonly scaled: boolean;
}

/**
 * Calls belong to one search at a time: `setQuery`, then `dots`; `beginScan`, `setQueryBits`, then `scan`. A call takes at
 * most `scanRows` rows of bits or `blockRows` rows of components (layout.ts).
 */
export interface VectorKernel {
  setQuery(query: Float32Array): void;
  /** Dot products of `scores.length` rows from `first` on with the query. */
  dots(rows: VectorRows, first: number, scores: Float32Array): void;
  /** Dot products of the rows at these slots with the query. */
  dotsAt(rows: VectorRows, slots: Uint32Array, scores: Float32Array): void;
  /** Begins to look for the `wanted` rows (at least one) whose bits are nearest to the query's. */
  beginScan(dimensions: number, wanted: number): void;
  /** The bits to compare with. They may change between blocks: parts can have centres of their own. */
  setQueryBits(bits: Uint8Array): void;
  /**
   * Scans the rows from `block.first` on whose bits are set in `block.live`, which begins with that row and has none beyond
   * the last. Writes those within the threshold at their turn to `found`, the distance in the high half and the place after
   * `first` in the low one, and returns how many they are.
   */
  scan(rows: VectorRows, block: { readonly first: number; readonly live: Uint32Array }, found: Uint32Array): number;
  /** The least distance within which lie as many rows as are wanted, of those scanned so far. */
  threshold(): number;
  /** Writes the bits of `count` rows from `first` on. Spoils the query. */
  writeBits(rows: VectorRows, range: { readonly first: number; readonly count: number }, centre: Centre): void;
}
