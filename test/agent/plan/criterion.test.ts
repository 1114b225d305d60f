import { describe, expect, it } from 'vitest';
import { attributeAsked, isOf, speaksOf } from '../../../src/agent/plan/criterion.ts';

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
    ['programming language', 'It is developed entirely in Java.', true],
    ['purpose', 'Fjord is intended for large programs.', true],
    ['origin', 'It was begun in 1911 by Ada Brook.', true],
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

describe('isOf, of names of several words', () => {
  it('does not take one word of a name for the name', () => {
    const bank = { name: 'the Power Bank', others: ['the Webcam HD'] };
    expect(isOf(bank, { said: 'The Bank of Lane cut its costs.', around: 'More power for the Bank of Lane' })).toBe(
      false,
    );
    expect(isOf(bank, { said: 'Product: Power Bank; Price: 49.99', around: '' })).toBe(true);
    const walker = { name: 'Ada Walker', others: ['Tim Lane'] };
    expect(isOf(walker, { said: 'Walker got 300 votes.', around: 'Ada Walker was a nominee.' })).toBe(true);
  });
  it('takes a time only where it is said', () => {
    const year = { name: 'fiscal 2022', others: ['fiscal 2021'] };
    expect(isOf(year, { said: 'Net sales were $3 million in fiscal 2022.', around: '' })).toBe(true);
    expect(isOf(year, { said: 'Net sales were $3 million.', around: 'fiscal 2022' })).toBe(false);
  });
  it('wants the thing named where nothing is compared', () => {
    const alone = { name: 'Firefox OS', others: [] };
    expect(isOf(alone, { said: 'The revenue was $163 million.', around: 'Firefox OS is a system.' })).toBe(false);
  });
});

describe('attributeAsked', () => {
  it('reads what sentences can be seen to speak of, and nothing else', () => {
    expect(attributeAsked('What is the price of Firefox OS?')).toMatchObject({
      criterion: 'price',
      thing: { name: 'Firefox OS' },
    });
    expect(attributeAsked("What is Fjord's license?")).toMatchObject({
      criterion: 'license',
      thing: { name: 'Fjord' },
    });
    expect(attributeAsked('When was Fjord first released?')).toMatchObject({
      criterion: 'date',
      thing: { name: 'Fjord' },
    });
    expect(attributeAsked('What is the capital of France?')).toBeUndefined();
  });
});
