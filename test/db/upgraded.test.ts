// Records that an earlier version wrote, brought up to this one: what was spent in a day is summed up, and of files that were given up nobody but admins is told
// where it is not known whom they were for.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { openPostgresRecord } from '../../src/db/postgres/postgres-record.ts';
import { steps as postgresSteps } from '../../src/db/postgres/tables/schema.ts';
import type { RecordDatabase } from '../../src/db/record.ts';
import { applicationId } from '../../src/db/sqlite/migrations.ts';
import { steps, unreleased } from '../../src/db/sqlite/schema-steps.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { openPostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';
import { scopeOf, temporaryFolder } from '../../testkit/record-fixture.ts';

const rows = [
  `INSERT INTO model_spending (tenant, day, principal, session_id, role, model, calls, input_tokens, output_tokens, cost_usd, unpriced_calls)
   VALUES ('default', 'd', 'a', '', 'x', 'm', 1, 5, 6, 0.1, 0), ('default', 'd', 'a', 's', 'x', 'm', 1, 5, 6, 0.2, 1),
   ('default', 'd', 'b', '', 'x', 'm', 2, 5, 6, 0.30000000000000004, 0), ('default', 'e', 'b', '', 'x', 'm', 3, 5, 6, 7, 0)`,
  `INSERT INTO source (tenant, name, type, connector) VALUES ('default', 'folder', 'docs', '{"kind":"folder","path":"/x"}')`,
  `INSERT INTO reading_failure (tenant, source, uri, content_hash, kind, readers, tries, code, message, failed_at)
   VALUES ('default', 'folder', 'a', '', '', '', 3, '', '', ''), ('default', 'uploads', 'b', '', '', '', 3, '', '', '')`,
];
/** Steps before those that this is about. */
const had = { sqlite: 2, postgres: 13 };

async function expectUpgraded(record: RecordDatabase): Promise<void> {
  const of = (id: string) => record.forScope(scopeOf('default', id, 'writer'));
  const total = (id: string, window: 'principal' | 'tenant', day = 'd') => of(id).spending.total({ of: window, day });
  expect(await total('a', 'principal')).toMatchObject({ calls: 2, costUsd: 0.3, unpricedCalls: 1 });
  expect(await total('a', 'tenant')).toMatchObject({ calls: 4, inputTokens: 15, costUsd: 0.6 });
  expect(await total('a', 'tenant', 'e')).toMatchObject({ calls: 3, costUsd: 7 });
  await of('a').spending.add([
    { day: 'd', role: 'x', model: 'm', calls: 1, inputTokens: 1, outputTokens: 1, costUsd: 0.1, unpricedCalls: 0 },
  ]);
  expect(await total('a', 'tenant')).toMatchObject({ calls: 5, costUsd: 0.7 });
  const seenBy = async (scope: ReturnType<typeof scopeOf>) =>
    (await record.forScope(scope).readings.failures({ isShown: true })).data.map(({ uri }) => uri);
  expect(await seenBy(scopeOf('default', 'a', 'writer'))).toEqual(['a']);
  expect(await seenBy(scopeOf())).toEqual(['a', 'b']);
}

describe('in SQLite', () => {
  const place = temporaryFolder();
  afterEach(() => place.remove());

  it('is as a record of this version', async () => {
    const database = new DatabaseSync(join(place.folder, 'record.sqlite'));
    for (const sql of [...steps.slice(0, had.sqlite), ...rows]) database.exec(sql);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${unreleased + had.sqlite}`);
    database.close();
    const record = openSqliteRecord({ folder: place.folder });
    await expectUpgraded(record);
    await record.close();
  });
});

const programs = postgresPrograms();
describe.skipIf(programs === undefined)('in PostgreSQL (skipped where no server is installed)', () => {
  it('is as a record of this version', async () => {
    const server = await openPostgresServer(programs ?? '');
    try {
      const address = await server.createDatabase();
      const version =
        'CREATE TABLE schema_version (version int PRIMARY KEY, min_reader int, at timestamptz DEFAULT now())';
      const noted = `INSERT INTO schema_version (version, min_reader) VALUES (${had.postgres}, 12)`;
      for (const sql of [version, ...postgresSteps.slice(0, had.postgres), noted, ...rows])
        await server.run(address, sql);
      const record = await openPostgresRecord(address);
      await expectUpgraded(record);
      await record.close();
    } finally {
      server.remove();
    }
  });
});
