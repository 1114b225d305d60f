// The thread that reads passages for models (reading-thread.ts): one task at a time, in order, as text in and text out.
import { parentPort } from 'node:worker_threads';
import { toFootnoteError } from '../core/errors.ts';
import { parseTask, readTask, writeReading } from './reading-task.ts';
import type { ReadingOrder, ReadingReply } from './reading-thread.ts';

const reply = (message: ReadingReply): void => parentPort?.postMessage(message);

async function work({ number, written }: ReadingOrder): Promise<ReadingReply> {
  try {
    const task = parseTask(written);
    return { number, written: writeReading(await readTask(task), task) };
  } catch (thrown) {
    return { number, failure: toFootnoteError(thrown).message };
  }
}

let working: Promise<void> = Promise.resolve();
parentPort?.on('message', (order: ReadingOrder) => {
  working = working.then(async () => reply(await work(order)));
});
reply({ number: 0, written: '' });
