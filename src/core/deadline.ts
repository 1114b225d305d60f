// A request carries one deadline, handed down to every leg and never renewed. Running out is a typed, ordinary outcome. Invariant: whoever decides by
// the time asks `remainingMs`, `isOver` or `check`, whose readings are on the tape of the request: a replay decides the same, and asks no clock.
import { FootnoteError } from './errors.ts';
import { type DeadlineClock, systemClock, type TakeReading } from './ids.ts';
import { joinedAbort } from './signals/joined-abort.ts';

export interface Deadline {
  /** Aborts when the time is up, or when the caller went away. */
  readonly signal: AbortSignal;
  /** Milliseconds left, never below 0, by the clock of the request. */
  remainingMs(): number;
  /** Whether the time is up, or the caller went away. */
  isOver(): boolean;
  /** Throws `deadline-exceeded` or `cancelled` if the request should not go on. */
  check(): void;
}

/** A deadline `timeoutMs` from now that also ends when `parent` aborts. What stands within a request is given the clock of the request. */
export function createDeadline(timeoutMs: number, parent?: AbortSignal, clock: DeadlineClock = systemClock): Deadline {
  const time = clock.forDeadlines ?? clock;
  const endsAt = time.elapsedMs() + timeoutMs;
  const ms = Math.max(0, Math.ceil(timeoutMs));
  const timer = clock.after?.(ms) ?? AbortSignal.timeout(ms);
  const signal = parent ? joinedAbort([timer, parent]).signal : timer;
  const leftMs = (): number => Math.max(0, endsAt - time.elapsedMs());
  const withReading = (taken: TakeReading): Deadline => {
    const isOver = (): boolean => taken(() => (signal.aborted ? 0 : leftMs())) === 0;
    return {
      signal,
      remainingMs: () => taken(leftMs),
      isOver,
      check() {
        // The reading comes first: in a replay it is what tells that the caller went away.
        const isTooLate = isOver();
        if (parent?.aborted)
          throw new FootnoteError('cancelled', 'The request was cancelled.', { cause: parent.reason });
        if (isTooLate) throw new FootnoteError('deadline-exceeded', 'The time allowed for this request ran out.');
      },
    };
  };
  const take: TakeReading = (reading) => reading();
  const read = clock.readings?.();
  if (!read) return withReading(take);
  const deadline = withReading(read);
  beneath.set(deadline, withReading(take));
  return deadline;
}

const beneath = new WeakMap<Deadline, Deadline>();

/** The same deadline for what lies beneath a port, which a replay does not run: it may be read without that being recorded. */
export const untapedDeadline = (deadline: Deadline): Deadline => beneath.get(deadline) ?? deadline;

/** A part of the time of a request for some of its work: at most `mostMs`, and never beyond the request's own end. */
export const createShare = (deadline: Deadline, mostMs: number, clock?: DeadlineClock): Deadline =>
  createDeadline(Math.min(mostMs, deadline.remainingMs()), deadline.signal, clock);
