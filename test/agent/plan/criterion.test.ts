import { describe, expect, it } from 'vitest';
import { isOf, speaksOf } from '../../../src/agent/plan/criterion.ts';

describe('speaksOf', () => {
  it.each([
    ['price', 'It costs 900 crowns.', true],
    ['price', 'The price of the press is low.', true],
    ['price', 'The press was made from 1934 on.', false],
    ['year', 'It is a film of 1931.', true],
    ['weight', 'It mows lawns of up to 2,500 square metres.', false],
    ['weight', 'It weighs about as much as a cat.', true],
    ['weight', 'Alpha: 11.8 kg', true],
    ['height', 'It is 40 metres tall.', true],
    ['plugins', 'It has no moving part.', false],
  ])('%s: %s', (criterion, said, expected) => {
    expect(speaksOf(criterion, said)).toBe(expected);
  });
});

describe('isOf', () => {
  const bendix = { name: 'the Bendix press', others: ['the Arnold press'] };
  it('takes what names the thing, or stands where it is spoken of, and nothing that names another', () => {
    expect(isOf(bendix, { said: 'The Bendix press is small.', around: '' })).toBe(true);
    expect(isOf(bendix, { said: 'It is small.', around: 'Bendix press' })).toBe(true);
    expect(isOf(bendix, { said: 'It is small.', around: 'Arnold press' })).toBe(false);
    expect(isOf(bendix, { said: 'The Arnold press is 900 crowns.', around: 'Arnold and Bendix' })).toBe(false);
  });
});
