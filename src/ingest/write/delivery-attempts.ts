// One call to a store with a batch, and what became of each document: delivered, failed for itself, or put off because the store as a whole
// takes nothing. Invariant: a document that spoils its batch costs the others nothing but a call of their own.

import type { Chunk } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import { isOutage } from '../../core/outages.ts';
import { defined } from '../../core/values/defined.ts';
import { abortError } from '../../core/waiting/until-aborted.ts';
import type { DeliveryAttempt, DueDelivery } from '../../db/repositories/delivery-queue.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { StoreDocument, StoreOutcome } from '../../stores/delivered.ts';
import type { Store } from '../../stores/store.ts';

/** All of one operation. */
export type Batch = readonly DueDelivery[];

export interface AttemptPlaces {
  readonly store: Store;
  readonly documents: Pick<TenantRecord['documents'], 'get' | 'chunks'>;
  /** For a store that is given vectors: of these chunks end to end; undefined where one of them has none yet. */
  readonly vectorsOf?:
    | ((chunks: readonly Chunk[], signal: AbortSignal) => Promise<Float32Array | undefined>)
    | undefined;
}

export interface BatchOutcome {
  readonly attempts: readonly (DeliveryAttempt & {
    /** Until the store takes something again. */ readonly isPutOff?: boolean;
  })[];
  readonly delivered: number;
  /** Documents that have no vectors yet: nothing became of them. */
  readonly awaiting?: readonly DueDelivery[];
  /** What the whole store failed with. */
  readonly outage?: FootnoteError;
}

export interface Backoff {
  readonly error?: FootnoteError;
  readonly random: () => number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

/** Doubled with each try, half of it by chance, so that many do not come back together; never before the store said. */
export function backoffMs(tries: number, { error, random, firstRetryMs, longestRetryMs }: Backoff): number {
  const full = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(tries - 1, 30));
  const told = error?.details['retryAfterMs'];
  return Math.max(full * (0.5 + 0.5 * random()), typeof told === 'number' && Number.isFinite(told) ? told : 0);
}

interface AttemptOptions {
  readonly clock: Clock;
  /** How long a document waits that failed for itself. */
  readonly retryMs: (tries: number, error: FootnoteError) => number;
  /** Chunks after which a call takes no further document. */
  readonly mostChunks: number;
}

export function createAttempts({ clock, retryMs, mostChunks }: AttemptOptions) {
  /** A deletion is never given up; a document that the store refuses waits until it changes, or somebody asks. */
  function failed(delivery: DueDelivery, error: FootnoteError): DeliveryAttempt {
    const isFinal = delivery.operation === 'upsert' && !error.rule.retryable && error.code !== 'internal';
    const nextAttemptMs = Date.parse(clock.now()) + retryMs(delivery.attempts + 1, error);
    return { delivery, error: error.message, ...(!isFinal && { nextAttemptMs }) };
  }

  /** With what the record holds of each now; a wish that was made for an earlier revision is settled by nothing. */
  async function read(batch: Batch, { documents, vectorsOf }: AttemptPlaces, signal: AbortSignal) {
    const entries: StoreDocument[] = [];
    const unread: DeliveryAttempt[] = [];
    const awaiting: DueDelivery[] = [];
    // Left for the next call, as if they had not been taken.
    const untried: DueDelivery[] = [];
    let chunksRead = 0;
    for (const delivery of batch) {
      if (chunksRead >= mostChunks) {
        untried.push(delivery);
        continue;
      }
      try {
        const document = await documents.get(delivery.documentId);
        if (!document) unread.push({ delivery, isGone: true });
        else {
          const chunks = await documents.chunks(document.id);
          chunksRead += chunks.length;
          const { storeDocumentId } = delivery;
          const vectors = await vectorsOf?.(chunks, signal);
          if (vectorsOf && !vectors) awaiting.push(delivery);
          else entries.push(defined({ document, chunks, ...(vectors && { vectors }), storeDocumentId }));
        }
      } catch (thrown) {
        unread.push(failed(delivery, toFootnoteError(thrown)));
      }
    }
    return { entries, unread, awaiting, untried };
  }

  async function call(batch: Batch, places: AttemptPlaces, signal: AbortSignal) {
    const { store } = places;
    // What begins after the end would be under way when the next process asks.
    const assertRunning = (): void => {
      if (signal.aborted) throw abortError(signal);
    };
    assertRunning();
    if (batch[0]?.operation === 'delete') {
      const deletions = batch.map(({ documentId, revision, storeDocumentId }) =>
        defined({ documentId, revision, storeDocumentId }),
      );
      return { outcomes: await store.delete(deletions, signal), unread: [], awaiting: [], untried: [] };
    }
    const { entries, ...others } = await read(batch, places, signal);
    assertRunning();
    return { outcomes: entries.length === 0 ? [] : await store.upsert(entries, signal), ...others };
  }

  function toAttempt(delivery: DueDelivery, outcome: StoreOutcome | undefined): DeliveryAttempt {
    if (!outcome)
      return failed(
        delivery,
        new FootnoteError('upstream-invalid', `${delivery.store} did not say what became of it.`),
      );
    if (outcome.error) return failed(delivery, outcome.error);
    return { delivery, storeDocumentId: outcome.storeDocumentId };
  }

  async function run(batch: Batch, places: AttemptPlaces, signal: AbortSignal): Promise<BatchOutcome> {
    let answered: Awaited<ReturnType<typeof call>>;
    try {
      answered = await call(batch, places, signal);
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      if (isOutage(error) || error.code === 'cancelled') {
        const attempts = batch.map((delivery) => ({ delivery, error: error.message, isPutOff: true }));
        return { attempts, delivered: 0, outage: error };
      }
      if (batch.length === 1) return { attempts: batch.map((delivery) => failed(delivery, error)), delivered: 0 };
      return deliverOneByOne(batch, places, signal);
    }
    const known = new Map(answered.outcomes.map((outcome) => [outcome.documentId, outcome]));
    const unread = new Map(answered.unread.map((attempt) => [attempt.delivery.documentId, attempt]));
    const { awaiting } = answered;
    const left = new Set([...awaiting, ...answered.untried]);
    const tried = left.size === 0 ? batch : batch.filter((delivery) => !left.has(delivery));
    const attempts = tried.map(
      (delivery) => unread.get(delivery.documentId) ?? toAttempt(delivery, known.get(delivery.documentId)),
    );
    const delivered = attempts.filter(({ error, isGone }) => error === undefined && !isGone).length;
    // Told of single documents, it is the store all the same.
    const limited = answered.outcomes.find(({ error }) => error?.code === 'rate-limited')?.error;
    return { attempts, delivered, awaiting, ...(limited && { outage: limited }) };
  }

  /** Each by itself, until the store fails as a whole. */
  async function deliverOneByOne(batch: Batch, places: AttemptPlaces, signal: AbortSignal): Promise<BatchOutcome> {
    const attempts: BatchOutcome['attempts'][number][] = [];
    const awaiting: DueDelivery[] = [];
    let delivered = 0;
    for (const [place, delivery] of batch.entries()) {
      const outcome = await run([delivery], places, signal);
      attempts.push(...outcome.attempts);
      awaiting.push(...(outcome.awaiting ?? []));
      delivered += outcome.delivered;
      const { outage } = outcome;
      if (!outage) continue;
      const rest = batch.slice(place + 1).map((one) => ({ delivery: one, error: outage.message, isPutOff: true }));
      return { attempts: [...attempts, ...rest], delivered, awaiting, outage };
    }
    return { attempts, delivered, awaiting };
  }

  return { run };
}
