// Services that take their time: what was made is not there yet, what was put is not known yet, and an index takes minutes longer than anybody waits.
// Whatever they do late, deliveries that are done again end in one file or one row of each, and none for what was deleted.
import { afterEach, expect, it } from 'vitest';
import { openAzureStores } from '../../src/stores/azure/azure-store.ts';
import type { StoreOutcome } from '../../src/stores/delivered.ts';
import type { Store } from '../../src/stores/store.ts';
import { openAzureSearch } from '../../testkit/azure-search/azure-search.ts';
import { type OpenaiPlace, openOpenaiPlace } from '../../testkit/openai/place.ts';
import { scopeOf } from '../../testkit/record-fixture.ts';
import { failures, many, written } from '../../testkit/store-documents.ts';

const admin = scopeOf();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function openOpenai(options: Parameters<typeof openOpenaiPlace>[0]) {
  let nowMs = 0;
  const wait = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  const clock = { elapsedMs: () => nowMs, wait };
  const at = await openOpenaiPlace({ ...options, adapter: { ...clock, pollMs: 250, ...options?.adapter } });
  closing.push(at.close);
  return at;
}

const filesAt = ({ simulator: { state } }: OpenaiPlace) => ({
  uploaded: state.files.size,
  indexed: [...state.stores.values()].flatMap(({ attached }) => [...attached.values()]).length,
  stores: state.stores.size,
});

/** Until all are deleted, as the queue would: of what was told as gone nothing is asked again. How often it was tried. */
async function untilGone(store: Pick<Store, 'delete'>, ids: readonly string[], most: number): Promise<number> {
  const left = new Set(ids);
  return untilDelivered(async () => {
    const outcomes = await store.delete([...left].map((documentId) => ({ documentId })));
    for (const { documentId, error } of outcomes) if (!error) left.delete(documentId);
    return outcomes;
  }, most);
}

/** Until all is delivered; how often it was tried. */
async function untilDelivered(deliver: () => Promise<readonly StoreOutcome[]>, most: number): Promise<number> {
  for (let tries = 1; tries <= most; tries += 1) {
    const ended = await deliver().catch((thrown: unknown) => thrown);
    if (Array.isArray(ended) && failures(ended as StoreOutcome[]).length === 0) return tries;
    for (const [, code] of Array.isArray(ended)
      ? failures(ended as StoreOutcome[])
      : [['', (ended as { code: string }).code]])
      expect(['upstream-unavailable', 'deadline-exceeded']).toContain(code);
  }
  throw new Error(`It is not delivered after ${most} tries.`);
}

it.each([1, 3])(
  'brings %i documents to OpenAI where each takes minutes to be indexed, and sends each few times',
  async (count) => {
    // Some 14 looks fit into the minute that a delivery waits.
    const at = await openOpenai({ indexLooks: 200 });
    const store = at.store(admin);
    await untilDelivered(() => store.upsert(many(count)), 60);
    expect(filesAt(at)).toEqual({ uploaded: count, indexed: count, stores: 1 });
    expect(at.simulator.calls.filter(({ name }) => name === 'files.create').length).toBeLessThanOrEqual(4 * count);
  },
);

it.each([2, 12, 40])(
  'makes one vector store at OpenAI where a new one is not there for %i requests',
  async (storeLag) => {
    const at = await openOpenai({ storeLag });
    const store = at.store(admin);
    await untilDelivered(() => store.upsert(many(2)), 45);
    expect(filesAt(at)).toEqual({ uploaded: 2, indexed: 2, stores: 1 });
  },
);

it('stays with the vector store at OpenAI that has the documents, though an older one comes that nobody was told of', async () => {
  const at = await openOpenai({ storeLag: 4 });
  at.simulator.setFault(({ name, count }) => (name === 'stores.create' && count === 1 ? 'lost-reply' : undefined));
  const store = at.store(admin);
  await untilDelivered(() => store.upsert(many(2)), 10);
  const next = at.restarted().store(admin);
  await untilDelivered(() => next.upsert(many(3)), 10);
  expect([...at.simulator.state.stores.values()].map(({ attached }) => attached.size)).toEqual([0, 3]);
  expect(at.simulator.state.files.size).toBe(3);
});

it('takes away what was sent for a vector store at OpenAI that is left again for an older one', async () => {
  const at = await openOpenai({ storeLag: 4 });
  const isRefused = ({ name, count }: { readonly name: string; readonly count: number }): boolean =>
    (name === 'stores.create' && count === 1) || name === 'batches.create';
  at.simulator.setFault((call) => (isRefused(call) ? (call.name === 'stores.create' ? 'lost-reply' : 503) : undefined));
  const store = at.store(admin);
  for (let tries = 1; tries <= 8; tries += 1) await store.upsert(many(2)).catch(() => undefined);
  expect(at.simulator.state.files.size).toBe(2);
  at.simulator.setFault(undefined);
  const next = at.restarted().store(admin);
  await untilDelivered(() => next.upsert(many(2)), 10);
  await untilDelivered(() => next.upsert(many(3)), 10);
  expect([...at.simulator.state.stores.values()].map(({ attached }) => attached.size)).toEqual([3, 0]);
  expect(at.simulator.state.files.size).toBe(3);
});

it.each([2, 12, 40])(
  'leaves one file of a document at OpenAI that is not known for %i requests after it was put',
  async (attachLag) => {
    const at = await openOpenai({ attachLag });
    const store = at.store(admin);
    await untilDelivered(() => store.upsert(many(1)), 10);
    expect(filesAt(at)).toEqual({ uploaded: 1, indexed: 1, stores: 1 });
    expect(at.simulator.calls.filter(({ name }) => name === 'files.create')).toHaveLength(1);
  },
);

it.each([
  [1, 2],
  [1, 20],
  [3, 20],
])('waits for %i files that OpenAI took and does not know for %i requests', async (count, fileLag) => {
  const at = await openOpenai({ fileLag });
  const store = at.store(admin);
  await untilDelivered(() => store.upsert(many(count)), 10);
  expect(filesAt(at)).toEqual({ uploaded: count, indexed: count, stores: 1 });
});

it('leaves nothing of a document at OpenAI that was deleted while its file was taken and not known', async () => {
  const at = await openOpenai({ fileLag: 12 });
  const store = at.store(admin);
  const ended = await store.upsert(many(1)).catch((thrown: unknown) => thrown);
  expect(ended).toMatchObject({ code: 'upstream-unavailable' });
  await untilDelivered(() => store.delete([{ documentId: 'doc_d0' }]), 10);
  expect(filesAt(at)).toEqual({ uploaded: 0, indexed: 0, stores: 1 });
});

it.each([400, 422])('costs a document alone that OpenAI refuses with %i in a batch', async (status) => {
  const at = await openOpenai({
    refuseAttached: ({ document_id: id }) => (id === 'doc_d5' || id === 'doc_d17' ? status : undefined),
  });
  const store = at.store(admin);
  const refused = [
    ['doc_d5', 'upstream-invalid'],
    ['doc_d17', 'upstream-invalid'],
  ];
  expect(failures(await store.upsert(many(20)))).toEqual(refused);
  expect(await store.health()).toMatchObject({ documents: 18 });
  expect(at.simulator.calls.filter(({ name }) => name === 'batches.create').length).toBeLessThanOrEqual(14);
});

it('tells of a vector store of OpenAI that expired a moment ago what it is, to whoever searches and whoever delivers', async () => {
  const expire = (at: OpenaiPlace): void => {
    for (const one of at.simulator.state.stores.values()) one.isExpired = true;
  };
  const said = { code: 'upstream-unavailable', message: expect.stringContaining('sync') };
  const query = { text: 'heron', mode: 'vector', limit: 3 } as const;
  for (const ask of [
    (at: OpenaiPlace) => at.store(admin).search(query),
    (at: OpenaiPlace) => at.store(admin).upsert([written('new', 'A crane.')]),
    (at: OpenaiPlace) => at.store(admin).upsert([written('new', 'A crane.'), written('other', 'An egret.')]),
  ]) {
    const at = await openOpenai({});
    await at.store(admin).upsert(many(2));
    expire(at);
    expect(await ask(at).catch((thrown: unknown) => thrown)).toMatchObject(said);
    expect(failures(await at.store(admin).upsert(many(2)))).toEqual([]);
    expect(await at.store(admin).health()).toMatchObject({ status: 'ok', documents: 2 });
  }
});

async function openAzure(lag: number) {
  const azure = await openAzureSearch({ lag: () => lag });
  const given = { endpoint: azure.address, apiKey: azure.apiKey, vectors: { space: 'fixed@2', dimensions: 2 } };
  const stores = openAzureStores({ ...given, pollMs: 1, settleMs: 20 });
  closing.push(azure.close, stores.close);
  const rows = () => azure.rows('footnote').map((row) => String(row['documentId'] || row['key']));
  return { azure, rows, store: stores.store(admin) };
}

it('confirms deletions where the index of Azure AI Search shows nothing in the time of many deliveries', async () => {
  // Some ten requests fit into the time of one.
  const { rows, store } = await openAzure(60);
  await untilDelivered(() => store.upsert(many(3)), 200);
  const gone = ['doc_d0', 'doc_d1'];
  expect(await untilGone(store, gone, 200)).toBeGreaterThan(2);
  expect(rows()).toEqual(['doc_d2']);
  // One that is brought again after that is not taken for gone by the marker of then.
  await untilDelivered(() => store.upsert(many(1)), 200);
  await untilGone(store, gone, 200);
  expect(rows()).toEqual(['doc_d2']);
});

it('costs a document alone for which Azure AI Search refuses a whole request', async () => {
  const { azure, rows, store } = await openAzure(0);
  azure.server.fault = ({ path, body }) =>
    path.includes('search.index') && body.includes('Heron 7 ') ? 'status-400' : undefined;
  // More than the documents of one request.
  const outcomes = await store.upsert(many(230));
  expect(failures(outcomes)).toEqual([['doc_d7', 'upstream-invalid']]);
  expect(rows()).toHaveLength(229);
});
