// A question may ask for something beside its topic: the first time, the words of one person.
import { describe, expect, it } from 'vitest';
import { authorAsked } from '../../../src/agent/archive-chat/asked.ts';
import { archiveIn, type Line, saidAt, toJsonl } from '../../../testkit/archive-fixture.ts';
import { openArchiveChat } from '../../../testkit/chat-fixture.ts';
import { recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();

async function chatOver(lines: readonly Line[]) {
  const archive = archiveIn(place);
  await archive.importText('x.jsonl', toJsonl(lines));
  const limits = { maxHydrations: 20, maxTokens: 50_000, turnMaxTokens: 2000 };
  const { start } = openArchiveChat(place, archive.of(scopeOf()), { limits, now: '2026-01-05T12:00:00.000Z' });
  return (content: string) => start({ messages: [{ role: 'user', content }] });
}

const kettle: readonly Line[] = [
  saidAt('a1', '2024-01-08T10:00:00Z', 'I want a new coffee grinder. Is the Baratza Encore good?'),
  saidAt('a1', '2024-01-08T10:00:20Z', 'The Baratza Encore is solid; the Eureka Mignon is quieter.', 'assistant'),
  saidAt('b1', '2024-01-20T10:00:00Z', 'Right, I went for the Baratza Encore.'),
  saidAt('c1', '2024-03-02T10:00:00Z', 'It is too loud. I am returning it and getting the Eureka Mignon instead.'),
  saidAt('d1', '2024-05-02T10:00:00Z', 'We bought a tent for the summer.'),
  saidAt('e1', '2024-06-01T10:00:00Z', 'How do I clean windows without streaks?'),
  saidAt('f1', '2024-07-01T10:00:00Z', 'I want to start rowing. What do I need?'),
  saidAt('g1', '2024-08-11T10:00:00Z', 'Today I started rowing, on the old canal.'),
  saidAt('h1', '2025-02-11T10:00:00Z', 'Rowing in the rain is cold. Which gloves do you suggest?'),
  saidAt('i1', '2025-03-11T10:00:00Z', 'I think podcasts are overrated.'),
  saidAt('j1', '2025-09-11T10:00:00Z', 'I love podcasts now, they make cooking fun.'),
];

describe('an answer', () => {
  it('is none where what is asked for was never named', async () => {
    const chat = await chatOver(kettle);
    expect(await chat('Which canoe did we buy?')).toMatchObject({ abstained: true, citations: [] });
    expect(await chat('What did I decide about the coffee plantation in Peru?')).toMatchObject({ abstained: true });
  });
});

it('says that somebody said nothing of it, whatever others said', async () => {
  const chat = await chatOver([
    saidAt('p1', '2025-04-01T10:00:00Z', 'The soloist is too expensive, I find.', 'Paolo'),
    saidAt('q1', '2025-04-02T10:00:00Z', 'The newsletter goes out on Friday.', 'Ingrid'),
    saidAt('q2', '2025-04-03T10:00:00Z', 'Paolo was right about the price.', 'Ingrid'),
  ]);
  expect(await chat('What did Paolo say about the newsletter?')).toMatchObject({ abstained: true, citations: [] });
  expect((await chat('What did Paolo say about the soloist?')).cited_turn_ids[0]).toBe('p1');
});

it('takes no word of the question for a person who is called like it', async () => {
  const chat = await chatOver([
    saidAt('w1', '2025-04-01T10:00:00Z', 'I ordered the lamps.', 'Will'),
    saidAt('a1', '2025-04-02T10:00:00Z', 'The kitchen will be ready in May.', 'Anna'),
  ]);
  expect((await chat('When will the kitchen be ready?')).cited_turn_ids[0]).toBe('a1');
  expect((await chat('What did Will order?')).cited_turn_ids[0]).toBe('w1');
  const authors = new Set(['Will', 'Anna Berg', 'Support Team']);
  expect(authorAsked('When does the team meet?', authors)).toBeUndefined();
  expect(authorAsked('When did anna berg say so?', authors)).toBe('Anna Berg');
  expect(authorAsked('When did Anna say so?', authors)).toBe('Anna Berg');
});

describe('words of the question that nobody said', () => {
  const flat: readonly Line[] = [
    saidAt('a1', '2023-02-11T09:12:00Z', "We're toying with the idea of a dog. Is a whippet fine in a flat?"),
    saidAt('a1', '2023-02-11T09:12:30Z', 'Whippets are calm; a dog needs two walks a day.', 'assistant'),
    saidAt('b1', '2023-07-22T07:00:00Z', 'My left knee hurts after 12 km.'),
    saidAt('b2', '2023-08-14T17:21:00Z', "Physio says it is runner's knee; no running until September."),
    saidAt('c1', '2024-01-26T12:00:00Z', 'Interview at Wetterskip. They offered me 4,350 euros gross.'),
    saidAt('c2', '2024-02-02T16:00:00Z', 'I turned Wetterskip down. The commute would be 70 minutes each way.'),
    saidAt('d1', '2024-03-10T13:00:00Z', 'Plan a trip to Norway by train with the dog.'),
    saidAt('d2', '2024-04-28T09:30:00Z', 'Booked: Oslo from 21 June.'),
    ...kettle.filter(({ turn_id = '' }) => turn_id > 'e').map((one) => ({ ...one, turn_id: `z${one.turn_id}` })),
  ];

  const titles: Readonly<Record<string, string>> = { a: 'Getting a dog', d: 'Norway by train' };
  const titled = flat.map((one) => ({ ...one, title: titles[one.conversation_id] ?? 'Home' }));

  it('do not keep what was said of the thing from being found, nor make an answer of what nobody named', async () => {
    const chat = await chatOver(titled);
    expect((await chat('What was wrong with my knee?')).answer).toContain('runner');
    expect((await chat('Did I take the job at Wetterskip?')).answer).toContain('turned Wetterskip down');
    expect(await chat('What was wrong with my elbow?')).toMatchObject({ abstained: true });
  });

  it('tell the first time in the words of whoever asks, and no decision of something else beside it', async () => {
    const chat = await chatOver(titled);
    const dog = await chat('When did I first talk about getting a dog, and what did we decide?');
    expect(dog.answer).toMatch(
      /^On 11 February 2023, the first time that was found, you said: “We're toying with the idea of a dog\./u,
    );
    expect(dog.answer).not.toContain('Oslo');
  });
});

it('weighs a word that languages of the archive read differently once', async () => {
  const chat = await chatOver([
    ...kettle,
    saidAt('w1', '2024-02-01T10:00:00Z', 'Wie lange dauert die Fahrt nach Hamburg, und wann fährt der letzte Zug?'),
    saidAt('x1', '2024-02-02T10:00:00Z', '¿Cuánto cuesta un billete de tren a Sevilla por la mañana?'),
    saidAt('y1', '2024-02-03T10:00:00Z', 'Quel temps fait-il à Nantes pendant le mois de mai ?'),
  ]);
  expect(await chat('What did I say about rowing?')).toMatchObject({ coverage: 1, weak: false });
});
