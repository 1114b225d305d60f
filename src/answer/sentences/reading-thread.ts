// Readings on a thread of their own, so that the event loop answers others meanwhile: a reading takes one to several milliseconds.
// Invariants: what the thread cannot or does not do is done here, with the same outcome; it never keeps the process alive; a
// promise is settled exactly once.
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import { type Thread, threadEnded } from '../../threads/questions.ts';
import { startThread, threadFile } from '../../threads/thread.ts';
import { parseReading, type Reading, type ReadingTask, readTask, writeTask } from './reading-task.ts';

export interface ReadingOrder {
  readonly task: number;
  readonly written: string;
}

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

const defaultEntry = threadFile('./reading-worker', import.meta.url);
/** One that dies again and again does more harm than good. */
const mostDeaths = 3;

type OwnThread = Thread<ReadingOrder, string>;

/** Starts no thread before the first reading, which is done here, as all are until the thread is up. */
export function createReadingThread(options: ReadingThreadOptions = {}): PassageReader {
  const { entry = defaultEntry, mostWaiting = 3 } = options;
  let thread: OwnThread | undefined;
  let deaths = 0;
  let isClosed = false;

  function start(): OwnThread {
    const started: OwnThread = startThread({
      name: 'footnote-reading',
      entry,
      onEnd() {
        if (thread === started) thread = undefined;
        deaths += 1;
      },
    });
    return started;
  }

  async function readOn(on: OwnThread, task: ReadingTask): Promise<Reading> {
    const { answer } = on.ask((number) => ({ task: number, written: writeTask(task) }));
    const outcome = await answer.catch(() => undefined);
    if (outcome === threadEnded) return readTask(task);
    deaths = 0;
    return outcome === undefined ? readTask(task) : parseReading(outcome, task);
  }

  const ensure = (): OwnThread | undefined => {
    if (!isClosed && deaths < mostDeaths) thread ??= start();
    return thread;
  };

  return {
    async read(task, signal) {
      ensure();
      if (!thread?.isUp() || thread.waiting() >= mostWaiting) return readTask(task);
      return untilAborted(readOn(thread, task), signal);
    },
    warm: async () => (await ensure()?.up) === true,
    async close() {
      isClosed = true;
      await thread?.end();
    },
  };
}
