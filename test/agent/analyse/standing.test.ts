// Which thing a sentence is about: by its own words, by the sentence before it, by the heads over it.
import { expect, it } from 'vitest';
import { createStandings } from '../../../src/agent/analyse/standing.ts';

const titles = ['Beta Drives', 'Acme Foods: a profile', 'Acme: annual report'];
const standings = (name: string, sentences: readonly string[], heads: readonly string[]) =>
  createStandings({ name, others: [] }, titles)(sentences, heads);

it.each<[string, readonly string[], readonly string[], string]>([
  ['Acme', ['Acme has 20 patents.', 'Acme Foods sells pies.', 'Beta Drives sued Acme.'], ['Notes'], 'own other beside'],
  [
    'Acme',
    ['Its margin is 61 %.', 'Beta Drives has low prices.', 'It is fast.'],
    ['Acme: annual report'],
    'own other other',
  ],
  ['Acme', ['The plant is new.'], ['Acme: annual report', 'Beta Drives'], 'other'],
  ['warehouse robots', ['Robots for the warehouse cost less.'], ['Notes'], 'own'],
  ['warehouse robots', ['Robots dance.'], ['Notes'], 'other'],
])('%s: %j under %j', (name, sentences, heads, expected) => {
  expect(standings(name, sentences, heads).join(' ')).toBe(expected);
});
