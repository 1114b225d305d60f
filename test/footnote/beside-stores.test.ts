// A store beside the record, put together as the program does: what goes in is delivered, hybrid searches ask it too, and neither a
// search nor a deletion waits for it when it is down.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Filter } from '../../src/core/search.ts';
import { replayTrace } from '../../src/footnote/replay/replay.ts';
import type { Store } from '../../src/stores/store.ts';
import { createMemoryStores } from '../../testkit/memory-store.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;
let isDown = false;
let searches = 0;
let lastFilter: Filter | undefined;
const memory = createMemoryStores({ name: 'cloud', ownPieces: true });

function failing(store: Store): Store {
  const guard = (): void => {
    if (isDown) throw new FootnoteError('upstream-unavailable', 'The cloud is down.');
  };
  return {
    ...store,
    async search(query, signal) {
      guard();
      searches += 1;
      lastFilter = query.filter;
      return store.search(query, signal);
    },
    async upsert(batch, signal) {
      guard();
      return store.upsert(batch, signal);
    },
    async delete(batch, signal) {
      guard();
      return store.delete(batch, signal);
    },
    async health(signal) {
      guard();
      return store.health(signal);
    },
  };
}

async function open(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  opened = await openFootnote(
    loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data'), ...environment } }),
    {
      stores: [
        {
          name: 'cloud',
          open: (scope) => failing(memory.store(scope)),
          asked: { kind: 'vector', modes: ['vector', 'hybrid'] },
        },
      ],
    },
  );
}

beforeEach(async () => {
  isDown = false;
  memory.held('default').clear();
  folder = await mkdtemp(join(tmpdir(), 'footnote-beside-'));
  await open();
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true, force: true });
});

const footnote = () => opened.forScope(localScope());
const add = async (uri: string, text: string): Promise<string> =>
  (await footnote().documents.add({ uri, text }))[0]?.id ?? '';
const statusOf = async (name: string) => (await footnote().stores.list()).find((store) => store.name === name);

it('is asked for the sources alone that there are for a principal, whatever the caller filters by', async () => {
  await footnote().documents.add({ uri: 'otter.md', text: 'An otter swims in the river.', source: 'river' });
  await footnote().documents.add({ uri: 'heron.md', text: 'A heron stands in the river.', source: 'lake' });
  await opened.settle('default');
  const limited = opened.forScope({
    tenant: 'default',
    principal: { id: 'key:limited', role: 'reader', groups: [], sources: ['lake'] },
  });
  const filter: Filter = { op: 'exists', field: 'title', value: true };
  for (const given of [{}, { filter }]) {
    const { results } = await limited.search({ query: 'river', mode: 'vector', ...given });
    expect(results.map(({ source }) => source)).toEqual(['lake']);
    expect(JSON.stringify(lastFilter)).toContain('{"op":"in","field":"source","values":["lake"]}');
  }
});

it('delivers what goes in, asks the store in hybrid searches, and names it in the evidence', async () => {
  const id = await add('otter.md', 'An otter swims in the river and eats fish.');
  await add('crane.md', 'A crane stands in the reeds.');
  await opened.settle('default');
  expect(memory.held('default').size).toBe(2);
  expect((await footnote().documents.get(id)).deliveries).toMatchObject([
    { store: 'cloud', status: 'delivered' },
    { store: 'embedded', status: 'delivered' },
  ]);
  const found = await footnote().search({ query: 'otter river', mode: 'hybrid', explain: true });
  expect(found.results[0]).toMatchObject({ documentId: id, stores: ['embedded', 'cloud'] });
  expect(found.results[0]?.ranks).toEqual({ embedded: 1, record: 1, cloud: 1, hybrid: 1 });
  const { scores, explanation } = found.results[0] ?? {};
  expect(explanation?.lists?.reduce((total, { contribution }) => total + contribution, 0)).toBe(scores?.fused);
  const plain = await footnote().search({ query: 'otter river', mode: 'embedded' });
  expect(plain.results[0]?.stores).toEqual(['embedded']);
  expect(await statusOf('cloud')).toMatchObject({
    documents: 2,
    coverage: 1,
    deliveries: { pending: 0, failed: 0, deletions: 0, paused: false },
  });
  expect((await statusOf('embedded'))?.deliveries).toBeUndefined();
});

it('asks in each mode the stores that serve it', async () => {
  await add('otter.md', 'An otter swims in the river and eats fish.');
  await opened.settle('default');
  const askedIn = async (mode: 'embedded' | 'vector' | 'hybrid') =>
    (await footnote().search({ query: 'otter river', mode })).results.map(({ stores }) => stores);
  expect(await askedIn('embedded')).toEqual([['embedded']]);
  expect(await askedIn('vector')).toEqual([['cloud']]);
  expect((await footnote().search({ query: 'otter', mode: 'vector' })).usedFallback).toBeUndefined();
  expect(await askedIn('hybrid')).toEqual([['embedded', 'cloud']]);
  expect((await footnote().search({ query: 'otter river', mode: 'vector', topK: 0 })).results).toEqual([]);
  expect((await footnote().search({ query: 'otter river', mode: 'vector', minScore: 0 })).results).toHaveLength(1);
  isDown = true;
  const found = await footnote().search({ query: 'otter river', mode: 'vector' });
  expect(found.results.map(({ stores }) => stores)).toEqual([['embedded']]);
  expect(found.degraded).toContainEqual({
    component: 'cloud',
    code: 'upstream-unavailable',
    detail: 'The cloud is down.',
    effect: 'Searched in embedded instead.',
  });
  expect(found.usedFallback).toBe(true);
  const answer = await footnote().ask({ question: 'How many wheels has the tram?', mode: 'vector' });
  expect(answer).toMatchObject({ abstained: true, usedFallback: true });
  isDown = false;
  await opened.close();
  await open({ VECTOR_STORE: 'embedded' });
  expect(await askedIn('vector')).toEqual([['embedded']]);
  expect(await askedIn('hybrid')).toEqual([['embedded']]);
  expect(await statusOf('cloud')).toMatchObject({ coverage: 1 });
  await opened.close();
  await expect(open({ VECTOR_STORE: 'azure' })).rejects.toMatchObject({ code: 'config-invalid' });
  await open();
});

it('waits for a store that is down in no search, no upload and no deletion, and catches up after a restart', async () => {
  const first = await add('otter.md', 'An otter swims in the river.');
  await opened.settle('default');
  isDown = true;
  const second = await add('crane.md', 'A crane stands in the river.');
  await footnote().documents.delete(first);
  await opened.settle('default');
  const found = await footnote().search({ query: 'crane river', mode: 'hybrid' });
  expect(found.results.map(({ documentId }) => documentId)).toEqual([second]);
  expect(found.degraded).toContainEqual(expect.objectContaining({ component: 'cloud', code: 'upstream-unavailable' }));
  const told = await statusOf('cloud');
  expect(told).toMatchObject({ status: 'down', detail: 'The cloud is down.', deliveries: { deletions: 1 } });
  expect(memory.held('default').has(first)).toBe(true);
  isDown = false;
  await opened.close();
  await open();
  expect((await footnote().stores.sync('cloud')).failed).toBe(0);
  expect([...memory.held('default').keys()]).toEqual([second]);
});

it('serves what a store found again where that is configured, tells its age, and asks anew once anything changed', async () => {
  await opened.close();
  await open({ STORE_RESULTS_TTL_SECONDS: '3600' });
  const id = await add('otter.md', 'An otter swims in the river and eats fish.');
  await opened.settle('default');
  searches = 0;
  const search = (filter?: Filter, scope = localScope()) =>
    opened.forScope(scope).search({ query: 'otter river', mode: 'vector', ...(filter && { filter }) });
  expect((await search()).routing.kept).toBeUndefined();
  const again = await search();
  expect(again.routing.kept).toEqual([{ type: again.results[0]?.sourceType, ageSeconds: expect.any(Number) }]);
  expect(again.results[0]).toMatchObject({ documentId: id, stores: ['cloud'] });
  expect(searches).toBe(1);
  await search({ op: 'eq', field: 'source', value: 'uploads' });
  expect(searches).toBe(2);
  await search(undefined, { ...localScope(), principal: { ...localScope().principal, id: 'somebody-else' } });
  expect(searches).toBe(3);
  // A store that is down is not missed for what it found before.
  isDown = true;
  expect((await search()).degraded).toEqual([]);
  const answer = await footnote().ask({ question: 'Where does an otter swim?', mode: 'vector' });
  expect(answer.degraded).not.toEqual([]);
  isDown = false;
  const asked = await footnote().ask({ question: 'Where does an otter swim?', mode: 'vector' });
  const given = await footnote().ask({ question: 'Where does an otter swim?', mode: 'vector' });
  expect(given.routing.kept).toHaveLength(1);
  expect(given.answer).toBe(asked.answer);
  expect(await replayTrace(await footnote().traces.get(given.traceId))).toMatchObject({ same: true, sameCalls: true });
  await footnote().documents.delete(id);
  expect(await search()).toMatchObject({ results: [] });
  await opened.settle('default');
  expect((await search()).routing.kept).toBeUndefined();
  const before = searches;
  await opened.close();
  await open();
  await add('crane.md', 'A crane stands in the river.');
  await opened.settle('default');
  for (let time = 0; time < 2; time += 1) await search();
  expect(searches).toBe(before + 2);
});
