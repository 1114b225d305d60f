// What somebody else did in a store beside the record, or a write that came late, is found by comparing and put right: against the stand-ins of
// all three hosted stores, whose content is changed behind the back of the program.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openEgress } from '../../src/net/egress.ts';
import { openAzureStores } from '../../src/stores/azure/azure-store.ts';
import { openFirestoreStores } from '../../src/stores/firestore/firestore-store.ts';
import { createVectorStoreClient } from '../../src/stores/openai/client.ts';
import { openOpenaiStores } from '../../src/stores/openai/openai-stores.ts';
import type { Store } from '../../src/stores/store.ts';
import { openAzureSearch } from '../../testkit/azure-search/azure-search.ts';
import { openFirestoreRest } from '../../testkit/firestore-rest.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { type OpenaiSimulator, openOpenaiSimulator, simulatorKey } from '../../testkit/openai/openai-simulator.ts';
import { createWrite } from '../../testkit/record-fixture.ts';
import { openWordEmbeddings } from '../../testkit/word-embeddings.ts';

let folder: string;
let opened: OpenedFootnote;
let simulated: OpenaiSimulator;
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-reconcile-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  await rm(folder, { recursive: true, force: true });
});

async function open(environment: Readonly<Record<string, string>>): Promise<void> {
  opened = await openFootnote(
    loadConfig({ folder, environment: { HOME: folder, FOOTNOTE_DATA: join(folder, 'data'), ...environment } }),
  );
  closing.push(() => opened.close());
}
const footnote = () => opened.forScope(localScope());
const noDocuments = { list: () => Promise.reject(new Error('Nothing is searched.')) };

/** The settings that make the store, and a second way into it. */
const places: Readonly<Record<string, () => Promise<Store>>> = {
  async azure() {
    const azure = await openAzureSearch();
    const provider = await openWordEmbeddings();
    await open({
      AZURE_SEARCH_ENDPOINT: azure.address,
      AZURE_SEARCH_API_KEY: azure.apiKey,
      OPENAI_BASE_URL: provider.address,
      MODEL_EMBED: 'compatible:words',
    });
    const behind = openAzureStores({ endpoint: azure.address, apiKey: azure.apiKey });
    closing.unshift(
      () => azure.close(),
      () => provider.close(),
      () => behind.close(),
    );
    return behind.store(localScope());
  },
  async firestore() {
    const firestore = await openFirestoreRest();
    await open({ FIRESTORE_PROJECT_ID: 'demo', FIRESTORE_EMULATOR_HOST: firestore.host });
    const behind = openFirestoreStores({ projectId: 'demo', emulatorHost: firestore.host });
    closing.unshift(
      () => firestore.close(),
      () => behind.close(),
    );
    return behind.store(localScope());
  },
  async openai() {
    const simulator = await openOpenaiSimulator();
    simulated = simulator;
    await open({ OPENAI_API_KEY: simulatorKey, OPENAI_BASE_URL: simulator.address, VECTOR_STORE: 'openai' });
    const behind = openOpenaiStores({ apiKey: simulatorKey, address: simulator.address, pollMs: 1 });
    closing.unshift(
      () => simulator.close(),
      () => behind.close(),
    );
    return behind.store(localScope(), noDocuments);
  },
};

const counts = { missing: 0, stale: 0, duplicates: 0, orphans: 0 };

it.each(Object.keys(places))('%s: what is missing, changed or unknown is found, told, and put right', async (name) => {
  const behind = await (places[name] as () => Promise<Store>)();
  const ids: string[] = [];
  for (const uri of ['a.md', 'b.md', 'c.md']) {
    const [added] = await footnote().documents.add({ uri, title: uri, text: `The heron of ${uri} waits for fish.` });
    ids.push(added?.id ?? '');
  }
  await opened.settle('default');
  expect(await footnote().stores.reconcile(name)).toMatchObject({ checked: 3, ...counts, isMended: true, failed: 0 });

  const [missing = '', stale = ''] = ids;
  await behind.delete([{ documentId: missing }]);
  const other = createWrite('Somebody else wrote this.', { id: stale, uri: 'b.md' });
  const stranger = createWrite('Nobody here knows this.', { id: 'doc_stranger', uri: 'x.md' });
  for (const one of [other, stranger]) await behind.upsert([one]);

  const drift = { checked: 3, missing: 1, stale: 1, duplicates: 0, orphans: 1 };
  const looked = await footnote().stores.reconcile(name, { dryRun: true });
  expect(looked).toMatchObject({ ...drift, isMended: false, examples: [missing, stale, 'doc_stranger'] });
  const status = (await footnote().stores.list()).find((store) => store.name === name);
  expect(status?.drift).toMatchObject({ ...drift, isMended: false });
  expect(await footnote().stores.reconcile(name)).toMatchObject({ ...drift, isMended: true, delivered: 3, failed: 0 });
  expect(await footnote().stores.reconcile(name)).toMatchObject({ checked: 3, ...counts });
  expect((await behind.health()).documents).toBe(3);
});

it('openai: a document that stands there twice is there once afterwards', async () => {
  await (places['openai'] as () => Promise<Store>)();
  await footnote().documents.add({ uri: 'a.md', text: 'The heron waits for fish.' });
  await opened.settle('default');
  const egress = openEgress({ addresses: [simulated.address] });
  closing.push(() => egress.close());
  const client = createVectorStoreClient({ apiKey: simulatorKey, address: simulated.address, fetch: egress.fetch });
  const storeId = (await client.vectorStores())[0]?.id ?? '';
  const [first] = await client.attachedFiles(storeId);
  const { id } = await client.upload({ name: 'twice.txt', text: 'The heron waits for fish.' });
  await client.attach(storeId, { fileId: id, attributes: first?.attributes ?? {} });
  expect(await footnote().stores.reconcile('openai')).toMatchObject({ ...counts, duplicates: 1, failed: 0 });
  expect(await client.attachedFiles(storeId)).toHaveLength(1);
  expect(await footnote().stores.reconcile('openai')).toMatchObject(counts);
});

it('the store inside the record is compared with nothing', async () => {
  await open({});
  await expect(footnote().stores.reconcile('embedded')).rejects.toMatchObject({ code: 'unsupported' });
});
