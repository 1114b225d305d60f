// The delivery queue of a tenant over its rows (rows.ts), for the worker that delivers: no caller's scope is in it.
import type { DeliveryAttempt, DeliveryQueue, DueDelivery } from '../../repositories/delivery-queue.ts';
import { prepared, type Reader } from '../file/connection.ts';
import type { Writer } from '../requests/sessions.ts';
import { isMeantFor } from './rows.ts';

/** Rows that are queued in one transaction. */
const queuedTogether = 1000;

interface DueRow {
  readonly document_id: string;
  readonly operation: string;
  readonly revision: number;
  readonly attempts: number;
  readonly change: number;
  readonly store_document_id: string | null;
}

const key = 'tenant = ? AND document_id = ? AND store = ?';

const statements = {
  due: `SELECT document_id, operation, revision, attempts, change, store_document_id FROM delivery
WHERE tenant = ? AND store = ? AND next_attempt_ms <= ? ORDER BY next_attempt_ms, document_id LIMIT ?`,
  dueDeletions: `SELECT document_id, operation, revision, attempts, change, store_document_id FROM delivery
WHERE tenant = ? AND store = ? AND next_attempt_ms <= ? AND operation = 'delete' ORDER BY next_attempt_ms, document_id LIMIT ?`,
  delivered: `UPDATE delivery SET status = 'delivered', attempts = attempts + 1, last_error = NULL, next_attempt_ms = NULL, updated_at = ?
WHERE ${key} AND change = ?`,
  named: `UPDATE delivery SET store_document_id = ? WHERE ${key}`,
  taken: `DELETE FROM delivery WHERE ${key} AND change = ?`,
  failed: `UPDATE delivery SET status = 'failed', attempts = attempts + 1, last_error = ?, next_attempt_ms = ?, updated_at = ?
WHERE ${key} AND change = ?`,
  gone: `UPDATE delivery SET operation = 'delete', status = 'pending', attempts = 0, change = change + 1, next_attempt_ms = 0
WHERE ${key} AND change = ?`,
  missing: `INSERT INTO delivery (tenant, document_id, store, status, revision, attempts, updated_at, operation, change, next_attempt_ms)
SELECT d.tenant, d.id, ?1, 'pending', d.revision, 0, ?2, 'upsert', 1, 0 FROM document AS d
WHERE d.tenant = ?3 AND ${isMeantFor.replace('?', '?1')}
AND NOT EXISTS (SELECT 1 FROM delivery AS v WHERE v.tenant = d.tenant AND v.document_id = d.id AND v.store = ?1) LIMIT ${queuedTogether}`,
  again: `UPDATE delivery SET next_attempt_ms = 0 WHERE tenant = ? AND store = ? AND operation IS NOT NULL AND status <> 'delivered'`,
  counts: `SELECT coalesce(sum(operation = 'upsert' AND status = 'pending'), 0) AS pending,
coalesce(sum(operation = 'upsert' AND status = 'failed'), 0) AS failed, coalesce(sum(operation = 'delete'), 0) AS deletions,
min(next_attempt_ms) AS next FROM delivery WHERE tenant = ? AND store = ? AND status <> 'delivered' AND operation IS NOT NULL`,
  documents: 'SELECT count(*) AS documents FROM document WHERE tenant = ?',
  held: "SELECT count(*) AS delivered FROM delivery WHERE tenant = ? AND store = ? AND status = 'delivered' AND operation IS NOT NULL",
  newest: "SELECT max(updated_at) AS newest FROM delivery WHERE tenant = ? AND store = ? AND status = 'delivered'",
  oldest: `SELECT min(d.updated_at) AS oldest FROM delivery AS v JOIN document AS d ON d.tenant = v.tenant AND d.id = v.document_id
WHERE v.tenant = ? AND v.store = ? AND v.status IN ('pending', 'failed') AND v.operation = 'upsert'`,
  lacks: `SELECT 1 FROM delivery AS v JOIN document AS d ON d.tenant = v.tenant AND d.id = v.document_id
WHERE v.tenant = ? AND v.store = ? AND v.status IN ('pending', 'failed') AND v.operation = 'upsert' AND d.source NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
  // Both counts come from indexes alone.
  holdsFewer: `SELECT (SELECT count(*) FROM document WHERE tenant = ?1 AND source NOT IN (SELECT value FROM json_each(?3))) >
(SELECT count(*) FROM delivery WHERE tenant = ?1 AND store = ?2 AND status = 'delivered') -
(SELECT count(*) FROM document AS d JOIN delivery AS v ON v.tenant = d.tenant AND v.document_id = d.id
WHERE d.tenant = ?1 AND d.source IN (SELECT value FROM json_each(?3)) AND v.store = ?2 AND v.status = 'delivered') AS fewer`,
  changes: 'SELECT revision FROM document_change WHERE tenant = ?',
  space: 'SELECT space FROM store_vectors WHERE tenant = ? AND store = ?',
  setSpace: 'INSERT OR REPLACE INTO store_vectors VALUES (?, ?, ?)',
  renew: `UPDATE delivery SET status = 'pending', operation = 'upsert', attempts = 0, last_error = NULL, updated_at = ?, change = change + 1,
next_attempt_ms = 0 WHERE tenant = ? AND store = ? AND status = 'delivered'`,
  wishes: `SELECT document_id, change, operation = 'upsert' AND status = 'delivered' AS delivered FROM delivery
WHERE tenant = ? AND store = ? AND operation IS NOT NULL ORDER BY document_id`,
  bringAgain: `UPDATE delivery SET status = 'pending', attempts = 0, last_error = NULL, updated_at = ?, change = change + 1, next_attempt_ms = 0
WHERE ${key} AND change = ? AND status = 'delivered'`,
  takeAway: `INSERT INTO delivery (tenant, document_id, store, status, revision, attempts, updated_at, operation, change, next_attempt_ms)
VALUES (?, ?, ?, 'pending', 0, 0, ?, 'delete', 1, 0) ON CONFLICT DO NOTHING`,
  paused: 'SELECT 1 FROM store_pause WHERE tenant = ? AND store = ?',
  pause: 'INSERT OR REPLACE INTO store_pause VALUES (?, ?, ?)',
  resume: 'DELETE FROM store_pause WHERE tenant = ? AND store = ?',
};

/** For each record, by tenant and store: the documents as they were when the store was found to hold all of them. */
const complete = new WeakMap<Reader, Map<string, number>>();

export function createDeliveryQueue(tenant: string, read: Reader, write: Writer): DeliveryQueue {
  const toDue =
    (store: string) =>
    (row: DueRow): DueDelivery => ({
      store,
      documentId: row.document_id,
      operation: row.operation === 'delete' ? 'delete' : 'upsert',
      revision: row.revision,
      attempts: row.attempts,
      change: row.change,
      ...(row.store_document_id !== null && { storeDocumentId: row.store_document_id }),
    });

  const settleOne = (attempt: DeliveryAttempt, at: string): Parameters<Writer>[0] => {
    const { delivery, error, storeDocumentId, nextAttemptMs, isGone } = attempt;
    const { documentId, store, change, operation } = delivery;
    const row = [tenant, documentId, store] as const;
    return (database) => {
      if (isGone) prepared(database, statements.gone).run(...row, change);
      else if (error !== undefined)
        prepared(database, statements.failed).run(error.toWellFormed(), nextAttemptMs ?? null, at, ...row, change);
      else if (operation === 'delete') {
        prepared(database, statements.taken).run(...row, change);
        // Where it was added again meanwhile, the store calls it anew.
        prepared(database, statements.named).run(null, ...row);
      } else {
        prepared(database, statements.delivered).run(at, ...row, change);
        if (storeDocumentId !== undefined) prepared(database, statements.named).run(storeDocumentId, ...row);
      }
    };
  };

  return {
    due: (store, { nowMs, limit, without, only }) =>
      read((database) => {
        const sql = only === 'delete' ? statements.dueDeletions : statements.due;
        const rows = prepared(database, sql).all(tenant, store, nowMs, limit + without.size);
        const free = (rows as unknown as DueRow[]).filter((row) => !without.has(row.document_id));
        return free.slice(0, limit).map(toDue(store));
      }),
    settle: (attempts, at) =>
      write((database) => {
        for (const attempt of attempts) settleOne(attempt, at)(database);
      }),
    async queueMissing(store, at) {
      for (let added = queuedTogether; added === queuedTogether; )
        added = await write((database) =>
          Number(prepared(database, statements.missing).run(store, at, tenant).changes),
        );
      await write((database) => prepared(database, statements.again).run(tenant, store));
    },
    async expectVectors(store, space, at) {
      await write((database) => {
        if (prepared(database, statements.space).get(tenant, store)?.['space'] === space) return;
        prepared(database, statements.renew).run(at, tenant, store);
        prepared(database, statements.setSpace).run(tenant, store, space);
      });
    },
    wishes: (store) =>
      read((database) =>
        prepared(database, statements.wishes)
          .all(tenant, store)
          .map((row) => ({
            documentId: String(row['document_id']),
            change: Number(row['change']),
            isDelivered: row['delivered'] === 1,
          })),
      ),
    async mend(store, { again, orphans }, at) {
      await write((database) => {
        for (const { documentId, change } of again)
          prepared(database, statements.bringAgain).run(at, tenant, documentId, store, change);
        for (const documentId of orphans) prepared(database, statements.takeAway).run(tenant, documentId, store, at);
      });
    },
    counts: (store) =>
      read((database) => {
        const row = prepared(database, statements.counts).get(tenant, store);
        return {
          pending: Number(row?.['pending']),
          failed: Number(row?.['failed']),
          deletions: Number(row?.['deletions']),
          ...(row?.['next'] != null && { nextAttemptMs: Number(row['next']) }),
          isPaused: prepared(database, statements.paused).get(tenant, store) !== undefined,
        };
      }),
    coverage: (store) =>
      read((database) => {
        const documents = prepared(database, statements.documents).get(tenant)?.['documents'];
        const delivered = prepared(database, statements.held).get(tenant, store)?.['delivered'];
        const oldest = prepared(database, statements.oldest).get(tenant, store)?.['oldest'];
        return {
          documents: Number(documents),
          delivered: Number(delivered),
          ...(typeof oldest === 'string' && { oldestPendingAt: oldest }),
        };
      }),
    lacks: (store, { besides }) =>
      read((database) => {
        const others = JSON.stringify(besides);
        if (prepared(database, statements.lacks).get(tenant, store, others) !== undefined) return true;
        const revision = Number(prepared(database, statements.changes).get(tenant)?.['revision'] ?? 0);
        const known = complete.get(read) ?? new Map<string, number>();
        complete.set(read, known);
        const key = JSON.stringify([tenant, store]);
        if (known.get(key) === revision) return false;
        if (prepared(database, statements.holdsFewer).get(tenant, store, others)?.['fewer'] === 1) return true;
        known.set(key, revision);
        return false;
      }),
    newest: (store) =>
      read((database) => {
        const newest = prepared(database, statements.newest).get(tenant, store)?.['newest'];
        return typeof newest === 'string' ? newest : undefined;
      }),
    pause: async (store, at) =>
      void (await write((database) => prepared(database, statements.pause).run(tenant, store, at))),
    resume: async (store) => void (await write((database) => prepared(database, statements.resume).run(tenant, store))),
  };
}
