// CSV and TSV (RFC 4180, with the delimiters that people use) to canonical text: the header row as a heading, then one
// record a line, "header: value; header: value", so that a row is read without looking up its columns.
import { parse } from 'csv-parse/sync';
import type { Block } from '../../core/document.ts';
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
    const delimiter = sniffDelimiter(source, input.mime === 'text/tab-separated-values' ? '\t' : ',');
    const rows = readRows(source, delimiter, input.name);
    const [first] = rows;
    const header = first !== undefined && rows.length > 1 && isHeader(first) ? first : undefined;
    const { text, blocks } = render(rows, header);
    requireText(text, input.name);
    return parsedDocument({
      text,
      mime: input.mime === 'text/tab-separated-values' ? input.mime : 'text/csv',
      headings:
        header === undefined ? [] : governHeadings([{ start: 0, level: 1, title: header.join(' | ') }], text.length),
      blocks,
      metadata: { rows: rows.length - (header === undefined ? 0 : 1), ...(encoding === 'utf-8' ? {} : { encoding }) },
      warnings,
    });
  },
};

function readRows(source: string, delimiter: string, name: string): string[][] {
  const shared = { delimiter, relax_column_count: true, skip_empty_lines: true, trim: true };
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

function render(
  rows: readonly (readonly string[])[],
  header: readonly string[] | undefined,
): { text: string; blocks: Block[] } {
  const parts: string[] = [];
  const blocks: Block[] = [];
  let length = 0;
  const put = (kind: Block['kind'], line: string): void => {
    if (line === '') return;
    if (length > 0) {
      parts.push('\n');
      length += 1;
    }
    blocks.push({ start: length, end: length + line.length, kind });
    parts.push(line);
    length += line.length;
  };
  if (header !== undefined) put('heading', header.join(' | '));
  for (const row of header === undefined ? rows : rows.slice(1)) {
    const cells = row.map((cell, index) => {
      const value = cell.replace(/\s+/g, ' ').trim();
      const title = header?.[index] ?? `column ${index + 1}`;
      return value === '' ? '' : `${title}: ${value}`;
    });
    put('record', cells.filter((cell) => cell !== '').join('; '));
  }
  return { text: parts.join(''), blocks };
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
