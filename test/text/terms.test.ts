// Words as answering compares them.
import { describe, expect, it } from 'vitest';
import { termSet } from '../../src/text/terms.ts';

const terms = (text: string): readonly string[] => [...termSet(text, 'en')];

describe('terms', () => {
  it('tells what was found from what was founded', () => {
    const [asked] = terms('founded');
    expect(terms('founding founds')).toEqual([asked]);
    expect(terms('Osprey found the incident')).not.toContain(asked);
    expect(terms('found')).toEqual(terms('find'));
  });

  it('compares figures without the marks between their digits, and small numbers in words as figures', () => {
    expect(terms('1,250,000 three')).toEqual(['1250000', '3']);
  });
});
