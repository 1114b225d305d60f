// Whether confidence can be believed: on the halves of the labelled sets that nothing was fitted on, how far what answers say of themselves is from
// the share of right first claims, how right the sure ones are, and what is refused. Usage: node bench/answers/confidence.ts [--dry];
// `--dry` writes no result.
import { parseArgs } from 'node:util';
import { closestBelow } from '../../src/passages/sureness.ts';
import { createRandom } from '../../testkit/history.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { type BenchGoal, writeResult } from '../report.ts';
import { type AskedRow, askSet, openAskedSets } from './sureness/asked-sets.ts';
import { reliabilityOf, type Said } from './sureness/reliability.ts';

const { values: flags } = parseArgs({ options: { dry: { type: 'boolean', default: false } } });

const mostError = 0.07;
const leastRight = 0.9;
const leastRefused = 0.75;
const mostWronglyRefused = 0.1;
const seed = 1;
const draws = 1000;
const gold = 'XQuAD-en';
const without = 'XQuAD-en without the gold paragraph';

const random = createRandom(seed);
const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
const times = (draw: () => readonly Said[]): number[] =>
  Array.from({ length: draws }, () => reliabilityOf(draw()).error);
/** Errors of a model whose every word is true, on answers that say the same. */
const byChance = (said: readonly Said[]): number[] =>
  times(() => said.map((one) => ({ said: one.said, isRight: random.next() < one.said })));
const resampled = (said: readonly Said[]): number[] =>
  times(() => said.flatMap(() => said[Math.floor(random.next() * said.length)] ?? []));
const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
const shareOf = (rows: readonly AskedRow[], counts: (row: AskedRow) => boolean): number =>
  rows.filter(counts).length / Math.max(1, rows.length);
const isRefused = ({ isAbstained }: AskedRow): boolean => isAbstained;
const isNotAsserted = ({ isAbstained, confidence }: AskedRow): boolean => isAbstained || confidence < closestBelow;

const goals: BenchGoal[] = [];
const metrics: Record<string, number> = {};
const sets: (string | number)[][] = [];
const refusals: (string | number)[][] = [];
const bins: (string | number)[][] = [];
for (const set of await openAskedSets()) {
  // The other half is what the fit saw: not asked, so that it cannot be looked at here.
  const cases = set.cases.filter((one, place) => !set.isOpen(one, place));
  const rows = await askSet({ ...set, cases, isOpen: () => false });
  const refused = shareOf(rows, isRefused);
  const notAsserted = shareOf(rows, isNotAsserted);
  refusals.push([set.name, rows.length, percent(refused), percent(notAsserted)]);
  metrics[`${set.name}: abstained`] = refused;
  metrics[`${set.name}: abstained or closest passages`] = notAsserted;
  console.log(refusals.at(-1)?.join('  '));
  const addGoal = (what: string, got: number, wanted: string, met: boolean): void =>
    void goals.push({ what: `${set.name}: ${what}`, wanted, got: percent(got), met });
  if (set.name === without) {
    addGoal('abstained', refused, `>= ${percent(leastRefused)}`, refused >= leastRefused);
    addGoal('abstained or closest passages', notAsserted, `>= ${percent(leastRefused)}`, notAsserted >= leastRefused);
    continue;
  }
  if (set.name === gold) {
    addGoal('abstained wrongly', refused, `<= ${percent(mostWronglyRefused)}`, refused <= mostWronglyRefused);
    addGoal(
      'abstained or closest passages',
      notAsserted,
      `<= ${percent(mostWronglyRefused)}`,
      notAsserted <= mostWronglyRefused,
    );
  }
  const said = rows.flatMap(({ isAbstained, confidence, isRight }) =>
    isAbstained ? [] : [{ said: confidence, isRight }],
  );
  const { right, error, sure, sureRight } = reliabilityOf(said);
  const chance = byChance(said);
  const spread = resampled(said);
  metrics[`${set.name}: calibration error`] = error;
  goals.push({
    what: `${set.name}: calibration error`,
    wanted: `<= ${mostError}`,
    got: error,
    met: error <= mostError,
  });
  if (sure > 0) {
    metrics[`${set.name}: right at 0.9 and more`] = sureRight;
    goals.push({
      what: `${set.name}: right at 0.9 and more`,
      wanted: `>= ${percent(leastRight)}`,
      got: `${percent(sureRight)} of ${sure}`,
      met: sureRight >= leastRight,
    });
  }
  sets.push([
    set.name,
    said.length,
    percent(right),
    percent(said.reduce((sum, one) => sum + one.said, 0) / Math.max(1, said.length)),
    error,
    `${quantile(chance, 0.5)}, ${quantile(chance, 0.95)}`,
    `${quantile(spread, 0.05)} to ${quantile(spread, 0.95)}`,
    sure,
    sure > 0 ? percent(sureRight) : '',
  ]);
  console.log(sets.at(-1)?.join('  '));
  for (let bin = 0; bin < 10; bin += 1) {
    const inside = said.filter((one) => Math.min(9, Math.floor(10 * one.said)) === bin);
    if (inside.length > 0)
      bins.push([
        set.name,
        `${bin / 10}-${(bin + 1) / 10}`,
        inside.length,
        percent(inside.reduce((sum, one) => sum + one.said, 0) / inside.length),
        percent(inside.filter((one) => one.isRight).length / inside.length),
      ]);
  }
}

if (!flags.dry)
  await writeResult('confidence', {
    title: 'Whether confidence can be believed',
    command: 'npm run bench confidence',
    seed,
    data: ['xquad-en', 'hotpotqa-100', 'rgb', 'financebench', 'documents', 'markdown'].flatMap(
      (name) => sharedData(name) ?? [],
    ),
    metrics,
    goals,
    tables: [
      {
        title: 'Answers of the halves that nothing was fitted on',
        columns: [
          'set',
          'answers',
          'first claim right',
          'mean confidence',
          'calibration error',
          'by chance: middle, one in twenty',
          '90 % of resamplings',
          'at 0.9 and more',
          'of them right',
        ],
        rows: sets,
      },
      {
        title: 'What is refused there',
        columns: ['set', 'questions', 'abstained', 'abstained or closest passages'],
        rows: refusals,
      },
      { title: 'By bin', columns: ['set', 'confidence', 'answers', 'mean', 'right'], rows: bins },
    ],
    notes: [
      'Fitted on (scripts/fit-confidence.ts): the articles of even number of XQuAD-en, with and without the gold paragraph, and every other question, from the first, of HotpotQA-100, RGB en_fact, the Attention paper, the documents and FinanceBench. Reported here: the others, and no more.',
      'The error is that of ten bins of equal width. "By chance" is the error of a model whose every word is true, on answers that say the same: a set of few answers cannot show less.',
      'Questions whose answer is yes or no are left out of HotpotQA-100: no text tells whether it says so. Of FinanceBench the questions that want a judgement or a figure to compute count as never answered by a sentence.',
    ],
  });
