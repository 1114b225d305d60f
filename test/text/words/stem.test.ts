import { describe, expect, it } from 'vitest';
import { stemmedLanguages, stemWord } from '../../../src/text/words/stem.ts';

describe('stemWord', () => {
  it('brings inflected forms together', () => {
    const groups: Record<string, string[]> = {
      en: ['negotiate', 'negotiated', 'negotiating', 'negotiates'],
      de: ['kind', 'kinder', 'kindern', 'kindes'],
      fr: ['national', 'nationale', 'nationaux'],
      es: ['niño', 'niños'],
      ru: ['книга', 'книги', 'книгу'],
    };
    for (const [language, words] of Object.entries(groups))
      expect(new Set(words.map((word) => stemWord(word, language))).size, language).toBe(1);
  });

  it('leaves words of other languages, and very short ones, as they are', () => {
    expect(stemWord('running', 'xx')).toBe('running');
    expect(stemWord('is', 'en')).toBe('is');
    expect(stemWord('running', 'toString')).toBe('running');
  });

  it('never leaves nothing', () => {
    for (const language of stemmedLanguages)
      for (const word of ['ing', 'aaa', 'sss', 'ение', 'ها', 'äöü'])
        expect(stemWord(word, language), language).not.toBe('');
  });
});
