// Commits in PostgreSQL among others and over a wire that is cut: revisions have no gaps, whoever follows misses nothing, nothing is done twice, and
// an outcome that nobody knows is not taken for success.
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isFootnoteError } from '../../../src/core/errors.ts';
import { type Connection, createPostgresClient, type PostgresClient } from '../../../src/db/postgres/client/client.ts';
import { migrate } from '../../../src/db/postgres/migrations.ts';
import { openPostgresRecord } from '../../../src/db/postgres/postgres-record.ts';
import type { RecordChange } from '../../../src/db/repositories/changes.ts';
import { indexWithin } from '../../../src/stores/embedded/index-within.ts';
import { openPostgresProxy } from '../../../testkit/postgres/proxy.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();

describe.skipIf(programs === undefined)('commits in PostgreSQL (skipped where no server is installed)', () => {
  const place = postgresForEachTest(programs ?? '');
  const put = (id: string): RecordChange => ({
    kind: 'put-document',
    write: createWrite(`text of ${id}`, { id, uri: `${id}.md` }),
  });
  const revisions = async (): Promise<readonly number[]> =>
    (await place.run('SELECT revision FROM commit_id ORDER BY revision')).map((row) => Number(Object.values(row)[0]));

  it('take revisions without gaps, however many write at once', async () => {
    const other = await openPostgresRecord(place.address);
    const writers = [place.tenant, other.forScope(scopeOf()), place.tenant, other.forScope(scopeOf())];
    await Promise.all(
      writers.map(async (writer, of) => {
        for (let n = 0; n < 12; n++) await writer.commit([put(`${of}-${n}`)]);
      }),
    );
    await other.close();
    expect(await revisions()).toEqual(Array.from({ length: 48 }, (_, at) => at + 1));
    expect((await place.tenant.documents.count()).documents).toBe(48);
  });

  it('are done once where the connection is cut before the server hears of them, and where it is cut after it obeyed', async () => {
    const proxy = await openPostgresProxy(place.address);
    const record = await openPostgresRecord(proxy.address);
    const tenant = record.forScope(scopeOf());
    for (const how of ['before-commit', 'after-commit'] as const)
      for (let n = 0; n < 8; n++) {
        proxy.cut(how, 1);
        expect((await tenant.commit([put(`${how}-${n}`)])).applied).toEqual([true]);
      }
    expect(proxy.cuts()).toBe(16);
    expect((await tenant.documents.count()).documents).toBe(16);
    expect(await revisions()).toEqual(Array.from({ length: 16 }, (_, at) => at + 1));
    await record.close();
    await proxy.close();
  });

  it('analyse what they index once, before they keep anybody waiting', async () => {
    const proxy = await openPostgresProxy(place.address);
    const record = await openPostgresRecord(proxy.address);
    const printed: number[] = [];
    record.keepEntries('embedded', {
      ...indexWithin,
      print(documents) {
        printed.push(record.roundTrips());
        return indexWithin.print(documents);
      },
    });
    const asked = record.roundTrips();
    proxy.cut('before-commit', 1);
    const write = createWrite('otter');
    const entries: RecordChange = { kind: 'put-entries', store: 'embedded', documents: [write] };
    await record.forScope(scopeOf()).commit([{ kind: 'put-document', write }, entries]);
    expect([proxy.cuts(), printed]).toEqual([1, [asked]]);
    expect(await place.run('SELECT document_id FROM ix_log')).toEqual([{ document_id: write.document.id }]);
    await record.close();
    await proxy.close();
  });

  it('say that nobody knows what became of them where nobody can be asked', async () => {
    const proxy = await openPostgresProxy(place.address);
    const record = await openPostgresRecord(proxy.address);
    proxy.cut('after-commit');
    const failed: unknown = await record
      .forScope(scopeOf())
      .commit([put('x')])
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'storage-busy', details: { outcome: 'unknown' } });
    await record.close();
    await proxy.close();
  });

  it('of traces whose outcome nobody knew go on, a group in one transaction', async () => {
    const proxy = await openPostgresProxy(place.address);
    const record = await openPostgresRecord(proxy.address);
    const { traces } = record.forScope(scopeOf());
    const put = (id: string) =>
      traces.saveSoon({ id, kind: 'search', startedAt: new Date(0).toISOString(), totalMs: 1, eventCount: 0 }, []);
    await put('t');
    proxy.cut('after-commit');
    await expect(traces.get('t')).rejects.toMatchObject({ code: 'storage-busy' });
    proxy.mend();
    expect(await place.run('SELECT id FROM trace')).toEqual([{ id: 't' }]);
    expect((await traces.list({})).data).toHaveLength(1);
    const before = record.roundTrips();
    for (let n = 0; n < 63; n++) await put(`t${n}`);
    expect((await traces.list({ limit: 64 })).data).toHaveLength(64);
    // Two for each, the beginning, the end, and the list.
    expect(record.roundTrips() - before).toBe(63 * 2 + 3);
    expect(await place.run('SELECT count(*)::int AS n FROM trace')).toEqual([{ n: 64 }]);
    await record.close();
    await proxy.close();
  });

  it('tell of a database that is away that it is busy, and go on when it is back', async () => {
    await place.tenant.commit([put('before')]);
    place.server.stop('immediate');
    for (const work of [() => place.tenant.documents.count(), () => place.tenant.commit([put('meanwhile')])])
      await expect(work()).rejects.toMatchObject({ code: 'storage-busy', rule: { status: 503, retryable: true } });
    place.server.start();
    await place.tenant.commit([put('after')]);
    expect((await place.tenant.documents.count()).documents).toBe(2);
  });

  it('end in time on a wire that fell silent, and go on when it speaks again', async () => {
    const proxy = await openPostgresProxy(place.address);
    const client = createPostgresClient(proxy.address, { answerMs: 200 });
    const sql = 'SELECT 1 AS one';
    const all = () => Promise.allSettled(Array.from({ length: 12 }, () => client.rows(sql)));
    await all();
    proxy.cut('silence');
    for (const one of await all())
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'storage-busy', rule: { retryable: true } } });
    proxy.mend();
    expect(await client.rows(sql)).toEqual([{ one: 1 }]);
    await client.close();
    await proxy.close();
  });

  it('leave no connection behind when the record is closed over a wire that fell silent', async () => {
    const proxy = await openPostgresProxy(place.address);
    const client = createPostgresClient(proxy.address);
    const ask = (connection: Connection) => connection.rows('SELECT 1');
    await Promise.all([client.read(ask), client.read(ask), client.read(ask)]);
    proxy.cut('silence');
    const waiting = Promise.allSettled([client.read(ask), client.write(ask)]);
    await setTimeout(100);
    expect(proxy.connections()).toBe(3);
    await client.close();
    await expect.poll(() => proxy.connections()).toBe(0);
    for (const one of await waiting)
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'storage-busy' } });
    await proxy.close();
  });

  it('of reads that are cut at their end are told as busy', async () => {
    const proxy = await openPostgresProxy(place.address);
    const client = createPostgresClient(proxy.address);
    for (const how of ['before-commit', 'after-commit'] as const) {
      proxy.cut(how, 1);
      const read = client.read((connection) => connection.rows('SELECT 1'));
      await expect(read).rejects.toMatchObject({ code: 'storage-busy' });
    }
    expect(proxy.cuts()).toBe(2);
    await client.close();
    await proxy.close();
  });

  it('ask the database as often for many documents as for a few', async () => {
    const countOf = async (count: number): Promise<number> => {
      const before = place.record.roundTrips();
      await place.tenant.commit(Array.from({ length: count }, (_, n) => put(`${count}-${n}`)));
      return place.record.roundTrips() - before;
    };
    await countOf(1);
    expect([await countOf(3), await countOf(100)]).toEqual([8, 8]);
  });
});

describe.skipIf(programs === undefined)('the address of PostgreSQL (skipped where no server is installed)', () => {
  const place = postgresForEachTest(programs ?? '');

  it('stands in no error, whatever is wrong with it', async () => {
    const { password } = place.server;
    const right = new URL(place.address);
    const wrong = (part: 'username' | 'pathname' | 'port' | 'hostname', value: string): string => {
      const url = new URL(right);
      url[part] = value;
      return url.href;
    };
    for (const [address, code] of [
      [wrong('username', 'nobody'), 'config-invalid'],
      [wrong('pathname', '/nowhere'), 'config-invalid'],
      [wrong('port', '1'), 'storage-busy'],
      [wrong('hostname', 'nowhere.invalid'), 'storage-busy'],
      [right.href.replace('postgres:', 'mysql:'), 'config-invalid'],
      [`postgres//${password}@`, 'config-invalid'],
      [`postgres://footnote:${password}@[::1`, 'config-invalid'],
    ] as const) {
      const failed: unknown = await openPostgresRecord(address).catch((error: unknown) => error);
      expect(failed).toMatchObject({ code });
      expect(isFootnoteError(failed)).toBe(true);
      expect(inspect(failed, { depth: 10, showHidden: true })).not.toContain(password);
    }
  });

  it('leads to tables of this program or of another that it can work on, and to no others', async () => {
    // Servers that start together.
    const address = await place.server.createDatabase();
    const records = await Promise.all([1, 2, 3].map(() => openPostgresRecord(address)));
    for (const record of records) await record.close();
    // One that does not seal would settle deletions while segments hold their words.
    const steps = await place.server.run(address, 'SELECT min(min_reader) AS oldest FROM schema_version');
    expect(steps).toEqual([{ oldest: 19 }]);
    await place.server.run(address, 'INSERT INTO schema_version (version, min_reader) VALUES (98, 1)');
    await (await openPostgresRecord(address)).close();
    await place.server.run(address, 'INSERT INTO schema_version (version, min_reader) VALUES (99, 99)');
    await expect(openPostgresRecord(address)).rejects.toMatchObject({ code: 'migration-needed' });
  });

  it('waits for a server that migrates for longer than for other statements', async () => {
    const address = await place.server.createDatabase();
    const [first, second] = [createPostgresClient(address), createPostgresClient(address, { answerMs: 200 })];
    const told: unknown[] = [];
    const watched: PostgresClient = {
      ...second,
      write: (work, options) =>
        second.write(async (connection) => {
          const rows: Connection['rows'] = async (sql, values) => {
            if (sql.includes('pg_advisory'))
              told.push(...(await connection.rows("SELECT current_setting('statement_timeout') AS longest")));
            return connection.rows(sql, values);
          };
          return work({ ...connection, rows });
        }, options),
    };
    await first
      .write(async (connection) => {
        await connection.rows('SELECT pg_advisory_xact_lock(4618303557)');
        const waiting = migrate(watched);
        await setTimeout(1000);
        return { waiting };
      })
      .then(({ waiting }) => waiting);
    expect(told).toEqual([{ longest: '0' }]);
    await first.close();
    await second.close();
  });

  it('leads to a database that keeps what it acknowledged, or to none', async () => {
    await place.run(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$",
    );
    await expect(openPostgresRecord(place.address)).rejects.toMatchObject({ code: 'config-invalid' });
  });

  it('says by name what the record in PostgreSQL does not keep yet', async () => {
    const work = [
      () => place.tenant.documents.list({ filter: { op: 'eq', field: 'source', value: 's' } }),
      () => place.tenant.commit([{ kind: 'withdraw-delivery', documentId: 'd', store: 's' }]),
    ];
    for (const one of work) await expect(one()).rejects.toMatchObject({ code: 'unsupported' });
  });
});
