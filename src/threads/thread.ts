// A worker thread and what it was asked. Invariants: every question that is not forgotten is settled exactly once, when its answer
// comes or when the thread ends, and a thread that nobody waits for never keeps the process alive. When to start one, to ask again and to give
// up is its owner's business.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import { abortError, untilAborted } from '../core/waiting/until-aborted.ts';
import type { ThreadReply } from './replies.ts';

/** In place of an answer: the thread ended before it came. */
export const threadEnded: unique symbol = Symbol('thread ended');

export interface ThreadOptions {
  readonly name: string;
  /** The thread's file (`threadFile`). */
  readonly entry: URL;
  /** Given to the thread when it starts; plain data. */
  readonly setup?: unknown;
  /** Whether it keeps the process alive while somebody waits for an answer. Default true. */
  readonly holds?: boolean;
  /** It runs a package that prints and takes memory as it likes: its output is kept from the program's, its heap has no limit of ours. */
  readonly isForeign?: boolean;
  /** At each reply, after its question was settled. */
  readonly onReply?: () => void;
  /** Before those who wait are told that it ended. `fault` is what it died of, where that is known. */
  readonly onEnd: (fault: string | undefined) => void;
}

export interface Asked<Result> {
  readonly number: number;
  /** Throws what the work threw. */
  readonly answer: Promise<Result | typeof threadEnded>;
}

export interface Thread<Order, Result> {
  /** False before it is up and if it ended before that; an error where it said why it cannot come up. */
  readonly up: Promise<boolean | FootnoteError>;
  readonly ended: Promise<void>;
  isUp(): boolean;
  /** Questions without an answer. */
  waiting(): number;
  /** Says something that has no answer. Orders arrive as they were given. */
  tell(order: Order): void;
  ask(toOrder: (task: number) => Order): Asked<Result>;
  /** Nobody waits for this answer any more. False where it had come. */
  forget(task: number): boolean;
  end(): Promise<void>;
}

interface Waiting<Result> {
  readonly resolve: (result: Result | typeof threadEnded) => void;
  readonly reject: (error: FootnoteError) => void;
}

/** A young generation of 64 MB and more per thread is for programs that allocate all the time. */
const ownLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 };

/** The file of a thread beside its owner's. A checkout runs TypeScript, the package JavaScript: it ends as the owner's does. */
export const threadFile = (path: string, owner: string): URL =>
  new URL(`${path}${owner.endsWith('.ts') ? '.ts' : '.js'}`, owner);

/** Starts it. Throws where the platform has no thread left. */
export function startThread<Order, Result>(options: ThreadOptions): Thread<Order, Result> {
  const { name, entry, setup, holds = true, isForeign = false, onReply, onEnd } = options;
  const worker = new Worker(fileURLToPath(entry), {
    name,
    workerData: setup,
    env: {},
    execArgv: [],
    stdin: false,
    // What packages print is little, and nobody reads it: a stream that is being read would keep the process alive (Node 24).
    ...(isForeign ? { stdout: true, stderr: true } : { resourceLimits: ownLimits }),
  });
  const questions = new Map<number, Waiting<Result>>();
  const up = Promise.withResolvers<boolean | FootnoteError>();
  const ended = Promise.withResolvers<void>();
  let isUp = false;
  let isEnding = false;
  let hasEnded = false;
  let fault: string | undefined;
  let lastNumber = 0;

  /** Whoever ends it waits for that: a process that let go of it meanwhile would end first (exit code 13). */
  const rest = (): void => {
    if (questions.size === 0 && !isEnding) worker.unref();
  };

  function take(task: number): Waiting<Result> | undefined {
    const waiting = questions.get(task);
    questions.delete(task);
    rest();
    return waiting;
  }

  worker.on('message', (reply: ThreadReply<Result>) => {
    if (reply.kind === 'ready') {
      isUp = true;
      up.resolve(true);
      // The port of a thread that starts holds the process until now, whatever was said before.
      rest();
    } else if (reply.kind === 'done') take(reply.task)?.resolve(reply.result);
    else if (reply.kind === 'failed') {
      const { task, code, message, details } = reply;
      const error = new FootnoteError(code, message, { details });
      if (task === undefined) up.resolve(error);
      else take(task)?.reject(error);
    }
    onReply?.();
  });
  // The exit event follows, and settles what was asked.
  worker.on('error', (thrown) => {
    fault = toFootnoteError(thrown).message;
  });
  worker.on('exit', () => {
    hasEnded = true;
    onEnd(fault);
    up.resolve(false);
    for (const { resolve } of questions.values()) resolve(threadEnded);
    questions.clear();
    ended.resolve();
  });
  worker.unref();

  return {
    up: up.promise,
    ended: ended.promise,
    isUp: () => isUp,
    waiting: () => questions.size,
    tell: (order) => worker.postMessage(order),
    ask(toOrder) {
      const number = ++lastNumber;
      if (hasEnded) return { number, answer: Promise.resolve(threadEnded) };
      const { promise, resolve, reject } = Promise.withResolvers<Result | typeof threadEnded>();
      questions.set(number, { resolve, reject });
      if (holds) worker.ref();
      worker.postMessage(toOrder(number));
      return { number, answer: promise };
    },
    forget: (task) => take(task) !== undefined,
    async end() {
      isEnding = true;
      await worker.terminate();
    },
  };
}

/**
 * Asks with a flag that is set as soon as the signal aborts, when the answer is not waited for any longer. Throws `cancelled` or the
 * signal's reason then.
 */
export async function askFlagged<T>(
  ask: (cancel: Int32Array | undefined) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return ask(undefined);
  if (signal.aborted) throw abortError(signal);
  const cancel = new Int32Array(new SharedArrayBuffer(4));
  const stop = (): void => void Atomics.store(cancel, 0, 1);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await untilAborted(ask(cancel), signal);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
