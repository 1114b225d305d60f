// How much a turn says beyond the words that it shares with a question: by what it asks, by times that it speaks of, and by when it was said.
import { describe, expect, it } from 'vitest';
import { createTelling, isAboutTime } from '../../../src/memory/archive/telling.ts';

const told = (query: string, text: string, day = '2024-01-15') =>
  createTelling(query)({ messages: [{ role: 'user', text }], atMs: Date.parse(`${day}T12:00:00Z`) });

describe('createTelling', () => {
  it('counts what only asks for less', () => {
    expect(told('the boat', 'Do you like the boat?')).toBeLessThan(told('the boat', 'The boat is red.'));
  });

  it('counts what speaks of a time for more where a time is asked for', () => {
    expect(told('When did we buy it?', 'We bought it last week.')).toBeGreaterThan(
      told('When did we buy it?', 'We bought it.'),
    );
    expect(told('Why did we buy it?', 'We bought it last week.')).toBe(told('Why did we buy it?', 'We bought it.'));
    expect(isAboutTime('Seit wann lebt Anna dort?')).toBe(true);
  });

  it.each([
    ['When did we go camping in June?', '2024-06-30', '2024-07-01'],
    ['What was said on 5 June 2024 of the roof?', '2024-06-30', '2023-06-30'],
    ['Was sagte Anna im März über das Dach?', '2024-03-31', '2024-04-01'],
  ])('counts a turn of the month that is named for more: %s', (query, then, otherwise) => {
    expect(told(query, 'The roof leaks.', then)).toBeGreaterThan(told(query, 'The roof leaks.', otherwise));
  });

  it('takes no word for a month that is none', () => {
    for (const query of ['What may she do?', 'Who walked in marching order?'])
      expect(told(query, 'The roof leaks.', '2024-05-02')).toBe(told(query, 'The roof leaks.', '2024-03-02'));
  });
});
