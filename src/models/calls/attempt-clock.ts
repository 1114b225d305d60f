// The time of one attempt: a share of what the request has left, so that a model that hangs, or falls silent in the middle, leaves time for
// the next in the list and for what is done without it.
// Invariant: the request's deadline is never extended, and the caller's end is told apart from the share's.

import type { Deadline } from '../../core/deadline.ts';
import { FootnoteError } from '../../core/errors.ts';
import { joinedAbort } from '../../core/signals/joined-abort.ts';

export interface AttemptClock {
  /** The request's deadline, ended earlier by the share or by the caller. */
  readonly deadline: Deadline;
  /** The model is at work: from here on only the request's own deadline counts, and how long it says nothing more. */
  begun(): void;
  hasBegun(): boolean;
  /** True once the share or silence, and nothing else, ended the attempt. */
  isOver(): boolean;
  stop(): void;
}

export interface AttemptLimits {
  /** Until it begins; undefined: all the time that is left. */
  readonly shareMs?: number | undefined;
  /** Between two signs of life once it has begun; undefined: any time. */
  readonly idleMs?: number | undefined;
  /** The clock of the attempts. */
  readonly elapsedMs: () => number;
}

export function startAttempt(
  whole: Deadline,
  { shareMs, idleMs, elapsedMs }: AttemptLimits,
  signal?: AbortSignal,
): AttemptClock {
  const ends = joinedAbort([whole.signal, ...(signal ? [signal] : [])]);
  let isOver = false;
  const end = (): void => {
    isOver = !ends.signal.aborted;
    ends.abort(new FootnoteError('upstream-unavailable', 'No answer in its share of the time.'));
  };
  let timer = shareMs === undefined ? undefined : setTimeout(end, shareMs);
  const endsAt = elapsedMs() + Math.min(shareMs ?? Number.POSITIVE_INFINITY, whole.remainingMs());
  let hasBegun = false;
  const check = (): void => {
    if (signal?.aborted) throw new FootnoteError('cancelled', 'The call was cancelled.', { cause: signal.reason });
    whole.check();
  };
  return {
    deadline: {
      signal: ends.signal,
      remainingMs: () =>
        hasBegun ? whole.remainingMs() : Math.max(0, Math.min(whole.remainingMs(), endsAt - elapsedMs())),
      isOver: () => ends.signal.aborted || whole.isOver(),
      check,
    },
    begun() {
      if (hasBegun) {
        timer?.refresh();
        return;
      }
      hasBegun = true;
      clearTimeout(timer);
      timer = idleMs === undefined ? undefined : setTimeout(end, idleMs);
    },
    hasBegun: () => hasBegun,
    isOver: () => isOver && !whole.signal.aborted && !signal?.aborted,
    stop() {
      clearTimeout(timer);
      ends.release();
    },
  };
}
