// What may contradict a claim is told by how words begin, before it is read: nothing that contradicts is left out, most of what does not is.
import { expect, it } from 'vitest';
import { contradictionOf, readStatement } from '../../../src/answer/conflicts/contradiction.ts';
import { beginningsOf, createMeeting } from '../../../src/answer/conflicts/meeting.ts';

const meets = (claim: string, sentence: string): boolean => createMeeting(readStatement(claim))(beginningsOf(sentence));

it.each([
  ['The bridge was opened in 1932.', 'The bridge was opened in 1935.'],
  ['The pump holds 40 litres.', 'The pump holds 45 litres.'],
  [
    'The default time-out of the client is 30 seconds.',
    'The default time-out of the client is 60 seconds, as the manual of the pump says.',
  ],
  ['Retries are enabled by default.', 'Retries are not enabled by default.'],
])('lets meet what contradicts: %s / %s', (claim, sentence) => {
  expect(meets(claim, sentence)).toBe(true);
});

it('reads no sentence that only has some words of the claim', () => {
  const claim =
    'The default time-out of the client for requests to the billing gateway behind the old proxy in Frankfurt is 30 seconds.';
  const other =
    'A client of the gateway in another country requested last summer whether longer contracts with smaller partners would bring more revenue to shareholders.';
  expect(meets(claim, other)).toBe(false);
  expect(contradictionOf(readStatement(claim), readStatement(other))).toBeUndefined();
});

it('lets everything meet in scripts without spaces', () => {
  expect(meets('東京タワーの高さは333メートルです。', '東京タワーの高さは300メートルです。')).toBe(true);
});
