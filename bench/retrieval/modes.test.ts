// The figures of bench/modes between runs: what is kept, what is replaced, and goals that follow from rows.
import { describe, expect, it } from 'vitest';
import type { BenchResult } from '../report.ts';
import { goalsOf, mergeRows, metricsOf, type Row, rowsOf, setColumns } from './modes-result.ts';
import { references } from './reference-bm25.ts';

/** A row with these figures for embedded, vector and hybrid. */
function row(set: string, ndcg: readonly number[], recall: readonly number[] = [0.8, 0.85, 0.85]): Row {
  const cells = new Map<string, string | number | null>([
    ['set', set],
    ['reference nDCG@10', references[set] ?? null],
    ...['embedded', 'vector', 'hybrid'].flatMap((mode, index): [string, number][] => [
      [`${mode} nDCG@10`, ndcg[index] ?? 0],
      [`${mode} recall@100`, recall[index] ?? 0],
    ]),
  ]);
  return setColumns.map((column) => cells.get(column) ?? null);
}

const result = (title: string, columns: readonly string[], rows: readonly Row[]): BenchResult =>
  ({ name: 'modes', tables: [{ title, columns, rows }] }) as unknown as BenchResult;

describe('mergeRows', () => {
  it('replaces what was measured anew, keeps the others, and orders them', () => {
    const kept = [row('cisi/test', [1, 1, 1]), row('extra with a model', [2, 2, 2]), row('adi/test', [3, 3, 3])];
    const merged = mergeRows(kept, [row('adi/test', [4, 4, 4])], Object.keys(references));
    expect(merged.map(([set]) => set)).toEqual(['cisi/test', 'adi/test', 'extra with a model']);
    expect(merged[1]).toEqual(row('adi/test', [4, 4, 4]));
  });
});

describe('rowsOf', () => {
  it('reads the rows back, and none of a table with other columns', () => {
    const rows = [row('adi/test', [1, 1, 1])];
    expect(rowsOf(result('sets', setColumns, rows), { title: 'sets', columns: setColumns })).toEqual(rows);
    expect(rowsOf(result('sets', ['set'], rows), { title: 'sets', columns: setColumns })).toEqual([]);
    expect(rowsOf(undefined, { title: 'sets', columns: setColumns })).toEqual([]);
  });
});

describe('goalsOf', () => {
  const met = (rows: readonly Row[]): boolean[] => goalsOf(rows).map((goal) => goal.met);

  it('are met by rows that reach them, and each is missed by rows that do not', () => {
    expect(met([row('scifact/test', [0.69, 0.6, 0.72])])).toEqual([true, true, true, true, true, true]);
    expect(met([row('scifact/test', [0.69, 0.6, 0.71])])).toEqual([false, true, true, true, true, true]);
    expect(met([row('scifact/test', [0.74, 0.6, 0.735])])).toEqual([true, false, true, true, true, true]);
    expect(met([row('scifact/test', [0.69, 0.75, 0.72])])).toEqual([true, true, false, true, true, true]);
    expect(met([row('scifact/test', [0.69, 0.6, 0.69])])).toEqual([false, false, true, true, false, true]);
    expect(met([row('scifact/test', [0.69, 0.6, 0.72], [0.8, 0.9, 0.81])])[5]).toBe(false);
    const harmed = [row('scifact/test', [0.69, 0.6, 0.8]), row('adi/test', [0.52, 0.4, 0.51])];
    expect(met(harmed)[3]).toBe(false);
    expect(goalsOf(harmed)[3]?.what).toContain('adi/test');
  });

  it('count only sets with a reference, and say how many there were', () => {
    const rows = [row('adi/test', [0.5, 0.4, 0.6]), row('adi/test with local:x', [0, 0, 0])];
    expect(metricsOf(rows)).toMatchObject({ sets: 1, 'mean hybrid nDCG@10': 0.6 });
    expect(goalsOf(rows)[0]?.what).toContain('1 of 13 sets');
    expect(goalsOf([])).toEqual([]);
  });
});
