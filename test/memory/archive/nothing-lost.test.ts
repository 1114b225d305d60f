// What an export says stands in the archive, however its lines lie and whatever its ids are; what is left out is told with its reason.
import { describe, expect, it } from 'vitest';
import { archiveIn, chatGptExport, chatGptNode, type Line, toJsonl } from '../../../testkit/archive-fixture.ts';
import { createRandom } from '../../../testkit/history.ts';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();
type Placed = ReturnType<typeof archiveIn>;

const said = async (archive: Placed, id: string): Promise<readonly (readonly string[])[]> =>
  (await archive.of().turns(id, { limit: 1000 }, 1_000_000)).data.map(({ messages }) =>
    messages.map(({ text }) => text),
  );

/** Lines of a few turns, several of each role, in any order. */
function shuffledLines(seed: number): readonly Line[] {
  const random = createRandom(seed);
  const lines: Line[] = [];
  for (const conversation_id of ['a', 'b', 'c'])
    for (let turn = 0; turn < 4; turn += 1)
      for (const role of ['user', 'assistant', 'tool'])
        for (let copy = random.below(4); copy > 0; copy -= 1)
          lines.push({
            conversation_id,
            turn_id: `${conversation_id}${turn}`,
            role,
            text: `${role} ${turn} ${random.below(1e9)}`,
          });
  return lines
    .map((line) => [random.next(), line] as const)
    .sort(([one], [other]) => one - other)
    .map(([, line]) => line);
}

describe('turns whose lines lie apart', () => {
  it.each([1, 2, 3])('are whole, and the same when they come again (%i)', async (seed) => {
    const archive = archiveIn(place);
    const lines = shuffledLines(seed);
    await archive.importText('x.jsonl', toJsonl(lines));
    const expected = (all: readonly Line[], turn: string, role: string) =>
      all.filter((line) => line.turn_id === turn && line.role === role).map(({ text }) => text);
    const assertWhole = async (all: readonly Line[]): Promise<void> => {
      for (const turn of new Set(all.map((line) => line.turn_id as string))) {
        const { messages } = await archive.of().turn(turn, { maxTokens: 1e6, content: 'full' });
        for (const role of ['user', 'assistant', 'tool'])
          expect(messages.filter((one) => one.role === role).map(({ text }) => text)).toEqual(
            expected(all, turn, role),
          );
      }
    };
    await assertWhole(lines);
    const again = await archive.importText('x.jsonl', toJsonl(lines));
    expect(again.turns).toMatchObject({ created: 0, updated: 0, removed: 0 });
    // One was changed since, and one of a turn with several of its role is gone.
    const gone = lines.findIndex((line) => expected(lines, line.turn_id as string, line.role).length > 1);
    const later = lines
      .map((line, at) => (at === (gone + 1) % lines.length ? { ...line, text: 'Said otherwise' } : line))
      .filter((_, at) => at !== gone);
    await archive.importText('x.jsonl', toJsonl(later));
    await assertWhole(later);
  });

  it('are whole without ids, too', async () => {
    const archive = archiveIn(place);
    const line = (conversation_id: string, role: string, text: string): Line => ({ conversation_id, role, text });
    const lines = [
      line('a', 'user', 'Which roof?'),
      line('a', 'assistant', 'South,'),
      line('b', 'user', 'Which wall?'),
      line('a', 'assistant', 'or west.'),
      line('b', 'assistant', 'North.'),
    ];
    for (let times = 0; times < 2; times += 1) await archive.importText('x.jsonl', toJsonl(lines));
    expect(await said(archive, 'a')).toEqual([['Which roof?', 'South,', 'or west.']]);
    expect(await said(archive, 'b')).toEqual([['Which wall?', 'North.']]);
  });
});

describe('ids', () => {
  it('may be of any length, and tell what differs at their ends alone', async () => {
    const archive = archiveIn(place);
    const long = 'x'.repeat(400);
    const lines = [1, 2].flatMap((talk) =>
      [1, 2].map(
        (turn): Line => ({
          conversation_id: `${long}${talk}`,
          turn_id: `${long}${turn}`,
          role: 'user',
          text: `${talk}.${turn}`,
        }),
      ),
    );
    for (const [created, unchanged] of [
      [4, 0],
      [0, 4],
    ])
      expect((await archive.importText('x.jsonl', toJsonl(lines))).turns).toMatchObject({ created, unchanged });
    const { data } = await archive.of().list({});
    expect(data).toHaveLength(2);
    const texts = await Promise.all(data.map(({ conversation_id }) => said(archive, conversation_id)));
    expect(texts.flat(2).sort()).toEqual(['1.1', '1.2', '2.1', '2.2']);
  });

  it('that stand twice with other words are two turns, and with the same words one', async () => {
    const archive = archiveIn(place);
    const message = (text: string) => ({ uuid: 'm', sender: 'human', text, created_at: '2024-07-01T08:00:00Z' });
    const talk = (texts: readonly string[]) => JSON.stringify([{ uuid: 'c', chat_messages: texts.map(message) }]);
    const texts = ['One thing', 'Another thing', 'One thing'];
    for (const created of [2, 0])
      expect((await archive.importText('c.json', talk(texts))).turns).toMatchObject({ created, updated: 0 });
    expect((await said(archive, 'c')).flat().sort()).toEqual(['Another thing', 'One thing']);
  });

  it('of a conversation that stands twice in an export take nothing of either away', async () => {
    const archive = archiveIn(place);
    const talk = (key: string, text: string) =>
      chatGptExport('c', [chatGptNode('r', null), chatGptNode(key, 'r', { role: 'user', text })], key);
    const report = await archive.importText('c.json', JSON.stringify([talk('u1', 'First'), talk('u2', 'Second')]));
    expect(report.turns).toMatchObject({ created: 2, removed: 0 });
    expect((await said(archive, 'c')).flat().sort()).toEqual(['First', 'Second']);
  });
});

describe('what is left out', () => {
  it('is told: lines of no message, and the end of a message without end', async () => {
    const archive = archiveIn(place);
    const chat = `Exported by a phone\n31/03/2024, 01:30 - Ana: One\n31/03/2024, 01:31 - Ben: Two\n${'a line of a message\n'.repeat(60_000)}`;
    const { warnings } = await archive.importText('chat.txt', chat, { format: 'whatsapp' });
    expect(warnings[0]).toBe('Line 1 belongs to no message and is left out.');
    expect(warnings[1]).toContain('its message is longer than 1000000 characters');
    expect(warnings.at(-1)).toMatch(/^\d+ more were left out/);
  });

  it('is told: messages without an id, a turn that is too long, and what follows the end of the JSON', async () => {
    const archive = archiveIn(place);
    const messages = [
      { uuid: 'm1', sender: 'human', text: 'x '.repeat(700_000) },
      { sender: 'human', text: 'Nameless' },
      { uuid: 'm3', sender: 'machine', text: 'Whose?' },
    ];
    const text = `${JSON.stringify([{ uuid: 'c', chat_messages: messages }])}}{"uuid":"d","chat_messages":[]}`;
    const { warnings, turns } = await archive.importText('c.json', text);
    expect(turns.created).toBe(1);
    expect(warnings).toEqual([
      expect.stringContaining(
        'without an id, or of a sender that is neither human nor assistant, is left out. (2 times)',
      ),
      expect.stringContaining('400000 characters and 0 messages at its end are left out'),
      expect.stringContaining('Behind conversation 1 the file is no JSON'),
    ]);
  });
});
