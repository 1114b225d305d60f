// The deterministic judge of groundedness on claims that people judged, beside what costs nothing: overlap of words, BM25, cosine of
// embeddings. Each has its threshold fitted on one set and is reported on the others; weights of the judge come from SciFact's training claims.
import { join } from 'node:path';
import { groundedFrom, groundingOf } from '../../src/evals/judges/groundedness.ts';
import { seeded } from '../../src/evals/metrics.ts';
import { createLatentSemantics, finish, trainLatentSemantics } from '../../src/models/corpus/latent-semantics.ts';
import { analyzeText } from '../../src/text/analyze.ts';
import { segmentSentences } from '../../src/text/sentences.ts';
import { sharedRoot } from '../../testkit/shared-data.ts';
import { areaUnderCurve } from '../answers/own-words/measure.ts';
import { writeResult } from '../report.ts';
import { expertQa, type LabelledClaim, scifact, wice } from './labelled-claims.ts';

interface Scored {
  readonly score: number;
  readonly isCarried: boolean;
}
type Scorer = (claims: readonly LabelledClaim[]) => readonly number[];

const sentencesOf = ({ evidence }: LabelledClaim): string[] =>
  evidence.flatMap((text) => segmentSentences(text).map(({ start, end }) => text.slice(start, end)));

/** The share of the claim's words, without stop words, that the evidence has. */
const overlap: Scorer = (claims) =>
  claims.map(({ claim, evidence }) => {
    const held = new Set(evidence.flatMap((text) => analyzeText(text)));
    const words = analyzeText(claim);
    return words.length === 0 ? 0 : words.filter((word) => held.has(word)).length / words.length;
  });

/** The best sentence of the evidence (k1 0.9, b 0.4; idf over the sentences of the set), as a share of what a sentence of the claim's words gets. */
const bm25: Scorer = (claims) => {
  const [k1, b] = [0.9, 0.4];
  const texts = claims.map((claim) => sentencesOf(claim).map((sentence) => analyzeText(sentence)));
  const distinct = new Map(texts.flat().map((words) => [words.join(' '), words]));
  const frequency = new Map<string, number>();
  let length = 0;
  for (const words of distinct.values()) {
    length += words.length;
    for (const word of new Set(words)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const mean = length / distinct.size;
  const idf = (word: string): number => {
    const df = frequency.get(word) ?? 0;
    return Math.log(1 + (distinct.size - df + 0.5) / (df + 0.5));
  };
  const scoreOf = (query: ReadonlySet<string>, words: readonly string[]): number => {
    let sum = 0;
    for (const word of query) {
      const tf = words.filter((one) => one === word).length;
      sum += (idf(word) * tf) / (tf + k1 * (1 - b + (b * words.length) / mean));
    }
    return sum;
  };
  return claims.map(({ claim }, at) => {
    const words = analyzeText(claim);
    const query = new Set(words);
    const best = Math.max(0, ...(texts[at] ?? []).map((sentence) => scoreOf(query, sentence)));
    return best / Math.max(1e-9, scoreOf(query, words));
  });
};

/** The nearest sentence, by the embedding that the product learns from the evidence itself. */
const cosine: Scorer = (claims) => {
  const texts = claims.map((claim) => sentencesOf(claim).map((sentence) => analyzeText(sentence)));
  const distinct = new Map(texts.flat().map((terms) => [terms.join(' '), terms]));
  const weights = finish(trainLatentSemantics([...distinct].map(([key, terms]) => ({ key, terms }))));
  if (!weights) throw new Error('There is too little text to learn an embedding from.');
  const semantics = createLatentSemantics(weights);
  const vectors = new Map([...distinct].map(([key, terms]) => [key, semantics.embed(terms)]));
  const dot = (left: Float32Array, right: Float32Array): number =>
    left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
  return claims.map(({ claim }, at) => {
    const own = semantics.embed(analyzeText(claim));
    return Math.max(0, ...(texts[at] ?? []).map((terms) => dot(own, vectors.get(terms.join(' ')) ?? own)));
  });
};

let judgeMs = 0;
const judge: Scorer = (claims) => {
  const from = process.cpuUsage().user;
  const scores = claims.map(({ claim, evidence }) => groundingOf(claim, evidence).score);
  judgeMs += (process.cpuUsage().user - from) / 1000;
  return scores;
};

function balanced(scored: readonly Scored[], threshold: number): number {
  let [carried, hits, others, refused] = [0, 0, 0, 0];
  for (const { score, isCarried } of scored)
    if (isCarried) {
      carried++;
      if (score >= threshold) hits++;
    } else {
      others++;
      if (score < threshold) refused++;
    }
  return (hits / Math.max(1, carried) + refused / Math.max(1, others)) / 2;
}

/** The threshold that parts a set best; of several the one in the middle. */
function fitThreshold(scored: readonly Scored[]): number {
  const values = [...new Set(scored.map(({ score }) => score))].sort((a, b) => a - b);
  const cuts = values.slice(1).map((value, at) => (value + (values[at] ?? value)) / 2);
  let best: number[] = [];
  let most = -1;
  for (const cut of cuts) {
    const value = balanced(scored, cut);
    if (value > most + 1e-12) [best, most] = [[cut], value];
    else if (value > most - 1e-12) best.push(cut);
  }
  return best[Math.floor(best.length / 2)] ?? 0.5;
}

const rounds = 1000;
const seed = 1;
const wanted = 0.04;

/** Draws claims again, the same ones for every scorer. */
function resample(count: number, random: () => number): Uint32Array {
  return Uint32Array.from({ length: count }, () => Math.floor(random() * count));
}

const at = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const points = (value: number): number => Math.round(value * 1000) / 10;

const scorers: Readonly<Record<string, Scorer>> = {
  judge,
  'overlap of words': overlap,
  BM25: bm25,
  'cosine of embeddings': cosine,
};
const fitted: Readonly<Record<string, LabelledClaim[]>> = {
  'WiCE dev': wice(),
  'SciFact train': scifact('train'),
  ExpertQA: expertQa(),
};
const reported: Readonly<Record<string, LabelledClaim[]>> = {
  'WiCE dev': fitted['WiCE dev'] ?? [],
  'SciFact test': scifact('test'),
  ExpertQA: fitted['ExpertQA'] ?? [],
};
const isOther = (fit: string, report: string): boolean => fit.split(' ')[0] !== report.split(' ')[0];
const scoredOf = (name: string, claims: readonly LabelledClaim[]): Scored[] => {
  const scores = (scorers[name] as Scorer)(claims);
  return claims.map(({ isCarried }, place) => ({ score: scores[place] ?? 0, isCarried }));
};

const names = Object.keys(scorers);
const onFitted = new Map(
  names.map((name) => [name, new Map(Object.entries(fitted).map(([set, claims]) => [set, scoredOf(name, claims)]))]),
);
const onReported = new Map(
  names.map((name) => [name, new Map(Object.entries(reported).map(([set, claims]) => [set, scoredOf(name, claims)]))]),
);
const thresholds = new Map(
  names.map((name) => [
    name,
    new Map([...(onFitted.get(name) ?? [])].map(([set, scored]) => [set, fitThreshold(scored)])),
  ]),
);

/** Balanced accuracy of every pair of sets (fitted on one, reported on the other), on the claims drawn. */
function cellsOf(name: string, drawn?: ReadonlyMap<string, Uint32Array>): number[] {
  return [...(thresholds.get(name) ?? [])].flatMap(([fit, threshold]) =>
    [...(onReported.get(name) ?? [])].flatMap(([set, scored]) => {
      if (!isOther(fit, set)) return [];
      const places = drawn?.get(set);
      const chosen = places ? Array.from(places, (place) => scored[place] as Scored) : scored;
      return [balanced(chosen, threshold)];
    }),
  );
}

const random = seeded(seed);
const draws = Array.from(
  { length: rounds },
  () => new Map(Object.entries(reported).map(([set, claims]) => [set, resample(claims.length, random)])),
);
const pairs = Object.keys(fitted).flatMap((fit) =>
  Object.keys(reported).flatMap((set) => (isOther(fit, set) ? [[fit, set] as const] : [])),
);
const drawnCells = new Map(names.map((name) => [name, draws.map((drawn) => cellsOf(name, drawn))]));
const cells = new Map(names.map((name) => [name, cellsOf(name)]));
const means = new Map([...cells].map(([name, values]) => [name, mean(values)]));
const baselines = names.filter((name) => name !== 'judge');
const bestBaseline = baselines.reduce((best, name) => ((means.get(name) ?? 0) > (means.get(best) ?? 0) ? name : best));
const gain = (means.get('judge') ?? 0) - (means.get(bestBaseline) ?? 0);
const gains = draws.map(
  (_, round) =>
    mean(drawnCells.get('judge')?.[round] ?? []) -
    Math.max(...baselines.map((name) => mean(drawnCells.get(name)?.[round] ?? []))),
);

const interval = (values: readonly number[]): string => `${points(at(values, 0.025))} to ${points(at(values, 0.975))}`;
const cellRows = pairs.flatMap(([fit, set], place) =>
  names.map((name) => [
    fit,
    set,
    name,
    points(cells.get(name)?.[place] ?? 0),
    interval((drawnCells.get(name) ?? []).map((values) => values[place] ?? 0)),
  ]),
);
const setRows = Object.keys(reported).flatMap((set) =>
  names.map((name) => {
    const scored = onReported.get(name)?.get(set) ?? [];
    const auc = areaUnderCurve(scored.map(({ score, isCarried }) => ({ score, isTrue: isCarried })));
    const own = name === 'judge' ? points(balanced(scored, groundedFrom)) : null;
    return [set, name, scored.length, scored.filter(({ isCarried }) => isCarried).length, points(auc), own];
  }),
);
const meanRows = names.map((name) => [
  name,
  points(means.get(name) ?? 0),
  interval((drawnCells.get(name) ?? []).map(mean)),
]);
console.table(meanRows);
console.table(cellRows);
console.table(setRows);
const judged = Object.values(fitted).flat().length + Object.values(reported).flat().length;
await writeResult('judges', {
  title: 'Groundedness judged without a model, against labels of people',
  command: 'npm run bench judges',
  seed,
  data: ['wice', 'scifact', 'expertqa'].map((name) => join(sharedRoot, name)),
  metrics: {
    'balanced accuracy, mean': means.get('judge') ?? 0,
    [`best of the others (${bestBaseline})`]: means.get(bestBaseline) ?? 0,
    gain,
    'gain, low': at(gains, 0.025),
    'gain, high': at(gains, 0.975),
    'ms a claim (processor)': judgeMs / judged,
  },
  goals: [
    {
      what: 'Balanced accuracy above the best of word overlap, BM25 and cosine, mean, points',
      wanted: '>= 4',
      got: points(gain),
      met: gain >= wanted,
    },
  ],
  tables: [
    { title: 'Means', columns: ['judge', 'balanced accuracy %', '95 % interval'], rows: meanRows },
    {
      title: 'Threshold fitted on one set, reported on another',
      columns: ['fitted on', 'reported on', 'judge', 'balanced accuracy %', '95 % interval'],
      rows: cellRows,
    },
    {
      title: 'Without a threshold, and at the one that the product has',
      columns: ['set', 'judge', 'claims', 'carried', 'AUC %', `balanced accuracy % at ${groundedFrom}`],
      rows: setRows,
    },
  ],
  notes: [
    'All of the evidence is given, not the sentences that people chose: 119 a claim in WiCE, an abstract in SciFact.',
    'Weights and the threshold of the product were fitted on SciFact’s training claims; its test claims are another split of the same set.',
    'The interval of the gain is over claims drawn again, the best of the others chosen anew in each draw.',
  ],
});
