// Rows that say which store holds which document, and what is to be brought or taken away. A row without an operation is of a store
// within the record, written with the document; the others are sent, and a deletion stays as a row when its document is gone.
import type { DatabaseSync } from 'node:sqlite';
import type { Delivery } from '../../../core/document.ts';
import { rowReader } from '../../row-reader.ts';
import { prepared } from '../file/connection.ts';
import { insert, orReplace, unlessThere } from '../file/insert-row.ts';

export const toDelivery = rowReader<Delivery>(
  'documentId',
  'store',
  'status',
  'revision',
  'attempts',
  'lastError',
  'updatedAt',
);

/** That a document `d` is meant for the store `?`. */
export const isMeantFor =
  "(d.stores IS NULL OR EXISTS (SELECT 1 FROM json_each(iif(json_valid(d.stores), d.stores, '[]')) WHERE value = ?))";

/** Of a store within the record: what it holds is written in the same transaction. */
export function writeDelivery(database: DatabaseSync, tenant: string, delivery: Delivery): void {
  const row = {
    tenant,
    document_id: delivery.documentId,
    store: delivery.store,
    status: delivery.status,
    revision: delivery.revision,
    attempts: delivery.attempts,
    last_error: delivery.lastError?.toWellFormed() ?? null,
    updated_at: delivery.updatedAt,
  };
  // Most are of new documents, and a statement that may replace keeps copies of the pages that it changes.
  if (!insert(database, 'delivery', row, unlessThere)) insert(database, 'delivery', row, orReplace);
}

export interface WantedDelivery {
  readonly documentId: string;
  readonly store: string;
  readonly revision: number;
  readonly updatedAt: string;
}

const queueSql = `INSERT INTO delivery (tenant, document_id, store, status, revision, attempts, updated_at, operation, change, next_attempt_ms)
VALUES (?, ?, ?, 'pending', ?, 0, ?, 'upsert', 1, 0)
ON CONFLICT DO UPDATE SET status = 'pending', revision = excluded.revision, attempts = 0, last_error = NULL, updated_at = excluded.updated_at,
operation = 'upsert', change = change + 1, next_attempt_ms = 0`;

export function queueUpsert(database: DatabaseSync, tenant: string, wanted: WantedDelivery): void {
  prepared(database, queueSql).run(tenant, wanted.documentId, wanted.store, wanted.revision, wanted.updatedAt);
}

const toDeletion = `UPDATE delivery SET operation = 'delete', status = 'pending', attempts = 0, last_error = NULL, change = change + 1,
next_attempt_ms = 0 WHERE tenant = ? AND document_id = ? AND operation = 'upsert'`;

export function queueDeletion(database: DatabaseSync, tenant: string, documentId: string, store: string): void {
  prepared(database, `${toDeletion} AND store = ?`).run(tenant, documentId, store);
}

/** Call when a document goes: stores beside the record are to drop it, however long that takes. */
export function dropDeliveries(database: DatabaseSync, tenant: string, documentId: string): void {
  prepared(database, 'DELETE FROM delivery WHERE tenant = ? AND document_id = ? AND operation IS NULL').run(
    tenant,
    documentId,
  );
  prepared(database, toDeletion).run(tenant, documentId);
}

/** A document that was meant for some stores alone is meant for this one, too. */
export function addTarget(database: DatabaseSync, tenant: string, documentId: string, store: string): void {
  prepared(
    database,
    `UPDATE document AS d SET stores = json_insert(iif(json_valid(stores), stores, '[]'), '$[#]', ?1)
     WHERE tenant = ?2 AND id = ?3 AND NOT ${isMeantFor.replace('?', '?1')}`,
  ).run(store, tenant, documentId);
}
