import { expect, it } from 'vitest';
import { assembleContext } from '../../../src/answer/context/context.ts';
import { narrowToPassages } from '../../../src/answer/extract/passages.ts';
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

it('reads a long file by the passage that declares it', () => {
  const uses = (from: number): string =>
    Array.from(
      { length: 40 },
      (_, at) =>
        `  if (queue${from + at}.size > capacity) throw new QueueError('The queue ${from + at} is over its capacity.');`,
    ).join('\n');
  const others = Array.from({ length: 40 }, (_, at) => `  console.log('Letter ${at} of many was read.');`).join('\n');
  const long = `class Uses {\n${uses(0)}\n${others}\n}\n\n/** Letters that may wait. */\nexport const queueCapacity = 10_000;\n`;
  const passages = narrowToPassages(
    'Where is the capacity of the queue defined?',
    [{ ...evidenceOf({ id: 'a', text: long, title: 'queue' }), sourceType: 'code' }],
    { passageTokens: 100, passagesPerChunk: 1, countTokens: (text) => text.length / 4 },
  );
  expect(passages.map(({ text }) => text).join('\n')).toContain('export const queueCapacity');
});
