// CSV and TSV (RFC 4180, with the delimiters that people use) to canonical text: the header row as a heading, then one
// record a line, "header: value; header: value", so that a row is read without looking up its columns. A row is cited by its
// number as RFC 4180 counts records, blank ones included: the header row is row 1, as spreadsheets show it.
import { type Options, parse } from 'csv-parse/sync';
import { assertTextLength, governHeadings, parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { shortNames } from '../canonical/short-names.ts';
import type { Block, Place } from '../document.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { headerAt, withoutTail } from './csv-header.ts';

/** As many as a spreadsheet holds. More than that is no table, or one whose delimiter is another. */
const mostColumns = 16_384;

export const csv: Parser = {
  name: 'csv',
  mimes: ['text/csv', 'text/tab-separated-values'],
  parse: async (input: ParseInput) => {
    const { text: source, encoding, warnings } = decodeText(input.bytes, input.name);
    requireText(source, input.name);
    // Excel takes such a line for itself, and numbers the rows from the next.
    const announced = /^sep=(.)\n/u.exec(source)?.[1];
    const table = announced === undefined ? source : source.slice(source.indexOf('\n') + 1);
    const delimiter = announced ?? sniffDelimiter(table, input.mime === 'text/tab-separated-values' ? '\t' : ',');
    const { text, blocks, places, header, records } = readTable(table, delimiter, input.name);
    requireText(text, input.name);
    const named = header?.filter((name) => name !== '');
    const title = named && shortNames(named.join(' | ').replace(/\s+/gu, ' ').trim());
    const start = blocks.find(({ kind }) => kind === 'heading')?.start ?? 0;
    return parsedDocument({
      text,
      mime: input.mime === 'text/tab-separated-values' ? input.mime : 'text/csv',
      headings: title === undefined ? [] : governHeadings([{ start, level: 1, title }], text.length),
      blocks,
      places,
      metadata: { rows: records, ...(encoding === 'utf-8' ? {} : { encoding }) },
      warnings,
    });
  },
};

interface Table {
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly places: readonly Place[];
  readonly header: readonly string[] | undefined;
  /** Rows below the header. */
  readonly records: number;
}

/** By RFC 4180; else with quotes in the middle of a cell, which stand for themselves; else line by line, where quotes follow no rule. */
function readTable(source: string, delimiter: string, name: string): Table {
  for (const syntax of [{}, { relax_quotes: true }]) {
    try {
      return readRows(source, { ...syntax, delimiter }, name);
    } catch (error) {
      if (error instanceof ReadError) throw error;
    }
  }
  return readLines(source, delimiter, name);
}

/** Rows are written as they are read, and none is kept: a table may have millions of cells. */
function readRows(source: string, syntax: Pick<Options, 'delimiter' | 'relax_quotes'>, name: string): Table {
  const writer = createRowWriter(name);
  let number = 0;
  parse(source, {
    ...syntax,
    relax_column_count: true,
    trim: true,
    on_record(cells: readonly string[]) {
      number += 1;
      if (cells.length > mostColumns) throw tooWide(name, cells.length);
      if (cells.some((cell) => cell !== '')) writer.add({ number, cells });
      return undefined;
    },
  });
  return writer.finish();
}

/** A quote that is closed in its line holds a cell together; any other is a character. */
function readLines(source: string, delimiter: string, name: string): Table {
  const writer = createRowWriter(name);
  let number = 0;
  for (const line of linesOf(source)) {
    number += 1;
    const cells: string[] = [];
    for (let at = 0; at <= line.length; ) {
      const start = line[at] === ' ' ? at + (/^ */u.exec(line.slice(at, at + 100))?.[0].length ?? 0) : at;
      const closed = line[start] === '"' ? closingQuote(line, start, delimiter) : -1;
      const end = closed < 0 ? endOfCell(line, at, delimiter) : endOfCell(line, closed, delimiter);
      const cell = closed < 0 ? line.slice(at, end) : line.slice(start + 1, closed).replaceAll('""', '"');
      cells.push(cell.trim());
      at = end + delimiter.length;
      if (cells.length > mostColumns) throw tooWide(name, line.split(delimiter).length);
    }
    if (cells.some((cell) => cell !== '')) writer.add({ number, cells });
  }
  return writer.finish();
}

function* linesOf(source: string): Generator<string> {
  for (let at = 0; at < source.length; ) {
    const end = source.indexOf('\n', at);
    yield source.slice(at, end < 0 ? source.length : end);
    at = end < 0 ? source.length : end + 1;
  }
}

function endOfCell(line: string, from: number, delimiter: string): number {
  const end = line.indexOf(delimiter, from);
  return end < 0 ? line.length : end;
}

/** The quote that is followed by a delimiter or the end of the line, of the next hundred; -1 where there is none. */
function closingQuote(line: string, open: number, delimiter: string): number {
  let at = open;
  for (let tries = 0; tries < 100; tries++) {
    at = line.indexOf('"', at + 1);
    if (at < 0) return -1;
    if (line[at + 1] === '"') at += 1;
    else {
      let after = at + 1;
      while (line[after] === ' ' && after < at + 10) after += 1;
      if (after === line.length || line.startsWith(delimiter, after)) return at;
    }
  }
  return -1;
}

function tooWide(name: string, columns: number): ReadError {
  return new ReadError(
    'too-large',
    `${name} has a row of ${columns} cells; at most ${mostColumns} columns are read, as many as a spreadsheet holds. Check its delimiter, turn columns into rows, or leave columns out.`,
    { details: { columns, mostColumns } },
  );
}

interface Row {
  /** From 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** Lines that are joined at once: a text of a million parts takes several times its size. */
const linesPerPart = 1024;
/** Rows among which the header is looked for: banks and instruments write up to two dozen lines of their own above it. */
const rowsAwaited = 40;

function createRowWriter(name: string): { add(row: Row): void; finish(): Table } {
  const parts: string[] = [];
  const lines: string[] = [];
  const blocks: Block[] = [];
  const places: Place[] = [];
  let length = 0;
  let records = 0;
  /** The first rows wait until it is known which one is the header. */
  let awaited: Row[] | undefined = [];
  let header: readonly string[] | undefined;
  const join = (): void => {
    if (lines.length > 0) parts.push(lines.join('\n'));
    lines.length = 0;
  };
  const put = (kind: Block['kind'], line: string, number: number): void => {
    if (line === '') return;
    if (length > 0) length += 1;
    const end = length + line.length;
    blocks.push({ start: length, end, kind });
    places.push({ start: length, end, label: `row ${number}` });
    length = end;
    assertTextLength(name, length);
    if (lines.push(line) >= linesPerPart) join();
  };
  const record = ({ number, cells }: Row): void => {
    records += 1;
    let line = '';
    for (const [index, cell] of cells.entries()) {
      const value = cell.replace(/\s+/g, ' ').trim();
      // The first column of a data frame has no name; another one without is told by its number, so that its cells are not taken for those before.
      const name = (index === 0 ? header?.[0] : header?.[index] || undefined) ?? `column ${index + 1}`;
      if (value !== '') line += `${line === '' ? '' : '; '}${name === '' ? '' : `${name}: `}${value}`;
    }
    put('record', line, number);
  };
  /** What stands above a header tells of the whole table: `Account: DE12 3456`. */
  const remark = ({ number, cells }: Row): void => {
    records += 1;
    const filled = cells.map((cell) => cell.replace(/\s+/g, ' ').trim()).filter((cell) => cell !== '');
    put('record', filled.join(filled[0]?.endsWith(':') ? ' ' : ' | '), number);
  };
  const begin = (rows: readonly Row[]): void => {
    const at = headerAt(rows.map(({ cells }) => cells));
    for (const [index, row] of rows.entries()) {
      if (at !== undefined && index < at) remark(row);
      else if (index === at) {
        header = withoutTail(row.cells);
        put('heading', header.filter((name) => name !== '').join(' | '), row.number);
      } else record(row);
    }
  };
  return {
    add(row) {
      if (awaited === undefined) record(row);
      else if (awaited.push(row) >= rowsAwaited) {
        begin(awaited);
        awaited = undefined;
      }
    },
    finish() {
      if (awaited !== undefined) begin(awaited);
      join();
      return { text: parts.join('\n'), blocks, places, header, records };
    },
  };
}

/** The delimiter that the first lines have in the most and the same number, outside quotes. */
function sniffDelimiter(source: string, preferred: string): string {
  const lines = source
    .slice(0, 65_536)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 20)
    .map((line) => line.replace(/"[^"]*"/g, ''));
  let best = preferred;
  let bestScore = 0;
  for (const delimiter of [preferred, ',', ';', '\t', '|']) {
    const score = agreement(lines, delimiter);
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  if (bestScore === 0) return belowTitles(lines, best);
  const whole = agreement(lines.slice(0, 1), best) * lines.length;
  // Commas of figures (1.234,56) agree with one in a title.
  const isDoubtful = best === ',' && bestScore < whole && agreement(withoutDecimals(lines), ',') * 3 < whole;
  return isDoubtful ? belowTitles(lines, best) : best;
}

/** As often as the first line has the delimiter, times the lines that have it as often. */
function agreement(lines: readonly string[], delimiter: string): number {
  const counts = lines.map((line) => line.split(delimiter).length - 1);
  const most = counts[0] ?? 0;
  return most === 0 ? 0 : most * counts.filter((count) => count === most).length;
}

const withoutDecimals = (lines: readonly string[]): string[] => lines.map((line) => line.replace(/\d,\d/g, ''));

/** The delimiter of most lines, where the first ones are titles and remarks. */
function belowTitles(lines: readonly string[], preferred: string): string {
  const bare = withoutDecimals(lines);
  let best = preferred;
  let bestScore = 0;
  for (const delimiter of [preferred, ';', '\t', '|', ',']) {
    const often = new Map<number, number>();
    for (const line of bare) {
      const count = line.split(delimiter).length - 1;
      often.set(count, (often.get(count) ?? 0) + 1);
    }
    const score = Math.max(...[...often].map(([count, lineCount]) => count * lineCount));
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}
