// Query expansion on judged sets, in mode embedded: nothing, and names that the corpus defines. Parameters were chosen on the odd-numbered queries of Cranfield, CISI, TIME, ADI, CACM and SciFact's
// training claims; figures are of all queries, with the other half beside them. Two tests of names alone: claims of SciFact
// asked by the other name (bench/retrieval/swapped-queries.ts), and a collection made for it (bench/retrieval/acronym-corpus.ts).
// Usage: node bench/retrieval/expansion.ts [set …]
import { type EvaluationQuery, openRetrievalDataset } from '../../src/evals/datasets.ts';
import { compare, type Judgments, measureQuery, type QueryMetrics } from '../../src/evals/metrics.ts';
import { foldToDocuments } from '../../src/evals/retrieval.ts';
import type { EvaluatedDocument } from '../../src/evals/system.ts';
import { createExpander, type ExpansionName } from '../../src/retrieval/expand/expand.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { openStoreSystem } from '../../testkit/store-system.ts';
import { type BenchGoal, type BenchTable, writeResult } from '../report.ts';
import { makeAcronymCorpus } from './acronym-corpus.ts';
import { measureHybrid } from './expansion-hybrid.ts';
import { readNames, swapName } from './swapped-queries.ts';

const tuning = ['cranfield/test', 'cisi/test', 'time/test', 'adi/test', 'cacm/test', 'scifact/train'];
const others = ['scifact/test', 'cosqa/dev', 'hotpotqa-100/test', 'xquad-en/test', 'xquad-de/test', 'xquad-zh/test'];
const all = [...tuning, ...others, 'xquad-ar/test'];
const swapped = ['scifact/train', 'scifact/test'];
const ways: readonly ExpansionName[] = ['acronyms'];
const generated = 'made for it (acronyms)';
/** No set may lose more by what is on unasked. */
const tolerance = 0.002;

interface Collection {
  readonly name: string;
  readonly documents: () => AsyncIterable<EvaluatedDocument> | Iterable<EvaluatedDocument>;
  readonly queries: readonly EvaluationQuery[];
  readonly judgments: ReadonlyMap<string, Judgments>;
}

interface Measured {
  readonly metrics: readonly QueryMetrics[];
  /** Queries that something was added to. */
  readonly widened: number;
  readonly cpuMs: number;
}

const round = (value: number): number => Number(value.toFixed(4));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const ndcgOf = (metrics: readonly QueryMetrics[]): number[] => metrics.map(({ ndcg10 }) => ndcg10);
const recallOf = (metrics: readonly QueryMetrics[]): number[] => metrics.map(({ recall100 }) => recall100);

async function* stream(collection: Collection): AsyncGenerator<EvaluatedDocument, void, undefined> {
  yield* collection.documents();
}

/** Nothing first, then each way. */
async function measure(collection: Collection): Promise<readonly Measured[]> {
  const system = await openStoreSystem();
  try {
    await system.ingest(stream(collection));
    const measured: Measured[] = [];
    // Reads the index and lets the engine be compiled, so that what is measured first does not pay for it.
    for (const { text } of collection.queries.slice(0, 100))
      await system.store.search({ text, mode: 'lexical', limit: 300 });
    for (const expansion of [[], ...ways.map((way) => [way])]) {
      const expander = createExpander({ store: system.store, documents: system.documents, expansion });
      const metrics: QueryMetrics[] = [];
      let widened = 0;
      const before = process.cpuUsage();
      for (const { id, text } of collection.queries) {
        const plain = await system.store.search({ text, mode: 'lexical', limit: 300 });
        const { also } = await expander.expand(text, { found: plain.hits });
        if (also.length > 0) widened++;
        const page = also.length === 0 ? plain : await system.store.search({ text, mode: 'lexical', limit: 300, also });
        metrics.push(measureQuery(foldToDocuments(page.hits), collection.judgments.get(id) ?? new Map()));
      }
      const { user, system: kernel } = process.cpuUsage(before);
      measured.push({ metrics, widened, cpuMs: (user + kernel) / 1000 });
    }
    return measured;
  } finally {
    await system.close();
  }
}

type Row = readonly (string | number | null)[];
const metrics: Record<string, number> = {};
const goals: BenchGoal[] = [];
const files: string[] = [];
const differences: { set: string; way: string; ndcg: number; recall: number }[] = [];

/** One row for each way; `even`: which queries no parameter was chosen on. */
function rowsOf(collection: Collection, measured: readonly Measured[], even: boolean): Row[] {
  const [nothing, ...widened] = measured;
  if (!nothing) return [];
  const held = collection.queries.map(({ id }) => !even || /[02468]$/u.test(id));
  const ndcg = ndcgOf(nothing.metrics);
  const rows = widened.map((one, place): Row => {
    const way = ways[place] ?? '';
    const difference = compare(ndcg, ndcgOf(one.metrics));
    const changes = ndcgOf(one.metrics).map((value, at) => value - (ndcg[at] ?? 0));
    const recalled = mean(recallOf(one.metrics)) - mean(recallOf(nothing.metrics));
    differences.push({ set: collection.name, way, ndcg: difference.mean, recall: recalled });
    return [
      collection.name,
      way,
      collection.queries.length,
      one.widened,
      round(mean(ndcg)),
      round(mean(ndcgOf(one.metrics))),
      `${difference.low.toFixed(3)} to ${difference.high.toFixed(3)}`,
      even ? round(mean(changes.filter((_, at) => held[at]))) : null,
      `${changes.filter((change) => change > 1e-9).length} / ${changes.filter((change) => change < -1e-9).length}`,
      round(mean(recallOf(nothing.metrics))),
      round(mean(recallOf(one.metrics))),
      round(one.cpuMs / nothing.cpuMs),
    ];
  });
  for (const row of rows) console.log(row.join('  '));
  return rows;
}

async function openSet(name: string): Promise<Collection | undefined> {
  const [folderName = name, split = 'test'] = name.split('/');
  const folder = sharedData(folderName);
  if (folder === undefined) return undefined;
  const dataset = await openRetrievalDataset(folder, split);
  files.push(...dataset.files);
  return { name, documents: () => dataset.documents(), queries: dataset.queries, judgments: dataset.judgments };
}

/** The queries that have another name, by it; how they were asked is measured beside. */
async function swap(collection: Collection): Promise<{ asked: Collection; other: Collection }> {
  const pairs = await readNames(stream(collection));
  const both = collection.queries.flatMap((query) => {
    const text = swapName(query.text, pairs);
    return text === undefined ? [] : [{ query, other: { ...query, text } }];
  });
  return {
    asked: { ...collection, name: `${collection.name}, as asked`, queries: both.map(({ query }) => query) },
    other: { ...collection, name: `${collection.name}, other name`, queries: both.map(({ other }) => other) },
  };
}

const wanted = process.argv.slice(2);
const names = wanted.length > 0 ? wanted : all;
const rows: Row[] = [];
const nameRows: Row[] = [];
for (const name of names) {
  const collection = await openSet(name);
  if (collection) rows.push(...rowsOf(collection, await measure(collection), tuning.includes(name)));
}
const setDifferences = [...differences];
for (const name of swapped.filter((one) => names.includes(one))) {
  const collection = await openSet(name);
  if (!collection) continue;
  const { asked, other } = await swap(collection);
  for (const one of [asked, other]) nameRows.push(...rowsOf(one, await measure(one), tuning.includes(name)));
}
const made = makeAcronymCorpus();
const collection = { ...made, name: generated, documents: () => made.documents };
nameRows.push(...rowsOf(collection, await measure(collection), false));

const hybridSet = 'scifact/test';
const hybridRows = (names.includes(hybridSet) ? await measureHybrid(hybridSet, ['none', ...ways]) : undefined) ?? [];
const joined = hybridRows.map(({ asked, expansion, queries, embedded, hybrid }): (string | number)[] => [
  asked,
  expansion,
  queries,
  ...[ndcgOf(embedded), ndcgOf(hybrid), recallOf(embedded), recallOf(hybrid)].map((values) => round(mean(values))),
]);
for (const row of joined) console.log(row.join('  '));

for (const way of ways) {
  const of = setDifferences.filter((one) => one.way === way);
  if (of.length === 0) continue;
  metrics[`${way}: mean change of nDCG@10`] = mean(of.map(({ ndcg }) => ndcg));
  metrics[`${way}: worst set, change of nDCG@10`] = Math.min(...of.map(({ ndcg }) => ndcg));
  metrics[`${way}: mean change of recall@100`] = mean(of.map(({ recall }) => recall));
}
const changeOn = (set: string): number =>
  differences.find((one) => one.set === set && one.way === 'acronyms')?.ndcg ?? Number.NaN;
const worst = metrics['acronyms: worst set, change of nDCG@10'] ?? Number.NaN;
goals.push({
  what: 'acronyms: worst set, change of nDCG@10',
  wanted: `>= -${tolerance}`,
  got: round(worst),
  met: worst >= -tolerance,
});
for (const set of ['scifact/test, other name', generated])
  if (differences.some((one) => one.set === set))
    goals.push({
      what: `acronyms: change of nDCG@10, ${set}`,
      wanted: '>= 0.01',
      got: round(changeOn(set)),
      met: changeOn(set) >= 0.01,
    });
console.log(metrics);

const columns = [
  'set',
  'expansion',
  'queries',
  'widened',
  'nDCG@10 without',
  'with',
  'difference',
  'difference, even half',
  'better / worse',
  'recall@100 without',
  'with',
  'CPU time, of without',
];
const tables: BenchTable[] = [
  {
    title: 'Judged sets ("difference": 95 % paired bootstrap; "even half": queries that nothing was chosen on)',
    columns,
    rows: rows.map((row) => [...row]),
  },
  { title: 'Asked by the other name', columns, rows: nameRows.map((row) => [...row]) },
  {
    title: `Joined with meaning (corpus model): ${hybridSet}`,
    columns: [
      'queries',
      'expansion',
      'number',
      'embedded nDCG@10',
      'hybrid nDCG@10',
      'embedded recall@100',
      'hybrid recall@100',
    ],
    rows: joined,
  },
];
if (wanted.length === 0)
  await writeResult('expansion', {
    title: 'Query expansion in mode embedded on judged sets',
    command: 'npm run bench expansion',
    seed: 1,
    data: [...new Set(files)],
    metrics,
    goals,
    tables,
    notes: [
      'acronyms: names that the best 10 passages of the query, and the best 10 of its short forms, define; all words of a name together weigh 0.4.',
      `made for it: ${made.documents.length} generated notes on 160 machines, ${made.ambiguous} short forms that mean two of them.`,
      'CPU time is that of expanding and searching together, as a multiple of searching alone. A query that something is added to is searched again; one with a short form, once more.',
    ],
  });
else for (const goal of goals) console.log(`${goal.met ? 'met   ' : 'MISSED'} ${goal.what}: ${goal.got}`);
