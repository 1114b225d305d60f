// Puts the record together: one writing connection behind a queue, one reading connection, repositories for a scope. Only
// sqlite.ts and the crash tests import this file: it can open at a weaker level of `synchronous`, to show that the tests see
// the difference.
import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { FootnoteError } from '../../core/errors.ts';
import { createAnswerRepository } from '../both/answers.ts';
import { createAuditLog } from '../both/audit.ts';
import { createDocumentOpensRepository } from '../both/document-opens.ts';
import { closeClaims } from '../both/effects.ts';
import { createEvaluationRepository } from '../both/evaluations.ts';
import { createFeedbackRepository } from '../both/feedback.ts';
import { createIdempotencyRepository } from '../both/idempotency.ts';
import { createIngestionRepository } from '../both/ingestions.ts';
import { createKeyRepository } from '../both/keys.ts';
import { createMemoryById, createMemoryRepositories, memoriesHeld } from '../both/memories/memories.ts';
import { createReadingRepository } from '../both/readings.ts';
import { createSpendingRepository } from '../both/spending.ts';
import { createTraceRepository, openTraceGroups } from '../both/traces.ts';
import { createUploadRepository, markCutOff } from '../both/uploads.ts';
import { ballastPath, createBallast, halveBallast } from '../erasure/ballast.ts';
import type { RecordDatabase } from '../record.ts';
import { prepareWrites } from '../sound-writes.ts';
import { type SourceRow, toSource } from '../source-rows.ts';
import { checkRecord } from './check.ts';
import { createCommits, type WriteEntries } from './commit.ts';
import { createDeliveryQueue } from './delivery/queue.ts';
import { createDocumentRepository } from './documents/documents.ts';
import { accessCondition } from './documents/filter-sql.ts';
import { createRowCache } from './documents/row-cache.ts';
import { createSourceRepository, keptSourcesSql } from './documents/sources.ts';
import { createErasures, type SqliteErasures } from './erasure.ts';
import {
  openReader,
  openWriter,
  pragma,
  type Reader,
  type SynchronousLevel,
  synchronousLevels,
} from './file/connection.ts';
import { toRecordError, translated } from './file/sqlite-errors.ts';
import { createStatements, runSteps } from './file/statements.ts';
import { createWriteQueue } from './file/write-queue.ts';
import { assertSchema, hasSchema, migrate, schemaVersion } from './migrations.ts';
import { createAnswerBasis } from './requests/answer-basis.ts';
import { createDeletionGuard, noteMemoryOf } from './requests/deletion-guard.ts';
import { createEncodedPassageRepository } from './requests/encoded-passages.ts';
import { createSessionRepository, type Writer } from './requests/sessions.ts';
import { createTraceUpkeep } from './requests/trace-upkeep.ts';
import { openTermLists } from './term-lists.ts';

export interface SqliteRecordOptions {
  /** The data folder; the record is `record.sqlite` in it. */
  readonly folder: string;
  /** Whether to make a folder or record that is not there (default true); otherwise `not-found`. */
  readonly create?: boolean;
}

/** The record, with the seam for stores that keep their index in the same database. */
export interface SqliteRecordDatabase extends RecordDatabase {
  /** The record's file. */
  readonly path: string;
  /** The connection that writes, for notes within the transactions of `write`. */
  readonly writer: DatabaseSync;
  /** Runs `work` on the reading connection: the committed state. Throws FootnoteError only. */
  read<T>(work: (database: DatabaseSync) => T): T;
  /** Runs `work` in a transaction on the writing connection; durable when the promise resolves. */
  write<T>(work: (database: DatabaseSync) => T): Promise<T>;
  /** Runs work that writes to the record on a connection of its own: nothing else of this process is written meanwhile. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** From now on the entries of this store are written in the commits of the record. */
  keepEntries(store: string, write: WriteEntries): void;
  /** Gives up the disk reserve so that deletions can go through; false if it was gone. Transactions that only delete do so by themselves. */
  releaseBallast(): boolean;
  /** False on a disk that is nearly full: writes that only tidy up should wait. */
  hasRoom(): boolean;
  /** What is left to do of deletions. */
  readonly erasures: SqliteErasures;
}

export const recordFileName = 'record.sqlite';

export function openRecordAt(options: SqliteRecordOptions, level: SynchronousLevel): SqliteRecordDatabase {
  const path = join(options.folder, recordFileName);
  const { writer, reader } = openWithReserve(options, path, level);
  const ballast = createBallast(options.folder);
  ballast.restore(true);
  const keepFirstWrites = createFirstCheckpoints(writer);
  const boundJournal = createJournalBound(writer, ballast.hasRoom);

  const queue = createWriteQueue(writer, {
    translate: (error) => toRecordError(error, path),
    committed() {
      ballast.restore();
      keepFirstWrites();
      boundJournal();
    },
  });
  const write: Writer = (work) => queue.submit(work);
  const readNow = <T>(work: (database: DatabaseSync) => T): T => translated(path, () => work(reader));
  const read: Reader = async (work) => readNow(work);
  const rows = createRowCache();
  /** For works that only take away: on a full disk they have the reserve. */
  const free: Writer = async (work) => {
    try {
      return await write(work);
    } catch (error) {
      if (toRecordError(error).code !== 'storage-full' || !ballast.release()) throw error;
      return write(work);
    }
  };
  const statements = createStatements({ read, write, free });
  const guard = createDeletionGuard(writer);
  const traceGroups = openTraceGroups(() => ({ statements, guard }), ballast.hasRoom);
  const erasures = createErasures({
    path,
    writer,
    write: free,
    read: readNow,
    statements: createStatements({ read, write: free, free }),
  });
  const indexes = new Map<string, WriteEntries>();
  const commitsOf = createCommits({ write, indexes, releaseBallast: () => ballast.release() });
  return {
    path,
    writer,
    forScope: (scope) => ({
      scope,
      documents: createDocumentRepository(scope, read, rows),
      sources: createSourceRepository(scope, read),
      sessions: createSessionRepository(scope, read, { write, free, deletionMark: erasures.deletedSessions }),
      traces: createTraceRepository(scope, { statements, guard, groups: traceGroups }),
      answers: createAnswerRepository(scope, statements, guard),
      feedback: createFeedbackRepository(scope, statements),
      evaluations: createEvaluationRepository(scope, statements),
      documentOpens: createDocumentOpensRepository(scope.tenant, { statements, access: accessCondition(scope, 'd') }),
      ingestions: createIngestionRepository(scope, statements, { guard, access: accessCondition(scope, 'd') }),
      readings: createReadingRepository(scope, statements, accessCondition(scope, 'd')),
      uploads: createUploadRepository(scope, {
        statements,
        access: accessCondition(scope, 'd'),
        notePages: guard.notePages,
      }),
      idempotency: createIdempotencyRepository(scope, statements, guard),
      spending: createSpendingRepository(scope, statements),
      memoriesOf: createMemoryRepositories(scope, {
        statements,
        termLists: openTermLists,
        note: noteMemoryOf(writer, scope.tenant),
      }),
      memoryById: createMemoryById(scope, statements),
      answerBasis: createAnswerBasis(scope.tenant, read),
      commit: commitsOf(scope),
      prepare: (writes) => prepareWrites(scope.tenant, writes),
    }),
    deliveriesOf: (tenant) => createDeliveryQueue(tenant, read, write),
    encodedPassagesOf: (tenant) => createEncodedPassageRepository(tenant, { read, write }),
    tenantsToDeliver: (which = 'due') =>
      read((database) =>
        database
          .prepare(
            `SELECT DISTINCT tenant FROM delivery WHERE ${which === 'due' ? 'next_attempt_ms' : 'operation'} IS NOT NULL`,
          )
          .all()
          .map((row) => String(row['tenant'])),
      ),
    traceUpkeep: createTraceUpkeep(read, { write, free }),
    memoriesHeld: () => memoriesHeld(statements),
    keptSources: () =>
      read((database) =>
        database
          .prepare(keptSourcesSql)
          .all()
          .map((row) => ({ tenant: String(row['tenant']), source: toSource(row as unknown as SourceRow) })),
      ),
    keys: createKeyRepository(statements),
    audit: createAuditLog(statements),
    markInterrupted: () =>
      write((database) => {
        // Requests that the process did not live to answer: their keys may be used again.
        runSteps(database, closeClaims());
        runSteps(database, markCutOff());
        const sql = "UPDATE ingestion SET state = 'interrupted', finished_at = ? WHERE state = 'running'";
        return Number(database.prepare(sql).run(new Date().toISOString()).changes);
      }),
    info: () =>
      read((database) => ({
        path,
        schemaVersion,
        sqliteVersion: String(Object.values(database.prepare('SELECT sqlite_version()').get() ?? {})[0]),
        synchronous: synchronousLevels[Number(pragma(writer, 'synchronous'))] ?? 'unknown',
        journalMode: String(pragma(writer, 'journal_mode')),
      })),
    check: () => checkRecord(reader),
    async close() {
      await traceGroups.flush();
      await queue.close();
      if (reader.isOpen) reader.close();
      if (writer.isOpen) writer.close();
      erasures.close();
    },
    erasures,
    read: readNow,
    write: (work) => write(work),
    exclusively: (work) => queue.exclusively(work),
    keepEntries: (store, entries) => void indexes.set(store, entries),
    releaseBallast: () => ballast.release(),
    hasRoom: () => ballast.hasRoom(),
  };
}

/** On a full disk a part of the reserve makes room for the journal's map, without which nothing can be read. */
function openWithReserve(options: SqliteRecordOptions, path: string, level: SynchronousLevel) {
  for (;;)
    try {
      return translated(path, () => openConnections(options, path, level));
    } catch (error) {
      if (toRecordError(error).code !== 'storage-full' || !halveBallast(options.folder)) throw error;
    }
}

function openConnections(options: SqliteRecordOptions, path: string, level: SynchronousLevel) {
  const { folder, create = true } = options;
  if (!existsSync(path) && !create)
    throw new FootnoteError(
      'not-found',
      `${folder} holds no record. Ingest something first, or name the right data folder with --data or FOOTNOTE_DATA.`,
    );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const fresh = !existsSync(path);
  if (!fresh) accessSync(path, constants.R_OK | constants.W_OK);
  assertNotLost(folder, path);
  const writer = openWriter(path, level);
  try {
    if (fresh) chmodSync(path, 0o600);
    if (!hasSchema(writer)) assertNeverUsed(folder, path);
    // Before anything rests on it, the schema is in the file itself: without its journal the record would look like a new one.
    if (migrate(writer, path)) checkpoint(writer);
    assertSchema(writer, path);
    try {
      writer.exec('BEGIN IMMEDIATE');
      mendCounters(writer);
      writer.exec('COMMIT');
    } catch {
      // A damaged page, a full disk: whoever needs what is there is told.
      if (writer.isTransaction) writer.exec('ROLLBACK');
    }
    return { writer, reader: openReader(path) };
  } catch (error) {
    writer.close();
    throw error;
  }
}

const checkpoint = (writer: DatabaseSync): void => void writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();

/** So many commits of a process are each moved out of the journal at once; later ones after twice as many each time, and after this time. */
const firstCommits = 8;
const lastCheckpointed = 1024;
const restingMs = 5000;

/**
 * SQLite moves commits into the record's file when its journal has some megabytes: all that was written first would stand in the journal alone for
 * hours, and be lost with it.
 */
function createFirstCheckpoints(writer: DatabaseSync): () => void {
  let commits = 0;
  let isAsked = false;
  const move = (): void => {
    isAsked = false;
    try {
      if (writer.isOpen) writer.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
    } catch {
      // A full or failing disk: the journal still has everything, and the next write says what is wrong.
    }
  };
  return () => {
    commits += 1;
    const isPowerOfTwo = (commits & (commits - 1)) === 0;
    // Those who waited for the commit go on first.
    if (commits <= firstCommits || (commits <= lastCheckpointed && isPowerOfTwo)) setImmediate(move);
    else if (!isAsked) {
      isAsked = true;
      setTimeout(move, restingMs).unref();
    }
  };
}

/** Pages of the journal after which SQLite moves it into the record's file. */
const journalPages = { usual: 4000, onFullDisk: 1000 } as const;

/**
 * A page that many commits change is moved once for all that the journal holds of it, so a long one costs less (an eighth of an ingestion's
 * time). On a disk that is nearly full it stays short: the reserve has to take what a checkpoint moves.
 */
function createJournalBound(writer: DatabaseSync, hasRoom: () => boolean): () => void {
  let bound: number | undefined;
  const set = (): void => {
    const wanted = hasRoom() ? journalPages.usual : journalPages.onFullDisk;
    if (wanted === bound) return;
    writer.exec(`PRAGMA wal_autocheckpoint = ${wanted}`);
    bound = wanted;
  };
  set();
  return set;
}

const notIntegers = (...columns: readonly string[]): string =>
  columns
    .map((column) => `typeof(${column}) <> 'integer' OR ${column} NOT BETWEEN 0 AND 9007199254740991`)
    .join(' OR ');

/**
 * Counters that a damaged row spoilt would fail every write and search from then on. That of changes goes on where none was; an index whose
 * books are spoilt is made anew from the record, in the background and disclosed.
 */
function mendCounters(writer: DatabaseSync): void {
  const spoilt = (table: string, ...columns: readonly string[]): boolean =>
    writer.prepare(`SELECT 1 FROM ${table} WHERE ${notIntegers(...columns)} LIMIT 1`).get() !== undefined;
  if (spoilt('document_change', 'revision'))
    writer.prepare(`UPDATE document_change SET revision = ? WHERE ${notIntegers('revision')}`).run(Date.now());
  const isIndexSpoilt =
    spoilt('lexical_state', 'version', 'revision', 'purged', 'next_row') ||
    spoilt('lexical_language', 'chunks') ||
    spoilt('lexical_document', 'first_row', 'last_row') ||
    writer.prepare("SELECT 1 FROM lexical_state WHERE typeof(rebuild_after) NOT IN ('text', 'null')").get() !==
      undefined;
  if (isIndexSpoilt) forgetIndexes(writer);
}

/** Rows are never used twice: they go on behind all that are known, as vectors are found by them. */
function forgetIndexes(writer: DatabaseSync): void {
  const lastOf = (table: string): number => {
    const sql = `SELECT max(last_row) AS last FROM ${table} WHERE typeof(last_row) = 'integer' AND last_row BETWEEN 0 AND 1e15`;
    return Number(writer.prepare(sql).get()?.['last'] ?? 0);
  };
  const next = Math.max(...['lexical_document', 'lexical_segment', 'vector_block'].map(lastOf)) + 1;
  for (const table of ['state', 'language', 'document', 'log', 'removed', 'segment', 'part'])
    writer.prepare(`DELETE FROM lexical_${table}`).run();
  const now = Date.now();
  writer.prepare("INSERT INTO lexical_state SELECT DISTINCT tenant, 0, ?, ?, ?, '' FROM document").run(now, now, next);
}

/** The schema is on the disk before the reserve is taken: where there is a reserve and no schema, the journal that held it was lost. */
function assertNeverUsed(folder: string, path: string): void {
  if (!existsSync(ballastPath(folder))) return;
  throw new FootnoteError(
    'data-corrupt',
    `${path} holds nothing although this data folder was in use: its journal (${recordFileName}-wal) was lost or damaged. Put it back beside the record, or restore both from a backup; or, to start anew, move everything out of ${folder}.`,
  );
}

/** SQLite would take a record that vanished or was emptied for a new one, and throw its journal away: that is a loss to report. */
function assertNotLost(folder: string, path: string): void {
  const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0);
  if (sizeOf(path) > 0) return;
  if (!existsSync(ballastPath(folder)) && sizeOf(`${path}-wal`) === 0) return;
  throw new FootnoteError(
    'data-corrupt',
    `${path} is missing or empty although this data folder was in use. Put the file back from a backup; or, to start anew, move everything out of ${folder}.`,
  );
}
