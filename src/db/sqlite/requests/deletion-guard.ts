// What was deleted while requests were under way, as this process knows it by its writing connection.
import type { DatabaseSync } from 'node:sqlite';
import type { Scope } from '../../../core/scope.ts';
import { type DeletionGuard, known } from '../../both/deletions.ts';
import type { NoteMemory } from '../../both/memories/rows.ts';
import { deletedSince, missingDocuments, noteMemory, notePages, wasDeletedSince } from '../../erasure/erasure-notes.ts';
import { prepared } from '../file/connection.ts';

function isGone(database: DatabaseSync, { tenant, principal }: Scope, id: string | undefined): boolean {
  if (id === undefined || !wasDeletedSince(database, { tenant, principal: principal.id, id })) return false;
  const sql = 'SELECT 1 FROM session WHERE tenant = ? AND principal = ? AND id = ?';
  return prepared(database, sql).get(tenant, principal.id, id) === undefined;
}

/** The writing connection sees what was committed, and within a transaction what that did. */
export const createDeletionGuard = (writer: DatabaseSync): DeletionGuard => ({
  isGone: (scope, sessionId) => known(isGone(writer, scope, sessionId)),
  deletedSince: (tenant, sinceMs) => known(deletedSince(writer, tenant, sinceMs)),
  missing: (tenant, ids) => known(missingDocuments(writer, tenant, ids)),
  notePages: (tenant) => known(notePages(writer, tenant)),
});

/** Notes memories on the connection that takes them away. */
export const noteMemoryOf =
  (database: DatabaseSync, tenant: string): NoteMemory =>
  (id) =>
    known(noteMemory(database, tenant, id));
