// The names of the columns for a chunk that begins in the middle of a table: its rows say nothing without them. They join the chunk's path
// of headings, which is searched, embedded and shown to models; the span stays the rows alone. A header is what the format marks as
// one, else words or years over rows with figures.

import { shortNames } from '@footnote/readers/canonical/short-names';
import type { Block, ParsedDocument, SourceSpan } from '../../core/document.ts';
import { isFigure, isYear } from '../../text/quantities/table-figures.ts';

/** Rows at the top of a table that may name its columns together: `Year ended December 31` over `2019 | 2018`. */
const mostHeaderRows = 3;
/** Of the rows below a header that is not marked, so many are looked at. */
const sampledRows = 20;

/** In the place of a figure. */
const none = /^[$€£¥]?\s?[-–—]+$/u;
const monthAndDay = /^\p{L}{3,9}\.? \d{1,2},?$/u;
/** `2.98 µs/iter`, `1.06x`, addresses: no names, and no figures by which a body is known. */
const notName = /^[~≈<>±]?\s?\d[\d.,]*\s?(?:\p{L}{1,3}|×)(?:\/\p{L}+)?$|:\/\//u;
/** What parts the rows of a table beside white space: the line under the header of Markdown, the frame of Org. */
const between = /^[\s|+:=-]*$/u;
const longestBetween = 100_000;

interface Table {
  readonly names: string;
  /** Where the rows below the header begin, and the table ends. */
  readonly start: number;
  readonly end: number;
}

/** Answers, for growing positions, what names the columns of the row that stands there; undefined in the header and outside of tables. */
export function columnNames({
  text,
  blocks,
}: Pick<ParsedDocument, 'text' | 'blocks'>): (at: SourceSpan) => string | undefined {
  const tables = tablesOf(text, blocks);
  let next = 0;
  return ({ start, end }) => {
    // Chunks overlap: what the next one begins in may be what this one ends in.
    while ((tables[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    const table = tables[next];
    return table !== undefined && table.start <= start && start < table.end && end > start ? table.names : undefined;
  };
}

function tablesOf(text: string, blocks: readonly Block[]): Table[] {
  const tables: Table[] = [];
  let run: Block[] = [];
  const finish = (): void => {
    const table = run.length > 1 ? tableOf(text, run) : undefined;
    if (table !== undefined) tables.push(table);
    run = [];
  };
  for (const block of blocks) {
    const last = run.at(-1);
    if (block.kind !== 'table-row') finish();
    else if (last !== undefined) {
      const isApart = block.start - last.end > longestBetween || !between.test(text.slice(last.end, block.start));
      const isNext = block.isHeader === true && last.isHeader !== true;
      if (isApart || isNext) finish();
    }
    if (block.kind === 'table-row') run.push(block);
  }
  finish();
  return tables;
}

function tableOf(text: string, rows: readonly Block[]): Table | undefined {
  const cellsOf = (row: Block | undefined): string[] =>
    row === undefined ? [] : cellsIn(text.slice(row.start, row.end));
  const marked = rows.findIndex((row) => row.isHeader !== true);
  const count =
    marked > 0 ? Math.min(marked, mostHeaderRows) : headerOverFigures(rows.slice(0, sampledRows).map(cellsOf));
  const [first, last] = [rows[count], rows.at(-1)];
  if (count === 0 || first === undefined || last === undefined || cellsOf(first).length < 2) return undefined;
  const names = rows
    .slice(0, count)
    .map((row) =>
      cellsOf(row)
        .filter((cell) => cell !== '')
        .join(' | '),
    )
    .filter((line) => line !== '')
    .join(' / ');
  if (names === '') return undefined;
  return { names: shortNames(names), start: first.start, end: last.end };
}

/** How many rows at the top, of words or years over rows with figures, name the columns; 0 where that cannot be told. */
function headerOverFigures(rows: readonly (readonly string[])[]): number {
  const hasFigure = rows.map((cells) => cells.some(isFigure));
  const first = hasFigure.indexOf(true);
  if (first < 1 || first > mostHeaderRows) return 0;
  const firstNone = rows.findIndex((cells) => cells.some((cell) => none.test(cell)));
  const count = firstNone < 0 ? first : Math.min(first, firstNone);
  if (count === 0) return 0;
  const header = rows.slice(0, count);
  const body = hasFigure.slice(count);
  if (body.filter(Boolean).length < body.length / 2) return 0;
  const filled = (cells: readonly string[]): number => cells.filter((cell) => cell !== '').length;
  const isNaming = header.some((cells) => filled(cells) >= 2);
  // Of several rows one may name each column; the others span some of them, or head the rows below.
  const most = Math.max(...rows.map(filled));
  const isRow = (cells: readonly string[]): boolean =>
    filled(cells) === most && !cells.every((cell) => cell === '' || isYear(cell) || monthAndDay.test(cell));
  if (header.filter(isRow).length > 1) return 0;
  const names = header.flat().filter((cell) => cell !== '');
  if (new Set(names).size === 1) return 0;
  return isNaming && names.every((cell) => cell.length <= 120 && !notName.test(cell)) ? count : 0;
}

/** The cells of a row as parsers write it: parted by bars, in Markdown and its like also framed by them. */
function cellsIn(row: string): string[] {
  return row
    .trim()
    .replace(/^\|/u, '')
    .replace(/(?<!\\)\|$/u, '')
    .split(/(?<!\\)\|/u)
    .map((cell) => cell.replace(/\s+/gu, ' ').trim());
}
