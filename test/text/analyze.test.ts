import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzeQuery, analyzeText, analyzeWords, termOf } from '../../src/text/analyze.ts';

describe('analyzeText', () => {
  it.each([
    ['stems and drops stop words', 'en', 'The nations were negotiating', ['nation', 'negoti']],
    ['folds case and diacritics', 'en', 'Naïve CAFÉ', ['naiv', 'cafe']],
    ['folds compatibility forms', 'en', 'ﬁnance ＮＦＬ', ['financ', 'nfl']],
    ['drops the possessive and contractions', 'en', "economy's don’t we'll", ['economi']],
    ['joins thousands', 'en', '1,000,000 3.14', ['1000000', '3.14']],
    ['joins abbreviations', 'en', 'the U.S.A. and the U.S.', ['usa', 'us']],
    ['takes US for a country only beside small letters', 'en', 'US troops helped us', ['us', 'troop', 'help']],
    ['drops us where all is in capitals', 'en', 'US TROOPS', ['troop']],
    ['parts amounts from units', 'en', '10mg in the 1990s, 20th', ['10mg', '10', 'mg', '1990', '20th']],
    ['splits camelCase', 'en', 'readFileSync', ['readfilesync', 'read', 'file', 'sync']],
    ['splits acronyms in camelCase', 'en', 'XMLHttpRequest', ['xmlhttprequest', 'xml', 'http', 'request']],
    ['splits snake_case', 'en', 'max_chunk_size', ['max_chunk_size', 'max', 'chunk', 'size']],
    ['splits dotted names', 'en', 'fs.promises', ['fs.promises', 'fs', 'promis']],
    ['keeps names with an apostrophe', 'en', "O'Neill", ['oneill', 'o', 'neill']],
    ['German', 'de', 'Die Häuser der Straßen', ['haus', 'strass']],
    ['French elision', 'fr', "l'étudiant d’État", ['etudi', 'etat']],
    ['Turkish capitals and suffixes', 'tr', 'İstanbul’un', ['istanbul']],
    ['Arabic points and stretch', 'ar', 'كِتَابٌ كتـاب', ['كتاب', 'كتاب']],
    ['Russian', 'ru', 'Ёлки стояли', ['елк', 'стоя']],
    ['Chinese: characters and pairs', 'zh', '黑豹队', ['黑', '黑豹', '豹', '豹队', '队']],
    ['Japanese: pairs across scripts', 'ja', '東京タワー', ['東', '東京', '京', '京タ', 'タワ', 'ワー']],
    ['Korean: pairs within words', 'ko', '한국어 문', ['한국', '국어', '문']],
    ['Thai: dictionary words', 'th', 'ภาษาไทย', ['ภาษา', 'ไทย']],
    ['unknown language: as it stands', 'xx', 'The Running', ['the', 'running']],
    ['nothing', 'en', ' .!? ', []],
  ])('%s', (_name, language, text, expected) => {
    expect(analyzeText(text, { language })).toEqual(expected);
  });

  it('keeps stop words when asked', () => {
    expect(analyzeText('The Who', { language: 'en', keepStopWords: true })).toEqual(['the', 'who']);
  });

  it('detects the language when none is given', () => {
    expect(analyzeText('Die Kinder spielten gestern mit dem Hund, und er hat sich sehr gefreut.')).toContain('kind');
    expect(analyzeText('The children were playing with the dogs in the garden.')).toContain('children');
  });

  it('gives one term for one word in small letters, capitals and full width', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{3,12}$/u), (word) => {
        const wide = [...word].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)).join('');
        const [term] = analyzeText(word, { language: 'en', keepStopWords: true });
        for (const other of [word.toUpperCase(), wide, `${word}.`, ` "${word}",`, `${word}'s`])
          expect(analyzeText(other, { language: 'en', keepStopWords: true })).toEqual([term]);
      }),
    );
  });
});

describe('analyzeWords', () => {
  it('places every term', () => {
    const text = 'The Otters’ fs.readFile';
    const placed = analyzeWords(text, { language: 'en' }).map(({ term, start, end }) => [term, text.slice(start, end)]);
    expect(placed).toEqual([
      ['otter', 'Otters'],
      ['fs.readfile', 'fs.readFile'],
      ['fs', 'fs'],
      ['read', 'read'],
      ['file', 'File'],
    ]);
  });

  it('gives the terms of analyzeText, in order, inside the text, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 80 }),
        fc.constantFrom('en', 'de', 'fr', 'ar', 'zh', 'tr', 'und'),
        (text, language) => {
          const words = analyzeWords(text, { language });
          expect(words.map((word) => word.term)).toEqual(analyzeText(text, { language }));
          let last = 0;
          for (const { term, start, end } of words) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(text.length);
            expect(term).not.toBe('');
            expect(term).not.toMatch(/\s/u);
            last = start;
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is the same every time', () => {
    const text = 'Naïve U.S. readers of 1,000 snake_case words; Häuser 黑豹队';
    expect(analyzeWords(text)).toEqual(analyzeWords(text));
  });
});

describe('analyzeQuery', () => {
  it('keeps words that the query repeats', () => {
    expect(analyzeQuery('flow of heat and heat flow', { languages: ['en'] })).toEqual(['flow', 'heat', 'heat', 'flow']);
  });

  it('keeps a query of nothing but stop words', () => {
    expect(analyzeQuery('to be or not to be', { languages: ['en'] })).toEqual(['to', 'be', 'or', 'not', 'to', 'be']);
  });

  it('stems in every language of the index, dropping the stop words of the query alone', () => {
    expect(analyzeQuery('when do the children die?', { languages: ['en', 'de'] })).toEqual([
      'children',
      'childr',
      'die',
    ]);
    const german = analyzeQuery('Wann starben die Kinder der Könige?', { languages: ['en', 'de'] });
    expect(german).toContain('kind');
    expect(german).toContain('konig');
    for (const stop of ['die', 'der', 'wann']) expect(german).not.toContain(stop);
  });

  it('needs no language of the index', () => {
    expect(analyzeQuery('which nations negotiated the treaty?')).toEqual(['nation', 'negoti', 'treati']);
  });
});

describe('termOf', () => {
  it('is the term that the analyzer gives a plain word', () => {
    for (const word of ['Nations', 'café', 'otters'])
      expect([termOf(word, 'en')]).toEqual(analyzeText(word, { language: 'en' }));
    expect(termOf('Häuser', 'de')).toBe('haus');
  });
});
