// Of what somebody said and later said otherwise the later stands first, and the other behind it as history.
import { describe, expect, it } from 'vitest';
import { type DatedSaying, laterFirst } from '../../../src/agent/archive-chat/reversals.ts';
import { archiveIn, saidAt, toJsonl } from '../../../testkit/archive-fixture.ts';
import { openArchiveChat } from '../../../testkit/chat-fixture.ts';
import { recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();

const saying = (text: string, at: number, by = 'user'): DatedSaying => ({ text, at, by });
const itself = (one: DatedSaying): DatedSaying => one;
const lisbon = saying('I live in Lisbon.', 1);
const porto = saying('I live in Porto now.', 2);

describe('what was said later', () => {
  it('stands first, also where it was not chosen, and ends what it takes the place of', () => {
    for (const [shown, others] of [
      [[lisbon], [lisbon, porto]],
      [[porto], [lisbon, porto]],
      [
        [lisbon, porto],
        [lisbon, porto],
      ],
    ] as const) {
      const { order, over } = laterFirst(shown, others, itself);
      expect(order).toEqual([porto, lisbon]);
      expect([...over]).toEqual([lisbon]);
    }
  });

  it('is told to have ended only what stands right behind it', () => {
    const earlier = saying('I live in Faro.', 0.5);
    const other = saying('The bakery closes at six.', 1);
    const { order, over } = laterFirst([porto, other, lisbon], [lisbon, porto, other, earlier], itself);
    expect(order[0]).toEqual(porto);
    for (const one of over) expect([lisbon, earlier]).toContain(one);
    for (const [at, one] of order.entries())
      if (over.has(one)) expect(order.slice(0, at).every((before) => before === porto || over.has(before))).toBe(true);
  });

  it('ends nothing that somebody else said, that speaks of something else, or whose time is not known', () => {
    for (const other of [
      saying('I live in Porto now.', 2, 'assistant'),
      saying('My sister works in Porto.', 2),
      saying('Do I live in Porto now?', 2),
      saying('I live in Porto now.', 0),
    ]) {
      const { order, over } = laterFirst([lisbon], [lisbon, other], itself);
      expect(order).toEqual([lisbon]);
      expect(over.size).toBe(0);
    }
  });
});

it('is told first by a chat, with both days', async () => {
  const archive = archiveIn(place);
  const lines = [
    saidAt('a', '2024-01-08T10:00:00Z', 'Our backups are stored in Frankfurt.'),
    saidAt('b', '2024-04-02T10:00:00Z', 'The bakery closes at six.'),
    saidAt('c', '2024-09-20T10:00:00Z', 'Our backups are stored in Dublin now.'),
  ];
  await archive.importText('x.jsonl', toJsonl(lines));
  const limits = { maxHydrations: 20, maxTokens: 50_000, turnMaxTokens: 2000 };
  const { start } = openArchiveChat(place, archive.of(scopeOf()), { limits, now: '2025-01-05T12:00:00.000Z' });
  const done = await start({ messages: [{ role: 'user', content: 'Where are our backups stored?' }] });
  expect(done.cited_turn_ids).toEqual(['c', 'a']);
  const then = await start({ messages: [{ role: 'user', content: 'Where were our backups stored in January 2024?' }] });
  expect(then.cited_turn_ids).toEqual(['a']);
  expect(done.answer).toBe(
    'On 20 September 2024, you said: “Our backups are stored in Dublin now.” [1]\n' +
      'Before that, on 8 January 2024, you said: “Our backups are stored in Frankfurt.” [2]',
  );
});
