// A record with something in every table goes from the data folder into PostgreSQL and back: nothing is lost on the way, and what it finds, replays and opens
// is what it was, to the last bit.
import { mkdirSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { localScope } from '../../../src/core/scope.ts';
import type { Moved } from '../../../src/db/move/move-record.ts';
import { openPostgresRecord } from '../../../src/db/postgres/postgres-record.ts';
import { backUp } from '../../../src/footnote/backup/backup.ts';
import { moveToFolder, moveToPostgres } from '../../../src/footnote/backup/move.ts';
import { restore, restoreToPostgres } from '../../../src/footnote/backup/restore.ts';
import { foundBy, makeWholeRecord, type WholeRecord } from '../../../testkit/move/whole-record.ts';
import { type OpenedFootnote, openFootnote } from '../../../testkit/open-footnote.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../../testkit/postgres/server.ts';

const programs = postgresPrograms();
const { signal } = new AbortController();

describe.skipIf(programs === undefined)('a record that moves (skipped where no PostgreSQL is installed)', () => {
  let server: PostgresServer;
  let folder: string;
  let whole: WholeRecord;
  let address: string;
  let there: Moved;

  const opened = async <T>(data: string, settings: object, work: (one: OpenedFootnote) => Promise<T>): Promise<T> => {
    const one = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: data, ...settings } }));
    try {
      return await work(one);
    } finally {
      await one.close();
    }
  };
  beforeAll(async () => {
    server = await openPostgresServer(programs ?? '');
    folder = await mkdtemp(join(tmpdir(), 'footnote-move-'));
    whole = await makeWholeRecord(folder);
    const leaning = "SELECT count(*) AS traces FROM trace WHERE chunks <> '[]'";
    const database = new DatabaseSync(join(folder, 'data', 'record.sqlite'));
    expect(Number(database.prepare(leaning).get()?.['traces'])).toBeGreaterThan(0);
    database.close();
    address = await server.createDatabase();
    const before = await readFile(join(folder, 'data', 'record.sqlite'));
    there = await moveToPostgres(join(folder, 'data'), { address, isResumed: false, signal });
    expect(before.equals(await readFile(join(folder, 'data', 'record.sqlite')))).toBe(true);
  }, 300_000);
  afterAll(async () => {
    server?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('has something in every table, and comes back equal', async () => {
    expect(Object.entries(there.tables).flatMap(([name, { rows }]) => (rows === 0 ? name : []))).toEqual([]);
    const back = await moveToFolder(join(folder, 'back'), { address, isResumed: false, signal });
    expect(back).toEqual(there);
    const counted = (data: string) => {
      const database = new DatabaseSync(join(folder, data, 'record.sqlite'), { readOnly: true });
      const numbers = database.prepare(
        'SELECT name, seq FROM sqlite_sequence WHERE name LIKE ? AND seq > 0 ORDER BY name',
      );
      const rows = numbers.all('archive_%');
      const log = database
        .prepare('SELECT tenant, row, chunk_id, terms, seal FROM lexical_log ORDER BY tenant, row')
        .all();
      database.close();
      return { rows, log };
    };
    expect(counted('back')).toEqual(counted('data'));
    expect(counted('back').log.length).toBeGreaterThan(100);
  });

  it('leaves behind what counts openings of a document that was deleted meanwhile', async () => {
    await server.run(address, "INSERT INTO document_opens VALUES ('default', 'gone', 3, '2026-01-01')");
    expect(await moveToFolder(join(folder, 'less'), { address, isResumed: false, signal })).toEqual(there);
    await server.run(address, "DELETE FROM document_opens WHERE document_id = 'gone'");
  });

  it('only puts a record in its place that was whole when it was interrupted, and says of one in its place that it is', async () => {
    const data = join(folder, 'ended');
    const record = join(data, 'record.sqlite');
    // It cannot be put in its place.
    const tell = (what: string): void => {
      if (what.startsWith('the comparison')) mkdirSync(join(record, 'in-the-way'), { recursive: true });
    };
    await expect(moveToFolder(data, { address, isResumed: false, signal, tell })).rejects.toThrow();
    const nobody = 'postgres://nobody:x@127.0.0.1:1/none';
    for (const sql of ['SELECT 1', 'CREATE TABLE moving (step text)']) {
      await rm(record, { recursive: true });
      const fresh = new DatabaseSync(join(data, 'moving', 'record.sqlite'));
      fresh.exec(sql);
      fresh.close();
      if (sql === 'SELECT 1') {
        mkdirSync(join(data, 'kept'));
        await cp(join(data, 'moving'), join(data, 'kept'), { recursive: true });
      }
      expect(await moveToFolder(data, { address: nobody, isResumed: true, signal })).toEqual(there);
      const ended = new DatabaseSync(record, { readOnly: true });
      expect(ended.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'moving'").all()).toEqual([]);
      ended.close();
      if (sql === 'SELECT 1') await cp(join(data, 'kept'), join(data, 'moving'), { recursive: true });
    }
    await opened(data, {}, async (one) => expect(await one.check()).toEqual([]));
    await expect(moveToPostgres(join(folder, 'data'), { address, isResumed: true, signal })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('the move had ended') as string,
    });
  });

  it.each(['postgres', 'back'])('finds, replays and opens what it did: %s', async (name) => {
    const settings = name === 'postgres' ? { FOOTNOTE_DATABASE_URL: address } : {};
    await opened(join(folder, name), settings, async (one) => {
      const footnote = one.forScope(localScope());
      expect(await foundBy(footnote)).toEqual(whole.found);
      expect(whole.found.length).toBe(30);
      for (const answer of whole.answers) {
        expect(await footnote.answers.get(answer.id)).toEqual(answer);
        expect(await footnote.traces.replay(answer.traceId)).toMatchObject({ same: true, sameCalls: true });
      }
      expect(await footnote.audit.verify()).toMatchObject({ ok: true });
      expect(await one.keys.authenticate(whole.secret)).toMatchObject({ principal: { role: 'reader' } });
      expect(await one.check()).toEqual([]);
      // It goes on: nothing is numbered twice, and what is new is found beside what was there.
      const text = 'The beacon of Arkvik burns whale oil.';
      await footnote.documents.add({ text, mime: 'text/plain', source: 'new', uri: 'beacon.txt' });
      await footnote.conversations.addTurns('later', { messages: [{ role: 'user', text: 'A buoy.', turn_id: 't' }] });
      await footnote.memories.add({ text: 'My boat has a red sail.' });
      await one.settle('default', { exact: true });
      const { results } = await footnote.search({ query: 'beacon whale oil', mode: 'hybrid' });
      expect(results[0]?.uri).toBe('beacon.txt');
      const copies = await footnote.documents.add({
        text: 'The harbour of Arkvik has forty berths, one crane and a granary of oak, and the pier stays dry in spring.',
        mime: 'text/plain',
        source: 'copies',
        uri: 'copy.txt',
      });
      expect(copies[0]?.duplicates?.length).toBeGreaterThan(0);
    });
  });

  it('goes on after it was interrupted, and only while its source is what it was', async () => {
    const data = join(folder, 'changed');
    await cp(join(folder, 'data'), data, { recursive: true });
    const target = await server.createDatabase();
    const stop = new AbortController();
    const tell = (what: string): void => {
      if (what.startsWith('fingerprint')) stop.abort();
    };
    const begun = moveToPostgres(data, { address: target, isResumed: false, signal: stop.signal, tell });
    await expect(begun).rejects.toMatchObject({ code: 'cancelled' });
    await expect(openPostgresRecord(target)).rejects.toMatchObject({ code: 'migration-needed' });
    const move = (isResumed: boolean) => moveToPostgres(data, { address: target, isResumed, signal });
    await expect(move(false)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('--resume') as string,
    });
    const change = (sql: string): void => {
      const database = new DatabaseSync(join(data, 'record.sqlite'));
      database.exec(sql);
      database.close();
    };
    change("UPDATE chunk SET place = 'elsewhere' WHERE row = 2");
    await expect(move(true)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('changed since') as string,
    });
    change('UPDATE chunk SET place = NULL WHERE row = 2');
    expect((await move(true)).seal).toBe(there.seal);
  });

  it('refuses a target that is not empty, and one that is not what the source is', async () => {
    const data = join(folder, 'data');
    const full = await server.createDatabase();
    const record = await openPostgresRecord(full);
    await record.forScope(localScope()).commit([{ kind: 'put-source', source: { name: 'mine', type: 'docs' } }]);
    await record.close();
    const refused = moveToPostgres(data, { address: full, isResumed: true, signal });
    await expect(refused).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('not empty') as string,
    });
    await expect(moveToFolder(data, { address, isResumed: false, signal })).rejects.toMatchObject({ code: 'conflict' });

    const spoilt = await server.createDatabase();
    await (await openPostgresRecord(spoilt)).close();
    await server.run(
      spoilt,
      `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.query = ''another''; RETURN NEW; END';
       CREATE TRIGGER spoil BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION spoil()`,
    );
    const moving = moveToPostgres(data, { address: spoilt, isResumed: false, signal });
    await expect(moving).rejects.toMatchObject({
      code: 'data-corrupt',
      message: expect.stringContaining('audit') as string,
    });
    await expect(openPostgresRecord(spoilt)).rejects.toMatchObject({ code: 'migration-needed' });
  });

  it('refuses a source that somebody uses', async () => {
    await opened('data', {}, async () => {
      const target = await server.createDatabase();
      const moving = moveToPostgres(join(folder, 'data'), { address: target, isResumed: false, signal });
      await expect(moving).rejects.toMatchObject({ code: 'already-running' });
    });
    const used = await openPostgresRecord(address);
    await used.join({ version: 'test' });
    const moving = moveToFolder(join(folder, 'never'), { address, isResumed: false, signal });
    await expect(moving).rejects.toMatchObject({ code: 'already-running' });
    await used.close();
  });

  it('is backed up as it is at one moment while it is written to, and restored into an empty database or folder', async () => {
    const stop = new AbortController();
    const file = join(folder, 'one.tar');
    const settings = { FOOTNOTE_DATABASE_URL: address };
    const { written, manifest } = await opened('postgres', settings, async (one) => {
      const footnote = one.forScope(localScope());
      const write = async (): Promise<number> => {
        for (let count = 0; ; count += 1) {
          if (stop.signal.aborted) return count;
          const text = `The buoy of number ${count} is yellow.`;
          await footnote.documents.add({ text, mime: 'text/plain', source: 'buoys', uri: `${count}.txt` });
        }
      };
      const writing = write();
      const made = await backUp({ address }, file, signal);
      stop.abort();
      return { written: await writing, manifest: made };
    });
    expect(written).toBeGreaterThan(0);
    const target = await server.createDatabase();
    expect(await restoreToPostgres({ folder: join(folder, 'restored'), file, signal }, target)).toEqual(manifest);
    await restore(join(folder, 'unpacked'), file, { replace: false, signal });
    for (const [data, given] of [
      ['restored', { FOOTNOTE_DATABASE_URL: target }],
      ['unpacked', {}],
    ] as const)
      await opened(data, given, async (one) => {
        const footnote = one.forScope(localScope());
        expect(await one.check()).toEqual([]);
        expect(await footnote.answers.get(whole.answers[0]?.id ?? '')).toEqual(whole.answers[0]);
        const [row] = await footnote.stores.list();
        expect(row).toMatchObject({ status: 'ok', coverage: 1 });
        expect(await footnote.audit.verify()).toMatchObject({ ok: true });
      });
    await expect(restoreToPostgres({ folder: join(folder, 'restored'), file, signal }, target)).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it.each([
    ['migration-needed', 'UPDATE lexical_state SET version = version - 1', 'The index of the record'],
    ['conflict', "UPDATE delivery SET operation = 'delete'", 'Documents were deleted'],
    ['conflict', "DELETE FROM trace_text; UPDATE trace SET chunks = '[999999]' WHERE chunks <> '[]'", 'Trace trc_'],
  ])('says of a sound backup with something left to do what can be done: %s, %s', async (code, sql, what) => {
    const data = join(folder, 'unready');
    await cp(join(folder, 'data'), data, { recursive: true });
    const database = new DatabaseSync(join(data, 'record.sqlite'));
    database.exec(sql);
    database.close();
    const file = join(folder, 'unready.tar');
    await backUp({ folder: data }, file, signal);
    const restoring = restoreToPostgres(
      { folder: join(folder, 'restored'), file, signal },
      await server.createDatabase(),
    );
    await expect(restoring).rejects.toMatchObject({
      code,
      message: expect.stringMatching(
        new RegExp(`^${what}.*restore FILE --data ./new.*move --to postgres`, 'u'),
      ) as string,
    });
    const moving = moveToPostgres(data, { address: await server.createDatabase(), isResumed: false, signal });
    await expect(moving).rejects.toMatchObject({ code, message: expect.stringMatching(what) as string });
    for (const path of [data, file]) await rm(path, { recursive: true });
  });

  it('restores nothing into a database that is not empty', async () => {
    const file = join(folder, 'one.tar');
    await expect(restoreToPostgres({ folder: join(folder, 'restored'), file, signal }, address)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('not empty') as string,
    });
  });
});
