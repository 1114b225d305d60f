// Lexical retrieval on judged sets against the reference BM25 of the data's notes (Porter, k1 0.9, b 0.4). The title's weight
// was chosen on the odd-numbered queries of Cranfield, CISI, CACM and ADI and on SciFact's training claims; the figures here
// are of the whole sets, with the even-numbered half beside them.
// Usage: node bench/retrieval/retrieval.ts [set …], a set being a folder of the evaluation data with its split: scifact/test.
import { openRetrievalDataset } from '../../src/evals/datasets.ts';
import { evaluateRetrieval, metricNames } from '../../src/evals/retrieval.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { openStoreSystem } from '../../testkit/store-system.ts';
import { type BenchGoal, writeResult } from '../report.ts';
import { references } from './reference-bm25.ts';

/** What no set may lose, what these must not, and what all together must gain over the reference. */
const tolerance = 0.005;
const unharmed: ReadonlySet<string> = new Set(['xquad-de/test', 'xquad-zh/test', 'xquad-ar/test']);
const meanGain = 1.04;
const codeGain = 1.05;
const splitByHalf = new Set(['cranfield', 'cisi', 'time', 'adi', 'cacm']);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const round = (value: number): number => Number(value.toFixed(4));

const wanted = process.argv.slice(2);
const sets = wanted.length > 0 ? wanted : Object.keys(references);
const rows: (string | number | null)[][] = [];
const goals: BenchGoal[] = [];
const gained: { readonly reference: number; readonly got: number }[] = [];
const metrics: Record<string, number> = {};
const read: (string | undefined)[] = [];

for (const set of sets) {
  const [name = set, split = 'test'] = set.split('/');
  const folder = sharedData(name);
  if (folder === undefined) continue;
  const dataset = await openRetrievalDataset(folder, split);
  read.push(...dataset.files);
  const system = await openStoreSystem();
  try {
    const report = await evaluateRetrieval({ dataset, system, mode: 'embedded' });
    const { ndcg10, recall10, recall100, averagePrecision, reciprocalRank10 } = report.metrics;
    const even = [...report.perQuery].filter(([id]) => /[02468]$/u.test(id)).map(([, measure]) => measure.ndcg10);
    const reference = references[set];
    rows.push([
      set,
      report.documents,
      report.queries,
      reference ?? null,
      round(ndcg10.mean),
      `${ndcg10.low.toFixed(3)}-${ndcg10.high.toFixed(3)}`,
      splitByHalf.has(name) ? round(mean(even)) : null,
      ...[recall10, recall100, averagePrecision, reciprocalRank10].map((measure) => round(measure.mean)),
    ]);
    metrics[`${set} ${metricNames.ndcg10}`] = ndcg10.mean;
    if (reference !== undefined) {
      const factor = set === 'cosqa/dev' ? codeGain : unharmed.has(set) ? 1 : 1 - tolerance;
      gained.push({ reference, got: ndcg10.mean });
      goals.push({
        what: `nDCG@10 on ${set}`,
        wanted: `>= ${reference}${factor === 1 ? '' : ` x ${factor}`}`,
        got: round(ndcg10.mean),
        met: ndcg10.mean >= reference * factor,
      });
    }
    console.log(rows.at(-1)?.join('  '));
  } finally {
    await system.close();
  }
}

if (gained.length > 0) {
  const gain = mean(gained.map(({ got }) => got)) / mean(gained.map(({ reference }) => reference));
  goals.push({
    what: 'nDCG@10, mean of the sets over the mean of the reference',
    wanted: `>= ${meanGain}`,
    got: round(gain),
    met: gain >= meanGain,
  });
}
if (wanted.length === 0)
  await writeResult('retrieval', {
    title: 'Lexical retrieval (embedded store, BM25) on judged sets',
    command: 'npm run bench retrieval',
    seed: 1,
    data: [...new Set(read)],
    metrics,
    goals,
    tables: [
      {
        title: 'By set (95 % bootstrap interval; "even" is nDCG@10 on the half that no setting was chosen on)',
        columns: [
          'set',
          'documents',
          'queries',
          'reference nDCG@10',
          'nDCG@10',
          'interval',
          'even',
          'recall@10',
          'recall@100',
          'MAP',
          'MRR@10',
        ],
        rows,
      },
    ],
    notes: [
      'Measures as trec_eval computes them, over runs of depth 1000; chunks are folded to documents by their best chunk.',
      'The title counts twice: chosen on SciFact train and on the odd-numbered queries of Cranfield, CISI, CACM and ADI.',
      'Reference: the plain BM25 of the data notes (title and text, Porter, k1 0.9, b 0.4).',
    ],
  });
