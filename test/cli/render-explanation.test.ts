// What `search --explain` prints: sums that a reader can check by hand.
import { describe, expect, it } from 'vitest';
import { explanationLines } from '../../src/cli/render-explanation.ts';
import type { Evidence } from '../../src/core/search.ts';

const hit = {
  scores: { bm25: 3.75, fused: 3.875 },
  ranks: { embedded: 2 },
  explanation: {
    terms: [
      { term: 'otter', weight: 2.5, tf: 4, df: 8, idf: 1.25, fields: { title: 1, heading: 0, body: 2 } },
      { term: 'river', weight: 1.25, tf: 1, df: 20, idf: 0.5, fields: { title: 0, heading: 1, body: 0 } },
    ],
    proximity: [{ terms: ['otter', 'river'] as [string, string], weight: 0.125, adjacent: 1 }],
    notes: ['BM25 over 28 chunks'],
  },
} as unknown as Evidence;

describe('the explanation of a hit', () => {
  it('is a score that is the sum of its parts, and what they were computed from', () => {
    expect(explanationLines(hit)).toEqual([
      'score 3.875 = BM25 3.750 + nearness 0.125, rank 2 of embedded',
      'BM25 3.750 = otter 2.500 + river 1.250',
      '  term   weight  counts here  where            chunks with it  idf',
      '  otter  2.500   4            title 1, text 2  8               1.250',
      '  river  1.250   1            headings 1       20              0.500',
      'nearness 0.125 = otter river 0.125',
      '  otter river: side by side',
      'BM25 over 28 chunks',
    ]);
  });

  it('is nothing where none was asked for, and short where nothing is near', () => {
    const { explanation: _, ...plain } = hit;
    expect(explanationLines(plain as Evidence)).toEqual([]);
    const far = { ...hit, scores: { bm25: 3.75, fused: 3.75 }, explanation: { terms: [], notes: ['by its vector'] } };
    expect(explanationLines(far as Evidence)).toEqual([
      'score 3.750 = BM25 3.750, rank 2 of embedded',
      'by its vector',
    ]);
  });
});
