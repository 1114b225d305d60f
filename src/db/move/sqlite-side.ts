// The record in a data folder, read whole and in order, or made anew from another one.
import { chmodSync, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { FootnoteError } from '../../core/errors.ts';
import { leanedOn, type PackedTrace, unpackTrace } from '../both/packed-traces.ts';
import { packText } from '../packed.ts';
import { openReader, openWriter, pragma } from '../sqlite/file/connection.ts';
import { toRecordError } from '../sqlite/file/sqlite-errors.ts';
import { runSteps } from '../sqlite/file/statements.ts';
import { applicationId, migrate, schemaVersion } from '../sqlite/migrations.ts';
import { steps } from '../sqlite/schema-steps.ts';
import { runEach } from '../statements.ts';
import { type Column, type Columns, type MovedRow, type MovedTable, movedTables, quoted } from './moved-tables.ts';
import { makeProgress, progressTable, type Side, type Target } from './sides.ts';

const sliceBytes = 2 * 1024 * 1024;
const sliceRows = 1000;

const bytesIn = (row: MovedRow): number => {
  let bytes = 0;
  for (const name in row) {
    const value = row[name];
    bytes += typeof value === 'string' ? value.length : value instanceof Uint8Array ? value.byteLength : 8;
  }
  return bytes;
};

/** The columns of a table, or of a SELECT in its place. */
function columnsOf(database: DatabaseSync, from: string): readonly Column[] {
  const isTable = /^\w+$/u.test(from);
  const keys = isTable ? database.prepare(`PRAGMA table_info(${from})`).all() : [];
  return database
    .prepare(`SELECT * FROM ${from}`)
    .columns()
    .map(({ name, type }) => {
      const key = Number(keys.find((row) => row['name'] === name)?.['pk'] ?? 0);
      return { name, type: type ?? '', isCounted: false, key: key > 0 ? key - 1 : null };
    });
}

/** What is carried between the two databases, by the columns of PostgreSQL and of this program's SQLite. */
export function tablesMoved(postgres: Columns): readonly MovedTable[] {
  const blank = new DatabaseSync(':memory:');
  try {
    for (const step of steps) blank.exec(step);
    const tables = blank
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all();
    const sqlite = new Map(tables.map(({ name }) => [String(name), columnsOf(blank, String(name))]));
    return movedTables(sqlite, postgres, (from) => sqlite.get(from) ?? columnsOf(blank, from));
  } finally {
    blank.close();
  }
}

/** A sound record that has something to do before it can be moved: `unready` says what, to whoever cannot follow the advice. */
const unready = (code: 'conflict' | 'migration-needed', what: string, advice: string): FootnoteError =>
  new FootnoteError(code, `${what} ${advice}`, { details: { unready: what } });

/** A trace that leans on chunks, with their texts in it. */
function wholeTrace(database: DatabaseSync, row: MovedRow): MovedRow {
  if (row['chunks'] === null) return row;
  const trace = { packed: row['events'], chunks: row['chunks'] } as PackedTrace;
  const json = runSteps(database, unpackTrace(trace));
  if (json) return { ...row, events: packText(json.toString(), 'fast'), chunks: null };
  const isSwept = runSteps(database, leanedOn(String(row['chunks']))) !== undefined;
  if (isSwept)
    throw new FootnoteError(
      'data-corrupt',
      `Trace ${String(row['id'])} is damaged in the record. Run "footnote doctor", or restore a backup.`,
    );
  throw unready(
    'conflict',
    `Trace ${String(row['id'])} rests on a document that was deleted, and is not swept yet.`,
    'Start Footnote over the data folder until "footnote doctor" says nothing of deletions, then try again.',
  );
}

function sideOn(database: DatabaseSync): Side {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw toRecordError(error);
    }
  };
  return {
    async *slices({ name, columns, key, sqlite }) {
      const sql = `SELECT ${quoted(columns)} FROM ${sqlite.from} ORDER BY ${quoted(key)}`;
      const found = guarded(() => database.prepare(sql).iterate());
      for (let isEnd = false; !isEnd; ) {
        const rows: MovedRow[] = [];
        for (let bytes = 0; rows.length < sliceRows && bytes < sliceBytes; ) {
          const next = guarded(() => found.next());
          if (next.done === true) {
            isEnd = true;
            break;
          }
          const row = next.value as unknown as MovedRow;
          rows.push(name === 'trace' ? guarded(() => wholeTrace(database, row)) : row);
          bytes += bytesIn(row);
        }
        if (rows.length > 0) yield rows;
      }
    },
    read: async (work) => guarded(() => runSteps(database, work())),
    async counters() {
      const rows = database.prepare('SELECT name, seq FROM sqlite_sequence').all();
      return new Map(rows.map((row) => [String(row['name']), Number(row['seq'])]));
    },
  };
}

const staleSql = `SELECT 1 FROM lexical_state AS s WHERE (version <> ? OR rebuild_after IS NOT NULL)
  AND EXISTS (SELECT 1 FROM document AS d WHERE d.tenant = s.tenant) LIMIT 1`;
/** Documents that a store beside the record was to drop. */
const owedSql = "SELECT 1 FROM delivery WHERE operation = 'delete' LIMIT 1";

/**
 * Reads a record that nobody writes to meanwhile, for PostgreSQL. Throws `migration-needed` for one of another version, and where its index is not whole,
 * `conflict` where something is still to be deleted from a store beside it, `data-corrupt`.
 */
export async function readSqlite<T>(path: string, indexVersion: number, use: (side: Side) => Promise<T>): Promise<T> {
  try {
    const database = openReader(path);
    try {
      database.exec('BEGIN');
      if (Number(pragma(database, 'application_id')) !== applicationId)
        throw new FootnoteError('data-corrupt', `${path} is no record of Footnote.`);
      const version = Number(pragma(database, 'user_version'));
      if (version !== schemaVersion)
        throw new FootnoteError(
          'migration-needed',
          `${path} has schema ${version}, and this Footnote writes ${schemaVersion}. Start this Footnote over it once, then try again.`,
        );
      if (database.prepare(staleSql).get(indexVersion))
        throw unready(
          'migration-needed',
          'The index of the record is of another version, or is still being built.',
          'Start this Footnote over the data folder until "footnote doctor" finds the store whole, then try again.',
        );
      if (database.prepare(owedSql).get())
        throw unready(
          'conflict',
          'Documents were deleted that a store beside the record still holds, and PostgreSQL could not have them taken out.',
          'Run "footnote stores sync NAME" first.',
        );
      return await use(sideOn(database));
    } finally {
      database.close();
    }
  } catch (error) {
    throw toRecordError(error, path);
  }
}

function* insertInto(table: MovedTable, rows: readonly MovedRow[]): ReturnType<Target['insert']> {
  for (const { table: name, columns, where } of table.sqlite.into) {
    const given = where === undefined ? rows : rows.filter((row) => row[where] !== null);
    const from = Object.values(columns);
    const places = from.map(() => '?').join(', ');
    const values = given.map((row) => from.map((column) => row[column] ?? null));
    yield* runEach(`INSERT INTO ${name} (${quoted(Object.keys(columns))}) VALUES (${places})`, values);
  }
}

/** It may be used from now on, and is one file that needs no journal. */
function end(writer: DatabaseSync): void {
  writer.exec(`DROP TABLE IF EXISTS ${progressTable}`);
  writer.exec('PRAGMA journal_mode = DELETE');
}

/** Ends a record that is whole, whether it was ended or not. */
export function endSqlite(path: string): void {
  const writer = openWriter(path, 'FULL');
  try {
    end(writer);
  } catch (error) {
    throw toRecordError(error, path);
  } finally {
    writer.close();
  }
}

/** Goes on with a record that is being made, or begins one. Throws `migration-needed` for one of another version. */
export async function writeSqlite<T>(path: string, use: (target: Target) => Promise<T>): Promise<T> {
  const isNew = !existsSync(path);
  const writer = openWriter(path, 'FULL');
  if (isNew) chmodSync(path, 0o600);
  const within = (work: () => void): void => {
    writer.exec('BEGIN IMMEDIATE');
    try {
      work();
      writer.exec('COMMIT');
    } catch (error) {
      if (writer.isTransaction) writer.exec('ROLLBACK');
      throw toRecordError(error, path);
    }
  };
  try {
    migrate(writer, path);
    if (writer.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(progressTable) === undefined)
      within(() => writer.exec(makeProgress));
    return await use({
      async look(see) {
        const reader = openReader(path);
        try {
          return await see(sideOn(reader));
        } finally {
          reader.close();
        }
      },
      write: async (work) => within(() => runSteps(writer, work())),
      insert: insertInto,
      async count(counters) {
        const raise = 'UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1';
        const begin =
          "INSERT INTO sqlite_sequence SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1 AND sql LIKE '%AUTOINCREMENT%') AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)";
        within(() => {
          for (const counter of counters) for (const sql of [raise, begin]) writer.prepare(sql).run(...counter);
        });
      },
      async complete() {
        end(writer);
      },
      index: {
        log: 'lexical_log',
        entries: 'lexical_document',
        languages: 'lexical_language',
        state: 'SELECT tenant FROM lexical_state WHERE version = ?',
      },
    });
  } finally {
    writer.close();
  }
}
