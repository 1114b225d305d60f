// Modes and fusion on judged sets: BM25 of the embedded store, corpus-trained vectors alone, and ways to join them. Choices were
// made on the odd-numbered queries of Cranfield, CISI, TIME, ADI, CACM and SciFact's training claims alone; the even half and
// the other sets were looked at when all was chosen.
// Usage: node bench/embedding/semantics.ts [--ablation] [set …]
import { compare, type QueryMetrics } from '../../src/evals/metrics.ts';
import type { TrainingOptions } from '../../src/models/corpus/latent-semantics.ts';
import { defaultFeedback, feedbackVector } from '../../src/models/embedding/feedback-vector.ts';
import { corpusFusion, defaultGuard, type FusionOptions, fuse, type LegHit } from '../../src/retrieval/fusion/fuse.ts';
import { type BenchGoal, type BenchTable, writeResult } from '../report.ts';
import { references } from '../retrieval/reference-bm25.ts';
import {
  type JudgedSet,
  measureHits,
  readJudgedSet,
  type SetQuery,
  type SetVectors,
  trainSet,
} from './semantics-sets.ts';

const tuning = ['cranfield/test', 'cisi/test', 'time/test', 'adi/test', 'cacm/test', 'scifact/train'];
const legDepth = 1000;

interface Ready {
  readonly set: JudgedSet;
  readonly vectors: SetVectors;
}
type Method = (ready: Ready, query: SetQuery) => readonly LegHit[];

const embedded: Method = (_ready, query) => query.lexical;
const vector =
  (depth = legDepth): Method =>
  ({ vectors }, query) =>
    vectors.nearest(vectors.ofQuery(query), depth);

/** The vector leg of a query that its best hits by words were added to. */
const feedback =
  ({ hits, share, depth }: { hits: number; share: number; depth: number }): Method =>
  ({ set, vectors }, query) => {
    const ranked = query.lexical
      .slice(0, hits)
      .map(({ chunkId, score }) => ({ vector: vectors.at(set.placeOf.get(chunkId) ?? 0), score }));
    return vectors.nearest(feedbackVector(vectors.ofQuery(query), ranked, { hits, share }), depth);
  };

interface HybridOptions extends Partial<FusionOptions> {
  readonly leg?: Method;
  readonly depth?: number;
  readonly weighBy?: (ready: Ready, query: SetQuery, leg: readonly LegHit[]) => number;
}

const hybrid =
  (options: HybridOptions = {}): Method =>
  (ready, query) => {
    const { depth = legDepth, leg = feedback({ ...defaultFeedback, depth }), weighBy = () => 1, ...fusion } = options;
    const hits = leg(ready, query).slice(0, depth);
    const { guard: _, ...chosen } = corpusFusion(ready.set.chunks.length);
    const wanted = { ...chosen, ...fusion };
    const semanticWeight = wanted.semanticWeight * weighBy(ready, query, hits);
    return fuse({ lexical: query.lexical.slice(0, depth), vector: hits }, { ...wanted, semanticWeight }).hits;
  };

/** Sums of scores in standard deviations from their leg's mean; a hit that a leg lacks stands at its last score. */
const standardScores: Method = (ready, query) => {
  const legs = [query.lexical, feedback({ ...defaultFeedback, depth: legDepth })(ready, query)] as const;
  const sums = new Map<string, number>();
  for (const [place, hits] of legs.entries()) {
    const mean = hits.reduce((sum, { score }) => sum + score, 0) / hits.length;
    const spread = Math.sqrt(hits.reduce((sum, { score }) => sum + (score - mean) ** 2, 0) / hits.length) || 1;
    const last = ((hits.at(-1)?.score ?? 0) - mean) / spread;
    const semantic = corpusFusion(ready.set.chunks.length).semanticWeight;
    const weight = place === 0 ? 1 - semantic : semantic;
    for (const { chunkId, score } of hits)
      sums.set(chunkId, (sums.get(chunkId) ?? 0) + weight * ((score - mean) / spread - last));
  }
  return [...sums].map(([chunkId, score]) => ({ chunkId, score }));
};

/** A vector leg that knows nothing: numbers out of chunk ids. */
const ignorant: Method = ({ set }, query) =>
  set.chunks
    .map(({ id }) => ({ chunkId: id, score: noise(`${id} ${query.id}`) }))
    .sort((left, right) => right.score - left.score)
    .slice(0, legDepth);

function noise(text: string): number {
  let state = 2_166_136_261;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 16_777_619);
  state = Math.imul(state ^ (state >>> 15), 0x85eb_ca6b);
  return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296;
}

const feed = (hits: number, share: number): Method => feedback({ hits, share, depth: legDepth });

const ideas: readonly (readonly [string, Method])[] = [
  ['embedded (lexical alone)', embedded],
  ['vector (LSA alone)', vector()],
  ['hybrid as chosen', hybrid()],
  ...[0.1, 0.2, 0.3, 0.4, 0.5].map((weight): [string, Method] => [
    `weight ${weight}`,
    hybrid({ semanticWeight: weight }),
  ]),
  ...[0.1, 0.2, 0.3, 0.5].map((weight): [string, Method] => [
    `no feedback, weight ${weight}`,
    hybrid({ leg: vector(), semanticWeight: weight }),
  ]),
  ...[0.2, 0.3, 0.5].map((weight): [string, Method] => [
    `no feedback, sharpness 1, weight ${weight}`,
    hybrid({ leg: vector(), semanticWeight: weight, lexicalSharpness: 1 }),
  ]),
  ...[0.3, 0.5].map((weight): [string, Method] => [
    `no feedback, RRF 60, weight ${weight}`,
    hybrid({ leg: vector(), semanticWeight: weight, method: 'rrf' }),
  ]),
  ...[0.3, 0.5].map((weight): [string, Method] => [
    `RRF 60, weight ${weight}`,
    hybrid({ semanticWeight: weight, method: 'rrf' }),
  ]),
  ...[1, 2, 3, 4, 7].map((sharpness): [string, Method] => [
    `lexical sharpness ${sharpness}`,
    hybrid({ lexicalSharpness: sharpness }),
  ]),
  ...[0.2, 0.3, 0.4].map((weight): [string, Method] => [
    `lexical sharpness 1, weight ${weight}`,
    hybrid({ lexicalSharpness: 1, semanticWeight: weight }),
  ]),
  ['standard scores', standardScores],
  ['floors at the least score of each leg', hybrid({ floors: { lexical: 'observed', vector: 'observed' } })],
  ...[50, 100, 200].map((depth): [string, Method] => [`legs ${depth} deep`, hybrid({ depth })]),
  ...[3, 8, 10].map((hits): [string, Method] => [`feedback of ${hits} hits`, hybrid({ leg: feed(hits, 0.5) })]),
  ...[0.3, 0.7, 1].map((share): [string, Method] => [`feedback share ${share}`, hybrid({ leg: feed(5, share) })]),
  ...[0.6, 0.7].map((share): [string, Method] => [
    `feedback share ${share}, weight 0.4`,
    hybrid({ leg: feed(5, share), semanticWeight: 0.4 }),
  ]),
  ['vector with feedback alone', feed(5, 0.5)],
  ['weight by what the model knows of the query', hybrid({ weighBy: ({ vectors }, query) => vectors.coverage(query) })],
  ...[15, 30, 100].map((among): [string, Method] => [
    `guard: 3 of the first 10 among ${among}`,
    hybrid({ guard: { ...defaultGuard, among } }),
  ]),
  ['guard, no feedback, weight 0.3', hybrid({ leg: vector(), guard: defaultGuard })],
  ['ignorant leg, weight 0.3', hybrid({ leg: ignorant })],
  ['ignorant leg, weight 0.5', hybrid({ leg: ignorant, semanticWeight: 0.5 })],
  ['ignorant leg, RRF 60, weight 0.5', hybrid({ leg: ignorant, semanticWeight: 0.5, method: 'rrf' })],
  ...[15, 30, 100].map((among): [string, Method] => [
    `ignorant leg, weight 0.5, guard among ${among}`,
    hybrid({ leg: ignorant, semanticWeight: 0.5, guard: { ...defaultGuard, among } }),
  ]),
];

const trainings: readonly (readonly [string, TrainingOptions & { titles?: number }])[] = [
  ['64 dimensions', { dimensions: 64 }],
  ['96 dimensions', { dimensions: 96 }],
  ['128 dimensions', { dimensions: 128 }],
  ['256 dimensions', { dimensions: 256 }],
  ['title once', { titles: 1 }],
  ['title three times', { titles: 3 }],
  ['another seed', { seed: 2 }],
  ['one power iteration', { powerIterations: 1 }],
  ['four power iterations', { powerIterations: 4 }],
];

const round = (value: number): number => Number(value.toFixed(4));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const measureAll = (ready: Ready, method: Method, wanted: (id: string) => boolean): QueryMetrics[] =>
  ready.set.queries.filter(({ id }) => wanted(id)).map((query) => measureHits(ready.set, query, method(ready, query)));
const ndcgOf = (measures: readonly QueryMetrics[]): number => mean(measures.map(({ ndcg10 }) => ndcg10));
const recallOf = (measures: readonly QueryMetrics[]): number => mean(measures.map(({ recall100 }) => recall100));
const odd = (id: string): boolean => /[13579]$/u.test(id);

async function readSets(names: readonly string[]): Promise<JudgedSet[]> {
  const sets = await Promise.all(names.map((name) => readJudgedSet(name)));
  return sets.filter((set) => set !== undefined);
}

/** One row: mean nDCG@10 and recall@100 on the tuning halves, then nDCG@10 of each. */
function ablationRow(label: string, readies: readonly Ready[], method: Method): (string | number)[] {
  const measures = readies.map((ready) => measureAll(ready, method, odd));
  const ndcg = measures.map(ndcgOf);
  const row = [label, round(mean(ndcg)), round(mean(measures.map(recallOf))), ...ndcg.map(round)];
  console.log(row.join('  '));
  return row;
}

async function ablate(): Promise<BenchTable> {
  const sets = await readSets(tuning);
  const readies = sets.map((set): Ready => ({ set, vectors: trainSet(set) }));
  const rows = ideas.map(([label, method]) => ablationRow(label, readies, method));
  for (const [label, training] of trainings) {
    const trained = sets.map((set): Ready => ({ set, vectors: trainSet(set, training) }));
    rows.push(ablationRow(label, trained, hybrid()));
  }
  return {
    title:
      'What was tried, on the odd-numbered queries of the tuning sets (mean nDCG@10, mean recall@100, nDCG@10 by set)',
    columns: ['idea', 'nDCG@10', 'recall@100', ...sets.map(({ name }) => name)],
    rows,
  };
}

const modes = {
  embedded,
  vector: vector(),
  hybrid: hybrid({ guard: defaultGuard }),
  plain: hybrid({ leg: vector(), semanticWeight: 0.2, lexicalSharpness: 1 }),
};

async function report(names: readonly string[], ablation: boolean): Promise<void> {
  const rows: (string | number | null)[][] = [];
  const files: string[] = [];
  const means: Record<string, number[]> = {};
  for (const name of names) {
    const [set] = await readSets([name]);
    if (!set) continue;
    files.push(...set.files);
    const ready: Ready = { set, vectors: trainSet(set) };
    const measured = Object.fromEntries(
      Object.entries(modes).map(([mode, method]) => [mode, measureAll(ready, method, () => true)]),
    ) as Record<keyof typeof modes, QueryMetrics[]>;
    for (const [mode, measures] of Object.entries(measured)) {
      means[`${mode} nDCG@10`] = [...(means[`${mode} nDCG@10`] ?? []), ndcgOf(measures)];
      means[`${mode} recall@100`] = [...(means[`${mode} recall@100`] ?? []), recallOf(measures)];
    }
    means['reference nDCG@10'] = [...(means['reference nDCG@10'] ?? []), references[name] ?? 0];
    const ndcg = (measures: readonly QueryMetrics[]): number[] => measures.map(({ ndcg10 }) => ndcg10);
    const difference = compare(ndcg(measured.embedded), ndcg(measured.hybrid));
    const even = measureAll(ready, modes.hybrid, (id) => !odd(id));
    const evenEmbedded = measureAll(ready, embedded, (id) => !odd(id));
    rows.push([
      name,
      set.chunks.length,
      references[name] ?? null,
      ...Object.values(measured).map((measures) => round(ndcgOf(measures))),
      `${difference.low.toFixed(3)} to ${difference.high.toFixed(3)}`,
      tuning.includes(name) ? `${ndcgOf(evenEmbedded).toFixed(4)} to ${ndcgOf(even).toFixed(4)}` : null,
      ...Object.values(measured).map((measures) => round(recallOf(measures))),
    ]);
    console.log(rows.at(-1)?.join('  '));
  }
  const metrics = Object.fromEntries(Object.entries(means).map(([what, values]) => [`mean ${what}`, mean(values)]));
  const goals = goalsOf(rows, metrics);
  for (const goal of goals) console.log(`${goal.met ? 'met   ' : 'MISSED'} ${goal.what}: ${goal.got} (${goal.wanted})`);
  console.log(metrics);
  const tables: BenchTable[] = [
    {
      title:
        'By set ("difference": hybrid less embedded, 95 % paired bootstrap; "even": embedded to hybrid on the half that nothing was chosen on)',
      columns: [
        'set',
        'chunks',
        'reference nDCG@10',
        ...Object.keys(modes).map((mode) => `${mode} nDCG@10`),
        'difference',
        'even',
        ...Object.keys(modes).map((mode) => `${mode} recall@100`),
      ],
      rows,
    },
  ];
  if (ablation) tables.push(await ablate());
  if (names.length < Object.keys(references).length || !ablation) return;
  await writeResult('semantics', {
    title: 'Corpus-trained vectors and fusion on judged sets',
    command: 'npm run bench semantics --ablation',
    seed: 1,
    data: [...new Set(files)],
    metrics,
    goals,
    tables,
    notes: [
      'hybrid: BM25 with proximity and latent semantic analysis of 192 dimensions at most; the query is moved halfway to its 5 best lexical hits; min-max fusion, lexical sharpness 5, weight 0.3 (less below 500 chunks), with a guard. plain: no feedback, sharpness 1, weight 0.2, no guard.',
      'Chosen on the odd-numbered queries of the tuning sets alone (second table).',
    ],
  });
}

function goalsOf(rows: readonly (readonly (string | number | null)[])[], metrics: Record<string, number>): BenchGoal[] {
  const at = (what: string): number => metrics[`mean ${what}`] ?? 0;
  const goal = (what: string, got: number, [least, wanted]: [number, string]): BenchGoal => ({
    what,
    wanted,
    got: round(got),
    met: got >= least,
  });
  const losses = rows.map((row) => Number(row[5]) / Number(row[3]) - 1);
  const scifact = rows.find(([name]) => name === 'scifact/test');
  return [
    goal('mean nDCG@10 of hybrid over the reference', at('hybrid nDCG@10') / at('reference nDCG@10') - 1, [
      0.06,
      '>= 0.06',
    ]),
    goal('mean nDCG@10 of hybrid less that of embedded', at('hybrid nDCG@10') - at('embedded nDCG@10'), [0, '> 0']),
    goal('mean nDCG@10 of hybrid less that of vector', at('hybrid nDCG@10') - at('vector nDCG@10'), [0, '> 0']),
    goal('worst set, hybrid against embedded', Math.min(...losses), [-0.01, '>= -0.01']),
    goal('nDCG@10 of hybrid on SciFact test', Number(scifact?.[5] ?? 0), [0.7, '>= 0.70']),
    goal('mean recall@100 of hybrid less that of embedded', at('hybrid recall@100') - at('embedded recall@100'), [
      0.02,
      '>= 0.02',
    ]),
  ];
}

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (process.argv.includes('--only-ablation')) console.log((await ablate()).title);
else await report(wanted.length > 0 ? wanted : Object.keys(references), process.argv.includes('--ablation'));
