// The guard at the door of what requests save, whichever server deleted something meanwhile. One protocol for all who save and all who delete:
// - Who saves what a request said or was told (an answer, a turn, a trace, a reply) holds the savers' lock of the tenant, shared, from before it
//   looks for what was deleted until its transaction ends.
// - Who deletes a document, a source, a session, a memory or a conversation notes it, and takes that lock alone until its transaction ends: before its first statement over
//   what others save, and documents at the end of their commit. So a save is in the record before the deletion, and goes with it or with the sweep
//   that begins after it; or its statements run after the deletion, and see what is gone.
// - Locks are taken in one order: the owner of the record (owner.ts), what works are about (statements.ts), the tenant's row, the savers' lock, the row
//   of a session, other rows. The sweep takes none of the savers': what it reads was saved before, and what is saved later was looked at.
// - The horizon is how long a note is looked at by those who save: longer than any request is under way, by the clock of the database (`at`). The clock
//   of the server that deleted (`noted_at`) is only compared with when requests began, by the same clock.
import { archivePlace } from '../../core/archive.ts';
import { workspacePrefix } from '../../core/ids.ts';
import { type DeletionGuard, known } from '../both/deletions.ts';
import type { NoteMemory, SessionOf } from '../both/memories/rows.ts';
import { first, rows, run, type Statements, type Steps } from '../statements.ts';
import { type Connection, type PostgresClient, takeAlone } from './client/client.ts';
import { createStatements, runSteps } from './client/statements.ts';

/** No request takes longer (10 minutes and what it takes to save). */
const longestRequest = '15 minutes';

/** The name of the savers' lock. */
export const saversOf = (tenant: string): string => `savers ${tenant}`;

/** Call in a transaction that deletes: those who save are done, and others wait for it. */
export const holdSavers = (connection: Connection, tenant: string): Promise<unknown> =>
  takeAlone(connection, saversOf(tenant));

const noteSql = `INSERT INTO erasure (tenant, kind, id, principal, noted_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (tenant, kind, id, principal) DO UPDATE SET noted_at = excluded.noted_at, at = excluded.at, settled = false`;

/** What is deleted in this transaction. */
function* noteGone(
  tenant: string,
  {
    kind,
    id,
    principal = '',
  }: { readonly kind: 'memory' | 'session'; readonly id: string; readonly principal?: string },
): Steps<void> {
  yield* run(noteSql, tenant, kind, id, principal, new Date().toISOString());
}

export const noteMemoryOf =
  (tenant: string): NoteMemory =>
  (id) =>
    noteGone(tenant, { kind: 'memory', id });

const raiseSql = `INSERT INTO tenant_state AS t (tenant, revision, documents_rev, deletion_seq, epoch, index_version, next_row, purged)
  VALUES (?, 0, 0, 1, gen_random_uuid(), 0, 1, 0) ON CONFLICT (tenant) DO UPDATE SET deletion_seq = t.deletion_seq + 1`;

/** Before a session is deleted: locks the row of the tenant, and gives the deletion the next number. */
export function* raiseDeletions(tenant: string): Steps<void> {
  yield* run(raiseSql, tenant);
}

/** No message is under way for longer. */
const forgetDeletions = "DELETE FROM deleted_session WHERE tenant = ? AND at < clock_timestamp() - interval '1 hour'";
const deletedSql = `INSERT INTO deleted_session (tenant, principal, id, seq)
  SELECT ?1::text, ?2::text, ?3::text, deletion_seq FROM tenant_state WHERE tenant = ?1
  ON CONFLICT (tenant, principal, id) DO UPDATE SET seq = excluded.seq, at = clock_timestamp()`;

/** After `raiseDeletions` in the same transaction. */
export function* noteSession({ tenant, principal, id }: SessionOf): Steps<void> {
  yield* run(forgetDeletions, tenant);
  yield* run(deletedSql, tenant, principal, id);
  yield* noteGone(tenant, { kind: 'session', id, principal });
}

interface SavedOptions {
  readonly tenant: string;
  /** What the works are about. */
  readonly about: string;
  /** Where what is taken away may be a session, or be kept like one. */
  readonly deletes?: 'sessions';
  /** Called when something was taken away. */
  readonly told: () => void;
}

/** The statements of what requests save, where what takes away holds off who saves. */
export function createSavedStatements(
  client: PostgresClient,
  { tenant, about, deletes, told }: SavedOptions,
): Statements {
  const alone = `${about} ${tenant}`;
  return {
    ...createStatements(client, alone, saversOf(tenant)),
    async free(work) {
      const result = await client.write(
        async (connection) => {
          if (deletes === 'sessions') await runSteps(connection, raiseDeletions(tenant));
          await holdSavers(connection, tenant);
          return runSteps(connection, work());
        },
        { alone },
      );
      told();
      return result;
    },
  };
}

export const deletionGuard: DeletionGuard = {
  *isGone({ tenant, principal }, sessionId, since) {
    if (sessionId === undefined) return false;
    const sql = `SELECT 1 FROM deleted_session AS d WHERE d.tenant = ?1 AND d.principal = ?2 AND d.id = ?3 AND CASE WHEN ?4::bigint IS NULL
      THEN NOT EXISTS (SELECT 1 FROM session AS s WHERE s.tenant = ?1 AND s.principal = ?2 AND s.id = ?3) ELSE d.seq > ?4 END`;
    return (yield* first(sql, tenant, principal.id, sessionId, since ?? null)) !== undefined;
  },

  *deletedSince(tenant) {
    const sql = `SELECT 1 FROM erasure WHERE tenant = ? AND kind IN ('document', 'memory')
      AND at > clock_timestamp() - interval '${longestRequest}' LIMIT 1`;
    return (yield* first(sql, tenant)) !== undefined;
  },

  *missing(tenant, ids) {
    const sought = [...new Set(ids)].filter((id) => !id.startsWith(workspacePrefix));
    if (sought.length === 0) return new Set();
    const sql = `SELECT w.id FROM unnest(?2::text[]) AS w (id)
      WHERE NOT EXISTS (SELECT 1 FROM document AS d WHERE d.tenant = ?1 AND d.id = w.id)
      AND NOT EXISTS (SELECT 1 FROM turn AS t WHERE t.tenant = ?1 AND t.id = w.id)
      AND NOT EXISTS (SELECT 1 FROM memory AS m JOIN memory_owner AS o ON o.owner = m.owner WHERE o.tenant = ?1 AND m.id = w.id)
      AND NOT EXISTS (SELECT 1 FROM archive_conversation AS c WHERE c.tenant = ?1 AND '${archivePlace('')}' || c.id = w.id)`;
    return new Set((yield* rows<{ readonly id: string }>(sql, tenant, sought)).map(({ id }) => id));
  },

  notePages: () => known(undefined),
};
