import { expect, it } from 'vitest';
import { withoutSaidDates } from '../../../src/agent/archive-chat/said-dates.ts';

it('takes the days of what was read out of a claim, and no other date', () => {
  const read = ['2022-04-02T10:00:00.000Z'];
  const plain = (text: string) => withoutSaidDates(text, read);
  expect(plain('On 2 April 2022, you asked about panels.')).toBe('You asked about panels.');
  expect(plain('You asked about panels on April 2nd, 2022.')).toBe('You asked about panels.');
  expect(plain('You asked in April 2022 about panels.')).toBe('You asked about panels.');
  expect(plain('You asked (2022-04-02) about panels.')).toBe('You asked () about panels.');
  expect(plain('The roof was built on 3 April 2022.')).toBe('The roof was built on 3 April 2022.');
  expect(plain('It costs 2022 euros.')).toBe('It costs 2022 euros.');
  expect(plain('2022-04-02')).toBe('2022-04-02');
});
