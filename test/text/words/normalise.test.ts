import { describe, expect, it } from 'vitest';
import { foldDiacritics, foldText, normaliseWord } from '../../../src/text/words/normalise.ts';

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

describe('foldText', () => {
  it.each([
    ['“The pier\n is long!”', 'the pier is LONG.'],
    ['The pier - it is (very) long', 'The pier: it is very long …'],
    ['Cafe\u0301s open.', 'Cafés open'],
    ['…and “...so on”', 'and so on'],
  ])('is the same for %s', (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it.each([
    ['C++ is supported.', 'C# is supported.'],
    ['It costs $29.', 'It costs €29.'],
    ['It is -5 °C.', 'It is 5 °C.'],
    ['2.5 mg', '25 mg'],
    ['(.5 mg) daily', '5 mg daily'],
    ['.NET runs it.', 'NET runs it.'],
    ['It waits for !ready.', 'It waits for ready.'],
    ['बाल कटे', 'बोल कटा'],
  ])('tells %s from %s', (one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
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
