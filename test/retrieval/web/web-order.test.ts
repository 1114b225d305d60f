// The flags of web reranking: ranks of the provider and of words joined by reciprocal ranks, cut to the best; likeness in meaning lifts by its
// weight; and a lift that cannot be made is told.
import { describe, expect, it } from 'vitest';
import type { Chunk, DocumentRecord } from '../../../src/core/document.ts';
import type { Semantics } from '../../../src/models/embedding/semantics.ts';
import { createWebOrder, type WebOrder } from '../../../src/retrieval/web/web-order.ts';

const plain: WebOrder = { isReranked: false, topK: 10, rankConstant: 60, boost: 0 };
/** By words a, b, c, d; the provider ranks their pages d, b, c, a. */
const passages = ['a', 'b', 'c', 'd'].map((id, place) => ({
  row: { chunk: { id, text: `text ${id}` } as Chunk, document: { uri: id } as DocumentRecord },
  score: 10 - place,
}));
const addresses = ['d', 'b', 'c', 'a'];

/** Only `c` is like the question. */
const semantics: Pick<Semantics, 'current'> = {
  current: async () =>
    ({
      ready: true,
      model: {
        embed: async (texts: readonly string[]) =>
          texts.map((text) => Float32Array.of(/c$|query/u.test(text) ? 1 : 0, 0)),
      },
    }) as unknown as Awaited<ReturnType<Semantics['current']>>,
};

async function order(given: Partial<WebOrder>, ports: Partial<{ semantics: Pick<Semantics, 'current'> }> = {}) {
  const events: unknown[] = [];
  const { hits, degraded } = await createWebOrder(
    { ...plain, ...given },
    { semantics, ...ports, sink: (event) => events.push(event) },
  )({ query: 'query', passages, addresses }, new AbortController().signal);
  return { ids: hits.map(({ chunkId }) => chunkId).join(''), hits, degraded, events };
}

describe('passages of the web', () => {
  it('stand by their words alone', async () => {
    const { ids, events } = await order({});
    expect({ ids, events }).toEqual({ ids: 'abcd', events: [] });
  });

  it('are joined with the ranks of the provider, and cut, where that is on', async () => {
    const { ids, hits, events } = await order({ isReranked: true, rankConstant: 1, topK: 3 });
    // a and d: 1/2 + 1/5, b: 1/3 + 1/3, c: 1/4 + 1/4.
    expect(ids).toBe('adb');
    expect(hits[2]?.score).toBeCloseTo(2 / 3);
    expect(hits[0]?.ranks).toEqual({ web: 1, 'web-provider': 4, 'web-reranked': 1 });
    const first = { before: ['a', 'b', 'c'], after: ['a', 'd', 'b'] };
    expect(events).toEqual([{ type: 'reranking', inputCount: 4, outputCount: 3, method: 'web-ranks', first }]);
    expect((await order({ isReranked: true, rankConstant: 60 })).ids).toBe('badc');
  });

  it('are lifted by likeness times the weight of the best score', async () => {
    expect((await order({ boost: 0.1 })).ids).toBe('abcd');
    const { ids, hits } = await order({ boost: 0.3 });
    expect(ids).toBe('cabd');
    expect(hits[0]).toMatchObject({ score: 8 + 0.3 * 10, scores: { bm25: 8, vector: 1 } });
    expect((await order({ boost: 0.3, topK: 2 })).ids).toBe('abcd');
  });

  it('stay where meaning is not ready, and that is told', async () => {
    const missing: Pick<Semantics, 'current'> = {
      current: async () => ({ ready: false, code: 'too-few-chunks', detail: 'There is one chunk.' }),
    };
    const { ids, degraded } = await order({ boost: 0.3 }, { semantics: missing });
    expect(ids).toBe('abcd');
    expect(degraded).toMatchObject([{ component: 'semantic-boost', detail: 'There is one chunk.' }]);
  });
});
