// Claims that leave off where their quote goes on state nothing.
import { describe, expect, it } from 'vitest';
import { breaksOff, losesSubject } from '../../../src/answer/support/fragments.ts';
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
    ['The dam is so old has been closed.', 'The dam is so old that it has been closed.'],
    ['The match ended because was raining.', 'The match ended because it was raining.'],
    ['Anna said will come.', 'Anna said she will come.'],
  ])('is refused: %s', (claim, quote) => {
    expect(losesSubject(claim, quote)).toBe(true);
    expect(supportOf(claim, quote)).toMatchObject({ reasons: ['no-statement: loses-subject'] });
  });

  it.each([
    ['Anna said he is ill.', 'Anna said that he is ill.'],
    ['The dam was closed and was drained.', 'The dam was closed and it was drained.'],
    ['The dam was closed.', 'The dam was closed because it was old.'],
    ['The old dam is closed.', 'The old dam is closed, but it is kept.'],
    ['The dam, which was old, was closed.', 'The dam, which was old when it was sold, was closed.'],
  ])('is not one that goes on with a subject: %s', (claim, quote) => {
    expect(losesSubject(claim, quote)).toBe(false);
  });
});

describe('a claim from a log', () => {
  const quote = [
    '2026-03-11 02:54:02,312 INFO [worker-2] order.Processor - order 81210 accepted in 12 ms',
    '2026-03-11 02:54:27,210 ERROR [worker-3] order.Processor - order 81211 refused by payment gateway: card expired',
  ].join('\n');

  it('is refused where it begins amid one entry and ends in the next', () => {
    const [, second = ''] = quote.split('\n');
    expect(supportOf(second, quote).verdict).toBe('supported');
    const mixed =
      'order 81210 accepted in 12 ms 2026-03-11 02:54:27,210 ERROR [worker-3] order.Processor - order 81211';
    expect(supportOf(mixed, quote).verdict).toBe('unsupported');
  });
});
