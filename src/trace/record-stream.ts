// A stream of a port, recorded while it is read: every part passes on at once, and one report says at the end what came. Invariant:
// one report for each stream that somebody began to read, whether it ended, failed, or was left in the middle.
import { toFootnoteError } from '../core/errors.ts';
import type { Clock } from '../core/ids.ts';

export interface StreamRecord<Part> {
  /** What the reader was given, in order. */
  readonly parts: readonly Part[];
  /** The reader went away before the end. */
  readonly wasLeft: boolean;
  /** Why it broke off, behind the parts. */
  readonly error?: { readonly code: string; readonly message: string };
  /** From the first read to the end, the reader's own time included. */
  readonly latencyMs: number;
}

/**
 * The same parts and the same failure; `report` sees them when it is over. `signal` is what ends the stream early: the report is made in
 * the moment it aborts, because the stream itself may notice only when the trace is closed.
 */
export async function* recordStream<Part>(
  source: AsyncIterable<Part>,
  report: (record: StreamRecord<Part>) => void,
  { clock, signal }: { readonly clock: Pick<Clock, 'elapsedMs'>; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<Part, void, void> {
  const parts: Part[] = [];
  const startedAt = clock.elapsedMs();
  let isReported = false;
  const finish = (ending: { readonly wasLeft: boolean; readonly thrown?: unknown }): void => {
    if (isReported) return;
    isReported = true;
    signal?.removeEventListener('abort', onAbort);
    const { wasLeft, thrown } = ending;
    const { code, message } = toFootnoteError(thrown);
    const error = thrown === undefined ? undefined : { code, message };
    report({ parts: [...parts], wasLeft, latencyMs: clock.elapsedMs() - startedAt, ...(error && { error }) });
  };
  const onAbort = (): void => {
    const { code } = toFootnoteError(signal?.reason);
    finish(code === 'deadline-exceeded' ? { wasLeft: false, thrown: signal?.reason } : { wasLeft: true });
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const part of source) {
      parts.push(part);
      yield part;
    }
    finish({ wasLeft: false });
  } catch (thrown) {
    finish({ wasLeft: false, thrown });
    throw thrown;
  } finally {
    finish({ wasLeft: true });
  }
}
