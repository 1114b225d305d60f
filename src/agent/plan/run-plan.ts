// Runs a plan: each sub-query as soon as what it depends on has ended, several at the same time, each within its share of the time.
// Invariants: every sub-query ends in exactly one outcome, whatever its work does, and only the end of the request itself is thrown.

import { createShare, type Deadline } from '../../core/deadline.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import type { Plan, SubQuery } from './plan.ts';

export type Outcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: FootnoteError };

export interface RunPlanOptions<Result> {
  /** Given what its dependencies came to, in their order. */
  readonly work: (subQuery: SubQuery, earlier: readonly Outcome<Result>[], deadline: Deadline) => Promise<Result>;
  readonly deadline: Deadline;
  readonly clock: Pick<Clock, 'elapsedMs'>;
  /** Sub-queries under way at the same time. */
  readonly atOnce: number;
  /** Longest time for one. */
  readonly timeoutMs: number;
  /** Of the time of the request, for what is made of the outcomes: none of them takes it. */
  readonly reserveMs?: number;
}

/** What is left to put an answer together: a tenth of the time, three seconds at most. */
export const reserveOf = (deadline: Deadline): number => Math.min(3_000, deadline.remainingMs() / 10);

/** The outcome of each sub-query, in the order of the plan. Throws only `cancelled` and `deadline-exceeded` of the request. */
export async function runPlan<Result>(
  { subQueries }: Pick<Plan, 'subQueries'>,
  { work, deadline, clock, atOnce, timeoutMs, reserveMs = 0 }: RunPlanOptions<Result>,
): Promise<readonly Outcome<Result>[]> {
  const outcomes = new Map<string, Outcome<Result>>();
  const waiting = new Set(subQueries);
  const running = new Map<string, Promise<void>>();

  const run = async (subQuery: SubQuery): Promise<void> => {
    const leftMs = deadline.remainingMs() - reserveMs;
    if (leftMs <= 0) {
      outcomes.set(subQuery.id, { ok: false, error: noTimeLeft() });
      return;
    }
    const share = createShare(deadline, Math.min(timeoutMs, leftMs), clock);
    const earlier = subQuery.dependencies.map((id) => outcomes.get(id) ?? missing(id));
    try {
      const result = await untilAborted(work(subQuery, earlier, share), share.signal);
      outcomes.set(subQuery.id, { ok: true, result });
    } catch (thrown) {
      const error = share.isOver() ? tooSlow(thrown) : toFootnoteError(thrown);
      outcomes.set(subQuery.id, { ok: false, error });
    }
  };
  while (waiting.size > 0 || running.size > 0) {
    deadline.check();
    for (const subQuery of waiting) {
      if (running.size >= atOnce) break;
      if (!subQuery.dependencies.every((id) => outcomes.has(id))) continue;
      waiting.delete(subQuery);
      running.set(
        subQuery.id,
        run(subQuery).finally(() => running.delete(subQuery.id)),
      );
    }
    // Only a plan that nobody checked comes here: nothing runs, and what waits never will.
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  deadline.check();
  return subQueries.map(({ id }) => outcomes.get(id) ?? missing(id));
}

const missing = (id: string): Outcome<never> => ({
  ok: false,
  error: new FootnoteError('internal', `Part ${id} of the plan was never asked.`),
});

const tooSlow = (cause: unknown): FootnoteError =>
  new FootnoteError('deadline-exceeded', 'It took longer than a part of a question may.', { cause });

const noTimeLeft = (): FootnoteError =>
  new FootnoteError('deadline-exceeded', 'The parts before it took all of the time.');
