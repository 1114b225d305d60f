// Finds the tables of a sheet: runs of filled rows, side by side where each has a header of its own; what stands above is their title, and the
// header names the columns. Every filled cell ends up in exactly one table.
import type { SheetCell, SheetRange, SheetRow } from './spreadsheet-sheet.ts';

export interface SheetTable {
  /** Rows above the header: titles, mostly of one filled cell, and remarks. */
  readonly titles: readonly SheetRow[];
  /** None, one or two rows. */
  readonly headers: readonly SheetRow[];
  /** The title of each column that has one, also where an earlier table of the sheet gave it. */
  readonly columnTitles: ReadonlyMap<number, string>;
  readonly body: readonly SheetRow[];
}

const maxTitleLength = 120;
const sampleRows = 20;
/** Merged cells are read as repeated down their rows, so often at most. */
const maxFills = 200_000;
/** Cells merged across columns in one row that are looked at. */
const maxSpans = 500;

/** What a sheet says of its rows, by their number. */
interface Marks {
  /** Cells merged across columns. */
  readonly spans: ReadonlyMap<number, readonly SheetRange[]>;
  /** Headers that the file declares. */
  readonly headers: ReadonlyMap<number, readonly SheetRange[]>;
}

/** `headers` are rows that the file itself calls headers. */
export function tablesOf(
  rows: readonly SheetRow[],
  merges: readonly SheetRange[],
  headers: readonly SheetRange[] = [],
): SheetTable[] {
  const tables: SheetTable[] = [];
  const marks: Marks = {
    spans: byFirstRow(merges.filter(({ firstColumn, lastColumn }) => lastColumn > firstColumn)),
    headers: byFirstRow(headers),
  };
  for (const run of withHeadersApart(runsOf(fillDown(rows, merges)), marks))
    for (const part of sideBySide(run, marks))
      for (const table of atDeclaredHeaders(part, marks)) tables.push(tableOf(table, marks, tables.at(-1)));
  return tables;
}

/** A cell merged over several rows belongs to each of them. */
function fillDown(rows: readonly SheetRow[], merges: readonly SheetRange[]): readonly SheetRow[] {
  const tall = merges.filter((merge) => merge.lastRow > merge.firstRow);
  if (tall.length === 0) return rows;
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  let fills = 0;
  for (const { firstRow, lastRow, firstColumn } of tall) {
    const top = byNumber.get(firstRow)?.cells ?? [];
    const cell = top[positionOf(top, firstColumn)];
    if (cell?.column !== firstColumn) continue;
    for (let number = firstRow + 1; number <= lastRow && fills < maxFills; number++, fills++) {
      const row = byNumber.get(number);
      if (row === undefined) continue;
      const at = positionOf(row.cells, firstColumn);
      if (row.cells[at]?.column !== firstColumn) row.cells.splice(at, 0, cell);
    }
  }
  return rows;
}

/** The position of the first cell in this column or behind it. */
function positionOf(cells: readonly SheetCell[], column: number): number {
  let low = 0;
  let high = cells.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cells[middle]?.column ?? 0) < column) low = middle + 1;
    else high = middle;
  }
  return low;
}

function runsOf(rows: readonly SheetRow[]): SheetRow[][] {
  const runs: SheetRow[][] = [];
  let before = 0;
  for (const row of rows) {
    if (runs.length === 0 || row.number > before + 1) runs.push([row]);
    else runs.at(-1)?.push(row);
    before = row.number;
  }
  return runs;
}

/** Rows at most that a header with its titles has, when an empty row parts it from its table. */
const mostApart = 4;

/** Many leave one row empty under the header: it belongs to the rows below where these have none and it stands over their figures, or out of them. */
function withHeadersApart(runs: SheetRow[][], marks: Marks): SheetRow[][] {
  const joined: SheetRow[][] = [];
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index] as SheetRow[];
    const next = runs[index + 1];
    const isHeaderOfNext = next !== undefined && isHeaderApart(run, next, marks);
    joined.push(isHeaderOfNext ? [...run, ...next] : run);
    if (isHeaderOfNext) index++;
  }
  return joined;
}

function isHeaderApart(run: SheetRow[], next: SheetRow[], marks: Marks): boolean {
  const last = run.at(-1);
  if (last === undefined || run.length > mostApart || last.cells.length < 3 || next.length < 2) return false;
  if (next[0]?.number !== last.number + 2 || tableOf(next.slice(0, sampleRows), marks, undefined).headers.length > 0)
    return false;
  const rows = [...run, ...next.slice(0, sampleRows)];
  if (tableOf(rows, marks, undefined).headers.at(-1)?.number !== last.number) return false;
  const how = standsOver(rows, run.length - 1);
  return how === 'figures' || how === 'type';
}

/** Of each row the last ranges only. */
function byFirstRow(ranges: readonly SheetRange[]): Map<number, SheetRange[]> {
  const byRow = new Map<number, SheetRange[]>();
  for (const range of ranges) byRow.set(range.firstRow, [...(byRow.get(range.firstRow) ?? []).slice(-maxSpans), range]);
  return byRow;
}

/** A header that the file declares, or sets in bold, begins a table, also where no empty row stands before it; a title above it stays with it. */
function atDeclaredHeaders(rows: SheetRow[], marks: Marks): SheetRow[][] {
  const starts = rows.flatMap((row, index) => {
    const before = rows[index - 1];
    if (before === undefined || !(isDeclared(row, marks) || standsOut(row, before, rows[index + 1]))) return [];
    return [before?.cells.length === 1 && before.cells[0]?.kind === 'text' ? index - 1 : index];
  });
  const bounds = [...new Set(starts)].filter((start) => start > 0);
  return [0, ...bounds].map((start, index) => rows.slice(start, bounds[index]));
}

/** Words in bold, three or more, between rows that are not, over other than words: the header of another table, and no row that matters more. */
function standsOut(row: SheetRow, before: SheetRow, after: SheetRow | undefined): boolean {
  if (after === undefined || after.cells.length < 2 || row.cells.length < 3) return false;
  const isBold = ({ cells }: SheetRow): boolean => cells.every((cell) => cell.isBold);
  const isOfWords = row.cells.every((cell) => cell.kind === 'text' && names(cell));
  const isOverOthers = after.cells.some(
    ({ column, kind }) => kind !== 'text' && row.cells.some((cell) => cell.column === column),
  );
  return isOfWords && isOverOthers && isBold(row) && !isBold(after) && !before.cells.some((cell) => cell.isBold);
}

/** Every cell of the row lies in a header that the file declares. */
function isDeclared(row: SheetRow | undefined, { headers }: Marks): boolean {
  const ranges = row === undefined ? undefined : headers.get(row.number);
  if (row === undefined || ranges === undefined || row.cells.length < 2) return false;
  return row.cells.every(({ column }) =>
    ranges.some(({ firstColumn, lastColumn }) => column >= firstColumn && column <= lastColumn),
  );
}

/**
 * Parts a run of rows at empty columns where every part then has a header of its own; else spacer columns of one table
 * would tear its numbers from their labels.
 */
function sideBySide(run: SheetRow[], marks: Marks): SheetRow[][] {
  const used = new Set(run.flatMap(({ cells }) => cells.map(({ column }) => column)));
  const columns = [...used].sort((a, b) => a - b);
  const starts = columns.filter((column, index) => index > 0 && column > (columns[index - 1] ?? 0) + 1);
  if (starts.length === 0 || starts.length > 20) return [run];
  const bounds = [...starts, Number.POSITIVE_INFINITY];
  const parts = bounds.map((end, index) => {
    const start = starts[index - 1] ?? 0;
    return run.flatMap((row) => {
      const cells = row.cells.filter(({ column }) => column >= start && column < end);
      return cells.length === 0 ? [] : [{ number: row.number, cells }];
    });
  });
  const standsAlone = (part: SheetRow[]): boolean => {
    const first = part.findIndex(({ cells }) => cells.length > 1);
    return first >= 0 && first <= 2 && isHeader(part, first, marks);
  };
  return parts.every(standsAlone) ? parts : [run];
}

// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
function tableOf(rows: SheetRow[], marks: Marks, before: SheetTable | undefined): SheetTable {
  const { spans } = marks;
  let first = 0;
  while (first < rows.length - 1 && isTitle(rows[first], rows[first + 1], spans)) first++;
  // A list in one column has no titles, but for a first row in bold.
  if (rows.slice(first).every(({ cells }) => cells.length === 1))
    first = rows[0]?.cells[0]?.isBold && rows[1]?.cells[0]?.isBold !== true ? 1 : 0;
  const titles = rows.slice(0, first);
  const rest = rows.slice(first);
  const spanned = rest[0] === undefined ? undefined : (spreadTitles(rest[0], spans) ?? tallTitles(rest[0], rest[1]));
  if (spanned !== undefined && rest.length > 2) {
    const columnTitles = new Map(rest[1]?.cells.map(({ column, text }) => [column, text]));
    for (const [column, title] of spanned) {
      const below = columnTitles.get(column);
      columnTitles.set(column, below === undefined || below === title ? title : `${title} ${below}`);
    }
    // `Plan` may stand below each of two years: together they are names of their own.
    const own = rest[1]?.cells.map(({ column }) => columnTitles.get(column)) ?? [];
    if (isDeclared(rest[1], marks) || (areDistinct(own) && namesColumns(rest, 1)))
      return { titles, headers: rest.slice(0, 2), columnTitles, body: rest.slice(2) };
  }
  if (isHeader(rest, 0, marks))
    return {
      titles,
      headers: rest.slice(0, 1),
      columnTitles: new Map(rest[0]?.cells.map(({ column, text }) => [column, text])),
      body: rest.slice(1),
    };
  const below = headerBelowRemarks(rest);
  if (below > 0)
    return {
      titles: [...titles, ...rest.slice(0, below)],
      headers: rest.slice(below, below + 1),
      columnTitles: new Map(rest[below]?.cells.map(({ column, text }) => [column, text])),
      body: rest.slice(below + 1),
    };
  return { titles, headers: [], columnTitles: inherited(rest, before), body: rest };
}

/** Rows of remarks at most between the top and the header. */
const mostRemarks = 10;

/** The row of words, as wide as the table, over its figures, where all above it are words too; 0 where there is none. */
function headerBelowRemarks(rows: readonly SheetRow[]): number {
  const widest = rows.slice(0, sampleRows).reduce((most, { cells }) => Math.max(most, cells.length), 0);
  for (const [index, row] of rows.slice(0, Math.min(mostRemarks + 1, rows.length - 2)).entries()) {
    if (!row.cells.every(({ kind }) => kind === 'text')) return 0;
    const isWide = row.cells.length >= 3 && row.cells.length >= widest * 0.8;
    const isDistinct = areDistinct(row.cells.map(({ text }) => text));
    if (index > 0 && isWide && isDistinct && standsOver(rows, index) === 'figures' && isOverFigures(rows[index + 1]))
      return index;
  }
  return 0;
}

const isOverFigures = (row: SheetRow | undefined): boolean => row?.cells.some(({ kind }) => kind !== 'text') ?? false;

/** A row with one text, unless that names some of the columns of the next row. */
function isTitle(row: SheetRow | undefined, next: SheetRow | undefined, spans: Marks['spans']): boolean {
  const [cell] = row?.cells ?? [];
  if (row === undefined || next === undefined || row.cells.length !== 1 || cell?.kind !== 'text') return false;
  const [from, to] = [next.cells[0]?.column ?? 0, next.cells.at(-1)?.column ?? 0];
  const own = (spans.get(row.number) ?? []).find(({ firstColumn }) => firstColumn === cell.column);
  if (own === undefined) return true;
  // Not all make a title as wide as the table.
  const covered = next.cells.filter(({ column }) => column <= own.lastColumn).length;
  return own.firstColumn <= from && (own.lastColumn >= to || covered * 2 >= next.cells.length);
}

/** The titles of a row with cells merged across columns, for each of these columns; undefined for a row without such. */
function spreadTitles(row: SheetRow, spans: Marks['spans']): Map<number, string> | undefined {
  const own = spans.get(row.number) ?? [];
  if (own.length === 0 || !row.cells.every(names)) return undefined;
  const titles = new Map(row.cells.map(({ column, text }) => [column, text]));
  for (const { firstColumn, lastColumn } of own) {
    const title = titles.get(firstColumn);
    if (title === undefined || lastColumn - firstColumn > 200) continue;
    for (let column = firstColumn; column <= lastColumn; column++) titles.set(column, title);
  }
  return titles;
}

/** The titles of a row of which most go on in the next one (one and the same cell, filled down where it is merged): that row is the second one of the header. */
function tallTitles(row: SheetRow, next: SheetRow | undefined): Map<number, string> | undefined {
  const titles = new Map(row.cells.map(({ column, text }) => [column, text]));
  const own = new Set(row.cells);
  const again = next?.cells.filter((cell) => own.has(cell)).length ?? 0;
  const isSecond = again >= 2 && again * 2 >= (next?.cells.length ?? 0) && next?.cells.every(names);
  return isSecond && row.cells.every(names) ? titles : undefined;
}

/** An empty row inside a table does not end it: what follows in the same columns, without a header, has the one above. */
function inherited(rows: readonly SheetRow[], before: SheetTable | undefined): ReadonlyMap<number, string> {
  if (before === undefined || before.columnTitles.size < 2) return new Map();
  const last = before.body.at(-1) ?? before.headers.at(-1);
  const next = rows[0];
  if (last === undefined || next === undefined || next.number - last.number > 3 || next.number <= last.number)
    return new Map();
  const known = [
    ...before.columnTitles.keys(),
    ...before.body.flatMap(({ cells }) => cells.map(({ column }) => column)),
  ];
  const from = known.reduce((least, column) => Math.min(least, column), Number.POSITIVE_INFINITY);
  const to = known.reduce((most, column) => Math.max(most, column), 0);
  const fits = rows.every(({ cells }) => cells.every(({ column }) => column >= from && column <= to));
  return fits && goesOn(rows, before) ? before.columnTitles : new Map();
}

/** The columns hold what they held above, in most of them; what lies in none of the titled ones is another table, or a form. */
function goesOn(rows: readonly SheetRow[], { body, columnTitles }: SheetTable): boolean {
  const cells = rows.slice(0, sampleRows).flatMap((row) => row.cells);
  if (cells.filter(({ column }) => columnTitles.has(column)).length < cells.length * 0.5) return false;
  const above = new Map<number, Set<string>>();
  for (const { cells: known } of body.slice(-sampleRows))
    for (const cell of known) above.set(cell.column, (above.get(cell.column) ?? new Set()).add(shapeOf(cell)));
  const known = cells.filter(({ column }) => above.has(column));
  return known.filter((cell) => above.get(cell.column)?.has(shapeOf(cell))).length >= known.length * 0.6;
}

/** Shares, numbers, dates and words are not said under one name. */
const shapeOf = ({ kind, text }: SheetCell): string => (kind === 'number' && text.includes('%') ? '%' : kind);

/** Years and dates name columns as well as words do. */
const names = ({ kind, text }: SheetCell): boolean =>
  text.length <= maxTitleLength && (kind === 'text' || kind === 'date' || isYear.test(text));

const isYear = /^(?:19|20)\d\d$/u;

/** Figures that were typed as text. */
const isTypedFigure = ({ kind, text }: SheetCell): boolean =>
  kind === 'text' && /^[\p{Sc}+(−-]{0,2}\s?\d[\d.,:/\s]*[%)]?$/u.test(text) && !isYear.test(text);

/** `12 percent`, `€ 5`, `-3 °C`: figures that were typed as text. */
const startsWithFigure = ({ text }: SheetCell): boolean => /^[\p{Sc}+<>~±(−-]{0,2}\s?\d/u.test(text);

/** Whether a row names the columns of those below: the file says so, or each cell is a name of its own and it looks like one. */
function isHeader(rows: readonly SheetRow[], at: number, marks: Marks): boolean {
  const row = rows[at];
  if (isDeclared(row, marks)) return rows.length > at + 1;
  return areDistinct(row?.cells.map(({ text }) => text) ?? []) && namesColumns(rows, at);
}

const areDistinct = (titles: readonly unknown[]): boolean => new Set(titles).size === titles.length;

const namesColumns = (rows: readonly SheetRow[], at: number): boolean => standsOver(rows, at) !== undefined;

/** Where a row holds names: whether below them are figures, or lighter type, or at least three columns of text. */
function standsOver(rows: readonly SheetRow[], at: number): 'figures' | 'type' | 'grid' | undefined {
  const row = rows[at];
  const body = rows.slice(at + 1, at + 1 + sampleRows);
  if (row === undefined || row.cells.length < 2 || body.length === 0) return undefined;
  if (!row.cells.every(names) || isOfForm(row, body)) return undefined;
  const below = new Map<number, SheetCell[]>();
  for (const cell of body.flatMap(({ cells }) => cells))
    below.set(cell.column, [...(below.get(cell.column) ?? []), cell]);
  const titled = row.cells.filter(({ column }) => below.has(column)).length;
  if (titled < 2 || titled * 2 < below.size) return undefined;
  const isLikeBelow = row.cells.some((cell) => {
    const cells = below.get(cell.column) ?? [];
    return isTypedFigure(cell) && cells.filter(isTypedFigure).length * 2 > cells.length;
  });
  if (isLikeBelow) return undefined;
  const differs = row.cells.some(({ column, kind, text }) => {
    const isWord = kind === 'text' && !/\d/u.test(text);
    const cells = below.get(column) ?? [];
    const others = cells.filter((cell) =>
      cell.kind === 'text' ? isWord && startsWithFigure(cell) : kind === 'text' || cell.kind !== kind,
    ).length;
    return cells.length > 0 && others >= cells.length * 0.6;
  });
  const stands = row.cells.every(({ isBold }) => isBold) && !(body[0]?.cells.every(({ isBold }) => isBold) ?? true);
  const isGrid = row.cells.length >= 3 && row.cells.length >= below.size;
  if (differs) return 'figures';
  if (stands) return 'type';
  return isGrid && row.cells.every(({ kind }) => kind === 'text') ? 'grid' : undefined;
}

/** `Customer: | Ada` over `Account: | 123`: labels beside what they label. */
function isOfForm({ cells }: SheetRow, body: readonly SheetRow[]): boolean {
  const [first] = cells;
  const isLabel = (cell: SheetCell | undefined): boolean => cell?.text.endsWith(':') ?? false;
  return isLabel(first) && !isLabel(cells[1]) && (cells.length === 2 || isLabel(body[0]?.cells[0]));
}
