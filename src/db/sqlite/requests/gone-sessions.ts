// Sessions that were deleted while a message to them was answered.
import type { DatabaseSync } from 'node:sqlite';
import type { Scope } from '../../../core/scope.ts';
import { wasDeletedSince } from '../../erasure/erasure-notes.ts';
import { prepared } from '../file/connection.ts';

/** Whether the session of a message was deleted while it was answered. */
export function isGone(database: DatabaseSync, { tenant, principal }: Scope, id: string | undefined): boolean {
  if (id === undefined || !wasDeletedSince(database, { tenant, principal: principal.id, id })) return false;
  const sql = 'SELECT 1 FROM session WHERE tenant = ? AND principal = ? AND id = ?';
  return prepared(database, sql).get(tenant, principal.id, id) === undefined;
}
