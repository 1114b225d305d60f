import { describe, expect, it } from 'vitest';
import type { Chunk, DocumentRecord, SourceType } from '../../src/core/document.ts';
import { rankHits } from '../../src/retrieval/rank.ts';
import { authorityOf, createSourceTerms } from '../../src/retrieval/source-terms.ts';

const now = '2026-01-01T00:00:00.000Z';
const rowOf = (sourceType: SourceType, publishedAt?: string) => ({
  chunk: {} as Chunk,
  document: { source: `a-${sourceType}`, sourceType, ...(publishedAt && { publishedAt }) } as DocumentRecord,
});
const input = { preferred: [], declared: new Map<string, number>(), now } as const;
const hit = (chunkId: string, score: number) => ({ chunkId, score, scores: {}, ranks: {} });

describe('source terms', () => {
  it('believe the textbook on concepts, the code on implementations, and what a source declares before both', () => {
    const order = (preferred: readonly SourceType[], declared = new Map<string, number>()) =>
      (['code', 'docs', 'textbook', 'qa'] as const).toSorted(
        (left, right) =>
          authorityOf(rowOf(right).document, { preferred, declared }) -
          authorityOf(rowOf(left).document, { preferred, declared }),
      );
    expect(order(['textbook']).slice(0, 2)).toEqual(['textbook', 'code']);
    expect(order(['code'])[0]).toBe('code');
    expect(order(['code']).indexOf('docs')).toBeLessThan(order(['code']).indexOf('textbook'));
    expect(
      order(
        ['code'],
        new Map([
          ['a-qa', 3],
          ['a-code', 1],
        ]),
      )[0],
    ).toBe('qa');
  });

  it('prefer what is recent where that matters, by a share of the best score that can be seen', () => {
    const rows = new Map([
      ['old', rowOf('web', '2020-01-01')],
      ['new', rowOf('web', '2025-12-31')],
    ]);
    const hits = [hit('old', 1), hit('new', 0.99)];
    const terms = createSourceTerms({ authority: 0, freshness: 0.02, diversity: 0 }, input);
    const ranked = rankHits(hits, rows, terms);
    expect(ranked.map(({ chunkId }) => chunkId)).toEqual(['new', 'old']);
    for (const one of ranked) {
      expect(one.ranking?.map(({ name }) => name)).toEqual(['freshness']);
      expect((one.fused ?? 0) + (one.ranking?.[0]?.weight ?? 0)).toBe(one.score);
    }
    const books = new Map(
      [...rows].map(([id, row]) => [id, { ...row, document: { ...row.document, sourceType: 'textbook' as const } }]),
    );
    expect(
      rankHits(hits, books, createSourceTerms({ authority: 0, freshness: 0.02, diversity: 0 }, input)).map(
        ({ chunkId }) => chunkId,
      ),
    ).toEqual(['old', 'new']);
  });

  it('let another kind pass a crowd of one kind, and are none at weight 0', () => {
    const rows = new Map([
      ...['a', 'b', 'c', 'd'].map((id) => [id, rowOf('qa')] as const),
      ['z', rowOf('web')] as const,
    ]);
    const hits = [hit('a', 1), hit('b', 0.95), hit('c', 0.9), hit('d', 0.85), hit('z', 0.845)];
    const terms = createSourceTerms({ authority: 0, freshness: 0, diversity: 0.05 }, input);
    expect(rankHits(hits, rows, terms).map(({ chunkId }) => chunkId)).toEqual(['a', 'b', 'c', 'z', 'd']);
    expect(createSourceTerms({ authority: 0, freshness: 0, diversity: 0 }, input)).toEqual([]);
  });
});
