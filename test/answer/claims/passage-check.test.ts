import { expect, it } from 'vitest';
import { standsIn } from '../../../src/answer/claims/passage-check.ts';

const quote = 'The crane is old. It is not true that the crane is safe.\n\nIt was built in 1931.';

it('lets a passage pass that is all of its quote', () => {
  expect(standsIn({ form: 'paragraph', text: quote }, `${quote}\n`)).toBe(true);
  expect(standsIn({ form: 'paragraph', text: quote.replace('\n\n', ' ') }, quote)).toBe(true);
  expect(standsIn({ form: 'paragraph', text: 'The crane is old.' }, quote)).toBe(false);
});

it('lets a sentence lead that is whole, and none that leaves out what denies it', () => {
  expect(standsIn({ form: 'sentence', text: 'The crane is old.' }, quote)).toBe(true);
  expect(standsIn({ form: 'sentence', text: 'It was built in 1931.' }, quote)).toBe(true);
  expect(standsIn({ form: 'sentence', text: 'the crane is safe.' }, quote)).toBe(false);
  expect(standsIn({ form: 'sentence', text: 'It was built in 1932.' }, quote)).toBe(false);
});
