// What `support` says of claims that the rules refuse, and what a quote states that was taken apart for machines.
import { describe, expect, it } from 'vitest';
import { sentencesOfProse } from '../../../src/answer/support/prose.ts';
import { supportOfRefused } from '../../../src/answer/support/refused.ts';
import { supportOf } from '../../../src/answer/support.ts';
import { vetoesOf } from '../../../src/answer/vetoes.ts';

const apart = `the ferry left the harbour of lund at dawn , carrying 214 people and their cars .
a crew member looks back at the quay while the ropes are drawn in
" nobody was afraid , " said ida holm , 61 , who has crossed 38 times since 1990 .
the crossing took three hours and cost 45 euros each .`;

describe('a quote that was taken apart for machines', () => {
  it('has its sentences where full stops stand by themselves, and at the ends of its lines', () => {
    expect(sentencesOfProse(apart)).toHaveLength(4);
    expect(sentencesOfProse('He met Dr. Low at 3.5 km . It rained . they left .')).toHaveLength(3);
  });

  it('is left alone where it is written as people write', () => {
    const text = 'The pier in St. Ives was built\nin 1894. It is 300 m long.';
    expect(sentencesOfProse(text)).toEqual(['The pier in St. Ives was built\nin 1894.', 'It is 300 m long.']);
  });

  it('states its figures and names, in a caption without a full stop too', () => {
    const vetoes = (claim: string): readonly string[] =>
      vetoesOf({ claim, quotes: [{ quote: apart, title: '' }], reasons: supportOf(claim, apart).reasons }).vetoes;
    expect(vetoes('The ferry carried 214 people, and the trip lasted three hours at a price of 45 euros.')).toEqual([]);
    expect(vetoes('Ida Holm, aged 61, has made the trip 38 times since 1990.')).toEqual([]);
    expect(vetoes('The ferry carried 241 people, and the trip lasted three hours.').join()).toContain('241');
    expect(vetoes('The ferry left the harbour of Malmo at dawn with cars.').join()).toContain('Malmo');
  });

  it('lends no sentence the words of another', () => {
    expect(supportOf('The crew member has crossed 38 times.', apart).verdict).toBe('unsupported');
  });
});

describe('support of a refused claim', () => {
  const quote =
    'The council of Ardmore approved the new library in March 2019. It will open once the old market hall has been repaired.';

  it('is more, the more of the claim the quote carries, and always less than that of an accepted one', () => {
    const of = (claim: string): number => supportOf(claim, quote).support;
    const near = of('The council of Ardmore gladly approved the beautiful new library.');
    const far = of('The council of a town that was tired of waiting rejected plans of its mayor.');
    const strange = of('Bananas ripen faster beside apples.');
    expect(near).toBeGreaterThan(far);
    expect(far).toBeGreaterThan(strange);
    expect(near).toBeLessThan(0.5);
    expect(of('The new library was approved by the council of Ardmore in March 2019.')).toBeGreaterThan(0.9);
  });

  it('keeps the order of what is covered, below the half', () => {
    const shares = [0, 0.2, 0.4, 0.6, 0.8, 1].map(supportOfRefused);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(new Set(shares).size).toBe(shares.length);
    expect(Math.max(...shares)).toBeLessThan(0.5);
  });
});
