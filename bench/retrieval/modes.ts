// The three modes of the product as people run it, settled, on judged sets: words, meaning learned from the documents, and both. Fusion
// was chosen on the odd-numbered queries of Cranfield, CISI, TIME, ADI, CACM and SciFact's training claims (bench/embedding/semantics.ts);
// the even half and the other sets had no say. Questions in another language than the documents are reported beside them.
// Usage: node bench/retrieval/modes.ts [--sets=adi/test,xquad-de-en] [--dry] [--model=onnx:NAME --models=FOLDER]
// `--sets` measures only those and keeps the other rows of the last result; `--dry` prints and writes nothing.
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { type Mode, modes } from '../../src/core/search.ts';
import { compareModes } from '../../src/evals/compare-modes.ts';
import { openRetrievalDataset, type RetrievalDataset } from '../../src/evals/datasets.ts';
import { evaluateModes, type RetrievalReport } from '../../src/evals/retrieval.ts';
import { openEvaluatedSystem } from '../../src/footnote/trials/evaluated-system.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { describeCommit } from '../environment.ts';
import { readResults, writeResult } from '../report.ts';
import {
  crossColumns,
  crossTitle,
  goalsOf,
  mergeRows,
  metricsOf,
  type Row,
  rowsOf,
  setColumns,
  setTitle,
} from './modes-result.ts';
import { references } from './reference-bm25.ts';

/** Questions of the first set over the documents of the second; their ids agree. */
const crossSets: Readonly<Record<string, readonly [questions: string, documents: string]>> = {
  'xquad-de-en': ['xquad-de', 'xquad-en'],
  'xquad-en-de': ['xquad-en', 'xquad-de'],
};
const tunedOnOddHalf = new Set(['cranfield/test', 'cisi/test', 'time/test', 'adi/test', 'cacm/test', 'scifact/train']);
/** Enough for recall@100 of documents cut into chunks, and near the depth that searches for a page of results look. */
const topK = 200;

const { values: flags } = parseArgs({
  options: {
    sets: { type: 'string' },
    dry: { type: 'boolean', default: false },
    model: { type: 'string', default: 'corpus' },
    models: { type: 'string' },
  },
});
const config = loadConfig({
  environment: { MODEL_EMBED: flags.model, ...(flags.models !== undefined && { MODELS_FOLDER: flags.models }) },
});
const isCorpusModel = flags.model === 'corpus';
const order = [...Object.keys(references), ...Object.keys(crossSets)];
const wanted = flags.sets?.split(',').map((name) => name.trim()) ?? order;
const unknown = wanted.filter((name) => !order.includes(name));
if (unknown.length > 0) throw new Error(`There is no set ${unknown.join(', ')}. Sets: ${order.join(', ')}.`);

const commit = describeCommit();
const round = (value: number): number => Number(value.toFixed(4));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The set of a name, or undefined where the data is not beside this checkout. */
async function openSet(name: string): Promise<RetrievalDataset | undefined> {
  const cross = crossSets[name];
  const [folderName = name, split = 'test'] = cross ? [cross[1]] : name.split('/');
  const folder = sharedData(folderName);
  if (folder === undefined) return undefined;
  const set = await openRetrievalDataset(folder, split);
  if (!cross) return set;
  const questionFolder = sharedData(cross[0]);
  if (questionFolder === undefined) return undefined;
  const questions = await openRetrievalDataset(questionFolder, split);
  return { ...set, queries: questions.queries, files: [...set.files, ...questions.files] };
}

async function measure(set: RetrievalDataset): Promise<{ reports: readonly RetrievalReport[]; told: number }> {
  const system = await openEvaluatedSystem(config);
  try {
    const reports = await evaluateModes({ dataset: set, system, modes, topK });
    const failed = reports[0]?.failed ?? [];
    if (failed.length > 0) console.log(`${set.name}: ${failed.length} documents not taken: ${failed[0]?.reason}`);
    let told = 0;
    let wordsOnly = 0;
    for (const { text } of set.queries) {
      const { degraded } = await system.footnote.search({ query: text, mode: 'hybrid', topK: 1 });
      if (degraded.some(({ code }) => code === 'language-mismatch')) told++;
      if (degraded.some(({ component }) => component === 'vector')) wordsOnly++;
    }
    if (wordsOnly > 0) console.log(`${set.name}: ${wordsOnly} of ${set.queries.length} queries by words only`);
    return { reports, told: told / set.queries.length };
  } finally {
    await system.close();
  }
}

const ofModes = (reports: readonly RetrievalReport[], measureOf: (report: RetrievalReport) => number): number[] =>
  modes.flatMap((mode) => reports.filter((report) => report.mode === mode).map((report) => round(measureOf(report))));

function toSetRow(name: string, set: RetrievalDataset, reports: readonly RetrievalReport[]): Row {
  const comparison = compareModes(reports, set).find(({ mode }) => mode === 'hybrid');
  const even = (wantedMode: Mode): number | null => {
    const report = reports.find(({ mode }) => mode === wantedMode);
    const own = [...(report?.perQuery ?? [])].filter(([id]) => /[02468]$/u.test(id));
    return tunedOnOddHalf.has(name) ? round(mean(own.map(([, { ndcg10 }]) => ndcg10))) : null;
  };
  const { difference, wins, losses, ties } = comparison ?? { difference: undefined, wins: 0, losses: 0, ties: 0 };
  return [
    name,
    reports[0]?.chunks ?? 0,
    reports[0]?.queries ?? 0,
    references[name] ?? null,
    ...ofModes(reports, ({ metrics }) => metrics.ndcg10.mean),
    round(difference?.mean ?? 0),
    `${difference?.low.toFixed(3)} to ${difference?.high.toFixed(3)}`,
    round(difference?.p ?? 1),
    `${wins}, ${losses}, ${ties}`,
    even('embedded'),
    even('hybrid'),
    ...ofModes(reports, ({ metrics }) => metrics.recall100.mean),
    commit,
  ];
}

const setRows: Row[] = [];
const crossRows: Row[] = [];
for (const name of wanted) {
  const set = await openSet(name);
  if (!set) continue;
  const cpu = process.cpuUsage();
  const { reports, told } = await measure(set);
  const row =
    name in crossSets
      ? [
          `${crossSets[name]?.join(' over ')}, ${flags.model}`,
          reports[0]?.queries ?? 0,
          ...ofModes(reports, ({ metrics }) => metrics.ndcg10.mean),
          ...ofModes(reports, ({ metrics }) => metrics.recall100.mean),
          round(told),
          commit,
        ]
      : toSetRow(isCorpusModel ? name : `${name} with ${flags.model}`, set, reports);
  (name in crossSets ? crossRows : setRows).push(row);
  const { user, system } = process.cpuUsage(cpu);
  console.log(`${row.join('  ')}  [${((user + system) / 1e6).toFixed(0)} s of CPU]`);
}

const last = flags.dry ? undefined : (await readResults()).find(({ name }) => name === 'modes');
const sets = { title: setTitle, columns: setColumns };
const cross = { title: crossTitle, columns: crossColumns };
const allSets = mergeRows(rowsOf(last, sets), setRows, order);
const allCross = mergeRows(rowsOf(last, cross), crossRows, []);
const metrics = metricsOf(allSets);
const goals = goalsOf(allSets);
if (flags.dry) {
  console.log(metrics);
  for (const { met, what, got, wanted: least } of goals)
    console.log(`${met ? 'met   ' : 'MISSED'} ${what}: ${got} (wanted ${least})`);
} else {
  const read = await Promise.all(order.map(openSet));
  await writeResult('modes', {
    title: 'Modes embedded, vector and hybrid of the settled product on judged sets',
    command: 'npm run bench modes',
    seed: 1,
    data: [...new Set(read.flatMap((set) => set?.files ?? []))],
    metrics,
    goals,
    tables: [
      { ...sets, rows: allSets.map((row) => [...row]) },
      { ...cross, rows: allCross.map((row) => [...row]) },
    ],
    notes: [
      `Measures as trec_eval computes them over runs of ${topK} chunks, folded to documents by their best chunk; the same data folder serves the three modes once its vectors are settled.`,
      'Means are over the sets that have a reference; the reference is the plain BM25 of the data notes (title and text, Porter, k1 0.9, b 0.4).',
      'Chosen on odd-numbered queries of the tuning sets alone; a run with --sets measures some sets anew and keeps the other rows, each with its commit.',
    ],
  });
}
