// What no judge may speak over: forged facts contradict, other words do not.
import { describe, expect, it } from 'vitest';
import { gradeOf } from '../../src/answer/support/grade.ts';
import { supportOf } from '../../src/answer/support.ts';
import { vetoesOf } from '../../src/answer/vetoes.ts';
import { type ForgeSentence, forgePairs, forgeries } from '../../testkit/forge/forge.ts';
import { forgeTexts } from '../../testkit/forge/forge-texts.ts';
import { writtenPairs } from '../../testkit/forge/written-pairs.ts';
import { isLongRun, shareOfDay } from '../../testkit/sample.ts';
import { paraphrases } from './paraphrases.ts';

const own: ForgeSentence[] = forgeTexts.flatMap(({ language, sentences }) =>
  sentences.map((text) => ({ text, language })),
);
const vetoes = (claim: string, quote: string, title = ''): readonly string[] => {
  const { verdict, reasons } = supportOf(claim, quote, { context: title });
  return verdict === 'supported' ? [] : vetoesOf({ claim, quotes: [{ quote, title }], reasons }).vetoes;
};

/** No judge admits it, or it is at least not confirmed without one. */
const isKeptOut = (claim: string, quote: string, title = ''): boolean => {
  const { verdict, reasons } = supportOf(claim, quote, { context: title });
  if (verdict === 'supported') return false;
  const read = vetoesOf({ claim, quotes: [{ quote, title }], reasons });
  const grades = [undefined, 0.44].map((leastMatch) =>
    gradeOf(read.comparison, { reasons, askedCodes: read.askedCodes, leastMatch }),
  );
  return read.vetoes.length > 0 || grades.every(({ degree }) => degree !== 'confirmed');
};

describe('vetoes', () => {
  it('or the grade keep out all of 10,000 forged claims, and vetoes alone nearly all', { timeout: 240_000 }, () => {
    const forged = forgePairs(own, { count: 10_000, seed: 20_261_121, kinds: forgeries });
    expect(forged).toHaveLength(10_000);
    const tried = shareOfDay(forged, 5);
    expect(tried.filter(({ claim, quote }) => !isKeptOut(claim, quote))).toEqual([]);
    const passed = tried.filter(({ claim, quote }) => vetoes(claim, quote).length === 0);
    expect(passed.length / tried.length).toBeLessThan(isLongRun ? 0.01 : 0.02);
  });

  it('read a claim that keeps the number of an item of a list, beside a price of the quote', () => {
    const quote = 'There is a yew longbow with a handle, which is set to sell for £2,000.';
    expect(vetoes('A yew longbow with a handle\n\n3.', quote)).toContain('number-changed: £2,000 → 3');
    expect(vetoes('2. A yew longbow with a handle:\n\n3. Paintings', quote)).not.toEqual([]);
  });

  it('leave claims in other words to a judge: three quarters of those that people would agree to, and more', () => {
    expect(paraphrases.length).toBeGreaterThanOrEqual(40);
    const pairs = [...paraphrases, ...writtenPairs.flatMap((pair) => (pair.isTrue ? { ...pair, title: '' } : []))];
    const vetoed = pairs.filter(({ claim, quote, title }) => vetoes(claim, quote, title).length > 0);
    expect(vetoed.length / pairs.length, JSON.stringify(vetoed, null, 1)).toBeLessThanOrEqual(0.25);
  });

  it.each([
    [
      'an attribution',
      'Crews got the road free of snow by Monday.',
      'The council said that crews had cleared the snow from the road by Monday.',
    ],
    ['a count in words', 'Both of these two towns lie on the coast.', 'Ardle lies on the coast. Brack lies there too.'],
    [
      'an ordinal',
      'They reached the final seven years in a row.',
      'In 2017 they reached the final for the seventh consecutive year.',
    ],
    ['a people for a country', 'The Peruvian team won the cup.', 'The cup went to the team of Peru.'],
    ['a passive', 'Frost ruined the harvest.', 'The harvest was ruined by frost.'],
    ['a trade seen from the other side', 'Visitors can buy honey from monks.', 'The monks sell honey to visitors.'],
    [
      'words set apart by a tokeniser',
      'The film cost $160 million.',
      'The film was made on a budget of $ 160 million .',
    ],
    [
      'a case that holds either way',
      'Today there are more people who travel than before.',
      'Whether by train or by car, more people travel today than before.',
    ],
  ])('do not speak of %s: %s', (_, claim, quote) => expect(vetoes(claim, quote)).toEqual([]));

  it.each([
    ['number', 'From start to end the walk takes 45 minutes.', 'You need 54 minutes to walk the whole way.'],
    ['name', 'Sudlicht has a staff of many.', 'Nordlicht employs many people.'],
    ['date', 'It was in March that the treaty got its signatures.', 'The treaty was signed on 4 May 1921.'],
    ['negation', 'The pier does not measure 340 metres from end to end.', 'The pier is 340 metres long.'],
    ['negation', 'The pier was safe when experts looked at it.', 'Experts looked at the pier; it was not safe.'],
  ])('tell a %s that is contradicted: %s', (kind, claim, quote) => {
    expect(vetoes(claim, quote).join('; ')).toMatch(new RegExp(`^.*${kind}`, 'u'));
  });

  it.each(
    paraphrases.flatMap(({ forged = [], quote, title }) => forged.map((claim) => [claim, quote, title] as const)),
  )('or the grade keep out: %s | %s', (claim, quote, title) => expect(isKeptOut(claim, quote, title)).toBe(true));

  it('take a figure from the quote that has it, and never in the place of another', () => {
    const quotes = ['The pier was opened in 1872.', 'It carries lorries and 1,240 visitors a day.'];
    const claim = 'Opened in 1872, the pier lets 1,240 visitors pass every day.';
    const read = (text: string) => vetoes(text, quotes.join(' '));
    expect(read(claim)).toEqual([]);
    expect(read(claim.replace('1872', '1873')).join()).toContain('1873');
    expect(isKeptOut('The pier was opened for 1,872 visitors a day.', quotes.join(' '))).toBe(true);
  });
});
