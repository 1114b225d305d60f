// Readings on a thread of their own, so that the event loop answers others meanwhile: a reading takes one to several milliseconds.
// Invariants: what the thread cannot or does not do is done here, with the same outcome; it never keeps the process alive; a
// promise is settled exactly once.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { untilAborted } from '../core/until-aborted.ts';
import { parseReading, type Reading, type ReadingTask, readTask, writeTask } from './reading-task.ts';

export interface ReadingOrder {
  /** From 1. */
  readonly number: number;
  readonly written: string;
}

/** Number 0: the thread is up. */
export type ReadingReply =
  | { readonly number: number; readonly written: string }
  | { readonly number: number; readonly failure: string };

export interface PassageReader {
  /** Throws the signal's reason when it aborts first. */
  read(task: ReadingTask, signal: AbortSignal): Promise<Reading>;
  /** Starts what a reading would wait for; false where all are done here. */
  warm(): Promise<boolean>;
  close(): Promise<void>;
}

/** Where there is no thread: the same at once. */
export const readInPlace: PassageReader = {
  read: (task) => readTask(task),
  warm: async () => false,
  close: async () => undefined,
};

export interface ReadingThreadOptions {
  /** The thread's file; tests give another one. */
  readonly entry?: URL;
  /** With so many readings waiting the next is done here: two at work are faster than one. Default 3. */
  readonly mostWaiting?: number;
}

// A checkout runs TypeScript, the package JavaScript: the thread's file ends as this one does.
const defaultEntry = new URL(`./reading-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
/** One that dies again and again does more harm than good. */
const mostDeaths = 3;

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, { readonly task: ReadingTask; readonly resolve: (reading: Promise<Reading>) => void }>;
  readonly up: PromiseWithResolvers<boolean>;
  isUp: boolean;
}

/** Starts no thread before the first reading, which is done here, as all are until the thread is up. */
export function createReadingThread(options: ReadingThreadOptions = {}): PassageReader {
  const { entry = defaultEntry, mostWaiting = 3 } = options;
  let thread: Thread | undefined;
  let deaths = 0;
  let next = 1;
  let isClosed = false;

  function start(): Thread {
    const worker = new Worker(fileURLToPath(entry), {
      name: 'footnote-reading',
      env: {},
      execArgv: [],
      stdin: false,
      resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 },
    });
    const started: Thread = { worker, waiting: new Map(), up: Promise.withResolvers(), isUp: false };
    worker.on('message', (reply: ReadingReply) => receive(started, reply));
    // The exit event follows, and settles what was waiting.
    worker.on('error', () => undefined);
    worker.on('exit', () => bury(started));
    worker.unref();
    return started;
  }

  function receive(from: Thread, reply: ReadingReply): void {
    if (reply.number === 0) {
      from.isUp = true;
      from.up.resolve(true);
      return;
    }
    const asked = from.waiting.get(reply.number);
    from.waiting.delete(reply.number);
    if (from.waiting.size === 0) from.worker.unref();
    if (!asked) return;
    deaths = 0;
    asked.resolve('failure' in reply ? readTask(asked.task) : Promise.resolve(parseReading(reply.written, asked.task)));
  }

  function bury(dead: Thread): void {
    if (thread === dead) thread = undefined;
    deaths += 1;
    dead.up.resolve(false);
    for (const { task, resolve } of dead.waiting.values()) resolve(readTask(task));
    dead.waiting.clear();
  }

  function give(to: Thread, task: ReadingTask): Promise<Reading> {
    const { promise, resolve } = Promise.withResolvers<Reading>();
    const number = next++;
    to.waiting.set(number, { task, resolve });
    to.worker.ref();
    to.worker.postMessage({ number, written: writeTask(task) } satisfies ReadingOrder);
    return promise;
  }

  const ensure = (): Thread | undefined => {
    if (!isClosed && deaths < mostDeaths) thread ??= start();
    return thread;
  };

  return {
    async read(task, signal) {
      ensure();
      if (!thread?.isUp || thread.waiting.size >= mostWaiting) return readTask(task);
      return untilAborted(give(thread, task), signal);
    },
    warm: async () => (await ensure()?.up.promise) ?? false,
    async close() {
      isClosed = true;
      await thread?.worker.terminate();
    },
  };
}
