// Commits of a scope. Invariants: the tenant's row is locked before anything else is read, so that revisions have no gaps and become visible in
// their order; each commit writes an id of its own, by which its outcome is found where the connection was lost while it was made.
import type { Scope } from '../../core/scope.ts';
import { effectNote } from '../both/effects.ts';
import type { Expectation, RecordChange } from '../repositories/changes.ts';
import type { IndexWithin, PrintedDocument } from '../repositories/index-log.ts';
import type { TenantRecord } from '../tenant-record.ts';
import { assertSourceThere, assertUnchanged } from '../write-rules.ts';
import type { Connection } from './client/client.ts';
import { runSteps } from './client/statements.ts';
import { type RevisionPorts, takeRevision } from './tenant-lock.ts';
import { openTransaction, type Transaction } from './transaction.ts';

export interface CommitPorts extends RevisionPorts {
  readonly indexes: ReadonlyMap<string, IndexWithin>;
  /** Called when something was committed that may have deleted what other rows mention. */
  readonly told?: () => void;
  /** Called with how many chunks were written to the index. */
  readonly wrote?: (chunks: number) => void;
}

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
  ({ indexes, told, wrote, ...ports }: CommitPorts): ((scope: Scope) => TenantRecord['commit']) =>
  (scope) =>
  async (changes, { expect = [] } = {}) => {
    const { tenant } = scope;
    const note = effectNote();
    // Once, however often the commit is tried, and before anybody is kept waiting.
    const printed = new Map<RecordChange, readonly PrintedDocument[]>();
    for (const change of changes)
      if (change.kind === 'put-entries')
        printed.set(change, indexes.get(change.store)?.print(change.documents, change.space) ?? []);
    const { applied, heldMs } = await takeRevision(ports, tenant, async (connection, state) => {
      const expected = expect.flatMap((one) => (one.kind === 'document' ? [one.id] : []));
      const transaction = await openTransaction({ connection, scope, state, indexes, printed }, { changes, expected });
      for (const one of expect) await assertMet(connection, scope, { expected: one, transaction });
      const applied: boolean[] = [];
      for (const change of changes) applied.push(await transaction.make(change));
      const areChanged = await transaction.end();
      for (const change of changes)
        if (change.kind === 'put-source') await runSteps(connection, note('source', change.source.name));
      return { applied, areChanged };
    });
    if (changes.some(({ kind }) => kind === 'delete-document' || kind === 'delete-source' || kind === 'put-document'))
      told?.();
    for (const change of changes)
      if (change.kind === 'put-entries' || change.kind === 'delete-entries')
        indexes.get(change.store)?.written?.(tenant);
    const documents = [...printed.values()].flat();
    wrote?.(documents.reduce((sum, { chunks }) => sum + chunks.length, 0));
    return { applied, heldMs };
  };
