// CSV and TSV (RFC 4180, with the delimiters that people use) to canonical text: the header row as a heading, then one
// record a line, "header: value; header: value", so that a row is read without looking up its columns. A row is cited by its
// number as RFC 4180 counts records, blank ones included: the header row is row 1, as spreadsheets show it.
import { parse } from 'csv-parse/sync';
import type { Block, Place } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { ParseInput, Parser } from '../parse.ts';
import { governHeadings, parsedDocument, requireText } from './canonical-text.ts';
import { decodeText } from './decode.ts';

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
    const rows = readRows(table, delimiter, input.name).map((cells, index): Row => ({ number: index + 1, cells }));
    const full = rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
    const [first] = full;
    const header = first !== undefined && full.length > 1 && isHeader(first.cells) ? first : undefined;
    const { text, blocks, places } = render(full, header);
    requireText(text, input.name);
    const title = header?.cells.join(' | ').replace(/\s+/gu, ' ').trim();
    return parsedDocument({
      text,
      mime: input.mime === 'text/tab-separated-values' ? input.mime : 'text/csv',
      headings: title === undefined ? [] : governHeadings([{ start: 0, level: 1, title }], text.length),
      blocks,
      places,
      metadata: { rows: full.length - (header === undefined ? 0 : 1), ...(encoding === 'utf-8' ? {} : { encoding }) },
      warnings,
    });
  },
};

interface Row {
  /** From 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

function readRows(source: string, delimiter: string, name: string): string[][] {
  const shared = { delimiter, relax_column_count: true, trim: true };
  try {
    return parse(source, shared);
  } catch {
    // Quotes that follow no rule are read as what they are: characters.
    try {
      return parse(source, { ...shared, quote: false });
    } catch (error) {
      throw new FootnoteError('invalid-media', `${name} cannot be read as rows and columns. Export it again as CSV.`, {
        cause: error,
      });
    }
  }
}

function render(rows: readonly Row[], header: Row | undefined): { text: string; blocks: Block[]; places: Place[] } {
  const parts: string[] = [];
  const blocks: Block[] = [];
  const places: Place[] = [];
  let length = 0;
  const put = (kind: Block['kind'], line: string, { number }: Row): void => {
    if (line === '') return;
    if (length > 0) {
      parts.push('\n');
      length += 1;
    }
    const range = { start: length, end: length + line.length };
    blocks.push({ ...range, kind });
    places.push({ ...range, label: `row ${number}` });
    parts.push(line);
    length += line.length;
  };
  for (const row of rows) {
    if (row === header) {
      put('heading', row.cells.join(' | '), row);
      continue;
    }
    const cells = row.cells.map((cell, index) => {
      const value = cell.replace(/\s+/g, ' ').trim();
      const title = header?.cells[index] ?? `column ${index + 1}`;
      return value === '' ? '' : `${title}: ${value}`;
    });
    put('record', cells.filter((cell) => cell !== '').join('; '), row);
  }
  return { text: parts.join(''), blocks, places };
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
