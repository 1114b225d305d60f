// What models cost, in a real record: rows add up, windows are those of the scope, and nobody but an admin sees what others spent.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { SpendingEntry } from '../../../../src/db/repositories/spending.ts';
import { applicationId } from '../../../../src/db/sqlite/migrations.ts';
import { steps } from '../../../../src/db/sqlite/schema-steps.ts';
import { openSqliteRecord } from '../../../../src/db/sqlite/sqlite.ts';
import { recordForEachTest, scopeOf, temporaryFolder } from '../../../../testkit/record-fixture.ts';

const place = recordForEachTest();

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
const spendingOf = (...scope: Parameters<typeof scopeOf>) => place.record.forScope(scopeOf(...scope)).spending;
const all = { from: '2026-01-01', to: '2026-12-31' } as const;

describe('spending', () => {
  it('adds up in its row and survives a restart', async () => {
    const spending = spendingOf('default', 'key:a', 'reader');
    await spending.add([entry(), entry({ sessionId: 's1' })]);
    await spending.add([entry({ calls: 2, costUsd: 0, unpricedCalls: 2 })]);
    await place.reopen();
    const again = spendingOf('default', 'key:a', 'reader');
    const whole = { calls: 4, inputTokens: 300, outputTokens: 30, costUsd: 1, unpricedCalls: 2 };
    expect(await again.total({ of: 'principal', day: '2026-11-22' })).toEqual(whole);
    expect(await again.total({ of: 'session', sessionId: 's1' })).toMatchObject({ calls: 1, costUsd: 0.5 });
    expect(await again.total({ of: 'principal', day: '2026-11-23' })).toEqual({
      calls: 0,
      inputTokens: 0,
      outputTokens: 0,
      costUsd: 0,
      unpricedCalls: 0,
    });
    const rows = place.record.read((database) => database.prepare('SELECT count(*) AS n FROM model_spending').get());
    expect(rows?.['n']).toBe(2);
  });

  it('is summed for its own windows: a session of all days, a caller’s day, a tenant’s day', async () => {
    await spendingOf('default', 'key:a', 'reader').add([
      entry({ sessionId: 's' }),
      entry({ sessionId: 's', day: '2026-11-21' }),
      entry(),
    ]);
    await spendingOf('default', 'key:b', 'reader').add([entry({ sessionId: 's' })]);
    await spendingOf('other', 'key:a', 'reader').add([entry({ sessionId: 's' })]);
    const spending = spendingOf('default', 'key:a', 'reader');
    const calls = async (window: Parameters<typeof spending.total>[0]): Promise<number> =>
      (await spending.total(window)).calls;
    expect(await calls({ of: 'session', sessionId: 's' })).toBe(2);
    expect(await calls({ of: 'principal', day: '2026-11-22' })).toBe(2);
    expect(await calls({ of: 'tenant', day: '2026-11-22' })).toBe(3);
  });

  it('is shown to whoever spent it, and as a whole to admins of the tenant', async () => {
    await spendingOf('default', 'key:a', 'reader').add([
      entry({ sessionId: 's', costUsd: 2 }),
      entry({ role: 'judge', model: 'openai:b', costUsd: 0.1, day: '2026-11-20' }),
    ]);
    await spendingOf('default', 'key:b', 'writer').add([entry({ sessionId: 's', costUsd: 3 })]);
    await spendingOf('other', 'key:c', 'admin').add([entry({ costUsd: 9 })]);
    const names = async (by: 'day' | 'session' | 'key' | 'role' | 'model', ...scope: Parameters<typeof scopeOf>) =>
      (await spendingOf(...scope).usage({ ...all, by })).rows.map(({ name, principal, calls }) => [
        name,
        ...(principal === undefined ? [] : [principal]),
        calls,
      ]);
    const admin = ['default', 'key:root', 'admin'] as const;
    expect(await names('day', ...admin)).toEqual([
      ['2026-11-20', 1],
      ['2026-11-22', 2],
    ]);
    expect(await names('key', ...admin)).toEqual([
      ['key:b', 1],
      ['key:a', 2],
    ]);
    expect(await names('session', ...admin)).toEqual([
      ['s', 'key:b', 1],
      ['s', 'key:a', 1],
      ['', 'key:a', 1],
    ]);
    expect(await names('role', ...admin)).toEqual([
      ['answer', 2],
      ['judge', 1],
    ]);
    expect(await names('model', 'default', 'key:b', 'writer')).toEqual([['openai:a', 1]]);
    const own = await spendingOf('default', 'key:a', 'reader').usage({ ...all, by: 'key' });
    expect(own).toMatchObject({ omitted: 0, total: { calls: 2, costUsd: 2.1 } });
    expect(own.rows.map(({ name }) => name)).toEqual(['key:a']);
    const day = await spendingOf(...admin).usage({ from: '2026-11-21', to: '2026-11-22', by: 'day' });
    expect(day.total).toEqual({ calls: 2, inputTokens: 200, outputTokens: 20, costUsd: 5, unpricedCalls: 0 });
  });

  it('says how many rows a long list leaves out, and sums them all', async () => {
    const spending = spendingOf();
    await spending.add(Array.from({ length: 1005 }, (_, index) => entry({ sessionId: `s${index}`, costUsd: index })));
    const { rows, omitted, total } = await spending.usage({ ...all, by: 'session' });
    expect([rows.length, omitted, total.calls]).toEqual([1000, 5, 1005]);
    expect(rows[0]?.name).toBe('s1004');
  });

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
