// Our vector index as bench/vectors.ts measures it: as a search takes it by default, with every vector scored, and the way of
// large sets with a number of candidates that is given, which small sets never take by themselves.
import { vectorKernel } from '../src/engine/vectors/kernel.ts';
import { findNearestBits } from '../src/engine/vectors/nearest-bits.ts';
import { partOf, slotOf } from '../src/engine/vectors/references.ts';
import { searchVectors, type VectorHit } from '../src/engine/vectors/search-vectors.ts';
import { createVectorIndex, type VectorIndex } from '../src/engine/vectors/vector-index.ts';
import { livingBits, selectVectorRows } from '../src/engine/vectors/vector-selection.ts';
import { filterStep, type MeasuredVectors, type VectorSettings, vectorHits } from './vectors-port.ts';

type Search = (index: VectorIndex, query: Float32Array) => readonly VectorHit[];

function openIndex(
  { dimensions, count }: Pick<VectorSettings, 'dimensions' | 'count'>,
  searchIndex: Search,
  exact: boolean,
): MeasuredVectors {
  const index = createVectorIndex({ dimensions, metric: 'cosine' });
  const some = Array.from(
    { length: Math.ceil(count / filterStep) },
    (_, at) => [at * filterStep, at * filterStep] as const,
  );
  let selection: ReturnType<VectorIndex['selectRows']> | undefined;
  return {
    async add(first, vectors) {
      index.add(
        Float64Array.from({ length: vectors.length / dimensions }, (_, at) => first + at),
        vectors,
      );
    },
    async finish() {
      for (const _step of index.settle());
    },
    search: async (query) => searchIndex(index, query),
    numberOf: (hit) => (hit as VectorHit).row,
    // The rows of a filter are kept between searches, as the store keeps them.
    searchSome: async (vector) => {
      selection ??= index.selectRows(some);
      return searchVectors(index.snapshot(), { vector, limit: vectorHits, exact, selection });
    },
    close: async () => undefined,
  };
}

/** The best of `candidates` vectors that are nearest by their bits. */
export function openApproximate(
  settings: Pick<VectorSettings, 'dimensions' | 'count'>,
  candidates: number,
): MeasuredVectors {
  const search: Search = (index, query) => {
    const snapshot = index.snapshot();
    const living = snapshot.parts.map((part) => livingBits(part, undefined));
    const padded = new Float32Array(snapshot.shape.stride);
    padded.set(query);
    const before = (left: number, right: number): boolean => left < right;
    const task = { snapshot, living, query: padded, wanted: candidates, before };
    const nearest = findNearestBits(task, vectorKernel(), () => undefined);
    const ranges = Array.from(nearest, (reference) => {
      const row = snapshot.parts[partOf(reference)]?.rows[slotOf(reference)] ?? -1;
      return [row, row] as const;
    });
    const selection = selectVectorRows(snapshot, ranges);
    return searchVectors(snapshot, { vector: query, limit: vectorHits, exact: true, selection });
  };
  return openIndex(settings, search, true);
}

export const ownVectors = {
  footnote: async (settings: VectorSettings) =>
    openIndex(settings, (index, vector) => searchVectors(index.snapshot(), { vector, limit: vectorHits }), false),
  'footnote exact': async (settings: VectorSettings) =>
    openIndex(
      settings,
      (index, vector) => searchVectors(index.snapshot(), { vector, limit: vectorHits, exact: true }),
      true,
    ),
} as const;
