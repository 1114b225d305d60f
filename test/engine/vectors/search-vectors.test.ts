// The approximate path: recall against scoring every vector, the same hits whatever order vectors came in, ties at the cut,
// filters that restrict the scan, and cancelling.
import { describe, expect, it } from 'vitest';
import { searchVectors } from '../../../src/engine/vectors/search-vectors.ts';
import { createVectorIndex, type VectorIndex } from '../../../src/engine/vectors/vector-index.ts';
import { createPlainKernel } from '../../../testkit/plain-kernel.ts';
import { clusteredVectors, createRandom } from './reference.ts';

const limit = 10;

function rowsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}

function addInOrder(index: VectorIndex, vectors: Float32Array, dimensions: number): void {
  const batch = 2_000;
  for (let at = 0; at < vectors.length / dimensions; at += batch) {
    const part = vectors.subarray(at * dimensions, (at + batch) * dimensions);
    index.add(rowsFrom(at, part.length / dimensions), part);
  }
}

/** Vectors near some of those given. */
function queriesNear(vectors: Float32Array, dimensions: number, count: number): Float32Array[] {
  const random = createRandom(5);
  return Array.from({ length: count }, () => {
    const start = Math.floor((random() * vectors.length) / dimensions) * dimensions;
    return vectors.slice(start, start + dimensions).map((component) => component + (random() - 0.5) * 0.8);
  });
}

/** Share of the exact first hits that the approximate path finds. */
function recall(index: VectorIndex, queries: readonly Float32Array[]): number {
  const snapshot = index.snapshot();
  let found = 0;
  for (const vector of queries) {
    const exact = new Set(searchVectors(snapshot, { vector, limit, exact: true }).map((hit) => hit.row));
    found += searchVectors(snapshot, { vector, limit }).filter((hit) => exact.has(hit.row)).length;
  }
  return found / (queries.length * limit);
}

describe('approximate search', { timeout: 60_000 }, () => {
  const dimensions = 384;
  const count = 30_000;
  const vectors = clusteredVectors(count, dimensions, { seed: 1, clusters: 300 });
  const index = createVectorIndex({ dimensions, metric: 'cosine' });
  addInOrder(index, vectors, dimensions);

  it('finds nearly what scoring every vector finds, before and after it has settled', () => {
    const queries = queriesNear(vectors, dimensions, 40);
    expect(recall(index, queries)).toBeGreaterThanOrEqual(0.98);
    for (const _ of index.settle());
    expect(index.unsettled()).toBe(false);
    expect(recall(index, queries)).toBeGreaterThanOrEqual(0.98);
  });

  it('gives exact scores, and by plain TypeScript the same hits', () => {
    const snapshot = index.snapshot();
    for (const vector of queriesNear(vectors, dimensions, 3)) {
      const scores = new Map(
        searchVectors(snapshot, { vector, limit: count, exact: true }).map((hit) => [hit.row, hit.score]),
      );
      const hits = searchVectors(snapshot, { vector, limit: 200 });
      for (const hit of hits) expect(hit.score).toBe(scores.get(hit.row));
      expect(searchVectors(snapshot, { vector, limit: 200 }, { kernel: createPlainKernel() })).toEqual(hits);
    }
  });

  it('returns as many hits as are asked for, of what a filter leaves', () => {
    const snapshot = index.snapshot();
    const [vector] = queriesNear(vectors, dimensions, 1) as [Float32Array];
    const selection = index.selectRows([
      [20_000, 20_009],
      [100, 119],
    ]);
    const hits = searchVectors(snapshot, { vector, limit: 100, selection });
    expect(hits.map((hit) => hit.row).sort((a, b) => a - b)).toEqual([...rowsFrom(100, 20), ...rowsFrom(20_000, 10)]);
    const most = index.selectRows([[0, 27_999]]);
    const exact = searchVectors(snapshot, { vector, limit, selection: most, exact: true });
    expect(searchVectors(snapshot, { vector, limit, selection: most })).toEqual(exact);
    expect(exact.every((hit) => hit.row < 28_000)).toBe(true);
    expect(searchVectors(snapshot, { vector, limit, selection: index.selectRows([]) })).toEqual([]);
  });

  it('ends when it is cancelled', () => {
    const [vector] = queriesNear(vectors, dimensions, 1) as [Float32Array];
    for (const exact of [true, false]) {
      let asked = 0;
      const cancelled = (): boolean => ++asked > 3;
      expect(() => searchVectors(index.snapshot(), { vector, limit, exact }, { cancelled })).toThrow(
        expect.objectContaining({ code: 'cancelled' }),
      );
      expect(asked).toBe(4);
    }
  });

  it('shows removals at once, and an earlier snapshot none', () => {
    const [vector] = queriesNear(vectors, dimensions, 1) as [Float32Array];
    const earlier = index.snapshot();
    const hits = searchVectors(earlier, { vector, limit });
    const first = hits[0]!.row;
    expect(index.remove(first, first)).toBe(1);
    expect(searchVectors(index.snapshot(), { vector, limit }).map((hit) => hit.row)).not.toContain(first);
    index.remove(0, 29_000);
    for (const _ of index.settle());
    expect(searchVectors(earlier, { vector, limit })).toEqual(hits);
    expect(index.count()).toBe(999 + (first > 29_000 ? -1 : 0));
  });
});

describe('determinism', { timeout: 120_000 }, () => {
  it('gives the same hits in twenty orders of insertion, removals between, once settled', () => {
    const dimensions = 2_048;
    const count = 4_200;
    const vectors = clusteredVectors(count, dimensions, { seed: 2, clusters: 40 });
    const queries = queriesNear(vectors, dimensions, 4);
    const random = createRandom(3);
    const results = Array.from({ length: 20 }, (_, order) => {
      const index = createVectorIndex({ dimensions, metric: 'cosine' });
      const batches = Array.from({ length: 42 }, (_, at) => ({ at, key: random() })).sort((a, b) => a.key - b.key);
      for (const { at } of batches) {
        const batch = vectors.subarray(at * 100 * dimensions, (at + 1) * 100 * dimensions);
        index.add(rowsFrom(at * 100, 100), batch);
        if (order % 2 === 0) continue;
        index.add(rowsFrom(count + at * 30, 30), batch.subarray(0, 30 * dimensions));
        index.remove(count, count * 2);
      }
      for (const _ of index.settle());
      return queries.map((vector) =>
        searchVectors(index.snapshot(), { vector, limit: 50 }).map((hit) => [hit.row, hit.score]),
      );
    });
    for (const result of results) expect(result).toEqual(results[0]);
  });

  it('orders copies of one vector by `before`, also where there are more than are looked at', () => {
    const dimensions = 1_024;
    const copies = 9_000;
    const vectors = clusteredVectors(copies, dimensions, { seed: 4, clusters: 10 });
    const same = vectors.slice(0, dimensions);
    for (let row = 1_000; row < copies; row++) vectors.set(same, row * dimensions);
    const index = createVectorIndex({ dimensions, metric: 'dot' });
    addInOrder(index, vectors, dimensions);
    for (const _ of index.settle());
    const rank = (row: number): number => (row * 7_919) % 9_001;
    const before = (a: number, b: number): boolean => rank(a) < rank(b);
    const hits = searchVectors(index.snapshot(), { vector: same, limit: 100, before });
    expect(hits).toEqual(searchVectors(index.snapshot(), { vector: same, limit: 100, before, exact: true }));
    expect(hits.map((hit) => rank(hit.row))).toEqual(hits.map((hit) => rank(hit.row)).sort((a, b) => a - b));
  });
});
