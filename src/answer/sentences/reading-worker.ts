// The thread that reads passages for models (reading-thread.ts): one task at a time, in order, as text in and text out.
import { parentPort } from 'node:worker_threads';
import { reply, replyFailure } from '../../threads/replies.ts';
import { parseTask, readTask, writeReading } from './reading-task.ts';
import type { ReadingOrder } from './reading-thread.ts';

async function work({ task: number, written }: ReadingOrder): Promise<void> {
  try {
    const task = parseTask(written);
    reply({ kind: 'done', task: number, result: writeReading(await readTask(task), task) });
  } catch (thrown) {
    replyFailure(thrown, number);
  }
}

let working: Promise<void> = Promise.resolve();
parentPort?.on('message', (order: ReadingOrder) => {
  working = working.then(() => work(order));
});
reply({ kind: 'ready' });
