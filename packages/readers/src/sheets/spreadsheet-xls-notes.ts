// What is written on the sheets of XLS files without being in a cell ([MS-XLS], BIFF8): notes (§2.4.179), text boxes and other shapes with text (TxO,
// §2.4.329) and titles of charts. SheetJS takes the formats that follow a long text for a part of it. Records are stepped through once.

import { utf16Text } from '../canonical/utf16-text.ts';
import { columnName, maxColumns, oneLine, type SheetRemark } from './spreadsheet-sheet.ts';
import { budgetOf, readPart, workbookStream } from './spreadsheet-xls-pictures.ts';

const kinds = {
  begins: 0x0809,
  ends: 0x000a,
  note: 0x001c,
  goesOn: 0x003c,
  object: 0x005d,
  drawing: 0x00ec,
  text: 0x01b6,
  chartText: 0x1025,
  chartString: 0x100d,
  chartLink: 0x1027,
} as const;
const biff8 = 0x0600;
/** The kind of object that shows a note ([MS-XLS] §2.5.143). */
const noteObject = 0x19;
/** What a text of a chart belongs to: the chart itself ([MS-XLS] §2.4.182). */
const chartItself = 1;
/** The cells between which a shape lies ([MS-XLS] §2.5.193): the head of the record, with its length. */
const anchorHead = Buffer.from([0x10, 0xf0, 18, 0, 0, 0]);
const mostCharacters = 100_000;

/** By sheet in the order of the workbook; undefined for files of other versions, in which texts stand elsewhere. */
export function xlsNotes(bytes: Uint8Array): readonly (readonly SheetRemark[])[] | undefined {
  const stream = workbookStream(bytes);
  if (stream === undefined || stream.length < 8 || stream.readUInt16LE(4) !== biff8) return undefined;
  const budget = budgetOf(stream);
  return readPart(stream, 0).sheets.map((start) => remarksFrom(stream, start, budget));
}

interface Shape {
  readonly isNote: boolean;
  readonly cell: string | undefined;
  readonly text: string[];
}

// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
function remarksFrom(stream: Buffer, start: number, budget: { bytes: number }): SheetRemark[] {
  const remarks: SheetRemark[] = [];
  const shapes = new Map<number, Shape>();
  const notes: { readonly cell: string; readonly shape: number }[] = [];
  let depth = 0;
  let cell: string | undefined;
  let shape: Shape | undefined;
  /** Characters that the next records go on with. */
  let missing = 0;
  let chartText = '';
  for (let at = start; at + 4 <= stream.length && budget.bytes > 0; ) {
    const type = stream.readUInt16LE(at);
    const body = stream.subarray(at + 4, at + 4 + stream.readUInt16LE(at + 2));
    at += 4 + body.length;
    budget.bytes -= 4 + body.length;
    if (type === kinds.begins) depth++;
    else if (type === kinds.ends && --depth <= 0) break;
    if (type === kinds.goesOn && missing > 0 && body.length > 1) {
      const piece = charactersOf(body, missing);
      shape?.text.push(piece);
      missing -= piece.length;
    } else if (type === kinds.chartText) chartText = '';
    else if (type === kinds.chartString && body.length > 4) chartText = charactersOf(body.subarray(3), body[2] ?? 0);
    else if (type === kinds.chartLink && body.length > 1) {
      if (body.readUInt16LE(0) === chartItself && chartText.trim() !== '')
        remarks.push({ cell: depth > 1 ? cell : undefined, lines: [oneLine(chartText)] });
      chartText = '';
    }
    if (depth !== 1) continue;
    if (type === kinds.drawing) cell = anchoredAt(body) ?? cell;
    else if (type === kinds.object && body.length >= 8) {
      shape = { isNote: body.readUInt16LE(4) === noteObject, cell, text: [] };
      shapes.set(body.readUInt16LE(6), shape);
    } else if (type === kinds.text && body.length >= 12) missing = Math.min(body.readUInt16LE(10), mostCharacters);
    else if (type === kinds.note && body.length >= 8) {
      const column = body.readUInt16LE(2);
      if (column < maxColumns)
        notes.push({ cell: `${columnName(column)}${body.readUInt16LE(0) + 1}`, shape: body.readUInt16LE(6) });
    }
  }
  for (const note of notes) {
    // Each note has a shape of its own: one that is named again and again is read once.
    const text = oneLine(shapes.get(note.shape)?.text.splice(0).join('') ?? '');
    if (text !== '') remarks.push({ cell: note.cell, lines: [`Note on ${note.cell}: ${text}`] });
  }
  for (const { isNote, cell: place, text } of shapes.values()) {
    const lines = text
      .join('')
      .split(/[\r\n]+/u)
      .map(oneLine);
    const filled = lines.filter((line) => line !== '');
    if (!isNote && filled.length > 0) remarks.push({ cell: place, lines: filled });
  }
  return remarks;
}

/** One byte says whether the others are halves of UTF-16 or stand for themselves; `most` characters of them. */
function charactersOf(body: Buffer, most: number): string {
  const isWide = ((body[0] ?? 0) & 1) === 1;
  return isWide ? utf16Text(body.subarray(1, 1 + most * 2)) : body.toString('latin1', 1, 1 + most);
}

/** The cell of the last shape in a piece of the drawing. */
function anchoredAt(drawing: Buffer): string | undefined {
  const at = drawing.lastIndexOf(anchorHead) + anchorHead.length;
  if (at < anchorHead.length || at + 18 > drawing.length) return undefined;
  const column = drawing.readUInt16LE(at + 2);
  return column < maxColumns ? `${columnName(column)}${drawing.readUInt16LE(at + 6) + 1}` : undefined;
}
