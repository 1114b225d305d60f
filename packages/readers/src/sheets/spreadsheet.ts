// Spreadsheets to canonical text: a heading for each sheet, then one row a line, "header: value; header: value", so that a row is read without
// looking up its columns. Each line knows its cells (`Costs!A2:D2`), by which it is cited.

import { type BlockWriter, createBlockWriter } from '../canonical/block-writer.ts';
import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { coreFacts } from '../containers/office-package.ts';
import { openZip } from '../containers/zip.ts';
import type { Metadata, ParsedDocument } from '../document.ts';
import { recogniseEmbedded } from '../pictures/embedded-pictures.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { columnName, placeLabel, type Sheet, type SheetRow } from './spreadsheet-sheet.ts';
import { type SheetTable, tablesOf } from './spreadsheet-tables.ts';
import { type ReadWorkbook, readXlsx, sheetPictures } from './spreadsheet-xlsx.ts';

const mime = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const spreadsheet: Parser = {
  name: 'spreadsheet',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const zip = openZip(input.bytes, input.name);
    const core = coreFacts(zip, 'docProps/core.xml');
    const pictures = await recogniseEmbedded(input, zip, sheetPictures(zip));
    const book = readXlsx(zip, input.name, pictures);
    const metadata = { ...core.metadata, ...pictures.metadata() };
    return workbookDocument(book, { ...core, metadata, mime, name: input.name });
  },
};

export interface WorkbookFacts {
  readonly mime: string;
  readonly name: string;
  readonly title?: string;
  readonly language?: string;
  readonly metadata: Metadata;
}

/** The document of a workbook, whatever file it comes from. Throws `invalid-media` where no cell is filled. */
export function workbookDocument({ sheets, warnings }: ReadWorkbook, facts: WorkbookFacts): ParsedDocument {
  const writer = createBlockWriter();
  const filled = sheets.filter(({ rows, remarks }) => rows.length > 0 || remarks.length > 0);
  for (const sheet of filled) writeSheet(writer, sheet);
  requireText(filled.length === 0 ? '' : 'filled', facts.name);
  const hidden = filled.filter(({ isHidden }) => isHidden).map(({ name }) => name);
  const document = writer.finish();
  if (document.text === '')
    throw new ReadError(
      'invalid-media',
      `${facts.name} has no filled cells. Give a file with text in it, or leave it out.`,
    );
  return parsedDocument({
    ...document,
    mime: facts.mime,
    title: facts.title,
    language: facts.language,
    metadata: { ...facts.metadata, sheets: sheets.map(({ name }) => name) },
    warnings: [
      ...(hidden.length === 0
        ? []
        : [`Hidden in the file, read all the same: ${hidden.length === 1 ? 'sheet' : 'sheets'} ${hidden.join(', ')}.`]),
      ...warnings,
    ],
  });
}

function writeSheet(writer: BlockWriter, sheet: Sheet): void {
  const label = (row: SheetRow): string => {
    const first = row.cells[0]?.column ?? 0;
    const last = row.cells.at(-1)?.column ?? first;
    const from = `${columnName(first)}${row.number}`;
    return placeLabel(sheet.name, first === last ? from : `${from}:${columnName(last)}${row.number}`);
  };
  const [first] = sheet.rows;
  const [remark] = sheet.remarks;
  writer.at(first === undefined ? placeLabel(sheet.name, remark?.cell ?? 'A1') : label(first));
  writer.put('heading', sheet.name.trim() || 'Sheet', 1);
  for (const table of tablesOf(sheet.rows, sheet.merges, sheet.headers)) writeTable(writer, table, label);
  for (const { cell, lines } of sheet.remarks) {
    if (cell !== undefined) writer.at(placeLabel(sheet.name, cell));
    for (const line of lines) writer.put('other', line);
  }
  writer.at(undefined);
}

function writeTable(writer: BlockWriter, table: SheetTable, label: (row: SheetRow) => string): void {
  writer.apart();
  table.titles.forEach((row, index) => {
    writer.at(label(row));
    const text = row.cells.map((cell) => cell.text).join(' | ');
    const isHeading =
      index === 0 &&
      row.cells.length === 1 &&
      text.length <= 120 &&
      (table.headers.length > 0 || table.body.length > 1);
    writer.put(isHeading ? 'heading' : 'paragraph', text, isHeading ? 2 : undefined);
  });
  for (const row of table.headers) {
    writer.at(label(row));
    writer.put('table-row', row.cells.map(({ text }) => text).join(' | '));
  }
  const hasTitles = table.columnTitles.size > 0;
  const columns = hasTitles ? undefined : gridOf(table.body);
  for (const row of table.body) {
    writer.at(label(row));
    const inGrid = columns === undefined ? undefined : inColumns(row, columns);
    if (inGrid !== undefined) {
      writer.put('table-row', inGrid);
      continue;
    }
    const cells = row.cells.map(({ column, text }) => {
      const title = table.columnTitles.get(column);
      return title === undefined ? text : `${title}: ${text}`;
    });
    writer.put('table-row', cells.join(hasTitles ? '; ' : ' | '));
  }
}

/** Columns at most whose empty cells are kept, and the share of cells that is filled in a table rather than a form. */
const mostKept = 64;
const leastFilled = 0.5;

/** The columns of rows without titles that are a grid: there an empty cell stays, so that a figure stays in its column; undefined for others. */
function gridOf(body: readonly SheetRow[]): readonly number[] | undefined {
  const columns = [...new Set(body.flatMap(({ cells }) => cells.map(({ column }) => column)))].sort((a, b) => a - b);
  const filled = body.reduce((sum, { cells }) => sum + cells.length, 0);
  return columns.length > mostKept || filled < columns.length * body.length * leastFilled ? undefined : columns;
}

/** As tables of PDF are written: `| B-07 |  | 289`; undefined for a row of one cell, or with next to none up to its last one. */
function inColumns({ cells }: SheetRow, columns: readonly number[]): string | undefined {
  const texts = new Map(cells.map(({ column, text }) => [column, text]));
  const width = columns.indexOf(cells.at(-1)?.column ?? 0) + 1;
  if (cells.length < 2 || cells.length * 3 < width) return undefined;
  return columns
    .slice(0, width)
    .map((column) => texts.get(column) ?? '')
    .join(' | ')
    .trim();
}
