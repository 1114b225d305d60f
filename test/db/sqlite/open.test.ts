// Opening and its errors: each mistake a person can make with a data folder gives a message that says what to do.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FootnoteError, isFootnoteError } from '../../../src/core/errors.ts';
import { assertSqliteVersion, openWriter } from '../../../src/db/sqlite/file/connection.ts';
import { isSqliteError, toRecordError } from '../../../src/db/sqlite/file/sqlite-errors.ts';
import { openSqliteRecord } from '../../../src/db/sqlite/sqlite.ts';
import { createWrite, scopeOf, temporaryFolder } from '../../../testkit/record-fixture.ts';

let place: ReturnType<typeof temporaryFolder>;
let folder: string;
let path: string;
beforeEach(() => {
  place = temporaryFolder();
  folder = join(place.folder, 'data');
  path = join(folder, 'record.sqlite');
});
afterEach(() => place.remove());

function failure(work: () => unknown): FootnoteError {
  try {
    work();
  } catch (error) {
    if (isFootnoteError(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

async function createRecord(): Promise<void> {
  const record = openSqliteRecord({ folder });
  await record.forScope(scopeOf()).commit([{ kind: 'put-document', write: createWrite('kept', { id: 'one' }) }]);
  await record.close();
}

describe('opening a record', () => {
  it('makes a folder and files that only their owner can read', async () => {
    await createRecord();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('does not make a folder when it was told not to', () => {
    const error = failure(() => openSqliteRecord({ folder, create: false }));
    expect([error.code, existsSync(folder)]).toEqual(['not-found', false]);
    expect(error.message).toMatch(/Ingest something first/);
  });

  it('refuses a record of a newer version', async () => {
    await createRecord();
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 99');
    database.close();
    const error = failure(() => openSqliteRecord({ folder }));
    expect(error.code).toBe('migration-needed');
    expect(error.message).toMatch(/schema 99; this one knows \d+\).*Update Footnote/);
  });

  it('refuses a record of a build before the first release', async () => {
    await createRecord();
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 38');
    database.close();
    const error = failure(() => openSqliteRecord({ folder }));
    expect(error.code).toBe('migration-needed');
    expect(error.message).toMatch(/before its first release \(schema 38\)/);
  });

  it('takes tables that differ in blanks alone', async () => {
    await createRecord();
    const database = new DatabaseSync(path, { defensive: false });
    database.exec(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'CREATE TABLE chunk (', 'CREATE TABLE "chunk"  (') WHERE name = 'chunk'`);
    database.close();
    await openSqliteRecord({ folder }).close();
  });

  it('notices a table that is not as it was made', async () => {
    await createRecord();
    const database = new DatabaseSync(path);
    database.exec('ALTER TABLE chunk ADD COLUMN extra TEXT');
    database.close();
    expect(failure(() => openSqliteRecord({ folder }))).toMatchObject({ code: 'data-corrupt' });
  });

  it('refuses a database of another program, and leaves it as it was', () => {
    mkdirSync(folder);
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE theirs (x)');
    database.close();
    expect(failure(() => openSqliteRecord({ folder })).message).toMatch(/another program/);
    const again = new DatabaseSync(path);
    expect(again.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'theirs' }]);
    again.close();
  });

  it('says what to do with a file that is no database', () => {
    mkdirSync(folder);
    writeFileSync(path, 'this is not a database, and it is long enough to be looked at '.repeat(100));
    const error = failure(() => openSqliteRecord({ folder }));
    expect(error.code).toBe('data-corrupt');
    expect(error.message).toMatch(/not a SQLite database.*restore a backup/);
  });

  it.each(['emptied', 'removed'])('does not take a record that was %s for a new one', async (how) => {
    await createRecord();
    if (how === 'emptied') truncateSync(path, 0);
    else rmSync(path);
    const error = failure(() => openSqliteRecord({ folder }));
    expect(error.code).toBe('data-corrupt');
    expect(error.message).toMatch(/missing or empty although this data folder was in use/);
  });

  it('names a folder that is in fact a file', () => {
    writeFileSync(folder, 'a file');
    const error = failure(() => openSqliteRecord({ folder }));
    expect(isFootnoteError(error)).toBe(true);
  });

  it.skipIf(process.getuid?.() !== 0)('says that permission is missing', async () => {
    await createRecord();
    // Another user, who may enter the folder but neither read nor write the record.
    chmodSync(place.folder, 0o755);
    chmodSync(folder, 0o755);
    const script = `
      import { openSqliteRecord } from ${JSON.stringify(join(import.meta.dirname, '../../../src/db/sqlite/sqlite.ts'))};
      try { openSqliteRecord({ folder: ${JSON.stringify(folder)} }); } catch (error) { console.log(error.code + ': ' + error.message); }`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      uid: 65_534,
      gid: 65_534,
      encoding: 'utf8',
    });
    // Where that user may not even read the source, there is nothing to test.
    if (stdout !== '') expect(stdout).toMatch(/^storage-denied: .*permission/i);
  });

  it('does not start on a SQLite that is too old', () => {
    for (const version of ['3.40.1', '3.51.2', '3.7.17'])
      expect(() => assertSqliteVersion(version)).toThrow(/3\.51\.3 or newer/);
    for (const version of ['3.51.3', '3.53.4', '4.0.0']) expect(() => assertSqliteVersion(version)).not.toThrow();
  });

  it('offers the product no way to a weaker level of synchronous', () => {
    const source = join(import.meta.dirname, '../../../src');
    const importers = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) => /sqlite-record\.ts'/.test(readFileSync(join(source, name), 'utf8')));
    expect(importers).toEqual([join('db', 'sqlite', 'sqlite.ts')]);
    expect(readFileSync(join(source, 'db/sqlite/sqlite.ts'), 'utf8')).toContain("openRecordAt(options, 'FULL')");
  });

  it('asserts every setting, also those that SQLite may ignore', async () => {
    await createRecord();
    const database = openWriter(path, 'FULL');
    const settings = [
      'synchronous',
      'foreign_keys',
      'trusted_schema',
      'cell_size_check',
      'secure_delete',
      'journal_mode',
      'journal_size_limit',
    ];
    const values = settings.map((name) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
    database.close();
    expect(values).toEqual([2, 1, 0, 1, 1, 'wal', 64 * 1024 * 1024]);
    // In memory there is no WAL: the assertion sees it.
    expect(failure(() => openWriter(':memory:', 'FULL')).message).toMatch(/journal_mode=memory/);
  });

  it('tells that another process holds the record', async () => {
    await createRecord();
    const record = openSqliteRecord({ folder });
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const error = await record
      .write((database) => database.exec('CREATE TABLE never (x)'))
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(error).toMatchObject({ code: 'already-running' });
    other.exec('ROLLBACK');
    other.close();
    await record.write((database) => database.exec('CREATE TABLE later (x)'));
    await record.close();
  });
});

describe('translating errors', () => {
  it('gives every code of SQLite a FootnoteError that says what to do', () => {
    const cases: [number, string][] = [
      [5, 'already-running'],
      [6, 'already-running'],
      [517, 'already-running'],
      [8, 'storage-denied'],
      [1032, 'storage-denied'],
      [11, 'data-corrupt'],
      [267, 'data-corrupt'],
      [26, 'data-corrupt'],
      [13, 'storage-full'],
      [4874, 'storage-full'],
      [14, 'storage-denied'],
      [18, 'too-large'],
      [522, 'data-corrupt'],
      [1034, 'internal'],
      [19, 'internal'],
      [1, 'internal'],
    ];
    for (const [errcode, code] of cases) {
      const error = toRecordError(Object.assign(new Error('from SQLite'), { errcode }), '/data/record.sqlite');
      expect([errcode, error.code]).toEqual([errcode, code]);
      expect(error.message.length).toBeGreaterThan(10);
    }
    expect(toRecordError(Object.assign(new Error('x'), { code: 'ENOSPC' })).code).toBe('storage-full');
    expect(toRecordError('a string').code).toBe('internal');
    expect(isSqliteError(new Error('x'))).toBe(false);
  });

  it('lets no error of SQLite through the seam for stores', async () => {
    const record = openSqliteRecord({ folder });
    expect(failure(() => record.read((database) => database.prepare('SELECT * FROM nothing').all())).code).toBe(
      'internal',
    );
    expect(failure(() => record.read((database) => database.exec('DELETE FROM document'))).code).toBe('storage-denied');
    await expect(record.write((database) => database.exec('nonsense'))).rejects.toMatchObject({ code: 'internal' });
    await record.close();
    await expect(record.write(() => 1)).rejects.toThrow(/closed/);
  });
});
