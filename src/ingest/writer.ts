// Writes prepared documents in bounded transactions: document, text, chunks, the transactional stores' entries and the
// deliveries become durable together or not at all, so that record and index never disagree.
import type { Delivery, DeliveryStatus, Source } from '../core/document.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { Clock } from '../core/ids.ts';
import type { DocumentWrite, RecordTransaction, TenantRecord } from '../db/record.ts';
import type { Store } from '../stores/store.ts';

/** One transaction holds about this many chunks (a larger document stays whole). */
const batchChunks = 200;

export interface PreparedDocument {
  readonly write: DocumentWrite;
  /** Names of the stores that shall hold it; absent: all. */
  readonly stores?: readonly string[];
  /** Written along when the source is not there yet. */
  readonly newSource?: Source;
}

export interface Writer {
  /** Resolves when the document is durable. Throws what the record or a transactional store threw. */
  put(prepared: PreparedDocument): Promise<readonly Pick<Delivery, 'store' | 'status'>[]>;
  /** Removes documents from the record and every store; returns how many there were. */
  delete(documentIds: readonly string[], signal?: AbortSignal): Promise<number>;
  /** Resolves when the queue is short enough to take more: this bounds the memory. */
  room(): Promise<void>;
  /** Resolves when nothing is queued any more. */
  flush(): Promise<void>;
}

export interface WriterPorts {
  readonly record: TenantRecord;
  readonly stores: readonly Store[];
  readonly clock: Clock;
  /** How long a document may wait for company. 0 writes at once. */
  readonly lingerMs: number;
}

interface Queued extends PreparedDocument {
  readonly resolve: (deliveries: readonly Pick<Delivery, 'store' | 'status'>[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Failures of the place, not of one document: no use in trying the documents of the batch one by one. */
const placeErrors: ReadonlySet<string> = new Set(['storage-full', 'storage-denied', 'data-corrupt', 'cancelled']);

export function createWriter({ record, stores, clock, lingerMs }: WriterPorts): Writer {
  const queue: Queued[] = [];
  let queuedChunks = 0;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;

  function writeTogether(transaction: RecordTransaction, batch: readonly PreparedDocument[], at: string): void {
    for (const { write, newSource } of batch) {
      if (newSource) transaction.putSource(newSource);
      else if (!transaction.hasSource(write.document.source))
        throw new FootnoteError(
          'conflict',
          `Source ${write.document.source} was removed meanwhile: nothing is added to it.`,
        );
      transaction.putDocument(write);
    }
    for (const store of stores) {
      const wanted = batch.filter((one) => one.stores?.includes(store.name) ?? true);
      const unwanted = batch.filter((one) => !wanted.includes(one) && one.write.document.revision > 1);
      const inside = store.within?.(transaction);
      inside?.upsert(wanted.map(({ write }) => ({ document: write.document, chunks: write.chunks })));
      inside?.delete(unwanted.map(({ write }) => write.document.id));
      const status: DeliveryStatus = inside ? 'delivered' : 'pending';
      for (const { write } of wanted)
        transaction.putDelivery({
          documentId: write.document.id,
          store: store.name,
          status,
          revision: write.document.revision,
          attempts: inside ? 1 : 0,
          updatedAt: at,
        });
    }
  }

  const deliveriesOf = (prepared: PreparedDocument): readonly Pick<Delivery, 'store' | 'status'>[] =>
    stores
      .filter((store) => prepared.stores?.includes(store.name) ?? true)
      .map((store) => ({ store: store.name, status: store.within ? 'delivered' : 'pending' }));

  async function commit(batch: readonly Queued[]): Promise<void> {
    try {
      await record.transact((transaction) => writeTogether(transaction, batch, clock.now()));
      for (const item of batch) item.resolve(deliveriesOf(item));
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      if (batch.length === 1 || placeErrors.has(error.code)) for (const item of batch) item.reject(error);
      else for (const item of batch) await commit([item]);
    }
  }

  /** On a full disk a deletion is what helps, and a smaller one needs less space for its log. */
  async function deleteTogether(ids: readonly string[]): Promise<number> {
    try {
      return await record.transact((transaction) => {
        for (const store of stores) store.within?.(transaction).delete(ids);
        return ids.filter((id) => transaction.deleteDocument(id)).length;
      });
    } catch (thrown) {
      if (toFootnoteError(thrown).code !== 'storage-full' || ids.length === 1) throw thrown;
      const half = Math.ceil(ids.length / 2);
      return (await deleteTogether(ids.slice(0, half))) + (await deleteTogether(ids.slice(half)));
    }
  }

  async function work(): Promise<void> {
    while (queue.length > 0) {
      const batch: Queued[] = [];
      let chunks = 0;
      for (let next = queue[0]; next !== undefined; next = queue[0]) {
        if (batch.length > 0 && chunks + next.write.chunks.length > batchChunks) break;
        queue.shift();
        batch.push(next);
        chunks += next.write.chunks.length;
      }
      queuedChunks -= chunks;
      await commit(batch);
    }
  }

  function start(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    working ??= work().finally(() => {
      working = undefined;
    });
    return working;
  }

  return {
    put(prepared) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly Pick<Delivery, 'store' | 'status'>[]>();
      queue.push({ ...prepared, resolve, reject });
      queuedChunks += prepared.write.chunks.length;
      if (lingerMs === 0 || queuedChunks >= batchChunks) void start();
      else timer ??= setTimeout(() => void start(), lingerMs);
      return promise;
    },
    async delete(documentIds, signal) {
      let deleted = 0;
      for (let at = 0; at < documentIds.length; at += batchChunks) {
        signal?.throwIfAborted();
        const ids = documentIds.slice(at, at + batchChunks);
        // Other stores first: should one be down, the record still knows the document and the deletion can be repeated.
        for (const store of stores) if (!store.within) await store.delete(ids, signal);
        deleted += await deleteTogether(ids);
      }
      return deleted;
    },
    async room() {
      while (queuedChunks >= 2 * batchChunks) await start();
    },
    async flush() {
      while (queue.length > 0 || working) await start();
    },
  };
}
