// A deadline that passes when a test says so, however busy the machine is.
import type { Deadline } from '../../src/core/deadline.ts';
import { FootnoteError } from '../../src/core/errors.ts';

/** Tells of `leftMs` until `end` is called, and of nothing left from then on. */
export function endingDeadline(leftMs: number): { readonly deadline: Deadline; end(): void } {
  const ending = new AbortController();
  const over = new FootnoteError('deadline-exceeded', 'The time allowed for this request ran out.');
  const deadline: Deadline = {
    signal: ending.signal,
    remainingMs: () => (ending.signal.aborted ? 0 : leftMs),
    isOver: () => ending.signal.aborted,
    check() {
      if (ending.signal.aborted) throw over;
    },
  };
  return { deadline, end: () => ending.abort(over) };
}
