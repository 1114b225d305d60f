// Opens a connection with the settings that durability and safety rest on, and asserts each one that SQLite could have
// ignored. Invariant: no connection of the product writes at less than synchronous=FULL (https://sqlite.org/pragma.html).
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { FootnoteError } from '../../../core/errors.ts';
import { createGlob } from '../../glob.ts';
import { toInstant } from '../../instant.ts';

/** Before 3.51.3 a rare race at a WAL reset could corrupt a database (https://sqlite.org/releaselog/3_51_3.html). */
const minimumVersion = '3.51.3';

export const synchronousLevels = ['OFF', 'NORMAL', 'FULL'] as const;
export type SynchronousLevel = (typeof synchronousLevels)[number];

const busyTimeoutMs = 2_000;
const journalSizeLimitBytes = 64 * 1024 * 1024;
/**
 * Pages that a connection keeps in memory. Each document that is written touches a page of a dozen indexes, most by hash: where these are not
 * kept they are read and checked again for nearly every document. Taken only as far as it is needed.
 */
const cacheKibibytes = { writer: 64_000, reader: 16_000 } as const;

function newerOrEqual(version: string, minimum: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, needed] of minimum.split('.').map(Number).entries()) {
    const part = parts[index] ?? 0;
    if (part !== needed) return part > needed;
  }
  return true;
}

/** Throws `config-invalid` on a SQLite that is older than what the record needs. */
export function assertSqliteVersion(version: string): void {
  if (newerOrEqual(version, minimumVersion)) return;
  throw new FootnoteError(
    'config-invalid',
    `This Node brings SQLite ${version}; the record needs ${minimumVersion} or newer (a WAL bug was fixed there). Use the Node that the package installs, or Node >= 24.21.`,
  );
}

/** The value of a pragma of one row and one column. */
export function pragma(database: DatabaseSync, name: string): string | number | undefined {
  const row = database.prepare(`PRAGMA ${name}`).get();
  const value = row === undefined ? undefined : Object.values(row)[0];
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function assertPragma(database: DatabaseSync, name: string, expected: string | number): void {
  const value = pragma(database, name);
  if (value === expected) return;
  throw new FootnoteError(
    'config-invalid',
    `SQLite reports ${name}=${value} where the record needs ${expected}. Does the data folder lie on a network disk? Choose a local one.`,
  );
}

/** As read: more than one filter holds. */
const keptGlobs = 100;

/** Functions that filters call, printed (src/db/sqlite/documents/filter-sql.ts) or of traces. */
function defineFunctions(database: DatabaseSync): void {
  const settings = { deterministic: true, directOnly: true } as const;
  database.function('instant', settings, (value) => (typeof value === 'string' ? (toInstant(value) ?? null) : null));
  database.function('lowered', settings, (value) =>
    typeof value === 'string' ? value.normalize('NFC').toLowerCase() : null,
  );
  const globs = new Map<string, (path: string) => boolean>();
  database.function('path_matches', settings, (path, glob) => {
    if (typeof path !== 'string' || typeof glob !== 'string') return 0;
    let matches = globs.get(glob);
    if (matches === undefined) {
      matches = createGlob(glob);
      if (globs.size >= keptGlobs) globs.clear();
      globs.set(glob, matches);
    }
    return matches(path) ? 1 : 0;
  });
}

/** The writing connection. `level` is FULL everywhere but in the crash tests' controls. */
export function openWriter(path: string, level: SynchronousLevel): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, allowExtension: false });
  try {
    assertSqliteVersion(String(Object.values(database.prepare('SELECT sqlite_version()').get() ?? {})[0]));
    applySafety(database, 'writer');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(`PRAGMA synchronous = ${level}`);
    database.exec('PRAGMA secure_delete = ON');
    database.exec(`PRAGMA journal_size_limit = ${journalSizeLimitBytes}`);
    assertPragma(database, 'journal_mode', 'wal');
    assertPragma(database, 'synchronous', synchronousLevels.indexOf(level));
    assertPragma(database, 'secure_delete', 1);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The reading connection: sees only what was committed, and cannot write. */
export function openReader(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, allowExtension: false, readOnly: true });
  try {
    applySafety(database, 'reader');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function applySafety(database: DatabaseSync, kind: keyof typeof cacheKibibytes): void {
  database.exec('PRAGMA trusted_schema = OFF');
  database.exec('PRAGMA foreign_keys = ON');
  database.exec('PRAGMA cell_size_check = ON');
  database.exec('PRAGMA temp_store = MEMORY');
  database.exec(`PRAGMA cache_size = -${cacheKibibytes[kind]}`);
  assertPragma(database, 'trusted_schema', 0);
  assertPragma(database, 'foreign_keys', 1);
  assertPragma(database, 'cell_size_check', 1);
  defineFunctions(database);
}

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

type Row = Record<string, unknown>;

const toNumbers = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );

/**
 * We write no integer that a number cannot hold, but a damaged row may have one, and Node refuses the whole list for it: such lists are
 * read once more, so that the row's seal can tell.
 */
export function withLargeIntegers(statement: StatementSync): StatementSync {
  const again = <T>(error: unknown, read: () => T): T => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_OUT_OF_RANGE') throw error;
    statement.setReadBigInts(true);
    try {
      return read();
    } finally {
      statement.setReadBigInts(false);
    }
  };
  const all = statement.all.bind(statement);
  const get = statement.get.bind(statement);
  statement.all = ((...given: SQLInputValue[]) => {
    try {
      return all(...given);
    } catch (error) {
      return again(error, () => all(...given).map(toNumbers));
    }
  }) as StatementSync['all'];
  statement.get = ((...given: SQLInputValue[]) => {
    try {
      return get(...given);
    } catch (error) {
      return again(error, () => {
        const row = get(...given);
        return row && toNumbers(row);
      });
    }
  }) as StatementSync['get'];
  return statement;
}

/** `database.prepare`, once per connection and text. Only for texts that do not depend on a request. */
export function prepared(database: DatabaseSync, sql: string): StatementSync {
  const known = statements.get(database) ?? new Map<string, StatementSync>();
  if (known.size === 0) statements.set(database, known);
  const statement = known.get(sql) ?? withLargeIntegers(database.prepare(sql));
  known.set(sql, statement);
  return statement;
}

/** Runs `work` on the reading connection and translates what it throws. */
export type Reader = <T>(work: (database: DatabaseSync) => T) => Promise<T>;
