// Measures retrieval on a judged set, in one mode or several over one ingestion: every judged query is searched, chunks are folded to
// documents by their best chunk, and the measures are those of trec_eval. What is measured is the system behind the port, with its own
// settings; what it could not do is part of the report.
import { writeFile } from 'node:fs/promises';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { Degradation, Filter, Mode } from '../core/search.ts';
import type { EvaluationQuery, RetrievalDataset } from './datasets.ts';
import {
  type Estimate,
  estimate,
  measureNames,
  measuresOf,
  type QueryMetrics,
  type ScoredDocument,
  toQueryMetrics,
  trecOrder,
} from './metrics.ts';
import type { EvaluatedHit, EvaluatedIngestion, EvaluatedSystem } from './system.ts';

export interface ModesEvaluation {
  readonly dataset: RetrievalDataset;
  readonly system: EvaluatedSystem;
  readonly modes: readonly Mode[];
  /** Chunks asked for per query, 100..1000. MAP is over a run this deep. Default 1000. */
  readonly topK?: number;
  /** Seed of the confidence intervals. Default 1. */
  readonly seed?: number;
  /** Called after each query of each mode. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export interface RetrievalEvaluation extends Omit<ModesEvaluation, 'modes'> {
  readonly mode: Mode;
}

/** One query's documents, in trec_eval's order. */
export interface RankedQuery {
  readonly queryId: string;
  readonly documents: readonly ScoredDocument[];
}

export interface RetrievalReport {
  readonly dataset: string;
  readonly mode: Mode;
  readonly queries: number;
  readonly documents: number;
  readonly chunks: number;
  readonly failed: EvaluatedIngestion['failed'];
  /** What the system disclosed while it searched, by component and code: the first of each, and of how many queries. */
  readonly degraded: readonly DegradedQueries[];
  readonly metrics: Readonly<Record<keyof QueryMetrics, Estimate>>;
  /** Query id -> measures, for paired comparisons. */
  readonly perQuery: ReadonlyMap<string, QueryMetrics>;
  readonly run: readonly RankedQuery[];
}

export interface DegradedQueries extends Degradation {
  readonly queries: number;
}

/** Only the best chunk of a document counts. */
export function foldToDocuments(hits: readonly EvaluatedHit[]): ScoredDocument[] {
  const best = new Map<string, number>();
  for (const { documentId, score } of hits) best.set(documentId, Math.max(score, best.get(documentId) ?? -Infinity));
  return [...best].map(([documentId, score]) => ({ documentId, score }));
}

/** A query with `metadata.sample_id` is asked of the documents whose id starts with it. */
export function queryFilter(query: EvaluationQuery): Filter | undefined {
  const sample = query.metadata['sample_id'];
  return typeof sample === 'string' && sample !== '' ? { op: 'prefix', field: 'id', value: sample } : undefined;
}

/** Ingests the set and searches every judged query. Judged queries without a text count 0. */
export async function evaluateRetrieval(evaluation: RetrievalEvaluation): Promise<RetrievalReport> {
  const { mode, ...rest } = evaluation;
  const [report] = await evaluateModes({ ...rest, modes: [mode] });
  if (!report) throw new FootnoteError('internal', `Mode ${mode} was not measured.`);
  return report;
}

/** Ingests the set once and searches every judged query in each of the modes; a report for each, in their order. */
export async function evaluateModes(evaluation: ModesEvaluation): Promise<RetrievalReport[]> {
  const { dataset, system, modes, topK = 1000, signal } = evaluation;
  if (!Number.isInteger(topK) || topK < 100 || topK > 1000)
    throw new FootnoteError('invalid-request', `topK is ${topK}: it must be a whole number from 100 to 1000.`);
  const ingested = await system.ingest(dataset.documents(), signal);
  const reports: RetrievalReport[] = [];
  const total = modes.length * dataset.queries.length;
  for (const [index, mode] of modes.entries())
    reports.push(
      await measureMode({ ...evaluation, mode, topK }, ingested, (done) =>
        evaluation.onProgress?.(index * dataset.queries.length + done, total),
      ),
    );
  return reports;
}

async function measureMode(
  { dataset, system, mode, topK, seed = 1, signal }: RetrievalEvaluation & { readonly topK: number },
  ingested: EvaluatedIngestion,
  onQuery: (done: number) => void,
): Promise<RetrievalReport> {
  const run: RankedQuery[] = [];
  const measured = new Map<string, Float64Array>();
  const degraded = new Map<string, Degradation & { queries: number }>();
  for (const [queryId, judgments] of dataset.judgments) measured.set(queryId, measuresOf([], judgments));
  for (const query of dataset.queries) {
    if (signal?.aborted) throw toFootnoteError(signal.reason);
    const filter = queryFilter(query);
    const seen = new Set<string>();
    const onDegraded = (degradation: Degradation): void => {
      const key = `${degradation.component} ${degradation.code}`;
      const known = degraded.get(key) ?? { ...degradation, queries: 0 };
      if (!seen.has(key)) known.queries++;
      seen.add(key);
      degraded.set(key, known);
    };
    const hits = await system.search(query.text, { mode, limit: topK, onDegraded, ...(filter && { filter }) }, signal);
    const documents = foldToDocuments(hits);
    const scores = new Map(documents.map((document) => [document.documentId, document.score]));
    run.push({
      queryId: query.id,
      documents: trecOrder(documents).map((documentId) => ({ documentId, score: scores.get(documentId) ?? 0 })),
    });
    measured.set(query.id, measuresOf(documents, dataset.judgments.get(query.id) ?? new Map()));
    onQuery(run.length);
  }
  // Means are made of numbers that never were fields of objects: V8 13.6 (Node 24.21) now and then gives the second such field for the first,
  // and one run in some twenty on a busy machine reported recall@10 as nDCG@10.
  const measures = [...measured.values()];
  const estimated = measureNames.map((name, at) => {
    const values = new Float64Array(measures.length);
    for (let place = 0; place < measures.length; place++) values[place] = measures[place]?.[at] ?? 0;
    return [name, estimate([...values], { seed })] as const;
  });
  return {
    dataset: dataset.name,
    mode,
    queries: measures.length,
    documents: ingested.documents,
    chunks: ingested.chunks,
    failed: ingested.failed,
    degraded: [...degraded.values()],
    metrics: Object.fromEntries(estimated) as Record<keyof QueryMetrics, Estimate>,
    perQuery: new Map([...measured].map(([id, values]) => [id, toQueryMetrics(values)])),
    run,
  };
}

/** Names of the measures as papers print them. */
export const metricNames: Readonly<Record<keyof QueryMetrics, string>> = {
  ndcg10: 'nDCG@10',
  recall10: 'recall@10',
  recall100: 'recall@100',
  averagePrecision: 'MAP',
  reciprocalRank10: 'MRR@10',
};

/** The run in TREC's format (`query Q0 document rank score tag`), the first 100 documents of each query. */
export function printTrecRun(run: readonly RankedQuery[], tag: string): string {
  const lines = run.flatMap(({ queryId, documents }) =>
    documents
      .slice(0, 100)
      .map(({ documentId, score }, index) => `${queryId} Q0 ${documentId} ${index + 1} ${score} ${tag}`),
  );
  return lines.map((line) => `${line}\n`).join('');
}

/** Writes the run. Throws `not-found`, `storage-denied` or `storage-full` with the path. */
export async function writeTrecRun(path: string, report: RetrievalReport): Promise<void> {
  try {
    await writeFile(path, printTrecRun(report.run, `footnote-${report.mode}`));
  } catch (error) {
    throw toFootnoteError(error);
  }
}
