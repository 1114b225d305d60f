// Outages of the stores that stand in for each other, over the stand-ins of Azure AI Search and Firestore: whatever way one is dead, the next serves and is
// told, a dead one is asked no more often than a sound one, and silence costs what the setting says.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { type AzureSearch, openAzureSearch } from '../../testkit/azure-search/azure-search.ts';
import type { FaultKind, FaultyServer } from '../../testkit/faulty-server.ts';
import { type FirestoreRest, openFirestoreRest } from '../../testkit/firestore-rest.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { temporaryFolder } from '../../testkit/record-fixture.ts';
import { openWordEmbeddings, type WordEmbeddings } from '../../testkit/word-embeddings.ts';

let place: ReturnType<typeof temporaryFolder>;
let azure: AzureSearch;
let firestore: FirestoreRest;
let embeddings: WordEmbeddings;
let opened: OpenedFootnote;

async function open(searchTimeoutMs: number): Promise<void> {
  const environment = {
    FOOTNOTE_DATA: `${place.folder}/data`,
    AZURE_SEARCH_ENDPOINT: azure.address,
    AZURE_SEARCH_API_KEY: azure.apiKey,
    FIRESTORE_PROJECT_ID: 'demo',
    FIRESTORE_EMULATOR_HOST: firestore.host,
    OPENAI_BASE_URL: embeddings.address,
    MODEL_EMBED: 'compatible:words',
    STORE_SEARCH_TIMEOUT_MS: String(searchTimeoutMs),
  };
  opened = await openFootnote(loadConfig({ folder: place.folder, environment }));
}

beforeEach(async () => {
  place = temporaryFolder();
  azure = await openAzureSearch({});
  firestore = await openFirestoreRest({});
  embeddings = await openWordEmbeddings();
  await open(60_000);
  const footnote = opened.forScope(localScope());
  await footnote.documents.add({ uri: 'owl.md', text: 'The barn owl weighs 500 grams.', source: 'notes' });
  await opened.settle('default');
});
afterEach(async () => {
  await opened.close();
  await Promise.all([azure.close(), firestore.close(), embeddings.close()]);
  place.remove();
});

const fail = (server: FaultyServer, kind: FaultKind | undefined): void => {
  server.fault = () => kind;
};
const asked = 20;

/** Who served each of the searches, and how many requests each service saw for them. */
async function searched(count = asked) {
  const before = [azure.server.requests.length, firestore.server.requests.length];
  const servedBy: string[] = [];
  for (let at = 0; at < count; at += 1) {
    // Each another query, that none is answered from what was found before.
    const found = await opened.forScope(localScope()).search({ query: `barn owl ${at}`, mode: 'vector', minScore: 0 });
    servedBy.push(`${found.results[0]?.stores.join()}${found.usedFallback ? ' in place' : ''}`);
    if (found.usedFallback) expect(found.degraded.length).toBeGreaterThan(0);
  }
  return {
    servedBy: [...new Set(servedBy)],
    toAzure: azure.server.requests.length - (before[0] ?? 0),
    toFirestore: firestore.server.requests.length - (before[1] ?? 0),
  };
}

const kinds: readonly FaultKind[] = [
  'reset',
  'status-401',
  'status-403',
  'status-429',
  'status-500',
  'status-503-told',
  'truncated',
  'garbage',
  'html',
  'wrong-shape',
  'empty',
  'lost-reply',
];

it('asks a dead store no more than a sound one', async () => {
  const sound = await searched();
  expect(sound.servedBy).toEqual(['azure']);
  expect(sound.toAzure).toBeGreaterThanOrEqual(asked);
  for (const kind of kinds) {
    await opened.close();
    await open(60_000);
    fail(azure.server, kind);
    const { servedBy, toAzure, toFirestore } = await searched();
    expect(servedBy, kind).toEqual(['firestore in place']);
    expect(toAzure / sound.toAzure, kind).toBeLessThanOrEqual(1.2);
    expect(toFirestore, kind).toBeLessThanOrEqual(asked * 3);
    // A key that is not taken is no word about whether the service is up; all else opens the circuit after five.
    if (!/40[13]/u.test(kind)) expect(toAzure, kind).toBeLessThanOrEqual(2 * 5);
    fail(azure.server, undefined);
  }
});

it('serves from the record where both are dead, in every way and any two ways', async () => {
  for (const [at, kind] of kinds.entries()) {
    await opened.close();
    await open(60_000);
    fail(azure.server, kind);
    fail(firestore.server, kinds[(at * 5 + 3) % kinds.length]);
    const { servedBy, toAzure, toFirestore } = await searched(10);
    expect(servedBy, kind).toEqual(['embedded in place']);
    expect(toAzure + toFirestore, kind).toBeLessThanOrEqual(2 * 10 * 1.2);
  }
  fail(azure.server, undefined);
  fail(firestore.server, undefined);
});

it('waits for silent stores as long as the setting says, one after the other', async () => {
  await opened.close();
  await open(100);
  fail(azure.server, 'silent');
  fail(firestore.server, 'silent');
  const search = async () => {
    const { traceId, results } = await opened.forScope(localScope()).search({ query: 'barn owl', mode: 'vector' });
    expect(results[0]?.stores).toEqual(['embedded']);
    const { events } = await opened.forScope(localScope()).traces.get(traceId);
    return events.flatMap(({ event }) =>
      event.type === 'call' && event.call.method === 'search' && event.call.port !== 'store.embedded'
        ? [event.call.error?.code]
        : [],
    );
  };
  expect(await search()).toEqual(['deadline-exceeded', 'deadline-exceeded']);
  expect(azure.server.requests.length).toBeGreaterThan(0);
});
