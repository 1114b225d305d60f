// Commits of a scope: expectations are looked at and changes made in one work of the writing connection. Invariant: one that fails leaves
// nothing behind; one that only takes away goes through on a full disk, too.
import type { DatabaseSync } from 'node:sqlite';
import type { Scope } from '../../core/scope.ts';
import { effectNote } from '../both/effects.ts';
import { type DocumentRow, documentColumns } from '../document-rows.ts';
import type { Committed, EntryChange, Expectation, RecordChange } from '../repositories/changes.ts';
import type { TenantRecord } from '../tenant-record.ts';
import { assertSourceThere, assertUnchanged, noIndex, toExisting } from '../write-rules.ts';
import { prepared } from './file/connection.ts';
import { toRecordError } from './file/sqlite-errors.ts';
import { runSteps } from './file/statements.ts';
import { createTransaction } from './transaction.ts';

/** Writes the entries of a store that keeps its index in the same database. */
export type WriteEntries = (database: DatabaseSync, tenant: string, change: EntryChange) => void;

export interface CommitPorts {
  write<T>(work: (database: DatabaseSync) => T): Promise<T>;
  /** By the name of the store. */
  readonly indexes: ReadonlyMap<string, WriteEntries>;
  /** Gives up the reserve of a full disk; false if it was gone. */
  releaseBallast(): boolean;
}

/** A row has no entry in an index (SQLITE_CORRUPT_INDEX), or a key is taken although nobody finds it (of a primary key, of another). */
const damagedIndexes: ReadonlySet<number> = new Set([779, 1555, 2067]);

const sourceByName = 'SELECT 1 FROM source WHERE tenant = ? AND name = ?';
const documentById = `SELECT ${documentColumns} FROM document AS d WHERE d.tenant = ? AND d.id = ?`;

const takesAway: ReadonlySet<RecordChange['kind']> = new Set(['delete-document', 'delete-source', 'delete-entries']);

/** The commits of an open record, for each scope. */
export function createCommits({
  write,
  indexes,
  releaseBallast,
}: CommitPorts): (scope: Scope) => TenantRecord['commit'] {
  let isReindexed = false;
  const writeEntries = (database: DatabaseSync, tenant: string, change: EntryChange): boolean => {
    const index = indexes.get(change.store);
    if (!index) throw noIndex(change.store);
    index(database, tenant, change);
    return true;
  };
  return (scope) =>
    async (changes, { expect = [] } = {}) => {
      const note = effectNote();
      const run = (): Promise<Committed> =>
        write((database) => {
          const startedMs = performance.now();
          const makeRow = createTransaction(database, scope);
          for (const expectation of expect) assertMet(database, scope, expectation);
          const make = (change: RecordChange): boolean =>
            isEntryChange(change) ? writeEntries(database, scope.tenant, change) : makeRow(change);
          const applied = changes.map(make);
          for (const change of changes)
            if (change.kind === 'put-source') runSteps(database, note('source', change.source.name));
          return { applied, heldMs: performance.now() - startedMs };
        });
      try {
        return await run();
      } catch (error) {
        const { code, details } = toRecordError(error);
        if (!isReindexed && damagedIndexes.has(Number(details['sqliteCode']))) {
          // A damaged row is not what its indexes say, so it can be neither replaced nor removed: they are made from the rows.
          isReindexed = true;
          await write((database) => database.exec('REINDEX'));
          return run();
        }
        const addsNothing = changes.every(({ kind }) => takesAway.has(kind));
        if (code !== 'storage-full' || !addsNothing || !releaseBallast()) throw error;
        return run();
      }
    };
}

const isEntryChange = (change: RecordChange): change is EntryChange =>
  change.kind === 'put-entries' || change.kind === 'delete-entries';

function assertMet(database: DatabaseSync, { tenant, principal }: Scope, expected: Expectation): void {
  if (expected.kind === 'source') {
    const found = prepared(database, sourceByName).get(tenant, expected.name.toWellFormed());
    assertSourceThere(expected, found !== undefined);
    return;
  }
  const row = prepared(database, documentById).get(tenant, expected.id) as DocumentRow | undefined;
  assertUnchanged(principal, expected, row && toExisting(row));
}
