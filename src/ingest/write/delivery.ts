// Delivers to stores beside the record what the queue says, behind the requests and in nobody's scope but the tenant's own. Invariants: one
// attempt at a time for a document and store, so that nothing overtakes a later wish; a store that is down delays only itself; what
// a kill interrupts is done again, which changes nothing that was done.

import type { Chunk } from '../../core/document.ts';
import { type FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import { joinedAbort } from '../../core/signals/joined-abort.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import type {
  DeliveryAttempt,
  DeliveryCounts,
  DeliveryCoverage,
  DeliveryQueue,
} from '../../db/repositories/delivery-queue.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { Store } from '../../stores/store.ts';
import { type Batch, backoffMs, createAttempts } from './delivery-attempts.ts';
import { type DeliveryTiming, ordinaryTiming } from './delivery-timing.ts';

/** Vectors of the fixed model that is configured, for stores that are given them. */
export interface DeliveryVectors {
  /** Resolves with the name of their space when every chunk has its vector. Throws why they cannot be made. */
  settle(tenant: string, signal: AbortSignal): Promise<string>;
  /** Of chunks of a tenant, end to end; undefined where one of them has none yet. */
  of(
    { tenant, space }: { readonly tenant: string; readonly space: string },
    chunks: readonly Chunk[],
    signal: AbortSignal,
  ): Promise<Float32Array | undefined>;
}

export interface DeliveryPorts {
  /** Names of the stores beside the record. */
  readonly names: readonly string[];
  /** Of a tenant, whoever asks. */
  readonly storeOf: (tenant: string, name: string) => Store;
  readonly queueOf: (tenant: string) => DeliveryQueue;
  /** Reads every document of a tenant. */
  readonly documentsOf: (tenant: string) => Pick<TenantRecord['documents'], 'get' | 'chunks'>;
  /** In which something was to be delivered when the process began. */
  readonly tenants: readonly string[];
  /** Absent: no store is given vectors. */
  readonly vectors?: DeliveryVectors | undefined;
  readonly clock: Clock;
  /** 0..1, for jitter. */
  readonly random?: () => number;
  readonly timing?: Partial<DeliveryTiming>;
}

/** Rounds in a row after which a document without vectors counts as failed. */
const mostRoundsWithout = 3;

export interface DeliveryStatus extends DeliveryCounts {
  /** Why the store as a whole takes nothing now, and until when. */
  readonly held?: { readonly reason: string; readonly untilMs: number };
}

export interface Delivery {
  /** Something was queued in a tenant. */
  wake(tenant: string): void;
  /** Queues what the store misses and tries all that waits, at once. Resolves when each was tried; `failed` is what the store still lacks. */
  sync(tenant: string, store: string, signal?: AbortSignal): Promise<{ delivered: number; failed: number }>;
  /** Resolves when nothing is due in a tenant: delivered, or put off. */
  settle(tenant: string): Promise<void>;
  pause(tenant: string, store: string): Promise<void>;
  resume(tenant: string, store: string): Promise<void>;
  status(tenant: string, store: string): Promise<DeliveryStatus>;
  coverage(tenant: string, store: string): Promise<DeliveryCoverage>;
  /** When any store, also the one inside the record, took a document of a tenant last. */
  newest(tenant: string, store: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The way to one store of one tenant. */
interface Lane {
  readonly tenant: string;
  readonly name: string;
  readonly queue: DeliveryQueue;
  readonly store: Store;
  /** Documents of calls that are under way. */
  readonly inFlight: Set<string>;
  readonly calls: Set<Promise<void>>;
  failuresInRow: number;
  held: DeliveryStatus['held'];
  timer: NodeJS.Timeout | undefined;
  draining: Promise<void> | undefined;
  /** Something came in while it was draining. */
  isAsked: boolean;
  delivered: number;
  readonly given: GivenState;
}

/** How a store that is given vectors stands with them. */
interface GivenState {
  /** Under way. */
  preparing: Promise<void> | undefined;
  /** Of what was in before the next round. */
  areMade: boolean;
  /** Of what was in before this round. */
  areReady: boolean;
  space: string | undefined;
  failuresInRow: number;
  /** Why they cannot be made: documents wait, deletions go. */
  held: DeliveryStatus['held'];
  /** Documents that had none in this round, and how often in a row. */
  readonly awaiting: Set<string>;
  readonly lacking: Map<string, number>;
}

export function createDelivery(ports: DeliveryPorts): Delivery {
  const { names, storeOf, queueOf, documentsOf, clock, vectors, random = Math.random } = ports;
  const timing = { ...ordinaryTiming, ...ports.timing };
  const lanes = new Map<string, Lane>();
  const stop = new AbortController();
  const nowMs = (): number => Date.parse(clock.now());

  function laneOf(tenant: string, name: string): Lane {
    const key = JSON.stringify([tenant, name]);
    const present = lanes.get(key);
    if (present) return present;
    const lane: Lane = {
      tenant,
      name,
      queue: queueOf(tenant),
      store: storeOf(tenant, name),
      inFlight: new Set(),
      calls: new Set(),
      failuresInRow: 0,
      held: undefined,
      timer: undefined,
      draining: undefined,
      isAsked: false,
      delivered: 0,
      given: {
        preparing: undefined,
        areMade: false,
        areReady: false,
        space: undefined,
        failuresInRow: 0,
        held: undefined,
        awaiting: new Set(),
        lacking: new Map(),
      },
    };
    lanes.set(key, lane);
    return lane;
  }

  /** The store takes nothing at all: it is left alone for a while, longer each time. */
  function hold(lane: Lane, error: FootnoteError): number {
    lane.failuresInRow += 1;
    const untilMs = nowMs() + backoffMs(lane.failuresInRow, { error, random, ...timing });
    lane.held = { reason: error.message, untilMs };
    return untilMs;
  }

  const attempts = createAttempts({
    clock,
    mostChunks: timing.chunks,
    retryMs: (tries, error) => backoffMs(tries, { error, random, ...timing }),
  });

  async function attempt(lane: Lane, batch: Batch): Promise<void> {
    const ends = joinedAbort([stop.signal, AbortSignal.timeout(timing.callMs)]);
    const places = { store: lane.store, documents: documentsOf(lane.tenant), vectorsOf: vectorsFor(lane) };
    const outcome = await attempts.run(batch, places, ends.signal).finally(ends.release);
    // Whatever comes of a call that was given up is asked for again by the next start.
    if (outcome.outage && stop.signal.aborted) return;
    const untilMs = outcome.outage && hold(lane, outcome.outage);
    if (outcome.delivered > 0 && !outcome.outage) {
      lane.failuresInRow = 0;
      lane.held = undefined;
    }
    lane.delivered += outcome.delivered;
    const settled = outcome.attempts.map((one) => (one.isPutOff ? { ...one, nextAttemptMs: untilMs } : one));
    await lane.queue.settle([...settled, ...withoutVectors(lane, outcome.awaiting ?? [])], clock.now());
    for (const { delivery } of settled) lane.given.lacking.delete(delivery.documentId);
  }

  function vectorsFor({ tenant, given: { space } }: Lane) {
    if (!vectors || space === undefined) return undefined;
    return (chunks: readonly Chunk[], signal: AbortSignal) => vectors.of({ tenant, space }, chunks, signal);
  }

  /** What came in after the vectors were made waits for the next round; what has none after several has failed. */
  function withoutVectors(lane: Lane, awaiting: Batch): readonly DeliveryAttempt[] {
    const { given } = lane;
    return awaiting.flatMap((delivery) => {
      const times = (given.lacking.get(delivery.documentId) ?? 0) + 1;
      given.lacking.set(delivery.documentId, times);
      given.awaiting.add(delivery.documentId);
      if (times < mostRoundsWithout) {
        lane.isAsked = true;
        return [];
      }
      given.lacking.delete(delivery.documentId);
      const nextAttemptMs = nowMs() + backoffMs(delivery.attempts + 1, { random, ...timing });
      return [{ delivery, error: 'Its chunks have no vectors of the embedding model yet.', nextAttemptMs }];
    });
  }

  /** Vectors come before documents, of everything that is in; deletions go meanwhile. */
  async function prepareVectors(lane: Lane, made: DeliveryVectors): Promise<void> {
    const { given } = lane;
    try {
      const space = await made.settle(lane.tenant, stop.signal);
      if (given.space !== space) await lane.queue.expectVectors(lane.name, space, clock.now());
      given.space = space;
      given.failuresInRow = 0;
      given.held = undefined;
      given.areMade = true;
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      given.failuresInRow += 1;
      const untilMs = nowMs() + backoffMs(given.failuresInRow, { error, random, ...timing });
      given.held = { reason: `The vectors that it is given could not be made: ${error.message}`, untilMs };
    }
    given.preparing = undefined;
    void start(lane);
  }

  /** Whether documents may go in this round; begins what they lack. */
  function hasVectors(lane: Lane): boolean {
    const { given } = lane;
    if (!vectors || lane.store.capabilities.vectors !== 'given' || given.areReady) return true;
    if (!given.held || given.held.untilMs <= nowMs()) given.preparing ??= prepareVectors(lane, vectors);
    return false;
  }

  function begin(lane: Lane, batch: Batch): void {
    for (const { documentId } of batch) lane.inFlight.add(documentId);
    const call = attempt(lane, batch)
      // The record could not be read or written: rows stay as they are, and the next round tries again.
      .catch((thrown: unknown) => void hold(lane, toFootnoteError(thrown)))
      .finally(() => {
        for (const { documentId } of batch) lane.inFlight.delete(documentId);
        lane.calls.delete(call);
      });
    lane.calls.add(call);
  }

  /** A store that failed is tried by one call first. */
  const room = ({ failuresInRow, store, calls }: Lane): number =>
    (failuresInRow > 0 ? 1 : (store.batches?.atOnce ?? timing.concurrency)) - calls.size;

  async function takeNext(lane: Lane): Promise<Batch | undefined> {
    if (stop.signal.aborted || (await lane.queue.counts(lane.name)).isPaused) return undefined;
    if (lane.held && lane.held.untilMs > nowMs()) return undefined;
    const { given, inFlight } = lane;
    const look = (only?: 'delete'): ReturnType<DeliveryQueue['due']> =>
      lane.queue.due(lane.name, {
        nowMs: nowMs(),
        limit: lane.store.batches?.documents ?? timing.batch,
        without: given.awaiting.size === 0 ? inFlight : inFlight.union(given.awaiting),
        ...(only && { only }),
      });
    let due = await look();
    if (due.some(({ operation }) => operation === 'upsert') && !hasVectors(lane)) due = await look('delete');
    const operation = due[0]?.operation;
    const batch = due.filter((one) => one.operation === operation);
    return batch.length === 0 ? undefined : batch;
  }

  async function deliverDue(lane: Lane): Promise<void> {
    for (;;) {
      const batch = room(lane) > 0 ? await takeNext(lane) : undefined;
      if (batch) begin(lane, batch);
      else if (lane.calls.size > 0) await Promise.race(lane.calls);
      else return;
    }
  }

  async function scheduleNext(lane: Lane): Promise<void> {
    const { nextAttemptMs, isPaused } = await lane.queue.counts(lane.name);
    const { space, held } = lane.given;
    const isUnsure = space === undefined && held !== undefined;
    if ((nextAttemptMs === undefined && !isUnsure) || isPaused) return;
    startIn(lane, Math.max(nextAttemptMs ?? 0, lane.held?.untilMs ?? 0, held?.untilMs ?? 0) - nowMs());
  }

  function startIn(lane: Lane, waitMs: number): void {
    clearTimeout(lane.timer);
    if (stop.signal.aborted) return;
    lane.timer = setTimeout(() => void start(lane), Math.min(Math.max(waitMs, 1), timing.longestRetryMs));
    lane.timer.unref();
  }

  async function drain(lane: Lane): Promise<void> {
    try {
      while (lane.isAsked && !stop.signal.aborted) {
        lane.isAsked = false;
        lane.given.areReady = lane.given.areMade;
        lane.given.areMade = false;
        lane.given.awaiting.clear();
        // Of another model than before, or of one at last, everything is due.
        if (lane.given.space === undefined) hasVectors(lane);
        await deliverDue(lane);
        await scheduleNext(lane);
      }
    } catch (thrown) {
      // The record could not be read.
      startIn(lane, hold(lane, toFootnoteError(thrown)) - nowMs());
    } finally {
      // At once, or whoever asks now would wait for work that has ended.
      lane.draining = undefined;
    }
  }

  /** Resolves when nothing is due any more that may be tried. */
  function start(lane: Lane): Promise<void> {
    if (stop.signal.aborted) return Promise.resolve();
    lane.isAsked = true;
    lane.draining ??= drain(lane);
    return lane.draining;
  }

  /** The same, with the vectors that documents wait for. */
  async function startWhole(lane: Lane, signal?: AbortSignal): Promise<void> {
    for (;;) {
      await start(lane);
      const { preparing } = lane.given;
      if (!preparing) return;
      await (signal ? untilAborted(preparing, signal) : preparing);
    }
  }

  const wake = (tenant: string): void => {
    for (const name of names) if (!stop.signal.aborted) void start(laneOf(tenant, name));
  };

  for (const tenant of ports.tenants) wake(tenant);

  return {
    wake,
    async sync(tenant, name, signal) {
      const lane = laneOf(tenant, name);
      await lane.draining;
      signal?.throwIfAborted();
      await lane.queue.queueMissing(name, clock.now());
      lane.held = undefined;
      lane.given.held = undefined;
      const before = lane.delivered;
      await startWhole(lane, signal);
      signal?.throwIfAborted();
      const { pending, failed, deletions } = await lane.queue.counts(name);
      return { delivered: lane.delivered - before, failed: pending + failed + deletions };
    },
    async settle(tenant) {
      await Promise.all(names.map((name) => startWhole(laneOf(tenant, name))));
    },
    async pause(tenant, name) {
      const lane = laneOf(tenant, name);
      await lane.queue.pause(name, clock.now());
      await Promise.allSettled(lane.calls);
    },
    async resume(tenant, name) {
      const lane = laneOf(tenant, name);
      await lane.queue.resume(name);
      void start(lane);
    },
    async status(tenant, name) {
      const { queue, held: own, given } = laneOf(tenant, name);
      const counts = await queue.counts(name);
      const held = own ?? given.held;
      return { ...counts, ...(held && held.untilMs > nowMs() && { held }) };
    },
    newest: (tenant, name) => queueOf(tenant).newest(name),
    coverage: (tenant, name) => laneOf(tenant, name).queue.coverage(name),
    async close() {
      stop.abort(new Error('The program closes.'));
      const open = [...lanes.values()];
      for (const { timer } of open) clearTimeout(timer);
      const limit = Promise.withResolvers<void>();
      const timeout = setTimeout(() => limit.resolve(), timing.closingMs);
      const drained = open.flatMap(({ draining }) => draining ?? []);
      await Promise.race([Promise.allSettled(drained), limit.promise]);
      clearTimeout(timeout);
      await Promise.allSettled(open.map(({ store }) => store.close()));
    },
  };
}
