// What the archive of conversations takes of SQLite.
import type { DatabaseSync } from 'node:sqlite';
import type { ArchivePorts } from '../both/archive/archive.ts';
import { known } from '../both/deletions.ts';
import { noteConversation, notePages, noteSession } from '../erasure/erasure-notes.ts';
import { createStatements } from './file/statements.ts';

export interface ArchiveDatabase {
  read<T>(work: (database: DatabaseSync) => T): T;
  write<T>(work: (database: DatabaseSync) => T): Promise<T>;
  /** The connection that writes, for notes within its transactions. */
  readonly writer: DatabaseSync;
}

export function archivePortsOf({ read, write, writer }: ArchiveDatabase): ArchivePorts {
  return {
    statements: createStatements({ read: async (work) => read(work), write, free: write }),
    inOrder: 'CROSS JOIN',
    notePages: (tenant) => known(notePages(writer, tenant)),
    noteConversation: (tenant, id) => known(noteConversation(writer, tenant, id)),
    noteSession: (session) => known(noteSession(writer, session)),
  };
}
