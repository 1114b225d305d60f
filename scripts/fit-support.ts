// Fits the support of refused claims (src/answer/support/refused.ts): the share of claims covered as far that people call carried, by
// logistic regression on the open halves of the judged sets. Every set weighs the same, and in it the true claims as much as the false
// ones. Prints bias and slope, and how well they hold on the other halves. Usage: node scripts/fit-support.ts. Deterministic.
import { climateFever, expertQa, faithBench, sciFact, wice } from '../bench/answers/own-words/judged-sets.ts';
import { reliabilityOf } from '../bench/answers/own-words/measure.ts';
import { mostRefused } from '../src/answer/support/refused.ts';
import { compareWordByWord, supportOf } from '../src/answer/support.ts';
import { writtenPairs } from '../testkit/forge/written-pairs.ts';
import { fitLogistic } from './logistic.ts';

const leastGraded = 0.1;
const sets = [faithBench(), wice(), sciFact(), climateFever(), expertQa(), writtenPairs].filter(
  ({ length }) => length > 0,
);

const rows = sets.flatMap((set) => {
  const refused = set
    .filter(({ isOpen }) => isOpen)
    .map(({ claim, quote, isTrue }) => ({ isTrue, ...compareWordByWord(claim, quote, {}) }))
    .filter(({ verdict, support }) => verdict === 'unsupported' && support >= leastGraded);
  return refused.map(({ isTrue, support }) => ({
    features: [Math.min(1, support / mostRefused)],
    isTrue,
    weight: 1000 / refused.filter((other) => other.isTrue === isTrue).length,
  }));
});
const { bias, weights } = fitLogistic(rows, 0);
console.log({ bias: bias.toFixed(4), slope: weights[0]?.toFixed(4), claims: rows.length });

const reported = sets.map((set) =>
  set
    .filter(({ isOpen }) => !isOpen)
    .map(({ claim, quote, isTrue }) => {
      const { support, verdict } = supportOf(claim, quote);
      return { isTrue, verdict: { support, isSupported: verdict === 'supported' } };
    }),
);
const graded = reported.map((set) => set.filter(({ verdict }) => verdict.support >= leastGraded));
console.log('expected calibration error', reliabilityOf(reported).error, 'of what is graded', reliabilityOf(graded));
