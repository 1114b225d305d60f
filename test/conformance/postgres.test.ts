// PostgreSQL against the promises of the store port, over a server of the tests' own: by words alone, by words with vectors given, and by meaning alone, where a
// model counts words. Each harness has a schema of its own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import { createWordVectors, wordDimensions, wordSpace } from '../../src/stores/conformance/given-words.ts';
import { admin, type OpenHarness } from '../../src/stores/conformance/harness.ts';
import type { StoreDocument } from '../../src/stores/delivered.ts';
import type { PostgresStoreOptions } from '../../src/stores/postgres/postgres-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { postgresPrograms } from '../../testkit/postgres/server.ts';
import { hasVectors, openStorePlace, type StorePlace } from '../../testkit/postgres/store-place.ts';
import { describeStore } from './store-suite.ts';

const programs = postgresPrograms();
const vectors = { space: wordSpace, dimensions: wordDimensions };

describe.skipIf(programs === undefined)('on PostgreSQL (skipped where no server is installed)', () => {
  let place: StorePlace;
  beforeAll(async () => {
    place = await openStorePlace(programs ?? '');
  }, 120_000);
  afterAll(() => place.close());

  interface Seen {
    readonly given: (document: StoreDocument) => StoreDocument;
    readonly seen: (store: Store) => Store;
  }
  const plain = (): Seen => ({ given: (document) => document, seen: (store) => store });

  const openPostgres =
    (options: Partial<PostgresStoreOptions>, through: () => Seen = plain): OpenHarness =>
    async () => {
      const stores = place.open(options);
      const { given, seen } = through();
      return {
        store: (scope) => seen(stores.store(scope)),
        async put(scope, documents) {
          for (const { error } of await stores.store(scope).upsert(documents.map(given))) if (error) throw error;
          await stores.indexed();
        },
        async remove(scope, documentIds) {
          await stores.store(scope).delete(documentIds.map((documentId) => ({ documentId })));
        },
        async close() {
          for (const tenant of ['default', 'other', 'third']) await stores.drop(tenant);
          stores.close();
        },
      };
    };

  describeStore('postgres', openPostgres({}));
  describe.skipIf(!hasVectors(programs))('with pgvector (skipped where it is not installed)', () => {
    describeStore(
      'postgres with vectors given',
      openPostgres({ vectors }, () => {
        const { given, filling } = createWordVectors();
        return { given, seen: filling };
      }),
    );
    const byMeaning = (): Seen => {
      const { given, over } = createWordVectors();
      return {
        given,
        seen(store) {
          const asked = over(store);
          return {
            ...asked,
            capabilities: { ...asked.capabilities, lexical: false, hybrid: false, counts: false },
            async search(query, signal) {
              if (query.mode !== 'vector' || query.vector)
                throw new FootnoteError('unsupported', 'It is searched by meaning alone.');
              return asked.search(query, signal);
            },
          };
        },
      };
    };
    describeStore('postgres by meaning alone', openPostgres({ vectors }, byMeaning));
    // However few they are.
    describeStore('postgres by its index of neighbours', openPostgres({ vectors, exactRows: 0 }, byMeaning));
  });

  it('leaves nothing behind where a tenant is dropped', async () => {
    const harness = await openPostgres({ schema: 'left "behind"', vectors })();
    expect((await harness.store(admin).health()).status).toBe(hasVectors(programs) ? 'ok' : 'degraded');
    const schemas = () =>
      place.server.run(place.address, 'SELECT 1 FROM pg_namespace WHERE nspname = \'left "behind"\'');
    expect(await schemas()).toHaveLength(1);
    await harness.close();
    expect(await schemas()).toEqual([]);
  });
});
