// Spoiled files of every kind, given to the real parsers (goal: 20,000 without an untyped error): some in every run, all of them in the long
// one. `npm run bench fuzz-parsers` does the same with the files of the evaluation data as seeds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzzSeeds } from '../../packages/readers/testkit/fuzz-seeds.ts';
import { mutate, type Seed, seeded } from '../../packages/readers/testkit/mutate.ts';
import type { CuttingPool } from '../../src/ingest/read/parse.ts';
import { createParserPool } from '../../src/ingest/read/parser-pool.ts';
import { fuzz } from '../../testkit/fuzz/documents.ts';

const count = process.env['FOOTNOTE_TEST_LONG'] === undefined ? 400 : 20_000;

let pool: CuttingPool;
beforeAll(() => {
  pool = createParserPool({ size: 2 });
});
afterAll(() => pool.close());

describe('spoiled files', () => {
  it(`end as documents or typed errors, ${count} of them`, { timeout: 3_600_000 }, async () => {
    const report = await fuzz(pool, await fuzzSeeds(), { count });
    expect(report.untyped).toEqual([]);
    expect(report.hung).toEqual([]);
    expect([...report.outcomes.values()].reduce((sum, each) => sum + each, 0)).toBe(count);
    // Spoiled lightly, many can still be read; were none, the seeds would be no files.
    expect(report.outcomes.get('read')).toBeGreaterThan(count / 5);
    expect(report.outcomes.get('invalid-media')).toBeGreaterThan(0);
  });

  it('are told from sound ones by their findings: an untyped error is one', async () => {
    const seeds: readonly Seed[] = [{ name: 'a.md', bytes: Buffer.from('# One\n\nText of some length.') }];
    const broken: CuttingPool = {
      ...pool,
      cut: () => Promise.reject(new TypeError('undefined is not a function')),
    };
    const report = await fuzz(broken, seeds, { count: 3 });
    expect(report.untyped.map(({ what }) => what)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^internal/)),
    );
  });

  it('are spoiled in the same way by the same seed', () => {
    const seed: Seed = { name: 'a.md', bytes: Buffer.from('# One\n\nText of some length, 12 words.') };
    const spoiled = Array.from({ length: 50 }, (_, at) => mutate(seed, seed, seeded(at)).toString('hex'));
    expect(spoiled).toEqual(Array.from({ length: 50 }, (_, at) => mutate(seed, seed, seeded(at)).toString('hex')));
    expect(new Set(spoiled).size).toBeGreaterThan(40);
  });
});
