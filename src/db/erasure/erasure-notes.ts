// What was deleted, noted in the transaction that deletes it: whoever cleans up afterwards (sqlite/erasure.ts) finds it there whatever
// happened in between. Also the guard at the door: what a request that was under way when something was deleted saves afterwards
// does not bring it back.
import type { DatabaseSync } from 'node:sqlite';
import { archivePlace } from '../../core/archive.ts';
import { workspacePrefix } from '../../core/ids.ts';
import { prepared } from '../sqlite/file/connection.ts';

interface Deletions {
  /** When a document was last deleted here, by tenant, in milliseconds of the wall clock. */
  readonly documents: Map<string, number>;
  /** The last sessions that were deleted here, and in which order. */
  readonly sessions: Map<string, number>;
  count: number;
  readonly listeners: Set<() => void>;
}

/** By writing connection: requests that are under way do not outlive the process. */
const deletions = new WeakMap<DatabaseSync, Deletions>();

function deletionsOf(database: DatabaseSync): Deletions {
  const present = deletions.get(database);
  if (present) return present;
  const made = { documents: new Map(), sessions: new Map(), count: 0, listeners: new Set<() => void>() };
  deletions.set(database, made);
  return made;
}

/** Calls `listener` soon after something was noted. Returns how to end that. */
export function onErasureNoted(database: DatabaseSync, listener: () => void): () => void {
  const { listeners } = deletionsOf(database);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function tell(database: DatabaseSync): void {
  for (const listener of deletionsOf(database).listeners) listener();
}

const insertSql = 'INSERT OR REPLACE INTO erasure VALUES (?, ?, ?, ?, ?, ?, ?)';

/** Call before the document's row goes. */
export function noteDocument(database: DatabaseSync, tenant: string, id: string): void {
  const now = new Date();
  prepared(
    database,
    "INSERT OR REPLACE INTO erasure SELECT tenant, 'document', id, '', source, uri, ? FROM document WHERE tenant = ? AND id = ?",
  ).run(now.toISOString(), tenant, id);
  deletionsOf(database).documents.set(tenant, now.getTime());
  tell(database);
}

/** Documents were deleted, and noted, by another connection of this process. */
export function notedElsewhere(database: DatabaseSync, tenant: string): void {
  deletionsOf(database).documents.set(tenant, Date.now());
  tell(database);
}

/** A document was replaced: its answers stay until it is deleted, its earlier words do not stay in the index and the file. */
export function noteRevision(database: DatabaseSync, tenant: string): void {
  prepared(database, insertSql).run(tenant, 'revision', '', '', null, null, new Date().toISOString());
  tell(database);
}

/** A long-term memory was taken away: answers that cite it and traces in which it was recalled are to lose it. */
export function noteMemory(database: DatabaseSync, tenant: string, id: string): void {
  const now = new Date();
  prepared(database, insertSql).run(tenant, 'memory', id, '', null, null, now.toISOString());
  deletionsOf(database).documents.set(tenant, now.getTime());
  tell(database);
}

/** A conversation of the archive was deleted: answers that cite its turns and traces in which they were read are to lose them. */
export const noteConversation = (database: DatabaseSync, tenant: string, id: string): void =>
  noteMemory(database, tenant, archivePlace(id));

/** What was deleted stood nowhere else: only its pages of the file are to be cleaned. */
export function notePages(database: DatabaseSync, tenant: string): void {
  prepared(database, insertSql).run(tenant, 'pages', '', '', null, null, new Date().toISOString());
  tell(database);
}

export interface SessionName {
  readonly tenant: string;
  readonly principal: string;
  readonly id: string;
}
const nameOf = ({ tenant, principal, id }: SessionName): string => JSON.stringify([tenant, principal, id]);

/** No more messages than these are under way at once. */
const keptSessions = 10_000;

export function noteSession(database: DatabaseSync, session: SessionName): void {
  const { tenant, principal, id } = session;
  prepared(database, insertSql).run(tenant, 'session', id, principal, null, null, new Date().toISOString());
  const noted = deletionsOf(database);
  const { sessions } = noted;
  noted.count += 1;
  sessions.delete(nameOf(session));
  sessions.set(nameOf(session), noted.count);
  const [oldest] = sessions.keys();
  if (sessions.size > keptSessions && oldest !== undefined) sessions.delete(oldest);
  tell(database);
}

/** Which sessions were deleted until now: what a message that begins now gives to `wasDeletedSince`. */
export function countDeletedSessions(database: DatabaseSync): string {
  return String(deletionsOf(database).count);
}

/** Without a mark: ever. */
export function wasDeletedSince(database: DatabaseSync, session: SessionName, mark = '0'): boolean {
  return (deletionsOf(database).sessions.get(nameOf(session)) ?? 0) > Number(mark);
}

export function noteSource(database: DatabaseSync, tenant: string, name: string): void {
  prepared(database, insertSql).run(tenant, 'source', name, '', null, null, new Date().toISOString());
  tell(database);
}

/** No request takes longer (10 minutes and what it takes to save). */
const longestRequestMs = 15 * 60_000;

/** Whether a document was deleted since a request began, or while any that still runs may have begun. */
export function deletedSince(database: DatabaseSync, tenant: string, sinceMs?: number): boolean {
  const last = deletionsOf(database).documents.get(tenant);
  return last !== undefined && last >= (sinceMs ?? Date.now() - longestRequestMs);
}

/** Those of these documents, and of the memories, turns and conversations that answers cite like them, that are not there (any more). */
export function missingDocuments(database: DatabaseSync, tenant: string, ids: Iterable<string>): ReadonlySet<string> {
  const find = prepared(database, 'SELECT 1 FROM document WHERE tenant = ? AND id = ?');
  const recall = prepared(database, 'SELECT 1 FROM memory JOIN memory_owner USING (owner) WHERE tenant = ? AND id = ?');
  const said = prepared(database, 'SELECT 1 FROM turn WHERE tenant = ? AND id = ?');
  const archived = prepared(database, 'SELECT 1 FROM archive_conversation WHERE tenant = ? AND id = substr(?, 14)');
  const missing = new Set<string>();
  for (const id of new Set(ids)) {
    const places = id.startsWith(archivePlace('')) ? [archived] : [find, recall, said];
    if (!id.startsWith(workspacePrefix) && places.every((sought) => sought.get(tenant, id) === undefined))
      missing.add(id);
  }
  return missing;
}
