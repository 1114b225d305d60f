// Fits the model of confidence: boosted stumps over what is measured of the first claim, on the open half of every labelled set, each with a weight
// of its own whatever its size. Usage: node scripts/fit-confidence.ts [--write] [--rows=FILE]. Asking takes some minutes: `--rows` keeps what was
// measured in a file, and reads it from there the next time. Deterministic.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type AskedRow, askSet, openAskedSets } from '../bench/answers/sureness/asked-sets.ts';
import { reliabilityOf } from '../bench/answers/sureness/reliability.ts';
import { confidenceOf } from '../src/answer/confidence.ts';
import { surenessNames } from '../src/answer/extract/sureness.ts';
import { hopsOf } from '../src/answer/hops.ts';
import { boost, type FittedRow } from './boosted-stumps.ts';
import { fitLogistic } from './logistic.ts';

const { values: flags } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    rows: { type: 'string' },
    reported: { type: 'boolean', default: false },
  },
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
  'left out': -1,
  'nearly as good': -1,
  'told elsewhere': -1,
  'told beside': -1,
  'figures in the claim': -1,
  'breaks off': -1,
  'words in the claim': 1,
  'documents among ten': -1,
  'is about the document': 1,
  'rarest word missing': -1,
  'margin over what says otherwise': 1,
  'told by others': 1,
  'account periods missing': -1,
  'weighing untold': -1,
};
/** What tells questions that take two steps from others. */
const hopNames: readonly (typeof surenessNames)[number][] = [
  'length',
  'names asked',
  'describes',
  'is put together',
  'lead',
  'margin over documents',
  'is about the document',
];
/** The set of such questions; it is small, so each of its rows counts for several. */
const hopSet = /^Hotpot/u;
const hopWeight = 8;
/** What a set weighs. Sets whose questions have no answer there are not fitted on: confidence is of answers, and refusing comes before. */
const weights: readonly (readonly [name: RegExp, weight: number])[] = [
  [/without the gold paragraph/u, 0],
  [/^XQuAD/u, 1],
  [/^Hotpot/u, 0.4],
  [/^RGB/u, 0.2],
  [/^Attention/u, 0.15],
  [/^Documents/u, 0.35],
  [/^FinanceBench/u, 0.25],
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

const measured = rows.flatMap((row) =>
  row.numbers && row.giving ? [{ ...row, numbers: row.numbers, giving: row.giving }] : [],
);
const open = measured.filter(({ isOpen }) => isOpen);
const hopFeatures = hopNames.map((name) => surenessNames.indexOf(name));
const hopRows = open
  // Whether questions over filings take two steps nobody labelled.
  .filter(({ set }) => !set.startsWith('FinanceBench') && weightOf(set) > 0)
  .map(({ set, numbers }): FittedRow => {
    const isTrue = hopSet.test(set);
    return {
      features: hopFeatures.map((feature) => numbers[feature] as number),
      isTrue,
      weight: isTrue ? hopWeight : 1,
    };
  });
const toDigits = (value: number): number => Number(value.toFixed(4));
const logistic = fitLogistic(hopRows, 1);
const hopModel = {
  bias: toDigits(logistic.bias),
  weights: hopFeatures.map((feature, at) => [feature, toDigits(logistic.weights[at] as number)] as const),
};
const ofHops = open
  .filter(({ set }) => hopSet.test(set))
  .map((row) => ({ ...row, hops: hopsOf(row.numbers, hopModel) }));
const shareOfHops = (of: readonly { readonly hops: number }[]): number => of.reduce((sum, { hops }) => sum + hops, 0);
const right = toDigits(shareOfHops(ofHops.filter(({ isRight }) => isRight)) / Math.max(1e-9, shareOfHops(ofHops)));

const fitted = open.map(
  ({ set, numbers, isRight }): FittedRow => ({
    features: numbers,
    isTrue: isRight,
    weight: ((1000 * weightOf(set)) / open.filter((row) => row.set === set).length) * (1 - hopsOf(numbers, hopModel)),
  }),
);
const stumps = boost(fitted, {
  directions: surenessNames.map((name) => directions[name]),
  // More fit the halves better and their left-out fifths worse.
  rounds: 60,
  rate: 0.1,
  ridge: 20,
  shares: 24,
});
/** What the chance of two steps takes from plain questions is given back to them, so that on the whole as much is said as is so. */
const biasOf = (): number => {
  const others = open.filter(({ set }) => !hopSet.test(set) && weightOf(set) > 0);
  const excess = (bias: number): number =>
    others.reduce((sum, { set, numbers, giving, isRight }) => {
      const said = confidenceOf(numbers, giving, { bias, stumps, hops: { ...hopModel, right } });
      return sum + ((said - (isRight ? 1 : 0)) * weightOf(set)) / others.filter((row) => row.set === set).length;
    }, 0);
  let [low, high] = [-2, 2];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (excess(middle) > 0) high = middle;
    else low = middle;
  }
  return toDigits((low + high) / 2);
};
const model = { bias: biasOf(), stumps, hops: { ...hopModel, right } };
for (const set of new Set(rows.map((row) => row.set)))
  for (const isOpen of [true, false]) {
    const of = measured.filter((row) => row.set === set && row.isOpen === isOpen);
    const { error, right, sure, sureRight } = reliabilityOf(
      of.map(({ numbers, giving, isRight }) => ({ said: confidenceOf(numbers, giving, model), isRight })),
    );
    if (!isOpen && !flags.reported) continue;
    console.log(set, isOpen ? 'fitted on' : 'reported', of.length, { right, error, sure, sureRight });
  }
if (flags.write)
  writeFileSync(
    resolve(import.meta.dirname, '../src/answer/confidence-weights.ts'),
    `// Fitted by \`node scripts/fit-confidence.ts --write\` on the open halves: not to be changed by hand. Each step: number of the feature
// (extract/sureness.ts), threshold, what is added at or below it, what is added above.
// Of hops: number of the feature and its weight; how often the first claim of a question that takes two steps is right.
import type { HopModel } from './hops.ts';
import type { Stumps } from './stumps.ts';

export const confidenceModel: Stumps & { readonly hops: HopModel } = {
  hops: {
    bias: ${hopModel.bias},
    weights: [
${hopModel.weights.map((weight) => `      [${weight.join(', ')}],`).join('\n')}
    ],
    right: ${right},
  },
  bias: ${model.bias},
  stumps: [
${model.stumps.map((stump) => `    [${stump.join(', ')}],`).join('\n')}
  ],
};
`,
  );
