// The figures of bench/modes between runs: one row for each set, read back from the last result and merged with what was measured now,
// so that sets can be measured one by one. Invariant: goals and means follow from the rows alone, and each row names its commit.
import { type Mode, modes } from '../../src/core/search.ts';
import type { BenchGoal, BenchResult, BenchTable } from '../report.ts';
import { references } from './reference-bm25.ts';

export type Row = readonly (string | number | null)[];

const perMode = (name: string): string[] => modes.map((mode) => `${mode} ${name}`);

export const setColumns = [
  'set',
  'chunks',
  'queries',
  'reference nDCG@10',
  ...perMode('nDCG@10'),
  'hybrid less embedded',
  'interval',
  'p',
  'better, worse, same',
  'embedded, half not tuned on',
  'hybrid, half not tuned on',
  ...perMode('recall@100'),
  'commit',
];

export const crossColumns = [
  'questions, documents, model',
  'queries',
  ...perMode('nDCG@10'),
  ...perMode('recall@100'),
  'told that the languages differ',
  'commit',
];

export const setTitle =
  'By set (interval: 95 % paired bootstrap; p: paired randomisation; half not tuned on: even-numbered queries of the tuning sets)';
export const crossTitle = 'Questions in another language than the documents';

/** Rows measured now take the place of those with the same first cell; sets are in the order of `order`, others follow. */
export function mergeRows(kept: readonly Row[], measured: readonly Row[], order: readonly string[]): Row[] {
  const rows = new Map([...kept, ...measured].map((row) => [String(row[0]), row]));
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...rows.values()].sort((left, right) => place(String(left[0])) - place(String(right[0])));
}

/** The rows of a table of the last result; none where it had other columns. */
export function rowsOf(result: BenchResult | undefined, { title, columns }: Omit<BenchTable, 'rows'>): readonly Row[] {
  const table = result?.tables.find((one) => one.title === title);
  if (!table || table.columns.join('\n') !== columns.join('\n')) return [];
  return table.rows.map((row) => row.map((cell) => (typeof cell === 'boolean' ? String(cell) : cell)));
}

const numberAt = (row: Row, column: string): number => Number(row[setColumns.indexOf(column)]);
const meanOf = (rows: readonly Row[], column: string): number =>
  rows.reduce((sum, row) => sum + numberAt(row, column), 0) / Math.max(1, rows.length);

/** Means over the sets that have a reference. */
export function metricsOf(rows: readonly Row[]): Record<string, number> {
  const judged = rows.filter((row) => String(row[0]) in references);
  const columns = ['reference nDCG@10', ...perMode('nDCG@10'), ...perMode('recall@100')];
  return {
    sets: judged.length,
    ...Object.fromEntries(columns.map((column) => [`mean ${column}`, meanOf(judged, column)])),
  };
}

export function goalsOf(rows: readonly Row[]): BenchGoal[] {
  const judged = rows.filter((row) => String(row[0]) in references);
  if (judged.length === 0) return [];
  const all = Object.keys(references).length;
  const over = judged.length === all ? '' : ` (${judged.length} of ${all} sets)`;
  const ndcg = (mode: Mode): number => meanOf(judged, `${mode} nDCG@10`);
  const atLeast = (what: string, got: number, least: number): BenchGoal => ({
    what: `${what}${over}`,
    wanted: `>= ${least}`,
    got: Number(got.toFixed(4)),
    met: got >= least,
  });
  const above = (mode: Mode): BenchGoal => ({
    what: `mean nDCG@10 of hybrid less that of ${mode}${over}`,
    wanted: '> 0',
    got: Number((ndcg('hybrid') - ndcg(mode)).toFixed(4)),
    met: ndcg('hybrid') > ndcg(mode),
  });
  const change = (row: Row): number => numberAt(row, 'hybrid nDCG@10') / numberAt(row, 'embedded nDCG@10') - 1;
  const worst = judged.reduce((least, row) => (change(row) < change(least) ? row : least));
  const scifact = judged.find(([name]) => name === 'scifact/test');
  return [
    atLeast(
      'mean nDCG@10 of hybrid over the reference',
      ndcg('hybrid') / meanOf(judged, 'reference nDCG@10') - 1,
      0.06,
    ),
    above('embedded'),
    above('vector'),
    atLeast(`worst set (${worst[0]}), hybrid against embedded`, change(worst), -0.01),
    ...(scifact ? [atLeast('nDCG@10 of hybrid on SciFact test', numberAt(scifact, 'hybrid nDCG@10'), 0.7)] : []),
    atLeast(
      'mean recall@100 of hybrid less that of embedded',
      meanOf(judged, 'hybrid recall@100') - meanOf(judged, 'embedded recall@100'),
      0.02,
    ),
  ];
}
