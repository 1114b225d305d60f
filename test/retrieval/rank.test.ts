// What need not be read for an order never comes among its best: an order of the first hits alone is that of all, whatever bounded terms say.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RankedHit } from '../../src/retrieval/legs/leg-result.ts';
import { type RankedRow, type RankTerm, rankHits, reachableDepth } from '../../src/retrieval/rank.ts';
import { createSourceTerms } from '../../src/retrieval/source-terms.ts';

const hitOf = (score: number, at: number): RankedHit => ({
  chunkId: `c${String(at).padStart(2, '0')}`,
  score,
  scores: {},
  ranks: {},
});
const rowsOf = (hits: readonly RankedHit[], published: readonly (string | undefined)[]) =>
  new Map(
    hits.map(({ chunkId }, at) => {
      const sourceType = at % 3 === 0 ? 'code' : at % 3 === 1 ? 'docs' : 'web';
      const document = { source: sourceType, sourceType, publishedAt: published[at] };
      return [chunkId, { chunk: { id: chunkId }, document } as unknown as RankedRow] as const;
    }),
  );
const dates = ['2026-11-01T00:00:00Z', '2020-01-01T00:00:00Z', undefined];

describe('the depth that an order can reach', () => {
  it('holds the best of every order that authority, age and diversity can make', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ score: fc.double({ min: 0, max: 1, noNaN: true }), published: fc.constantFrom(...dates) }),
          {
            maxLength: 60,
          },
        ),
        fc.integer({ min: 1, max: 30 }),
        fc.record({ authority: fc.double({ min: 0, max: 0.3, noNaN: true }), freshness: fc.constant(0.1) }),
        fc.double({ min: 0, max: 0.3, noNaN: true }),
        (made, limit, weights, diversity) => {
          const sorted = made.toSorted((left, right) => right.score - left.score);
          const hits = sorted.map(({ score }, at) => hitOf(score, at));
          const rows = rowsOf(
            hits,
            sorted.map(({ published }) => published),
          );
          const terms = (): readonly RankTerm[] =>
            createSourceTerms(
              { ...weights, diversity },
              { preferred: ['code'], declared: new Map(), now: '2026-11-27T00:00:00Z' },
            );
          const depth = reachableDepth(hits, terms(), limit);
          const all = rankHits(hits, rows, terms()).slice(0, limit);
          expect(rankHits(hits.slice(0, depth), rows, terms()).slice(0, limit)).toEqual(all);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is that of the page where nothing behind it comes near, and everything where a term has no bounds', () => {
    const hits = [1, 0.9, 0.8, 0.1, 0.05].map(hitOf);
    const bounded: RankTerm = { name: 'age', bounds: [-0.1, 0.1], weigh: () => 0 };
    expect(reachableDepth(hits, [bounded], 3)).toBe(3);
    expect(reachableDepth(hits, [bounded], 1)).toBe(3);
    expect(reachableDepth(hits, [bounded, { name: 'form', weigh: () => 1 }], 3)).toBe(5);
  });
});
