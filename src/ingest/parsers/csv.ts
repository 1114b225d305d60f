// CSV and TSV (RFC 4180, with the delimiters that people use) to canonical text: the header row as a heading, then one
// record a line, "header: value; header: value", so that a row is read without looking up its columns. A row is cited by its
// number as RFC 4180 counts records, blank ones included: the header row is row 1, as spreadsheets show it.
import { type Options, parse } from 'csv-parse/sync';
import type { Block, Place } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { ParseInput, Parser } from '../parse.ts';
import { shortNames } from '../table-headers.ts';
import { assertTextLength, governHeadings, parsedDocument, requireText } from './canonical-text.ts';
import { decodeText } from './decode.ts';

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
    const title = header && shortNames(header.join(' | ').replace(/\s+/gu, ' ').trim());
    return parsedDocument({
      text,
      mime: input.mime === 'text/tab-separated-values' ? input.mime : 'text/csv',
      headings: title === undefined ? [] : governHeadings([{ start: 0, level: 1, title }], text.length),
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

function readTable(source: string, delimiter: string, name: string): Table {
  try {
    return readRows(source, { delimiter }, name);
  } catch (broken) {
    if (broken instanceof FootnoteError) throw broken;
    // Quotes that follow no rule are read as what they are: characters.
    try {
      return readRows(source, { delimiter, quote: false }, name);
    } catch (error) {
      if (error instanceof FootnoteError) throw error;
      throw new FootnoteError('invalid-media', `${name} cannot be read as rows and columns. Export it again as CSV.`, {
        cause: error,
      });
    }
  }
}

/** Rows are written as they are read, and none is kept: a table may have millions of cells. */
function readRows(source: string, syntax: Pick<Options, 'delimiter' | 'quote'>, name: string): Table {
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

function tooWide(name: string, columns: number): FootnoteError {
  return new FootnoteError(
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

function createRowWriter(name: string): { add(row: Row): void; finish(): Table } {
  const parts: string[] = [];
  const lines: string[] = [];
  const blocks: Block[] = [];
  const places: Place[] = [];
  let length = 0;
  let records = 0;
  /** The first row waits for a second one, without which it is no header. */
  let first: Row | undefined;
  let isBegun = false;
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
      if (value !== '') line += `${line === '' ? '' : '; '}${header?.[index] ?? `column ${index + 1}`}: ${value}`;
    }
    put('record', line, number);
  };
  return {
    add(row) {
      if (first === undefined) {
        first = row;
        return;
      }
      if (!isBegun) {
        isBegun = true;
        if (isHeader(first.cells)) {
          header = first.cells;
          put('heading', header.join(' | '), first.number);
        } else record(first);
      }
      record(row);
    },
    finish() {
      if (!isBegun && first !== undefined) record(first);
      join();
      return { text: parts.join('\n'), blocks, places, header, records };
    },
  };
}

/** A header names its columns: every cell filled, none a number, none twice. */
function isHeader(row: readonly string[]): boolean {
  return (
    new Set(row).size === row.length &&
    row.every((cell) => cell !== '' && cell.length <= 120 && !/^[-+]?[\d.,]+%?$/.test(cell))
  );
}

/** The delimiter that the first lines have in the most and the same number, outside quotes. */
function sniffDelimiter(source: string, preferred: string): string {
  const lines = source
    .slice(0, 65_536)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 20);
  let best = preferred;
  let bestScore = 0;
  for (const delimiter of [preferred, ',', ';', '\t', '|']) {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, '').split(delimiter).length - 1);
    const most = counts[0] ?? 0;
    const score = most === 0 ? 0 : most * counts.filter((count) => count === most).length;
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}
