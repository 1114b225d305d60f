import { describe, expect, it } from 'vitest';
import { stopWordLanguages, stopWords } from '../../../src/text/language/stop-words.ts';

describe('stopWords', () => {
  it('has about a hundred words for each main language, in the form that text is compared in', () => {
    for (const language of stopWordLanguages) {
      const words = [...stopWords(language)];
      expect(words.length, language).toBeGreaterThan(language === 'zh' ? 30 : 75);
      expect(words.length, language).toBeLessThan(180);
      for (const word of words) {
        expect(word, language).toBe(word.toLowerCase().normalize('NFC'));
        expect(word, language).toMatch(/^[\p{L}\p{M}]+$/u);
      }
    }
  });

  it('is empty for other languages', () => {
    expect(stopWords('xx').size).toBe(0);
    expect(stopWords('constructor').size).toBe(0);
  });
});
