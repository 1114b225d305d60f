// Two worlds: the same documents of one tenant, beside other documents of others. Whoever asks in the first tenant sees the same to the last digit: hits,
// scores, order, counts and cursors, in every mode of every hosted store.
import { afterAll, afterEach, expect, it } from 'vitest';
import type { Scope } from '../../src/core/scope.ts';
import type { DocumentWrite } from '../../src/db/repositories/changes.ts';
import { openAzureStores } from '../../src/stores/azure/azure-store.ts';
import { openFirestoreStores } from '../../src/stores/firestore/firestore-store.ts';
import type { Store, StoreQuery } from '../../src/stores/store.ts';
import { openAzureSearch } from '../../testkit/azure-search/azure-search.ts';
import { openFirestoreRest } from '../../testkit/firestore-rest.ts';
import { createRandom, type Random } from '../../testkit/history.ts';
import { openOpenaiPlace } from '../../testkit/openai/place.ts';
import { postgresPrograms } from '../../testkit/postgres/server.ts';
import { openStorePlace, type StorePlace } from '../../testkit/postgres/store-place.ts';
import { createWrite, scopeOf } from '../../testkit/record-fixture.ts';

const vectors = { space: 'fixed@2', dimensions: 2 };
const programs = postgresPrograms();
let place: StorePlace | undefined;
afterAll(() => place?.close());
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const words = ['heron', 'crane', 'otter', 'river', 'waits', 'swims', 'stands', 'night'];
const textOf = ({ below }: Random): string =>
  `${Array.from({ length: 3 + below(30) }, () => words[below(words.length)]).join(' ')}.`;
const writesOf = (random: Random, prefix: string, count: number): readonly DocumentWrite[] =>
  Array.from({ length: count }, (_, at) => {
    const access = random.below(3) === 0 ? { access: ['g1'] } : {};
    return createWrite(textOf(random), {
      id: `doc_${prefix}${at}`,
      uri: `${prefix}${at}.md`,
      language: 'en',
      ...access,
    });
  });
const deliveredOf = ({ document, chunks }: DocumentWrite, { next }: Random) => ({
  document,
  chunks,
  vectors: Float32Array.from(chunks.flatMap(() => [next(), next()])),
});

interface World {
  put(scope: Scope, writes: readonly DocumentWrite[], random: Random): Promise<unknown>;
  store(scope: Scope): Store;
}

const worlds: Readonly<Record<string, () => Promise<World>>> = {
  async azure() {
    const azure = await openAzureSearch();
    const given = { endpoint: azure.address, apiKey: azure.apiKey, vectors };
    const { store, close } = openAzureStores({ ...given, pollMs: 1, callTimeoutMs: 60_000 });
    closing.push(azure.close, close);
    return { store, put: (scope, all, random) => store(scope).upsert(all.map((one) => deliveredOf(one, random))) };
  },
  async firestore() {
    const service = await openFirestoreRest();
    const given = { projectId: 'demo', emulatorHost: service.host, vectors };
    const { store, close } = openFirestoreStores({ ...given, callTimeoutMs: 60_000 });
    closing.push(service.close, close);
    return { store, put: (scope, all, random) => store(scope).upsert(all.map((one) => deliveredOf(one, random))) };
  },
  async openai() {
    const { store, put, close } = await openOpenaiPlace();
    closing.push(close);
    return { store, put };
  },
  async postgres() {
    place ??= await openStorePlace(programs ?? '');
    const { store } = place.open({ vectors });
    return { store, put: (scope, all, random) => store(scope).upsert(all.map((one) => deliveredOf(one, random))) };
  },
};

const filters: readonly StoreQuery['filter'][] = [undefined, undefined, { op: 'glob', field: 'path', value: '*1*.md' }];

function queryOf({ below, next }: Random, { capabilities }: Store): StoreQuery {
  const modes = (['lexical', 'vector', 'hybrid'] as const).filter((mode) => capabilities[mode]);
  const mode = modes[below(modes.length)] ?? 'vector';
  const filter = filters[below(filters.length)];
  const isNear = mode !== 'lexical' && capabilities.vectors === 'given';
  return {
    text: `${words[below(words.length)]} ${words[below(words.length)]}`,
    mode,
    limit: 1 + below(8),
    ...(filter && { filter }),
    ...(mode === 'lexical' && capabilities.counts && { count: true }),
    ...(isNear && { vector: Float32Array.of(next(), next()), space: vectors.space }),
  };
}

async function asksTheSame(name: string): Promise<void> {
  const rounds = 3;
  const asked = 60;
  let found = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const transcripts: string[][] = [];
    for (const other of [1, 2]) {
      const world = await (worlds[name] as () => Promise<World>)();
      const strange = createRandom(round * 1000 + other);
      const [mine, random] = [createRandom(round), createRandom(round + 500)];
      const others = (tenant: string, count: number) =>
        world.put(scopeOf(tenant), writesOf(strange, `o${tenant}`, count), strange);
      // Before and after, more and fewer.
      await others('two', 4 + strange.below(12));
      await world.put(scopeOf('one'), writesOf(mine, 'm', 10), mine);
      await others('three', 4 + strange.below(12));
      const stores = [scopeOf('one'), scopeOf('one', 'ada', 'reader', ['g1']), scopeOf('one', 'bob', 'reader')].map(
        world.store,
      );
      const transcript: string[] = [];
      for (let at = 0; at < asked; at += 1) {
        const store = stores[at % stores.length] as Store;
        const page = await store.search(queryOf(random, store));
        found += page.hits.length;
        for (const { documentId } of page.hits) expect(documentId).toMatch(/^doc_m/u);
        transcript.push(JSON.stringify(page));
      }
      transcripts.push(transcript);
    }
    expect(transcripts[0]).toEqual(transcripts[1]);
  }
  expect(found).toBeGreaterThan(asked * rounds);
}

const hosted = Object.keys(worlds).filter((name) => name !== 'postgres');
it.each(hosted)('of %s are the same to whoever asks in a tenant, whatever others have', asksTheSame);
it.skipIf(programs === undefined)(
  'of postgres are the same to whoever asks in a tenant, whatever others have (skipped where no server is installed)',
  () => asksTheSame('postgres'),
);
