// A database that lost commits which were told, as one may that took over from another: whoever knows of them tells nothing of it, even where as many have been made
// since, and ends. What a database has that was moved or restored is known from then on.
import { afterEach, describe, expect, it } from 'vitest';
import { createPostgresClient } from '../../../src/db/postgres/client/client.ts';
import { openPostgresRecord, type PostgresRecord } from '../../../src/db/postgres/postgres-record.ts';
import { createTenantStates } from '../../../src/db/postgres/tenant-states.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { createWrite } from '../../../testkit/record-fixture.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();

describe.skipIf(programs === undefined)('a database that lost commits (skipped where no server is installed)', () => {
  const place = postgresForEachTest(programs ?? '');
  const records: PostgresRecord[] = [];
  afterEach(async () => {
    for (const record of records.splice(0)) await record.close();
  });
  async function open(): Promise<PostgresRecord> {
    const record = await openPostgresRecord(place.address);
    records.push(record);
    await record.join({ version: 'test' });
    return record;
  }
  const put = (record: PostgresRecord, id: string) =>
    record.forScope(place.tenant.scope).commit([{ kind: 'put-document', write: createWrite(`otter ${id}`, { id }) }]);
  const nothing = { revision: -1, row: 0, seals: new Set<string>() };
  const look = async (record: PostgresRecord) =>
    (await record.indexLogOf('default').changes(nothing, 1)).state?.revision;
  /** As if the last commit had not reached the database that took over. */
  const loseLast = async () => {
    await place.run('DELETE FROM document WHERE id = (SELECT id FROM document ORDER BY changed DESC LIMIT 1)');
    await place.run(`WITH gone AS (DELETE FROM commit_id WHERE id = (SELECT epoch FROM tenant_state))
      UPDATE tenant_state SET revision = revision - 1, epoch = (SELECT id FROM commit_id AS c WHERE c.revision = tenant_state.revision - 1 AND c.tenant = 'default')`);
  };

  it.each(['committed', 'read'] as const)('is told from one that has all, by who %s it', async (how) => {
    const [one, other] = [await open(), await open()];
    for (const id of ['a', 'b']) await put(one, id);
    if (how === 'read') expect(await look(other)).toBe(2);
    const knows = how === 'read' ? other : one;
    await loseLast();
    const third = await open();
    await put(third, 'c');
    expect(await look(third)).toBe(2);
    expect(knows.leases.lost.aborted).toBe(false);
    for (let tries = 0; tries < 2; tries += 1)
      await expect(look(knows)).rejects.toMatchObject({ code: 'storage-busy' });
    expect(knows.leases.lost.reason).toMatchObject({ code: 'already-running' });
    expect(third.leases.lost.aborted).toBe(false);
    // The one that began to look later knows nothing of what is lost.
    if (how === 'committed') expect(await look(other)).toBe(2);
  });

  it('is told by who knows of what it lost, and would commit next', async () => {
    const one = await open();
    for (const id of ['a', 'b']) await put(one, id);
    await loseLast();
    await expect(put(one, 'c')).rejects.toMatchObject({ code: 'storage-busy' });
    expect(one.leases.lost.reason).toMatchObject({ code: 'already-running' });
    expect(await look(await open())).toBe(1);
  });

  it('is not thought of where a commit is heard of while an earlier moment is read', async () => {
    const one = await open();
    await put(one, 'a');
    const client = createPostgresClient(place.address);
    const states = createTenantStates(client, () => new Error('It was thought.'));
    try {
      expect((await states.now('default'))?.revision).toBe(1);
      const read = states.read('default');
      const seen = await client.read(async (connection) => {
        await put(one, 'b');
        expect((await states.now('default'))?.revision).toBe(2);
        return read(connection);
      });
      expect([seen?.revision, (await states.now('default'))?.revision]).toEqual([1, 2]);
      await loseLast();
      await expect(states.now('default')).rejects.toThrow('It was thought.');
    } finally {
      states.close();
      await client.close();
    }
  });

  it('is not thought of one that was moved, grows, is repaired, or had its notes tidied up', async () => {
    const one = await open();
    for (const id of ['a', 'b']) await put(one, id);
    await place.run('UPDATE tenant_state SET epoch = gen_random_uuid()');
    await place.run('DELETE FROM commit_id');
    const [other, third] = [await open(), await open()];
    expect(await look(other)).toBe(2);
    await put(third, 'c');
    expect(await look(other)).toBe(3);
    await place.run('UPDATE tenant_state SET revision = revision + 1, purged = revision + 1');
    for (const id of ['d', 'e']) await put(third, id);
    expect([await look(other), await look(third)]).toEqual([6, 6]);
    await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 ? put(third, `n${n}`) : look(other))));
    expect(await look(other)).toBe(26);
    expect([other, third].map(({ leases }) => leases.lost.aborted)).toEqual([false, false]);
  });
});
