import { describe, expect, it } from 'vitest';
import { findNames, isAcronym, isInitialism } from '../../../src/text/words/names.ts';

describe('findNames', () => {
  it('finds runs of capitals with their joining words, and marks what a sentence start leaves open', () => {
    const text = 'The University of Oxford and Dr. John Smith met NASA in New York. Germany won.';
    expect(findNames(text).map(({ text: name, initial }) => (initial ? `${name}?` : name))).toEqual([
      'University of Oxford',
      'Dr. John Smith',
      'NASA',
      'New York',
      'Germany?',
    ]);
    for (const name of findNames(text)) expect(text.slice(name.start, name.end)).toBe(name.text);
  });
  it('leaves function words at sentence starts alone', () => {
    expect(findNames('However, it rained. The dog slept.')).toEqual([]);
  });
});

describe('acronyms', () => {
  it('knows their shape', () => {
    expect(['NASA', 'U.S.', 'GmbH', 'I', 'Berlin'].map(isAcronym)).toEqual([true, true, false, false, false]);
  });
  it('knows the words that one abbreviates', () => {
    expect(isInitialism('DOD', ['Department', 'of', 'Defense'])).toBe(true);
    expect(isInitialism('DOD', ['Defense', 'Department'])).toBe(false);
  });
});
