import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCursor, printCursor } from '../../src/stores/cursor.ts';
import type { StoreQuery } from '../../src/stores/store.ts';

const query: StoreQuery = { text: 'heat flow', mode: 'lexical', limit: 10 };
const hit = { chunkId: 'chk_1', documentId: 'doc_1', score: 0.1 + 0.2, scores: {}, rank: 10 };

describe('cursor', () => {
  it('comes back as it went, to the last bit of the score', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.string(),
        fc.nat(),
        (score, chunkId, rank) => {
          const cursor = printCursor(query, { ...hit, score, chunkId, rank });
          expect(parseCursor({ ...query, cursor })).toEqual({ score: score === 0 ? 0 : score, chunkId, rank });
        },
      ),
    );
    expect(parseCursor(query)).toBeUndefined();
  });

  it('belongs to one query and filter, whatever the page size', () => {
    const cursor = printCursor(query, hit);
    expect(parseCursor({ ...query, limit: 50, cursor })?.rank).toBe(10);
    const others: StoreQuery[] = [
      { ...query, text: 'heat' },
      { ...query, filter: { op: 'eq', field: 'source', value: 'a' } },
    ];
    for (const other of others)
      expect(() => parseCursor({ ...other, cursor })).toThrow(expect.objectContaining({ code: 'invalid-request' }));
  });

  it('refuses anything else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json()), (text) => {
        for (const cursor of [text, Buffer.from(text).toString('base64url')])
          expect(() => parseCursor({ ...query, cursor })).toThrow(expect.objectContaining({ code: 'invalid-request' }));
      }),
    );
  });
});
