// What `search --explain` prints: sums that a reader can check by hand.
import { describe, expect, it } from 'vitest';
import { explanationLines, legLines } from '../../../src/cli/render/explanation.ts';
import type { Evidence, SearchResponse } from '../../../src/core/search.ts';

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

  it('of two joined legs is the sum of what each gave, and where the hit stood in each', () => {
    const joined = {
      ...hit,
      scores: { bm25: 3.75, vector: 0.5, fused: 0.7375 },
      ranks: { embedded: 3, vector: 1, hybrid: 2 },
      explanation: {
        ...hit.explanation,
        fusion: {
          method: 'min-max',
          semanticWeight: 0.25,
          lexical: { rank: 3, score: 3.875, normalised: 0.65, weight: 0.75, contribution: 0.4875 },
          vector: { rank: 1, score: 0.5, normalised: 1, weight: 0.25, contribution: 0.25 },
        },
      },
    } as unknown as Evidence;
    const lines = explanationLines(joined);
    expect(lines.slice(0, 5)).toEqual([
      'score 0.7375 = words 0.4875 + meaning 0.2500, rank 2 of hybrid: by words alone #3, by meaning alone #1',
      '  words 0.4875 = weight 0.7500 x normalised 0.6500, from score 3.875',
      '  meaning 0.2500 = weight 0.2500 x normalised 1.0000, from score 0.500',
      'words 3.875 = BM25 3.750 + nearness 0.125',
      'BM25 3.750 = otter 2.500 + river 1.250',
    ]);
    // What is printed can be checked with what is printed.
    for (const line of lines) {
      const sum = /^\S+ ([\d.]+) = (.*?)(?:,|$)/.exec(line);
      if (!sum) continue;
      const parts = [...(sum[2] ?? '').matchAll(/ ([\d.]+)(?= \+|$)/g)].reduce(
        (total, [, value]) => total + Number(value),
        0,
      );
      expect(parts, line).toBeCloseTo(Number(sum[1]), 6);
    }
    const { lexical: _, ...fusion } = joined.explanation?.fusion ?? { method: 'rrf', semanticWeight: 0.25 };
    const byMeaning = { ...joined, explanation: { terms: [], notes: [], fusion: { ...fusion, method: 'rrf' } } };
    expect(explanationLines(byMeaning as unknown as Evidence)).toEqual([
      'score 0.7375 = meaning 0.2500, rank 2 of hybrid: not found by words, by meaning alone #1',
      '  meaning 0.2500 = weight 0.2500 x normalised 1.0000, from score 0.500',
    ]);
  });

  it('of a hit by meaning is its score', () => {
    const near = {
      scores: { vector: 0.5, fused: 0.5 },
      ranks: { vector: 1 },
      explanation: { terms: [], notes: ['n'] },
    };
    expect(explanationLines(near as unknown as Evidence)).toEqual(['score 0.500 by meaning, rank 1 of vector', 'n']);
  });
});

describe('the legs of a search', () => {
  it('are told in numbers of the results', () => {
    const results = ['a', 'b', 'c'].map((chunkId) => ({ chunkId }));
    const response = { results, legs: { lexical: ['c', 'x', 'a'], vector: [] } } as unknown as SearchResponse;
    expect(legLines(response)).toEqual([
      'by words alone: 3, ?, 1',
      'by meaning alone: nothing',
      'numbers are those of the results above, ? is none of them',
    ]);
    expect(legLines({ results } as unknown as SearchResponse)).toEqual([]);
  });
});
