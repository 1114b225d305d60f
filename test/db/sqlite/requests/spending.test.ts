// What models cost has its place in a record of any age.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { SpendingEntry } from '../../../../src/db/repositories/spending.ts';
import { applicationId } from '../../../../src/db/sqlite/migrations.ts';
import { steps } from '../../../../src/db/sqlite/schema-steps.ts';
import { openSqliteRecord } from '../../../../src/db/sqlite/sqlite.ts';
import { scopeOf, temporaryFolder } from '../../../../testkit/record-fixture.ts';

const entry = (given: Partial<SpendingEntry> = {}): SpendingEntry => ({
  day: '2026-11-22',
  role: 'answer',
  model: 'openai:a',
  calls: 1,
  inputTokens: 100,
  outputTokens: 10,
  costUsd: 0.5,
  unpricedCalls: 0,
  ...given,
});
describe('spending', () => {
  it.each(steps.slice(0, -1).map((_, index) => index + 1))('has a place in a record of version %i', async (version) => {
    const old = temporaryFolder();
    try {
      const database = new DatabaseSync(join(old.folder, 'record.sqlite'));
      for (const step of steps.slice(0, version)) database.exec(step);
      database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
      database.exec("INSERT INTO source (tenant, name, type) VALUES ('default', 'notes', 'docs')");
      database.close();
      const opened = openSqliteRecord({ folder: old.folder });
      const { sources, spending } = opened.forScope(scopeOf());
      await spending.add([entry()]);
      expect((await spending.total({ of: 'tenant', day: '2026-11-22' })).calls).toBe(1);
      expect((await sources.list()).map(({ name }) => name)).toEqual(['notes']);
      expect((await opened.info()).schemaVersion).toBe(steps.length);
      await opened.close();
    } finally {
      old.remove();
    }
  });
});
