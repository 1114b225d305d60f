// Fits the model of confidence: boosted stumps over what is measured of the first claim, on the open half of every labelled set, each with a weight
// of its own whatever its size. Usage: node scripts/fit-confidence.ts [--write] [--rows=FILE]. Asking takes some minutes: `--rows` keeps what was
// measured in a file, and reads it from there the next time. Deterministic.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type AskedRow, askSet, openAskedSets } from '../bench/answers/sureness/asked-sets.ts';
import { reliabilityOf } from '../bench/answers/sureness/reliability.ts';
import { surenessNames } from '../src/answer/extract/sureness.ts';
import { scoreOf } from '../src/answer/support/own-words/model.ts';
import { boost, type FittedRow } from './boosted-stumps.ts';

const { values: flags } = parseArgs({
  options: { write: { type: 'boolean', default: false }, rows: { type: 'string' } },
});

/** Confidence may only grow (1) or fall (-1) with what is measured; what is not named here is left out. */
const directions: Readonly<Partial<Record<(typeof surenessNames)[number], 1 | -1>>> = {
  answerable: 1,
  piece: 1,
  window: 1,
  chunk: 1,
  names: 1,
  subject: 1,
  numbers: 1,
  lead: 1,
  strength: 1,
  length: -1,
  'claim coverage': 1,
  'claim before': 1,
  'claim titled': 1,
  'claim chunk': 1,
  'claim order': 1,
  'claim density': 1,
  'gives what was asked': 1,
  margin: 1,
  'margin over documents': 1,
  'margin over what fits': 1,
  agreement: 1,
  crowd: -1,
  'is a row': -1,
  'is prose': 1,
  'asks several': -1,
  'missing names': -1,
  'missing numbers': -1,
  'missing weight': -1,
  'best score': 1,
  describes: -1,
  'is put together': -1,
  'names asked': -1,
  long: -1,
};
/** What a set weighs. Sets whose questions have no answer there are not fitted on: confidence is of answers, and refusing comes before. */
const weights: readonly (readonly [name: RegExp, weight: number])[] = [
  [/without the gold paragraph/u, 0],
  [/^XQuAD/u, 1],
  [/^Hotpot/u, 0.15],
  [/^RGB/u, 0.2],
  [/^Attention/u, 0.15],
  [/^Documents/u, 0.35],
  [/^FinanceBench/u, 0.1],
];
const weightOf = (set: string): number => weights.find(([name]) => name.test(set))?.[1] ?? 0;

const rows: AskedRow[] = [];
if (flags.rows !== undefined && existsSync(flags.rows))
  rows.push(...(JSON.parse(readFileSync(flags.rows, 'utf8')) as AskedRow[]));
else
  for (const set of await openAskedSets()) {
    rows.push(...(await askSet(set)));
    console.log(set.name, set.cases.length);
  }
if (flags.rows !== undefined && !existsSync(flags.rows)) writeFileSync(flags.rows, JSON.stringify(rows));

const measured = rows.flatMap((row) => (row.numbers ? [{ ...row, numbers: row.numbers }] : []));
const open = measured.filter(({ isOpen }) => isOpen);
const fitted = open.map(
  ({ set, numbers, isRight }): FittedRow => ({
    features: numbers,
    isTrue: isRight,
    weight: (1000 * weightOf(set)) / open.filter((row) => row.set === set).length,
  }),
);
const model = {
  bias: 0,
  stumps: boost(fitted, {
    directions: surenessNames.map((name) => directions[name]),
    rounds: 200,
    rate: 0.1,
    ridge: 10,
    shares: 24,
  }),
};
for (const set of new Set(rows.map((row) => row.set)))
  for (const isOpen of [true, false]) {
    const of = measured.filter((row) => row.set === set && row.isOpen === isOpen);
    const { error, right, sure, sureRight } = reliabilityOf(
      of.map(({ numbers, isRight }) => ({ said: scoreOf(numbers, model), isRight })),
    );
    console.log(set, isOpen ? 'fitted on' : 'reported', of.length, { right, error, sure, sureRight });
  }
if (flags.write)
  writeFileSync(
    resolve(import.meta.dirname, '../src/answer/confidence-weights.ts'),
    `// Fitted by \`node scripts/fit-confidence.ts --write\` on the open halves: not to be changed by hand. Each step: number of the feature
// (extract/sureness.ts), threshold, what is added at or below it, what is added above.
import type { SupportModel } from './support/own-words/model.ts';

export const confidenceModel: Pick<SupportModel, 'bias' | 'stumps'> = {
  bias: ${model.bias},
  stumps: [
${model.stumps.map((stump) => `    [${stump.join(', ')}],`).join('\n')}
  ],
};
`,
  );
