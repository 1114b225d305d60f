// How long the steps of a turn take: each is timed under a name, for the answer's timings.
import type { Answer } from '../../core/answer.ts';
import type { RequestContext } from '../../core/context.ts';
import type { TurnContext } from './turn-state.ts';

export interface TimedTurn {
  readonly turn: TurnContext;
  /** Of the steps so far, and of all since this was made. */
  timings(): Answer['timings'];
}

export function timeSteps(context: RequestContext): TimedTurn {
  const { deadline, clock } = context;
  const startedAt = clock.elapsedMs();
  const steps: Record<string, number> = {};
  return {
    turn: {
      ...context,
      async timed(name, work) {
        deadline.check();
        const from = clock.elapsedMs();
        const result = await work();
        // A step that is done again takes the time of both.
        steps[name] = (steps[name] ?? 0) + clock.elapsedMs() - from;
        return result;
      },
    },
    timings: () => ({ ...steps, totalMs: clock.elapsedMs() - startedAt }),
  };
}
