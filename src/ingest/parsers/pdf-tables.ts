// Finds tables among the lines of one flow: runs of lines whose cells, parted by wide gaps, stand in the same columns. A row keeps its
// empty cells, so that a figure stays under its header. Lists whose markers stand apart and prose are no tables.
import type { Box } from './pdf-columns.ts';
import type { PdfWord } from './pdf-content.ts';

/** Words of one line that stand together. */
export interface Cell {
  readonly words: readonly PdfWord[];
  readonly x: number;
  readonly right: number;
}

/** A line as far as tables are concerned. Sizes and places in the frame in which the text is upright. */
export interface CellLine extends Box {
  readonly size: number;
  readonly cells: readonly Cell[];
}

/** By line: the words of each column, empty where the row has no cell there; undefined where the line is in no table. */
export type TableRow = readonly (readonly PdfWord[])[];

/** A gap between cells, in sizes of the type: wider than a space ever is set. */
const cellGap = 0.9;
const rowGap = 2;
/** Cells that a justified line of prose does not fall into. */
const mostCellsOfProse = 4;
/** Lines without a gap of their own (group labels, wrapped labels) between two rows of one table. */
const mostPlainLines = 2;
/** Lines further apart than so many sizes are of two tables. */
const furthestLines = 5;

export function findTables(lines: readonly CellLine[]): readonly (TableRow | undefined)[] {
  const joined = lines.map((line) => ({ ...line, cells: joinCells(line) }));
  const rows: (TableRow | undefined)[] = lines.map(() => undefined);
  for (let first = 0; first < lines.length; first++) {
    if (!isRowLike(joined[first])) continue;
    const last = endOfTable(joined, first);
    const region = joined.slice(first, last + 1);
    const columns = columnsOf(region);
    if (columns !== undefined)
      for (const [index, line] of region.entries()) rows[first + index] = placeCells(line, columns);
    first = last;
  }
  return rows;
}

const currency = /^(?:[$€£¥₹]|US\$|CHF|EUR|USD|GBP)$/;
/** Closes the cell before it, or leads from it to the next one. */
const closing = /^(?:[)%]+|[.·…]+)$/;

/** Joins what the page parts but no reader does: a currency sign and its figure, a figure and its per cent sign. */
function joinCells(line: CellLine): Cell[] {
  const cells: { words: PdfWord[]; x: number; right: number }[] = [];
  for (const { words, x, right } of line.cells) {
    const before = cells.at(-1);
    const isClose = before !== undefined && x - before.right <= line.size * cellGap;
    const isTied = before !== undefined && (closing.test(textOf(words)) || currency.test(textOf(before.words)));
    if (before !== undefined && (isClose || isTied)) {
      before.words.push(...words);
      before.right = Math.max(before.right, right);
    } else cells.push({ words: [...words], x, right });
  }
  return cells;
}

function textOf(words: readonly PdfWord[]): string {
  return words.map((word) => word.text).join('');
}

/** A wide gap, or several that are wider than a space. */
function isRowLike(line: CellLine | undefined): boolean {
  if (line === undefined || line.cells.length < 2) return false;
  if (line.cells.length >= mostCellsOfProse) return true;
  return line.cells.some(
    (cell, index) => index > 0 && cell.x - (line.cells[index - 1]?.right ?? 0) > line.size * rowGap,
  );
}

/** The last row that follows the first one without a break. */
function endOfTable(lines: readonly CellLine[], first: number): number {
  let last = first;
  for (let next = first + 1; next < lines.length && next - last <= mostPlainLines + 1; next++) {
    const line = lines[next];
    const before = lines[next - 1];
    const row = lines[last];
    if (line === undefined || before === undefined || row === undefined) break;
    // Larger type is a heading of the next part.
    if (line.y - before.bottom > furthestLines * line.size || line.size > row.size * 1.12) break;
    if (isRowLike(line) || isFigures(line)) last = next;
  }
  return last;
}

/** A row of totals, without a label and with gaps of any width. */
function isFigures({ cells }: CellLine): boolean {
  return cells.length >= 2 && cells.every(({ words }) => /\d/.test(textOf(words)) && !/\p{L}{2}/u.test(textOf(words)));
}

interface Column {
  readonly from: number;
  readonly to: number;
}

/** Share of the rows with most cells that may reach over a gutter. */
const mostCrossing = 0.12;
const marker = /^(?:[•◦▪‣●○■□–—*·-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|\[[^\]]{1,12}\]|\d+(?:\.\d+)*)$/i;

/** Columns where no cell, or hardly any, stands between; undefined where the lines are no table. */
function columnsOf(lines: readonly CellLine[]): readonly Column[] | undefined {
  const rows = lines.filter(isRowLike);
  if (rows.length < 2) return undefined;
  const most = Math.max(...rows.map((row) => row.cells.length));
  const shaping = rows.filter((row) => row.cells.length >= most * 0.6);
  const allowed = Math.floor(shaping.length * mostCrossing);
  const edges = shaping
    .flatMap((row) =>
      row.cells.flatMap(({ x, right }) => [
        { at: x, step: 1 },
        { at: right, step: -1 },
      ]),
    )
    .sort((a, b) => a.at - b.at || b.step - a.step);
  const columns: Column[] = [];
  let depth = 0;
  let from: number | undefined;
  for (const { at, step } of edges) {
    depth += step;
    if (from === undefined && depth > allowed) from = at;
    else if (from !== undefined && depth <= allowed) {
      columns.push({ from, to: at });
      from = undefined;
    }
  }
  const merged = mergeExclusive(rows, columns);
  if (merged.length < 2) return undefined;
  const placed = rows.map((row) => placeCells(row, merged));
  const wide = placed.filter((row) => row.filter((words) => words.length > 0).length >= 2);
  if (wide.length < Math.max(2, rows.length * 0.5)) return undefined;
  const isList = merged.length === 2 && wide.every((row) => marker.test(textOf(row[0] ?? [])));
  return isList ? undefined : merged;
}

/** Neighbouring columns of which no row fills both are one: figures set to the right under a header set to the left. */
function mergeExclusive(rows: readonly CellLine[], columns: readonly Column[]): Column[] {
  const merged: Column[] = [];
  for (const column of columns) {
    const before = merged.at(-1);
    const isOne =
      before !== undefined &&
      rows.every(({ cells }) => cells.filter(({ x, right }) => column.to > x && before.from < right).length <= 1);
    if (isOne) merged[merged.length - 1] = { from: before.from, to: column.to };
    else merged.push(column);
  }
  return merged;
}

/** The words of a line by column. A cell that spans columns stands in the first of them. */
function placeCells(line: CellLine, columns: readonly Column[]): TableRow {
  const row: PdfWord[][] = columns.map(() => []);
  let at = 0;
  for (const cell of line.cells) {
    at = columnOf(cell, columns, at);
    row[at]?.push(...cell.words);
  }
  while (row.length > 1 && row.at(-1)?.length === 0) row.pop();
  return row;
}

/** The first column, from `at` on, that a cell covers by half; else the one it stands over most, else the nearest. */
function columnOf({ x, right }: Cell, columns: readonly Column[], at: number): number {
  let best = at;
  let most = Number.NEGATIVE_INFINITY;
  for (let index = at; index < columns.length; index++) {
    const { from, to } = columns[index] as Column;
    // Below zero: how far apart they are.
    const shared = Math.min(to, right) - Math.max(from, x);
    if (shared <= most) continue;
    best = index;
    most = shared;
    if (shared >= 0.5 * Math.min(to - from, right - x)) break;
  }
  return best;
}
