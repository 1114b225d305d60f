// Fits how far the words of a claim in words of its own are carried by its quotes (src/answer/support/weights.json): a logistic function of the
// features, on the sentences of a real writer and on claims that people judged, once with the sentence encoder and once without. A set is left out at a time for what is
// printed; the thresholds are set on the writer's sentences, a question left out at a time, and on sentences that people made up to be nearly true. Usage: node scripts/fit-support.ts [--write]
import { writeFileSync } from 'node:fs';
import {
  climateFever,
  expertQa,
  faithBench,
  type JudgedPair,
  sciFact,
  wice,
} from '../bench/answers/own-words/judged-sets.ts';
import { areaUnderCurve } from '../bench/answers/own-words/measure.ts';
import { leastMatchOf, madeUpSentences, readClaim, writtenSentences } from '../bench/answers/own-words/real-writer.ts';
import { type FeatureName, featureNames, featuresOf } from '../src/answer/support/features.ts';
import { gradeOf } from '../src/answer/support/grade.ts';
import { openLocalEncoder } from '../src/models/encoder/local-encoder.ts';
import { writtenPairs } from '../testkit/forge/written-pairs.ts';
import { fitLogistic, type Logistic } from './logistic.ts';

interface Row {
  readonly set: string;
  readonly group: string;
  readonly claim: string;
  readonly isTrue: boolean;
  readonly features: readonly number[];
}

/** What a set weighs in the sum, its true claims as much as its false ones. */
const weightOf: Readonly<Record<string, number>> = {
  realwriter: 4,
  ExpertQA: 2,
  FaithBench: 1.5,
  WiCE: 1,
  SciFact: 1,
  'Climate-FEVER': 0.3,
  written: 0.5,
  'made up': 12,
};
/** Of made-up sentences of both kinds at most this share of what is confirmed is not carried, their half being false. */
const mostMadeUp = 0.3;
const folds = 6;
const ridge = 0.5;
const longestQuote = 4_000;
const withEncoder: readonly FeatureName[] = featureNames;
const withoutEncoder = featureNames.filter((name) => name !== 'leastMatch');

const spread = <Item>(all: readonly Item[], most: number): readonly Item[] =>
  all.length <= most
    ? all
    : all.filter((_, at) => Math.floor((at * most) / all.length) !== Math.floor(((at - 1) * most) / all.length));

const encoder = await openLocalEncoder();

/** Claims that fitting is asked about: rules do not carry them, nothing vetoes them, and they are no near copies that differ. */
async function rowOf(
  set: string,
  group: string,
  claim: string,
  isTrue: boolean,
  passages: Parameters<typeof readClaim>[1],
  question?: string,
): Promise<Row[]> {
  const read = readClaim(claim, passages, question);
  if (read.isQuoted || read.vetoes.length > 0) return [];
  const grade = gradeOf(read.comparison, read);
  if (grade.reasons.length !== 1 || !grade.reasons[0]?.startsWith('carried-by-chance')) return [];
  const features = featuresOf(read.comparison, await leastMatchOf(claim, read, encoder));
  return [{ set, group, claim, isTrue, features: featureNames.map((name) => features[name]) }];
}

const rows: Row[] = [];
for (const { id, question, claim, passages, isTrue } of writtenSentences())
  rows.push(...(await rowOf('realwriter', id, claim, isTrue, passages, question)));
for (const { id, question, claim, passages, isTrue } of madeUpSentences('fitted'))
  rows.push(...(await rowOf('made up', id, claim, isTrue, passages, question)));
const judged: readonly (readonly [readonly JudgedPair[], most: number])[] = [
  [expertQa(), 800],
  [faithBench(), 600],
  [wice(), 600],
  [sciFact(), 600],
  [climateFever(), 300],
  [writtenPairs.map((pair) => ({ ...pair, set: 'written' })), 600],
];
for (const [pairs, most] of judged)
  for (const { set, claim, quote, isTrue, question } of spread(pairs, most))
    rows.push(
      ...(await rowOf(set, quote, claim, isTrue, [{ quote: quote.slice(0, longestQuote), title: '' }], question)),
    );
await encoder.close();

const chanceBy = ({ bias, weights }: Logistic, values: readonly number[]): number =>
  1 / (1 + Math.exp(-values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias)));

function fitOn(
  some: readonly Row[],
  names: readonly FeatureName[],
): { chanceOf: (row: Row) => number; fitted: Logistic } {
  const places = names.map((name) => featureNames.indexOf(name));
  const valuesOf = ({ features }: Row): number[] => places.map((place) => features[place] ?? 0);
  const sizes = new Map<string, number>();
  for (const { set, isTrue } of some) sizes.set(`${set} ${isTrue}`, (sizes.get(`${set} ${isTrue}`) ?? 0) + 1);
  const fitted = fitLogistic(
    some.map((row) => ({
      features: valuesOf(row),
      isTrue: row.isTrue,
      weight: (40 * (weightOf[row.set] ?? 1)) / Math.max(20, sizes.get(`${row.set} ${row.isTrue}`) ?? 1),
    })),
    ridge,
  );
  return { fitted, chanceOf: (row) => chanceBy(fitted, valuesOf(row)) };
}

const two = (value: number): number => Math.round(100 * value) / 100;

/** From where on few enough of what is confirmed is false. */
function leastOf(all: readonly { readonly isTrue: boolean; readonly chance: number }[]): number {
  const steps = Array.from({ length: 50 }, (_, at) => two(0.5 + at / 100));
  const isEnough = (least: number): boolean => {
    const confirmed = all.filter(({ chance }) => chance >= least);
    const wrong = confirmed.filter(({ isTrue }) => !isTrue).length;
    return wrong <= mostMadeUp * confirmed.length;
  };
  return steps.find(isEnough) ?? 0.99;
}

function report(names: readonly FeatureName[]) {
  for (const set of Object.keys(weightOf)) {
    const held = rows.filter((row) => row.set === set);
    const { chanceOf } = fitOn(
      rows.filter((row) => row.set !== set),
      names,
    );
    const auc = areaUnderCurve(held.map((row) => ({ isTrue: row.isTrue, score: chanceOf(row) })));
    console.log(`${set}: ${held.length} claims, area under the curve with the set left out ${auc.toFixed(3)}`);
  }
  const madeUp = rows.filter(({ set }) => set === 'made up');
  const groups = [...new Set(madeUp.map(({ group }) => group))];
  const folded = Array.from({ length: folds }, (_, fold) => {
    const left = new Set(groups.filter((_group, at) => at % folds === fold));
    const { chanceOf } = fitOn(
      rows.filter(({ set, group }) => set !== 'made up' || !left.has(group)),
      names,
    );
    return madeUp.filter(({ group }) => left.has(group)).map((row) => ({ isTrue: row.isTrue, chance: chanceOf(row) }));
  }).flat();
  console.log(
    `made up, a sixth left out at a time ${areaUnderCurve(folded.map(({ isTrue, chance }) => ({ isTrue, score: chance }))).toFixed(3)}`,
  );
  const mine = rows.filter(({ set }) => set === 'realwriter');
  const scored = mine
    .map((row) => ({
      row,
      chance: fitOn(
        rows.filter(({ set, group }) => set !== 'realwriter' || group !== row.group),
        names,
      ).chanceOf(row),
    }))
    .sort((a, b) => b.chance - a.chance);
  console.log(
    `a question left out at a time ${areaUnderCurve(scored.map(({ row, chance }) => ({ isTrue: row.isTrue, score: chance }))).toFixed(3)}`,
  );
  for (const { row, chance } of scored)
    console.log(chance.toFixed(3), row.isTrue ? '+' : '    -', row.claim.slice(0, 80));
  const { fitted } = fitOn(rows, names);
  const falses = scored.filter(({ row }) => !row.isTrue).map(({ chance }) => chance);
  const trues = scored.filter(({ row }) => row.isTrue).map(({ chance }) => chance);
  // Above the best of the writer's false ones, and where few enough of the made-up ones are false.
  const confirmed = Math.max(two((falses[0] ?? 0.7) + 0.01), leastOf(folded));
  return {
    bias: two(fitted.bias),
    confirmed,
    // With what rules carry, nine of ten that are carried have as much.
    shown: Math.min(two(trues[Math.floor(0.88 * trues.length)] ?? 0.6), two(confirmed - 0.1)),
    weights: Object.fromEntries(
      featureNames.map((name) => [name, names.includes(name) ? two(fitted.weights[names.indexOf(name)] ?? 0) : 0]),
    ),
  };
}

const weights = {
  about: `The chance that quotes carry a claim in words of its own: a logistic function, fitted by scripts/fit-support.ts on ${rows.length} claims.`,
  withEncoder: report(withEncoder),
  withoutEncoder: report(withoutEncoder),
};
console.log(JSON.stringify(weights, undefined, 2));
if (process.argv.includes('--write'))
  writeFileSync(
    new URL('../src/answer/support/weights.json', import.meta.url),
    `${JSON.stringify(weights, undefined, 2)}\n`,
  );
