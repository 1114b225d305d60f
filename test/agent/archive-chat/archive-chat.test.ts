// A question to the archive: what is looked at, read, cited and refused, over a real archive.
import { describe, expect, it } from 'vitest';
import type { ArchiveChatEvent } from '../../../src/core/archive.ts';
import { createArchiveChatRepository } from '../../../src/db/both/archive/chats.ts';
import { archivePortsOf } from '../../../src/db/sqlite/archive.ts';
import { countTokens } from '../../../src/text/tokens/tokens.ts';
import { archiveIn, type Line, saidAt, toJsonl } from '../../../testkit/archive-fixture.ts';
import { openArchiveChat } from '../../../testkit/chat-fixture.ts';
import { recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();
const ordinary = { maxHydrations: 20, maxTokens: 50_000, turnMaxTokens: 2000 };

function chatOver(archive: ReturnType<typeof archiveIn>, limits = ordinary, now?: string) {
  const { start } = openArchiveChat(place, archive.of(scopeOf()), { limits, now });
  return start;
}

const ask = (content: string) => ({ messages: [{ role: 'user', content }] });

const life: readonly Line[] = [
  saidAt('a1', '2022-04-02T10:00:00Z', 'Could solar panels pay off for us? The roof faces south.'),
  saidAt('a1', '2022-04-02T10:00:30Z', 'Solar panels pay off after about nine years.', 'assistant'),
  saidAt('a2', '2022-04-02T10:05:00Z', 'Thank you, I will think about it.'),
  saidAt(
    'b1',
    '2023-06-10T10:00:00Z',
    'We compared three offers for solar panels. They cost between 9,000 and 14,000 euros.',
  ),
  saidAt('b2', '2023-06-12T10:00:00Z', 'We decided to order twelve solar panels from Sunny Ltd.'),
  saidAt('c1', '2024-03-15T10:00:00Z', 'The tomatoes on the balcony need a bigger pot.'),
  saidAt('c2', '2024-05-15T10:00:00Z', 'I moved to Lisbon today. The flat has a view of the river.'),
  saidAt('c3', '2024-06-20T10:00:00Z', 'My new bakery round the corner sells custard tarts.'),
  saidAt('c4', '2024-02-20T10:00:00Z', 'My bakery in Berlin closed for good.'),
];

describe('a question to the archive', () => {
  it('is answered with dates and turns, from the first time to the decision', async () => {
    const archive = archiveIn(place);
    await archive.importText('x.jsonl', toJsonl(life));
    const events: ArchiveChatEvent[] = [];
    const done = await chatOver(archive)(ask('When did I first talk about solar panels, and what did we decide?'), {
      onEvent: (event) => events.push(event),
    });
    expect(done).toMatchObject({ abstained: false, weak: false });
    expect(done.cited_turn_ids).toContain('a1');
    expect(done.cited_turn_ids).toContain('b2');
    expect(done.answer).toContain('On 2 April 2022');
    expect(done.answer).toContain(
      'On 12 June 2023, you said: “We decided to order twelve solar panels from Sunny Ltd.”',
    );
    for (const { quote, turn_id } of done.citations) {
      const turn = await archive.of().turn(turn_id, { maxTokens: 10_000 });
      expect(turn.messages.some(({ text }) => text.includes(quote))).toBe(true);
    }
    expect(
      events
        .filter(({ type }) => type === 'delta')
        .map((event) => 'text' in event && event.text)
        .join(''),
    ).toBe(done.answer);
    expect(events.filter(({ type }) => type === 'turn')).toHaveLength(done.usage.hydrations);
    expect(events.some((event) => event.type === 'peek' && event.peaks.length > 0)).toBe(true);
  });

  it('keeps to the time that it names', async () => {
    const archive = archiveIn(place);
    await archive.importText('x.jsonl', toJsonl(life));
    const chat = chatOver(archive);
    const spring = await chat(ask('What did I say about solar panels in spring 2022?'));
    expect(spring.time_range).toEqual({ from: '2022-03-01T00:00:00.000Z', to: '2022-06-01T00:00:00.000Z' });
    expect(spring.hydrated_turn_ids).not.toContain('b2');
    const none = await chat(ask('What did I say about tomatoes in 2019?'));
    expect(none.degraded[0]).toContain('all times were looked at');
    expect(none.cited_turn_ids).toEqual(['c1']);
  });

  it('says that the archive has nothing, too little, or another’s word', async () => {
    const archive = archiveIn(place);
    await archive.importText('x.jsonl', toJsonl(life));
    const chat = chatOver(archive);
    expect(await chat(ask('Which violin teacher did I hire?'))).toMatchObject({ abstained: true, citations: [] });
    expect(
      await chat(ask('What colour was the roof of the cathedral in Florence that Brunelleschi built?')),
    ).toMatchObject({
      abstained: true,
    });
    const people: Line[] = [
      { conversation_id: 'p', turn_id: 'p1', role: 'Anna', text: 'I adopted a greyhound from the shelter.' },
      { conversation_id: 'p', turn_id: 'p2', role: 'Ben', text: 'How lovely! I only have goldfish.' },
    ];
    await archive.importText('people.jsonl', toJsonl(people));
    expect(await chat(ask('What did Anna adopt from the shelter?'))).toMatchObject({
      abstained: false,
      cited_turn_ids: ['p1'],
    });
    expect(await chat(ask('What did Ben adopt from the shelter?'))).toMatchObject({ abstained: true, weak: true });
  });

  it('tells first what names all that was asked for, and holds "how many" for no word of it', async () => {
    const archive = archiveIn(place);
    const roof: readonly Line[] = [
      saidAt(
        'a1',
        '2024-03-01T10:00:00Z',
        'Do solar panels fit a steep roof? Solar panels fit roofs up to 60 degrees.',
      ),
      saidAt('b1', '2024-05-11T10:00:00Z', 'We decided on twelve solar panels.'),
    ];
    await archive.importText('x.jsonl', toJsonl(roof));
    const done = await chatOver(archive)(ask('How many solar panels did we decide on?'));
    expect(done).toMatchObject({ abstained: false, weak: false });
    expect(done.answer).toMatch(/^On 11 May 2024, you said: “We decided on twelve solar panels\.” \[1\]/u);
  });

  it('tells the first time with what was decided, and the last time', async () => {
    const archive = archiveIn(place);
    const home: readonly Line[] = [
      saidAt('a1', '2025-04-22T18:00:00Z', 'I have three offers for the solar panels. Which questions should I ask?'),
      saidAt('a2', '2025-04-22T18:10:00Z', 'We decided to go with Dachstrom, 8.2 kWp, for 12,450 euros.'),
      saidAt('b1', '2025-02-03T18:00:00Z', 'We ordered a bicycle with a basket.'),
      saidAt('c1', '2024-11-14T18:00:00Z', 'Would solar panels pay off on our roof? We are thinking of solar panels.'),
      saidAt('d1', '2025-07-09T18:00:00Z', 'The solar panels are up, but the inverter shows an error.'),
      saidAt('e1', '2025-07-02T18:00:00Z', 'Sell the piano before the move, that is what I decided.'),
      saidAt('f1', '2025-06-11T18:00:00Z', 'We are moving to Lisbon in September 2025.'),
      saidAt('g1', '2025-09-08T18:00:00Z', 'We moved to Lisbon on 6 September 2025.'),
    ];
    await archive.importText('x.jsonl', toJsonl(home));
    const chat = chatOver(archive);
    const first = await chat(ask('When did I first talk about solar panels, and what did I decide?'));
    expect(first.cited_turn_ids[0]).toBe('c1');
    expect(first.cited_turn_ids).toContain('a2');
    expect(first.answer).toContain('On 14 November 2024, the first time that was found, you said:');
    const last = await chat(ask('When did I last talk about solar panels?'));
    expect(last.cited_turn_ids[0]).toBe('d1');
    expect(last.answer).toMatch(/^On 9 July 2025, the last time that was found,/u);
  });

  it('quotes the person who is asked for, and nobody for the words of a mail that they answered', async () => {
    const archive = archiveIn(place);
    const people: readonly Line[] = [
      saidAt('p1', '2026-04-14T09:00:00Z', 'The budget for the office is capped at 85,000 euros.', 'Ana Ribeiro'),
      saidAt('p2', '2026-04-20T09:00:00Z', 'I think the budget for the office is far too tight.', 'Kim'),
      saidAt('q1', '2025-05-05T09:00:00Z', 'The landlord wants a rent of 1,150 euros for the workshop.', 'Ana Ribeiro'),
      saidAt(
        'q2',
        '2025-05-05T18:00:00Z',
        'Too much, I fear.\n\nOn Mon, 5 May 2025, Ana Ribeiro wrote:\n> The landlord wants a rent of 1,150 euros for the workshop!',
        'Kim',
      ),
    ];
    await archive.importText('x.jsonl', toJsonl(people));
    const chat = chatOver(archive, ordinary, '2026-11-23T12:00:00.000Z');
    const budget = await chat(ask('What did Ana say about the budget last spring?'));
    expect(budget).toMatchObject({ weak: false, cited_turn_ids: ['p1'] });
    const rent = await chat(ask('What rent does the landlord want for the workshop?'));
    expect(rent.cited_turn_ids).toEqual(['q1']);
  });

  it('goes on from the question before', async () => {
    const archive = archiveIn(place);
    await archive.importText('x.jsonl', toJsonl(life));
    const chat = chatOver(archive);
    const first = await chat(ask('What did the offers for solar panels cost?'));
    const next = await chat({ ...ask('And who sold them?'), conversationId: first.conversation_id });
    expect(next.conversation_id).toBe(first.conversation_id);
    expect(next.hydrated_turn_ids).toContain('b2');
    await expect(chat({ messages: [{ role: 'assistant', content: 'Hello' }] })).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });

  it('never reads more turns or tokens than allowed, and says what it left out', async () => {
    const archive = archiveIn(place);
    const giant = Array.from(
      { length: 60 },
      (_, at): Line => ({
        conversation_id: `g${at}`,
        turn_id: `g${at}`,
        role: 'user',
        text: `Solar panels, note ${at}. ${`The inverter hums at ${at} hertz while the meter turns. `.repeat(400)}`,
        timestamp: new Date(Date.UTC(2023, at % 12, 1 + at)).toISOString(),
      }),
    );
    await archive.importText('x.jsonl', toJsonl(giant));
    const many = await chatOver(archive)(ask('What did I note about solar panels?'));
    expect(many.usage.hydrations).toBeLessThanOrEqual(20);
    expect(many.usage.tokens).toBeLessThanOrEqual(50_000);
    const few = await chatOver(archive, { maxHydrations: 3, maxTokens: 50_000, turnMaxTokens: 500 })(
      ask('What did I note about solar panels?'),
    );
    expect(few.usage).toMatchObject({ hydrations: 3, max_hydrations: 3 });
    expect(few.degraded.join()).toContain('CHAT_MAX_HYDRATIONS');
    const read: string[] = [];
    const short = await chatOver(archive, { maxHydrations: 20, maxTokens: 1000, turnMaxTokens: 400 })(
      ask('What did I note about solar panels?'),
      {
        onEvent: (event) => event.type === 'turn' && read.push(event.turn_id),
      },
    );
    expect(short.usage.tokens).toBeLessThanOrEqual(1000);
    expect(short.degraded.join()).toContain('CHAT_MAX_TOKENS');
    const turn = await archive.of().turn(read[0] ?? '', { maxTokens: 400 });
    expect(turn.content_used).toBe('summary');
    expect(turn.messages.reduce((sum, { text }) => sum + countTokens(text), 0)).toBeLessThanOrEqual(400);
    const nothing = await chatOver(archive, { ...ordinary, maxHydrations: 0 })(
      ask('What did I note about solar panels?'),
    );
    expect(nothing).toMatchObject({ abstained: true, usage: { hydrations: 0 } });
  });

  it('goes with a conversation that was read for it', async () => {
    const archive = archiveIn(place);
    await archive.importText('x.jsonl', toJsonl(life));
    const done = await chatOver(archive)(ask('Which tomatoes need a bigger pot?'));
    const chats = createArchiveChatRepository(scopeOf(), archivePortsOf(place.record));
    expect(await chats.lastQuestion(done.conversation_id)).toBe('Which tomatoes need a bigger pot?');
    await archive.of().delete('c');
    expect(await chats.lastQuestion(done.conversation_id)).toBeUndefined();
  });
});
