// What a worker thread or a child process says to whoever started it, the same for all: that it is up, and what came of each question. Plain
// data only: everything here crosses between threads or processes.
import { parentPort } from 'node:worker_threads';
import { type ErrorCode, toFootnoteError } from '../core/errors.ts';

export type ThreadReply<Result> =
  | { readonly kind: 'ready' }
  /** A sign of life. */
  | { readonly kind: 'step' }
  /** What there is of an answer so far; more follows. */
  | { readonly kind: 'part'; readonly task: number; readonly part: unknown }
  | { readonly kind: 'done'; readonly task: number; readonly result: Result }
  | {
      readonly kind: 'failed';
      /** Absent: the thread cannot come up. */
      readonly task?: number;
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
    };

/** On a thread or in a child: tells the other side. Memory of `transfer` goes to the owner of a thread instead of being copied. */
export function reply<Result>(message: ThreadReply<Result>, transfer: readonly ArrayBuffer[] = []): void {
  if (parentPort !== null) parentPort.postMessage(message, transfer);
  else process.send?.(message);
}

/** On a thread: why the task, or without one the thread itself, comes to nothing. */
export function replyFailure(thrown: unknown, task?: number): void {
  const { code, message, details } = toFootnoteError(thrown);
  reply({ kind: 'failed', code, message, details, ...(task !== undefined && { task }) });
}

/** Whether nobody waits any more for what is asked with this flag. */
export const isCancelled = (cancel: Int32Array | undefined): boolean =>
  cancel !== undefined && Atomics.load(cancel, 0) !== 0;
