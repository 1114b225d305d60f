import { describe, expect, it } from 'vitest';
import { isPointer, isSourceEntry } from '../../src/text/pointers.ts';

describe('sentences that send their reader elsewhere', () => {
  it.each([
    'See Prototype Poisoning for more details about prototype poisoning attacks.',
    'For more information, see the chapter on tides.',
    'Please refer to the manual of the pump.',
    'Learn more about Style Editor',
    '> Note: see [Hooks](./Hooks.md) for the rest.',
  ])('%s', (sentence) => {
    expect(isPointer(sentence)).toBe(true);
  });

  it.each([
    'See the tide table: high water is at 6:40.',
    'Seeing is a sense.',
    'More information was lost in the fire of 1911.',
    'The pump stops when the tank is full.',
  ])('says something itself: %s', (sentence) => {
    expect(isPointer(sentence)).toBe(false);
  });
});

describe('entries of lists of sources', () => {
  it.each([
    '27. ^ "FAQ on the harbour".',
    'Lund, H. (2014). "The pier". Harbour Blog. Retrieved 3 April 2014.',
    '"Harbour master steps down". Northern Post.',
  ])('%s', (line) => {
    expect(isSourceEntry(line)).toBe(true);
  });

  it.each(['"We will rebuild the pier," said Ward.', 'The stolen bell was retrieved in 1950.'])(
    'no entry: %s',
    (line) => {
      expect(isSourceEntry(line)).toBe(false);
    },
  );
});
