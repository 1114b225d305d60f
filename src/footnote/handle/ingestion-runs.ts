// Runs of reading a source: one at a time per source, followed live by any number of watchers, and cancellable. The
// record keeps the state, so that a run that a crash cut off is seen as interrupted and simply starts again. Invariant: a run is of this process until
// its end is durable, or the process ends.
import { setTimeout as wait } from 'node:timers/promises';
import type { Ingestion, IngestionFile } from '../../core/documents/runs.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Clock, Ids } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { tryAgain } from '../../core/waiting/try-again.ts';
import { type Lease, type Leases, openLocalLeases } from '../../db/servers/leases.ts';
import type { OtherServers } from '../../db/servers/servers.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import { faultOf } from '../../ingest/progress.ts';
import type { SyncOptions } from '../facade/sources.ts';

type Watcher = (ingestion: Ingestion, file?: IngestionFile) => void;

interface Run {
  readonly id: string;
  readonly controller: AbortController;
  readonly watchers: Set<Watcher>;
  latest: Ingestion;
  readonly finished: Promise<Ingestion>;
}

/** Does the reading; resolves with the final state. Reports each change. */
export type SyncWork = (run: { ingestion: Ingestion; signal: AbortSignal; report: Watcher }) => Promise<Ingestion>;

export interface IngestionRuns {
  /** `isBeside`: it adds files by themselves, whatever else reads the source. */
  start(
    scope: Scope,
    source: string,
    options: { record: TenantRecord; work: SyncWork; sync?: SyncOptions; isBeside?: boolean },
  ): Promise<Run>;
  /** One that goes on, or whose end is not durable yet, which `latest` tells. */
  find(tenant: string, id: string): Run | undefined;
  /** Cancels the runs that read a source, at whichever server, and waits for their end. Throws the reason of the signal. */
  stop(tenant: string, source: string, signal?: AbortSignal): Promise<void>;
  /** Cancels a run that another server may have, and waits for its end. Throws the reason of the signal. */
  cancelElsewhere(tenant: string, id: string, signal?: AbortSignal): Promise<void>;
  /** Whether runs may be under way at other servers, which the record tells. */
  readonly hasOthers: boolean;
  /** Cancels everything that runs and waits for it. */
  close(): Promise<void>;
}

const mostTries = 20;
const betweenMs = 50;
/** How often others are asked about runs. */
export const askEveryMs = 500;

/** Of those that were begun lately; readers of runs see none. */
async function runningIn({ ingestions }: TenantRecord, source: string): Promise<string | undefined> {
  const { data } = await ingestions.list({ limit: 100 });
  return data.find((one) => one.source === source && one.state === 'running')?.id;
}

/** Who else reads sources of the record. */
interface Elsewhere {
  readonly leases?: Leases;
  readonly others?: Pick<OtherServers, 'cancelRuns' | 'cancelled'> | undefined;
}

export function createIngestionRuns(
  clock: Clock,
  ids: Ids,
  { leases = openLocalLeases(), others }: Elsewhere = {},
): IngestionRuns {
  const bySource = new Map<string, Run>();
  const byId = new Map<string, Run>();
  const keyOf = (tenant: string, name: string): string => `${tenant}\u0000${name}`;
  let timer: NodeJS.Timeout | undefined;

  /** Looks for those that were cancelled at other servers, as long as any is under way. */
  function watchOthers(): void {
    if (!others) return;
    const look = async (): Promise<void> => {
      const runs = [...byId.values()];
      const cancelled = runs.length === 0 ? [] : await others.cancelled(runs.map(({ id }) => id));
      for (const { id, controller } of runs)
        if (cancelled.includes(id)) controller.abort(new FootnoteError('cancelled', 'The ingestion was cancelled.'));
    };
    timer ??= setInterval(() => {
      if (byId.size > 0) return void look().catch(() => undefined);
      clearInterval(timer);
      timer = undefined;
    }, askEveryMs).unref();
  }

  /** A run whose server is gone is marked as interrupted soon. */
  async function endElsewhere(signal: AbortSignal | undefined, ...which: Parameters<OtherServers['cancelRuns']>) {
    while (((await others?.cancelRuns(...which)) ?? 0) > 0) {
      await wait(askEveryMs, undefined, { signal }).catch(() => undefined);
      signal?.throwIfAborted();
    }
  }

  const closing = new AbortController();
  const late = new Set<Promise<void>>();
  /** Resolves after the first try; where that fails, others follow in the background until one succeeds. */
  async function writeEnd({ ingestions }: TenantRecord, ended: Ingestion, written: () => void): Promise<void> {
    const write = (): Promise<void> => ingestions.put(ended);
    try {
      await write();
      written();
    } catch {
      const writing: Promise<void> = tryAgain(write, closing.signal).finally(() => {
        written();
        late.delete(writing);
      });
      late.add(writing);
    }
  }

  /** Throws `conflict`, with the run that reads the source. */
  async function leaseFor(tenant: string, source: string, record: TenantRecord): Promise<Lease> {
    for (let tries = 1; ; tries++) {
      const lease = await leases.take(`source:${tenant}:${source}`);
      if (lease) return lease;
      const id = bySource.get(keyOf(tenant, source))?.id ?? (await runningIn(record, source));
      if (id !== undefined || tries === mostTries) {
        const which = id === undefined ? '' : ` (ingestion ${id})`;
        throw new FootnoteError('conflict', `Source "${source}" is being read already${which}.`, {
          details: { ...(id !== undefined && { ingestionId: id }) },
        });
      }
      // It has just ended at another server, or is about to begin.
      await wait(betweenMs);
    }
  }

  return {
    async start(scope, source, { record, work, sync, isBeside = false }) {
      const key = keyOf(scope.tenant, source);
      const lease = isBeside ? undefined : await leaseFor(scope.tenant, source, record);
      const ingestion: Ingestion = {
        id: ids.next('ing'),
        source,
        state: 'running',
        startedAt: clock.now(),
        counts: { found: 0, done: 0, unchanged: 0, failed: 0, deleted: 0, chunks: 0 },
      };
      const controller = new AbortController();
      const signal = AbortSignal.any([controller.signal, sync?.signal ?? [], lease?.signal ?? []].flat());
      const watchers = new Set<Watcher>(sync?.onProgress ? [sync.onProgress] : []);
      const claimed: { run?: Run } = {};
      const report: Watcher = (next, file) => {
        if (claimed.run) claimed.run.latest = next;
        for (const watcher of watchers) watcher(next, file);
      };
      const recorded = Promise.withResolvers<void>();
      const forget = (): void => void byId.delete(keyOf(scope.tenant, ingestion.id));
      const fail = (thrown: unknown): Promise<void> => {
        const error = faultOf(toFootnoteError(thrown), source);
        const latest = claimed.run?.latest ?? ingestion;
        const failed: Ingestion = { ...latest, state: 'failed', finishedAt: clock.now(), error };
        report(failed);
        return writeEnd(record, failed, forget);
      };
      const readToEnd = async (): Promise<Ingestion> => {
        try {
          await record.ingestions.put(ingestion);
        } catch (thrown) {
          // A full disk took nothing; otherwise it may have been written all the same.
          if (toFootnoteError(thrown).code === 'storage-full') forget();
          else await fail(thrown);
          throw thrown;
        }
        recorded.resolve();
        try {
          const final = await work({ ingestion, signal, report });
          report(final);
          // What says that it failed may have failed to write that.
          if (final.state === 'failed') await writeEnd(record, final, forget);
          else forget();
          return final;
        } catch (thrown) {
          await fail(thrown);
          throw thrown;
        }
      };
      const finished = (async () => {
        try {
          return await readToEnd();
        } finally {
          if (!isBeside) bySource.delete(key);
          await lease?.release();
        }
      })();
      // A run that nobody waits for reports its failure through the record.
      finished.catch(() => undefined);
      const run: Run = { id: ingestion.id, controller, watchers, latest: ingestion, finished };
      claimed.run = run;
      if (!isBeside) bySource.set(key, run);
      byId.set(keyOf(scope.tenant, ingestion.id), run);
      watchOthers();
      // From now on whoever looks at the runs of the source sees it, at whichever server.
      await Promise.race([recorded.promise, finished.catch(() => undefined)]);
      return run;
    },
    find: (tenant, id) => byId.get(keyOf(tenant, id)),
    async stop(tenant, source, signal) {
      const of = [...byId].flatMap(([key, run]) =>
        key === keyOf(tenant, run.id) && run.latest.source === source ? [run] : [],
      );
      for (const run of of)
        run.controller.abort(new FootnoteError('cancelled', `Source "${source}" is being removed.`));
      await Promise.allSettled(of.map((run) => run.finished));
      await endElsewhere(signal, tenant, { source });
    },
    cancelElsewhere: (tenant, id, signal) => endElsewhere(signal, tenant, { id }),
    hasOthers: others !== undefined,
    async close() {
      clearInterval(timer);
      const runs = [...byId.values()];
      for (const run of runs) run.controller.abort(new FootnoteError('cancelled', 'The server is stopping.'));
      await Promise.allSettled(runs.map((run) => run.finished));
      closing.abort();
      await Promise.allSettled(late);
    },
  };
}

/** The present state, then each change, then the end; the latest state wins over a slow reader. */
export async function* watchRun(run: Run, signal?: AbortSignal): AsyncGenerator<Ingestion> {
  let pending: Ingestion | undefined = run.latest;
  let ended = false;
  let wake: (() => void) | undefined;
  const watcher: Watcher = (ingestion) => {
    pending = ingestion;
    wake?.();
  };
  const end = (): void => {
    ended = true;
    wake?.();
  };
  run.watchers.add(watcher);
  run.finished.then(end, end);
  signal?.addEventListener('abort', end, { once: true });
  try {
    while (true) {
      if (pending !== undefined) {
        const next: Ingestion = pending;
        pending = undefined;
        yield next;
        continue;
      }
      if (ended || signal?.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await promise;
    }
  } finally {
    run.watchers.delete(watcher);
    signal?.removeEventListener('abort', end);
  }
}
