// What bench/vectors/vectors.ts asks of every vector index that it measures. Invariant: an index is known by the numbers of its vectors
// alone, so that all of them can be fed, searched and compared with the exact answer in one way.

export interface MeasuredVectors {
  /** Takes vectors `first`, `first + 1` …, one after another in one array. */
  add(first: number, vectors: Float32Array): Promise<void>;
  /** Everything can be searched: trained, indexed, flushed. */
  finish(): Promise<void>;
  /** The best `vectorHits`, best first, as the index gives them. */
  search(query: Float32Array): Promise<ArrayLike<unknown>>;
  /** The number of the vector that a hit is. */
  numberOf(hit: unknown): number;
  /** Where filters are measured: the best among the vectors whose number divides by `filterStep`. */
  searchSome?(query: Float32Array): Promise<ArrayLike<unknown>>;
  /** Where the index is durable: milliseconds from opening it anew to the first answer. */
  restart?(query: Float32Array): Promise<number>;
  close(): Promise<void>;
}

export interface VectorSettings {
  /** An empty folder of its own. */
  readonly folder: string;
  readonly dimensions: number;
  readonly count: number;
}

export const vectorHits = 100;
/** A filter that leaves one vector of a hundred. */
export const filterStep = 100;
