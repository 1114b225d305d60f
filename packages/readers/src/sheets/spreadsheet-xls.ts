// XLS (and XLSB) by SheetJS, which reads the records; the cells are then displayed and written as those of XLSX are. Nothing is evaluated.
import { read } from '@e965/xlsx';
import { publishedDate } from '../canonical/canonical-text.ts';
import type { Metadata, ParsedDocument } from '../document.ts';
import { drawingsNotRead, pictureLines, recognisePictures } from '../pictures/embedded-pictures.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { workbookDocument } from './spreadsheet.ts';
import { displayNumber } from './spreadsheet-format.ts';
import {
  type CellBudget,
  columnName,
  createCellBudget,
  oneLine,
  rangeAt,
  type Sheet,
  type SheetCell,
  type SheetRemark,
  type SheetRow,
} from './spreadsheet-sheet.ts';
import './spreadsheet-codepages.ts';
import { xlsNotes } from './spreadsheet-xls-notes.ts';
import { xlsPictures } from './spreadsheet-xls-pictures.ts';
import { tooManyCells } from './spreadsheet-xlsx.ts';

const mime = 'application/vnd.ms-excel';

export const spreadsheetXls: Parser = {
  name: 'spreadsheet-xls',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const book = readBook(input.bytes, input.name);
    const { held, bySheet, drawings } = xlsPictures(input.bytes);
    const pictures = await recognisePictures(input, held);
    const silent = bySheet.flat().filter(({ key }) => !pictures.hasText(key)).length;
    const notes = xlsNotes(input.bytes);
    const remarks = Array.from({ length: Math.max(bySheet.length, notes?.length ?? 0) }, (_, index) => [
      ...(notes?.[index] ?? []),
      ...(bySheet[index] ?? []).flatMap(({ key, cell }): SheetRemark[] => {
        const lines = pictureLines(pictures, key).map(({ text }) => oneLine(text));
        return lines.length === 0 ? [] : [{ cell: `${columnName(cell.column)}${cell.row + 1}`, lines }];
      }),
    ]);
    return bookDocument(book, input, {
      mime,
      metadata: pictures.metadata(),
      warnings: [...pictures.warnings(silent), ...drawingsNotRead(drawings)],
      remarks,
      hasNotes: notes !== undefined,
    });
  },
};

interface BookFacts {
  readonly mime: string;
  readonly metadata?: Metadata;
  readonly warnings?: readonly string[];
  /** What stands on each sheet without being in a cell. */
  readonly remarks?: readonly (readonly SheetRemark[])[];
  /** The notes on its cells are among them. */
  readonly hasNotes?: boolean;
}

/** The document of what SheetJS has read. Throws `invalid-media` where no cell is filled. */
export function bookDocument(
  book: ReturnType<typeof read>,
  { name }: ParseInput,
  { mime, metadata: more = {}, warnings = [], remarks: drawn = [], hasNotes = false }: BookFacts,
): ParsedDocument {
  const budget = createCellBudget();
  const isDate1904 = book.Workbook?.WBProps?.date1904 === true;
  const sheets = book.SheetNames.flatMap((sheetName, index) => {
    const sheet = book.Sheets[sheetName];
    if (sheet === undefined) return [];
    const { rows, remarks } = rowsOf(sheet['!data'] as StoredRows | undefined, { budget, isDate1904 });
    return [
      {
        name: sheetName,
        isHidden: (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0,
        rows,
        remarks: [...(hasNotes ? [] : remarks), ...(drawn[index] ?? [])],
        merges: (sheet['!merges'] ?? []).map(({ s, e }) => ({
          firstRow: s.r + 1,
          lastRow: e.r + 1,
          firstColumn: s.c,
          lastColumn: e.c,
        })),
        headers: [rangeAt(sheet['!autofilter']?.ref ?? '')].filter((range) => range !== undefined),
      },
    ];
  });
  const { title, ...metadata } = { ...factsOf(book.Props), ...more };
  return workbookDocument(
    { sheets, warnings: [...(budget.isSpent ? [tooManyCells] : []), ...warnings] },
    { mime, name, metadata, ...(typeof title === 'string' ? { title } : {}) },
  );
}

interface StoredCell {
  readonly t?: string;
  readonly v?: unknown;
  readonly w?: string;
  readonly z?: string | number;
  readonly c?: readonly { readonly t?: string; readonly a?: string }[];
}
type StoredRows = readonly (readonly (StoredCell | undefined)[] | undefined)[];

function readBook(bytes: Uint8Array, name: string): ReturnType<typeof read> {
  try {
    return read(bytes, {
      type: 'array',
      dense: true,
      cellNF: true,
      cellFormula: false,
      cellHTML: false,
      cellText: true,
      bookVBA: false,
      sheetStubs: false,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (/password|encrypt/iu.test(reason))
      throw new ReadError(
        'invalid-media',
        `${name} is encrypted with a password. Save it without one, or export it as PDF.`,
        { cause: error },
      );
    // [MS-OGRAPH] §2.3.1 (BOF): the sheet behind a chart of Microsoft Graph, as presentations hold it.
    if (/BIFF Ver 1664\b/u.test(reason))
      throw new ReadError(
        'unsupported-media',
        `${name} is a chart of Microsoft Graph, which is not read. Save what it stands in as PDF to have its labels read.`,
        { cause: error },
      );
    throw new ReadError(
      'invalid-media',
      `${name} is damaged: it cannot be read as a workbook (${reason.slice(0, 120)}). Save it again.`,
      { cause: error },
    );
  }
}

/** Filled cells only: both arrays may have holes, and their lengths are what the file declares. */
function rowsOf(
  data: StoredRows | undefined,
  { budget, isDate1904 }: { budget: CellBudget; isDate1904: boolean },
): Pick<Sheet, 'rows' | 'remarks'> {
  const rows: SheetRow[] = [];
  const remarks: SheetRemark[] = [];
  for (const rowIndex of Object.keys(data ?? [])) {
    const stored = data?.[Number(rowIndex)];
    const cells: SheetCell[] = [];
    for (const columnIndex of Object.keys(stored ?? [])) {
      const column = Number(columnIndex);
      const cell = stored?.[column];
      if (cell === undefined) continue;
      const shown = display(cell, isDate1904);
      if (shown.text !== '' && budget.take()) cells.push({ column, ...shown });
      const note = oneLine((cell.c ?? []).map(({ t }) => t ?? '').join(' '));
      const place = `${columnName(column)}${Number(rowIndex) + 1}`;
      if (note !== '') remarks.push({ cell: place, lines: [`Note on ${place}: ${note}`] });
    }
    if (cells.length > 0) rows.push({ number: Number(rowIndex) + 1, cells });
  }
  return { rows, remarks };
}

function display(cell: StoredCell, isDate1904: boolean): Pick<SheetCell, 'text' | 'kind'> {
  if (cell.t === 'n' && typeof cell.v === 'number')
    return displayNumber(cell.v, typeof cell.z === 'string' ? cell.z : 'General', isDate1904);
  // Cells of Excel 4 and before may have no format: nothing shows them.
  const stored = cell.t === 'b' ? String(cell.v).toUpperCase() : '';
  const text = oneLine(cell.t === 's' && typeof cell.v === 'string' ? cell.v : (cell.w ?? stored));
  return { text, kind: cell.t === 's' || cell.t === 'str' ? 'text' : 'other' };
}

function factsOf(properties: ReturnType<typeof read>['Props']): Metadata {
  const facts: Metadata = {};
  const put = (key: string, value: string | Date | undefined): void => {
    const isDate = value instanceof Date || /^\d{4}-\d\d-/u.test(value ?? '');
    const text = isDate ? publishedDate(value) : oneLine(String(value ?? ''));
    // No time at all is the beginning of the calendar of Windows.
    if (text !== undefined && text !== '' && !(isDate && text.startsWith('1601-'))) facts[key] = text;
  };
  put('title', properties?.Title);
  put('author', properties?.Author);
  put('subject', properties?.Subject);
  put('keywords', properties?.Keywords);
  put('created', properties?.CreatedDate);
  put('modified', properties?.ModifiedDate);
  return facts;
}
