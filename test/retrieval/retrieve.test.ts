import { describe, expect, it } from 'vitest';
import type { Chunk, DocumentRecord } from '../../src/core/document.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import { sha256, systemClock } from '../../src/core/ids.ts';
import type { Mode } from '../../src/core/search.ts';
import type { TenantRecord } from '../../src/db/tenant-record.ts';
import { openLegs } from '../../src/footnote/requests/request-legs.ts';
import { createRetriever, type RetrievalRequest, type RetrieverOptions } from '../../src/retrieval/retrieve.ts';
import type { Store, StoreHit, StoreQuery } from '../../src/stores/store.ts';
import { callContext } from '../../testkit/request-context.ts';

function rowOf(id: string, text: string): { chunk: Chunk; document: DocumentRecord } {
  return {
    chunk: {
      id,
      documentId: `doc_${id}`,
      ordinal: 0,
      start: 0,
      end: text.length,
      text,
      hash: sha256(text),
      headingPath: ['H'],
      tokens: 3,
    },
    document: {
      id: `doc_${id}`,
      source: `source-${id}`,
      sourceType: 'docs',
      uri: `${id}.md`,
      title: id,
      mime: 'text/markdown',
      revision: 1,
      updatedAt: '2026-01-01T00:00:00.000Z',
      contentHash: '',
      textHash: '',
      textLength: text.length,
      chunkCount: 1,
      metadata: {},
      citeByLine: false,
      warnings: [],
    },
  };
}

const sentence = 'The pump of the northern basin was replaced in spring by two smaller ones that share the load';
const rows = [
  rowOf('a', 'alpha'),
  rowOf('b', 'beta'),
  rowOf('twin', 'alpha'),
  rowOf('c', 'gamma'),
  rowOf('pump', sentence),
  rowOf('wrapped', `${sentence.toUpperCase().replaceAll(' of ', ' of\n')}.`),
  rowOf('denied', sentence.replace('was replaced', 'was not replaced')),
];

function setup(
  hits: readonly Pick<StoreHit, 'chunkId' | 'score'>[],
  duplicates: readonly (readonly [string, string])[] = [],
  more: Partial<RetrieverOptions> = {},
) {
  const queries: StoreQuery[] = [];
  const store = {
    name: 'embedded',
    async search(query: StoreQuery) {
      queries.push(query);
      return {
        hits: hits.slice(0, query.limit).map((hit, index) => ({
          ...hit,
          documentId: `doc_${hit.chunkId}`,
          scores: { bm25: hit.score },
          rank: index + 1,
        })),
        degraded: [],
      };
    },
  } as unknown as Store;
  const record = {
    sources: {
      list: async () => sources,
      get: async (name: string) => sources.find((source) => source.name === name),
    },
    documents: {
      chunksById: async (ids: readonly string[]) => {
        if (ids.includes('rotten')) throw new FootnoteError('data-corrupt', 'The text of document x is damaged.');
        return ids.flatMap((id) => rows.filter((row) => row.chunk.id === id));
      },
      hashes: async (ids: readonly string[]) =>
        rows
          .filter((row) => ids.includes(row.chunk.id))
          .map(({ chunk, document }) => ({ chunkId: chunk.id, documentId: document.id, hash: chunk.hash })),
      withDuplicates: async () => duplicates.map(([id]) => id),
      duplicatesAmong: async () => duplicates,
    },
  } as unknown as TenantRecord;
  const events: FootnoteEvent[] = [];
  const retriever = createRetriever({
    record,
    legs: openLegs({
      store,
      semantics: { current: async () => ({ ready: false, code: 'off', detail: 'off' }) },
      fusion: { method: 'min-max', semanticWeight: undefined, rankConstant: 60 },
      documents: record.documents,
      clock: systemClock,
    }),
    ...more,
    spanUrl: (id) => `/${id}`,
    context: callContext({ sink: (event) => events.push(event) }),
  });
  const retrieve = (request: Partial<RetrievalRequest> = {}) =>
    retriever.retrieve({ query: 'q', mode: 'embedded', topK: 5, ...request });
  return { retrieve, queries, events };
}

const sources = [{ name: 'source-a' }, { name: 'source-b' }];

const hits = [
  { chunkId: 'a', score: 4 },
  { chunkId: 'twin', score: 3 },
  { chunkId: 'gone', score: 2.5 },
  { chunkId: 'b', score: 2 },
  { chunkId: 'c', score: 1 },
];

const explained = hits.map((hit) => ({ ...hit, explanation: { terms: [], notes: [] } }));

describe('createRetriever', () => {
  it('folds equal texts into one evidence that names every place, and drops what is gone', async () => {
    const { evidence } = await setup(hits).retrieve();
    expect(evidence.map((item) => item.chunkId)).toEqual(['a', 'b', 'c']);
    expect(evidence[0]?.alsoIn).toEqual([{ source: 'source-twin', documentId: 'doc_twin' }]);
  });

  it('folds passages of linked documents that differ in case and wrapping, and no others', async () => {
    const found = ['pump', 'wrapped', 'denied'].map((chunkId, index) => ({ chunkId, score: 3 - index }));
    const chunksOf = async (pairs: readonly (readonly [string, string])[]) =>
      (await setup(found, pairs).retrieve()).evidence.map(({ chunkId, alsoIn }) => [
        chunkId,
        ...alsoIn.map((one) => one.documentId),
      ]);
    expect(await chunksOf([])).toEqual([['pump'], ['wrapped'], ['denied']]);
    const linked = [
      ['doc_wrapped', 'doc_pump'],
      ['doc_denied', 'doc_pump'],
    ] as const;
    expect(await chunksOf(linked)).toEqual([['pump', 'doc_wrapped'], ['denied']]);
  });

  it('honours topK, an explicit 0 included', async () => {
    expect((await setup(hits).retrieve({ topK: 2 })).evidence).toHaveLength(2);
    const none = setup(hits);
    expect((await none.retrieve({ topK: 0 })).evidence).toEqual([]);
    expect(none.queries).toEqual([]);
  });

  it('takes minScore against the best score, and only when given', async () => {
    expect((await setup(hits).retrieve({ minScore: 0.5 })).evidence.map((item) => item.chunkId)).toEqual(['a', 'b']);
    expect((await setup(hits).retrieve({ minScore: 0 })).evidence).toHaveLength(3);
  });

  it.each<Mode>(['vector', 'hybrid'])('serves mode %s by words where there is no model, and says so', async (mode) => {
    const { retrieve, events } = setup(hits);
    const { evidence, degraded } = await retrieve({ mode });
    expect(evidence).toEqual((await setup(hits).retrieve()).evidence);
    const missing = { component: 'vector', code: 'off', detail: 'off', effect: 'Searched by words only.' };
    expect(degraded).toEqual([missing]);
    expect(events).toContainEqual({ type: 'degraded', degradation: missing });
  });

  it('asks nothing but words in mode embedded', async () => {
    const { retrieve, queries } = setup(hits);
    expect((await retrieve({ topK: 3 })).degraded).toEqual([]);
    expect(queries).toEqual([{ text: 'q', mode: 'lexical', limit: 13 }]);
  });

  it('refuses a source that does not exist', async () => {
    await expect(setup(hits).retrieve({ sources: ['source-a', 'nowhere'] })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('leaves a damaged passage out, says so, and serves the others', async () => {
    const { retrieve } = setup([{ chunkId: 'rotten', score: 9 }, ...hits]);
    const { evidence, degraded } = await retrieve();
    expect(evidence.map((item) => item.chunkId)).toEqual(['a', 'b', 'c']);
    expect(degraded).toMatchObject([{ component: 'record', code: 'data-corrupt' }]);
  });

  it('puts the named sources into the filter of the store', async () => {
    const { retrieve, queries } = setup(hits);
    await retrieve({ sources: ['source-a'], filter: { op: 'eq', field: 'language', value: 'en' } });
    expect(queries[0]?.filter).toEqual({
      op: 'and',
      filters: [
        { op: 'in', field: 'source', values: ['source-a'] },
        { op: 'eq', field: 'language', value: 'en' },
      ],
    });
  });

  it('orders by named terms before it cuts: what was low may become the best, and the printed sums add up', async () => {
    const many = [...Array.from({ length: 30 }, (_, at) => ({ chunkId: `none${at}`, score: 40 - at })), ...hits];
    const rankTerms = [
      {
        name: 'authority',
        weigh: (_: unknown, { document }: { document: DocumentRecord }) => (document.title === 'c' ? 3 : 0),
      },
      { name: 'freshness', weigh: () => 0.25 },
    ];
    const { retrieve, queries } = setup(many, [], { rankTerms });
    const { evidence } = await retrieve({ topK: 2, explain: true });
    expect(queries[0]?.limit).toBe(50);
    expect(evidence.map(({ chunkId, score, scores }) => [chunkId, score, scores.fused])).toEqual([
      ['a', 4.25, 4],
      ['c', 4.25, 1],
    ]);
    const { retrieve: plain } = setup(many.slice(-5), [], { rankTerms });
    const [best] = (await plain({ topK: 1, minScore: 0.9 })).evidence;
    expect(best?.chunkId).toBe('a');
    for (const { score, scores, explanation } of (await setup(explained, [], { rankTerms }).retrieve({ explain: true }))
      .evidence) {
      const ranking = explanation?.ranking ?? [];
      expect(ranking.map(({ name }) => name)).toEqual(['authority', 'freshness']);
      expect(ranking.reduce((total, { weight }) => total + weight, scores.fused)).toBe(score);
    }
    expect((await setup(hits).retrieve({ topK: 1 })).evidence[0]?.chunkId).toBe('a');
  });

  it('reads what the record does not hold where it is told to', async () => {
    const web = rowOf('web', 'delta');
    const asked: (readonly string[])[] = [];
    const elsewhere = async (ids: readonly string[]) => {
      asked.push(ids);
      return ids.includes('web') ? [web] : [];
    };
    const { evidence } = await setup([...hits, { chunkId: 'web', score: 0.5 }], [], { elsewhere }).retrieve();
    expect(evidence.map(({ chunkId }) => chunkId)).toEqual(['a', 'b', 'c', 'web']);
    expect(asked.flat()).toEqual(['gone', 'web']);
  });
});
