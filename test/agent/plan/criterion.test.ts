import { describe, expect, it } from 'vitest';
import { speaksOf } from '../../../src/agent/plan/criterion.ts';

describe('speaksOf', () => {
  it.each([
    ['price', 'It costs 900 crowns.', true],
    ['price', 'The price of the press is low.', true],
    ['price', 'The press was made from 1934 on.', false],
    ['weight', 'It mows lawns of up to 2,500 square metres.', false],
    ['weight', 'Alpha: 11.8 kg', true],
    ['height', 'It is 40 metres tall.', true],
    ['height', 'It cost 900 dollars.', false],
    // No measure: nothing can be told of it.
    ['plugins', 'It has no moving part.', true],
  ])('%s: %s', (criterion, said, expected) => {
    expect(speaksOf(criterion, said)).toBe(expected);
  });
});
