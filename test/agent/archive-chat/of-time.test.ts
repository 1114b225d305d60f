// A question that names a time and nothing else: the conversations of that time, under the rights of whoever asks.
import { describe, expect, it } from 'vitest';
import { archiveIn, type Line, saidAt, toJsonl } from '../../../testkit/archive-fixture.ts';
import { openArchiveChat } from '../../../testkit/chat-fixture.ts';
import { recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();
const limits = { maxHydrations: 20, maxTokens: 50_000, turnMaxTokens: 2000 };
const lines: readonly Line[] = [
  saidAt('a1', '2024-03-02T10:00:00Z', 'Could solar panels pay off for us?\nThe roof faces south.'),
  saidAt('a2', '2024-09-05T10:00:00Z', 'We ordered twelve panels.'),
  saidAt('b1', '2024-09-10T10:00:00Z', 'The tomatoes on the balcony need a bigger pot.'),
  saidAt('b2', '2024-09-11T10:00:00Z', 'They have a bigger pot now.'),
  saidAt('c1', '2024-10-15T10:00:00Z', 'I moved to Lisbon today.'),
];

async function asked(question: string, scope = scopeOf()) {
  const archive = archiveIn(place);
  await archive.importText('x.jsonl', toJsonl(lines));
  const { start } = openArchiveChat(place, archive.of(scope), { limits, now: '2024-12-01T00:00:00.000Z' });
  return start({ messages: [{ role: 'user', content: question }] });
}

describe('a question for a time alone', () => {
  it.each([
    'What did we talk about in September?',
    'what did we discuss in September 2024',
    'What was said between 2024-09-01 and 2024-09-30?',
  ])('%s', async (question) => {
    const done = await asked(question);
    expect(done).toMatchObject({ abstained: false, weak: false, cited_turn_ids: ['a2', 'b1'] });
    expect(done.answer).toBe(
      `2 conversations of that time:\n\nOn 5 September 2024, “Home” (1 turn), which begins: “We ordered twelve panels.” [1]\nOn 10 September 2024, “Home” (2 turns), which begins: “The tomatoes on the balcony need a bigger pot.” [2]`,
    );
    expect(done.time_range).toMatchObject({ from: '2024-09-01T00:00:00.000Z' });
  });

  it('says that there was none, and shows nobody what others said', async () => {
    expect(await asked('What did we talk about in July 2023?')).toMatchObject({ abstained: true, citations: [] });
    const stranger = scopeOf('default', 'somebody', 'reader');
    expect(await asked('What did we talk about in September?', stranger)).toMatchObject({
      abstained: true,
      citations: [],
    });
  });

  it('is none where it asks for a thing, too', async () => {
    const done = await asked('What did we say about tomatoes in September?');
    expect(done.answer).toContain('tomatoes');
    expect(done.answer).not.toContain('of that time');
  });
});
