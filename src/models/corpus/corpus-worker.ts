// The thread that learns corpus-trained models and embeds with them, beside the searches. It holds nothing but what its last
// order was about; an order whose flag is set ends at its next step.
import { parentPort } from 'node:worker_threads';
import { FootnoteError } from '../../core/errors.ts';
import { isCancelled, reply, replyFailure } from '../../threads/replies.ts';
import type { CorpusOrder } from './trainer.ts';
import { type CorpusResult, createCorpusWork } from './work.ts';

const work = createCorpusWork();

/** Memory that goes to the other side instead of being copied. */
function buffersOf(result: CorpusResult): ArrayBuffer[] {
  const views = Array.isArray(result) ? result : 'model' in result ? [result.model?.bytes] : [];
  return views.flatMap((view) => (view?.buffer instanceof ArrayBuffer ? [view.buffer] : []));
}

parentPort?.on('message', ({ task, work: order, cancel }: CorpusOrder) => {
  try {
    const steps = work(order);
    for (let step = steps.next(); !isCancelled(cancel); step = steps.next())
      if (step.done) return reply({ kind: 'done', task, result: step.value }, buffersOf(step.value));
    throw new FootnoteError('cancelled', 'The request was cancelled.');
  } catch (thrown) {
    replyFailure(thrown, task);
  }
});
reply({ kind: 'ready' });
