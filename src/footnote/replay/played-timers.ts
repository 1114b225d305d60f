// The timers of a request that is played again: each goes off where the trace says, among the events, readings and looks of then, or, in traces that
// do not say it, at its time.
import type { TimerMoment } from '../../trace/tape.ts';

export interface PlayedTimers {
  after(atMs: number | undefined, moment?: TimerMoment): AbortSignal;
  fire(timer: AbortController): void;
  /** The next of those that wait for nothing but a time. */
  nextUnplaced(untilMs: number): AbortController | undefined;
  /** The next of all, whatever it waits for. */
  next(): AbortController | undefined;
  /** Those whose moment has come; false: none. */
  fireReached(): boolean;
}

export function createPlayedTimers(ports: {
  readonly hasCome: (moment: TimerMoment) => boolean;
  readonly onFire: (atMs: number) => void;
}): PlayedTimers {
  const timers = new Map<AbortController, number>();
  const moments = new Map<AbortController, TimerMoment>();
  const firstOf = (among: readonly [AbortController, number][]): [AbortController, number] | undefined =>
    among.reduce<[AbortController, number] | undefined>(
      (least, one) => (least === undefined || one[1] < least[1] ? one : least),
      undefined,
    );
  const fire = (timer: AbortController): void => {
    ports.onFire(timers.get(timer) ?? 0);
    timers.delete(timer);
    timer.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  };
  return {
    after(atMs, moment) {
      const timer = new AbortController();
      if (moment) moments.set(timer, moment);
      if (atMs !== undefined) timers.set(timer, atMs);
      return timer.signal;
    },
    fire,
    next: () => firstOf([...timers])?.[0],
    nextUnplaced(untilMs) {
      const first = firstOf([...timers].filter(([timer]) => !moments.has(timer)));
      return first && first[1] <= untilMs ? first[0] : undefined;
    },
    fireReached() {
      const [first, ...others] = [...moments]
        .filter(([timer]) => timers.has(timer))
        .toSorted(([, one], [, other]) => one.place - other.place);
      if (!first || !ports.hasCome(first[1])) return false;
      fire(first[0]);
      for (const [timer, { isTogether }] of others) {
        if (!isTogether) break;
        fire(timer);
      }
      return true;
    },
  };
}
