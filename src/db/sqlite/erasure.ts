// The second half of every deletion: what was noted as deleted is taken out of all else that is kept, and then out of the file itself.
// Invariant: a note goes only when what it asks for is done, so that a process that was killed leaves the rest to the next one.
import type { DatabaseSync } from 'node:sqlite';
import { countDeletedSessions, notedElsewhere, onErasureNoted } from '../erasure/erasure-notes.ts';
import { type NotedErasures, type PendingErasure, readNoted, readPending } from '../erasure/noted-erasures.ts';
import { createPageCleaner, type Pause } from '../erasure/page-gaps.ts';
import { sweepTenant } from './erasure-sweep.ts';
import { prepared } from './file/connection.ts';
import type { Writer } from './requests/sessions.ts';

export interface Erasures {
  /** Calls `listener` with every deletion, from within its transaction. Returns how to end that. */
  onNoted(listener: () => void): () => void;
  /** Call when another connection of this process deleted documents. */
  notedElsewhere(tenant: string): void;
  /** What is still to be erased; pages of the file that are to be cleaned count as nothing but their time. */
  pending(tenant?: string): readonly PendingErasure[];
  /** What of a tenant is to be swept. */
  noted(tenant: string): NotedErasures | undefined;
  /** Takes it out of what is saved beside the index. May be repeated. */
  sweep(noted: NotedErasures, pause: Pause): Promise<void>;
  /** It is swept, and out of the index too: only pages of the file are left. */
  settle(noted: NotedErasures): Promise<void>;
  /** Cleans pages and journal. False where somebody else reads the record: to be tried again. */
  cleanPages(pause: Pause): Promise<boolean>;
  /** Which sessions were deleted in this process until now. */
  deletedSessions(): string;
  /** After the connections were closed. */
  close(): void;
}

/** Notes that are deleted in one transaction. */
const notesTogether = 500;

export interface ErasurePorts {
  readonly path: string;
  readonly writer: DatabaseSync;
  readonly write: Writer;
  read<T>(work: (database: DatabaseSync) => T): T;
}

export function createErasures({ path, writer, write, read }: ErasurePorts): Erasures {
  const cleaner = createPageCleaner(path, writer);
  return {
    onNoted: (listener) => onErasureNoted(writer, listener),
    notedElsewhere: (tenant) => notedElsewhere(writer, tenant),
    pending: (tenant) => read((database) => readPending(database, tenant)),
    noted: (tenant) => read((database) => readNoted(database, tenant)),
    sweep: (noted, pause) => sweepTenant(noted, { read, write, pause }),
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
