// The index against a reference that scores every vector by itself: any sequence of additions, deletions and settling gives
// the same hits, scores and order, by either kernel; what a snapshot showed it keeps showing.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vectorKernel } from '../../../src/engine/vectors/kernel.ts';
import type { VectorMetric } from '../../../src/engine/vectors/prepare-vector.ts';
import { searchVectors } from '../../../src/engine/vectors/search-vectors.ts';
import { createVectorIndex, type VectorIndex } from '../../../src/engine/vectors/vector-index.ts';
import type { VectorSnapshot } from '../../../src/engine/vectors/vector-snapshot.ts';
import { createPlainKernel } from '../../../testkit/plain-kernel.ts';
import { referenceSearch } from './reference.ts';

const runs = process.env['FOOTNOTE_TEST_LONG'] ? 5_000 : 250;

const settled = (index: VectorIndex): void => {
  for (const _ of index.settle());
};

// Few values, so that scores are often equal.
const number = fc.oneof(fc.constantFrom(0, 1, -1, 0.5, 3), fc.float({ min: -10, max: 10, noNaN: true }));
const vectorOf = (dimensions: number) =>
  fc.array(number, { minLength: dimensions, maxLength: dimensions }).map((values) => Float32Array.from(values));

const operationOf = (dimensions: number) =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('add' as const),
        // Where the call's rows lie, and the distance from one to the next: calls interleave.
        from: fc.nat({ max: 400 }),
        steps: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 30 }),
        vectors: fc.array(vectorOf(dimensions), { minLength: 1, maxLength: 5 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('remove' as const), first: fc.nat({ max: 500 }), span: fc.nat(80) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle' as const), steps: fc.nat({ max: 3 }) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('search' as const),
        vector: vectorOf(dimensions),
        limit: fc.integer({ min: 1, max: 40 }),
        ranges: fc.option(fc.array(fc.tuple(fc.nat(500), fc.nat(60)), { maxLength: 4 })),
        backwards: fc.boolean(),
      }),
    },
  );

const scenario = fc.constantFrom(1, 3, 17, 64, 100).chain((dimensions) =>
  fc.record({
    dimensions: fc.constant(dimensions),
    metric: fc.constantFrom<VectorMetric>('cosine', 'dot'),
    operations: fc.array(operationOf(dimensions), { minLength: 1, maxLength: 25 }),
  }),
);

const plain = (hits: readonly { row: number; score: number }[]) => hits.map(({ row, score }) => ({ row, score }));

describe('vector index', () => {
  it(`equals the reference through ${runs} random sequences`, { timeout: 600_000 }, () => {
    const plainKernel = createPlainKernel();
    fc.assert(
      fc.property(scenario, ({ dimensions, metric, operations }) => {
        const index = createVectorIndex({ dimensions, metric });
        const vectors = new Map<number, Float32Array>();
        const used = new Set<number>();
        const kept: { snapshot: VectorSnapshot; vector: Float32Array; hits: unknown }[] = [];
        for (const operation of operations) {
          if (operation.kind === 'add') {
            let row = operation.from;
            const rows = operation.steps.map((step) => (row += step)).filter((one) => !used.has(one));
            const given = rows.map((_, at) => operation.vectors[at % operation.vectors.length]!);
            index.add(rows, Float32Array.from(given.flatMap((vector) => [...vector])));
            for (const [at, one] of rows.entries()) {
              used.add(one);
              vectors.set(one, given[at]!);
            }
          } else if (operation.kind === 'remove') {
            const inside = [...vectors.keys()].filter(
              (row) => row >= operation.first && row <= operation.first + operation.span,
            );
            expect(index.remove(operation.first, operation.first + operation.span)).toBe(inside.length);
            for (const row of inside) vectors.delete(row);
          } else if (operation.kind === 'settle') {
            const steps = index.settle();
            for (let step = 0; step < operation.steps; step++) steps.next();
          } else {
            const { vector, limit, ranges } = operation;
            const snapshot = index.snapshot();
            const selection = ranges && index.selectRows(ranges.map(([first, span]) => [first, first + span]));
            const selected = (row: number): boolean =>
              !ranges || ranges.some(([first, span]) => row >= first && row <= first + span);
            const before = operation.backwards ? (a: number, b: number) => a > b : (a: number, b: number) => a < b;
            const expected = referenceSearch(vectors, { vector, limit, selected, before }, metric);
            const query = { vector, limit, before, ...(selection && { selection }) };
            const hits = searchVectors(snapshot, query);
            expect(plain(hits)).toEqual(expected);
            expect(plain(searchVectors(snapshot, { ...query, exact: true }, { kernel: plainKernel }))).toEqual(
              expected,
            );
            for (const { part, slot, row } of hits) expect(snapshot.parts[part]?.rows[slot]).toBe(row);
            if (selection)
              expect(index.count(selection)).toBe([...vectors.keys()].filter((row) => selected(row)).length);
            else kept.push({ snapshot, vector, hits: searchVectors(snapshot, { vector, limit: 50 }) });
          }
          expect(index.count()).toBe(vectors.size);
          expect(index.snapshot().entries).toBe(vectors.size);
        }
        settled(index);
        expect(index.unsettled()).toBe(false);
        for (const { snapshot, vector, hits } of kept)
          expect(searchVectors(snapshot, { vector, limit: 50 })).toEqual(hits);
      }),
      { numRuns: runs },
    );
  });

  it('keeps few parts whatever order vectors come in', () => {
    const index = createVectorIndex({ dimensions: 4, metric: 'cosine' });
    const rows = Array.from({ length: 3_000 }, (_, at) => (at * 1_789) % 3_001);
    for (const row of rows) index.add([row], Float32Array.from([row, 1, row % 7, -1]));
    expect(index.count()).toBe(3_000);
    expect(index.snapshot().parts.length).toBeLessThan(100);
    settled(index);
    expect(index.snapshot().parts.length).toBe(1);
    expect([...index.snapshot().parts[0]!.rows]).toEqual([...rows].sort((a, b) => a - b));
  });

  it('drops what was removed', () => {
    const index = createVectorIndex({ dimensions: 16, metric: 'dot' });
    index.add(
      Array.from({ length: 10_000 }, (_, row) => row),
      new Float32Array(160_000).fill(1),
    );
    expect(index.remove(0, 8_999)).toBe(9_000);
    expect(index.snapshot().parts.map((part) => part.rows.length)).toEqual([1_000]);
    expect(index.remove(0, 20_000)).toBe(1_000);
    expect(index.snapshot().parts).toEqual([]);
    expect(index.remove(0, 20_000)).toBe(0);
  });

  it('adds one by one in one part, whose earlier views stay as they were', () => {
    const index = createVectorIndex({ dimensions: 2, metric: 'cosine' });
    index.add([1], Float32Array.from([3, 4]));
    const before = index.snapshot();
    index.add([2], Float32Array.from([4, 3]));
    index.remove(1, 1);
    const hits = searchVectors(before, { vector: Float32Array.from([1, 0]), limit: 9 });
    expect(plain(hits)).toEqual([{ row: 1, score: Math.fround(0.6) }]);
    expect(plain(searchVectors(index.snapshot(), { vector: Float32Array.from([1, 0]), limit: 9 }))).toEqual([
      { row: 2, score: Math.fround(0.8) },
    ]);
    expect(index.snapshot().version).toBeGreaterThan(before.version);
  });

  it('survives structured cloning as shared memory', () => {
    const index = createVectorIndex({ dimensions: 3, metric: 'dot' });
    index.add([5, 6], Float32Array.from([1, 2, 3, 4, 5, 6]));
    const snapshot = index.snapshot();
    const clone = structuredClone(snapshot);
    expect(clone.parts[0]!.matrix.buffer).toBeInstanceOf(SharedArrayBuffer);
    const query = { vector: Float32Array.from([1, 1, 1]), limit: 2 };
    expect(searchVectors(clone, query)).toEqual(searchVectors(snapshot, query));
    const selection = structuredClone(index.selectRows([[6, 6]]));
    expect(plain(searchVectors(clone, { ...query, selection }))).toEqual([{ row: 6, score: 15 }]);
  });

  it.each([
    ['a component that is not a number', [1], [1, Number.NaN], /not a finite number/],
    ['an infinite component', [1], [Number.POSITIVE_INFINITY, 1], /not a finite number/],
    ['too few components', [1, 2], [1, 1, 1], /have 4 components, not 3/],
    ['rows that do not ascend', [2, 1], [1, 1, 1, 1], /ascend/],
    ['rows that are not whole', [0.5], [1, 1], /ascend/],
  ])('refuses %s and adds nothing', (_, rows, components, message) => {
    const index = createVectorIndex({ dimensions: 2, metric: 'cosine' });
    expect(() => index.add(rows, Float32Array.from(components))).toThrow(message);
    expect(index.count()).toBe(0);
    expect(index.snapshot().version).toBe(0);
  });

  it('refuses dimensions that it cannot keep, queries of others, and lengths that would overflow', () => {
    for (const dimensions of [0, 3_073, 1.5])
      expect(() => createVectorIndex({ dimensions, metric: 'dot' })).toThrow(/1 to 3072 dimensions/);
    const index = createVectorIndex({ dimensions: 2, metric: 'dot' });
    expect(() => index.add([1], Float32Array.from([1e20, 0]))).toThrow(/scale the vectors down/);
    expect(() => searchVectors(index.snapshot(), { vector: new Float32Array(3), limit: 1 })).toThrow(/3 dimensions/);
    expect(vectorKernel()).toBe(vectorKernel());
  });

  it('refuses a selection of another snapshot', () => {
    const index = createVectorIndex({ dimensions: 1, metric: 'dot' });
    index.add([1], Float32Array.from([1]));
    const selection = index.selectRows([[1, 1]]);
    index.add([2], Float32Array.from([1]));
    const query = { vector: Float32Array.from([1]), limit: 1, selection };
    expect(() => searchVectors(index.snapshot(), query)).toThrow(/belongs to the snapshot/);
    expect(() => index.count(selection)).toThrow(/belongs to the snapshot/);
  });
});
