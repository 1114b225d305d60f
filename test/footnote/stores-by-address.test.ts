// Hosted stores exist when their address is set, are built of the settings, and take what they are given.
import { afterEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { openStores } from '../../src/footnote/stores.ts';
import { openAzureSearch } from '../../testkit/azure-search/azure-search.ts';
import { openFirestoreRest } from '../../testkit/firestore-rest.ts';
import { createWrite, scopeOf, temporaryFolder } from '../../testkit/record-fixture.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function configOf(environment: Readonly<Record<string, string>>) {
  const { folder, remove } = temporaryFolder();
  closing.push(remove);
  return loadConfig({ folder, environment: { HOME: folder, ...environment } });
}

const documentsOf = () => ({ list: () => Promise.reject(new Error('The record is not asked.')) });

it('none exists where nothing is set, and nothing is sent', async () => {
  const config = configOf({ AZURE_SEARCH_INDEX: 'mine', FIRESTORE_COLLECTION: 'mine' });
  expect(await openStores(config, documentsOf)).toEqual([]);
});

it('exist where their address is set, under the names that are set', async () => {
  const azure = await openAzureSearch();
  const firestore = await openFirestoreRest();
  const config = configOf({
    AZURE_SEARCH_ENDPOINT: azure.address,
    AZURE_SEARCH_API_KEY: azure.apiKey,
    AZURE_SEARCH_INDEX: 'my-index',
    FIRESTORE_PROJECT_ID: 'demo',
    FIRESTORE_EMULATOR_HOST: firestore.host,
    FIRESTORE_COLLECTION: 'mine',
  });
  const opened = await openStores(config, documentsOf, { space: 'fixed@1', dimensions: 1 });
  closing.push(
    () => azure.close(),
    () => firestore.close(),
    () => {
      for (const one of opened) one.close();
    },
  );
  const stores = opened.map((one) => one.open(scopeOf()));
  expect(stores.map(({ name }) => name)).toEqual(['azure', 'firestore']);
  const { document, chunks } = createWrite('A heron.');
  for (const store of stores)
    expect(await store.upsert([{ document, chunks, vectors: Float32Array.of(1) }])).toEqual([
      { documentId: document.id },
    ]);
  expect(azure.rows('my-index')).toHaveLength(1);
  expect(firestore.documents('mine').size).toBe(1);
});

it('are refused with a name that the service does not take', () => {
  for (const name of ['Upper', 'a--b', '-a', 'x'.repeat(101)])
    expect(() => configOf({ AZURE_SEARCH_INDEX: name }), name).toThrow(/AZURE_SEARCH_INDEX/u);
  expect(() => configOf({ FIRESTORE_EMULATOR_HOST: 'http://x' })).toThrow(/FIRESTORE_EMULATOR_HOST/u);
});
