// Claims in words of their own: what the quote says otherwise, or gives by arithmetic, is accepted; what it contradicts is not.
import { describe, expect, it } from 'vitest';
import { supportOf } from '../../../src/answer/support.ts';
import { writtenPairs } from '../../../testkit/forge/written-pairs.ts';

describe('claims in words of their own', () => {
  it('are accepted more often than not, and hardly ever where they are false', () => {
    const accepted = (isTrue: boolean): number => {
      const pairs = writtenPairs.filter((pair) => pair.isTrue === isTrue);
      return pairs.filter(({ claim, quote }) => supportOf(claim, quote).verdict === 'supported').length / pairs.length;
    };
    expect(accepted(true)).toBeGreaterThan(0.7);
    expect(accepted(false)).toBe(0);
  });
  it.each([
    [
      'The fund paid 27 grants in 2020 and 2021 together.',
      'In 2020 the fund paid 12 grants and in 2021 it paid 15.',
      '12 + 15 = 27',
    ],
    ['Sales grew by 25%.', 'Sales grew from 200 to 250 units.', '= 25%'],
    ['The trail is about 8 km long.', 'The trail is 5 miles long.', '5 miles'],
  ])('shows the computation: %s', (claim, quote, derivation) => {
    const verdict = supportOf(claim, quote);
    expect(verdict, verdict.reasons.join('; ')).toMatchObject({ verdict: 'supported', kind: 'derived' });
    expect(verdict.derivation).toContain(derivation);
  });
  it.each([
    ['tense and voice', 'Over 400 paintings are displayed by the museum.', 'The museum displays over 400 paintings.'],
    ['a noun of a deed', 'Parliament gave its approval to the budget.', 'Parliament approved the budget.'],
    ['a denied opposite', 'The shop is not open.', 'The shop is closed.'],
    ['a pronoun', 'Olga Petrov won the title in 1988.', 'Olga Petrov trained in Minsk. She won the title in 1988.'],
    ['an acronym', 'The rice was delivered by the WFP.', 'The World Food Programme (WFP) delivered the rice.'],
    ['part of a century', 'The school was built in the late 19th century.', 'The school was built in 1887.'],
  ])('accepts %s: %s', (_, claim, quote) => {
    const verdict = supportOf(claim, quote);
    expect(verdict.verdict, verdict.reasons.join('; ')).toBe('supported');
  });
  it.each([
    ['Sales grew by 50%.', 'Sales grew from 200 to 250 units.'],
    ['The company sold a small brewery in 2009.', 'The firm purchased a small brewery in 2009.'],
    ['The club lost 70 members between 2010 and 2020.', 'The club had 340 members in 2010 and 410 in 2020.'],
    ['The school was built in the early 19th century.', 'The school was built in 1887.'],
    ['A bonus is given to all staff.', 'All staff except trainees get a bonus.'],
    ['Pain was reduced by the drug.', 'The drug reduced pain in mice.'],
    [
      'In this state nobody has more people than the biggest city, Jackson.',
      'Jackson is the largest city by area in the state.',
    ],
    ['Ann was born in London.', 'Ann was born in Paris. Bob was born in London.'],
  ])('refuses: %s', (claim, quote) => {
    expect(supportOf(claim, quote)).toMatchObject({ verdict: 'unsupported', kind: 'quoted' });
  });
});
