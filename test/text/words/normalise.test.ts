import { describe, expect, it } from 'vitest';
import { foldDiacritics, normaliseWord } from '../../../src/text/words/normalise.ts';

describe('normaliseWord', () => {
  it('folds case, compatibility forms and invisible characters, and keeps diacritics', () => {
    expect(normaliseWord('ＨＡÜser')).toBe('haüser');
    expect(normaliseWord('Donau\u00ADdampf\u200Bschiff')).toBe('donaudampfschiff');
    expect(normaliseWord('STRAẞE')).toBe('strasse');
    expect(normaliseWord('ΛΌΓΟΣ')).toBe(normaliseWord('λόγος'));
  });

  it('follows Turkish for Turkish alone', () => {
    expect(normaliseWord('ILIK', 'tr')).toBe('ılık');
    expect(normaliseWord('ILIK', 'en')).toBe('ilik');
  });

  it('drops Arabic vowel signs and Hebrew points, not letters', () => {
    expect(normaliseWord('مُحَمَّد')).toBe('محمد');
    expect(normaliseWord('שָׁלוֹם')).toBe('שלום');
  });
});

describe('foldDiacritics', () => {
  it('folds where writers leave marks out', () => {
    expect(foldDiacritics('éàçñø')).toBe('eacno');
    expect(foldDiacritics('ёлка')).toBe('елка');
  });

  it('keeps letters of their own: й, Japanese sounds, and å ä ö in Swedish', () => {
    expect(foldDiacritics('йод')).toBe('йод');
    expect(foldDiacritics('が')).toBe('が');
    expect(foldDiacritics('får', 'sv')).toBe('får');
    expect(foldDiacritics('får', 'de')).toBe('far');
  });
});
