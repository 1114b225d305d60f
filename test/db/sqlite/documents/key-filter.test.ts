// A filter of hashes never denies one that was added, and denies most others, however many there are.
import { describe, expect, it } from 'vitest';
import { createKeyFilter } from '../../../../src/db/sqlite/documents/key-filter.ts';
import { createRandom } from '../../../../testkit/history.ts';

describe('createKeyFilter', () => {
  it.each([0, 1, 1024, 50_000])('knows %i hashes, and denies more than nine in ten of others', (count) => {
    const random = createRandom(7);
    const draw = (): number => random.below(2 ** 24) * 2 ** 24 + random.below(2 ** 24);
    const filter = createKeyFilter();
    const keys = Array.from({ length: count }, draw);
    for (const key of keys) filter.add(key);
    expect(keys.every(filter.mayHave)).toBe(true);
    const others = Array.from({ length: 10_000 }, draw);
    expect(others.filter(filter.mayHave).length).toBeLessThan(1000);
  });

  it('tells small hashes apart, which are the ones that texts are found by', () => {
    const filter = createKeyFilter();
    for (let key = 0; key < 20_000; key += 2) filter.add(key * 2 ** 17);
    let denied = 0;
    for (let key = 1; key < 20_000; key += 2) denied += filter.mayHave(key * 2 ** 17) ? 0 : 1;
    expect(denied).toBeGreaterThan(5000);
  });
});
