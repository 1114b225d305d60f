import { describe, expect, it } from 'vitest';
import { countWords, haveSameWords } from '../../src/retrieval/same-words.ts';

const passage = `${'The committee met on the first floor and heard the report of its chair about the new building. '.repeat(3)}It closes at 5.`;
const same = (left: string, right: string): boolean => haveSameWords(countWords(left), countWords(right));

describe('haveSameWords', () => {
  it('does not mind case, wrapping, punctuation or one word in twenty', () => {
    expect(same(passage, passage.toUpperCase().replaceAll(' the', '\n  THE').replaceAll('.', ' —'))).toBe(true);
    expect(same(passage, passage.replace('building', 'house'))).toBe(true);
    expect(same(passage, passage.replaceAll('building', 'house').replaceAll('report', 'account'))).toBe(false);
  });

  it('minds every number and every negation', () => {
    expect(same(passage, passage.replace('at 5', 'at 6'))).toBe(false);
    expect(same(passage, passage.replace('committee met', 'committee never met'))).toBe(false);
  });
});
