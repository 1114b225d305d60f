// Waits for work no longer than somebody wants it, whether or not the work heeds the signal. Invariant: whichever of the two comes second is
// heard by nobody and harms nobody.
import { toFootnoteError } from './errors.ts';

/** The work's outcome; throws the signal's reason as a FootnoteError as soon as it aborts. The work goes on. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(toFootnoteError(signal.reason));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
