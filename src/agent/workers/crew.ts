// Runs workers: so many at once, each within its time, each told when it begins and how it ends. Invariants: a worker that fails or does not end
// costs the others nothing; every one that began is told to have ended, once.
import type { RequestContext } from '../../core/context.ts';
import { createShare, type Deadline } from '../../core/deadline.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import type { Outcome } from '../plan/run-plan.ts';
import type { Worker } from './worker.ts';

export interface Worked<Result> {
  readonly result: Result;
  /** Of its context. */
  readonly tokensUsed: number;
}

export interface Crew {
  /** Throws only the request's own `cancelled` and `deadline-exceeded`. */
  run<Result>(
    worker: Worker,
    work: (deadline: Deadline) => Promise<Worked<Result>>,
    context: Pick<RequestContext, 'deadline' | 'sink' | 'clock'>,
  ): Promise<Outcome<Result>>;
}

/** The crew of one request. */
export function createCrew(mostAtOnce: number): Crew {
  const waiting: (() => void)[] = [];
  let running = 0;
  let tasks = 0;

  async function enter(signal: AbortSignal): Promise<void> {
    if (running < mostAtOnce) {
      running += 1;
      return;
    }
    let isLeft = false;
    const turn = new Promise<void>((resolve) => {
      waiting.push(() => {
        // Whoever left meanwhile hands its place on.
        if (isLeft) leave();
        else resolve();
      });
    });
    await untilAborted(turn, signal).catch((thrown: unknown) => {
      isLeft = true;
      throw thrown;
    });
  }
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return {
    async run(worker, work, { deadline, sink, clock }) {
      tasks += 1;
      const taskId = `${worker.kind}-${tasks}`;
      const { agent, kind } = worker;
      await enter(deadline.signal);
      const share = createShare(deadline, worker.timeoutMs, clock);
      sink({ type: 'worker_start', taskId, agent, kind });
      try {
        const { result, tokensUsed } = await untilAborted(work(share), share.signal);
        sink({ type: 'worker_complete', taskId, agent, tokensUsed });
        return { ok: true, result };
      } catch (thrown) {
        const isLate = share.isOver();
        const error = isLate ? late(agent, thrown) : toFootnoteError(thrown);
        sink({ type: 'worker_error', taskId, agent, error: error.code });
        deadline.check();
        return { ok: false, error };
      } finally {
        leave();
      }
    },
  };
}

const late = (agent: string, cause: unknown): FootnoteError =>
  new FootnoteError('deadline-exceeded', `The ${agent} did not end within its time.`, { cause });
