import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { wordCutter } from '../../src/text/pieces.ts';

/** An analyzer that has seen nothing yet. */
function freshAnalyzer(): Promise<typeof import('../../src/text/analyze.ts')> {
  vi.resetModules();
  return import('../../src/text/analyze.ts');
}

/** A word of its own for each number. */
const letters = (value: number): string =>
  value.toString(26).replaceAll(/\d/gu, (digit) => String.fromCharCode(0x71 + Number(digit)));

const languages = ['en', 'de', 'fr', 'ar', 'zh', 'tr', 'it', 'und'];
const parts = fc.constantFrom(
  ...['Nations', 'negotiating', "don't", "l'homme", 'U.S.', 'US', 'IT', 'it', 'readFileSync', 'max_size', '1,000.5'],
  ...['10mg', '1990s', '20th', 'Häuser', 'İstanbul’un', 'ﬁnance', '東京タワー', '한국어', 'ภาษาไทย', 'كِتَابٌ', '𝒳yz'],
  ...['special-\nization', 'Donau\u00ad\ndampf', 'c++', 'c#', 'a__b', 'Internationalisierungsmaßnahmen', 'e.g.', 'ﹰ'],
  ...['x'.repeat(63), 'y'.repeat(64), 'z'.repeat(65), 'camelCase'.repeat(9)],
);
const texts = fc.array(fc.oneof(parts, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 10 });

describe('wordCutter', () => {
  it('makes the same terms whatever was analysed before, in any order, across more words than it remembers', async () => {
    const samples = fc
      .sample(fc.tuple(texts, fc.constantFrom(...languages)), { numRuns: 300, seed: 7 })
      .map(([found, language]) => ({ text: found.join(' '), language }));
    const first = await freshAnalyzer();
    const expected = samples.map(({ text, language }) => first.analyzeWords(text, { language, keepStopWords: true }));
    const second = await freshAnalyzer();
    const analyse = (): unknown[] =>
      samples
        .toReversed()
        .map(({ text, language }) => second.analyzeWords(text, { language, keepStopWords: true }))
        .toReversed();
    const wanted = JSON.stringify(expected);
    expect(JSON.stringify(analyse())).toBe(wanted);
    for (let word = 0; word < 300_000; word += 100) {
      const flood = Array.from({ length: 100 }, (_, at) => letters(word + at)).join(' ');
      second.analyzeText(flood, { language: 'und' });
    }
    expect(JSON.stringify(analyse())).toBe(wanted);
    expect(JSON.stringify(analyse())).toBe(wanted);
  });

  it('gives a plain word as one term, the very same string each time', () => {
    const cut = wordCutter('en');
    expect(cut('The internationalized nations', 4, 21)).toBe('internation');
    expect(cut('nations', 0, 7)).toBe('nation');
    expect(cut('The', 0, 3)).toEqual([{ term: 'the', start: 0, end: 3, stop: true }]);
    expect(wordCutter('en')).toBe(cut);
  });

  it('stays right when more languages are asked for than there are', () => {
    for (let made = 0; made < 2500; made++) expect(wordCutter(`x${made}`)('Running', 0, 7)).toBe('running');
    expect(wordCutter('en')('Running', 0, 7)).toBe('run');
    expect(wordCutter('de')('Häuser', 0, 6)).toBe('haus');
  });
});
