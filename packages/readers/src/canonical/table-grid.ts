// Rows of a table with merged cells, each column in its place: a cell over several columns leaves the others of them empty, one over several rows is
// read for each of these, so that every figure stays under its header. Rows below one that the file calls a header are written as those of
// spreadsheets are, "header: value; header: value". Invariant: a row has at most about `maxColumns` cells.
import { rowText } from './block-writer.ts';

export interface GridCell {
  readonly text: string;
  /** How many columns it takes; anything but a number from 1 counts as 1. */
  readonly columns: number;
  /** It goes on from the row above. */
  readonly continues: boolean;
}

export interface TableGrid {
  /** The next row as one line, '' for an empty one. `freeColumns` are those that it leaves free before its first cell. */
  line(cells: readonly GridCell[], row?: { readonly isHeader?: boolean; readonly freeColumns?: number }): string;
  /** Of the columns, by all that stands above the rows: '' for none. */
  titles(): readonly string[];
}

const maxColumns = 200;
/** A longer text would be said too often. */
const maxRepeated = 200;
/** Longer ones are no titles of columns. */
export const maxTitleLength = 80;
/** Rows of a header over one another. */
const maxLevels = 4;
const figure = /^[\p{Sc}+(−-]{0,2}\s?\d/u;
const year = /^(?:19|20)\d\d$/u;

/**
 * How many of the first rows are a header of several levels that nothing marks as one: all but its last row have cells over several columns, and under each
 * of these its last row names every column. Below it figures stand under words, or its last row says the same under each of them. 0 where there is none.
 */
export function headerLevels(rows: readonly (readonly GridCell[])[]): number {
  const spans = (row: readonly GridCell[] = []): boolean => row.some(({ text, columns }) => text !== '' && columns > 1);
  const depth = rows.findIndex((row) => !spans(row)) + 1;
  const [head, body] = [rows.slice(0, depth), rows.slice(depth)];
  if (depth < 2 || depth > maxLevels || body.length === 0 || (rows[0]?.length ?? 0) < 2) return 0;
  if (body.filter(spans).length * 2 > body.length) return 0;
  if (
    head.some((row) => row.some(({ text }) => text.length > maxTitleLength || (figure.test(text) && !year.test(text))))
  )
    return 0;
  const over = inColumns(head[depth - 2] ?? []);
  const names = inColumns(head[depth - 1] ?? []);
  const grouped = [...over.keys()].filter((column) => over[column]?.of !== undefined);
  if (names.length < over.length || grouped.some((column) => names[column]?.text === '')) return 0;
  const columns = body.map(inColumns);
  const hasFigures = names.some(({ text }, column) => {
    const values = columns.flatMap((row) => row[column]?.text || []);
    return (
      (!figure.test(text) || year.test(text)) && values.filter((value) => figure.test(value)).length * 2 > values.length
    );
  });
  const said = grouped.map((column) => names[column]?.text);
  return hasFigures || new Set(said).size * 2 <= said.length ? depth : 0;
}

/** The cells of a row by their columns; `of`: the first column of a cell that takes several. */
function inColumns(row: readonly GridCell[]): { readonly text: string; readonly of: number | undefined }[] {
  const columns: { text: string; of: number | undefined }[] = [];
  for (const cell of row) {
    const [first, count] = [columns.length, within(cell.columns, 1)];
    for (let end = first + count; columns.length < Math.min(end, maxColumns); )
      columns.push({ text: cell.text, of: count > 1 && cell.text !== '' ? first : undefined });
  }
  return columns;
}

export function createTableGrid(): TableGrid {
  let above: readonly string[] = [];
  let titles: string[] = [];
  let hasBody = false;

  /** Each column of a header by all that stands above it. */
  const addTitles = (texts: readonly string[], cells: readonly GridCell[], freeColumns: number): void => {
    if (hasBody) titles = [];
    hasBody = false;
    let column = freeColumns;
    for (const { columns } of cells) {
      const title = texts[column] ?? '';
      for (let end = column + within(columns, 1); column < end && column < maxColumns; column++) {
        const over = titles[column] ?? '';
        titles[column] = over === '' || over === title ? title : title === '' ? over : `${over} ${title}`;
      }
    }
  };
  return {
    line(cells, { isHeader = false, freeColumns = 0 } = {}) {
      const free = within(freeColumns, 0);
      const texts: string[] = new Array(free).fill('');
      for (const { text, columns, continues } of cells) {
        const carried = continues && text === '' ? (above[texts.length] ?? '') : text;
        texts.push(carried.length > maxRepeated && continues ? '' : carried);
        for (let column = 1; column < within(columns, 1) && texts.length < maxColumns; column++) texts.push('');
      }
      above = texts;
      if (cells.every(({ text }) => text === '')) return '';
      if (isHeader) {
        addTitles(texts, cells, free);
        return rowText(texts);
      }
      hasBody = true;
      return named(texts, titles) ?? rowText(texts);
    },
    titles: () => titles.map((title = '') => (title.length <= maxTitleLength ? title : '')),
  };
}

/** Undefined where no header gives a title to two columns, or the row is one cell over all of them. */
function named(texts: readonly string[], titles: readonly string[]): string | undefined {
  const usable = titles.filter((title = '') => title !== '' && title.length <= maxTitleLength);
  const filled = texts.flatMap((text, column) => (text === '' ? [] : [{ text, title: titles[column] ?? '' }]));
  if (usable.length < 2 || filled.length < 2) return undefined;
  return filled
    .map(({ text, title }) => (title === '' || title.length > maxTitleLength ? text : `${title}: ${text}`))
    .join('; ');
}

const within = (columns: number, least: number): number =>
  Number.isInteger(columns) ? Math.min(Math.max(columns, least), maxColumns) : least;
