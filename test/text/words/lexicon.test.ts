import { describe, expect, it } from 'vitest';
import { knownWord, wordRelation } from '../../../src/text/words/lexicon.ts';

describe('the lexicon', () => {
  it.each([
    ['bought', 'purchased', 'synonym'],
    ['decision', 'decided', 'derived'],
    ['sold', 'bought', 'antonym'],
    ['hotel', 'museum', undefined],
  ] as const)('relates %s and %s: %s', (one, other, relation) => {
    expect(wordRelation(one, other)).toBe(relation);
    expect(wordRelation(other, one)).toBe(relation);
  });
  it('knows words by any of their forms, and no names', () => {
    expect(['purchases', 'decided', 'larger'].map(knownWord)).toEqual([true, true, true]);
    expect(['nordlicht', 'okafor'].map(knownWord)).toEqual([false, false]);
  });
});
