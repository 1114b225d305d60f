// A request carries one deadline, handed down to every leg and never renewed. Running out is a typed, ordinary outcome.
import { FootnoteError } from './errors.ts';
import { type Clock, systemClock } from './ids.ts';

export interface Deadline {
  /** Aborts when the time is up, or when the caller went away. */
  readonly signal: AbortSignal;
  /** Milliseconds left, never below 0, by the clock of the request. */
  remainingMs(): number;
  /** Throws `deadline-exceeded` or `cancelled` if the request should not go on. */
  check(): void;
}

/** A deadline `timeoutMs` from now that also ends when `parent` aborts. What stands within a request is given the clock of the request. */
export function createDeadline(
  timeoutMs: number,
  parent?: AbortSignal,
  clock: Pick<Clock, 'elapsedMs' | 'after' | 'forDeadlines'> = systemClock,
): Deadline {
  const time = clock.forDeadlines ?? clock;
  const endsAt = time.elapsedMs() + timeoutMs;
  const ms = Math.max(0, Math.ceil(timeoutMs));
  const timer = clock.after?.(ms) ?? AbortSignal.timeout(ms);
  const signal = parent ? AbortSignal.any([timer, parent]) : timer;
  const remainingMs = (): number => Math.max(0, endsAt - time.elapsedMs());
  return {
    signal,
    remainingMs,
    check() {
      if (parent?.aborted) throw new FootnoteError('cancelled', 'The request was cancelled.', { cause: parent.reason });
      if (signal.aborted || remainingMs() === 0)
        throw new FootnoteError('deadline-exceeded', 'The time allowed for this request ran out.');
    },
  };
}

/** A part of the time of a request for some of its work: at most `mostMs`, and never beyond the request's own end. */
export const createShare = (
  deadline: Deadline,
  mostMs: number,
  clock?: Pick<Clock, 'elapsedMs' | 'after' | 'forDeadlines'>,
): Deadline => createDeadline(Math.min(mostMs, deadline.remainingMs()), deadline.signal, clock);
