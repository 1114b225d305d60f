// The embedded store against the promises of the store port.
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import { temporaryFolder } from '../../testkit/record-fixture.ts';
import type { OpenHarness } from './store-harness.ts';
import { describeStore } from './store-suite.ts';

const openEmbedded: OpenHarness = async () => {
  const { folder, remove } = temporaryFolder();
  const database = openSqliteRecord({ folder });
  return {
    store: (scope) => createEmbeddedStore({ database, scope }),
    async put(scope, writes) {
      const store = createEmbeddedStore({ database, scope });
      await database.forScope(scope).transact((transaction) => {
        for (const write of writes) transaction.putDocument(write);
        store.within?.(transaction).upsert(writes);
      });
    },
    async remove(scope, documentIds) {
      const store = createEmbeddedStore({ database, scope });
      await database.forScope(scope).transact((transaction) => {
        for (const id of documentIds) transaction.deleteDocument(id);
        store.within?.(transaction).delete(documentIds);
      });
    },
    async putAndFail(scope, write) {
      const store = createEmbeddedStore({ database, scope });
      await database.forScope(scope).transact((transaction) => {
        transaction.putDocument(write);
        store.within?.(transaction).upsert([write]);
        throw new Error('after the store was written');
      });
    },
    async close() {
      await database.close();
      remove();
    },
  };
};

describeStore('embedded', openEmbedded);
