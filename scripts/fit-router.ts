// Fits the weights of the router on the labelled questions of testkit/router, and says how well each fifth of them is told by what the others taught,
// and the questions of one author by those of the other. Usage: node scripts/fit-router.ts [--write]. It never reads unseen-2.jsonl. Deterministic.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { kindsBy, type RoutedKind, type RouteWeights, weightUnit } from '../src/retrieval/route/likely-kinds.ts';
import { signsOf } from '../src/text/signs.ts';
import { macroF1, type RoutedQuestion, readFittedQuestions } from '../testkit/router/questions.ts';
import { sharedQueries } from '../testkit/shared-data.ts';
import { fitSoftmax } from './softmax.ts';

const kinds: readonly RoutedKind[] = [
  'code',
  'textbook',
  'docs',
  'guide',
  'qa',
  'web',
  'conversation',
  'workspace',
  'none',
];
/** Smaller weights change little and are most of the file. */
const leastKept = 0.65;

function fitWeights(questions: readonly RoutedQuestion[]): RouteWeights {
  const rows = questions.map(({ type, question }) => ({
    label: kinds.indexOf(type as RoutedKind),
    signs: signsOf(question),
  }));
  const { bias, signs } = fitSoftmax(rows, { labels: kinds.length, leastKept, unit: weightUnit });
  const written = (row: readonly number[]): string =>
    row.flatMap((weight, at) => (weight !== 0 ? [`${at}:${weight}`] : [])).join(' ');
  return { kinds, bias, signs: Object.fromEntries([...signs].map(([sign, row]) => [sign, written(row)])) };
}

/** Questions about paragraphs of an encyclopaedia speak for no kind: every so-manieth of each language. */
const everyNth = 30;
const ofNoKind = ['en', 'de', 'zh', 'ar'].flatMap((language) => {
  return sharedQueries(`xquad-${language}`).flatMap((question, at) =>
    at % everyNth === 0 ? [{ type: 'none', question, language }] : [],
  );
});
const { first, languages: written } = readFittedQuestions();
const languages = [...written, ...ofNoKind];
const all = [...first, ...languages];
type Told = RoutedQuestion & { readonly named: RoutedKind; readonly chance: number };
const tell = (weights: RouteWeights, questions: readonly RoutedQuestion[]): readonly Told[] => {
  const kindsOf = kindsBy(weights);
  return questions.map((one) => {
    const best = kindsOf(one.question).find(({ type }) => type !== 'none');
    return { ...one, named: best?.type ?? 'none', chance: best?.chance ?? 0 };
  });
};
const say = (name: string, told: readonly Told[]): void => {
  const named = new Map(told.map((one) => [one.question, one.named === 'none' ? [] : [one.named]]));
  const { macro, first: right } = macroF1(told, (question) => named.get(question) ?? []);
  console.log(name, told.length, `macro F1 ${macro.toFixed(3)}, first kind right ${right.toFixed(3)}`);
};

const fifths = [0, 1, 2, 3, 4];
const told = fifths.flatMap((fifth) =>
  tell(
    fitWeights(all.filter((_, at) => at % 5 !== fifth)),
    all.filter((_, at) => at % 5 === fifth),
  ),
);
const [isEnglish, isFirst] = [
  (one: RoutedQuestion) => (one.language ?? 'en') === 'en',
  (one: RoutedQuestion) => one.language === undefined,
];
say('a fifth, told by the others: first author', told.filter(isFirst));
say(
  'second author, English',
  told.filter((one) => !isFirst(one) && isEnglish(one)),
);
say(
  'second author, other languages',
  told.filter((one) => !isEnglish(one)),
);
for (const [low, high] of [
  [0, 0.3],
  [0.3, 0.4],
  [0.4, 0.5],
  [0.5, 0.6],
  [0.6, 0.7],
  [0.7, 0.8],
  [0.8, 0.9],
  [0.9, 1.01],
] as const) {
  const own = told.filter(({ chance }) => chance >= low && chance < high);
  const right = own.filter(({ named, type }) => named === type).length;
  console.log(`chance ${low} to ${high}: ${own.length}, right ${(right / Math.max(1, own.length)).toFixed(2)}`);
}
say('the first author, told by the second', tell(fitWeights(languages), first));
const weights = fitWeights(all);
say('all, told by themselves', tell(weights, all));
const text = `${JSON.stringify(weights, undefined, 2)}\n`;
console.log(`${Object.keys(weights.signs).length} signs, ${text.length} letters`);
if (process.argv.includes('--write'))
  writeFileSync(resolve(import.meta.dirname, '../src/retrieval/route/weights.json'), text);
