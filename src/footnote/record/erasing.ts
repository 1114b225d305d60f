// Sees every deletion through behind the requests: what was deleted goes from saved answers, traces, replies and reports, from the index,
// from what was learned, and last from the pages of the file. Invariant: work under way is taken up again after a kill, and whoever
// is served goes first.

import { toFootnoteError } from '../../core/errors.ts';
import type { ErasureStatus } from '../../core/store-query.ts';
import type { Demand } from '../../core/waiting/demand.ts';
import type { Erasures } from '../../db/both/noted-erasures.ts';
import { type Leases, untilTaken } from '../../db/servers/leases.ts';
import { blankTerms } from '../../models/corpus/latent-bytes.ts';
import type { EmbeddedErasure } from '../../stores/embedded/erasure.ts';
import type { Embedder } from '../../vectors/embedder.ts';
import { textForModel } from '../../vectors/ports.ts';
import { textHashOf } from '../../vectors/remote.ts';

/** What is left to do of deletions in a tenant. */
export interface Erasing {
  /** Undefined where nothing that was deleted is left in the record, nor in what this server keeps beside it. */
  status(tenant: string): Promise<ErasureStatus | undefined>;
  /** Resolves when nothing is left to do, or that failed. */
  settle(): Promise<void>;
  /** Ends what can be ended in a short time; the next start does the rest. */
  close(): Promise<void>;
}

export interface ErasingOptions {
  readonly erasures: Erasures;
  /** What a deletion leaves in the store within the record. */
  readonly embeddedOf: (tenant: string) => EmbeddedErasure;
  readonly embedderOf: (tenant: string) => Embedder;
  readonly demand: Demand;
  /** One server at a time sweeps a tenant. */
  readonly leases: Leases;
  readonly timing?: Partial<ErasingTiming>;
}

export interface ErasingTiming {
  /** Deletions that come within this time are seen through together. */
  readonly delayMs: number;
  /** Longest time without a try after one failed. */
  readonly retryMs: number;
  /** How long closing waits. */
  readonly closingMs: number;
}

const ordinary: ErasingTiming = { delayMs: 500, retryMs: 30_000, closingMs: 3000 };
const firstRetryMs = 1000;
/** What takes long is done seldom: it has a fifth of the time at most. */
const restPerWork = 4;
const longestRestMs = 60_000;

export function createErasing({ erasures, embeddedOf, embedderOf, demand, leases, timing }: ErasingOptions): Erasing {
  const { delayMs, retryMs, closingMs } = { ...ordinary, ...timing };
  const failures = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let closed = false;
  let failedInRow = 0;
  let restUntilMs = 0;

  const stop = new AbortController();
  const inPieces = (signal = stop.signal): (() => Promise<void> | undefined) => {
    const pause = demand.inPieces();
    return () => {
      signal.throwIfAborted();
      return pause();
    };
  };

  async function eraseIn(tenant: string): Promise<void> {
    const lease = await untilTaken(leases, `erase:${tenant}`, stop.signal);
    try {
      await eraseAlone(tenant, AbortSignal.any([stop.signal, lease.signal]));
    } finally {
      await lease.release();
    }
  }

  async function eraseAlone(tenant: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const noted = await erasures.noted(tenant);
      if (!noted) return;
      const pause = inPieces(signal);
      await erasures.sweep(noted, pause);
      if (noted.touchesIndex) {
        const embedded = embeddedOf(tenant);
        if (!(await embedded.purgeIndex())) throw new Error('The index still holds deleted entries.');
        await embedderOf(tenant).apart(async () => {
          await embedded.forgetTexts((document, chunk) => textHashOf(textForModel(document, chunk)), pause);
          return embedded.forgetTerms(blankTerms, pause);
        });
      }
      await erasures.settle(noted);
    }
  }

  const isPending = async (): Promise<boolean> => (await erasures.pending()).length > 0;

  /** True if nothing is left. */
  async function round(): Promise<boolean> {
    for (const { tenant } of await erasures.pending()) {
      if (stop.signal.aborted) return false;
      try {
        await eraseIn(tenant);
        failures.delete(tenant);
      } catch (thrown) {
        if (stop.signal.aborted) return false;
        failures.set(tenant, toFootnoteError(thrown).message);
      }
    }
    try {
      if (!(await erasures.cleanPages(inPieces()))) throw new Error('Another program reads the record.');
    } catch (thrown) {
      if (stop.signal.aborted) return false;
      for (const { tenant } of await erasures.pending()) failures.set(tenant, toFootnoteError(thrown).message);
    }
    return !(await isPending());
  }

  function run(): Promise<void> {
    running ??= (async () => {
      const startedMs = performance.now();
      const isDone = await round();
      failedInRow = isDone || failures.size === 0 ? 0 : failedInRow + 1;
      const endedMs = performance.now();
      restUntilMs = endedMs + Math.min(longestRestMs, restPerWork * (endedMs - startedMs));
    })()
      .catch(() => undefined)
      .finally(() => {
        running = undefined;
        scheduleIfPending(failedInRow === 0 ? delayMs : Math.min(retryMs, firstRetryMs * 2 ** (failedInRow - 1)));
      });
    return running;
  }

  function schedule(inMs: number): void {
    if (closed || running || timer) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        void run();
      },
      Math.max(inMs, restUntilMs - performance.now()),
    );
    timer.unref();
  }

  /** One that cannot be asked now is asked again by the next deletion, or the next start. */
  function scheduleIfPending(inMs: number): void {
    if (closed) return;
    void isPending().then(
      (isLeft) => isLeft && schedule(inMs),
      () => undefined,
    );
  }

  const ignored = [erasures.onNoted(() => schedule(delayMs)), leases.onLeft(() => scheduleIfPending(delayMs))];
  scheduleIfPending(delayMs);

  return {
    async status(tenant) {
      const [pending] = await erasures.pending(tenant);
      if (!pending) return undefined;
      const { documents, sessions, since } = pending;
      const failure = failures.get(tenant);
      return { documents, sessions, since, ...(failure !== undefined && { failure }) };
    },
    async settle() {
      await running;
      await run();
    },
    async close() {
      if (closed) return;
      closed = true;
      for (const ignore of ignored) ignore();
      clearTimeout(timer);
      // A database that is away keeps what is to be erased.
      if (!running && !(await isPending().catch(() => false))) return;
      const limit = Promise.withResolvers<void>();
      const timeout = setTimeout(() => {
        // Whatever is under way may wait for a model that is being learned.
        stop.abort(new Error('The program closes.'));
        limit.resolve();
      }, closingMs);
      await Promise.race([Promise.resolve(running).then(run), limit.promise]);
      clearTimeout(timeout);
      stop.abort(new Error('The program closes.'));
    },
  };
}
