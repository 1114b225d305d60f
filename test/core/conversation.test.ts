// Titles that nobody gave: whole words of what was asked, on one line.
import { describe, expect, it } from 'vitest';
import { titleOf } from '../../src/core/conversation.ts';

describe('the title of a session', () => {
  it.each([
    ['When was it built?', 'When was it built?'],
    ['one two three four five six seven eight', 'one two three four five six seven eight'],
    ['one two three four five six seven eight?', 'one two three four five six seven eight?'],
    ['one two three four five six seven eight nine', 'one two three four five six seven eight…'],
    ['  How  long\n\nis "the pier" – at low tide, in metres?', 'How long is "the pier" – at low tide…'],
    ['', ''],
    [' \n ', ''],
    ['?!', '?!'],
    ['這座燈塔是什麼時候建造的以及由誰建造以及為什麼會建造', /^這座燈塔是.{2,18}…$/u],
    ['x'.repeat(5000), `${'x'.repeat(200)}…`],
    [`${'x'.repeat(199)}𝄞 and more`, /^x{199}.?…$/u],
  ])('of %s', (question, title) => {
    if (typeof title === 'string') expect(titleOf(question)).toBe(title);
    else expect(titleOf(question)).toMatch(title);
    expect(titleOf(question).isWellFormed()).toBe(true);
  });
});
