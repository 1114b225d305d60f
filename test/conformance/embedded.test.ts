// The embedded store against the promises of the store port.
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import type { OpenHarness } from '../../src/stores/conformance/harness.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import { deleteAll, failing, putAll } from '../../testkit/record-changes.ts';
import { asWrite, temporaryFolder } from '../../testkit/record-fixture.ts';
import { describeStore } from './store-suite.ts';

const openEmbedded: OpenHarness = async () => {
  const { folder, remove } = temporaryFolder();
  const database = openSqliteRecord({ folder });
  return {
    store: (scope) => createEmbeddedStore({ database, scope }),
    async put(scope, documents) {
      const writes = documents.map(asWrite);
      const store = createEmbeddedStore({ database, scope });
      await database.forScope(scope).commit(putAll(writes, store));
    },
    async remove(scope, documentIds) {
      const store = createEmbeddedStore({ database, scope });
      await database.forScope(scope).commit(deleteAll(documentIds, store));
    },
    async putAndFail(scope, document) {
      const write = asWrite(document);
      const store = createEmbeddedStore({ database, scope });
      await database.forScope(scope).commit([{ kind: 'put-document', write }, store.entries.put([write]), failing]);
    },
    async close() {
      await database.close();
      remove();
    },
  };
};

describeStore('embedded', openEmbedded);
