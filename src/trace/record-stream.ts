// A stream of a port, recorded while it is read: every part passes on at once, and one report says at the end what came. Invariant:
// one report for each stream that somebody began to read, whether it ended, failed, or was left in the middle.
import { toFootnoteError } from '../core/errors.ts';
import type { RecordedError } from '../core/events.ts';
import type { Clock } from '../core/ids.ts';

/** What a trace keeps of a failure. */
export function toRecordedError(thrown: unknown): RecordedError {
  const { code, message, details } = toFootnoteError(thrown);
  if (Object.keys(details).length === 0) return { code, message };
  return { code, message, details: JSON.parse(JSON.stringify(details)) as Record<string, unknown> };
}

export interface StreamRecord<Part> {
  /** What the reader was given, in order. */
  readonly parts: readonly Part[];
  /** When each came, milliseconds since the first read. */
  readonly atMs: readonly number[];
  /** The reader went away before the end. */
  readonly wasLeft: boolean;
  /** Why it broke off, behind the parts. */
  readonly error?: RecordedError;
  /** From the first read to the end, the reader's own time included. */
  readonly latencyMs: number;
  /** By the clock of the recording. */
  readonly endedMs: number;
}

/**
 * The same parts and the same failure; `report` sees them when it is over. `signal` is what ends the stream early: the report is made in
 * the moment it aborts, because the stream itself may notice only when the trace is closed. What comes after it is given to nobody: what
 * was reported is what happened.
 */
export async function* recordStream<Part>(
  source: AsyncIterable<Part>,
  report: (record: StreamRecord<Part>) => void,
  { clock, signal }: { readonly clock: Pick<Clock, 'elapsedMs'>; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<Part, void, void> {
  const parts: Part[] = [];
  const atMs: number[] = [];
  const startedAt = clock.elapsedMs();
  let isReported = false;
  const finish = (ending: { readonly wasLeft: boolean; readonly thrown?: unknown }): void => {
    if (isReported) return;
    isReported = true;
    signal?.removeEventListener('abort', onAbort);
    const { wasLeft, thrown } = ending;
    const error = thrown === undefined ? undefined : toRecordedError(thrown);
    const endedMs = clock.elapsedMs();
    report({
      parts: [...parts],
      atMs: [...atMs],
      wasLeft,
      latencyMs: endedMs - startedAt,
      endedMs,
      ...(error && { error }),
    });
  };
  const onAbort = (): void => {
    const { code } = toFootnoteError(signal?.reason);
    finish(code === 'deadline-exceeded' ? { wasLeft: false, thrown: signal?.reason } : { wasLeft: true });
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const part of source) {
      if (isReported) throw toFootnoteError(signal?.reason);
      parts.push(part);
      atMs.push(clock.elapsedMs() - startedAt);
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
