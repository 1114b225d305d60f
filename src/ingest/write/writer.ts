// Writes prepared documents in bounded transactions: document, text, chunks, the transactional stores' entries and the
// deliveries become durable together or not at all, so that record and index never disagree.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Delivery, Source } from '../../core/document.ts';
import { type FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import type { Demand } from '../../core/waiting/demand.ts';
import type { DocumentWrite, Expectation, RecordChange } from '../../db/repositories/changes.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { WrittenStore } from '../../stores/embedded/port.ts';

/** How much one transaction holds: meanwhile nobody else is served. */
interface BatchSize {
  /** About so many chunks (a larger document stays whole). */
  readonly chunks: number;
  /** No more documents than take about this long to write. */
  readonly holdMs: number;
  /** So many at least, as each commit costs too, and pages of indexes that one document touches are written once for all of them. */
  readonly fewestDocuments: number;
  readonly deletions: number;
}
const idleBatch: BatchSize = { chunks: 400, holdMs: 30, fewestDocuments: 144, deletions: 200 };
const busyBatch: BatchSize = { chunks: 40, holdMs: 6, fewestDocuments: 16, deletions: 20 };
/** Turns of the event loop between two transactions: an answer to somebody else takes several, and costs nothing where there is nobody. */
const turnsBetween = 4;
/** Documents that are told of at once while somebody is served. */
const settledTogether = 4;
/** No more than these wait in the queue. */
const roomChunks = 2 * idleBatch.chunks;
/** Batches that stores prepare at the same time. */
const preparedAhead = 2;

export interface PreparedDocument {
  readonly write: DocumentWrite;
  /** Names of the stores that shall hold it; absent: all. */
  readonly stores?: readonly string[];
  /** Written along when the source is not there yet. */
  readonly newSource?: Source;
}

/** The deliveries of a document once it is durable, or what the record or a transactional store threw. */
export type Written = readonly Pick<Delivery, 'store' | 'status'>[] | FootnoteError;

export interface Writer {
  /** Resolves when each of the documents is durable or has failed. Their transactions keep the order. */
  put(prepared: readonly PreparedDocument[]): Promise<readonly Written[]>;
  /** Removes documents from the record and the stores within it; what others hold is queued to go. Returns how many there were. */
  delete(documentIds: readonly string[], signal?: AbortSignal): Promise<number>;
  /** Resolves when the queue is short enough to take more: this bounds the memory. */
  room(): Promise<void>;
  /** Resolves when nothing is queued any more. */
  flush(): Promise<void>;
}

export interface WriterPorts {
  readonly record: TenantRecord;
  readonly stores: readonly WrittenStore[];
  readonly clock: Clock;
  /** Who is served meanwhile: transactions let them go first, and are small then. Absent: nobody. */
  readonly demand?: Demand | undefined;
  /** How long a document may wait for company. 0 writes at once. */
  readonly lingerMs: number;
  /** Deletes what would hold the event loop for long, from the record and the stores within it. Undefined: it does not, so it is done here. */
  readonly deleteElsewhere?: DeleteElsewhere | undefined;
}

export type DeleteElsewhere = (documentIds: readonly string[]) => Promise<number | undefined>;

interface Queued extends PreparedDocument {
  readonly settle: (written: Written) => void;
}

/** Documents of one transaction, on their way into it. */
interface Batch {
  readonly items: readonly Queued[];
  readonly ready: Promise<unknown>;
}

/** Failures of the place, not of one document: every other document would fail too, in this batch and after it. */
export const placeErrors: ReadonlySet<string> = new Set([
  'storage-full',
  'storage-denied',
  'data-corrupt',
  'cancelled',
]);

export function createWriter({ record, stores, clock, demand, lingerMs, deleteElsewhere }: WriterPorts): Writer {
  const queue: Queued[] = [];
  let queuedChunks = 0;
  /** Of the last transactions. */
  let msPerDocument = 0.5;
  const preparing: Batch[] = [];
  const waiting: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;

  /** Nothing is added to a source that was removed meanwhile. */
  function changesOf(batch: readonly PreparedDocument[], at: string) {
    const changes: RecordChange[] = [];
    const expect: Expectation[] = [];
    const there = new Set<string>();
    for (const { write, newSource, stores } of batch) {
      const { source } = write.document;
      if (!there.has(source)) {
        there.add(source);
        if (newSource) changes.push({ kind: 'put-source', source: newSource });
        else expect.push({ kind: 'source', name: source });
      }
      changes.push({ kind: 'put-document', write: stores ? { ...write, stores } : write });
    }
    for (const store of stores) {
      const wanted = batch.filter((one) => one.stores?.includes(store.name) ?? true);
      const unwanted = batch.filter((one) => !wanted.includes(one) && one.write.document.revision > 1);
      const inside = store.entries;
      if (inside) {
        changes.push(inside.put(wanted.map(({ write }) => ({ document: write.document, chunks: write.chunks }))));
        changes.push(inside.delete(unwanted.map(({ write }) => write.document.id)));
      }
      for (const { write } of wanted) {
        const { id, revision } = write.document;
        const delivery = { documentId: id, store: store.name, revision, updatedAt: at };
        if (inside) changes.push({ kind: 'put-delivery', delivery: { ...delivery, status: 'delivered', attempts: 1 } });
        else changes.push({ kind: 'queue-delivery', wanted: delivery });
      }
      if (!inside)
        for (const { write } of unwanted)
          changes.push({ kind: 'withdraw-delivery', documentId: write.document.id, store: store.name });
    }
    return { changes, expect };
  }

  const deliveriesOf = (prepared: PreparedDocument): readonly Pick<Delivery, 'store' | 'status'>[] =>
    stores
      .filter((store) => prepared.stores?.includes(store.name) ?? true)
      .map((store) => ({ store: store.name, status: store.entries ? 'delivered' : 'pending' }));

  async function commit(batch: readonly Queued[]): Promise<void> {
    await demand?.giveWay();
    try {
      const { changes, expect } = changesOf(batch, clock.now());
      const { heldMs } = await record.commit(changes, { expect });
      msPerDocument += 0.3 * (Math.max(0.05, heldMs / batch.length) - msPerDocument);
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      if (batch.length === 1 || placeErrors.has(error.code)) for (const item of batch) item.settle(error);
      else for (const item of batch) await commit([item]);
      return;
    }
    for (const [at, item] of batch.entries()) {
      item.settle(deliveriesOf(item));
      // Whoever waited for it goes on at once, and takes the next files in hand.
      if (at % settledTogether === settledTogether - 1 && demand?.isHigh()) await nextTurn();
    }
  }

  /** On a full disk a deletion is what helps, and a smaller one needs less space for its log. */
  async function deleteTogether(ids: readonly string[]): Promise<number> {
    try {
      const entries = stores.flatMap((store) => store.entries?.delete(ids) ?? []);
      const documents = ids.map((id): RecordChange => ({ kind: 'delete-document', id }));
      const { applied } = await record.commit([...entries, ...documents]);
      return applied.slice(entries.length).filter((isGone) => isGone).length;
    } catch (thrown) {
      if (toFootnoteError(thrown).code !== 'storage-full' || ids.length === 1) throw thrown;
      const half = Math.ceil(ids.length / 2);
      return (await deleteTogether(ids.slice(0, half))) + (await deleteTogether(ids.slice(half)));
    }
  }

  const batchSize = (): BatchSize => (demand?.isHigh() ? busyBatch : idleBatch);
  const documentsOf = ({ fewestDocuments, holdMs }: BatchSize): number =>
    Math.max(fewestDocuments, Math.floor(holdMs / msPerDocument));
  const isBatch = (): boolean => {
    const size = batchSize();
    return queuedChunks >= size.chunks || queue.length >= documentsOf(size);
  };

  function takeBatch(): Batch {
    const items: Queued[] = [];
    const size = batchSize();
    let chunks = 0;
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const isFull = items.length >= documentsOf(size) || chunks + next.write.chunks.length > size.chunks;
      if (items.length > 0 && isFull) break;
      queue.shift();
      items.push(next);
      chunks += next.write.chunks.length;
    }
    queuedChunks -= chunks;
    if (queuedChunks < roomChunks) for (const wake of waiting.splice(0)) wake();
    return { items, ready: prepare(items) };
  }

  /** Done beforehand is what needs no transaction; what could not be, is done in the transaction. */
  async function prepare(items: readonly PreparedDocument[]): Promise<void> {
    await Promise.allSettled([
      ...stores.map(async (store) => {
        const wanted = items.filter((one) => one.stores?.includes(store.name) ?? true);
        await store.prepare?.(wanted.map(({ write }) => ({ document: write.document, chunks: write.chunks })));
      }),
      record.prepare(items.map(({ write }) => write)),
    ]);
  }

  /** The next batches are prepared while one is written. */
  async function work(): Promise<void> {
    for (;;) {
      while (queue.length > 0 && (preparing.length === 0 || (preparing.length < preparedAhead && isBatch())))
        preparing.push(takeBatch());
      const [next] = preparing;
      if (next === undefined) {
        // At once, or what is queued before a later turn would find somebody at work who is not.
        working = undefined;
        return;
      }
      await next.ready;
      preparing.shift();
      // What came in meanwhile is prepared while this one is written.
      if (isBatch()) preparing.push(takeBatch());
      await commit(next.items);
      for (let turn = 0; turn < turnsBetween && queue.length + preparing.length > 0; turn++) await nextTurn();
    }
  }

  function start(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (working) return working;
    const begun = work();
    // Nothing to do: then it has ended already.
    if (queue.length > 0 || preparing.length > 0) working = begun;
    return begun;
  }

  return {
    put(prepared) {
      const { promise, resolve } = Promise.withResolvers<readonly Written[]>();
      const written: Written[] = [];
      let open = prepared.length;
      if (open === 0) resolve(written);
      for (const [index, one] of prepared.entries()) {
        const settle = (outcome: Written): void => {
          written[index] = outcome;
          if (--open === 0) resolve(written);
        };
        queue.push({ ...one, settle });
        queuedChunks += one.write.chunks.length;
      }
      if (lingerMs === 0 || isBatch()) void start();
      else if (queue.length > 0) timer ??= setTimeout(() => void start(), lingerMs);
      return promise;
    },
    async delete(documentIds, signal) {
      let deleted = 0;
      for (let at = 0; at < documentIds.length; ) {
        await demand?.giveWay();
        signal?.throwIfAborted();
        const ids = documentIds.slice(at, at + batchSize().deletions);
        at += ids.length;
        deleted += (await deleteElsewhere?.(ids)) ?? (await deleteTogether(ids));
      }
      return deleted;
    },
    async room() {
      while (queuedChunks >= roomChunks) {
        void start();
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    async flush() {
      while (queue.length > 0 || working) await start();
    },
  };
}
