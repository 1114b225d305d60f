import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/evals/metrics.ts';
import { signedRanks } from '../../src/evals/signed-ranks.ts';

describe('signed ranks', () => {
  it('agree with the tables of Wilcoxon and with R', () => {
    expect(signedRanks([])).toBe(1);
    expect(signedRanks([0, 0])).toBe(1);
    // wilcox.test(c(1:5)), all on one side: 2 / 2^5.
    expect(signedRanks([1, 2, 3, 4, 5])).toBeCloseTo(2 / 32, 12);
    // The heights of plants (Darwin): wilcox.test(c(6.1, -8.4, 1, 2, .7, 2.9, 3.5, 5.1, 1.8, 3.6, 7, 3, 9.3, 7.5, -6), paired) p = 0.04126.
    const darwin = [6.1, -8.4, 1, 2, 0.7, 2.9, 3.5, 5.1, 1.8, 3.6, 7, 3, 9.3, 7.5, -6];
    expect(signedRanks(darwin)).toBeCloseTo(0.04126, 4);
  });

  it('counts a large difference by its rank alone', () => {
    const small = [-0.1, -0.2, -0.3, -0.4, -0.5, -0.6, 0.05, 0.01];
    expect(signedRanks(small)).toBe(signedRanks(small.map((value) => value * 1000)));
    expect(signedRanks([...small.slice(0, 5), -60, 0.05, 0.01])).toBe(signedRanks(small));
  });

  it('is as near to the normal distribution as many differences are', () => {
    const random = seeded(3);
    const values = Array.from({ length: 100 }, () => random() - 0.42);
    const exact = signedRanks(values);
    expect(exact).toBeLessThan(0.2);
    expect(Math.abs(signedRanks([...values, 1e-9]) - exact)).toBeLessThan(0.005);
  });

  it('is below 0.05 by chance as often as it says', () => {
    const random = seeded(7);
    const rounds = 2000;
    let below = 0;
    for (let round = 0; round < rounds; round++)
      if (signedRanks(Array.from({ length: 14 }, () => random() - 0.5)) < 0.05) below++;
    expect(below / rounds).toBeLessThan(0.06);
    expect(below / rounds).toBeGreaterThan(0.035);
  });
});
