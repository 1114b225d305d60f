// Work that one server at a time does: a name has one holder, goes with its server, and is let go of in time by one that cannot renew it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPostgresRecord, type PostgresRecord } from '../../../src/db/postgres/postgres-record.ts';
import { type Leases, openLocalLeases, untilTaken } from '../../../src/db/servers/leases.ts';
import { openPostgresProxy } from '../../../testkit/postgres/proxy.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();
const patient = { timeout: 60_000 };
/** It never renews by itself, and may declare others dead at once. */
const still = { beatMs: 3_600_000, steadyMs: -1000 };

function leaseSuite(leases: () => readonly [Leases, Leases]): void {
  it('have one holder, until it releases them', async () => {
    const [one, other] = leases();
    const found = await Promise.all([one, other, one, other].map((from) => from.take('embed')));
    const [lease, ...more] = found.filter((each) => each !== undefined);
    expect(more).toEqual([]);
    const signal = AbortSignal.timeout(60_000);
    const waiting = untilTaken(other, 'embed', signal);
    expect(await one.take('another')).toBeDefined();
    await lease?.release();
    const next = await waiting;
    expect(next.signal.aborted).toBe(false);
    await next.release();
    expect(await one.take('embed')).toBeDefined();
  });

  it('stay with who took them again, however often they were released before', async () => {
    const [one, other] = leases();
    const lease = await one.take('again');
    await lease?.release();
    const next = await one.take('again');
    await Promise.all([lease?.release(), lease?.release()]);
    expect(next).toBeDefined();
    expect([await other.take('again'), await one.take('again')]).toEqual([undefined, undefined]);
    await next?.release();
    expect(await other.take('again')).toBeDefined();
  });
}

describe('names in one process', () => {
  const local = openLocalLeases();
  leaseSuite(() => [local, local]);
});

describe.skipIf(programs === undefined)('names among servers (skipped where no server is installed)', () => {
  const place = postgresForEachTest(programs ?? '');
  const records: PostgresRecord[] = [];
  async function open(timing: object = still, address = place.address): Promise<PostgresRecord> {
    const record = await openPostgresRecord(address);
    await record.join({ version: 'test' }, timing);
    records.push(record);
    return record;
  }
  let [first, second] = [0, 0] as unknown as [PostgresRecord, PostgresRecord];
  beforeEach(async () => {
    first = await open();
    second = await open();
  });
  afterEach(async () => {
    for (const record of records.splice(0)) await record.close();
  });
  leaseSuite(() => [first.leases, second.leases]);

  it('go with a server that ended or is dead, and others are told', async () => {
    const quick = await open({ beatMs: 20 });
    let left = 0;
    quick.leases.onLeft(() => {
      left += 1;
    });
    await first.leases.take('one');
    await second.leases.take('two');
    expect(await quick.leases.take('one')).toBeUndefined();
    await place.run(
      "UPDATE server SET seen_at = seen_at - interval '21 s' WHERE id = (SELECT owner FROM lease WHERE name = 'one')",
    );
    await second.markInterrupted();
    expect(await quick.leases.take('one')).toBeDefined();
    expect(await quick.leases.take('two')).toBeUndefined();
    await expect.poll(() => left).toBe(1);
    await records.splice(1, 1)[0]?.close();
    expect(await quick.leases.take('two')).toBeDefined();
    await expect.poll(() => left).toBe(2);
  });

  it('are held by one that slept through its time, which writes nothing', async () => {
    const lease = await first.leases.take('one');
    await place.run(
      "UPDATE server SET seen_at = seen_at - interval '21 s' WHERE id = (SELECT owner FROM lease WHERE name = 'one')",
    );
    await second.markInterrupted();
    expect(await second.leases.take('one')).toBeDefined();
    const late = first.forScope(scopeOf()).commit([{ kind: 'put-document', write: createWrite('late') }]);
    await expect(late).rejects.toMatchObject({ code: 'already-running' });
    await lease?.release();
    expect(await place.run("SELECT 1 FROM lease WHERE name = 'one'")).toHaveLength(1);
  });

  it('stay with a server that took one again whose release it does not know the outcome of', async () => {
    const proxy = await openPostgresProxy(place.address);
    const quick = await open({ beatMs: 20 }, proxy.address);
    for (const how of ['before-commit', 'after-commit'] as const) {
      const lease = await quick.leases.take('one');
      proxy.cut(how, 5);
      const released = lease?.release();
      await expect.poll(() => proxy.cuts(), patient).toBeGreaterThan(0);
      proxy.mend();
      await released;
      await lease?.release();
      let next = await quick.leases.take('one');
      await expect.poll(async () => (next ??= await quick.leases.take('one')), patient).toBeDefined();
      // Renewals, which give back what is left of releases.
      const [{ at }] = (await place.run('SELECT max(seen_at)::text AS at FROM server')) as [{ at: string }];
      await expect
        .poll(() => place.run(`SELECT 1 FROM server WHERE seen_at > '${at}'::timestamptz + interval '200 ms'`), patient)
        .toHaveLength(1);
      expect(await second.leases.take('one'), how).toBeUndefined();
      await next?.release();
      await expect.poll(() => place.run('SELECT 1 FROM lease'), patient).toEqual([]);
    }
    await records.pop()?.close();
    await proxy.close();
  });

  it('are let go of before others may take them where they cannot be renewed', async () => {
    const proxy = await openPostgresProxy(place.address);
    const cut = await open({ beatMs: 50, deadMs: 4000, endsMs: 1500 }, proxy.address);
    const lease = await cut.leases.take('one');
    await expect.poll(() => place.run('SELECT 1 FROM server WHERE seen_at > started_at'), patient).toHaveLength(1);
    expect(lease?.signal.aborted).toBe(false);
    proxy.cut('everything');
    await expect.poll(() => lease?.signal.aborted, patient).toBe(true);
    // What it could not release it releases when it is back.
    await lease?.release();
    expect(await second.leases.take('one')).toBeUndefined();
    proxy.mend();
    await expect.poll(() => second.leases.take('one'), patient).toBeDefined();
    await records.pop()?.close();
    await proxy.close();
  });
});
