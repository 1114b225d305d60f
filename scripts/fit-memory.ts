// Fits the models of long-term memory on the labelled sentences of testkit/memory: what of a message is kept and as what (keep.json), which questions are
// about the user (asked.json), what takes the place of what (superseding.json), and how near a memory is to a question (similarity.json).
// It says how well each fifth is told by what the others taught, and with --unseen what is told of the sealed sentences. Deterministic but for the bits of the
// encoder. Usage: node scripts/fit-memory.ts [--write] [--unseen] [--quick] [--only=superseding,asked]
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { memoryTypes } from '../src/core/memory.ts';
import { dot } from '../src/core/values/dot.ts';
import { chancesBy, type FittedWeights, weightUnit } from '../src/memory/facts/fitted/chances.ts';
import {
  type PairFeature,
  type PairWeights,
  pairFeatures,
  pairMeanings,
  supersedingBy,
} from '../src/memory/facts/fitted/superseding.ts';
import { nearnessOf } from '../src/memory/facts/similarity.ts';
import { clausesOf } from '../src/memory/facts/statements/clauses.ts';
import type { KeptAs } from '../src/memory/facts/statements/statements.ts';
import { openLocalEncoder } from '../src/models/encoder/local-encoder.ts';
import { signsOf } from '../src/text/signs.ts';
import { createRandom } from '../testkit/history.ts';
import { contradictions } from '../testkit/memory/contradictions.ts';
import { freshFamilies } from '../testkit/memory/contradictions-fresh.ts';
import { askedQuestions, type Part, paraphrases, sayingPairs } from '../testkit/memory/labelled.ts';
import { readSnippets, type Snippet, snippetSets } from '../testkit/memory/snippets.ts';
import { fitDense } from './dense.ts';
import { fitLogistic } from './logistic.ts';
import { fitSoftmax } from './softmax.ts';

const encoder = await openLocalEncoder();
const vectors = new Map<string, Float32Array>();
async function encode(texts: readonly string[]): Promise<void> {
  const missing = [...new Set(texts)].filter((text) => !vectors.has(text));
  for (const [at, vector] of (await encoder.encode(missing)).entries()) vectors.set(missing[at] as string, vector);
}
const vectorOf = (text: string): Float32Array => vectors.get(text) as Float32Array;
const fifthOf = (text: string): number =>
  [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7) % 5;
const fifths = [0, 1, 2, 3, 4];
const [dimensions, isWritten] = [384, process.argv.includes('--write')];
/** Which models are told and written: all, or those that are named. */
const only = process.argv
  .find((one) => one.startsWith('--only='))
  ?.slice(7)
  .split(',');
const isFitted = (name: string): boolean => !only || only.includes(name);
const isUnseen = process.argv.includes('--unseen');
const folder = resolve(import.meta.dirname, '../src/memory/facts/fitted');
const write = (name: string, value: object): void => {
  if (!isWritten || !isFitted(name.replace('.json', ''))) return;
  // A list of numbers stands on one line.
  const json = JSON.stringify(value, null, 1).replace(/\[[\s\d.,-]+\]/gu, (list) => list.replace(/\s+/gu, ''));
  writeFileSync(resolve(folder, name), `${json}\n`);
};
const whole = (value: number): number => Math.round(value / weightUnit) + 0;

type Labelled<Label extends string> = { readonly text: string; readonly label: Label };

function fitChances<Label extends string>(
  labels: readonly Label[],
  rows: readonly Labelled<Label>[],
  ridge: number,
): FittedWeights<Label> {
  const { bias, signs } = fitSoftmax(
    rows.map(({ text, label }) => ({ label: labels.indexOf(label), signs: signsOf(text) })),
    { labels: labels.length, leastKept: 0.4, unit: weightUnit },
  );
  const dense = fitDense(
    rows.map(({ text, label }) => ({ label: labels.indexOf(label), features: vectorOf(text), weight: 1 })),
    { labels: labels.length, ridges: new Array<number>(dimensions).fill(ridge), rounds: 400 },
  );
  const told = (row: readonly number[]): string =>
    row.flatMap((weight, at) => (weight !== 0 ? [`${at}:${weight}`] : [])).join(' ');
  return {
    labels,
    bias,
    signs: Object.fromEntries([...signs].map(([sign, row]) => [sign, told(row)])),
    meaning: {
      bias: dense.map(([own = 0]) => whole(own)),
      weights: dense.map((own) => [...own.subarray(1)].map(whole)),
    },
  };
}

/** Each row told by what the other fifths taught. */
function crossed<Label extends string>(labels: readonly Label[], rows: readonly Labelled<Label>[], ridge: number) {
  return fifths.flatMap((fifth) => {
    const chancesOf = chancesBy(
      fitChances(
        labels,
        rows.filter(({ text }) => fifthOf(text) !== fifth),
        ridge,
      ),
    );
    return rows
      .filter(({ text }) => fifthOf(text) === fifth)
      .map((row) => ({ ...row, byWords: chancesOf(row.text), byMeaning: chancesOf(row.text, vectorOf(row.text)) }));
  });
}

// What is kept.
const keptAs: readonly KeptAs[] = [...memoryTypes, 'none'];
const isRequest = (text: string): boolean => /^(?:please )?(?:can|could|would|will) you\b/iu.test(text);
const clauseRows = (snippets: readonly Snippet[]): readonly Labelled<KeptAs>[] =>
  snippets.flatMap(({ message, wanted, types }) =>
    clausesOf(message).flatMap(({ text, isQuestion }): readonly Labelled<KeptAs>[] => {
      if (isQuestion && !isRequest(text)) return [];
      const at = wanted.findIndex((part) => text.toLowerCase().includes(part.toLowerCase()));
      return [{ text, label: at === -1 ? 'none' : (types[at] ?? 'semantic') }];
    }),
  );
const taughtSnippets = snippetSets.flatMap((name) => {
  const all = readSnippets(name);
  return name === 'everyday' ? all.slice(0, Math.ceil(all.length / 2)) : all;
});
const families = [...contradictions(), ...contradictions(freshFamilies)];
const everyNth = 9;
/** Plain statements, of which the labelled messages have few. */
const plainRows = [...new Set(families.flatMap(({ before, after }) => [before, after]))].flatMap((message, at) => {
  if (at % everyNth !== 0 || message.includes('?')) return [];
  const label = /prefer|favou?rite|please|answer|always|want|like/iu.test(message) ? 'preference' : 'semantic';
  return clausesOf(message).map(({ text }): Labelled<KeptAs> => ({ text, label }));
});
const kept = [...clauseRows(taughtSnippets), ...plainRows];
await encode(kept.map(({ text }) => text));
const keepRidge = 0.3;
const isTold = !process.argv.includes('--quick');
if (isTold && isFitted('keep')) {
  const told = crossed(keptAs, kept, keepRidge);
  for (const least of [0.4, 0.5, 0.6, 0.65, 0.7, 0.8])
    for (const by of ['byWords', 'byMeaning'] as const) {
      const [yes, right] = [
        told.filter((row) => 1 - row[by].none >= least),
        told.filter(({ label }) => label !== 'none'),
      ];
      const good = yes.filter(({ label }) => label !== 'none');
      const typed = good.filter((row) =>
        memoryTypes.every((type) => row[by][row.label as KeptAs] >= row[by][type]),
      ).length;
      console.log(
        `kept ${by} from ${least}: precision ${(good.length / yes.length).toFixed(3)}, recall ${(good.length / right.length).toFixed(3)} of ${right.length}, type ${(typed / good.length).toFixed(3)}`,
      );
    }
}
if (isFitted('keep')) write('keep.json', fitChances(keptAs, kept, keepRidge));

// What is asked about the user.
interface AboutLine {
  readonly kind: string;
  readonly part?: string;
  readonly text?: string;
  readonly ask?: string;
  readonly answer?: string;
  readonly from?: string;
}
const about = readFileSync(resolve(import.meta.dirname, '../testkit/memory/about-the-user.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as AboutLine)
  .filter(({ part }) => part === 'develop');
type Asked = 'user' | 'else';
const documentQuestions = ['tools', 'libs', 'web', 'mail', 'science'].flatMap((name) =>
  readFileSync(resolve(import.meta.dirname, `../bench/answers/folders/${name}/questions.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly question: string }).question),
);
const asked: readonly Labelled<Asked>[] = [
  ...askedQuestions('taught').map(({ question, isAboutUser }) => ({
    text: question,
    label: isAboutUser ? ('user' as const) : ('else' as const),
  })),
  ...about.flatMap(({ ask, from }) =>
    ask === undefined ? [] : [{ text: ask, label: from === 'memory' ? ('user' as const) : ('else' as const) }],
  ),
  ...paraphrases('taught').map(({ question }) => ({ text: question, label: 'user' as const })),
  ...[...new Set(families.map(({ question }) => question))].map((text) => ({ text, label: 'user' as const })),
  ...documentQuestions.filter((_, at) => at % 3 === 0).map((text) => ({ text, label: 'else' as const })),
];
await encode(asked.map(({ text }) => text));
const askedLabels: readonly Asked[] = ['user', 'else'];
const askedTold = isTold && isFitted('asked') ? crossed(askedLabels, asked, keepRidge) : [];
const tellAsked = (name: string, rows: readonly { readonly label: Asked; readonly chance: number }[]): void => {
  if (rows.length === 0) return;
  const of = (label: Asked) => rows.filter((row) => row.label === label);
  const yes = (label: Asked) => of(label).filter(({ chance }) => chance >= 0.5).length;
  console.log(
    `asked ${name}: of the user ${yes('user')} of ${of('user').length}, of anything else ${yes('else')} of ${of('else').length}`,
  );
};
tellAsked(
  'by meaning',
  askedTold.map((row) => ({ ...row, chance: row.byMeaning.user })),
);
const askedWeights = fitChances(askedLabels, asked, keepRidge);
write('asked.json', askedWeights);

// What takes the place of what.
interface Pair {
  readonly before: string;
  readonly after: string;
  readonly isSuperseding: boolean;
  readonly weight: number;
}
const random = createRandom(7);
const pick = <T>(items: readonly T[]): T => items[Math.floor(items.length * random.next())] as T;
const first = (text: string): string => text.split(/(?<=[.!])\s/u)[0] ?? text;
const written = sayingPairs('taught').map((pair): Pair => ({ ...pair, weight: 1 }));
/** Two sayings of different authors' lines have nothing to do with each other, but where the lines begin alike. */
const apart = Array.from(
  { length: 700 },
  (): Pair => ({ before: pick(written).before, after: pick(written).after, isSuperseding: false, weight: 0.4 }),
).filter(({ before, after }) => {
  const start = before.split(' ').slice(0, 3).join(' ');
  return !written.some((one) => one.after === after && one.before.split(' ').slice(0, 3).join(' ') === start);
});
const generated = families.flatMap(({ before, after }): readonly Pair[] =>
  random.next() < 0.4 ? [{ before: first(before), after, isSuperseding: true, weight: 0.6 }] : [],
);
const generatedApart = Array.from({ length: 400 }, () => [pick(families), pick(families)] as const).flatMap(
  ([one, other]): readonly Pair[] =>
    one.question === other.question
      ? []
      : [{ before: first(one.before), after: first(other.before), isSuperseding: false, weight: 0.3 }],
);
/** What different messages say of their users stands side by side, nearly always. */
const statements = [
  ...kept.flatMap(({ text, label }) => (label === 'none' ? [] : [text])),
  ...paraphrases('taught').map(({ memory }) => memory),
  ...written.map(({ before }) => before),
];
const beside = Array.from(
  { length: 2_000 },
  (): Pair => ({ before: pick(statements), after: pick(statements), isSuperseding: false, weight: 0.5 }),
).filter(({ before, after }) => before.slice(0, 12) !== after.slice(0, 12));
const pairs = [...written, ...apart, ...generated, ...generatedApart, ...beside];
await encode(pairs.flatMap(({ before, after }) => [before, after]));
const names = Object.keys(pairMeanings) as PairFeature[];
const productScale = 20;
const afterScale = 3;
const saying = (text: string) => ({ text, vector: vectorOf(text) });
function fitPairs(rows: readonly Pair[]): PairWeights {
  const plain = (pair: Pair): readonly number[] => {
    const features = pairFeatures(saying(pair.before), saying(pair.after));
    return names.map((name) => features[name]);
  };
  const withoutMeaning = names.map((name) => !name.toLowerCase().includes('cosine'));
  const byWords = fitLogistic(
    rows.map((pair) => ({
      features: plain(pair).filter((_, at) => withoutMeaning[at]),
      isTrue: pair.isSuperseding,
      weight: pair.weight,
    })),
    0.3,
  );
  const dense = fitDense(
    rows.map((pair) => {
      const [one, other] = [vectorOf(pair.before), vectorOf(pair.after)];
      const features = [
        ...plain(pair).map((value, at) => (withoutMeaning[at] ? value : 4 * value)),
        ...one.map((value, at) => value * (other[at] as number) * productScale),
        ...other.map((value) => value * afterScale),
      ];
      return { label: pair.isSuperseding ? 0 : 1, features, weight: pair.weight };
    }),
    { labels: 1, ridges: [...names.map(() => 0.1), ...new Array<number>(2 * dimensions).fill(1)], rounds: 500 },
  );
  const [bias = 0, ...rest] = dense[0] ?? [];
  const named = (values: readonly number[]) =>
    Object.fromEntries(names.map((name, at) => [name, whole((values[at] ?? 0) * (withoutMeaning[at] ? 1 : 4))]));
  const wordNames = names.filter((_, at) => withoutMeaning[at]);
  return {
    words: {
      bias: whole(byWords.bias),
      weights: Object.fromEntries(wordNames.map((name, at) => [name, whole(byWords.weights[at] as number)])),
    },
    meaning: {
      bias: whole(bias),
      weights: named(rest.slice(0, names.length)),
      product: rest.slice(names.length, names.length + dimensions).map((value) => whole(value * productScale)),
      after: rest.slice(names.length + dimensions).map((value) => whole(value * afterScale)),
    },
  };
}
const tellPairs = (
  name: string,
  rows: readonly { readonly isSuperseding: boolean; readonly chance: number }[],
): void => {
  const [over, beside] = [
    rows.filter(({ isSuperseding }) => isSuperseding),
    rows.filter(({ isSuperseding }) => !isSuperseding),
  ];
  console.log(
    `${name}:`,
    [0.3, 0.4, 0.5, 0.6]
      .map(
        (least) =>
          `from ${least} left both ${over.filter(({ chance }) => chance < least).length} of ${over.length}, ended wrongly ${beside.filter(({ chance }) => chance >= least).length} of ${beside.length}`,
      )
      .join('; '),
  );
};
if (isTold && isFitted('superseding')) {
  const both = fifths.flatMap((fifth) => {
    const chanceOf = supersedingBy(fitPairs(pairs.filter(({ before }) => fifthOf(before) !== fifth)));
    return written
      .filter(({ before }) => fifthOf(before) === fifth)
      .map((pair) => ({
        ...pair,
        chance: chanceOf(saying(pair.before), saying(pair.after)),
        byWords: chanceOf({ text: pair.before }, { text: pair.after }),
      }));
  });
  tellPairs('superseding by meaning', both);
  tellPairs(
    'superseding by words',
    both.map((one) => ({ ...one, chance: one.byWords })),
  );
}
const pairWeights = isFitted('superseding') ? fitPairs(pairs) : undefined;
if (pairWeights) write('superseding.json', pairWeights);

// How near a memory is.
const remembered = {
  paraphrases: paraphrases('taught').map(({ memory }) => memory),
  about: about.flatMap(({ text }) => text ?? []),
};
const questions = [
  ...paraphrases('taught').map(({ memory, question }) => ({
    question,
    among: remembered.paraphrases,
    isRight: (text: string) => text === memory,
  })),
  ...about.flatMap(({ ask, answer = '', from }) =>
    ask === undefined
      ? []
      : [
          {
            question: ask,
            among: remembered.about,
            isRight: (text: string) => from === 'memory' && new RegExp(answer, 'iu').test(text),
          },
        ],
  ),
  ...askedQuestions('taught')
    .filter(({ isAboutUser }) => !isAboutUser)
    .map(({ question }) => ({
      question,
      among: [...remembered.about, ...remembered.paraphrases],
      isRight: () => false,
    })),
];
await encode([...remembered.paraphrases, ...remembered.about, ...questions.map(({ question }) => question)]);
/** A memory that is not meant weighs less: of many, most are far from what is asked. */
const notMeant = 0.04;
const nearness = fitLogistic(
  questions.flatMap(({ question, among, isRight }) => {
    const near = nearnessOf(among.map((text) => dot(vectorOf(question), vectorOf(text))));
    return among.map((text, at) => ({
      features: near[at] ?? [],
      isTrue: isRight(text),
      weight: isRight(text) ? 1 : notMeant,
    }));
  }),
  0.01,
);
const rounded = (value = 0): number => Math.round(value * 100) / 100;
const [ofCosine, ofLead] = nearness.weights;
const similarity = { bias: rounded(nearness.bias), cosine: rounded(ofCosine), lead: rounded(ofLead) };
console.log('similarity', similarity);
write('similarity.json', similarity);

if (isUnseen && pairWeights) {
  const part: Part = 'sealed';
  const pairsOf = sayingPairs(part);
  const questionsOf = askedQuestions(part);
  await encode([
    ...pairsOf.flatMap(({ before, after }) => [before, after]),
    ...questionsOf.map(({ question }) => question),
    ...paraphrases(part).flatMap(({ memory, question }) => [memory, question]),
  ]);
  const chanceOf = supersedingBy(pairWeights);
  tellPairs(
    'sealed by meaning',
    pairsOf.map((pair) => ({ ...pair, chance: chanceOf(saying(pair.before), saying(pair.after)) })),
  );
  const chancesOf = chancesBy(askedWeights);
  const told = questionsOf.map(({ question, isAboutUser }) => ({
    label: isAboutUser ? ('user' as const) : ('else' as const),
    question,
  }));
  tellAsked(
    'sealed by meaning',
    told.map((one) => ({ ...one, chance: chancesOf(one.question, vectorOf(one.question)).user })),
  );
}
await encoder.close();
