// Fits the model of pairs (src/passages/pairs) on labelled pairs of statements: those written for it (testkit/conflicts/pairs.jsonl, part `fit`), pairs of
// real folders that disagree about nothing (folder-pairs.jsonl), half of the invented facts' phrasings, half of RGB and the cases of different things that
// may be looked at. Prints how well each set is told, those that nothing was fitted on included. Usage: node scripts/fit-pairs.ts [--write] [--show]. Deterministic.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rgbQuestions, scifactClaims, sentencesIn } from '../bench/answers/conflicts-sets.ts';
import { type MeasuredPair, measurePair, type PairFeature, pairFeatures } from '../src/passages/pairs/compare-pair.ts';
import { readSide, type Side } from '../src/passages/pairs/read-side.ts';
import { makeFacts, pairsOf } from '../testkit/federation/facts.ts';
import { sharedData } from '../testkit/shared-data.ts';
import { fitLogistic, type Logistic } from './logistic.ts';

type Label = 'conflict' | 'same' | 'other';
interface Labelled {
  readonly set: string;
  readonly isFitted: boolean;
  readonly label: Label;
  readonly left: Side;
  readonly right: Side;
}
type Row = Labelled & { readonly measured: MeasuredPair };

const readLines = <T>(name: string): readonly T[] =>
  readFileSync(resolve(import.meta.dirname, '../testkit/conflicts', name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

const written = readLines<{ part: string; label: Label; left: Side; right: Side }>('pairs.jsonl').map(
  ({ part, label, left, right }) => ({ set: `written, ${part}`, isFitted: part === 'fit', label, left, right }),
);
const folders = readLines<{ folder: string; label: Label; left: Side; right: Side }>('folder-pairs.jsonl').map(
  ({ folder, ...pair }) => ({ set: `folder ${folder}`, isFitted: true, ...pair }),
);
const different = readLines<{
  part: string;
  conflict: boolean;
  docs: readonly { title: string; text: string }[];
}>('different-things.jsonl').flatMap(({ part, conflict, docs }) => {
  const sides = docs.flatMap(({ title, text }) => {
    let heading: string[] = [];
    return text.split('\n').flatMap((line) => {
      if (line.startsWith('#')) heading = [line.replace(/^#+ /u, '')];
      return line === '' || line.startsWith('#') || line.startsWith('|--') || line === title
        ? []
        : [{ text: line, over: [...new Set([title, ...heading])] }];
    });
  });
  return sides.flatMap((left, at) =>
    sides.slice(at + 1).flatMap((right) =>
      left.over.join() === right.over.join()
        ? []
        : [
            {
              set: `different things, ${part}`,
              isFitted: part === 'develop',
              label: conflict ? ('conflict' as const) : ('other' as const),
              left,
              right,
            },
          ],
    ),
  );
});
const facts = pairsOf(makeFacts(3)).map(({ left, right, contradicts, isHeldOut }) => ({
  set: `facts${isHeldOut ? ', other phrasings' : ''}`,
  isFitted: !isHeldOut,
  label: contradicts ? ('conflict' as const) : ('other' as const),
  left: { text: left, over: [] },
  right: { text: right, over: [] },
}));

/** Of each question the sentence with the right answer beside the same with a wrong one put in, and beside sentences of another right passage. */
async function rgb(half: 0 | 1): Promise<readonly Labelled[]> {
  const folder = sharedData('rgb');
  if (folder === undefined) return [];
  const holds = (text: string, answers: readonly string[]): boolean =>
    answers.some((answer) => text.toLowerCase().includes(answer.toLowerCase()));
  return (await rgbQuestions(folder, half)).flatMap(
    ({ right: [first, second], wrong: [wrong], answers, wrongAnswer }) => {
      const own = sentencesIn(first ?? '').find((text) => holds(text, answers));
      if (own === undefined) return [];
      const set = half === 0 ? 'RGB' : 'RGB, other half';
      const one = { set, isFitted: half === 0, left: { text: own, over: [] } };
      return [
        ...sentencesIn(wrong ?? '')
          .filter((text) => holds(text, [wrongAnswer]) && !holds(text, answers))
          .slice(0, 1)
          .map((text) => ({ ...one, label: 'conflict' as const, right: { text, over: [] } })),
        ...sentencesIn(second ?? '').map((text) => ({ ...one, label: 'other' as const, right: { text, over: [] } })),
      ];
    },
  );
}
async function scifact(): Promise<readonly Labelled[]> {
  const folder = sharedData('scifact');
  if (folder === undefined) return [];
  return (await scifactClaims(folder, ['train', 'test'])).flatMap(({ claim, evidence }) =>
    evidence.flatMap(({ label, sentences }) =>
      sentences.map((text) => ({
        set: 'SciFact',
        isFitted: false,
        label: label === 'CONTRADICT' ? ('conflict' as const) : ('other' as const),
        left: { text: claim, over: [] },
        right: { text, over: [] },
      })),
    ),
  );
}

const all = [
  ...written,
  ...folders,
  ...different,
  ...facts,
  ...(await rgb(0)),
  ...(await rgb(1)),
  ...(process.argv.includes('--quick') ? [] : await scifact()),
];
const lost = new Map<string, number>();
const rows: readonly Row[] = all.flatMap((pair) => {
  const measured = measurePair(readSide(pair.left), readSide(pair.right));
  if (!measured) lost.set(`${pair.set} ${pair.label}`, (lost.get(`${pair.set} ${pair.label}`) ?? 0) + 1);
  return measured ? [{ ...pair, measured }] : [];
});

/** Sets weigh alike, whatever their size; what was written for this weighs double. */
const weightOf = (set: string, count: number): number => (set.startsWith('written') ? 200 : 100) / count;
type Told = 'conflict' | 'same';
const mayBe = ({ measured }: Row, told: Told): boolean => (measured.kind !== undefined) === (told === 'conflict');
/** `same` is taught by the written pairs alone: elsewhere nobody says which pairs agree. */
const teaches = (row: Row, told: Told): boolean =>
  mayBe(row, told) && (told === 'conflict' || row.set.startsWith('written') || row.set.startsWith('folder'));
const ridge = 1;
/** Pages of one manual name each other and disagree about nothing, so that the folders would teach that what is named alike never conflicts. */
const misleading: PairFeature = 'headMost';

function fitPairs(own: readonly Row[], told: Told): Logistic {
  const counts = Map.groupBy(own, ({ set }) => set);
  return fitLogistic(
    own.map(({ set, label, measured: { features } }) => ({
      features: pairFeatures.map((name) => (told === 'conflict' && name === misleading ? 0 : features[name])),
      isTrue: label === told,
      weight: weightOf(set, counts.get(set)?.length ?? 1),
    })),
    ridge,
  );
}
const chance = ({ bias, weights }: Logistic, { measured: { features } }: Row): number =>
  1 / (1 + Math.exp(-pairFeatures.reduce((sum, name, at) => sum + (weights[at] ?? 0) * features[name], bias)));

const round = (value: number): number => Number(value.toFixed(3));
const folds = new Map<string, Logistic>();
const fittedModels: Record<string, unknown> = {};
for (const [told, from] of [
  ['conflict', 0.7],
  ['same', 0.6],
] as const) {
  const teaching = rows.filter((row) => row.isFitted && teaches(row, told));
  const model = fitPairs(teaching, told);
  fittedModels[told] = {
    from,
    bias: round(model.bias),
    weights: Object.fromEntries(pairFeatures.map((name, at) => [name, round(model.weights[at] ?? 0)])),
  };
  console.log(told, fittedModels[told]);
  // Left out, one set or a fifth at a time: what the model says of what it was not fitted on.
  const table = [...Map.groupBy(rows, ({ set }) => set)].map(([set, own]) => {
    const isFitted = own[0]?.isFitted ?? false;
    const said = own.filter((row, at) => {
      if (!mayBe(row, told)) return false;
      const others = isFitted ? teaching.filter((one) => one.set !== set || own.indexOf(one) % 5 !== at % 5) : teaching;
      const fold = isFitted ? (folds.get(`${told} ${set} ${at % 5}`) ?? fitPairs(others, told)) : model;
      if (isFitted) folds.set(`${told} ${set} ${at % 5}`, fold);
      return chance(fold, row) >= from;
    });
    const right = said.filter(({ label }) => label === told).length;
    const wanted = all.filter((one) => one.set === set && one.label === told).length;
    if (process.argv.includes('--show') && (isFitted || process.argv.includes('--sealed')))
      for (const row of own) {
        const isSaid = said.includes(row);
        if (isSaid !== (row.label === told))
          console.log(
            isSaid ? 'FALSE' : 'missed',
            told,
            set,
            '|',
            row.left.over.join('>'),
            '|',
            row.left.text.slice(0, 160),
            '||',
            row.right.over.join('>'),
            '|',
            row.right.text.slice(0, 160),
          );
      }
    return {
      set,
      isFitted,
      pairs: own.length,
      wanted,
      told: said.length,
      right,
      precision: round(right / Math.max(1, said.length)),
      recall: round(right / Math.max(1, wanted)),
    };
  });
  console.table(table);
}
console.log('share nothing:', [...lost].join(' · '));
if (process.argv.includes('--write'))
  writeFileSync(
    resolve(import.meta.dirname, '../src/passages/pairs/weights.json'),
    `${JSON.stringify({ about: 'The chance that two statements conflict, or say the same: logistic models, fitted by scripts/fit-pairs.ts.', ...fittedModels }, undefined, 2)}\n`,
  );
