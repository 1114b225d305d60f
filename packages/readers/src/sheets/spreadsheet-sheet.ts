// The sheets of a workbook as its readers hand them on: filled cells only, as they are displayed, by row and column. What a file declares but
// does not fill costs nothing.

export interface SheetCell {
  /** From 0. */
  readonly column: number;
  /** As displayed, on one line; never empty. */
  readonly text: string;
  readonly kind: 'text' | 'number' | 'date' | 'other';
  readonly isBold?: boolean;
}

export interface SheetRow {
  /** From 1. */
  readonly number: number;
  /** By column. */
  readonly cells: SheetCell[];
}

/** Rows from 1, columns from 0, both ends included. */
export interface SheetRange {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

/** Text that stands on a sheet without being in a cell: a note, a text box, a chart. */
export interface SheetRemark {
  /** The cell that it is tied to, such as `B3`; undefined where there is none. */
  readonly cell: string | undefined;
  readonly lines: readonly string[];
}

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** By number. */
  readonly rows: readonly SheetRow[];
  readonly merges: readonly SheetRange[];
  /** Rows that the file itself calls headers: of tables, of filters. */
  readonly headers?: readonly SheetRange[];
  readonly remarks: readonly SheetRemark[];
}

export const maxRows = 1_048_576;
export const maxColumns = 16_384;

/** 0 -> A, 26 -> AA. */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1)
    name = String.fromCharCode(65 + (rest % 26)) + name;
  return name;
}

/** `B3` or `$B$3` to its row (from 1) and column (from 0); undefined for what is no cell of a sheet. */
export function cellAt(reference: string): { row: number; column: number } | undefined {
  const match = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/iu.exec(reference.trim());
  if (match === null) return undefined;
  let column = 0;
  for (const letter of (match[1] as string).toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  const row = Number(match[2]);
  return row < 1 || row > maxRows || column > maxColumns ? undefined : { row, column: column - 1 };
}

/** `A1:B2` (or one cell) as a range; undefined for what is none. */
export function rangeAt(reference: string): SheetRange | undefined {
  const [from, to] = reference.split(':');
  const first = cellAt(from ?? '');
  const last = cellAt(to ?? from ?? '');
  if (first === undefined || last === undefined) return undefined;
  return {
    firstRow: Math.min(first.row, last.row),
    lastRow: Math.max(first.row, last.row),
    firstColumn: Math.min(first.column, last.column),
    lastColumn: Math.max(first.column, last.column),
  };
}

/** How a cell of a sheet is cited: `Costs!A2:D2`, quoted as spreadsheets do where the name needs it. */
export function placeLabel(sheet: string, cells: string): string {
  const name = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`;
  return `${name}!${cells}`;
}

/** Displayed text on one line. */
export const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** Counts cells over all sheets of a file, so that reading stops before memory does. */
export interface CellBudget {
  /** False once no more may be kept. */
  take(): boolean;
  readonly isSpent: boolean;
}

/** A workbook of that size takes about 400 MiB to read; the sandbox allows 512. */
export const maxCells = 750_000;

export function createCellBudget(limit = maxCells): CellBudget {
  let taken = 0;
  return {
    take: () => taken++ < limit,
    get isSpent() {
      return taken > limit;
    },
  };
}
