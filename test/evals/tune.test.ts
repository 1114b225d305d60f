import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastQueries, splitFolds, type Tuning, tune } from '../../src/evals/tune.ts';

const score = fc.double({ min: 0, max: 1, noNaN: true });
const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 40 });
const folds = fc.integer({ min: 2, max: 8 });
const seeds = fc.integer({ min: 0, max: 1000 });

/** Queries with scores for the setting in use and for up to five others. */
const tunings = ids.chain((queryIds) => {
  const scores = fc.array(score, { minLength: queryIds.length, maxLength: queryIds.length });
  return fc.record({
    queryIds: fc.constant(queryIds),
    inUse: scores,
    candidates: fc
      .array(scores, { maxLength: 5 })
      .map((all) => all.map((values, setting) => ({ setting, scores: values }))),
    folds,
    seed: seeds,
  });
});

const meanAt = (scores: readonly number[], places: readonly number[]): number =>
  places.reduce((sum, place) => sum + scores[place]!, 0) / places.length;

describe('splitFolds', () => {
  it('parts the queries evenly, by ids and seed alone', () => {
    fc.assert(
      fc.property(ids, folds, seeds, (queryIds, count, seed) => {
        const foldOf = splitFolds(queryIds, count, seed);
        const sizes = Array.from({ length: count }, (_, fold) => foldOf.filter((own) => own === fold).length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(queryIds.length);
        const reversed = splitFolds([...queryIds].reverse(), count, seed).reverse();
        expect(reversed).toEqual(foldOf);
      }),
    );
  });

  it('deals differently for another seed', () => {
    const queryIds = Array.from({ length: 40 }, (_, index) => `q${index}`);
    expect(splitFolds(queryIds, 5, 1)).not.toEqual(splitFolds(queryIds, 5, 2));
  });
});

describe('tune', () => {
  it('chooses for each fold what is best on the other folds, and scores the fold with it', () => {
    fc.assert(
      fc.property(tunings, (tuning) => {
        const report = tune(tuning);
        const count = Math.min(tuning.folds, tuning.queryIds.length);
        const foldOf = splitFolds(tuning.queryIds, count, tuning.seed);
        const all = tuning.queryIds.map((_, place) => place);
        expect(report.folds).toHaveLength(count);
        for (const [fold, result] of report.folds.entries()) {
          const own = all.filter((place) => foldOf[place] === fold);
          const others = all.filter((place) => foldOf[place] !== fold);
          const chosen = result.setting === undefined ? tuning.inUse : tuning.candidates[result.setting]!.scores;
          for (const { scores } of [{ scores: tuning.inUse }, ...tuning.candidates])
            expect(meanAt(scores, others)).toBeLessThanOrEqual(meanAt(chosen, others) + 1e-8);
          expect(result.tuned).toBeCloseTo(meanAt(chosen, own), 12);
          expect(result.inUse).toBeCloseTo(meanAt(tuning.inUse, own), 12);
        }
        const weighted = report.folds.reduce((sum, fold) => sum + fold.tuned * fold.queries, 0);
        expect(report.tuned.mean).toBeCloseTo(weighted / tuning.queryIds.length, 10);
        expect(report.gain.mean).toBeCloseTo(report.tuned.mean - report.inUse.mean, 10);
      }),
    );
  });

  it('never lets a fold speak for its own setting', () => {
    fc.assert(
      fc.property(tunings, fc.nat(), (tuning, which) => {
        const count = Math.min(tuning.folds, tuning.queryIds.length);
        const fold = which % count;
        const foldOf = splitFolds(tuning.queryIds, count, tuning.seed);
        const turned = (scores: readonly number[]): number[] =>
          scores.map((value, place) => (foldOf[place] === fold ? 1 - value : value));
        const changed: Tuning<number> = {
          ...tuning,
          inUse: turned(tuning.inUse),
          candidates: tuning.candidates.map(({ setting, scores }) => ({ setting, scores: turned(scores) })),
        };
        expect(tune(changed).folds[fold]?.setting).toBe(tune(tuning).folds[fold]?.setting);
      }),
    );
  });

  it('keeps the setting in use where nothing is better, whatever the number of labels', () => {
    fc.assert(
      fc.property(tunings, (tuning) => {
        const none = { ...tuning, candidates: [{ setting: 0, scores: [...tuning.inUse] }] };
        const report = tune(none);
        expect(report.best).toBeUndefined();
        expect(report.gain.mean).toBe(0);
        expect(report.recommended).toBe(false);
      }),
    );
  });

  const many = Array.from({ length: 60 }, (_, index) => `q${index}`);
  const better = { setting: 'better', scores: many.map((_, index) => 0.6 + (index % 7) / 100) };

  it('recommends what is better on queries that it was not chosen on', () => {
    const report = tune({ queryIds: many, inUse: many.map(() => 0.4), candidates: [better] });
    expect(report).toMatchObject({ best: 'better', recommended: true, reasons: [] });
    expect(report.gain.p).toBeLessThan(0.001);
    expect(report.folds.map(({ setting }) => setting)).toEqual(Array.from({ length: 5 }, () => 'better'));
  });

  it('recommends nothing on few labels, or where the gain may be chance', () => {
    const few = many.slice(0, leastQueries - 1);
    const little = tune({ queryIds: few, inUse: few.map(() => 0.4), candidates: [better] });
    expect(little).toMatchObject({ best: 'better', recommended: false });
    expect(little.reasons.join(' ')).toContain('Only 29');
    // One query in twenty gains much, the others lose a little: better on the whole, for all that anyone can tell by luck.
    const lucky = { setting: 'lucky', scores: many.map((_, index) => (index % 20 === 0 ? 1 : 0.38)) };
    const chance = tune({ queryIds: many, inUse: many.map(() => 0.4), candidates: [lucky] });
    expect(chance).toMatchObject({ best: 'lucky', recommended: false });
    expect(chance.reasons.join(' ')).toMatch(/chance|not chosen on/);
  });

  it('refuses a single query', () => {
    expect(() => tune({ queryIds: ['q'], inUse: [1], candidates: [] })).toThrow(/labelled queries/);
  });
});
