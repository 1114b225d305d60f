// Stores that are given vectors get those of the fixed model that is configured, and are searched by them: Azure AI Search and Firestore,
// against their stand-ins, with a provider of embeddings that counts what it is asked.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { localScope } from '../../../src/core/scope.ts';
import { type AzureSearch, openAzureSearch } from '../../../testkit/azure-search/azure-search.ts';
import { type FirestoreRest, openFirestoreRest } from '../../../testkit/firestore-rest.ts';
import { type OpenedFootnote, openFootnote } from '../../../testkit/open-footnote.ts';
import { openWordEmbeddings, type WordEmbeddings } from '../../../testkit/word-embeddings.ts';

let folder: string;
let azure: AzureSearch;
let firestore: FirestoreRest;
let provider: WordEmbeddings;
let opened: OpenedFootnote | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-given-'));
  [azure, firestore, provider] = await Promise.all([openAzureSearch(), openFirestoreRest(), openWordEmbeddings()]);
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  await Promise.all([azure.close(), firestore.close(), provider.close()]);
  await rm(folder, { recursive: true, force: true });
});

async function open(more: Readonly<Record<string, string>> = {}): Promise<void> {
  await opened?.close();
  const environment = {
    HOME: folder,
    FOOTNOTE_DATA: join(folder, 'data'),
    AZURE_SEARCH_ENDPOINT: azure.address,
    AZURE_SEARCH_API_KEY: azure.apiKey,
    FIRESTORE_PROJECT_ID: 'demo',
    FIRESTORE_EMULATOR_HOST: firestore.host,
    OPENAI_BASE_URL: provider.address,
    MODEL_EMBED: 'compatible:words',
    ...more,
  };
  opened = await openFootnote(loadConfig({ folder, environment }));
}
const footnote = () => (opened as OpenedFootnote).forScope(localScope());
const add = async (uri: string, text: string): Promise<string> =>
  (await footnote().documents.add({ uri, title: uri, text }))[0]?.id ?? '';
const search = (query: string, mode: 'embedded' | 'vector' | 'hybrid') => footnote().search({ query, mode });
const statusOf = async (name: string) => (await footnote().stores.list()).find((store) => store.name === name);

describe('stores that are given vectors', () => {
  it('get them with the documents, each text embedded once for all, and are searched by them', async () => {
    await open();
    const heron = await add('heron.md', 'The heron waits at the river for fish.');
    await add('tram.md', 'The tram leaves every ten minutes.');
    await opened?.settle('default');
    const fields = Object.keys(azure.rows('footnote')[0] ?? {}).filter((name) => name.startsWith('vector_'));
    expect(fields).toHaveLength(1);
    expect([...firestore.documents('footnote').values()].every((row) => Object.hasOwn(row, fields[0] ?? ''))).toBe(
      true,
    );
    expect(provider.texts.filter((text) => text.includes('heron waits'))).toHaveLength(1);

    const before = provider.calls.length;
    const found = await search('heron river', 'vector');
    expect(found.results[0]).toMatchObject({ documentId: heron, stores: ['azure'] });
    expect(found.degraded).toEqual([]);
    const joined = await search('heron at the river', 'hybrid');
    expect(joined.results[0]).toMatchObject({ documentId: heron, stores: ['embedded', 'azure'] });
    expect(joined.degraded).toEqual([]);
    // One call for each query, whoever was asked by its vector.
    expect(provider.calls.slice(before)).toEqual([['heron river'], ['heron at the river']]);
    await open({ VECTOR_STORE: 'firestore' });
    expect((await search('heron river', 'vector')).results[0]).toMatchObject({
      documentId: heron,
      stores: ['firestore'],
    });
    const usage = await footnote().usage();
    expect(usage.total.inputTokens).toBeGreaterThan(0);
  });

  it('lack vectors without a fixed model, which a search says: words serve in hybrid, another store by meaning', async () => {
    await open({ MODEL_EMBED: 'corpus' });
    const heron = await add('heron.md', 'The heron waits at the river for fish.');
    await opened?.settle('default');
    const said = { component: 'azure', code: 'unsupported' };
    const joined = await search('heron', 'hybrid');
    expect(joined.results[0]).toMatchObject({ documentId: heron, stores: ['embedded', 'azure'] });
    expect(joined.degraded).toContainEqual(expect.objectContaining(said));
    const near = await search('heron', 'vector');
    expect(near).toMatchObject({ usedFallback: true });
    expect(near.results[0]).toMatchObject({ documentId: heron, stores: ['embedded'] });
    expect(near.degraded).toContainEqual(expect.objectContaining(said));
    expect(near.degraded).toContainEqual(expect.objectContaining({ component: 'firestore', code: 'unsupported' }));
  });

  it('get everything anew with another model, and only then are asked by it', async () => {
    await open({ MODEL_EMBED: 'corpus' });
    const heron = await add('heron.md', 'The heron waits at the river for fish.');
    await opened?.settle('default');
    expect((await statusOf('azure'))?.coverage).toBe(1);
    await open();
    await opened?.settle('default');
    expect((await search('heron river', 'vector')).results[0]).toMatchObject({ documentId: heron, stores: ['azure'] });
    const writes = azure.server.requests.length;
    await open();
    await opened?.settle('default');
    const since = azure.server.requests.slice(writes).filter(({ path }) => path.includes('search.index'));
    expect(since).toEqual([]);
    await open({ MODEL_EMBED: 'compatible:others' });
    await opened?.settle('default');
    expect((await search('heron river', 'vector')).results[0]).toMatchObject({ documentId: heron, stores: ['azure'] });
    const row = azure.rows('footnote').find(({ documentId }) => documentId === heron) ?? {};
    expect(Object.keys(row).filter((name) => name.startsWith('vector_'))).toHaveLength(1);
  });

  it('wait while no vectors can be made, and are told so; deletions do not wait', async () => {
    await open();
    const heron = await add('heron.md', 'The heron waits at the river for fish.');
    await opened?.settle('default');
    provider.isDown = true;
    await add('tram.md', 'The tram leaves every ten minutes.');
    await footnote().documents.delete(heron);
    const rows = () => azure.rows('footnote').filter(({ documentId }) => documentId !== '');
    await vi.waitFor(async () => {
      expect((await statusOf('azure'))?.deliveries).toMatchObject({ pending: 1, deletions: 0 });
      expect(rows()).toEqual([]);
    }, 60_000);
    provider.isDown = false;
    expect((await footnote().stores.sync('azure')).failed).toBe(0);
    expect(rows()).toHaveLength(1);
    provider.isDown = true;
    const found = await search('a tram that leaves', 'hybrid');
    expect(found.results[0]?.stores).toEqual(['embedded', 'azure']);
    expect(found.degraded).toContainEqual(
      expect.objectContaining({ component: 'azure', effect: 'It was searched by words only.' }),
    );
  });
});
