import { describe, expect, it } from 'vitest';
import { createPage, toPage } from '../../src/db/paging.ts';

/** Reads all pages of rows that weigh what `weights` say. */
function pages(weights: readonly number[], limit: number): number[][] {
  const read: number[][] = [];
  for (let from = 0; from < weights.length || read.length === 0; ) {
    const rest = weights.map((weight, at) => ({ weight, at })).slice(from, from + limit + 1);
    let pulled = 0;
    const taken = createPage<{ weight: number; at: number }>(limit, ({ weight }) => weight);
    for (const row of rest) {
      pulled += 1;
      if (!taken.take(row)) break;
    }
    expect(taken.isFull).toBe(pulled === taken.limit + 1);
    const page = toPage(taken.rows, taken.limit, { value: ({ at }) => at, key: ({ at }) => [at] });
    // One row more than is shown tells that there are others; no further one is read.
    expect(pulled).toBeLessThanOrEqual(page.data.length + 1);
    read.push([...page.data]);
    if (page.nextCursor === undefined) break;
    from += page.data.length;
  }
  return read;
}

describe('pages of rows that weigh', () => {
  it('end at their limit where all are light', () => {
    expect(pages([1, 1, 1, 1, 1], 2)).toEqual([[0, 1], [2, 3], [4]]);
    expect(pages([1, 1], 2)).toEqual([[0, 1]]);
    expect(pages([], 2)).toEqual([[]]);
  });

  it('end early where some are heavy, skip none, and hold one at least', () => {
    expect(pages([1e6, 1e6, 1e6], 10)).toEqual([[0], [1], [2]]);
    expect(pages([1, 1, 1e6, 1, 1], 10)).toEqual([[0, 1], [2], [3, 4]]);
    const many = Array.from({ length: 500 }, (_, at) => (at * 7919) % 9000);
    expect(pages(many, 50).flat()).toEqual(many.map((_, at) => at));
    for (const page of pages(many, 50))
      if (page.length > 1) expect(page.reduce((sum, at) => sum + (many[at] ?? 0), 0)).toBeLessThanOrEqual(25_000);
  });
});
