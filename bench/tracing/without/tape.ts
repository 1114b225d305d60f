// In the place of src/trace/tape.ts: the clock and the ids themselves.
import type { Clock, Ids } from '../../../src/core/ids.ts';
import type { Tape } from '../../../src/trace/tape.ts';

export { playTape } from '../../../src/trace/tape.ts';

export const untaped = (clock: Pick<Clock, 'elapsedMs'>): Pick<Clock, 'elapsedMs'> => clock;

export function createTape({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): Tape {
  return {
    // What deadlines need, as a tape gives it.
    clock: {
      ...clock,
      now: () => clock.now(),
      elapsedMs: () => clock.elapsedMs(),
      after: (ms) => clock.after?.(ms) ?? AbortSignal.timeout(Math.max(0, Math.ceil(ms))),
      forDeadlines: clock.forDeadlines ?? clock,
    },
    ids,
    mark: () => undefined,
    written: () => ({ clock: [], times: [], ids: [], timers: [] }),
  };
}
