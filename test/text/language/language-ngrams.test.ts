// The packed n-grams say what those of the package say, every one of them, and the detector decides as the package's own does.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { eld } from 'eld/medium';
import { describe, expect, it } from 'vitest';
import { openNgramDetector, readTables } from '../../../src/text/language/language-ngrams.ts';

type Ngrams = Readonly<Record<string, Readonly<Record<number, number>>>>;
const path = fileURLToPath(new URL('../ngrams/medium.js', import.meta.resolve('eld/medium')));
const { ngramsData } = createRequire(import.meta.url)(path) as { ngramsData: { ngrams: Ngrams; languages: unknown } };

const texts = [
  'Otters',
  "L'home que sap riure de si mateix",
  'Ninguén coñece o camiño de volta',
  'Bản tin sáng nay nói về dòng sông',
  'Hún sagði ekki neitt um ána',
  'Kto rano wstaje, temu Pan Bóg daje',
  'Ο ποταμός και η θάλασσα',
  'נהר וים',
  'x = y + 1; return "a\'b";',
  '12 345',
  '',
  'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich '.repeat(40),
];

describe('the packed n-grams', () => {
  it('are those of the package, with their scores', () => {
    const { languages, ngrams } = readTables();
    expect(languages).toEqual(ngramsData.languages);
    const all = Object.entries(ngramsData.ngrams);
    expect(ngrams.size).toBe(all.length);
    expect(all.filter(([ngram, scores]) => !isSame(ngrams.scoresOf(ngram), scores)).map(([ngram]) => ngram)).toEqual(
      [],
    );
    for (const unknown of ['', 'qqqqqq', ' toolong', 'Ωmega', '\0']) expect(ngrams.scoresOf(unknown)).toBeUndefined();
  });

  it('lead to the decisions of the package', () => {
    const detector = openNgramDetector();
    for (const text of texts) {
      const [ours, theirs] = [detector.detect(text), eld.detect(text)];
      expect([text, ours.language, ours.isReliable()]).toEqual([text, theirs.language, theirs.isReliable()]);
    }
  });
});

const isSame = (left: object | undefined, right: object): boolean => JSON.stringify(left) === JSON.stringify(right);
