import { describe, expect, it } from 'vitest';
import { represent } from '../../src/retrieval/represent.ts';

const hit = (chunkId: string, kind: string, rank: number) => ({ chunkId, ranks: { [kind]: rank, federated: 1 } });
const kind = (type: 'textbook' | 'qa' | 'web' | 'code', reach: number) => ({ type, reach, hits: 9, latencyMs: 1 });
const book = Array.from({ length: 12 }, (_, at) => hit(`b${at}`, 'textbook', at + 1));
const ids = (hits: readonly { readonly chunkId: string }[]) => hits.map(({ chunkId }) => chunkId).join(' ');

describe('represent', () => {
  it('reads the best of every kind that answers the question, in the place of what stood last', () => {
    const hits = [...book.slice(0, 7), hit('q0', 'qa', 1), hit('q1', 'qa', 2), hit('w0', 'web', 1)];
    const read = represent(hits, [kind('textbook', 1.9), kind('qa', 1.1), kind('web', 1)], 5);
    expect(ids(read.slice(0, 5))).toBe('b0 b1 b2 q0 w0');
    expect(read.map(({ chunkId }) => chunkId).sort()).toEqual(hits.map(({ chunkId }) => chunkId).sort());
  });

  it('leaves out kinds that answer little, and changes nothing where all stand on the page', () => {
    const hits = [...book.slice(0, 7), hit('c0', 'code', 1)];
    expect(represent(hits, [kind('textbook', 1), kind('code', 0.5)], 5)).toEqual(hits);
    expect(represent(hits, [kind('textbook', 1), kind('code', 1)], 8)).toBe(hits);
  });

  it('gives no more than two fifths of a page away, and never the best of another kind', () => {
    const hits = [hit('b0', 'textbook', 1), hit('c0', 'code', 1), hit('q0', 'qa', 1), hit('w0', 'web', 1)];
    const kinds = [kind('textbook', 1), kind('code', 1), kind('qa', 1), kind('web', 1)];
    expect(ids(represent(hits, kinds, 3).slice(0, 3))).toBe('b0 c0 q0');
    expect(ids(represent(hits, kinds, 1).slice(0, 1))).toBe('b0');
  });
});
