// A thread in the place of a local model's own: answers with its number, or does what the text says: dies, hangs, fails.
import { parentPort, threadId, workerData } from 'node:worker_threads';
import type { LocalOrder, LocalReply, LocalSetup } from '../../src/models/local-protocol.ts';

const reply = (message: LocalReply): void => parentPort?.postMessage(message);
const { graph } = workerData as LocalSetup;

parentPort?.on('message', (order: LocalOrder) => {
  if (order.kind === 'close') parentPort?.close();
  if (order.kind !== 'embed') return;
  const [text = ''] = order.texts;
  if (text === 'die') process.exit(3);
  else if (text === 'throw') throw new Error('a fault of the runtime');
  else if (text === 'fail')
    reply({ kind: 'failed', job: order.job, code: 'config-invalid', message: 'no', details: { fault: 'dimensions' } });
  else if (text !== 'hang')
    reply({ kind: 'done', job: order.job, vectors: Float32Array.of(threadId), truncated: text.length });
});
if (graph === 'refuses')
  reply({ kind: 'failed', code: 'config-invalid', message: 'damaged', details: { fault: 'weights-damaged' } });
else if (graph !== 'never loads') reply({ kind: 'loaded' });
