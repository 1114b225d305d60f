// The second half of every deletion: what was noted as deleted is taken out of all else that is kept, and then out of the file itself.
// Invariant: a note goes only when what it asks for is done, so that a process that was killed leaves the rest to the next one.
import type { DatabaseSync } from 'node:sqlite';
import { sweepTenant } from '../both/erasure-sweep.ts';
import { type Erasures, readNotes } from '../both/noted-erasures.ts';
import { countDeletedSessions, notedElsewhere, onErasureNoted } from '../erasure/erasure-notes.ts';
import { createPageCleaner, type Pause } from '../erasure/page-gaps.ts';
import type { Statements } from '../statements.ts';
import { prepared } from './file/connection.ts';
import { deleteSession } from './requests/delete-session.ts';
import type { Writer } from './requests/sessions.ts';

export interface SqliteErasures extends Erasures {
  /** Call when another connection of this process deleted documents. */
  notedElsewhere(tenant: string): void;
  /** Which sessions were deleted in this process until now. */
  deletedSessions(): string;
  /** After the connections were closed. */
  close(): void;
}

/** Notes that are deleted in one transaction. */
const notesTogether = 500;

async function forgetPassages(write: Writer, tenant: string, pause: Pause): Promise<void> {
  const some =
    'DELETE FROM encoded_passage WHERE rowid IN (SELECT rowid FROM encoded_passage WHERE tenant = ? LIMIT 500)';
  while ((await write((database) => Number(prepared(database, some).run(tenant).changes))) > 0) await pause();
}

export interface ErasurePorts {
  readonly statements: Statements;
  readonly path: string;
  readonly writer: DatabaseSync;
  readonly write: Writer;
  read<T>(work: (database: DatabaseSync) => T): T;
}

export function createErasures({ path, writer, write, read, statements }: ErasurePorts): SqliteErasures {
  const cleaner = createPageCleaner(path, writer);
  return {
    onNoted: (listener) => onErasureNoted(writer, listener),
    notedElsewhere: (tenant) => notedElsewhere(writer, tenant),
    ...readNotes(() => statements),
    sweep: (noted, pause) =>
      sweepTenant(noted, {
        statements,
        pause,
        deleteSession: (session) => deleteSession(write, session),
        forgetPassages: (tenant) => forgetPassages(write, tenant, pause),
      }),
    async settle({ tenant, rows, since }) {
      for (let at = 0; at < rows.length; at += notesTogether)
        await write((database) => {
          prepared(database, "INSERT OR REPLACE INTO erasure VALUES (?, 'pages', '', '', NULL, NULL, ?)").run(
            tenant,
            since,
          );
          // One that was noted anew meanwhile is another deletion.
          const done = prepared(
            database,
            'DELETE FROM erasure WHERE tenant = ? AND kind = ? AND id = ? AND principal = ? AND noted_at = ?',
          );
          for (const { kind, id, principal, noted_at } of rows.slice(at, at + notesTogether))
            done.run(tenant, kind, id, principal, noted_at);
        });
    },
    async cleanPages(pause) {
      const asked = read((database) =>
        prepared(database, "SELECT tenant, noted_at AS at FROM erasure WHERE kind = 'pages'").all(),
      );
      if (asked.length === 0) return true;
      if (!(await cleaner.clean(pause))) return false;
      await write((database) => {
        const sql = "DELETE FROM erasure WHERE tenant = ? AND kind = 'pages' AND noted_at = ?";
        for (const { tenant, at } of asked) prepared(database, sql).run(tenant as string, at as string);
      });
      return true;
    },
    deletedSessions: () => countDeletedSessions(writer),
    close: () => cleaner.close(),
  };
}
