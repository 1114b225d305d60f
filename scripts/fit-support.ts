// Fits the model of support on the open halves: boosted stumps over the measured numbers of each pair, every set with the same weight
// whatever its size; then turns scores into shares on the judged ones. Usage: node scripts/fit-support.ts [--write]. Deterministic.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  climateFever,
  expertQa,
  faithBench,
  sciFact,
  wice,
  xquadSentences,
} from '../bench/answers/own-words/judged-sets.ts';
import { areaUnderCurve } from '../bench/answers/own-words/measure.ts';
import { featureNames } from '../src/answer/support/own-words/features.ts';
import { type Calibration, gradeOf, scoreOf } from '../src/answer/support/own-words/model.ts';
import { mostRefused, ownReading, verbatimSupport } from '../src/answer/support.ts';
import { segmentSentences } from '../src/text/sentences.ts';
import { cutsOf } from '../testkit/forge/cuts.ts';
import { forgePairs, forgeries, rewrites } from '../testkit/forge/forge.ts';
import { writtenPairs } from '../testkit/forge/written-pairs.ts';
import { boost } from './boosted-stumps.ts';

interface Pair {
  readonly claim: string;
  readonly quote: string;
  readonly isTrue: boolean;
}
interface Row {
  readonly features: readonly number[];
  readonly set: string;
  readonly isTrue: boolean;
  readonly weight: number;
  /** What the comparison word by word found, 0..1. */
  readonly read: number;
  readonly isCarried: boolean;
  /** People judged it: calibration asks for nothing else. */
  readonly isJudged: boolean;
}

/** Support may only grow (1) or fall (-1) with what is measured; what is not named here is left out. */
const directions: Readonly<Partial<Record<(typeof featureNames)[number], 1 | -1>>> = {
  'uncovered share': -1,
  'uncovered words': -1,
  'uncovered names': -1,
  'uncovered long words': -1,
  'anchor share': 1,
  'neighbours share': 1,
  'jumps share': -1,
  'strict support': 1,
  'strict problems': -1,
  'claim words': -1,
  'longest run': 1,
  'pairs share': 1,
  'soft share': -1,
  contradictions: -1,
  'strict relation': -1,
  'strict order or roles': -1,
  'in order share': 1,
};

const sentences = xquadSentences((text) => segmentSentences(text, { language: 'en' })).filter(
  ({ length }) => length > 40 && length < 300,
);
const forgeable = sentences.map((text) => ({ text, language: 'en' as const }));
const thin = <T>(list: readonly T[], most: number): T[] =>
  list.filter((_, at) => at % Math.ceil(list.length / most) === 0);
const sets: readonly (readonly [string, number, readonly Pair[]])[] = [
  ['FaithBench', 2, faithBench().filter(({ isOpen }) => isOpen)],
  ['WiCE', 1.2, wice().filter(({ isOpen }) => isOpen)],
  ['SciFact', 0.4, sciFact().filter(({ isOpen }) => isOpen)],
  [
    'Climate-FEVER',
    0.2,
    thin(
      climateFever().filter(({ isOpen }) => isOpen),
      700,
    ),
  ],
  [
    'ExpertQA',
    0.4,
    thin(
      expertQa().filter(({ isOpen }) => isOpen),
      300,
    ),
  ],
  ['written', 1.2, writtenPairs.filter(({ isOpen }) => isOpen)],
  [
    'forged',
    0.2,
    forgePairs(forgeable, { count: 500, seed: 5, kinds: forgeries }).map((pair) => ({ ...pair, isTrue: false })),
  ],
  [
    'rewritten',
    0.2,
    forgePairs(forgeable, { count: 300, seed: 5, kinds: rewrites }).map((pair) => ({ ...pair, isTrue: true })),
  ],
  ['cuts', 0.1, thin(sentences.flatMap(cutsOf), 300).map((cut) => ({ ...cut, isTrue: !cut.isHarmful }))],
];

const rows: Row[] = [];
for (const [name, weight, pairs] of sets) {
  const mine = pairs.flatMap(({ claim, quote, isTrue }) => {
    const strict = verbatimSupport(claim, quote);
    const reading = ownReading(claim, quote, { strict });
    const read = Math.min(1, strict.support / mostRefused);
    const isJudged = !/^(?:forged|rewritten|cuts)$/u.test(name);
    return reading
      ? [{ set: name, features: reading.features, isTrue, read, isCarried: reading.isCarried, isJudged }]
      : [];
  });
  // True and false ones of a set weigh the same.
  for (const side of [true, false]) {
    const of = mine.filter(({ isTrue }) => isTrue === side);
    for (const row of of) rows.push({ ...row, weight: (1000 * weight) / 2 / of.length });
  }
  console.log(name, mine.length, mine.filter(({ isTrue }) => isTrue).length);
}

const bias = 0;
const kept = boost(rows, {
  directions: featureNames.map((name) => directions[name]),
  rounds: 250,
  rate: 0.12,
  ridge: 20,
  shares: 24,
});
const scored = rows.map((row) => ({ ...row, score: scoreOf(row.features, { bias, stumps: kept }) }));

/** Logistic regression on the grade alone, by Newton's steps; every judged set weighs the same, its true and false claims too. */
function calibrate(refused: readonly (typeof scored)[number][]): Calibration {
  let [at, slope] = [0, 0];
  for (let step = 0; step < 50; step += 1) {
    let [gradientAt, gradientSlope, a, b, c] = [0, 0, 1e-6, 0, 1e-6];
    for (const { isTrue, weight, score, read } of refused) {
      const grade = gradeOf(score, read);
      const share = 1 / (1 + Math.exp(-(at + slope * grade)));
      const curve = weight * share * (1 - share);
      gradientAt += weight * ((isTrue ? 1 : 0) - share);
      gradientSlope += weight * grade * ((isTrue ? 1 : 0) - share);
      a += curve;
      b += curve * grade;
      c += curve * grade * grade;
    }
    const determinant = a * c - b * b;
    at += (c * gradientAt - b * gradientSlope) / determinant;
    slope += (a * gradientSlope - b * gradientAt) / determinant;
  }
  return { bias: Number(at.toFixed(4)), slope: Number(slope.toFixed(4)) };
}
const judged = scored.filter(({ isJudged }) => isJudged);
const perSet = new Map<string, number>();
for (const { set, isTrue } of judged) perSet.set(`${set} ${isTrue}`, (perSet.get(`${set} ${isTrue}`) ?? 0) + 1);
const evened = judged.map((row) => ({ ...row, weight: 1000 / (perSet.get(`${row.set} ${row.isTrue}`) ?? 1) }));
const carried = evened.filter(({ isCarried }) => isCarried);
const sumOf = (of: typeof carried): number => of.reduce((sum, { weight }) => sum + weight, 0);
const model = {
  bias,
  refused: calibrate(evened.filter(({ isCarried }) => !isCarried)),
  // One more false claim than there is, of the weight of a true one of the smallest set.
  accepted: Number((sumOf(carried.filter(({ isTrue }) => isTrue)) / (sumOf(carried) + 1000 / 50)).toFixed(3)),
  stumps: kept,
};
console.log(
  `area under the curve on what it was fitted on: ${areaUnderCurve(
    scored.map(({ score, isTrue }) => ({ isTrue, score })),
  ).toFixed(
    3,
  )}, ${model.stumps.length} stumps; calibrated ${JSON.stringify(model.refused)}, accepted ${model.accepted}`,
);
if (process.argv.includes('--write'))
  writeFileSync(
    resolve(import.meta.dirname, '../src/answer/support/own-words/weights.ts'),
    `// Fitted by \`node scripts/fit-support.ts --write\` on the open halves: not to be changed by hand. Each step: number of the feature
// (features.ts), threshold, what is added at or below it, what is added above.
import type { SupportModel } from './model.ts';

export const supportModel: SupportModel = {
  bias: ${model.bias},
  refused: { bias: ${model.refused.bias}, slope: ${model.refused.slope} },
  accepted: ${model.accepted},
  stumps: [
${model.stumps.map((stump) => `    [${stump.join(', ')}],`).join('\n')}
  ],
};
`,
  );
