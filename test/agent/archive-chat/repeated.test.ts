// A question that somebody asked once is not quoted as the answer to the same question: what came back is.
import { describe, expect, it } from 'vitest';
import { archiveIn, type Line, saidAt, toJsonl } from '../../../testkit/archive-fixture.ts';
import { openArchiveChat } from '../../../testkit/chat-fixture.ts';
import { recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();
const limits = { maxHydrations: 20, maxTokens: 50_000, turnMaxTokens: 2000 };

async function answered(lines: readonly Line[], question: string) {
  const archive = archiveIn(place);
  await archive.importText('x.jsonl', toJsonl(lines));
  const { start } = openArchiveChat(place, archive.of(scopeOf()), { limits, now: undefined });
  return start({ messages: [{ role: 'user', content: question }] });
}

const bike = [
  saidAt('a1', '2024-03-01T10:00:00Z', 'How often is a chain oiled?'),
  saidAt('a1', '2024-03-01T10:00:05Z', 'Every two hundred kilometres.', 'assistant'),
  saidAt('a2', '2024-03-01T10:01:00Z', 'And which grease goes on the bearings of the pedals?'),
  saidAt('a2', '2024-03-01T10:01:05Z', 'The lithium one in the green tube.', 'assistant'),
];
describe('a question that was asked before', () => {
  it.each([
    [bike, 'Which grease goes on the bearings of the pedals?', 'lithium one in the green tube'],
    [bike, 'How often is a chain oiled?', 'Every two hundred kilometres'],
  ] as const)('is answered by what came back then (%#)', async (lines, question, reply) => {
    const { citations } = await answered(lines, question);
    expect(citations[0]?.quote).toContain(reply);
    expect(citations.filter(({ quote }) => quote.endsWith('?'))).toEqual([]);
  });

  it('is no answer where nobody ever answered it', async () => {
    const { citations, abstained } = await answered(
      [saidAt('a1', '2024-03-01T10:00:00Z', 'Which grease goes on the bearings?')],
      'Which grease goes on the bearings?',
    );
    expect(citations).toEqual([]);
    expect(abstained).toBe(true);
  });

  it('is quoted where it is asked for', async () => {
    const { citations } = await answered(bike, 'When did I first ask about the bearings of the pedals?');
    expect(citations.map(({ quote }) => quote)).toContain('And which grease goes on the bearings of the pedals?');
  });
});
