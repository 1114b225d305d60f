// The embedded store against the promises of the store port, over each database.
import { afterAll, describe } from 'vitest';
import type { Scope } from '../../src/core/scope.ts';
import { openPostgresRecord } from '../../src/db/postgres/postgres-record.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import type { OpenHarness } from '../../src/stores/conformance/harness.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import { createShadowStore } from '../../src/stores/embedded/shadow/shadow-store.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';
import { deleteAll, failing, putAll } from '../../testkit/record-changes.ts';
import { asWrite, temporaryFolder } from '../../testkit/record-fixture.ts';
import { describeStore } from './store-suite.ts';

const programs = postgresPrograms();
let server: Promise<PostgresServer> | undefined;
afterAll(async () => (await server)?.remove());

const openShadow: OpenHarness = async () => {
  server ??= openPostgresServer(programs ?? '');
  const record = await openPostgresRecord(await (await server).createDatabase());
  const storeOf = (scope: Scope) => createShadowStore({ record, scope });
  return {
    store: storeOf,
    async put(scope, documents) {
      await record.forScope(scope).commit(putAll(documents.map(asWrite), storeOf(scope)));
    },
    async remove(scope, documentIds) {
      await record.forScope(scope).commit(deleteAll(documentIds, storeOf(scope)));
    },
    async putAndFail(scope, document) {
      const write = asWrite(document);
      const entries = storeOf(scope).entries.put([write]);
      await record.forScope(scope).commit([{ kind: 'put-document', write }, entries, failing]);
    },
    close: () => record.close(),
  };
};

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
describe.skipIf(programs === undefined)('in PostgreSQL (skipped where no server is installed)', () => {
  describeStore('embedded', openShadow);
});
