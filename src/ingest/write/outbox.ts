// The outbox: brings recorded documents to a store that cannot join the record's transaction, or to one that missed
// them. Idempotent; each document's outcome is recorded, and a store that is down delays only itself.

import type { Delivery } from '../../core/document.ts';
import { type FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import type { TenantRecord } from '../../db/record.ts';
import type { WrittenStore } from '../../stores/embedded/port.ts';

export interface OutboxPorts {
  readonly record: TenantRecord;
  readonly clock: Clock;
}

/** Delivers one document; returns the error that the store gave, if any. A document that is gone counts as delivered. */
async function deliver(
  { record, clock }: OutboxPorts,
  store: WrittenStore,
  delivery: Delivery,
  signal?: AbortSignal,
): Promise<FootnoteError | undefined> {
  const document = await record.documents.get(delivery.documentId);
  if (document === undefined) return undefined;
  const entry = { document, chunks: await record.documents.chunks(document.id) };
  const attempt = { ...delivery, revision: document.revision, attempts: delivery.attempts + 1 };
  try {
    const inside = store.within !== undefined;
    if (!inside) for (const { error } of await store.upsert([entry], signal)) if (error) throw error;
    if (inside) await store.prepare?.([entry], signal);
    await record.transact((transaction) => {
      store.within?.(transaction).upsert([entry]);
      const { lastError: _, ...delivered } = attempt;
      transaction.putDelivery({ ...delivered, status: 'delivered', updatedAt: clock.now() });
    });
    return undefined;
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    if (error.code === 'cancelled') throw error;
    await record.transact((transaction) =>
      transaction.putDelivery({ ...attempt, status: 'failed', lastError: error.message, updatedAt: clock.now() }),
    );
    return error;
  }
}

/** Delivers one document to one store now; the outcome stands in its delivery. Throws `cancelled` when the signal aborts. */
export async function deliverDocument(
  ports: OutboxPorts,
  { store, documentId }: { readonly store: WrittenStore; readonly documentId: string },
  signal?: AbortSignal,
): Promise<FootnoteError | undefined> {
  const known = (await ports.record.documents.deliveries(documentId)).find((one) => one.store === store.name);
  const fresh = { documentId, store: store.name, status: 'pending', revision: 0, attempts: 0, updatedAt: '' } as const;
  return deliver(ports, store, known ?? fresh, signal);
}

/** Delivers what is pending or failed, and what the store was never asked to hold. Throws `cancelled` when the signal aborts. */
export async function deliverPending(
  ports: OutboxPorts,
  store: WrittenStore,
  signal?: AbortSignal,
): Promise<{ delivered: number; failed: number }> {
  const { record } = ports;
  const missing: Delivery[] = [];
  let cursor: string | undefined;
  do {
    const page = await record.documents.list({ limit: 500, ...(cursor !== undefined && { cursor }) });
    for (const document of page.data) {
      const known = (await record.documents.deliveries(document.id)).find((delivery) => delivery.store === store.name);
      if (known?.status === 'delivered' && known.revision === document.revision) continue;
      missing.push(
        known ?? {
          documentId: document.id,
          store: store.name,
          status: 'pending',
          revision: document.revision,
          attempts: 0,
          updatedAt: document.updatedAt,
        },
      );
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);

  let failed = 0;
  for (const delivery of missing) {
    signal?.throwIfAborted();
    if (await deliver(ports, store, delivery, signal)) failed += 1;
  }
  return { delivered: missing.length - failed, failed };
}
