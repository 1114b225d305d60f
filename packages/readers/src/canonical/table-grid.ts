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
}

const maxColumns = 200;
/** A longer text would be said too often. */
const maxRepeated = 200;
/** Longer ones are no titles of columns. */
const maxTitleLength = 80;

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
