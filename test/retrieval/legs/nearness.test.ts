// What minScore keeps: by likeness where a fixed model told it, beside the best where words did, and everything for an explicit 0.
import { describe, expect, it } from 'vitest';
import type { RankedHit } from '../../../src/retrieval/legs/leg-result.ts';
import { enough, nearByFixed, nearByOwn, similarityOf } from '../../../src/retrieval/legs/nearness.ts';

const hit = (chunkId: string, score: number, scores: RankedHit['scores']): RankedHit => ({
  chunkId,
  score,
  scores,
  ranks: {},
});
const ids = (hits: readonly RankedHit[]): string => hits.map(({ chunkId }) => chunkId).join('');

describe('minScore', () => {
  const near = [0.9, 0.31, 0.29, -1].map((cosine, at) =>
    nearByFixed(hit('abcd'[at] as string, cosine, { vector: cosine })),
  );

  it('is a likeness of 0.65 for a fixed model where nobody says otherwise', () => {
    expect([1, 0, -1].map(similarityOf)).toEqual([1, 0.5, 0]);
    expect(near.map(({ scores }) => scores.vector)).toEqual([0.95, 0.655, 0.645, 0]);
    expect(ids(enough(near, undefined))).toBe('ab');
    expect(ids(enough(near, 0.95))).toBe('a');
    expect(ids(enough(near, 0.96))).toBe('');
  });

  it('is heeded as an explicit 0', () => {
    expect(ids(enough(near, 0))).toBe('abcd');
  });

  it('drops what words found only where it is given, then beside the best', () => {
    const words = [hit('a', 10, { bm25: 10 }), hit('b', 4, { bm25: 4 }), hit('c', 1, { bm25: 1 })];
    expect(ids(enough(words, undefined))).toBe('abc');
    expect(ids(enough(words, 0.4))).toBe('ab');
    const both = [hit('a', 10, { bm25: 10 }), nearByFixed(hit('b', 3, { bm25: 3, vector: 0.1 }))];
    expect(ids(enough(both, undefined))).toBe('ab');
    expect(ids(enough(both, 0.4))).toBe('ab');
    expect(ids(enough(both, 0.6))).toBe('a');
  });

  it('drops nothing by itself of a store that makes vectors of its own', () => {
    const own = [0.5, 0.2].map((vector, at) => nearByOwn(hit('ab'[at] as string, vector, { vector })));
    expect(ids(enough(own, undefined))).toBe('ab');
    expect(ids(enough(own, 0.3))).toBe('a');
  });
});
