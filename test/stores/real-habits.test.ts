// What services do beside what their protocols say: requests that are too large for them, files that are never indexed, limits in the middle of a
// batch, indexes that somebody else makes at the same time or that are not there yet for a moment.
import { afterEach, expect, it } from 'vitest';
import { type AzureStoreOptions, openAzureStores } from '../../src/stores/azure/azure-store.ts';
import { openFirestoreStores } from '../../src/stores/firestore/firestore-store.ts';
import { type AzureSearchOptions, openAzureSearch } from '../../testkit/azure-search/azure-search.ts';
import { openFirestoreRest } from '../../testkit/firestore-rest.ts';
import { type OpenaiPlace, openOpenaiPlace } from '../../testkit/openai/place.ts';
import { scopeOf } from '../../testkit/record-fixture.ts';
import { failures, many, written } from '../../testkit/store-documents.ts';

const admin = scopeOf();
const vectors = { space: 'fixed@2', dimensions: 2 };
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function openAzure(more: Partial<AzureStoreOptions> = {}, habits: AzureSearchOptions = {}) {
  const azure = await openAzureSearch(habits);
  const stores = openAzureStores({ endpoint: azure.address, apiKey: azure.apiKey, vectors, pollMs: 1, ...more });
  closing.push(azure.close, stores.close);
  return { azure, store: stores.store(admin) };
}

it('sends to Azure AI Search in smaller pieces what it finds too large, and tells of a row that is too large by itself', async () => {
  const { azure, store } = await openAzure();
  azure.server.fault = ({ path, body }) =>
    path.includes('search.index') && (body.length > 4000 || body.includes('very long')) ? 'status-413' : undefined;
  const outcomes = await store.upsert([...many(12), written('huge', 'A very long heron.')]);
  expect(failures(outcomes)).toEqual([['doc_huge', 'too-large']]);
  expect(await store.health()).toMatchObject({ documents: 12 });
});

it('sends to Firestore in smaller pieces what it finds too large, in its words or by its status', async () => {
  for (const mostBytes of [4000, 10_485_760]) {
    const service = await openFirestoreRest({ mostBytes });
    const stores = openFirestoreStores({ projectId: 'demo', emulatorHost: service.host, vectors });
    closing.push(service.close, stores.close);
    service.server.fault = ({ body }) => (body.length > 8000 ? 'status-413' : undefined);
    expect(failures(await stores.store(admin).upsert(many(40)))).toEqual([]);
    expect(service.documents('footnote').size).toBe(40);
  }
});

it('tells that vectors are too long for Firestore', async () => {
  const service = await openFirestoreRest();
  const long = { space: 'long@3072', dimensions: 3072 };
  const stores = openFirestoreStores({ projectId: 'demo', emulatorHost: service.host, vectors: long });
  closing.push(service.close, stores.close);
  const one = { ...written('a', 'A heron.'), vectors: new Float32Array(3072).fill(1) };
  const [outcome] = await stores.store(admin).upsert([one]);
  expect(outcome?.error).toMatchObject({ code: 'unsupported', message: expect.stringContaining('@2048') });
});

it('goes on where somebody else makes the index of Azure AI Search at the same moment', async () => {
  const { azure, store } = await openAzure();
  let conflicts = 2;
  azure.server.fault = ({ method }) => (method === 'PUT' && conflicts-- > 0 ? 'status-409' : undefined);
  expect(failures(await store.upsert(many(2)))).toEqual([]);
  expect(await store.health()).toMatchObject({ status: 'ok', documents: 2 });
});

it('takes an index of Azure AI Search that is made and not there yet for what it is: not there for a moment', async () => {
  const { azure, store } = await openAzure();
  let missing = 5;
  azure.server.fault = ({ path }) => (path.includes('/docs/') && missing-- > 0 ? 'status-404' : undefined);
  for (let tried = 0; tried < 4; tried += 1) {
    const ended = await store.upsert(many(2)).catch((thrown: unknown) => thrown);
    if (Array.isArray(ended)) break;
    expect(ended).toMatchObject({ code: 'upstream-unavailable' });
  }
  expect(failures(await store.upsert(many(2)))).toEqual([]);
  expect(azure.indexNames()).toEqual(['footnote']);
  expect(await store.health()).toMatchObject({ documents: 2 });
});

it('sends a file anew that OpenAI never indexes, keeps the others, and leaves one of each', async () => {
  const at = await openOpenaiPlace({ adapter: { indexTimeoutMs: 20 } });
  closing.push(at.close);
  const store = at.store(admin);
  const batch = many(3);
  const stuck = () => {
    for (const { attached } of at.simulator.state.stores.values())
      for (const one of attached.values())
        if (one.attributes['document_id'] === 'doc_d1' && one.fileId === first) one.looks = 1_000_000;
  };
  let first: string | undefined;
  at.simulator.setFault(() => {
    const held = [...at.simulator.state.stores.values()].flatMap(({ attached }) => [...attached.values()]);
    first ??= held.find(({ attributes }) => attributes['document_id'] === 'doc_d1')?.fileId;
    stuck();
    return undefined;
  });
  for (const _ of [1, 2]) expect(failures(await store.upsert(batch))).toEqual([['doc_d1', 'deadline-exceeded']]);
  expect(failures(await store.upsert(batch))).toEqual([]);
  expect(first).toBeDefined();
  expect(at.simulator.state.files.size).toBe(3);
  expect(await store.health()).toMatchObject({ documents: 3 });
});

it('asks OpenAI no more in a batch once it takes no more, and goes on where it stopped', async () => {
  const at = await openOpenaiPlace({ adapter: { callsAtOnce: 4 } });
  closing.push(at.close);
  const store = at.store(admin);
  await store.upsert([written('before', 'A heron.')]);
  at.simulator.setFault(({ name, count }) =>
    name === 'files.create' && count > 10 ? { status: 429, retryAfter: 'Mon, 23 Nov 2099 10:00:00 GMT' } : undefined,
  );
  const before = at.simulator.calls.length;
  const outcomes = await store.upsert(many(60));
  const limited = outcomes.filter(({ error }) => error?.code === 'rate-limited');
  expect(limited.length).toBeGreaterThanOrEqual(50);
  expect(Number(limited[0]?.error?.details['retryAfterMs'])).toBeGreaterThan(1000);
  // Those that were under way, and none after them.
  expect(at.simulator.calls.slice(before).filter(({ name }) => name === 'files.create').length).toBeLessThanOrEqual(14);
  at.simulator.setFault(undefined);
  expect(failures(await store.upsert(many(60)))).toEqual([]);
  expect(at.simulator.state.files.size).toBe(61);
});

async function openFirestore() {
  const service = await openFirestoreRest();
  const stores = openFirestoreStores({ projectId: 'demo', emulatorHost: service.host, vectors });
  closing.push(service.close, stores.close);
  return { service, store: stores.store(admin) };
}

it.each([
  ['a header of seconds', { 'retry-after': '3' }, 3000],
  ['a date', { 'retry-after': 'Mon, 23 Nov 2099 10:00:00 GMT' }, 3_600_000],
  ['milliseconds of Microsoft, which are exacter', { 'retry-after': '3', 'x-ms-retry-after-ms': '1250' }, 1250],
  ['milliseconds', { 'retry-after-ms': '80' }, 80],
  ['nothing that can be read', { 'retry-after': 'soon', 'x-ms-retry-after-ms': '' }, undefined],
])('waits as long as Azure AI Search and Firestore ask, by %s, whatever else they say', async (_, headers, waitMs) => {
  const { azure, store: near } = await openAzure();
  const { service, store: far } = await openFirestore();
  for (const text of ['', 'Too many SECRETs.', '<error/>', '[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]'])
    for (const [server, store] of [
      [azure.server, near],
      [service.server, far],
    ] as const) {
      server.fault = () => ({ status: 429, headers, text });
      const ended = await store.upsert(many(2)).catch((thrown: unknown) => thrown);
      expect(ended).toMatchObject({ code: 'rate-limited' });
      expect((ended as { details: { retryAfterMs?: number } }).details.retryAfterMs).toBe(waitMs);
      expect(String(ended)).not.toContain('SECRET');
      server.fault = () => undefined;
      expect(failures(await store.upsert(many(2)))).toEqual([]);
    }
});

it.each([
  [409, 'upstream-unavailable'],
  [422, 'upstream-unavailable'],
  [429, 'rate-limited'],
  [503, 'upstream-unavailable'],
  [400, 'upstream-invalid'],
])('tells of the one row that Azure AI Search refuses with %i in a batch that it takes', async (status, code) => {
  let refused = 1;
  const { azure, store } = await openAzure(
    {},
    {
      refuseRow: () => (refused-- > 0 ? status : undefined),
      rowsOf: (rows) => rows.toReversed().map((one) => ({ ...one, surprise: 1 })),
    },
  );
  const outcomes = await store.upsert(many(4));
  expect(failures(outcomes)).toEqual([['doc_d0', code]]);
  expect(azure.rows('footnote')).toHaveLength(3);
  expect(failures(await store.upsert(many(4)))).toEqual([]);
  expect(await store.health()).toMatchObject({ documents: 4 });
});

it.each([
  ['is not implemented', 501, 'UNIMPLEMENTED', 'Not implemented.'],
  ['is no name that it knows', 400, 'INVALID_ARGUMENT', 'Unknown name "findNearest".'],
  ['lacks an index', 400, 'FAILED_PRECONDITION', 'Missing vector index configuration.'],
])(
  'compares for itself where the nearest neighbours of Firestore: what is asked %s',
  async (_, code, status, message) => {
    const { service, store } = await openFirestore();
    await store.upsert(many(3));
    const query = { text: '', mode: 'vector', limit: 5, vector: Float32Array.of(1, 0), space: vectors.space } as const;
    const before = await store.search(query);
    service.server.fault = ({ body }) =>
      body.includes('findNearest')
        ? { status: code, text: JSON.stringify({ error: { code, status, message } }) }
        : undefined;
    expect(before.hits).toHaveLength(3);
    expect((await store.search(query)).hits).toEqual(before.hits);
  },
);

it('reads answers of Firestore that note their progress, and takes one that ends in an error for failed', async () => {
  const { service, store } = await openFirestore();
  await store.upsert(many(3));
  const query = { text: '', mode: 'vector', limit: 5, vector: Float32Array.of(1, 0), space: vectors.space } as const;
  const { hits } = await store.search(query);
  service.answered = (elements) => [{ skippedResults: 0 }, ...elements, { done: true }];
  expect((await store.search(query)).hits).toEqual(hits);
  const unavailable = { error: { code: 503, status: 'UNAVAILABLE', message: 'SECRET' } };
  service.answered = (elements) => [...elements.slice(0, 1), unavailable];
  const ended = await store.search(query).catch((thrown: unknown) => thrown);
  expect(ended).toMatchObject({ code: 'upstream-unavailable', details: { status: 503 } });
  expect(String(ended)).not.toContain('SECRET');
});

it('costs a document alone that Firestore refuses in a commit of several', async () => {
  const { service, store } = await openFirestore();
  const refused = [
    ['that is too large', 'a document', 'exceeds the maximum allowed size of 1,048,576 bytes', 'too-large'],
    ['that is invalid', 'a field', 'is longer than it may be', 'upstream-invalid'],
  ] as const;
  for (const [, what, why, code] of refused) {
    service.server.fault = ({ path, body }) =>
      path.includes(':commit') && body.includes('Heron 7 ')
        ? {
            status: 400,
            text: JSON.stringify({ error: { code: 400, status: 'INVALID_ARGUMENT', message: `${what} ${why}` } }),
          }
        : undefined;
    expect(failures(await store.upsert(many(45)))).toEqual([['doc_d7', code]]);
    expect(service.documents('footnote').size).toBe(44);
  }
  service.server.fault = () => undefined;
  expect(failures(await store.upsert(many(45)))).toEqual([]);
});

const textsAt = (at: OpenaiPlace): readonly string[] =>
  [...at.simulator.state.stores.values()]
    .flatMap(({ attached }) => [...attached.values()])
    .map(({ fileId }) => at.simulator.state.files.get(fileId)?.text ?? 'gone')
    .toSorted();

it('takes nothing away that a list of OpenAI does not show yet, and believes no list that shows what is gone', async () => {
  const at = await openOpenaiPlace({ listLag: 200 });
  closing.push(at.close);
  expect(failures(await at.store(admin).upsert(many(3)))).toEqual([]);
  // The next process lists what stands there, and sees nothing of it.
  const next = at.restarted().store(admin);
  expect(failures(await next.upsert([written('other', 'A crane.')]))).toEqual([]);
  expect(failures(await next.upsert([written('d1', 'An egret sleeps.')]))).toEqual([]);
  const wanted = ['A crane.', 'An egret sleeps.', 'Heron 0 waits.', 'Heron 2 waits.'];
  expect(textsAt(at)).toEqual(wanted);
  expect(failures(await next.delete([{ documentId: 'doc_d0' }]))).toEqual([]);
  // What was taken out stands on the list of a third one, which is to bring it again.
  expect(failures(await at.restarted().store(admin).upsert(many(1)))).toEqual([]);
  expect(textsAt(at)).toEqual(wanted);
  expect(at.simulator.state.files.size).toBe(4);
});

it('waits for files of a batch that OpenAI knows later than the batch', async () => {
  const at = await openOpenaiPlace({ batchLag: 12 });
  closing.push(at.close);
  expect(failures(await at.store(admin).upsert(many(3)))).toEqual([]);
  expect(at.simulator.calls.filter(({ name }) => name === 'files.create')).toHaveLength(3);
  expect(textsAt(at)).toHaveLength(3);
});

it('makes another vector store for one that has expired, and tells that what was in it is to be brought anew', async () => {
  let nowMs = 0;
  const at = await openOpenaiPlace({ adapter: { elapsedMs: () => nowMs } });
  closing.push(at.close);
  const store = at.store(admin);
  await store.upsert(many(2));
  for (const one of at.simulator.state.stores.values()) one.isExpired = true;
  expect(await store.health()).toMatchObject({ status: 'down', detail: expect.stringContaining('expired') });
  nowMs += 3_700_000;
  const ended = await store.upsert(many(2)).catch((thrown: unknown) => thrown);
  expect(ended).toMatchObject({ code: 'upstream-unavailable', message: expect.stringContaining('sync') });
  expect(failures(await store.upsert(many(2)))).toEqual([]);
  expect(await store.health()).toMatchObject({ status: 'ok', documents: 2 });
  expect([...at.simulator.state.stores.values()].map(({ isExpired = false }) => isExpired)).toEqual([true, false]);
  // What was kept for the expired one is kept, and paid for, no more.
  expect(at.simulator.state.files.size).toBe(2);
});
