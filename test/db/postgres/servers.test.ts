// Several servers on one record: each closes what dead ones held and nothing of the living, and one that was declared dead writes nothing any more.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ingestion } from '../../../src/core/documents/runs.ts';
import { createPostgresClient } from '../../../src/db/postgres/client/client.ts';
import { openPostgresRecord, type PostgresRecord } from '../../../src/db/postgres/postgres-record.ts';
import { createServers } from '../../../src/db/postgres/servers.ts';
import type { TenantRecord } from '../../../src/db/tenant-record.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();
const counts = { found: 1, done: 0, unchanged: 0, failed: 0, deleted: 0, chunks: 0 };
const facts = { version: 'test' };
/** It never renews by itself, and may declare others dead at once. */
const still = { beatMs: 3_600_000, steadyMs: -1000 };

describe.skipIf(programs === undefined)('servers of one record (skipped where no server is installed)', () => {
  const place = postgresForEachTest(programs ?? '');
  const records: PostgresRecord[] = [];
  let [first, second] = [0, 0] as unknown as [PostgresRecord, PostgresRecord];
  const of = (record: PostgresRecord): TenantRecord => record.forScope(scopeOf());

  async function open(timing: object = still, address = place.address): Promise<PostgresRecord> {
    const record = await openPostgresRecord(address);
    await record.join(facts, timing);
    records.push(record);
    return record;
  }
  beforeEach(async () => {
    first = await open();
    second = await open();
  });
  afterEach(async () => {
    for (const record of records.splice(0)) await record.close();
  });

  const run = (id: string): Ingestion => ({
    id,
    source: id,
    state: 'running',
    startedAt: '2026-01-01T00:00:00Z',
    counts,
  });
  /** What a server has under way. */
  async function begin(record: PostgresRecord, id: string): Promise<void> {
    const { ingestions, idempotency, uploads } = of(record);
    await ingestions.put(run(id));
    expect(await idempotency.begin('POST /x', id, 'h')).toBe('new');
    const file = { source: id, uri: 'a', fileId: 'f', runId: id, createdAt: '', state: 'pending', facts: {} } as const;
    await uploads.putAttached([file]);
  }
  async function standing(id: string): Promise<readonly unknown[]> {
    const { ingestions, idempotency, uploads } = place.tenant;
    const claim = await idempotency.begin('POST /x', id, 'h');
    if (claim === 'new') await idempotency.release('POST /x', id);
    const [file] = await uploads.attached({ fileId: 'f', source: id });
    return [(await ingestions.get(id))?.state, file?.state, claim];
  }
  const underWay = ['running', 'pending', 'running'];
  const closed = ['interrupted', 'failed', 'new'];
  /** As if it had been silent for so long. */
  const silence = (id: string) =>
    place.run(
      `UPDATE server SET seen_at = seen_at - interval '21 s' WHERE id = (SELECT held_by FROM ingestion WHERE id = '${id}')`,
    );

  it('close what a dead one held, once, and nothing of one that lives', async () => {
    await begin(first, 'one');
    await begin(second, 'two');
    expect(await second.markInterrupted()).toBe(0);
    expect([await standing('one'), await standing('two')]).toEqual([underWay, underWay]);
    await silence('one');
    const third = await open();
    const closers = [second, third, second, third].map((record) => record.markInterrupted());
    expect((await Promise.all(closers)).filter((count) => count > 0)).toEqual([1]);
    expect([await standing('one'), await standing('two')]).toEqual([closed, underWay]);
  });

  it('close what one leaves that ends', async () => {
    await begin(first, 'one');
    await begin(second, 'two');
    await records.shift()?.close();
    expect([await standing('one'), await standing('two')]).toEqual([closed, underWay]);
    expect(await place.run('SELECT 1 FROM server')).toHaveLength(1);
  });

  it('write nothing any more once they were declared dead', async () => {
    await begin(first, 'one');
    await silence('one');
    await second.markInterrupted();
    const { commit, sessions, answers, ingestions } = of(first);
    const late = [
      () => commit([{ kind: 'put-document', write: createWrite('late') }]),
      () => sessions.create({ id: 's', createdAt: '' }),
      () => answers.delete('a'),
      () => ingestions.put({ ...run('one'), state: 'done' }),
    ];
    for (const work of late) await expect(work()).rejects.toMatchObject({ code: 'already-running' });
    expect((await standing('one'))[0]).toBe('interrupted');
    expect((await place.tenant.documents.count()).documents).toBe(0);
  });

  it('would write all the same without what each transaction asks first', async () => {
    const client = createPostgresClient(place.address);
    await createServers({ ...client, fence: () => undefined }).join({ version: 'unfenced' }, still);
    await place.run("UPDATE server SET seen_at = seen_at - interval '21 s' WHERE version = 'unfenced'");
    await second.markInterrupted();
    expect(await place.run("SELECT 1 FROM server WHERE version = 'unfenced'")).toEqual([]);
    await client.write((connection) =>
      connection.rows(
        "INSERT INTO api_key (id, name, tenant, role, groups, created_at, secret_hash) VALUES ('k', 'late', 't', 'reader', '[]', '', 'h')",
      ),
    );
    expect(await place.run('SELECT name FROM api_key')).toEqual([{ name: 'late' }]);
    await client.close();
  });

  /** A server in the midst of a transaction, which makes its statement when it may end. */
  async function slowWrite(sql: string) {
    const client = createPostgresClient(place.address);
    await createServers(client).join({ version: 'slow' }, still);
    const [began, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = client.write(async (connection) => {
      began.resolve();
      await mayEnd.promise;
      return connection.rows(sql);
    });
    await began.promise;
    return { client, writing, mayEnd };
  }

  it('are not declared dead while a transaction of theirs is under way', async () => {
    const { client, writing, mayEnd } = await slowWrite(
      "SELECT version FROM server WHERE id = current_setting('footnote.server')",
    );
    await place.run("UPDATE server SET seen_at = seen_at - interval '21 s' WHERE version = 'slow'");
    await second.markInterrupted();
    mayEnd.resolve();
    expect(await writing).toEqual([{ version: 'slow' }]);
    await second.markInterrupted();
    await expect(client.write(async () => undefined)).rejects.toMatchObject({ code: 'already-running' });
    await client.close();
  });

  it('write nothing any more once one that was alone had begun while they were silent', async () => {
    await place.run("UPDATE server SET seen_at = seen_at - interval '21 s'");
    const client = createPostgresClient(place.address);
    const alone = createServers(client);
    await alone.joinAlone({ version: 'move' });
    expect(await place.run('SELECT version FROM server')).toEqual([{ version: 'move' }]);
    await expect(of(first).ingestions.put(run('late'))).rejects.toMatchObject({ code: 'already-running' });
    await expect(open()).rejects.toMatchObject({ code: 'already-running' });
    // A paused one that is alone would go on as well.
    await place.run("UPDATE server SET seen_at = seen_at - interval '21 s'");
    await open();
    await expect(client.write(async () => undefined)).rejects.toMatchObject({ code: 'already-running' });
    await client.close();
  });

  it('keep out one that would be alone as long as a transaction of theirs is under way', async () => {
    const { client, writing, mayEnd } = await slowWrite("UPDATE server SET address = 'x' WHERE version = 'slow'");
    await place.run("UPDATE server SET seen_at = seen_at - interval '21 s'");
    const mover = createPostgresClient(place.address);
    let isAlone = false;
    const joining = createServers(mover)
      .joinAlone({ version: 'move' })
      .then(() => {
        isAlone = true;
      });
    await expect.poll(() => place.run('SELECT version FROM server')).toEqual([{ version: 'slow' }]);
    expect(isAlone).toBe(false);
    mayEnd.resolve();
    await Promise.all([writing, joining]);
    expect(await place.run('SELECT version FROM server')).toEqual([{ version: 'move' }]);
    await Promise.all([client.close(), mover.close()]);
  });

  it('are not declared dead by one that was away as long as they were', async () => {
    await begin(first, 'one');
    await place.run("UPDATE server SET seen_at = seen_at - interval '1 h', steady_at = steady_at - interval '1 h'");
    const back = await open({ beatMs: 1000, steadyMs: 60_000 });
    await begin(back, 'two');
    await place.run("UPDATE server SET seen_at = seen_at - interval '1 h', steady_at = steady_at - interval '1 h'");
    const isBack = async () =>
      (await place.run("SELECT 1 FROM server WHERE seen_at > clock_timestamp() - interval '5 s'")).length;
    await expect.poll(isBack, { timeout: 60_000 }).toBe(1);
    expect(await back.markInterrupted()).toBe(0);
    expect(await standing('one')).toEqual(underWay);
    await place.run("UPDATE server SET steady_at = steady_at - interval '1 h'");
    await expect.poll(() => standing('one'), { timeout: 60_000 }).toEqual(closed);
    expect(await standing('two')).toEqual(underWay);
  });

  it('are not declared dead by one that was away for nearly as long', async () => {
    await begin(first, 'one');
    const back = await open({ beatMs: 1000, steadyMs: 60_000 });
    await place.run(`UPDATE server SET seen_at = seen_at - interval '15 s', steady_at = steady_at - interval '1 h'`);
    await silence('one');
    const isBack = async () =>
      (await place.run("SELECT 1 FROM server WHERE seen_at > clock_timestamp() - interval '5 s'")).length;
    await expect.poll(isBack, { timeout: 60_000 }).toBe(1);
    expect(await back.markInterrupted()).toBe(0);
    expect(await standing('one')).toEqual(underWay);
  });

  it('hear which of their runs are to end without looking at those that have ended', { timeout: 60_000 }, async () => {
    await place.run(`INSERT INTO ingestion (tenant, id, source, state, started_at, counts, is_cancelled)
      SELECT 'default', 'old ' || n, 's', 'done', '', '{}', true FROM generate_series(1, 5000) AS n`);
    for (const id of ['one', 'two']) await of(first).ingestions.put(run(id));
    await place.run('ANALYZE ingestion');
    const { others } = second;
    expect(await others?.cancelRuns(place.tenant.scope.tenant, { source: 'one' })).toBe(1);
    const asked = ['one', 'two', 'old 1'];
    const scans = async () => {
      expect(await others?.cancelled(asked)).toEqual(['one']);
      const sql = "SELECT idx_scan AS scans FROM pg_stat_user_indexes WHERE indexrelname = 'ingestion_running'";
      const [row] = (await place.run(sql)) as readonly { readonly scans: unknown }[];
      return Number(row?.scans);
    };
    // More than whatever else looked at it.
    await expect.poll(scans, { timeout: 60_000 }).toBeGreaterThan(5);
  });

  const seenLately = async (version: string) =>
    (
      await place.run(
        `SELECT 1 FROM server WHERE version = '${version}' AND seen_at > clock_timestamp() - interval '5 s'`,
      )
    ).length;

  it('renew however much else they do', async () => {
    const client = createPostgresClient(place.address);
    await createServers(client).join({ version: 'busy' }, { beatMs: 20 });
    const mayEnd = Promise.withResolvers<void>();
    const busy = Array.from({ length: 20 }, () => client.read(() => mayEnd.promise).catch(() => undefined));
    await place.run("UPDATE server SET seen_at = seen_at - interval '15 s'");
    await expect.poll(() => seenLately('busy'), { timeout: 60_000 }).toBe(1);
    mayEnd.resolve();
    await Promise.all(busy);
    await client.close();
  });

  it('begin no renewal while one is under way', async () => {
    const client = createPostgresClient(place.address);
    let asked = 0;
    const mayEnd = Promise.withResolvers<void>();
    const soon = async (...given: Parameters<typeof client.rows>) => {
      asked += 1;
      await mayEnd.promise;
      return client.soon(...given);
    };
    await createServers({ ...client, soon: soon as typeof client.soon }).join({ version: 'slow' }, { beatMs: 5 });
    await expect.poll(() => asked).toBe(1);
    await new Promise((later) => setTimeout(later, 100));
    expect(asked).toBe(1);
    mayEnd.resolve();
    await expect.poll(() => asked).toBeGreaterThan(2);
    await client.close();
  });

  it('declare others dead by themselves, and renew what is theirs', async () => {
    await begin(first, 'one');
    await silence('one');
    const quick = await open({ beatMs: 20, steadyMs: -1000 });
    await begin(quick, 'four');
    await expect.poll(() => standing('one')).toEqual(closed);
    expect(await standing('four')).toEqual(underWay);
  });
});
