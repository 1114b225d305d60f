// The time of one attempt: a share of what the request has left, so that a model that hangs leaves time for the next in the list.
// Invariant: the request's deadline is never extended, and the caller's end is told apart from the share's.
import type { Deadline } from '../core/deadline.ts';
import { FootnoteError } from '../core/errors.ts';
import { joinedAbort } from './joined-abort.ts';

export interface AttemptClock {
  /** The request's deadline, ended earlier by the share or by the caller. */
  readonly deadline: Deadline;
  /** The model has begun to answer: from here on only the request's own deadline counts. */
  begun(): void;
  /** True once the share, and nothing else, ended the attempt. */
  isOver(): boolean;
  stop(): void;
}

/** `shareMs` undefined: all the time that is left. */
export function startAttempt(whole: Deadline, shareMs: number | undefined, signal?: AbortSignal): AttemptClock {
  const ends = joinedAbort([whole.signal, ...(signal ? [signal] : [])]);
  let isOver = false;
  const timer =
    shareMs === undefined
      ? undefined
      : setTimeout(() => {
          isOver = !ends.signal.aborted;
          ends.abort(new FootnoteError('upstream-unavailable', 'No answer in its share of the time.'));
        }, shareMs);
  const endsAt = performance.now() + Math.min(shareMs ?? Number.POSITIVE_INFINITY, whole.remainingMs());
  let hasBegun = false;
  const check = (): void => {
    if (signal?.aborted) throw new FootnoteError('cancelled', 'The call was cancelled.', { cause: signal.reason });
    whole.check();
  };
  return {
    deadline: {
      signal: ends.signal,
      remainingMs: () =>
        hasBegun ? whole.remainingMs() : Math.max(0, Math.min(whole.remainingMs(), endsAt - performance.now())),
      check,
    },
    begun() {
      hasBegun = true;
      clearTimeout(timer);
    },
    isOver: () => isOver && !whole.signal.aborted && !signal?.aborted,
    stop() {
      clearTimeout(timer);
      ends.release();
    },
  };
}
