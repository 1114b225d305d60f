// Transactions of callers that still bring a function: the old way into the record, over the same changes as `commit`.
import type { DatabaseSync } from 'node:sqlite';
import { FootnoteError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { RecordTransaction, TenantRecord } from '../record.ts';
import type { CommitPorts } from './commit.ts';
import { prepared } from './file/connection.ts';
import { toRecordError } from './file/sqlite-errors.ts';
import { createTransaction, type RowChange } from './transaction.ts';

const databases = new WeakMap<RecordTransaction, DatabaseSync>();

/** The connection of a running transaction, for stores that keep their index beside the record. Throws once it has ended. */
export function sqliteOf(transaction: RecordTransaction): DatabaseSync {
  const database = databases.get(transaction);
  if (database) return database;
  throw new FootnoteError('internal', 'This transaction is not a running one of the SQLite record.');
}

const damagedIndexes: ReadonlySet<number> = new Set([779, 1555, 2067]);

function openTransaction(database: DatabaseSync, scope: Scope, told: (change: RowChange) => void): RecordTransaction {
  let make: ((change: RowChange) => boolean) | undefined;
  const apply = (change: RowChange): boolean => {
    make ??= createTransaction(database, scope);
    told(change);
    return make(change);
  };
  return {
    putDocument: (write) => void apply({ kind: 'put-document', write }),
    deleteDocument: (id) => apply({ kind: 'delete-document', id }),
    putFingerprint: (documentId, textHash, fingerprint) =>
      apply({ kind: 'put-fingerprint', documentId, textHash, fingerprint }),
    putReading: (documentId, textHash, reading) => apply({ kind: 'put-reading', documentId, textHash, reading }),
    putDelivery: (delivery) => void apply({ kind: 'put-delivery', delivery }),
    queueDelivery: (wanted) => void apply({ kind: 'queue-delivery', wanted }),
    withdrawDelivery: (documentId, store) => void apply({ kind: 'withdraw-delivery', documentId, store }),
    addTarget: (documentId, store) => void apply({ kind: 'add-target', documentId, store }),
    hasSource: (name) =>
      prepared(database, 'SELECT 1 FROM source WHERE tenant = ? AND name = ?').get(
        scope.tenant,
        name.toWellFormed(),
      ) !== undefined,
    putSource: (source) => void apply({ kind: 'put-source', source }),
    deleteSource: (name) => apply({ kind: 'delete-source', name }),
  };
}

export function createTransact({ write, releaseBallast }: CommitPorts): (scope: Scope) => TenantRecord['transact'] {
  let isReindexed = false;
  return (scope) => async (work) => {
    let addedNothing = true;
    const run = () =>
      write((database) => {
        const transaction = openTransaction(database, scope, ({ kind }) => {
          if (!kind.startsWith('delete-')) addedNothing = false;
        });
        databases.set(transaction, database);
        try {
          return work(transaction);
        } finally {
          databases.delete(transaction);
        }
      });
    try {
      return await run();
    } catch (error) {
      const { code, details } = toRecordError(error);
      if (!isReindexed && damagedIndexes.has(Number(details['sqliteCode']))) {
        isReindexed = true;
        await write((database) => database.exec('REINDEX'));
        return run();
      }
      if (code !== 'storage-full' || !addedNothing || !releaseBallast()) throw error;
      return run();
    }
  };
}
