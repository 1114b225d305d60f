import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  averagePrecision,
  compare,
  estimate,
  measureQuery,
  ndcg,
  recall,
  reciprocalRank,
  trecOrder,
} from '../../src/evals/metrics.ts';

const judged = new Map([
  ['a', 3],
  ['b', 1],
  ['c', 0],
  ['d', 2],
]);

describe('trecOrder', () => {
  it('orders by score, and equal scores by document id, last first', () => {
    const run = [
      { documentId: 'a', score: 1 },
      { documentId: 'c', score: 2 },
      { documentId: 'b', score: 1 },
      { documentId: '10', score: 1 },
      { documentId: '9', score: 1 },
    ];
    expect(trecOrder(run)).toEqual(['c', 'b', 'a', '9', '10']);
  });

  it('compares ids by code point, not by UTF-16 unit', () => {
    const run = ['\u{1F600}', '\uFF5E'].map((documentId) => ({ documentId, score: 1 }));
    expect(trecOrder(run)).toEqual(['\u{1F600}', '\uFF5E']);
  });
});

describe('measures, worked out by hand', () => {
  it('nDCG takes the judgment as gain and log2(rank + 1) as discount', () => {
    const ideal = 3 + 2 / Math.log2(3) + 1 / 2;
    expect(ndcg(['b', 'x', 'a'], judged, 10)).toBeCloseTo((1 + 3 / 2) / ideal, 12);
    expect(ndcg(['a', 'd', 'b'], judged, 10)).toBeCloseTo(1, 12);
    expect(ndcg(['x', 'a'], judged, 1)).toBe(0);
    expect(ndcg(['a'], new Map([['a', 0]]), 10)).toBe(0);
  });

  it('recall counts all relevant documents', () => {
    expect(recall(['a', 'x', 'b'], judged, 10)).toBeCloseTo(2 / 3, 12);
    expect(recall(['a', 'x', 'b'], judged, 2)).toBeCloseTo(1 / 3, 12);
    expect(recall(['c'], judged, 10)).toBe(0);
  });

  it('average precision divides by all relevant documents', () => {
    expect(averagePrecision(['x', 'a', 'b'], judged)).toBeCloseTo((1 / 2 + 2 / 3) / 3, 12);
  });

  it('the reciprocal rank ends at its depth', () => {
    expect(reciprocalRank(['c', 'x', 'd'], judged, 10)).toBeCloseTo(1 / 3, 12);
    expect(reciprocalRank(['c', 'x', 'd'], judged, 2)).toBe(0);
  });

  it('a query that found nothing counts 0', () => {
    expect(measureQuery([], judged)).toEqual({
      ndcg10: 0,
      recall10: 0,
      recall100: 0,
      averagePrecision: 0,
      reciprocalRank10: 0,
    });
  });

  it('cuts the run at 1,000', () => {
    const run = Array.from({ length: 1001 }, (_, index) => ({ documentId: `x${index}`, score: 2000 - index }));
    run[1000] = { documentId: 'a', score: 1 };
    expect(measureQuery(run, judged).averagePrecision).toBe(0);
    run[999] = { documentId: 'a', score: 2 };
    expect(measureQuery(run.slice(0, 1000), judged).averagePrecision).toBeCloseTo(1 / 1000 / 3, 12);
  });

  it('every measure is from 0 to 1, and 1 for the ideal run', () => {
    const judgments = fc.dictionary(fc.string({ minLength: 1, maxLength: 2 }), fc.integer({ min: 0, max: 4 }), {
      maxKeys: 12,
    });
    fc.assert(
      fc.property(judgments, fc.array(fc.string({ minLength: 1, maxLength: 2 })), (given, found) => {
        const map = new Map(Object.entries(given));
        const run = [...new Set(found)].map((documentId, index) => ({ documentId, score: -index }));
        for (const value of Object.values(measureQuery(run, map))) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-12);
        }
        const ideal = [...map].sort((left, right) => right[1] - left[1]).map(([id]) => id);
        const relevant = ideal.some((id) => (map.get(id) ?? 0) > 0);
        expect(ndcg(ideal, map, 10)).toBeCloseTo(relevant ? 1 : 0, 12);
        expect(averagePrecision(ideal, map)).toBeCloseTo(relevant ? 1 : 0, 12);
      }),
    );
  });
});

describe('estimate', () => {
  const values = Array.from({ length: 200 }, (_, index) => (index % 10) / 10);

  it('gives the same interval for the same seed, around the mean', () => {
    const first = estimate(values, { seed: 7 });
    expect(first).toEqual(estimate(values, { seed: 7 }));
    expect(first).not.toEqual(estimate(values, { seed: 8 }));
    expect(first.mean).toBeCloseTo(0.45, 12);
    expect(first.low).toBeLessThan(first.mean);
    expect(first.high).toBeGreaterThan(first.mean);
  });

  it('is about 1.96 standard errors wide on each side', () => {
    const error = Math.sqrt(0.0825 / 200);
    const { low, high } = estimate(values, { rounds: 4000 });
    expect(low).toBeCloseTo(0.45 - 1.96 * error, 2);
    expect(high).toBeCloseTo(0.45 + 1.96 * error, 2);
  });

  it('takes few values and none', () => {
    expect(estimate([])).toEqual({ mean: 0, low: 0, high: 0 });
    expect(estimate([0.5])).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
  });
});

describe('compare', () => {
  it('sees a difference that is there, and none that is not', () => {
    const before = Array.from({ length: 100 }, (_, index) => (index % 7) / 7);
    const better = before.map((value, index) => value + (index % 3 === 0 ? 0.1 : 0.02));
    expect(compare(before, better).p).toBeLessThan(0.001);
    expect(compare(before, better).low).toBeGreaterThan(0);
    const noise = before.map((value, index) => value + (index % 2 === 0 ? 0.1 : -0.1));
    expect(compare(before, noise).p).toBeGreaterThan(0.2);
    expect(compare(before, before).p).toBe(1);
    expect(compare([], []).p).toBe(1);
  });

  it('comes near the exact randomisation test, worked out by hand', () => {
    // Of the 2^5 ways to swap differences of 1, only all and none reach a sum of 5: p = 2 / 32.
    const zeros = [0, 0, 0, 0, 0];
    expect(compare(zeros, [1, 1, 1, 1, 1], { rounds: 40_000 }).p).toBeCloseTo(2 / 32, 2);
    // A sum of at least 3 either way: 1 + 5 ways each, so 12 / 32.
    expect(compare(zeros, [1, 1, 1, 1, -1], { rounds: 40_000 }).p).toBeCloseTo(12 / 32, 2);
  });

  it('refuses values that are not paired', () => {
    expect(() => compare([1], [1, 2])).toThrow(RangeError);
  });
});
