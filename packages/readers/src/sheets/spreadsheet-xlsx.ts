// Reads XLSX (ECMA-376 part 1 §18) as a stream: shared strings, styles, then sheet by sheet the filled cells as displayed. Formulas are not
// evaluated: their stored values are what the file displays.

import { createStruckText, struckLine } from '../canonical/struck-text.ts';
import {
  mainPart,
  type Relationship,
  relatedPath,
  relationshipsOf,
  requirePart,
} from '../containers/office-package.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  contentOf,
  descendantsOf,
  elementsOf,
  parseXmlTree,
  piecesOf,
  readXml,
  type XmlElement,
} from '../containers/xml-text.ts';
import type { ZipFile } from '../containers/zip.ts';
import { chartLines } from '../office/chart-text.ts';
import { drawnParagraphs } from '../office/presentation-shapes.ts';
import { type EmbeddedPictures, pictureLines } from '../pictures/embedded-pictures.ts';
import { builtInFormat, displayNumber, withIsoDate } from './spreadsheet-format.ts';
import {
  type CellBudget,
  cellAt,
  columnName,
  createCellBudget,
  maxCells,
  maxColumns,
  maxRows,
  oneLine,
  rangeAt,
  type Sheet,
  type SheetCell,
  type SheetRange,
  type SheetRemark,
  type SheetRow,
} from './spreadsheet-sheet.ts';

const maxMerges = 100_000;
/** Runs of hidden columns that are looked at for each cell. */
const maxHiddenRuns = 50;

interface CellStyle {
  readonly format: string;
  readonly isBold: boolean;
  readonly isStruck: boolean;
}

interface Workbook {
  readonly zip: ZipFile;
  readonly name: string;
  readonly strings: readonly string[];
  readonly styles: readonly CellStyle[];
  readonly isDate1904: boolean;
  readonly budget: CellBudget;
  readonly pictures: EmbeddedPictures;
  formulasWithoutValue: number;
  picturesWithoutText: number;
  /** Parts of sheets of which rows or columns are hidden. */
  readonly withHidden: Set<string>;
}

export interface ReadWorkbook {
  readonly sheets: readonly Sheet[];
  readonly warnings: readonly string[];
}

/** Pictures that lie on the sheets of a workbook. */
export const sheetPictures = (zip: ZipFile): string[] =>
  zip.entries.map((entry) => entry.name).filter((entry) => /^xl\/media\//iu.test(entry));

export function readXlsx(zip: ZipFile, name: string, pictures: EmbeddedPictures): ReadWorkbook {
  const main = mainPart(zip, 'xl/workbook.xml', name);
  const root = requirePart(zip, main, name);
  const relationships = relationshipsOf(zip, main, name);
  const partOf = (type: string): string | undefined =>
    relationships.find((relationship) => relationship.type === type)?.path;
  const date1904 = attributeOf(childOf(root, 'workbookPr'), 'date1904');
  const workbook: Workbook = {
    zip,
    name,
    strings: readStrings(zip, partOf('sharedStrings'), name),
    styles: readStyles(zip, partOf('styles'), name),
    isDate1904: isTrue(date1904),
    budget: createCellBudget(),
    pictures,
    formulasWithoutValue: 0,
    picturesWithoutText: 0,
    withHidden: new Set(),
  };
  const named = new Map<string, string>();
  const sheets = childrenOf(childOf(root, 'sheets'), 'sheet').flatMap((entry) => {
    const path = relatedPath(entry, relationships);
    if (path === undefined || !zip.has(path)) return [];
    named.set(path, attributeOf(entry, 'name') ?? '');
    const state = attributeOf(entry, 'state');
    const ownRelationships = relationshipsOf(zip, path, name);
    return [
      {
        name: attributeOf(entry, 'name') ?? '',
        isHidden: state === 'hidden' || state === 'veryHidden',
        ...withHeaders(readSheet(workbook, path), tableHeaders(workbook, ownRelationships)),
        remarks: readRemarks(workbook, ownRelationships),
      },
    ];
  });
  const { formulasWithoutValue: count } = workbook;
  const withHidden = [...workbook.withHidden].map((path) => named.get(path) ?? '');
  return {
    sheets,
    warnings: [
      ...(count === 0
        ? []
        : [
            `${count} ${count === 1 ? 'formula has' : 'formulas have'} no stored value: open the file in a spreadsheet program and save it.`,
          ]),
      ...(workbook.budget.isSpent ? [tooManyCells] : []),
      ...(withHidden.length === 0
        ? []
        : [`Hidden in the file, read all the same: rows or columns of ${withHidden.join(', ')}.`]),
      ...pictures.warnings(workbook.picturesWithoutText),
    ],
  };
}

export const tooManyCells = `Only the first ${maxCells} filled cells are read. Split the workbook.`;

function readStrings(zip: ZipFile, part: string | undefined, name: string): string[] {
  const strings: string[] = [];
  if (part === undefined || !zip.has(part)) return strings;
  let text = createStruckText();
  let isText = false;
  let isStruck = false;
  let phonetic = 0;
  readXml(piecesOf(zip, part), name, {
    open(tag, attributes) {
      if (tag === 'si') text = createStruckText();
      else if (tag === 'r') isStruck = false;
      else if (tag === 'strike') isStruck = !isFalse(attributes['val']);
      else if (tag === 'rPh') phonetic++;
      else if (tag === 't') isText = phonetic === 0;
    },
    text(piece) {
      if (isText) text.add(piece, isStruck ? 'struck' : undefined);
    },
    close(tag) {
      if (tag === 'si') strings.push(oneLine(unescapeCharacters(text.finish())));
      else if (tag === 'r') isStruck = false;
      else if (tag === 'rPh') phonetic--;
      else if (tag === 't') isText = false;
    },
  });
  return strings;
}

/** `_x000D_` stands for a character that XML cannot hold (ECMA-376 part 1 §22.9.2.19). */
const unescapeCharacters = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([\dA-F]{4})_/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

function readStyles(zip: ZipFile, part: string | undefined, name: string): CellStyle[] {
  const source = part === undefined ? undefined : zip.text(part);
  if (source === undefined) return [];
  const root = parseXmlTree(source, name);
  const formats = new Map(
    childrenOf(childOf(root, 'numFmts'), 'numFmt').map((entry) => [
      Number(attributeOf(entry, 'numFmtId')),
      attributeOf(entry, 'formatCode') ?? 'General',
    ]),
  );
  const marked = (name: string): boolean[] =>
    childrenOf(childOf(root, 'fonts'), 'font').map((font) => {
      const mark = childOf(font, name);
      return mark !== undefined && !isFalse(attributeOf(mark, 'val'));
    });
  const [bold, struck] = [marked('b'), marked('strike')];
  return childrenOf(childOf(root, 'cellXfs'), 'xf').map((style) => {
    const id = Number(attributeOf(style, 'numFmtId') ?? 0);
    return {
      format: formats.get(id) ?? builtInFormat(id),
      isBold: bold[Number(attributeOf(style, 'fontId') ?? 0)] ?? false,
      isStruck: struck[Number(attributeOf(style, 'fontId') ?? 0)] ?? false,
    };
  });
}

/** The value of a cell while its elements go by. */
interface OpenCell {
  column: number;
  type: string;
  style: CellStyle | undefined;
  hasFormula: boolean;
  text: string;
}

type SheetContent = Pick<Sheet, 'rows' | 'merges'> & { readonly headers: readonly SheetRange[] };

const withHeaders = (sheet: SheetContent, headers: readonly SheetRange[]): SheetContent => ({
  ...sheet,
  headers: [...sheet.headers, ...headers],
});

/** The header rows of the tables that were defined on a sheet (ECMA-376 part 1 §18.5.1.2). */
function tableHeaders(workbook: Workbook, relationships: readonly Relationship[]): SheetRange[] {
  return relationships.flatMap(({ type, path }) => {
    const source = type === 'table' ? workbook.zip.text(path) : undefined;
    if (source === undefined) return [];
    const root = parseXmlTree(source, workbook.name);
    const range = rangeAt(attributeOf(root, 'ref') ?? '');
    return range === undefined || attributeOf(root, 'headerRowCount') === '0' ? [] : [range];
  });
}

function readSheet(workbook: Workbook, part: string): SheetContent {
  const rows: SheetRow[] = [];
  const merges: SheetRange[] = [];
  const headers: SheetRange[] = [];
  let row: SheetRow = { number: 0, cells: [] };
  let cell: OpenCell | undefined;
  let isHiddenRow = false;
  const hiddenColumns: (readonly [first: number, last: number])[] = [];
  let column = -1;
  let reads = false;
  let skips = 0;
  const endCell = (): void => {
    if (cell === undefined) return;
    const read = cellOf(cell, workbook);
    if (read === undefined) {
      if (cell.hasFormula && cell.type !== 'str') workbook.formulasWithoutValue++;
    } else if (workbook.budget.take()) {
      row.cells.push(read);
      const isHidden =
        isHiddenRow || hiddenColumns.some(([first, last]) => read.column >= first && read.column <= last);
      if (isHidden) workbook.withHidden.add(part);
    }
    cell = undefined;
  };
  readXml(piecesOf(workbook.zip, part), workbook.name, {
    // oxlint-disable-next-line complexity -- Each form that the format knows is a case.
    open(tag, attributes) {
      // Extensions repeat names of the main schema with other meanings.
      if (tag === 'extLst' || tag === 'rPh') skips++;
      if (skips > 0) return;
      if (tag === 'row') {
        isHiddenRow = isTrue(attributes['hidden']);
        const number = Number(attributes['r'] ?? row.number + 1);
        row = {
          number: Number.isInteger(number) && number > 0 && number <= maxRows ? number : row.number + 1,
          cells: [],
        };
        column = -1;
      } else if (tag === 'c') {
        const at = attributes['r'] === undefined ? undefined : cellAt(attributes['r']);
        column = Math.min(at?.column ?? column + 1, maxColumns - 1);
        const style = workbook.styles[Number(attributes['s'] ?? 0)];
        cell = { column, type: attributes['t'] ?? 'n', style, hasFormula: false, text: '' };
      } else if (tag === 'v' || tag === 't') reads = cell !== undefined;
      else if (tag === 'f') {
        if (cell !== undefined) cell.hasFormula = true;
      } else if (tag === 'mergeCell') {
        const range = rangeAt(attributes['ref'] ?? '');
        if (range !== undefined && merges.length < maxMerges) merges.push(range);
      } else if (tag === 'col') {
        const [first, last] = [Number(attributes['min']) - 1, Number(attributes['max']) - 1];
        if (isTrue(attributes['hidden']) && hiddenColumns.length < maxHiddenRuns) hiddenColumns.push([first, last]);
      } else if (tag === 'autoFilter') {
        const range = rangeAt(attributes['ref'] ?? '');
        if (range !== undefined) headers.push(range);
      }
    },
    text(piece) {
      if (reads && cell !== undefined) cell.text += piece;
    },
    close(tag) {
      if (tag === 'extLst' || tag === 'rPh') skips--;
      if (skips > 0) return;
      if (tag === 'v' || tag === 't') reads = false;
      else if (tag === 'c') endCell();
      else if (tag === 'row' && row.cells.length > 0) rows.push(row);
    },
  });
  return { rows: inOrder(rows), merges, headers };
}

const isFalse = (value: string | undefined): boolean => value === '0' || value === 'false';

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

/** Files of other programs may write rows and cells in any order. */
function inOrder(rows: SheetRow[]): SheetRow[] {
  for (const { cells } of rows)
    if (cells.some((cell, index) => index > 0 && cell.column <= (cells[index - 1]?.column ?? -1)))
      cells.sort((a, b) => a.column - b.column);
  if (rows.some((row, index) => index > 0 && row.number <= (rows[index - 1]?.number ?? 0)))
    rows.sort((a, b) => a.number - b.number);
  return rows;
}

function cellOf({ column, type, style, text }: OpenCell, workbook: Workbook): SheetCell | undefined {
  const bold = style?.isBold ? { isBold: true } : {};
  const filled = (content: string, kind: SheetCell['kind']): SheetCell | undefined =>
    content === '' ? undefined : { column, text: style?.isStruck ? struckLine(content) : content, kind, ...bold };
  switch (type) {
    case 's':
      return filled(workbook.strings[Number(text)] ?? '', 'text');
    case 'b':
      return filled(text === '' ? '' : text.trim() === '1' ? 'TRUE' : 'FALSE', 'other');
    case 'e':
      return filled(oneLine(text), 'other');
    case 'd':
      return filled(withIsoDate('', text.trim()), 'date');
    case 'n': {
      const value = Number(text);
      if (text.trim() === '') return undefined;
      if (!Number.isFinite(value)) return filled(oneLine(text), 'text');
      const shown = displayNumber(value, style?.format ?? 'General', workbook.isDate1904);
      return filled(shown.text, shown.kind);
    }
    default:
      return filled(oneLine(unescapeCharacters(text)), 'text');
  }
}

/** Notes on cells, text boxes and charts of a sheet. */
function readRemarks(workbook: Workbook, relationships: readonly Relationship[]): SheetRemark[] {
  return relationships.flatMap(({ type, path }) => {
    if (type !== 'comments' && type !== 'drawing') return [];
    const source = workbook.zip.text(path);
    if (source === undefined) return [];
    const root = parseXmlTree(source, workbook.name);
    return type === 'comments'
      ? notesOf(root)
      : drawnOf(workbook, root, relationshipsOf(workbook.zip, path, workbook.name));
  });
}

function notesOf(root: XmlElement): SheetRemark[] {
  return childrenOf(childOf(root, 'commentList'), 'comment').flatMap((comment) => {
    const text = oneLine([...descendantsOf(comment, 't')].map(contentOf).join(''))
      // What newer programs write for older ones before a thread.
      .replace(/^\[Threaded comment\].*?Comment:\s*/u, '');
    const cell = attributeOf(comment, 'ref');
    return text === '' ? [] : [{ cell, lines: [`Note on ${cell ?? 'a cell'}: ${text}`] }];
  });
}

function drawnOf(workbook: Workbook, root: XmlElement, relationships: readonly Relationship[]): SheetRemark[] {
  return elementsOf(root).flatMap((anchor) => {
    const from = childOf(anchor, 'from');
    const row = Number(contentOf(childOf(from, 'row')));
    const column = Number(contentOf(childOf(from, 'col')));
    const lines = [...descendantsOf(anchor, 'txBody')].flatMap((body) =>
      drawnParagraphs(body).map(({ text }) => oneLine(text)),
    );
    for (const blip of descendantsOf(anchor, 'blip')) {
      const shown = relatedPath(blip, relationships, 'r:embed');
      lines.push(...pictureLines(workbook.pictures, shown).map(({ text }) => oneLine(text)));
      if (!workbook.pictures.hasText(shown)) workbook.picturesWithoutText++;
    }
    for (const chart of descendantsOf(anchor, 'chart')) {
      const path = relatedPath(chart, relationships);
      const source = path === undefined ? undefined : workbook.zip.text(path);
      if (source !== undefined) {
        const [title] = chartLines(parseXmlTree(source, workbook.name));
        // Its values stand in the cells.
        if (title !== undefined && title.text !== 'Chart') lines.push(title.text);
      }
    }
    const filled = lines.filter((line) => line !== '');
    const isCell = from !== undefined && Number.isInteger(row) && Number.isInteger(column) && column < maxColumns;
    return filled.length === 0 ? [] : [{ cell: isCell ? `${columnName(column)}${row + 1}` : undefined, lines: filled }];
  });
}
