// A child process in the place of a local model's own: answers with its number, or does what the text says: dies, hangs, fails.
import type { EmbeddedTexts, LocalOrder, LocalSetup } from '../../../src/models/local/protocol.ts';
import { childSetup } from '../../../src/threads/child.ts';
import type { ThreadReply } from '../../../src/threads/replies.ts';

const reply = (message: ThreadReply<EmbeddedTexts>): void => void process.send?.(message);
const { graph } = childSetup<LocalSetup>();

process.on('message', (order: LocalOrder) => {
  if (order.kind === 'close') process.disconnect();
  if (order.kind !== 'embed') return;
  const [text = ''] = order.texts;
  if (text === 'die') process.exit(3);
  else if (text === 'throw') throw new Error('a fault of the runtime');
  else if (text === 'fail')
    reply({
      kind: 'failed',
      task: order.task,
      code: 'config-invalid',
      message: 'no',
      details: { fault: 'dimensions' },
    });
  else if (text !== 'hang')
    reply({
      kind: 'done',
      task: order.task,
      result: { vectors: Float32Array.of(process.pid), truncated: text.length },
    });
});
if (graph === 'refuses')
  reply({ kind: 'failed', code: 'config-invalid', message: 'damaged', details: { fault: 'weights-damaged' } });
else if (graph !== 'never loads') reply({ kind: 'ready' });
