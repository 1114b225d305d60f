// Codes of questions, and whether what was said is of them: 332315 is not 332305.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codesIn, holdsCode, lackedCode } from '../../src/text/codes.ts';

describe('codesIn', () => {
  it.each([
    ['What is the amount due of invoice 332315?', ['332315']],
    ['What does ABC/12345 cover?', ['abc12345']],
    ['Welcher Kunde gehört zu order 000321?', ['000321']],
    ['Where does the bus to room 412 stop, and is XR-2040 there?', ['412', 'xr2040']],
    ['Was kostet Artikel K-88/B?', ['k88b']],
    ['Who checked H051 and ticket no. 70021?', ['h051', '70021']],
  ] as const)('%s', (question, codes) => expect(codesIn(question)).toEqual(codes));

  it.each([
    'Who won in 1998, and in the 1990s?',
    'What happened from 2019-2021 on the 10th of May?',
    'Which plan has more than 10000 employees or over 500 seats?',
    'Does it have 500 GB, 20GB or 1.5 TB?',
    'Is 300 enough, or 1,000 people?',
    'In den 1970er-Jahren, eine 2-bändige Version, die Top 400-Unternehmen',
    'a 4-letter acronym, anti-interleukin-2, developed 100 years before',
    '2015年黑豹队的防守, بين سنتي 2000 و2005',
    'What is 3.14 times 2.5?',
  ])('finds none in "%s"', (question) => expect(codesIn(question)).toEqual([]));

  it('is total, and finds its own codes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const code of codesIn(text)) expect(holdsCode(text, code)).toBe(true);
      }),
    );
  });
});

describe('lackedCode', () => {
  it('wants the code itself, however it is parted, and not one within or beside it', () => {
    const question = 'What is the deposit of contract 8841?';
    expect(lackedCode(question, ['Contract 8814', 'Deposit: 450.00 EUR'])).toBe('8841');
    expect(lackedCode(question, ['Contract 88412', '18841', 'A8841'])).toBe('8841');
    for (const told of ['Contract 8841', 'no. 8.841', 'C-8841/2', '(8841)', 'contracts/8841.md'])
      expect(lackedCode(question, ['', told])).toBeUndefined();
    expect(lackedCode('What do ABC/12345 and ABC/12346 cover?', ['ABC 12346 covers the crane.'])).toBeUndefined();
    expect(lackedCode('Who is chair?', ['Nobody.'])).toBeUndefined();
  });
});
