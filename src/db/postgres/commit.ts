// Commits of a scope. Invariants: the tenant's row is locked before anything else is read, so that revisions have no gaps and become visible in
// their order; each commit writes an id of its own, by which its outcome is found where the connection was lost while it was made.
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../core/scope.ts';
import { effectNote } from '../both/effects.ts';
import type { Expectation, RecordChange } from '../repositories/changes.ts';
import type { IndexWithin, PrintedDocument } from '../repositories/index-log.ts';
import type { TenantRecord } from '../tenant-record.ts';
import { assertSourceThere, assertUnchanged } from '../write-rules.ts';
import type { Connection, PostgresClient } from './client/client.ts';
import { runSteps } from './client/statements.ts';
import { type HeldState, lockTenant } from './tenant-lock.ts';
import { openTransaction, type Transaction } from './transaction.ts';

export interface CommitPorts {
  readonly client: PostgresClient;
  readonly indexes: ReadonlyMap<string, IndexWithin>;
  /** Locks the tenant. Throws where the database has lost a commit of it that is known here. */
  readonly lock: (connection: Connection, tenant: string) => Promise<HeldState>;
  /** Called with the revision that a commit took, and its id. */
  readonly committed: (tenant: string, commit: { readonly revision: number; readonly epoch: string }) => void;
  /** Called when something was committed that may have deleted what other rows mention. */
  readonly told?: () => void;
}

/** Of a tenant that was moved here the commit before this one stands nowhere else. */
const endSql = `WITH noted AS (INSERT INTO commit_id (tenant, id, revision) VALUES ($1, $2, $3)),
  before AS (INSERT INTO commit_id (tenant, id, revision) SELECT tenant, epoch, revision FROM tenant_state WHERE tenant = $1 AND revision > 0
    ON CONFLICT DO NOTHING)
  UPDATE tenant_state SET epoch = $2, revision = $3, next_row = $4, index_version = $5, rebuild_after = $6, documents_rev = documents_rev + $7
  WHERE tenant = $1`;
/** Those of an hour can be looked up, and of the last thousand of a tenant. */
const tidySql = `DELETE FROM commit_id WHERE tenant = $1 AND at < clock_timestamp() - interval '1 hour' AND revision < $2 - 1000`;
/** Revisions between two such deletions. */
const tidiedEvery = 1000;

async function assertMet(
  connection: Connection,
  { tenant, principal }: Scope,
  { expected, transaction }: { readonly expected: Expectation; readonly transaction: Transaction },
): Promise<void> {
  if (expected.kind === 'source') {
    const sql = 'SELECT 1 FROM source WHERE tenant = $1 AND name = $2';
    assertSourceThere(expected, (await connection.rows(sql, [tenant, expected.name.toWellFormed()])).length > 0);
  } else assertUnchanged(principal, expected, transaction.existing(expected.id));
}

/** The commits of an open record, for each scope. */
export const createCommits =
  ({ client, indexes, lock, committed: tell, told }: CommitPorts): ((scope: Scope) => TenantRecord['commit']) =>
  (scope) =>
  async (changes, { expect = [] } = {}) => {
    const { tenant } = scope;
    const id = randomUUID();
    const note = effectNote();
    // Once, however often the commit is tried, and before anybody is kept waiting.
    const printed = new Map<RecordChange, readonly PrintedDocument[]>();
    for (const change of changes)
      if (change.kind === 'put-entries')
        printed.set(change, indexes.get(change.store)?.print(change.documents, change.space) ?? []);
    const { revision, ...committed } = await client.write(
      async (connection) => {
        const state = await lock(connection, tenant);
        const startedMs = performance.now();
        state.revision += 1;
        const expected = expect.flatMap((one) => (one.kind === 'document' ? [one.id] : []));
        const transaction = await openTransaction(
          { connection, scope, state, indexes, printed },
          { changes, expected },
        );
        for (const one of expect) await assertMet(connection, scope, { expected: one, transaction });
        const applied: boolean[] = [];
        for (const change of changes) applied.push(await transaction.make(change));
        const areChanged = await transaction.end();
        for (const change of changes)
          if (change.kind === 'put-source') await runSteps(connection, note('source', change.source.name));
        const { revision, nextRow, version, rebuildAfter } = state;
        await connection.rows(endSql, [tenant, id, revision, nextRow, version, rebuildAfter, areChanged ? 1 : 0]);
        if (revision % tidiedEvery === 0) await connection.rows(tidySql, [tenant, revision]);
        return { applied, heldMs: performance.now() - startedMs, revision };
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
    tell(tenant, { revision, epoch: id });
    if (changes.some(({ kind }) => kind === 'delete-document' || kind === 'delete-source' || kind === 'put-document'))
      told?.();
    return committed;
  };
