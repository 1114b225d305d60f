// Claims that leave off where their quote goes on state nothing.
import { describe, expect, it } from 'vitest';
import { breaksOff } from '../../../src/answer/support/fragments.ts';
import { supportOf } from '../../../src/answer/support.ts';

const quote =
  'The council can censure the whole board (as happened to the harbour board in 1999), and the market is largely in its first state.';

describe('a claim that breaks off', () => {
  it.each([
    'The council can censure the whole board (as happened to the harbour board.',
    'The council can censure the whole board (as happened to the harbour board in 1999), and the market is largely.',
  ])('is refused: %s', (claim) => {
    expect(breaksOff(claim, quote)).toBe(true);
    expect(supportOf(claim, quote)).toMatchObject({ verdict: 'unsupported', reasons: ['no-statement: breaks-off'] });
  });

  it('is not one that ends where its quote ends, or leaves the bracket out', () => {
    expect(breaksOff('The market is largely.', 'The market is largely.')).toBe(false);
    expect(supportOf('The council can censure the whole board.', quote).verdict).toBe('supported');
    const open = 'See the list of prices (page 12';
    expect(breaksOff(open, open)).toBe(false);
  });
});

describe('a claim that loses the subject of a clause', () => {
  it.each([
    ['Anna said is ill.', 'Anna said that he is ill.'],
    ['The report states are two causes.', 'The report states that there are two causes.'],
    ['The match ended because was raining.', 'The match ended because it was raining.'],
  ])('is refused for its small words: %s', (claim, quote) => {
    expect(supportOf(claim, quote)).toMatchObject({ verdict: 'unsupported' });
  });
});
