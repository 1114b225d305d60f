// Segments that one server seals and another reads: every search finds what the store inside SQLite finds, with the same scores to the last bit, whoever
// sealed what, whatever was committed meanwhile, and wherever the one that sealed was cut off.
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { openPostgresRecord, type PostgresRecord } from '../../../src/db/postgres/postgres-record.ts';
import type { RecordChange } from '../../../src/db/repositories/changes.ts';
import { sealRemoval, sealSegment } from '../../../src/db/repositories/index-log.ts';
import { setBit } from '../../../src/engine/bitmap.ts';
import { closeEngineThreads, engineThreads } from '../../../src/engine/threads/engine-threads.ts';
import { openPostgresParts } from '../../../src/footnote/parts/postgres-parts.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { indexWithin } from '../../../src/stores/embedded/index-within.ts';
import type { EmbeddedStore } from '../../../src/stores/embedded/port.ts';
import { openShadowErasure } from '../../../src/stores/embedded/shadow/shadow-erasure.ts';
import { createShadowStore } from '../../../src/stores/embedded/shadow/shadow-store.ts';
import { createShadowUpkeep, restAfter, type ShadowUpkeep } from '../../../src/stores/embedded/shadow/shadow-upkeep.ts';
import { keepShadows, shadowOf } from '../../../src/stores/embedded/shadow/shadows.ts';
import { areSegmentsSound } from '../../../src/stores/embedded/shadow/sound-segments.ts';
import { createRandom } from '../../../testkit/history.ts';
import { openPostgresProxy } from '../../../testkit/postgres/proxy.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { deleteAll, putAll } from '../../../testkit/record-changes.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';
import { isLongRun, shareOfDay } from '../../../testkit/sample.ts';

const programs = postgresPrograms();
const words =
  'otter river granary lantern copper meadow solar harbour invoice ledger willow thunder cobalt saffron'.split(' ');
const filter = { op: 'ne', field: 'uri', value: 'd1.md' } as const;

interface ServerOptions {
  readonly address?: string;
  readonly kept?: Parameters<typeof keepShadows>[1];
}

afterAll(closeEngineThreads);

describe.skipIf(programs === undefined)('sealed segments in PostgreSQL (skipped where no server is installed)', () => {
  const sqlite = recordForEachTest();
  const place = postgresForEachTest(programs ?? '');
  const open: (() => Promise<void>)[] = [];
  const random = createRandom(11);
  const pick = (): string => words[Math.floor(random.next() ** 2 * words.length)] as string;
  const textOf = (length: number): string => Array.from({ length }, pick).join(' ');
  const written = (id: string, { revision = 1, length = 20 + random.below(200) } = {}) =>
    createWrite(textOf(length), { id, uri: `${id}.md`, title: textOf(3), revision });
  const many = (count: number, from = 0) => Array.from({ length: count }, (_, n) => written(`d${from + n}`));

  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  /** A server of its own, which seals when it is asked to, however few rows, or by itself as it is told. */
  async function server({ address = place.address, kept }: ServerOptions = {}): Promise<PostgresRecord> {
    const record = await openPostgresRecord(address);
    open.push(() => record.close());
    await record.join({ version: 'test' });
    if (kept) open.push(keepShadows(record, kept));
    // Its commits write the entries of the store.
    shadowOf(record, 'default');
    return record;
  }

  /** `meanwhile`: so often, when a segment is made and not there yet. */
  function upkeepOf(record: PostgresRecord, meanwhile?: () => Promise<void>, times = 1): ShadowUpkeep {
    const { engine, follow } = shadowOf(record, 'default');
    const look = async () => (await follow()).view;
    const { turnOver, tidy, unsealed } = record.indexLogOf('default');
    let left = times;
    const log: Parameters<typeof createShadowUpkeep>[0]['log'] = {
      tidy,
      unsealed,
      async turnOver(given) {
        if (left-- > 0) await meanwhile?.();
        return turnOver(given);
      },
    };
    return createShadowUpkeep({ engine, look, log, leases: record.leases, timing: { sealFrom: 1, quietMs: 0 } });
  }

  const embedded = (): EmbeddedStore => createEmbeddedStore({ database: sqlite.record, scope: scopeOf() });
  const shadowed = (record: PostgresRecord): EmbeddedStore => createShadowStore({ record, scope: scopeOf() });
  const settle = (record: PostgresRecord) => upkeepOf(record).settle();
  const put = (writes: readonly ReturnType<typeof written>[]): RecordChange[] => putAll(writes, embedded());
  const remove = (ids: readonly string[]): RecordChange[] => deleteAll(ids, embedded());

  /** The same commit in both. */
  async function commit(record: PostgresRecord, changes: readonly RecordChange[]): Promise<void> {
    await sqlite.tenant.commit(changes);
    await record.forScope(scopeOf()).commit(changes);
  }

  const questions = [...words, 'otter river', 'copper meadow solar', '"copper meadow"', 'otter -river'];

  async function found(store: EmbeddedStore) {
    const pages = [];
    for (const text of questions)
      for (const given of [{}, { filter }]) {
        const { hits } = await store.search({ text, mode: 'lexical', limit: 10, ...given });
        pages.push(hits.map(({ chunkId, documentId, score }) => ({ text, chunkId, documentId, score })));
      }
    return pages;
  }

  async function expectSame(...records: readonly PostgresRecord[]): Promise<void> {
    const expected = await found(embedded());
    expect(expected.flat().length).toBeGreaterThan(questions.length);
    for (const record of records) expect(await found(shadowed(record))).toEqual(expected);
    const { chunks } = await sqlite.tenant.documents.count();
    for (const record of records) {
      const { view } = await shadowOf(record, 'default').follow();
      expect([view.incomplete, view.index.count()]).toEqual([undefined, chunks]);
    }
  }

  async function rowsIn(table: string): Promise<number> {
    const [row] = await place.run(`SELECT count(*)::int AS count FROM ${table}`);
    return (row as { readonly count: number }).count;
  }
  /** Log, segments, parts that no segment names, removals. */
  const inTables = () =>
    Promise.all([
      rowsIn('ix_log'),
      rowsIn('ix_segment'),
      rowsIn('ix_part AS p WHERE NOT EXISTS (SELECT 1 FROM ix_segment AS s WHERE s.seal = p.seal)'),
      rowsIn('ix_removed'),
    ]);

  it('are read by another server in place of rows, with the same hits and scores', async () => {
    const [one, two] = [await server(), await server()];
    await commit(one, put(many(60)));
    await expectSame(one, two);
    await settle(one);
    expect((await inTables()).slice(0, 3)).toEqual([0, 1, 0]);
    await commit(one, put(many(40, 60)));
    await expectSame(two, one);
    await settle(two);
    expect((await inTables()).slice(0, 3)).toEqual([0, 1, 0]);
    await expectSame(one, two, await server());
    await commit(two, [...put([written('d5', { revision: 2 }), written('new')]), ...remove(['d7', 'd8'])]);
    await expectSame(two, one, await server());
    await settle(two);
    expect((await inTables()).at(-1)).toBe(0);
    await expectSame(one, two, await server());
  });

  it('leave nothing that they replaced to the threads of a server that reads them', async () => {
    const [one, two] = [await server(), await server()];
    await commit(one, put(many(20)));
    await expectSame(one, two);
    const released = vi.spyOn(engineThreads, 'release');
    try {
      const { engine, follow } = shadowOf(two, 'default');
      await follow();
      expect(released).not.toHaveBeenCalled();
      await settle(one);
      await follow();
      expect(released).toHaveBeenLastCalledWith(engine.threaded);
    } finally {
      released.mockRestore();
    }
  });

  it('are sealed by whoever may, while all commit and search', async () => {
    const records = [await server(), await server(), await server()];
    await commit(records[0] as PostgresRecord, put(many(10)));
    let documents = 10;
    for (let round = 0; round < (isLongRun ? 20 : 3); round++) {
      for (const record of records) {
        const changes = [
          ...put([...many(2, documents), written(`d${random.below(documents)}`, { revision: round + 2 })]),
          ...remove([`d${random.below(documents)}`]),
        ];
        documents += 2;
        await commit(record, changes);
        if (random.below(2) === 0) await shadowOf(record, 'default').follow();
      }
      // They seal in turns, while one deletes what is being sealed, and each looks.
      const gone = remove([`d${random.below(documents)}`, `d${random.below(documents)}`]);
      await Promise.all([
        ...records.map((record) => settle(record)),
        commit(records[round % 3] as PostgresRecord, gone),
        ...records.map((record) => shadowed(record).search({ text: 'otter', mode: 'lexical', limit: 5, filter })),
      ]);
      await expectSame(...records);
    }
    await expectSame(await server());
    const segments = await rowsIn('ix_segment');
    expect(segments).toBeGreaterThan(0);
    for (const record of records) await settle(record);
    expect((await inTables()).slice(2)).toEqual([0, 0]);
  });

  it('know what was deleted or changed while they were made', async () => {
    const [one, two] = [await server(), await server()];
    await commit(one, put(many(20)));
    const changes = [...remove(['d2']), ...put([written('d4', { revision: 2 }), written('new')])];
    for (const record of [one, two]) await shadowOf(record, 'default').follow();
    let rows = 0;
    const upkeep = upkeepOf(one, async () => {
      await commit(two, changes);
      rows = await rowsIn('ix_removed');
    });
    await upkeep.settle();
    expect(await upkeep.purge()).toBe(true);
    expect(rows).toBe(2);
    await expectSame(one, two, await server());
    // And while one is made that nobody rewrites at once.
    await commit(one, put(many(5, 20)));
    const look = upkeepOf(one, () => commit(two, remove(['d21'])));
    await look.settle();
    await expectSame(one, two, await server());
    expect((await inTables()).slice(2)).toEqual([0, 0]);
  });

  it('lose nothing and double nothing, wherever the server that seals is cut off', async () => {
    const proxy = await openPostgresProxy(place.address);
    open.push(() => proxy.close());
    const [keeper, other] = [await server({ address: proxy.address }), await server()];
    await commit(other, put(many(20)));
    let documents = 20;
    /** How often it asked the database; what it seals has something new, and something to rewrite. */
    async function seal(cut: () => void = () => undefined): Promise<number> {
      await commit(other, [...put(many(2, documents)), ...remove([`d${documents - 4}`])]);
      documents += 2;
      for (const record of [keeper, other]) await shadowOf(record, 'default').follow();
      const before = proxy.asked();
      cut();
      await settle(keeper).catch(() => undefined);
      return proxy.asked() - before;
    }
    await seal();
    const requests = await seal();
    expect(requests).toBeGreaterThan(20);
    const all = Array.from({ length: requests }, (_, at) => at + 1);
    for (const request of shareOfDay(all, 8))
      for (const how of ['before', 'after'] as const) {
        await seal(() => proxy.cutAt(request, how));
        proxy.mend();
        await expectSame(other);
      }
    expect(proxy.cuts()).toBeGreaterThan(3);
    await settle(keeper);
    await expectSame(keeper, other, await server());
    expect((await inTables()).slice(2)).toEqual([0, 0]);
  });

  it('let go of any number of removals, a few thousand in a statement, and make nobody load anew who saw them', async () => {
    const [one, two] = [await server(), await server()];
    await commit(one, put(many(20)));
    await settle(one);
    await commit(one, [...put([written('d3', { revision: 2 })]), ...remove(['d4'])]);
    // Records of the version before have every removal that there ever was.
    const removals = Array.from({ length: 4500 }, (_, at) => ({ revision: 1, first: -at - 1, last: -at - 1 }));
    const values = removals.map((one) => `('default', 1, ${one.first}, ${one.last}, '${sealRemoval('default', one)}')`);
    await place.run(`INSERT INTO ix_removed VALUES ${values.join(', ')}; CREATE TABLE deletions (count int);
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO deletions SELECT count(*) FROM gone; RETURN NULL; END $$;
      CREATE TRIGGER noted AFTER DELETE ON ix_removed REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note()`);
    await shadowOf(two, 'default').follow();
    await settle(one);
    expect((await inTables()).at(-1)).toBe(0);
    const [most] = await place.run('SELECT max(count) AS most FROM deletions');
    expect(most).toEqual({ most: 2000 });
    await expectSame(one, two, await server());
    // Nothing was removed since: who looked before the merge began reads what is new alone.
    const purged = () => place.run('SELECT purged FROM tenant_state');
    const before = await purged();
    await commit(one, put(many(20, 20)));
    await settle(one);
    expect([await rowsIn('ix_log'), await purged()]).toEqual([0, before]);
    await expectSame(one, two, await server());
  });

  it('hold no word of what was deleted', async () => {
    const [one, two] = [await server(), await server()];
    const planted = createWrite(`${textOf(40)} zweimaster ${textOf(40)}`, { id: 'planted', uri: 'planted.md' });
    await commit(one, put([...many(30), planted]));
    await settle(one);
    const word = Buffer.from('zweimast').toString('hex');
    const inParts = () => rowsIn(`ix_part WHERE position('\\x${word}'::bytea IN bytes) > 0`);
    expect(await inParts()).toBe(1);
    // What a server left that was killed, too.
    await place.run("INSERT INTO ix_part SELECT tenant, 'left', ordinal, bytes, owner FROM ix_part");
    await commit(two, remove(['planted']));
    expect(await inParts()).toBe(2);
    expect(await openShadowErasure(two, 'default').purgeIndex()).toBe(true);
    expect([await inParts(), await rowsIn('ix_log'), await rowsIn('ix_removed')]).toEqual([0, 0, 0]);
    await expectSame(one, two, await server());
  });

  it('are rewritten once for a deletion, whatever is deleted meanwhile', async () => {
    const [one, two] = [await server(), await server()];
    await commit(one, put(many(20)));
    await settle(one);
    await commit(two, remove(['d0']));
    let made = 0;
    const goOn = async (): Promise<void> => {
      made += 1;
      await commit(two, remove([`d${made}`]));
    };
    expect(await upkeepOf(one, goOn, 10).purge()).toBe(true);
    expect(made).toBe(1);
    await expectSame(one, two);
    expect(await openShadowErasure(one, 'default').purgeIndex()).toBe(true);
    expect((await inTables()).slice(2)).toEqual([0, 0]);
  });

  it('are made behind the writes, by a server that nobody asks', async () => {
    const record = await server({ kept: { sealFrom: 10, quietMs: 20 } });
    await commit(record, put(many(40)));
    await vi.waitFor(async () => expect((await inTables()).slice(0, 2)).toEqual([0, 1]), { timeout: 60_000 });
    await commit(record, remove(['d3']));
    await vi.waitFor(async () => expect((await inTables()).slice(2)).toEqual([0, 0]), { timeout: 60_000 });
    await expectSame(record);
  });

  it('are made by a server as it is started, in several parts', async () => {
    const { database } = await openPostgresParts(place.address, { data: sqlite.folder, indexMemoryMb: undefined });
    open.push(() => database.close());
    for (let n = 0; n < 60; n += 5) {
      const changes = put(Array.from({ length: 5 }, (_, at) => written(`d${n + at}`, { length: 6000 })));
      await sqlite.tenant.commit(changes);
      await database.forScope(scopeOf()).commit(changes);
    }
    await vi.waitFor(async () => expect(await rowsIn('ix_segment')).toBe(1), { timeout: 60_000 });
    expect(await rowsIn('ix_part')).toBeGreaterThan(1);
    await expectSame(await server());
  });

  it('leave no part on a disk that is full, and are tried again ever later', async () => {
    const record = await server();
    await commit(record, put(Array.from({ length: 40 }, (_, n) => written(`d${n}`, { length: 6000 }))));
    await place.run(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.ordinal > 0 THEN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER refused BEFORE INSERT ON ix_part FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const full: unknown = await settle(record).catch((error: unknown) => error);
    expect(full).toMatchObject({ code: 'storage-full' });
    expect([await rowsIn('ix_part'), await rowsIn('ix_segment')]).toEqual([0, 0]);
    await expectSame(record);
    const seconds = [30, 60, 120, 240, 480, 960, 1800, 1800];
    expect(seconds.map((_, at) => restAfter(full, (seconds[at - 1] ?? 0) * 1000) / 1000)).toEqual(seconds);
    expect(restAfter(new Error('another'), 240_000)).toBe(30_000);
    await place.run('DROP TRIGGER refused ON ix_part');
    await settle(record);
    expect(await rowsIn('ix_part')).toBeGreaterThan(1);
  });

  it('go where they were replaced by a server that was killed then, at the next start or when it is missed', async () => {
    const [one, two] = [await server(), await openPostgresRecord(place.address)];
    await two.join({ version: 'test' });
    await commit(one, put(many(20)));
    await place.run('CREATE TABLE kept AS SELECT * FROM ix_log');
    await settle(one);
    const leave = () =>
      place.run(`INSERT INTO ix_log SELECT * FROM kept;
        INSERT INTO ix_part SELECT tenant, 'left', ordinal, bytes, owner FROM ix_part`);
    await leave();
    const patient = { timeout: 60_000 };
    const isTidy = () => vi.waitFor(async () => expect(await inTables()).toEqual([0, 1, 0, 0]), patient);
    const three = await server({ kept: {} });
    await expectSame(three);
    await isTidy();
    await leave();
    await two.close();
    await isTidy();
    await expectSame(one, three, await server());
  });

  it('keep nobody waiting who closes while one is made', async () => {
    const record = await server();
    await commit(record, put(many(20)));
    const [begun, silent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const upkeep = upkeepOf(record, () => {
      begun.resolve();
      return silent.promise;
    });
    upkeep.schedule();
    await begun.promise;
    await upkeep.close();
    silent.resolve();
    // Whoever takes the turn next finds nothing written.
    await vi.waitFor(async () => expect(await record.leases.take('upkeep:default')).toBeDefined());
    expect([await rowsIn('ix_part'), await rowsIn('ix_segment')]).toEqual([0, 0]);
  });

  it('are sound where the last one ends within a document, whose rest is compared with the log', async () => {
    const record = await server();
    const long = written('long', { length: 6000 });
    await commit(record, put([...many(5), long]));
    const { engine, follow } = shadowOf(record, 'default');
    const [part] = (await follow()).view.index.segments();
    const rows = [...(part?.segment.rows ?? [])];
    const cut = rows.length - 2;
    expect(long.chunks.length).toBeGreaterThan(3);
    const dead = new Uint32Array(Math.ceil(rows.length / 32));
    for (let slot = cut; slot < rows.length; slot++) setBit(dead, slot);
    const made = await engineThreads.merge(part ? [{ segment: part.segment, dead }] : []);
    const range = { first: rows[0] ?? 0, last: rows[cut - 1] ?? 0 };
    const seal = sealSegment('default', range, made.sha256);
    const log = record.indexLogOf('default');
    const { bytes } = made.segment;
    await log.turnOver({ ...range, made: { seal, bytes }, replaced: [], revision: engine.revision() });
    await log.tidy();
    expect(await rowsIn('ix_log')).toBe(2);
    const wrong = () => record.repairs.wrong('default', indexWithin.print([long]));
    expect([await areSegmentsSound(record, 'default'), await wrong()]).toEqual([true, []]);
    await expectSame(record, await server());
    await place.run(`DELETE FROM ix_log WHERE row = ${rows.at(-1)}`);
    expect([await areSegmentsSound(record, 'default'), await wrong()]).toEqual([true, ['long']]);
    await place.run("UPDATE ix_document SET last_row = last_row + 1 WHERE document_id = 'long'");
    expect(await areSegmentsSound(record, 'default')).toBe(false);
  });

  it('are not made of an index that is damaged, and the deleted is told to be left', async () => {
    const record = await server();
    await commit(record, put(many(20)));
    await settle(record);
    await place.run('UPDATE ix_part SET bytes = set_byte(bytes, 100, 255 - get_byte(bytes, 100))');
    const other = await server();
    await commit(other, remove(['d3']));
    await settle(other);
    expect(await openShadowErasure(other, 'default').purgeIndex()).toBe(false);
    expect((await shadowOf(other, 'default').follow()).view.incomplete).toContain('damaged');
  });
});
