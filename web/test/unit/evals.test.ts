// Runs of suites in the pages: what is no run is refused, and two runs compare as the command line compares them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRuns as byCommand } from '../../../src/evals/suite/compare.ts';
import type { SuiteRun } from '../../../src/evals/suite/run.ts';
import { compareRuns } from '../../src/evals/compare.ts';
import { daysBetween, scoreText } from '../../src/evals/figures-text.ts';
import { readRun } from '../../src/evals/run-file.ts';

const judges = [
  { name: 'completeness', by: 'rules', threshold: 0.7 },
  { name: 'relevance by model', by: 'model', threshold: 0.5 },
];
const score = fc.constantFrom(0, 0.25, 0.5, 1);
const result = fc.record({
  measures: fc.record(
    { completeness: score, 'relevance by model': score, 'runs through': score },
    { requiredKeys: [] },
  ),
  abstained: fc.boolean(),
  answer: fc.constantFrom('It is so.', 'It is not.'),
});
const run = fc.array(result, { minLength: 1, maxLength: 12 }).map(
  (results): SuiteRun => ({
    ...{ format: 'footnote-eval-run', version: 1, suite: { name: 's', sha256: 'x' }, program: '1.0.0' },
    ...{ at: '2026-01-01T00:00:00.000Z', mode: 'hybrid', settings: {}, judges, summary: {}, medianMs: 1 },
    results: results.map(({ measures, ...rest }, at) => ({
      id: `q${at}`,
      question: `Question ${at}?`,
      measures: measures as Record<string, number>,
      ...{ reasons: {}, missed: [], cited: [], milliseconds: 1, confidence: 1 },
      ...rest,
    })),
  }),
);

describe('two runs', () => {
  it('compare as footnote eval compare compares them', () => {
    fc.assert(
      fc.property(run, run, (before, after) => {
        const told = byCommand(before, after);
        const shown = compareRuns(before, after);
        expect(shown.questions).toBe(told.questions);
        expect(shown.missing).toBe(before.results.length - told.questions);
        expect(shown.measures).toEqual(told.measures.map(({ p: _, ...measure }) => measure));
        expect(shown.changed.map(({ id, balance, changes }) => ({ id, balance, changes }))).toEqual(
          told.changed.map(({ id, balance, changes }) => ({ id, balance, changes })),
        );
      }),
      { numRuns: 25 },
    );
  });

  it('of different suites are refused', () => {
    const [one] = fc.sample(run, 1);
    const other = { ...one!, suite: { name: 'other', sha256: 'y' } };
    expect(() => compareRuns(one!, other)).toThrow('different suites');
  });
});

describe('a file', () => {
  it('is a run as it was written', () => {
    fc.assert(
      fc.property(run, (one) => {
        expect(readRun(JSON.stringify(one), 'run.json')).toEqual(one);
      }),
      { numRuns: 20 },
    );
  });

  it('that is none is refused, whatever is wrong with it', () => {
    const [one] = fc.sample(run, 1);
    const broken = [
      {},
      { ...one, results: [{}] },
      { ...one, results: 'none' },
      { ...one, judges: [{ name: 'x' }] },
      { ...one, at: 'soon' },
      { ...one, results: [{ ...one!.results[0], measures: { completeness: 'high' } }] },
    ];
    for (const value of [...broken.map((wrong) => JSON.stringify(wrong)), 'no JSON', '[]', 'null'])
      expect(() => readRun(value, 'notes.json')).toThrow('notes.json is no run of a suite');
    expect(() => readRun(JSON.stringify({ ...one, version: 2 }), 'run.json')).toThrow('newer Footnote');
  });
});

describe('figures', () => {
  it('name every day, and say where there is none', () => {
    expect(daysBetween('2024-02-27', '2024-03-01')).toEqual(['2024-02-27', '2024-02-28', '2024-02-29', '2024-03-01']);
    expect(daysBetween('2024-03-01', '2024-02-01')).toEqual([]);
    expect(scoreText(null)).toBe('–');
    expect(scoreText(0.125)).toBe('0.13');
  });
});
