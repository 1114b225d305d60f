// A copy of the record as it is at one moment, while others go on writing to it. Invariants: all that was committed before that moment is in the
// copy and nothing that came later; the copy is one file that needs no journal, and SQLite found it sound.
import { backup, DatabaseSync } from 'node:sqlite';
import { FootnoteError } from '../../core/errors.ts';
import { openReader, pragma } from './file/connection.ts';
import { toRecordError } from './file/sqlite-errors.ts';
import { hasSchema } from './migrations.ts';

/** Pages that are copied at once; others have their turn between. */
const pagesTogether = 512;

/** What is counted, by its table. */
const counted = {
  documents: 'document',
  sessions: 'session',
  turns: 'turn',
  memories: 'memory',
  feedback: 'feedback',
  conversations: 'archive_conversation',
  traces: 'trace',
  keys: 'api_key',
} as const;

export interface RecordCopy {
  readonly schema: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** Throws `data-corrupt` where the copy is not sound, and what the disk throws. */
export async function copyRecord(path: string, target: string, signal: AbortSignal): Promise<RecordCopy> {
  try {
    const source = openReader(path);
    try {
      // An open transaction keeps this moment: without it the copy would begin anew with each commit of another connection.
      source.exec('BEGIN');
      source.prepare('SELECT 1 FROM sqlite_schema').get();
      await backup(source, target, { rate: pagesTogether, progress: () => signal.throwIfAborted() });
    } finally {
      source.close();
    }
    const copy = new DatabaseSync(target, { allowExtension: false });
    try {
      copy.exec('PRAGMA journal_mode = DELETE');
      const found = String(pragma(copy, 'integrity_check'));
      if (found !== 'ok')
        throw new FootnoteError(
          'data-corrupt',
          `The record is damaged, so it was not backed up (${found}). Run: footnote doctor --repair. Keep older backups.`,
        );
      return factsOf(copy);
    } finally {
      copy.close();
    }
  } catch (error) {
    throw toRecordError(error, path);
  }
}

function factsOf(database: DatabaseSync): RecordCopy {
  const present = new Set(
    database
      .prepare('SELECT name FROM sqlite_schema')
      .all()
      .map((row) => row['name']),
  );
  const counts = Object.entries(counted)
    .filter(([, table]) => present.has(table))
    .map(([name, table]) => [name, Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])]);
  return {
    schema: hasSchema(database) ? Number(pragma(database, 'user_version')) : 0,
    counts: Object.fromEntries(counts),
  };
}

/** What a file that may be a record says of itself. Throws `data-corrupt` for what is no database. */
export function readRecordFacts(path: string): RecordCopy & { readonly application: number } {
  try {
    const database = new DatabaseSync(path, { allowExtension: false, readOnly: true });
    try {
      return { ...factsOf(database), application: Number(pragma(database, 'application_id')) };
    } finally {
      database.close();
    }
  } catch (error) {
    throw toRecordError(error, path);
  }
}
