// A search by vector as both sides run it, in place or in a worker. Invariant: the same snapshot, state and query give the
// same rows and scores on either side; equal scores are ordered by the keys of the state's entries.
import { rowPrecedes } from '../entry-of-row.ts';
import type { SearchState } from '../search-state.ts';
import { searchVectors, type VectorQuery } from '../vectors/search-vectors.ts';
import type { VectorSnapshot } from '../vectors/vector-snapshot.ts';

/** `before` is made where the search runs. */
export type ThreadedVectorQuery = Omit<VectorQuery, 'before'>;

/** Best first. */
export interface NearestRows {
  readonly rows: Float64Array;
  readonly scores: Float64Array;
}

export interface VectorSearched {
  /** Of the entries that the vectors are of. */
  readonly state: SearchState;
  readonly snapshot: VectorSnapshot;
}

export function nearestRows(
  { state, snapshot }: VectorSearched,
  query: ThreadedVectorQuery,
  cancelled?: () => boolean,
): NearestRows {
  const before = (left: number, right: number): boolean => rowPrecedes(state, left, right);
  const hits = searchVectors(snapshot, { ...query, before }, cancelled ? { cancelled } : {});
  return { rows: Float64Array.from(hits, ({ row }) => row), scores: Float64Array.from(hits, ({ score }) => score) };
}

/** Scoring the candidates of a scan of bits, and the scan of one row's bits, in components scored exactly (measured). */
const candidatesCost = 2_000_000;
const bitsCost = 20;

/** Components that a search reads, bits counted as what they cost beside components. */
export function estimateComponents({ entries, shape }: VectorSnapshot, exact: boolean): number {
  const all = entries * shape.stride;
  return exact ? all : Math.min(all, candidatesCost + entries * bitsCost);
}
