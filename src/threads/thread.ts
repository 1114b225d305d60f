// A worker thread and what it was asked (questions.ts). Invariant: a thread that nobody waits for never keeps the process alive. When to start
// one, to ask again and to give up is its owner's business.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { toFootnoteError } from '../core/errors.ts';
import { abortError, untilAborted } from '../core/waiting/until-aborted.ts';
import { createQuestions, type Thread } from './questions.ts';

export interface ThreadOptions {
  readonly name: string;
  /** The thread's file (`entryFile`). */
  readonly entry: URL;
  /** Given to the thread when it starts; plain data. */
  readonly setup?: unknown;
  /** Whether it keeps the process alive while somebody waits for an answer. Default true. */
  readonly holds?: boolean;
  /** At each reply, after its question was settled. */
  readonly onReply?: () => void;
  /** Before those who wait are told that it ended. `fault` is what it died of, where that is known. */
  readonly onEnd: (fault: string | undefined) => void;
}

/** A young generation of 64 MB and more per thread is for programs that allocate all the time. */
const ownLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 };

/** Starts it. Throws where the platform has no thread left. */
export function startThread<Order, Result>(options: ThreadOptions): Thread<Order, Result> {
  const { name, entry, setup, holds = true, onReply, onEnd } = options;
  const worker = new Worker(fileURLToPath(entry), {
    name,
    workerData: setup,
    env: {},
    execArgv: [],
    stdin: false,
    resourceLimits: ownLimits,
  });
  let isEnding = false;
  let fault: string | undefined;
  /** Whoever ends it waits for that: a process that let go of it meanwhile would end first (exit code 13). */
  const rest = (): void => {
    if (!isEnding) worker.unref();
  };
  const questions = createQuestions<Order, Result>({
    post: (order) => worker.postMessage(order),
    hold: () => {
      if (holds) worker.ref();
    },
    rest,
    onReply,
  });
  worker.on('message', questions.take);
  // The exit event follows, and settles what was asked.
  worker.on('error', (thrown) => {
    fault = toFootnoteError(thrown).message;
  });
  worker.on('exit', () => {
    onEnd(fault);
    questions.end();
  });
  worker.unref();

  return {
    ...questions.asked,
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
