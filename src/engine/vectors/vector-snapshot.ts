// A vector index as it stood at one moment: plain data over SharedArrayBuffers, to be posted to any thread and searched there
// (search-vectors.ts). It stays as it is whatever happens to the index.
import type { VectorShape } from './layout.ts';
import type { VectorMetric } from './prepare-vector.ts';
import type { VectorPart } from './vector-part.ts';

export interface VectorSnapshot {
  /** Grows with every change of the index. */
  readonly version: number;
  readonly metric: VectorMetric;
  readonly shape: VectorShape;
  /** Living vectors. */
  readonly entries: number;
  readonly parts: readonly VectorPart[];
}
