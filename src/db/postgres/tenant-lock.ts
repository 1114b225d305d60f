// The row of a tenant, which whatever changes its corpus locks before it reads anything else.
import { randomUUID } from 'node:crypto';
import type { Connection } from './client/client.ts';

/** The state of a tenant as its commit holds and changes it. */
export interface HeldState {
  revision: number;
  nextRow: number;
  /** 0: there is no index yet. */
  version: number;
  rebuildAfter: string | null;
}

/** Whether a commit, the second parameter, is in the history of the tenant that is the first. */
export const isKnownSql = 'epoch = $2 OR EXISTS (SELECT 1 FROM commit_id WHERE tenant = $1 AND id = $2)';
const lockSql = `SELECT revision, next_row AS "nextRow", index_version AS version, rebuild_after AS "rebuildAfter",
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
