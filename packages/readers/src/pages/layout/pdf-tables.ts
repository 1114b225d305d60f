// Finds tables among the lines of one flow: runs of lines whose cells, parted by wide gaps, stand in the same columns. A row keeps its
// empty cells, so that a figure stays under its header. Lists whose markers stand apart and prose are no tables.
import { beginsGrid, bordersOf, isRuledOff } from './pdf-borders.ts';
import type { Box } from './pdf-columns.ts';
import type { PdfRules, PdfWord } from './pdf-content.ts';

/** Words of one line that stand together. */
export interface Cell {
  readonly words: readonly PdfWord[];
  readonly x: number;
  readonly right: number;
  /** A border of the table stands before it. */
  readonly isRuled?: boolean;
}

/** A line as far as tables are concerned. Sizes and places in the frame in which the text is upright. */
export interface CellLine extends Box {
  readonly size: number;
  readonly cells: readonly Cell[];
}

/** The words of each column, empty where the row has no cell there. */
export type TableRow = readonly (readonly PdfWord[])[];

/** By line: its row; `above` where it belongs to the row of the line before it; undefined where it is in no table. */
export type TableLine = TableRow | 'above' | undefined;

/** A gap between cells, in sizes of the type: wider than a space ever is set. */
const cellGap = 0.9;
const rowGap = 2;
/** Cells that a justified line of prose does not fall into. */
const mostCellsOfProse = 4;
/** Lines without a gap of their own (group labels, wrapped labels) between two rows of one table. */
const mostPlainLines = 2;
/** Points by which a rule may miss the gap that it stands in. */
const ruleReach = 2;
/** Lines further apart than so many sizes are of two tables. */
const furthestLines = 5;

/** `rules` are those of the page, in the frame of the lines, and `borders` those of them that may part cells. */
export function findTables(lines: readonly CellLine[], rules?: PdfRules, borders?: PdfRules): readonly TableLine[] {
  const joined = lines.map((line) => ({ ...line, cells: joinCells(line, borders) }));
  const found: TableLine[] = lines.map(() => undefined);
  const places = lines.map((line) => bordersOf(line, borders));
  const isGrid = places.map((_, index) => index > 0 && beginsGrid(places.slice(index - 1, index + 2)));
  const isLabelled = joined.map((line, index) => isUnderLabels(joined[index + 1], line));
  /** By line: the first one from it on that begins another table. */
  const nextTable: number[] = [];
  for (let index = lines.length - 1; index >= 0; index--)
    nextTable[index] = isLabelled[index] || isGrid[index] ? index : (nextTable[index + 1] ?? lines.length);
  for (let first = 0; first < lines.length; first++) {
    const [labels, values] = [joined[first], joined[first + 1]];
    if (isLabelled[first] && labels !== undefined && values !== undefined) {
      found[first] = labels.cells.map(({ words }) => words);
      found[first + 1] = values.cells.map(({ words }) => words);
      first++;
      continue;
    }
    if (!isRowLike(joined[first])) continue;
    const end = endOfGrid(joined, endOfTable(joined, first), rules);
    const last = Math.min(end, (nextTable[first + 1] ?? lines.length) - 1);
    const region = joined.slice(first, last + 1);
    const columns = columnsOf(region);
    if (columns !== undefined) {
      const placed = region.map((line) => placeCells(line, columns));
      const rows = rules === undefined ? placed : joinWrapped(placed, { region, columns, rules });
      for (const [index, row] of rows.entries()) found[first + index] = row;
    }
    first = last;
  }
  return found;
}

/** The lines after the last row that still stand between its upright rules: its last cell wraps. */
function endOfGrid(lines: readonly CellLine[], last: number, rules: PdfRules | undefined): number {
  const row = lines[last];
  if (rules === undefined || row === undefined) return last;
  const middle = (row.y + row.bottom) / 2;
  const crossing = rules.vertical.filter(
    ({ at, from, to }) => from <= middle && to >= middle && at > row.x && at < row.right,
  );
  const end = Math.max(Number.NEGATIVE_INFINITY, ...crossing.map(({ to }) => to));
  let grid = last;
  while ((lines[grid + 1]?.bottom ?? Number.POSITIVE_INFINITY) <= end + ruleReach) grid++;
  return grid;
}

/**
 * Joins the lines of cells that wrap, where rules part the columns and the rows: within one band, a line that fills some of
 * the columns of the first and no others goes on with what is above.
 */
function joinWrapped(
  placed: readonly TableRow[],
  { region, columns, rules }: { region: readonly CellLine[]; columns: readonly Column[]; rules: PdfRules },
): TableLine[] {
  const top = region.reduce((least, { y }) => Math.min(least, y), Number.POSITIVE_INFINITY);
  const bottom = region.reduce((most, line) => Math.max(most, line.bottom), Number.NEGATIVE_INFINITY);
  const isParted = columns.slice(1).every(({ from }, index) => {
    const left = columns[index]?.to ?? from;
    return rules.vertical.some(
      ({ at, from: start, to }) =>
        at > left - ruleReach && at < from + ruleReach && Math.min(to, bottom) - Math.max(start, top) > 0,
    );
  });
  if (!isParted) return [...placed];
  const rows: TableLine[] = [...placed];
  let head = 0;
  for (let index = 1; index < placed.length; index++) {
    const [before, line] = [region[index - 1], region[index]];
    const [first, row] = [placed[head], placed[index]];
    if (before === undefined || line === undefined || first === undefined || row === undefined) break;
    const middle = line.cells[0]?.x ?? line.x;
    const isRuled = rules.horizontal.some(
      ({ at, from, to }) =>
        at > before.bottom - line.size * 0.5 && at < line.y + line.size * 0.5 && from <= middle + 1 && to >= middle,
    );
    const filled = row.flatMap((cell, column) => (cell.length > 0 ? [column] : []));
    const isWithin = filled.every((column) => (first[column]?.length ?? 0) > 0);
    const isPart = filled.length < first.filter((cell) => cell.length > 0).length;
    if (isRuled || !isWithin || !isPart) {
      head = index;
      continue;
    }
    const joined = rows[head];
    if (joined === undefined || joined === 'above') continue;
    rows[head] = joined.map((cell, column) => [...cell, ...spaced(row[column] ?? [])]);
    rows[index] = 'above';
  }
  return rows;
}

function spaced([first, ...rest]: readonly PdfWord[]): PdfWord[] {
  return first === undefined ? [] : [{ ...first, spaceBefore: true }, ...rest];
}

const currency = /^(?:[$€£¥₹]|US\$|CHF|EUR|USD|GBP)$/;
/** Closes the cell before it, or leads from it to the next one. */
const closing = /^(?:[)%]+|[.·…]+)$/;

/** Joins what the page parts but no reader does: a currency sign and its figure, a figure and its per cent sign. */
function joinCells(line: CellLine, borders: PdfRules | undefined): Cell[] {
  const cells: { words: PdfWord[]; x: number; right: number; isRuled: boolean }[] = [];
  for (const { words, x, right } of line.cells) {
    const before = cells.at(-1);
    const isRuled =
      before !== undefined && isRuledOff({ ...line, right: before.right }, { ...line, x, right }, borders);
    const isClose = before !== undefined && x - before.right <= line.size * cellGap;
    const isTied = before !== undefined && (closing.test(textOf(words)) || currency.test(textOf(before.words)));
    if (before !== undefined && !isRuled && (isClose || isTied)) {
      before.words.push(...words);
      before.right = Math.max(before.right, right);
    } else cells.push({ words: [...words], x, right, isRuled });
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
    (cell, index) => cell.isRuled || (index > 0 && cell.x - (line.cells[index - 1]?.right ?? 0) > line.size * rowGap),
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

/** Type of labels is so much smaller than that of what they stand over. */
const labelSize = 0.85;

/** Values in large type under their labels in small capitals, cell by cell, as on tickets: neither is part of what stands around them. */
function isUnderLabels(line: CellLine | undefined, labels: CellLine): boolean {
  if (line === undefined || line.cells.length < 2 || line.cells.length !== labels.cells.length) return false;
  return (
    labels.size <= line.size * labelSize &&
    line.y - labels.bottom < line.size &&
    labels.cells.every(
      ({ words, x }, index) =>
        !/[\p{Ll}\d]/u.test(textOf(words)) &&
        /\p{Lu}{2}/u.test(textOf(words)) &&
        Math.abs((line.cells[index]?.x ?? Number.POSITIVE_INFINITY) - x) < labels.size,
    )
  );
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
  const most = rows.reduce((widest, row) => Math.max(widest, row.cells.length), 0);
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
  const merged = mergeExclusive(rows, withSparse(shaping, columns));
  if (merged.length < 2) return undefined;
  const placed = rows.map((row) => placeCells(row, merged));
  const wide = placed.filter((row) => row.filter((words) => words.length > 0).length >= 2);
  if (wide.length < Math.max(2, rows.length * 0.5)) return undefined;
  const isList = merged.length === 2 && wide.every((row) => marker.test(textOf(row[0] ?? [])));
  return isList ? undefined : merged;
}

/**
 * Columns in which hardly a row has a cell ("Paid in" of a statement): cells in a gap, of the first row or of two, that overlap no column while
 * their row fills the columns beside them. Without these, such figures would stand under the header of the next column.
 */
function withSparse(rows: readonly CellLine[], columns: readonly Column[]): readonly Column[] {
  const found: { from: number; to: number; rows: number; isFirst: boolean }[] = [];
  for (const [index, { cells }] of rows.entries()) {
    const isFilled = (column: Column | undefined): boolean =>
      column === undefined || cells.some(({ x, right }) => column.to > x && column.from < right);
    for (const { x, right } of cells) {
      const next = columns.findIndex(({ to }) => to > x);
      const [before, after] = next < 0 ? [columns.at(-1), undefined] : [columns[next - 1], columns[next]];
      if ((after !== undefined && after.from < right) || !isFilled(before) || !isFilled(after)) continue;
      const known = found.find(({ from, to }) => to > x && from < right);
      if (known === undefined) found.push({ from: x, to: right, rows: 1, isFirst: index === 0 });
      else {
        known.from = Math.min(known.from, x);
        known.to = Math.max(known.to, right);
        known.rows++;
      }
    }
  }
  const sparse = found.filter(({ rows: count, isFirst }) => isFirst || count > 1);
  return sparse.length === 0 ? columns : [...columns, ...sparse].sort((a, b) => a.from - b.from);
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
