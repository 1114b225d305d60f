// Looks after traces behind the requests: what is older than its time goes, and what nobody asks for now is packed onto the texts of the
// record. Invariants: it gives way to whoever waits for an answer: while there are requests it has a tenth of the time at most, in steps of one
// trace; and a failure (a full disk) only means that it is tried again later.

import type { Clock } from '../../core/ids.ts';
import type { Demand } from '../../core/waiting/demand.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import type { TraceUpkeep } from '../../db/repositories/traces.ts';
import { ownTime, type RestingTime } from '../../db/resting.ts';
import type { Leases } from '../../db/servers/leases.ts';

export interface TracesUpkeepOptions {
  readonly upkeep: TraceUpkeep;
  readonly clock: Pick<Clock, 'now'>;
  readonly retentionDays: number;
  /** One server at a time does it. */
  readonly leases: Leases;
  readonly demand: Pick<Demand, 'giveWay' | 'isHigh'>;
  /** What else goes when its time comes. */
  readonly also?: () => Promise<unknown>;
  /** Runs the work every so often until it is cancelled; keeps no process alive. */
  readonly every?: (work: () => void, ms: number) => () => void;
  /** Default: the time of this process. */
  readonly time?: RestingTime;
}

export interface TracesUpkeep {
  /** Does now what is due. Throws what the record throws. */
  run(): Promise<{ readonly pruned: number; readonly packed: number }>;
  close(): Promise<void>;
}

const dayMs = 86_400_000;
const everyMs = 60_000;
/** Whoever looks at a trace does so soon; only then it is packed. */
const restingMs = 60_000;
const together = 20;
/** While there are requests a step of a trace is followed by a rest of so many times its length. */
const restPerStep = 9;

const byTimer = (work: () => void, ms: number): (() => void) => {
  const timer = setInterval(work, ms).unref();
  return () => clearInterval(timer);
};

export function createTracesUpkeep({
  upkeep,
  clock,
  retentionDays,
  leases,
  demand,
  also,
  every = byTimer,
  time = ownTime,
}: TracesUpkeepOptions): TracesUpkeep {
  let isClosed = false;
  let running: Promise<{ readonly pruned: number; readonly packed: number }> | undefined;

  /** Repeats a short step until it has nothing more to do. */
  async function drain(step: (most: number) => Promise<number>): Promise<number> {
    let all = 0;
    for (;;) {
      if (isClosed) return all;
      await demand.giveWay();
      const isBusy = demand.isHigh();
      const most = isBusy ? 1 : together;
      const from = time.elapsedMs();
      const done = await step(most);
      all += done;
      if (done < most) return all;
      await (isBusy ? time.rest(restPerStep * (time.elapsedMs() - from)) : nextTurn());
    }
  }

  const nothing = { pruned: 0, packed: 0 };
  async function work() {
    const lease = await leases.take('traces');
    if (!lease) return nothing;
    try {
      return await workAlone();
    } finally {
      await lease.release();
    }
  }

  async function workAlone() {
    const nowMs = Date.parse(clock.now());
    const before = (ms: number): string => new Date(nowMs - ms).toISOString();
    const pruned = await drain((most) => upkeep.prune(before(retentionDays * dayMs), most));
    const packed = await drain((most) => upkeep.compact(before(restingMs), most));
    await also?.();
    return { pruned, packed };
  }

  const run: TracesUpkeep['run'] = () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
  const stop = every(() => void run().catch(() => undefined), everyMs);
  return {
    run,
    async close() {
      isClosed = true;
      stop();
      await running?.catch(() => undefined);
    },
  };
}
