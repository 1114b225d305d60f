// A figure put in the place of another one is a change, also where arithmetic or another sentence would give it.
import { describe, expect, it } from 'vitest';
import { compareTexts } from '../../../src/answer/support/comparison.ts';
import { gradeOf } from '../../../src/answer/support/grade.ts';
import { supportOf } from '../../../src/answer/support.ts';
import { vetoesOf } from '../../../src/answer/vetoes.ts';

const changed: readonly (readonly [claim: string, quote: string])[] = [
  [
    'The museum owns 64 drawings, 19 sculptures and 7 paintings by Hofer.',
    'The museum owns 64 drawings, 12 sculptures and 7 paintings by Hofer.',
  ],
  [
    'Hunt has also won four Emmy Awards, eight Golden Globe Awards, and two Screen Actors Guild Awards.',
    'Hunt has also won four Emmy Awards, four Golden Globe Awards, and two Screen Actors Guild Awards.',
  ],
  [
    'Initially built with three layers, it later (1982) evolved into a four-layer networking protocol.',
    'Initially built with three layers, it later (1982) evolved into a seven-layer networking protocol.',
  ],
  [
    'The rate from 2000 to 2005 (8,646 sq mi per year) was higher than in the previous five years (7,340 sq mi per year).',
    'The rate from 2000 to 2005 (8,646 sq mi per year) was higher than in the previous five years (7,343 sq mi per year).',
  ],
  [
    'It was released on March 1, 95 for Microsoft Windows 1999 and Windows 98.',
    'It was released on March 1, 1999 for Microsoft Windows 95 and Windows 98.',
  ],
  [
    'The ratio among men increased from 1.6 in 2001 to 2004 in 3.4.',
    'The ratio among men increased from 1.6 in 2001 to 3.4 in 2004.',
  ],
  [
    'It has a total area of 752 618 square kilometres (slightly larger than France), of which 220 9 km² are water.',
    'It has a total area of 752 618 square kilometres (slightly larger than France), of which 9 220 km² are water.',
  ],
  [
    'The theorem requires excluding 4 as a prime because one can include many instances of 4 in any factorization, e.g., 6, 4 · 6, 4 · 4 · 6, etc. are all valid factorizations of 6.',
    'The theorem requires excluding 1 as a prime because one can include many instances of 1 in any factorization, e.g., 3, 1 · 3, 1 · 1 · 3, etc. are all valid factorizations of 3.',
  ],
];

const computed: readonly (readonly [claim: string, quote: string])[] = [
  ['In 2011 the town had nearly 49,000 residents.', 'The town had 48,912 residents in 2011.'],
  ['The road is about 8 km long.', 'The road is 5 miles long.'],
];

describe('a figure in the place of another one', () => {
  it.each(changed)('is neither accepted nor confirmed by its grade: %s', (claim, quote) => {
    const { verdict, reasons } = supportOf(claim, quote);
    expect(verdict).toBe('unsupported');
    const { vetoes, comparison, askedCodes } = vetoesOf({ claim, quotes: [{ quote, title: '' }], reasons });
    const { degree } = gradeOf(comparison, { reasons, askedCodes, leastMatch: 0.7 });
    expect(vetoes.length > 0 || degree !== 'confirmed').toBe(true);
  });

  it.each(computed)('is left to a judge where it sums up, rounds or converts it: %s', (claim, quote) => {
    const { verdict, reasons } = supportOf(claim, quote);
    expect(verdict).toBe('unsupported');
    expect(vetoesOf({ claim, quotes: [{ quote, title: '' }], reasons }).vetoes).toEqual([]);
  });
});

describe('a figure that stands over a short sentence', () => {
  const changesOf = (claim: string, question: string): readonly string[] => {
    const [quote, title] = ['Release date: 2022-10-13', 'E.21. Kestrel 15'];
    const { reasons } = supportOf(claim, quote, { context: title });
    return gradeOf(compareTexts({ claim, quotes: [{ quote, title }], question }), { reasons, askedCodes: [] }).reasons;
  };

  it('is no change of it; one that the question alone has is', () => {
    const question = 'When was Kestrel 14 released?';
    expect(changesOf('The release date of Kestrel 15 is 2022-10-13.', question).join()).not.toContain('number-missing');
    expect(changesOf('The release date of Kestrel 14 is 2022-10-13.', question)).toContain('number-missing: 14');
  });
});
