// The row of a tenant, which whatever changes its corpus locks before it reads anything else.
import { randomUUID } from 'node:crypto';
import type { Connection, PostgresClient } from './client/client.ts';

/** The state of a tenant as its commit holds and changes it. */
export interface HeldState {
  revision: number;
  nextRow: number;
  /** 0: there is no index yet. */
  version: number;
  rebuildAfter: string | null;
  /** As an index in memory knows it. */
  purged: number;
}

/** Whether a commit, the second parameter, is in the history of the tenant that is the first. */
export const isKnownSql = 'epoch = $2 OR EXISTS (SELECT 1 FROM commit_id WHERE tenant = $1 AND id = $2)';
const lockSql = `SELECT revision, next_row AS "nextRow", index_version AS version, rebuild_after AS "rebuildAfter", purged,
  ${isKnownSql} AS "isKnown" FROM tenant_state
  WHERE tenant = $1 FOR UPDATE`;
const beginSql = `INSERT INTO tenant_state (tenant, revision, documents_rev, deletion_seq, epoch, index_version, next_row, purged)
  VALUES ($1, 0, 0, 0, $2, 0, 1, 0) ON CONFLICT (tenant) DO NOTHING`;
/** Who changes the corpus waits for whoever asks this of a tenant, and lets nobody ask it meanwhile. */
export const holdTenantSql = 'SELECT 1 FROM tenant_state WHERE tenant = ? FOR KEY SHARE';

type Locked = HeldState & { readonly isKnown: boolean | null };

/** Locks the tenant until the transaction ends; it is made where it is not there. `commit`: the id of one that is asked for in its history. */
export async function lockTenant(connection: Connection, tenant: string, commit?: string): Promise<Locked> {
  const [present] = await connection.rows<Locked>(lockSql, [tenant, commit ?? null]);
  if (present) return present;
  await connection.rows(beginSql, [tenant, randomUUID()]);
  const [made] = await connection.rows<Locked>(lockSql, [tenant, commit ?? null]);
  return made as Locked;
}

export interface RevisionPorts {
  readonly client: PostgresClient;
  /** Locks the tenant. Throws where the database has lost a commit of it that is known here. */
  readonly lock: (connection: Connection, tenant: string) => Promise<HeldState>;
  /** Called with the revision that a commit took, and its id. */
  readonly committed: (tenant: string, commit: { readonly revision: number; readonly epoch: string }) => void;
}

/** Of a tenant that was moved here the commit before this one stands nowhere else. */
const endSql = `WITH noted AS (INSERT INTO commit_id (tenant, id, revision) VALUES ($1, $2, $3)),
  before AS (INSERT INTO commit_id (tenant, id, revision) SELECT tenant, epoch, revision FROM tenant_state WHERE tenant = $1 AND revision > 0
    ON CONFLICT DO NOTHING)
  UPDATE tenant_state SET epoch = $2, revision = $3, next_row = $4, index_version = $5, rebuild_after = $6, documents_rev = documents_rev + $7,
    purged = $8 WHERE tenant = $1`;
/** Those of an hour can be looked up, and of the last thousand of a tenant. */
const tidySql = `DELETE FROM commit_id WHERE tenant = $1 AND at < clock_timestamp() - interval '1 hour' AND revision < $2 - 1000`;
/** Revisions between two such deletions. */
const tidiedEvery = 1000;

/** Work that takes the next revision of a tenant; it may run several times. How long it held the tenant, in milliseconds, beside what it gave. */
export async function takeRevision<T extends { readonly areChanged: boolean }>(
  { client, lock, committed }: RevisionPorts,
  tenant: string,
  work: (connection: Connection, state: HeldState) => Promise<T>,
): Promise<T & { readonly heldMs: number }> {
  const id = randomUUID();
  const { revision, done } = await client.write(
    async (connection) => {
      const state = await lock(connection, tenant);
      const startedMs = performance.now();
      state.revision += 1;
      const done = await work(connection, state);
      const { revision, nextRow, version, rebuildAfter, purged } = state;
      const changed = done.areChanged ? 1 : 0;
      await connection.rows(endSql, [tenant, id, revision, nextRow, version, rebuildAfter, changed, purged]);
      if (revision % tidiedEvery === 0) await connection.rows(tidySql, [tenant, revision]);
      return { revision, done: { ...done, heldMs: performance.now() - startedMs } };
    },
    {
      // A commit that the server is still about to end holds the lock until then.
      async isDone(connection) {
        await lockTenant(connection, tenant);
        const sql = 'SELECT 1 FROM commit_id WHERE tenant = $1 AND id = $2';
        return (await connection.rows(sql, [tenant, id])).length > 0;
      },
    },
  );
  committed(tenant, { revision, epoch: id });
  return done;
}
