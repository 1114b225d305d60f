// Waits for work no longer than somebody wants it, whether or not the work heeds the signal. Invariant: whichever of the two comes second is
// heard by nobody and harms nobody.
import { FootnoteError, toFootnoteError } from '../errors.ts';

/** One for each reason: a request waits for dozens of things at once, and a stack for each of them took longer than all else at its end. */
const errors = new WeakMap<object, FootnoteError>();

/** What a request that was given up throws: its deadline, or that it was cancelled. */
export function abortError(signal: AbortSignal | undefined): FootnoteError {
  const reason: unknown = signal?.reason;
  const known = typeof reason === 'object' && reason !== null ? errors.get(reason) : undefined;
  if (known) return known;
  const given = toFootnoteError(reason);
  const error =
    given.code === 'internal' ? new FootnoteError('cancelled', 'The request was cancelled.', { cause: given }) : given;
  if (typeof reason === 'object' && reason !== null) errors.set(reason, error);
  return error;
}

/** The work's outcome; throws `abortError` as soon as the signal aborts. The work goes on. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(abortError(signal));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
