// ODS (ODF 1.3 part 3 §9) as a stream: the filled cells of each table as they are displayed. Repetitions are followed only as far as cells are
// filled; formulas are not evaluated, their stored text is what the file displays.

import { piecesOf, readXml } from '../containers/xml-text.ts';
import type { ZipFile } from '../containers/zip.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { workbookDocument } from '../sheets/spreadsheet.ts';
import { withIsoDate } from '../sheets/spreadsheet-format.ts';
import {
  columnName,
  createCellBudget,
  maxColumns,
  maxRows,
  oneLine,
  type Sheet,
  type SheetCell,
  type SheetRange,
  type SheetRemark,
  type SheetRow,
} from '../sheets/spreadsheet-sheet.ts';
import { type ReadWorkbook, tooManyCells } from '../sheets/spreadsheet-xlsx.ts';
import { openDocumentFacts, openOpenDocument } from './opendocument-package.ts';

const mime = 'application/vnd.oasis.opendocument.spreadsheet';
/** A filled cell or row that says it is repeated more often is read so often. */
const maxRepeats = 1000;

export const opendocumentSheets: Parser = {
  name: 'opendocument-sheets',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const zip = openOpenDocument(input);
    return workbookDocument(readTables(zip, input.name), { ...openDocumentFacts(zip), mime, name: input.name });
  },
};

interface OpenSheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly rows: SheetRow[];
  readonly merges: SheetRange[];
  readonly remarks: SheetRemark[];
}

interface OpenCell {
  readonly column: number;
  readonly repeats: number;
  readonly kind: SheetCell['kind'];
  readonly iso: string | undefined;
  /** What stands for its text where the program that wrote the file left that out. */
  readonly value: string;
  readonly paragraphs: string[];
}

const countOf = (value: string | undefined, most: number): number => {
  const count = Number(value ?? 1);
  return Number.isInteger(count) && count > 0 ? Math.min(count, most) : 1;
};

/** The value of a cell of this type (ODF 1.3 part 3 §19.386 to §19.393). */
function storedValue(type: string | undefined, attributes: Readonly<Record<string, string>>): string {
  const stored = oneLine(attributes[`office:${type ?? ''}-value`] ?? '');
  const value = oneLine(attributes['office:value'] ?? '');
  if (type === 'boolean') return stored.toUpperCase();
  if (type === 'time') return stored.replace(/^PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S$/u, '$1:$2:$3');
  if (type === 'percentage') return value === '' ? '' : `${Number((Number(value) * 100).toPrecision(12))}%`;
  if (type === 'currency') return `${value} ${attributes['office:currency'] ?? ''}`.trim();
  if (type === 'string') return stored;
  return type === 'float' ? value : '';
}

function readTables(zip: ZipFile, name: string): ReadWorkbook {
  const sheets: Sheet[] = [];
  const hiddenStyles = new Set<string>();
  const budget = createCellBudget();
  let style = '';
  let sheet: OpenSheet | undefined;
  let nested = 0;
  let rowNumber = 1;
  let rowRepeats = 1;
  let column = 0;
  let cells: SheetCell[] = [];
  let cell: OpenCell | undefined;
  let aside: string[] | undefined;
  let cut = 0;

  const sink = (): string[] | undefined => aside ?? cell?.paragraphs;
  const write = (text: string): void => {
    const paragraphs = sink();
    if (paragraphs !== undefined && paragraphs.length > 0) paragraphs[paragraphs.length - 1] += text;
  };
  const remark = (lines: readonly string[]): void => {
    const filled = lines.map(oneLine).filter((line) => line !== '');
    const place = cell === undefined ? undefined : `${columnName(cell.column)}${rowNumber}`;
    if (filled.length > 0) sheet?.remarks.push({ cell: place, lines: filled });
  };
  const endCell = (): void => {
    if (cell === undefined) return;
    const shown = oneLine(cell.paragraphs.join(' '));
    const text = cell.iso === undefined ? shown || cell.value : withIsoDate(shown, cell.iso);
    if (text !== '') {
      if (cell.repeats > maxRepeats) cut++;
      for (let at = 0; at < Math.min(cell.repeats, maxRepeats); at++)
        if (budget.take()) cells.push({ column: cell.column + at, text, kind: cell.kind });
    }
    column = Math.min(cell.column + cell.repeats, maxColumns);
    cell = undefined;
  };
  const endRow = (): void => {
    if (cells.length > 0) {
      if (rowRepeats > maxRepeats) cut++;
      const times = Math.min(rowRepeats, maxRepeats);
      for (let at = 0; at < times; at++) {
        if (at > 0 && !cells.every(() => budget.take())) break;
        sheet?.rows.push({ number: rowNumber + at, cells: [...cells] });
      }
    }
    rowNumber = Math.min(rowNumber + rowRepeats, maxRows);
    cells = [];
  };
  const openCell = (attributes: Readonly<Record<string, string>>): void => {
    const type = attributes['office:value-type'] ?? attributes['calcext:value-type'];
    const [wide, tall] = [attributes['table:number-columns-spanned'], attributes['table:number-rows-spanned']].map(
      (span) => countOf(span, maxRows),
    ) as [number, number];
    cell = {
      column,
      repeats: countOf(attributes['table:number-columns-repeated'], maxColumns),
      kind:
        type === 'date'
          ? 'date'
          : type === 'float' || type === 'percentage' || type === 'currency'
            ? 'number'
            : type === undefined || type === 'string'
              ? 'text'
              : 'other',
      iso: type === 'date' ? attributes['office:date-value']?.replace(/T00:00:00(?:\.0+)?$/u, '') : undefined,
      value: storedValue(type, attributes),
      paragraphs: [],
    };
    if (wide * tall > 1)
      sheet?.merges.push({
        firstRow: rowNumber,
        lastRow: Math.min(rowNumber + tall - 1, maxRows),
        firstColumn: column,
        lastColumn: Math.min(column + wide - 1, maxColumns - 1),
      });
  };
  readXml(piecesOf(zip, 'content.xml'), name, {
    open(tag, attributes) {
      switch (tag) {
        case 'style':
          style = attributes['style:name'] ?? '';
          break;
        case 'table-properties':
          if (attributes['table:display'] === 'false') hiddenStyles.add(style);
          break;
        case 'table':
          if (sheet !== undefined) nested++;
          else {
            const isHidden = hiddenStyles.has(attributes['table:style-name'] ?? '');
            sheet = { name: attributes['table:name'] ?? '', isHidden, rows: [], merges: [], remarks: [] };
            rowNumber = 1;
          }
          break;
        case 'table-row':
          if (nested > 0) break;
          rowRepeats = countOf(attributes['table:number-rows-repeated'], maxRows);
          column = 0;
          break;
        case 'table-cell':
          if (sheet !== undefined && nested === 0) openCell(attributes);
          break;
        case 'covered-table-cell':
          if (sheet !== undefined && nested === 0)
            column = Math.min(column + countOf(attributes['table:number-columns-repeated'], maxColumns), maxColumns);
          break;
        case 'annotation':
        case 'frame':
        case 'custom-shape':
          aside ??= [];
          break;
        case 'p':
          sink()?.push('');
          break;
        case 's':
          write(' ');
          break;
        case 'tab':
        case 'line-break':
          write(' ');
          break;
      }
    },
    text: write,
    close(tag) {
      switch (tag) {
        case 'table':
          if (nested > 0) nested--;
          else if (sheet !== undefined) {
            sheets.push(sheet);
            sheet = undefined;
          }
          break;
        case 'table-row':
          if (nested === 0) endRow();
          break;
        case 'table-cell':
          if (nested === 0) endCell();
          break;
        case 'annotation': {
          const place = cell === undefined ? 'a cell' : `${columnName(cell.column)}${rowNumber}`;
          const text = (aside ?? []).join(' ').trim();
          aside = undefined;
          if (text !== '') remark([`Note on ${place}: ${text}`]);
          break;
        }
        case 'frame':
        case 'custom-shape':
          remark(aside ?? []);
          aside = undefined;
          break;
      }
    },
  });
  return {
    sheets,
    warnings: [
      ...(budget.isSpent ? [tooManyCells] : []),
      ...(cut === 0
        ? []
        : [`${cut} repeated cells or rows are read ${maxRepeats} times, the file repeats them more often.`]),
    ],
  };
}
