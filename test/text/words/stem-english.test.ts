import fc from 'fast-check';
import snowball from 'snowball-stemmers';
import { describe, expect, it } from 'vitest';
import { stemEnglish } from '../../../src/text/words/stem-english.ts';

const library = snowball.newStemmer('english');
const stems =
  'a e i o y u b st l n gen r gener commun arsen succ exc out inn herr earr cann sk d at iz bl add egg y yy w x hop'.split(
    ' ',
  );
const endings =
  's ss us sses ies ied ed eed edly eedly ing ingly y ly e l ll er izer ator ation ization ational tional anci enci ogi li bli abli alli fulli lessli ousli entli aliti biliti iviti alism iveness fulness ousness icate ative alize iciti ical ful ness ic ance ence able ible ate ive ize iti al ism ion sion tion ous ant ent ment ement'.split(
    ' ',
  );
const exceptions =
  'andes atlas bias cosmos dying early gently howe idly lying news only singly skies skis sky tying ugly succeed proceed exceed canning inning earring herring outing succeeds cannings'.split(
    ' ',
  );

describe('stemEnglish', () => {
  it('is the stem of the library, letter for letter', () => {
    for (const word of exceptions) expect([word, stemEnglish(word)]).toEqual([word, library.stem(word)]);
    for (const stem of stems)
      for (const ending of endings)
        for (const more of ['', 's', 'ly']) {
          const word = stem + ending + more;
          if (word.length > 2) expect([word, stemEnglish(word)]).toEqual([word, library.stem(word)]);
        }
    const parts = fc.array(fc.constantFrom(...stems, ...endings), { minLength: 1, maxLength: 5 });
    const built = parts.map((found) => found.join(''));
    const letters = fc.stringMatching(/^[a-z]{3,12}$/u);
    fc.assert(
      fc.property(
        fc.oneof(built, letters).filter((word) => word.length > 2),
        (word) => {
          expect(stemEnglish(word)).toBe(library.stem(word));
        },
      ),
      { numRuns: 3000 },
    );
  });
});
