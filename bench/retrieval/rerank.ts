// Reranking without weights, which cannot be had without a download: what the path itself gives and costs. An oracle that knows the
// judgments shows how far any reranker of the first 10, 50 or 100 could get, and whether the path gets there; one that turns the
// list over and one that draws lots show that nothing is lost and what a bad one costs; an instant one what the path itself takes.
// Usage: node bench/retrieval/rerank.ts [set …]

import { systemClock } from '../../src/core/ids.ts';
import { type EvaluationQuery, openRetrievalDataset } from '../../src/evals/datasets.ts';
import { type Judgments, measureQuery, type QueryMetrics, seeded } from '../../src/evals/metrics.ts';
import { foldToDocuments } from '../../src/evals/retrieval.ts';
import { openLegs } from '../../src/footnote/requests/request-legs.ts';
import { toRanking } from '../../src/models/rerank/ranking.ts';
import type { RerankModel } from '../../src/models/rerank/rerank-model.ts';
import type { Reranking } from '../../src/retrieval/rerank.ts';
import { longestRerankTextTokens, toRerankTexts } from '../../src/retrieval/rerank-text.ts';
import { createRetriever, type Retrieval } from '../../src/retrieval/retrieve.ts';
import { callContext } from '../../testkit/request-context.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { openStoreSystem, type StoreSystem } from '../../testkit/store-system.ts';
import { type BenchGoal, type BenchTable, writeResult } from '../report.ts';
import { measurePassages } from './rerank-passages.ts';

const sets = ['scifact/test', 'cranfield/test', 'time/test', 'cosqa/dev', 'hotpotqa-100/test'];
const depths = [10, 50, 100] as const;
const page = 100;
/** Of a set: making the texts of hundreds of thousands of chunks is what takes the time here. */
const mostQueries = 100;
const timeoutMs = 60_000;

type Scorer = (documentIds: readonly string[]) => readonly number[];

const round = (value: number): number => Number(value.toFixed(4));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** A reranker that scores by what stands at each place: `scores` is set before each search. */
function createPlaceReranker(): RerankModel & { scores: readonly number[] } {
  const model: RerankModel & { scores: readonly number[] } = {
    id: 'places',
    provider: 'bench',
    method: 'cross-encoder',
    scores: [],
    async rerank({ texts }) {
      const scores = new Map(texts.map((_, index) => [index, model.scores[index] ?? 0]));
      return { ranking: toRanking(scores, texts.length), model: 'bench:places', attempts: [] };
    },
  };
  return model;
}

function openSearch({ store, documents }: StoreSystem, reranking?: Reranking) {
  const options = {
    record: { documents, sources: { get: async () => undefined, list: async () => [] } },
    legs: openLegs({
      store,
      semantics: { current: async () => ({ ready: false, code: 'off', detail: 'Words only.' }) },
      fusion: { method: 'min-max', semanticWeight: undefined, rankConstant: 60 },
      documents,
      clock: systemClock,
    }),
    spanUrl: (id: string) => id,
    ...(reranking && { reranking }),
  };
  return (query: string, topK = page): Promise<Retrieval> =>
    createRetriever({ ...options, context: callContext() }).retrieve({ query, mode: 'embedded', topK });
}

/** By the order of the list, not by its scores. */
const measureOrder = (documentIds: readonly string[], judgments: Judgments): QueryMetrics =>
  measureQuery(foldToDocuments(documentIds.map((documentId, place) => ({ documentId, score: -place }))), judgments);

const documentsOf = ({ evidence }: Retrieval): string[] => evidence.map(({ documentId }) => documentId);
const chunksOf = ({ evidence }: Retrieval): string[] => evidence.map(({ chunkId }) => chunkId);

const goals: BenchGoal[] = [];
const metrics: Record<string, number> = {};
const orderRows: (string | number)[][] = [];
const costRows: (string | number)[][] = [];
const files: string[] = [];
const ceilings = new Map<string, number[]>();
let lost = 0;
let unreached = 0;
let unordered = 0;

const addTo = (kind: string, value: number): void => void ceilings.set(kind, [...(ceilings.get(kind) ?? []), value]);

async function measureSet(name: string): Promise<void> {
  const [folder = '', split = 'test'] = name.split('/');
  const place = sharedData(folder);
  if (place === undefined) return;
  const dataset = await openRetrievalDataset(place, split);
  const system = await openStoreSystem();
  try {
    await system.ingest(dataset.documents());
    files.push(...dataset.files);
    const queries = dataset.queries.slice(0, mostQueries);
    const judgmentsOf = ({ id }: EvaluationQuery): Judgments => dataset.judgments.get(id) ?? new Map();
    const plain = openSearch(system);
    const found: Retrieval[] = [];
    for (const { text } of queries) found.push(await plain(text));
    const first = queries.map((query, at) => measureOrder(documentsOf(found[at] as Retrieval), judgmentsOf(query)));
    const row: (string | number)[] = [
      name,
      queries.length,
      round(mean(first.map(({ recall100 }) => recall100))),
      round(mean(first.map(({ ndcg10 }) => ndcg10))),
    ];
    for (const depth of depths) {
      const model = createPlaceReranker();
      const search = openSearch(system, { model, topK: depth, timeoutMs, threshold: 0 });
      const random = seeded(depth);
      const kinds: Readonly<Record<string, (judgments: Judgments) => Scorer>> = {
        oracle: (judgments) => {
          const most = Math.max(1, ...judgments.values());
          return (ids) => ids.map((id) => Math.max(0, judgments.get(id) ?? 0) / most);
        },
        reversed: () => (ids) => ids.map((_, index) => index / ids.length),
        lots: () => (ids) => ids.map(() => random()),
      };
      for (const [kind, toScorer] of Object.entries(kinds)) {
        // Lots are drawn among those that are reranked by default.
        if (kind === 'lots' && depth !== depths[0]) continue;
        const ndcg: number[] = [];
        for (const [at, query] of queries.entries()) {
          const before = found[at] as Retrieval;
          const judgments = judgmentsOf(query);
          const head = documentsOf(before).slice(0, depth);
          model.scores = toScorer(judgments)(head);
          const after = await search(query.text);
          ndcg.push(measureOrder(documentsOf(after), judgments).ndcg10);
          if (after.degraded.length > 0 || chunksOf(after).sort().join() !== chunksOf(before).sort().join()) lost++;
          if (after.evidence.some(({ score }, index) => index > 0 && score > (after.evidence[index - 1]?.score ?? 0)))
            unordered++;
          const ideal = toRanking(new Map(model.scores.entries()), head.length).map(({ index }) => head[index] ?? '');
          const reached = measureOrder([...ideal, ...documentsOf(before).slice(depth)], judgments).ndcg10;
          if (Math.abs(reached - (ndcg.at(-1) ?? 0)) > 1e-9) unreached++;
        }
        row.push(round(mean(ndcg)));
        addTo(`${kind} of ${depth}`, mean(ndcg));
      }
    }
    orderRows.push(row);
    addTo('none', Number(row[3]));
    if (name === 'scifact/test' || wanted.length > 0) await measureCost(system, name, queries.slice(0, 50));
  } finally {
    await system.close();
  }
}

/** Processor time of one search in milliseconds, least of three rounds. */
async function cpuOf(queries: readonly EvaluationQuery[], search: (text: string) => Promise<unknown>): Promise<number> {
  const rounds: number[] = [];
  for (let time = 0; time < 3; time++) {
    const before = process.cpuUsage();
    for (const { text } of queries) await search(text);
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / 1000 / queries.length);
  }
  return Math.min(...rounds);
}

/** What an instant reranker adds to a search that returns as many results. */
async function measureCost(system: StoreSystem, name: string, queries: readonly EvaluationQuery[]): Promise<void> {
  for (const depth of depths) {
    const model = createPlaceReranker();
    const plain = openSearch(system);
    const search = openSearch(system, { model, topK: depth, timeoutMs, threshold: 0 });
    const alone = await cpuOf(queries, (text) => plain(text, depth));
    const with_ = await cpuOf(queries, (text) => search(text, depth));
    const evidence = await Promise.all(
      queries.map(async ({ text }) => ({ text, found: (await plain(text, depth)).evidence })),
    );
    let at = 0;
    const texts = await cpuOf(queries, async () => {
      const { text = '', found = [] } = evidence[at++ % evidence.length] ?? {};
      toRerankTexts(text, found);
    });
    costRows.push([name, depth, round(alone), round(with_), round(with_ / alone), round(texts)]);
    metrics[`search with an instant reranker of ${depth}, processor time of one without`] = round(with_ / alone);
  }
}

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : sets) await measureSet(name);

const passageRows: (string | number)[][] = [];
if (wanted.length === 0) {
  for (const language of ['en', 'de', 'zh', 'ar']) {
    const folder = sharedData(`xquad-${language}`);
    if (folder === undefined) continue;
    files.push(folder);
    for (const tokens of language === 'en' ? [256, longestRerankTextTokens, 512] : [longestRerankTextTokens]) {
      const row = await measurePassages(folder, tokens);
      passageRows.push([`xquad-${language}`, tokens, row.questions, row.best, row.beginning, row.anywhere]);
      if (tokens === longestRerankTextTokens) {
        metrics[`answers read, xquad-${language}, of the best passage`] = row.best;
        metrics[`answers read, xquad-${language}, of the beginning`] = row.beginning;
        goals.push({
          what: `answers read in ${tokens} tokens of articles, xquad-${language}`,
          wanted: `> ${row.beginning} (the beginning)`,
          got: row.best,
          met: row.best > row.beginning,
        });
      }
    }
  }
}
for (const [kind, values] of ceilings) metrics[`nDCG@10, mean of sets, ${kind}`] = round(mean(values));
goals.unshift(
  { what: 'searches that lost, doubled or added evidence, any reranker', wanted: '0', got: lost, met: lost === 0 },
  { what: 'searches that did not reach what their reranker could', wanted: '0', got: unreached, met: unreached === 0 },
  { what: 'searches whose scores do not fall along the list', wanted: '0', got: unordered, met: unordered === 0 },
);

const kindColumns = depths.flatMap((depth) => [
  `oracle ${depth}`,
  `reversed ${depth}`,
  ...(depth === depths[0] ? [`lots ${depth}`] : []),
]);
const tables: BenchTable[] = [
  {
    title: 'nDCG@10 in mode embedded by what orders the first 10, 50 or 100 results anew',
    columns: ['set', 'queries', 'recall@100', 'none', ...kindColumns],
    rows: orderRows,
  },
  {
    title: 'Processor time of one search, milliseconds',
    columns: ['set', 'results', 'without', 'with an instant reranker', 'ratio', 'of it making the texts'],
    rows: costRows,
  },
  {
    title: 'Articles cut to what a reranker reads: share of questions whose answer is left',
    columns: ['set', 'tokens', 'questions', 'best passage', 'beginning', 'anywhere'],
    rows: passageRows,
  },
];
console.log(metrics);
for (const { title, columns, rows } of tables) {
  console.log(`\n${title}\n${columns.join('\t')}`);
  for (const row of rows) console.log(row.join('\t'));
}
if (wanted.length === 0)
  await writeResult('rerank', {
    title: 'Reranking: what the path gives and costs, without weights',
    command: 'npm run bench rerank',
    seed: 1,
    data: [...new Set(files)],
    metrics,
    goals,
    tables,
    notes: [
      'No reranker with weights was measured: none can be had without a download. An oracle knows the judgments; what it reaches is the most that any reranker of so many results could.',
      'Scores of the oracle are the judgments, equal ones in the order of the search. The first 100 queries of each set.',
      'How a passage is chosen was settled on the questions of xquad-en; the other languages are questions that nothing was chosen on.',
    ],
  });
else for (const goal of goals) console.log(`${goal.met ? 'met   ' : 'MISSED'} ${goal.what}: ${goal.got}`);
