// A store beside the record as a leg, over the store in memory and a record: what it is asked, and how pieces of its own become our chunks.
import { describe, expect, it } from 'vitest';
import { createDeadline } from '../../../src/core/deadline.ts';
import type { StoreHit } from '../../../src/core/store-query.ts';
import type { DocumentWrite } from '../../../src/db/repositories/changes.ts';
import { createLocate } from '../../../src/retrieval/legs/locate.ts';
import { createStoreLeg } from '../../../src/retrieval/legs/store-leg.ts';
import type { Searcher } from '../../../src/stores/store.ts';
import { createMemoryStores, type MemoryStoreOptions } from '../../../testkit/memory-store.ts';
import { putAll } from '../../../testkit/record-changes.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();
const admin = scopeOf();
const modes = ['vector'] as const;
const query = { text: 'crane river', mode: 'vector', limit: 10, explain: false } as const;

const writes = [
  createWrite('An otter swims in the river.', { id: 'otter', uri: 'otter.md', title: '' }),
  createWrite(`${'The heron waits and waits. '.repeat(12)}A crane stands in\n\nthe river.`, {
    id: 'crane',
    uri: 'crane.md',
    title: '',
  }),
];

async function openStore(options: MemoryStoreOptions, given: readonly DocumentWrite[] = writes): Promise<Searcher> {
  await place.tenant.commit(putAll(writes));
  const store = createMemoryStores(options).store(admin);
  await store.upsert(given.map(({ document, chunks }) => ({ document, chunks })));
  return store;
}

const lastChunk = writes[1]?.chunks.at(-1)?.id;

describe('createStoreLeg', () => {
  it('asks a store that makes vectors itself by text', async () => {
    const leg = createStoreLeg(await openStore({}), { kind: 'vector', modes });
    const { hits } = await leg.search(query);
    expect(hits.map(({ chunkId, ranks }) => [chunkId, ranks])).toEqual([
      [writes[0]?.chunks[0]?.id, { memory: 1 }],
      [lastChunk, { memory: 2 }],
    ]);
  });

  it('waits for a silent store no longer than it is told to, though the request has time', async () => {
    const silent: Searcher = { ...(await openStore({})), search: () => new Promise(() => undefined) };
    const deadline = createDeadline(600_000);
    const leg = createStoreLeg(silent, { kind: 'vector', modes, deadline, longestMs: 5 });
    await expect(leg.search(query)).rejects.toMatchObject({
      code: 'deadline-exceeded',
      message: 'The store memory gave no answer in the time that it was given.',
    });
  });

  it('tells that a store gives no more only where what is needed was not found', async () => {
    const more = {
      component: 'memory',
      code: 'truncated',
      detail: 'It returns two at most.',
      effect: 'There may be more.',
    };
    const store = await openStore({});
    const cut: Searcher = {
      ...store,
      search: async (asked, signal) => ({ ...(await store.search(asked, signal)), degraded: [more] }),
    };
    const leg = createStoreLeg(cut, { kind: 'vector', modes });
    expect((await leg.search({ ...query, needed: 2 })).degraded).toEqual([]);
    expect((await leg.search({ ...query, needed: 3 })).degraded).toEqual([more]);
    expect((await leg.search(query)).degraded).toEqual([more]);
  });

  it('puts pieces of the store down to the chunks of ours that hold them', async () => {
    const store = await openStore({ ownPieces: true });
    const leg = createStoreLeg(store, { kind: 'vector', modes, locate: createLocate(place.tenant.documents) });
    expect((await leg.search(query)).hits.map(({ chunkId }) => chunkId)).toEqual([writes[0]?.chunks[0]?.id, lastChunk]);
  });

  it('leaves out what no recorded document holds, and tells it', async () => {
    const foreign = createWrite('A crane of another house.', { id: 'foreign', uri: 'foreign.md', title: '' });
    const store = await openStore({ ownPieces: true }, [...writes, foreign]);
    const leg = createStoreLeg(store, { kind: 'vector', modes, locate: createLocate(place.tenant.documents) });
    const { hits, degraded } = await leg.search(query);
    expect(hits).toHaveLength(2);
    expect(hits.map(({ ranks }) => ranks['memory'])).toEqual([1, 2]);
    expect(degraded).toMatchObject([{ component: 'memory', code: 'not-located' }]);
  });

  it('gives a store that wants vectors those of the query, and refuses where nobody makes them', async () => {
    const seen: unknown[] = [];
    const given: Searcher = {
      ...(await openStore({})),
      capabilities: { lexical: false, vector: true, hybrid: false, vectors: 'given', counts: false, explain: false },
      async search(asked) {
        seen.push([asked.space, asked.vector]);
        return { hits: [], degraded: [] };
      },
    };
    const vector = Float32Array.of(1, 2);
    await createStoreLeg(given, { kind: 'vector', modes, embed: async () => ({ vector, space: 's' }) }).search(query);
    expect(seen).toEqual([['s', vector]]);
    await expect(createStoreLeg(given, { kind: 'vector', modes }).search(query)).rejects.toMatchObject({
      code: 'unsupported',
    });
  });

  it('gives a silent store up when half of the time is gone, and leaves the rest to others', async () => {
    const silent: Searcher = { ...(await openStore({})), search: () => new Promise(() => undefined) };
    const deadline = createDeadline(200);
    const leg = createStoreLeg(silent, { kind: 'vector', modes, deadline });
    await expect(leg.search(query, deadline.signal)).rejects.toMatchObject({ code: 'deadline-exceeded' });
    expect(deadline.signal.aborted).toBe(false);
  });
});

describe('createLocate', () => {
  const hit = (documentId: string, text: string, more: object = {}): StoreHit => ({
    chunkId: 'piece',
    documentId,
    score: 1,
    scores: {},
    rank: 1,
    passage: { text, ...more },
  });

  it('finds a passage by its offsets, by its words, and where blanks differ; never where it is not', async () => {
    await openStore({});
    const locate = createLocate(place.tenant.documents);
    const [first] = writes[1]?.chunks ?? [];
    expect(
      await locate([
        hit('crane', 'The heron waits', { start: 0, end: 15 }),
        hit('crane', 'The heron waits', { start: 3, end: 9 }),
        hit('crane', 'A crane stands in the river.'),
        hit('crane', 'A crane sits in the river.'),
        hit('crane', '  '),
        hit('unknown', 'A crane'),
      ]),
    ).toEqual([first?.id, first?.id, lastChunk, undefined, undefined, undefined]);
  });
});
