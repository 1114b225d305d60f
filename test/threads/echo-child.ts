// A thread that says back what it is told, or does what the text says: dies, hangs, fails, waits for its flag.
import { parentPort, workerData } from 'node:worker_threads';
import { FootnoteError } from '../../src/core/errors.ts';
import { isCancelled, reply, replyFailure } from '../../src/threads/replies.ts';

export interface EchoOrder {
  readonly task?: number;
  readonly text: string;
  readonly cancel?: Int32Array | undefined;
}

const told: string[] = [];
parentPort?.on('message', ({ task, text, cancel }: EchoOrder) => {
  if (text === 'die') process.exit(3);
  else if (text === 'throw') throw new Error('a fault of the runtime');
  else if (task === undefined) told.push(text);
  else if (text === 'fail') replyFailure(new FootnoteError('data-corrupt', 'no', { details: { part: 7 } }), task);
  else if (text === 'until cancelled') {
    for (let waits = 0; cancel && waits < 1000 && !isCancelled(cancel); waits++) Atomics.wait(cancel, 0, 0, 5);
    reply({ kind: 'done', task, result: String(isCancelled(cancel)) });
  } else if (text !== 'hang') reply({ kind: 'done', task, result: [...told, text].join(' ') });
});
if (workerData === 'refuses') replyFailure(new FootnoteError('config-invalid', 'cannot be loaded'));
else if (workerData !== 'never comes up') reply({ kind: 'ready' });
