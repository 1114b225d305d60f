import { describe, expect, it } from 'vitest';
import { classifyIntent } from '../../../src/agent/intent/intent.ts';
import { startProcessorTime } from '../../../testkit/processor-time.ts';

describe('classifyIntent', () => {
  it.each([
    ['Hello!', 'conversational'],
    ['hi there', 'conversational'],
    ['Thanks a lot.', 'conversational'],
    ['What can you do?', 'conversational'],
    ['Who are you?', 'conversational'],
    ['How are you today?', 'conversational'],
    ['How are you doing today?', 'conversational'],
    ['What can you do if the server is down?', 'faq'],
    ['How are you billing customers?', 'factual_lookup'],
    ['When was the Eiffel Tower built?', 'factual_lookup'],
    ['How many points did the Panthers defense surrender?', 'factual_lookup'],
    ['Which city hosted the games?', 'factual_lookup'],
    ['How do I reset my password?', 'faq'],
    ['What is a citation?', 'faq'],
    ['Compare the two storage engines', 'research'],
    ['Why did the project fail?', 'research'],
    ['Explain the trade-offs of WAL mode', 'research'],
    ['boiling point of nitrogen', 'factual_lookup'],
    ['Hello, when does the office open?', 'factual_lookup'],
    ['Greet', 'factual_lookup'],
  ])('%s → %s', (question, intent) => {
    expect(classifyIntent(question).intent).toBe(intent);
  });

  it('takes a long question as research and says why', () => {
    const question = `${'several things about the budget and the plan '.repeat(5)}please`;
    expect(classifyIntent(question)).toMatchObject({ intent: 'research', reason: expect.stringContaining('words') });
  });

  it('is linear on long input', () => {
    const tookMs = startProcessorTime();
    classifyIntent('hi '.repeat(6000));
    classifyIntent('a'.repeat(20_000));
    classifyIntent(`${'thank you '.repeat(2000)}x`);
    expect(tookMs()).toBeLessThan(500);
  });
});
