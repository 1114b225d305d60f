// The benchmark of vectors measures what it says: vectors that can be made again, an exact answer that is exact, recall, goals.
import { describe, expect, it } from 'vitest';
import { createVectorCorpus } from './vectors-corpus.ts';
import { createNearest, findExact, recallOf } from './vectors-exact.ts';
import { fastestFair, type MeasuredIndex, vectorGoals } from './vectors-goals.ts';
import { openApproximate, ownVectors } from './vectors-own.ts';
import { peerVectors } from './vectors-peers.ts';
import { filterStep, type MeasuredVectors } from './vectors-port.ts';

const dimensions = 48;
const corpus = createVectorCorpus({ seed: 1, count: 300, dimensions });
const [batch] = [...corpus.batches()];
const vectors = batch?.vectors ?? new Float32Array();
const vectorAt = (number: number): Float32Array => vectors.subarray(number * dimensions, (number + 1) * dimensions);
const dot = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);

describe('vectors', () => {
  it('are of unit length and the same every time', () => {
    for (const number of [0, 7, 299]) expect(dot(vectorAt(number), vectorAt(number))).toBeCloseTo(1, 5);
    const longer = [...createVectorCorpus({ seed: 1, count: 5200, dimensions }).batches()];
    expect(longer.map(({ first, vectors: some }) => [first, some.length / dimensions])).toEqual([
      [0, 5000],
      [5000, 200],
    ]);
    expect(longer[0]?.vectors.subarray(0, vectors.length)).toEqual(vectors);
    expect(corpus.query(3)).toEqual(createVectorCorpus({ seed: 1, count: 300, dimensions }).query(3));
    expect(createVectorCorpus({ seed: 2, count: 300, dimensions }).query(3)).not.toEqual(corpus.query(3));
  });

  it('have a query near one of them', () => {
    for (let at = 0; at < 10; at++) {
      const query = corpus.query(at);
      expect(dot(query, query)).toBeCloseTo(1, 5);
      const nearest = Math.max(...Array.from({ length: 300 }, (_, number) => dot(query, vectorAt(number))));
      expect(nearest).toBeGreaterThan(0.85);
      expect(nearest).toBeLessThan(0.999);
    }
  });
});

describe('exact answers', () => {
  it('are those of sorting everything', () => {
    const queries = [corpus.query(0), corpus.query(1)];
    for (const step of [1, 7]) {
      const wanted = queries.map((query) =>
        Array.from({ length: 300 }, (_, number) => number)
          .filter((number) => number % step === 0)
          .map((number) => ({ number, score: dot(query, vectorAt(number)) }))
          .sort((left, right) => right.score - left.score)
          .slice(0, 10)
          .map(({ number }) => number),
      );
      expect(findExact({ batches: corpus.batches(), queries, limit: 10, step })).toEqual(wanted);
    }
  });

  it('order equal scores by number and keep to the limit', () => {
    const nearest = createNearest(3);
    for (const [number, score] of [
      [0, 1],
      [1, 2],
      [2, 1],
      [3, 2],
      [4, 0],
    ] as const)
      nearest.offer(number, score);
    expect(nearest.numbers()).toEqual([1, 3, 0]);
  });

  it('make recall', () => {
    expect(recallOf([[1, 2, 3], [9]], [[3, 1], [8]])).toBe(0.25);
    expect(recallOf([[2, 1]], [[1, 2]])).toBe(1);
    expect(recallOf([], [[1]])).toBe(0);
  });
});

describe('indexes', () => {
  const queries = Array.from({ length: 20 }, (_, at) => corpus.query(at));
  const settings = { folder: '', dimensions, count: 300 };
  const exact = findExact({ batches: corpus.batches(), queries, limit: 10 });
  const fed = async (index: MeasuredVectors): Promise<MeasuredVectors> => {
    for (const { first, vectors: some } of corpus.batches()) await index.add(first, some);
    await index.finish();
    return index;
  };
  const best = async (index: MeasuredVectors, search: MeasuredVectors['search']): Promise<number[][]> => {
    const found: number[][] = [];
    for (const query of queries)
      found.push(
        Array.from(await search(query))
          .slice(0, 10)
          .map(index.numberOf),
      );
    return found;
  };

  it('are searched exactly where they say so, also under the filter', async () => {
    const filtered = findExact({ batches: corpus.batches(), queries, limit: 10, step: filterStep });
    for (const open of [ownVectors.footnote, ownVectors['footnote exact'], peerVectors['plain JavaScript']]) {
      const index = await fed(await open(settings));
      expect(recallOf(await best(index, index.search), exact)).toBe(1);
      if (index.searchSome) expect(await best(index, index.searchSome)).toEqual(filtered);
      await index.close();
    }
  });

  it('lose something by a few bits, and nothing when every vector is a candidate', async () => {
    const recall = async (candidates: number): Promise<number> => {
      const index = await fed(openApproximate(settings, candidates));
      return recallOf(await best(index, index.search), exact);
    };
    expect(await recall(300)).toBe(1);
    expect(await recall(10)).toBeLessThan(1);
  });
});

describe('goals', () => {
  const one = (index: string, ms: number, recall: number): MeasuredIndex => ({
    index,
    built: { vectorsPerSecond: 1, addedMb: 1, diskMb: 1 },
    memoryMb: 1,
    restartMs: null,
    times: [[ms, ms]],
    recall,
    filtered: index === 'footnote' ? { times: [[ms]], recall: 1 } : null,
  });

  it('compares with the fastest variant that finds nearly everything', () => {
    const measured = [
      one('footnote', 1, 1),
      one('sqlite-vec bit', 10, 0.7),
      one('sqlite-vec int8', 40, 0.993),
      one('sqlite-vec float', 50, 1),
    ];
    expect(fastestFair(measured, 'sqlite-vec')?.index).toBe('sqlite-vec int8');
    const goals = vectorGoals(measured, { count: 100_000, real: [] });
    expect(goals.find(({ what }) => what.startsWith('times faster'))).toMatchObject({ got: 40, met: true });
    expect(goals.filter(({ met }) => !met).map(({ got }) => got)).toEqual(
      Array.from({ length: 3 }, () => 'not measured'),
    );
    expect(vectorGoals([], { count: 1_000_000, real: [] }).every(({ met }) => !met)).toBe(true);
  });
});
