import { expect, it } from 'vitest';
import { assembleContext } from '../../../src/answer/context/context.ts';
import { composeAnswer } from '../../../src/answer/sentences/compose.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';

const code = `/** Letters that may wait. */
export const queueCapacity = 10_000;

export class LetterQueue {
  enqueue(letter: Letter): void {
    if (this.waiting.length >= queueCapacity) throw new QueueFullError('The queue is full.');
    this.waiting.push(letter);
  }
}
`;
const context = assembleContext([{ ...evidenceOf({ id: 'a', text: code, title: 'queue' }), sourceType: 'code' }]);

it('shows the line that declares what plain words name before the lines that use it', () => {
  const question = 'Where is the capacity of the queue defined?';
  expect(composeAnswer({ question, context }).claims[0]?.text).toBe('export const queueCapacity = 10_000;');
});
