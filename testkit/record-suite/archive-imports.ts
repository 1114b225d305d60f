// Exports in: what each format says of turns, people and times, and that a turn stands once whatever is repeated or cut off. Run
// over each database by test/.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ArchiveRecord,
  archiveOver,
  chatGptExport,
  chatGptNode,
  type Line,
  toJsonl,
  zipOf,
} from '../archive-fixture.ts';
import { scopeOf } from '../record-fixture.ts';

async function turnsOf(archive: ReturnType<ReturnType<typeof archiveOver>['of']>, id: string) {
  const { data } = await archive.turns(id, { limit: 1000 }, 100_000);
  return data.map(({ turn_id, timestamp, messages }) => ({
    turn_id,
    timestamp,
    said: messages.map(({ role, author, text }) => `${author ?? role}: ${text}`),
  }));
}

const tree = (answer: string, question = 'Which roof?') => [
  chatGptNode('root', null),
  chatGptNode('s', 'root', { role: 'system', text: 'hidden' }),
  chatGptNode('u1', 's', { role: 'user', text: question, at: 1_709_287_200.5 }),
  chatGptNode('a1', 'u1', { role: 'assistant', text: 'An older answer.' }),
  chatGptNode('t1', 'u1', { role: 'assistant', text: 'search("roofs")', recipient: 'browser' }),
  chatGptNode('t2', 't1', { role: 'tool', text: 'results' }),
  chatGptNode('a2', 't2', { role: 'assistant', text: answer }),
  chatGptNode('u2', 'a2', { role: 'user', text: 'Thanks.' }),
];

export function archiveImportSuite(place: ArchiveRecord): void {
  describe('an export of ChatGPT', () => {
    it('is read along its current branch, without tools and hidden messages', async () => {
      const archive = archiveOver(place);
      const report = await archive.importText(
        'conversations.json',
        JSON.stringify([chatGptExport('c', tree('South.'), 'u2')]),
      );
      expect(report).toMatchObject({ format: 'chatgpt', conversations: 1, turns: { created: 2 }, warnings: [] });
      expect(await turnsOf(archive.of(), 'c')).toEqual([
        { turn_id: 'u1', timestamp: '2024-03-01T10:00:00.500Z', said: ['user: Which roof?', 'assistant: South.'] },
        { turn_id: 'u2', timestamp: '2024-03-01T10:00:00.000Z', said: ['user: Thanks.'] },
      ]);
    });

    it('puts a turn without a time beside the one before it, and the first ones where their conversation began', async () => {
      const archive = archiveOver(place);
      const timeless = { ...chatGptNode('u1', 'root', { role: 'user', text: 'Which roof?' }) };
      const nodes = [
        chatGptNode('root', null),
        { ...timeless, message: { ...timeless.message, create_time: null } },
        chatGptNode('u2', 'u1', { role: 'user', text: 'Thanks.', at: 1_709_290_800 }),
        {
          ...chatGptNode('u3', 'u2'),
          message: { id: 'u3', author: { role: 'user' }, content: { parts: ['And the wall?'] } },
        },
      ];
      const text = JSON.stringify([chatGptExport('c', nodes as Parameters<typeof chatGptExport>[1], 'u3')]);
      await archive.importText('conversations.json', text);
      expect((await turnsOf(archive.of(), 'c')).map(({ turn_id, timestamp }) => [turn_id, timestamp])).toEqual([
        ['u1', '2024-03-01T10:00:00.000Z'],
        ['u2', '2024-03-01T11:00:00.000Z'],
        ['u3', '2024-03-01T11:00:00.000Z'],
      ]);
      expect(await archive.importText('again.json', text)).toMatchObject({ turns: { unchanged: 3 } });
    });

    it('follows the branch when it moved: a turn that was edited away is gone, a new answer stands in its place', async () => {
      const archive = archiveOver(place);
      const first = JSON.stringify([chatGptExport('c', tree('South.'), 'u2')]);
      await archive.importText('conversations.json', first);
      const moved = [
        ...tree('South-west, as of now.'),
        chatGptNode('u3', 'a2', { role: 'user', text: 'And the slope?' }),
      ];
      const report = await archive.importText('2.json', JSON.stringify([chatGptExport('c', moved, 'u3')]));
      expect(report.turns).toEqual({ created: 1, updated: 1, unchanged: 0, removed: 1 });
      expect((await turnsOf(archive.of(), 'c')).map(({ turn_id }) => turn_id).sort()).toEqual(['u1', 'u3']);
      expect((await archive.of().peek({ query: 'Thanks' })).total.hits).toBe(0);
      expect((await archive.of().peek({ query: 'South-west' })).total.hits).toBe(1);
    });

    it('is refused as what it is not, and a file without conversations says so', async () => {
      const archive = archiveOver(place);
      const whole = JSON.stringify([chatGptExport('c', tree('South.'), 'u2')]);
      await expect(archive.importText('c.json', whole, { format: 'claude' })).rejects.toMatchObject({
        code: 'invalid-request',
        message: expect.stringContaining('is an export of chatgpt, not of claude'),
      });
      await expect(archive.importText('empty.zip', zipOf({ 'conversations.json': '[]' }))).rejects.toMatchObject({
        message: expect.stringContaining('holds no conversations'),
      });
      await expect(
        archive.importText('photos.zip', zipOf({ 'a.txt': 'Hello' }), { format: 'chatgpt' }),
      ).rejects.toMatchObject({ message: expect.stringContaining('has no conversations.json') });
      const notes = await archive.importText('notes.txt', 'Buy milk\nCall Ana\n', { format: 'whatsapp' });
      expect(notes.warnings).toEqual([
        'Line 1 belongs to no message and is left out.',
        'Line 2 belongs to no message and is left out.',
        expect.stringContaining('Nothing was brought in'),
      ]);
      const nameless = await archive.importText('n.json', JSON.stringify([{ a: 1 }, { a: 2 }, { a: 3 }]), {
        format: 'chatgpt',
      });
      expect(nameless.warnings[0]).toBe('A conversation without an id or without its messages is left out. (3 times)');
    });

    it('comes as a ZIP, in parts, and with a conversation that is damaged', async () => {
      const archive = archiveOver(place);
      const parts = {
        'user.json': '{}',
        'conversations-000.json': JSON.stringify([chatGptExport('a', tree('South.'), 'u2')]),
        'conversations-001.json': `[{"mapping": {}, "id": "broken" "x"},${JSON.stringify(chatGptExport('b', tree('North.'), 'u2'))}]`,
      };
      const report = await archive.importText('export.zip', zipOf(parts));
      expect(report).toMatchObject({ format: 'chatgpt', conversations: 2, turns: { created: 4 } });
      expect(report.warnings).toHaveLength(1);
      // The same ids in two conversations are two turns.
      expect((await turnsOf(archive.of(), 'b')).map(({ turn_id }) => turn_id).sort()).toEqual(['b/u1', 'b/u2']);
      expect((await archive.of().turn('u1', { conversationId: 'b', maxTokens: 100 })).conversation_id).toBe('b');
      expect((await archive.of().turn('b/u1', { maxTokens: 100 })).messages.at(-1)?.text).toBe('North.');
    });
  });

  it('reads an export of Claude, with what was attached', async () => {
    const archive = archiveOver(place);
    const message = (uuid: string, sender: string, text: string, more = {}) => ({
      uuid,
      sender,
      text: 'old form',
      content: [{ type: 'text', text }],
      created_at: '2024-07-01T08:00:00.123456+02:00',
      ...more,
    });
    const attachments = [{ file_name: 'plan.txt', extracted_content: 'Twelve panels.' }];
    const report = await archive.importText(
      'conversations.json',
      JSON.stringify([
        {
          uuid: 'c',
          name: 'Plan',
          chat_messages: [message('m1', 'human', 'See this.', { attachments }), message('m2', 'assistant', 'Seen.')],
        },
      ]),
    );
    expect(report).toMatchObject({ format: 'claude', turns: { created: 1 } });
    expect(await turnsOf(archive.of(), 'c')).toEqual([
      {
        turn_id: 'm1',
        timestamp: '2024-07-01T06:00:00.123Z',
        said: ['user: See this.\n\nplan.txt:\nTwelve panels.', 'assistant: Seen.'],
      },
    ]);
  });

  it('reads an export of Slack: people by name, replies with what they answer, marks as they are seen', async () => {
    const archive = archiveOver(place);
    const users = JSON.stringify([
      { id: 'U1', name: 'anna', profile: { display_name: 'Anna' } },
      { id: 'U2', name: 'ben' },
    ]);
    const day = JSON.stringify([
      { type: 'message', user: 'U1', ts: '1709287200.000100', text: 'Lunch, <@U2>? &lt;now&gt; <https://x.org|here>' },
      { type: 'message', subtype: 'channel_join', user: 'U2', ts: '1709287201.000100', text: 'joined' },
      { type: 'message', user: 'U1', ts: '1709287300.000100', text: 'Later then.' },
      { type: 'message', user: 'U2', ts: '1709287400.000100', thread_ts: '1709287200.000100', text: 'Yes.' },
    ]);
    const zip = zipOf({ 'users.json': users, 'channels.json': '[]', 'general/2024-03-01.json': day });
    const report = await archive.importText('slack.zip', zip);
    expect(report).toMatchObject({ format: 'slack', conversations: 1, turns: { created: 3 } });
    expect((await turnsOf(archive.of(), 'slack:general')).map(({ said }) => said[0])).toEqual([
      'Anna: Lunch, @ben? <now> here (https://x.org)',
      'ben: Yes.',
      'Anna: Later then.',
    ]);
  });

  describe('a chat of WhatsApp', () => {
    const chat = `31/03/2024, 01:30 - Messages are end-to-end encrypted.
31/03/2024, 01:30 - Anna: Before the clocks change
and on a second line
31/03/2024, 03:30 - Ben: After: it
27/10/2024, 02:30 - Anna: Twice in this night
`;
    it('has local times, the clocks changed where they did, and lines that go on', async () => {
      const archive = archiveOver(place);
      const report = await archive.importText('WhatsApp Chat with Anna.txt', chat, { timeZone: 'Europe/Berlin' });
      expect(report).toMatchObject({ format: 'whatsapp', turns: { created: 3 } });
      const turns = await turnsOf(archive.of(), 'whatsapp:Anna');
      expect(turns.map(({ timestamp, said }) => [timestamp, said[0]])).toEqual([
        ['2024-03-31T00:30:00.000Z', 'Anna: Before the clocks change\nand on a second line'],
        ['2024-03-31T01:30:00.000Z', 'Ben: After: it'],
        ['2024-10-27T00:30:00.000Z', 'Anna: Twice in this night'],
      ]);
    });

    it('is told by its numbers which of them is the day, on the twelve-hour clock too', async () => {
      const archive = archiveOver(place);
      await archive.importText('us.txt', '[3/4/24, 12:05:12 AM] Anna: one\n[3/14/24, 6:05:00 PM] Ben: two\n');
      expect((await turnsOf(archive.of(), 'whatsapp:us')).map(({ timestamp }) => timestamp)).toEqual([
        '2024-03-04T00:05:12.000Z',
        '2024-03-14T18:05:00.000Z',
      ]);
    });
  });

  describe('lines of JSON', () => {
    const lines: Line[] = [
      {
        conversation_id: 'c',
        turn_id: 't1',
        role: 'user',
        text: 'Question one',
        timestamp: '2024-03-01T10:00:00+01:00',
        title: 'T',
      },
      { conversation_id: 'd', role: 'user', text: 'Without an id' },
      { conversation_id: 'c', turn_id: 't1', role: 'assistant', text: 'Answer one' },
      { conversation_id: 'd', role: 'assistant', text: 'Its answer' },
      { conversation_id: 'c', turn_id: 't2', role: 'Caroline', text: 'A person by name' },
    ];

    it('are joined by their turn ids, or a person’s line with what follows it, however they lie', async () => {
      const archive = archiveOver(place);
      const report = await archive.importText('x.jsonl', `${toJsonl(lines)}not json\n{"conversation_id":"c"}\n`);
      expect(report.turns.created).toBe(3);
      expect(report.warnings).toEqual(['Line 6 is left out: it is no JSON.', 'Line 7 is left out: it has no text.']);
      expect(await turnsOf(archive.of(), 'c')).toEqual([
        { turn_id: 't1', timestamp: '2024-03-01T09:00:00.000Z', said: ['user: Question one', 'assistant: Answer one'] },
        { turn_id: 't2', timestamp: undefined, said: ['Caroline: A person by name'] },
      ]);
      expect((await turnsOf(archive.of(), 'd')).map(({ said }) => said)).toEqual([
        ['user: Without an id', 'assistant: Its answer'],
      ]);
    });

    it('stand once however often they are brought in, also when an import was cut off anywhere', async () => {
      const archive = archiveOver(place);
      const many = Array.from({ length: 1200 }, (_, at): Line[] => [
        { conversation_id: `c${at % 7}`, turn_id: `t${at}`, role: 'user', text: `Question ${at}` },
        { conversation_id: `c${at % 7}`, turn_id: `t${at}`, role: 'assistant', text: `Answer ${at}` },
      ]).flat();
      for (const cutAt of [1, 500, 501, 999, 1000, 1100]) {
        const stop = new AbortController();
        const importing = archive.importText('many.jsonl', toJsonl(many), {
          signal: stop.signal,
          onProgress: (turns) => turns >= Math.min(cutAt, 1000) && stop.abort(new Error('cut off')),
        });
        await expect(importing).rejects.toThrow();
        archive.restart();
      }
      const last = await archive.importText('many.jsonl', toJsonl(many));
      expect(last.turns.created + last.turns.unchanged).toBe(1200);
      expect(last.turns.updated).toBe(0);
      expect((await archive.importText('many.jsonl', toJsonl(many))).turns).toEqual({
        created: 0,
        updated: 0,
        unchanged: 1200,
        removed: 0,
      });
      const { data } = await archive.of().list({ limit: 100 });
      expect(data.reduce((sum, { turns }) => sum + turns, 0)).toBe(1200);
      expect((await archive.of().peek({ query: 'question answer' })).total.hits).toBe(1200);
    });

    it('lose their secrets where that is asked', async () => {
      const archive = archiveOver(place);
      const text = 'The password is hunter2-horse and the key sk-proj-abcdefghijklmnopqrstuvwx.';
      const report = await archive.importText('x.jsonl', toJsonl([{ conversation_id: 'c', role: 'user', text }]), {
        redact: true,
      });
      expect(report.redactions).toBe(2);
      const [turn] = await turnsOf(archive.of(), 'c');
      expect(turn?.said[0]).toBe('user: The password is [password removed] and the key [key removed].');
    });
  });

  it('refuses what is no export, naming what is', async () => {
    const archive = archiveOver(place);
    await expect(archive.importText('notes.md', '# Notes\n\nNothing was said here.\n')).rejects.toMatchObject({
      code: 'unsupported-media',
    });
    await expect(archive.importText('x.jsonl', '{}', { timeZone: 'Mars/Base' })).rejects.toMatchObject({});
  });

  it('keeps what one person brought in from others of the tenant, and other tenants from all', async () => {
    const archive = archiveOver(place);
    const anna = archive.of(scopeOf('default', 'key:anna', 'writer'));
    const ben = archive.of(scopeOf('default', 'key:ben', 'reader'));
    const message = (text: string) => [{ role: 'user', text, turn_id: 't' }];
    await anna.addTurns({ id: 'own' }, message('A private matter'));
    await anna.addTurns({ id: 'all', shared: true }, message('A shared matter'));
    expect(
      (await ben.peek({ query: 'matter', by: ['conversation'] })).conversations?.map((one) => one.conversation_id),
    ).toEqual(['all']);
    expect((await ben.peek({ query: 'matter' })).total).toMatchObject({ hits: 1, turns: 1 });
    expect((await anna.peek({ query: 'matter' })).total.hits).toBe(2);
    expect((await archive.of().peek({ query: 'matter' })).total.hits).toBe(2);
    await expect(ben.turn('t', { maxTokens: 100, conversationId: 'own' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(ben.peek({ query: 'matter', conversation_id: 'own' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(ben.delete('own')).rejects.toMatchObject({ code: 'not-found' });
    await expect(ben.delete('all')).rejects.toMatchObject({ code: 'forbidden' });
    const other = archive.of(scopeOf('other'));
    expect((await other.peek({ query: 'matter' })).total).toMatchObject({ hits: 0, turns: 0 });
    expect((await other.list({})).data).toEqual([]);
  });

  describe('a conversation that somebody shared', () => {
    const key = (name: string) => scopeOf('default', `key:${name}`, 'writer');
    const said = (text: string, turn_id: string) => [{ role: 'user', text, turn_id }];
    const whole = (text: string) =>
      JSON.stringify([
        chatGptExport('c', [chatGptNode('r', null), chatGptNode('u1', 'r', { role: 'user', text })], 'u1'),
      ]);

    it('takes in nothing of a private one of the same id, by import or turn by turn', async () => {
      const archive = archiveOver(place);
      const [anna, ben, eve] = ['anna', 'ben', 'eve'].map((name) => archive.of(key(name)));
      await anna!.addTurns({ id: 'c', shared: true }, said('Lunch for everybody', 't1'));
      await ben!.addTurns({ id: 'c' }, said('My own salary', 't2'));
      const path = join(place.folder, 'c.json');
      writeFileSync(path, whole('My own illness'));
      await ben!.importFile(path, { name: 'c.json' });
      for (const other of [anna!, eve!]) {
        expect((await other.peek({ query: 'salary illness' })).total.hits).toBe(0);
        expect(await turnsOf(other, 'c')).toMatchObject([{ said: ['user: Lunch for everybody'] }]);
      }
      expect((await ben!.peek({ query: 'salary illness lunch' })).total.hits).toBe(3);
      expect((await turnsOf(ben!, 'c')).flatMap((turn) => turn.said).sort()).toEqual([
        'user: My own illness',
        'user: My own salary',
      ]);
    });

    it('is added to and overwritten by nobody else, which the report says', async () => {
      const archive = archiveOver(place);
      const [anna, ben] = ['anna', 'ben'].map((name) => archive.of(key(name)));
      await anna!.addTurns({ id: 'c', shared: true }, said('Lunch at noon', 't1'));
      await expect(ben!.addTurns({ id: 'c', shared: true }, said('Lunch at nine', 't1'))).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('shared by somebody else'),
      });
      const path = join(place.folder, 'c.json');
      writeFileSync(path, whole('Never mind'));
      const report = await ben!.importFile(path, { name: 'c.json', shared: true });
      expect(report.turns).toEqual({ created: 0, updated: 0, unchanged: 0, removed: 0 });
      expect(report.warnings).toEqual([expect.stringContaining('1 of its turns are not brought in')]);
      expect(await turnsOf(anna!, 'c')).toMatchObject([{ turn_id: 't1', said: ['user: Lunch at noon'] }]);
      expect((await anna!.addTurns({ id: 'c', shared: true }, said('And tea', 't2'))).turns.created).toBe(1);
    });
  });

  describe('what WhatsApp left out of an export', () => {
    it.each([
      ['\u200eimage omitted', 'image'],
      ['image omitted', 'image'],
      ['<Media omitted>', 'media'],
      ['<Medien ausgeschlossen>', 'media'],
      ['\u200eBild weggelassen', 'image'],
      ['<Médias omis>', 'media'],
      ['\u200eáudio ocultado', 'audio'],
      ['<Без медиафайлов>', 'media'],
      ['<メディアは含まれていません>', 'media'],
      ['\u200e<attached: 00000012-PHOTO.jpg>', '00000012-PHOTO.jpg'],
    ])('comes with its message, and is nobody’s words: %s', async (placeholder, kind) => {
      const archive = archiveOver(place);
      const chat = `[12/31/23, 9:15:10 PM] Mina: Look\n\u200e[12/31/23, 9:16:10 PM] Paul: ${placeholder}\n[12/31/23, 9:17:10 PM] Paul: \u200e${placeholder}\nThe roof at noon\n[12/31/23, 9:18:10 PM] Mina: That <Media omitted> again\n`;
      const report = await archive.importText('WhatsApp Chat with Mina.txt', chat);
      expect(report).toMatchObject({ turns: { created: 4 }, warnings: [] });
      const { data } = await archive.of().turns('whatsapp:Mina', {}, 1000);
      expect(data.map(({ messages }) => [messages[0]?.text, messages[0]?.attachments])).toEqual([
        ['Look', undefined],
        ['', [kind]],
        ['The roof at noon', [kind]],
        ['That <Media omitted> again', undefined],
      ]);
      expect((await archive.of().peek({ query: 'roof look' })).total.hits).toBe(2);
      expect((await archive.of().peek({ query: 'weggelassen ausgeschlossen image attached photo' })).total.hits).toBe(
        0,
      );
    });
  });
}
