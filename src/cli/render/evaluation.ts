// A measurement of search as a person reads it: the measures of each mode, what each mode changes against words alone, and the
// queries that gain and lose most with the document that explains it.
import type { ModeComparison, QueryChange } from '../../evals/compare-modes.ts';
import type { ModelJudgeSummary } from '../../evals/judges-by-model.ts';
import type { Estimate } from '../../evals/metrics.ts';
import { metricNames, type RetrievalReport } from '../../evals/retrieval.ts';
import { toPrice } from '../terminal/figures.ts';
import { type Terminal, toPrintable, toTable } from '../terminal/terminal.ts';
import { plural, shorten } from './render.ts';

export interface Measured {
  readonly comparisons: readonly ModeComparison[];
  readonly split: string;
}

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`;

export const toPValue = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`);

const cell = ({ mean, low, high }: Estimate): string => `${mean.toFixed(4)} (${low.toFixed(3)} to ${high.toFixed(3)})`;

/** What `--json` prints: everything but the runs and the measures of single queries. */
export function toRetrievalValue(
  reports: readonly RetrievalReport[],
  measured: Measured & { readonly runFiles: Readonly<Record<string, string>> },
): unknown {
  const { comparisons, split, runFiles } = measured;
  const [first] = reports;
  return {
    dataset: first?.dataset,
    split,
    queries: first?.queries,
    documents: first?.documents,
    chunks: first?.chunks,
    failed: first?.failed ?? [],
    modes: reports.map(({ mode, metrics, degraded }) => ({ mode, metrics, degraded })),
    comparisons,
    ...(Object.keys(runFiles).length > 0 && { runFiles }),
  };
}

export function renderRetrieval(terminal: Terminal, reports: readonly RetrievalReport[], measured: Measured): void {
  const [first] = reports;
  if (!first) return;
  terminal.line(
    `${toPrintable(first.dataset)}, split ${measured.split}: ${first.queries} ${first.queries === 1 ? 'query' : 'queries'} over ${plural(first.documents, 'document')} (${plural(first.chunks, 'chunk')})`,
  );
  const names = Object.entries(metricNames) as [keyof typeof metricNames, string][];
  const rows = [
    ['', ...names.map(([, name]) => name)],
    ...reports.map(({ mode, metrics }) => [mode, ...names.map(([key]) => cell(metrics[key]))]),
  ];
  for (const row of toTable(rows)) terminal.line(`  ${row}`);
  terminal.line(terminal.paint('dim', '  (95 % intervals)'));
  for (const comparison of measured.comparisons) renderComparison(terminal, comparison, reports);
  for (const { mode, degraded } of reports)
    for (const { component, detail, effect, queries } of degraded)
      terminal.warn(`${mode}, ${queries} of ${first.queries} (${component}): ${toPrintable(`${detail} ${effect}`)}`);
  if (first.failed.length > 0)
    terminal.warn(
      `${plural(first.failed.length, 'document')} not taken; the first: ${toPrintable(`${first.failed[0]?.id}: ${first.failed[0]?.reason}`)}`,
    );
}

function renderComparison(terminal: Terminal, comparison: ModeComparison, reports: readonly RetrievalReport[]): void {
  const { mode, reference, difference, wins, losses, ties } = comparison;
  terminal.line();
  terminal.line(
    `${terminal.paint('bold', `${mode} against ${reference}`)}: nDCG@10 ${signed(difference.mean)} (${signed(difference.low)} to ${signed(difference.high)}), ${toPValue(difference.p)}; ${wins} better, ${losses} worse, ${ties} the same`,
  );
  for (const [title, changes] of [
    ['gained most', comparison.gained],
    ['lost most', comparison.lost],
  ] as const) {
    if (changes.length === 0) continue;
    terminal.line(`  ${title}`);
    const rows = changes.map((change) => [
      `    ${toPrintable(change.queryId)}`,
      `${change.before.toFixed(2)} to ${change.after.toFixed(2)}`,
      ranksOf(change, reports),
      shorten(change.text, 60),
    ]);
    terminal.table(rows);
  }
}

/** Where the document that explains the change stands in each mode. */
function ranksOf({ documentId, ranks }: QueryChange, reports: readonly RetrievalReport[]): string {
  if (documentId === undefined) return '';
  const places = reports.map(({ mode }) => `${mode} ${ranks[mode] === undefined ? '-' : `#${ranks[mode]}`}`);
  return `${toPrintable(documentId)}: ${places.join(', ')}`;
}

/** The verdicts of the model that judged, and its cost. */
export function renderModelJudge(terminal: Terminal, judged: ModelJudgeSummary): void {
  const { model, scored, failed, failure, supported, unsupported, unclear, spent } = judged;
  terminal.line(
    `  ${toPrintable(model)} judged ${plural(scored, 'answer')}: ${plural(supported, 'claim')} supported, ${unsupported} unsupported, ${unclear} unclear (${spent.inputTokens} input tokens, ${spent.outputTokens} output tokens, known cost ${toPrice(spent.costUsd)})`,
  );
  if (failed > 0) terminal.warn(`The judge failed on ${plural(failed, 'answer')}; the first: ${failure}`);
}
