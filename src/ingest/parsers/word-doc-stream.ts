// The binary structures of Word 97–2003 files ([MS-DOC]): text by its pieces, properties of paragraphs and characters by their position. Every
// offset is checked against the bytes there are, and no table is longer than its stream.
import { FootnoteError } from '../../core/errors.ts';
import type { CellEdges } from './table-spans.ts';
import type { PictureMark } from './word-doc-pictures.ts';
import { cellEdgesOf, tableDefinition } from './word-doc-rows.ts';

export interface DocParagraph {
  /** Field codes, marks and all, without the mark that ends it. */
  readonly text: string;
  /** The character that ends it: \r, \f where a page or section ends, or \u0007 in tables. */
  readonly end: string;
  readonly styleIndex: number;
  /** From 1, where the paragraph itself says so. */
  readonly outlineLevel: number | undefined;
  readonly isListItem: boolean;
  readonly listLevel: number;
  readonly isInTable: boolean;
  /** Ends a row of a table. */
  readonly isRowEnd: boolean;
  /** Of the cells of the row that ends here; undefined where nothing is said of them. */
  readonly row: CellEdges | undefined;
  /** What shows a picture, in the order of the text; other objects may be among them. */
  readonly pictures: readonly PictureMark[];
}

export interface DocFile {
  /** The parts of the document in the order of the file. */
  readonly body: DocParagraph[];
  readonly footnotes: DocParagraph[];
  readonly comments: DocParagraph[];
  readonly endnotes: DocParagraph[];
  readonly textBoxes: DocParagraph[];
  /** Its drawings ([MS-ODRAW]); empty where it has none. */
  readonly art: Buffer;
  /** Heading level (from 1) of a style; undefined for others. */
  levelOfStyle(index: number): number | undefined;
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
  readonly isCompressed: boolean;
}

interface PropertyRun {
  readonly from: number;
  readonly to: number;
  readonly styleIndex: number;
  readonly sprms: Buffer;
}

const maxRuns = 2_000_000;
const maxCharacters = 64 * 1024 * 1024;
const western = new TextDecoder('windows-1252');

/** Throws `invalid-media` for damaged, older and encrypted files. */
export function readDocFile(main: Buffer, tables: (which: 0 | 1) => Buffer | undefined, name: string): DocFile {
  const damaged = (why: string): FootnoteError =>
    new FootnoteError('invalid-media', `${name} is damaged or of an older kind: ${why}. Save it as DOCX.`);
  if (main.length < 0x200 || main.readUInt16LE(0) !== 0xa5ec) throw damaged('it is no Word document of 1997 or later');
  if (main.readUInt16LE(2) < 0x00c1) throw damaged('it was written by Word 95 or older');
  const flags = main.readUInt16LE(0x0a);
  if ((flags & 0x0100) !== 0)
    throw new FootnoteError(
      'invalid-media',
      `${name} is encrypted with a password. Save it without one, or export it as PDF.`,
    );
  const table = tables((flags & 0x0200) === 0 ? 0 : 1);
  if (table === undefined) throw damaged('its table stream is missing');
  const part = (index: number): Buffer => {
    const at = 0x9a + index * 8;
    if (at + 8 > main.length) return Buffer.alloc(0);
    const offset = main.readUInt32LE(at);
    return table.subarray(offset, offset + main.readUInt32LE(at + 4));
  };
  const pieces = readPieces(part(33));
  if (pieces.length === 0) throw damaged('its text cannot be found');
  const paragraphRuns = readRuns(main, part(13), 'paragraph');
  const allRuns = readRuns(main, part(12), 'character');
  const characterRuns = allRuns.filter(({ sprms }) => isLeftOut(sprms));
  const pictureRuns = allRuns.filter(({ sprms }) => sprmValue(sprms, pictureLocation) !== undefined);
  const counts = [0x4c, 0x50, 0x54, 0x58, 0x5c, 0x60, 0x64].map((at) => Math.max(0, main.readInt32LE(at)));
  const starts: number[] = [0];
  for (const count of counts) starts.push((starts.at(-1) ?? 0) + count);
  const shapes = shapeAnchors(part(40));
  const range = (index: number): DocParagraph[] =>
    paragraphsOf(main, { pieces, paragraphRuns, characterRuns, pictureRuns, shapes }, [
      starts[index] ?? 0,
      starts[index + 1] ?? 0,
    ]);
  const levels = styleLevels(part(1));
  return {
    body: range(0),
    footnotes: range(1),
    comments: range(4),
    endnotes: range(5),
    textBoxes: range(6),
    art: part(50),
    levelOfStyle: (index) => levels.get(index),
  };
}

/** The piece table (§2.8.35): positions in the text to offsets in the file. */
function readPieces(clx: Buffer): Piece[] {
  let at = 0;
  while (at + 3 <= clx.length && clx[at] === 1) at += 3 + clx.readUInt16LE(at + 1);
  if (at + 5 > clx.length || clx[at] !== 2) return [];
  const plc = clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1));
  const count = Math.floor((plc.length - 4) / 12);
  const pieces: Piece[] = [];
  let length = 0;
  for (let index = 0; index < count; index++) {
    const [start, end] = [plc.readUInt32LE(index * 4), plc.readUInt32LE(index * 4 + 4)];
    const raw = plc.readUInt32LE((count + 1) * 4 + index * 8 + 2);
    const isCompressed = (raw & 0x4000_0000) !== 0;
    const offset = raw & 0x3fff_ffff;
    // Positions only grow; text that is used twice is not read without end.
    length += end - start;
    if (end <= start || start < (pieces.at(-1)?.end ?? 0) || length > maxCharacters) break;
    pieces.push({ start, end, offset: isCompressed ? offset >>> 1 : offset, isCompressed });
  }
  return pieces;
}

/** Runs of properties by their place in the file (§2.8.6, §2.9.174): pages of 512 bytes, each with its runs. */
function readRuns(main: Buffer, plc: Buffer, kind: 'paragraph' | 'character'): PropertyRun[] {
  const count = Math.floor((plc.length - 4) / 8);
  const runs: PropertyRun[] = [];
  for (let index = 0; index < count && runs.length < maxRuns; index++) {
    const page = (plc.readUInt32LE((count + 1) * 4 + index * 4) & 0x3f_ffff) * 512;
    if (page + 512 > main.length) continue;
    const fkp = main.subarray(page, page + 512);
    const size = kind === 'paragraph' ? 13 : 1;
    const held = Math.min(fkp[511] ?? 0, Math.floor((511 - 4) / (4 + size)));
    for (let run = 0; run < held; run++) {
      const [from, to] = [fkp.readUInt32LE(run * 4), fkp.readUInt32LE(run * 4 + 4)];
      const offset = (fkp[(held + 1) * 4 + run * size] ?? 0) * 2;
      runs.push({ from, to, ...(kind === 'paragraph' ? paragraphBytes(fkp, offset) : characterBytes(fkp, offset)) });
    }
  }
  return runs.sort((a, b) => a.from - b.from);
}

const noBytes = Buffer.alloc(0);

function paragraphBytes(fkp: Buffer, offset: number): Pick<PropertyRun, 'styleIndex' | 'sprms'> {
  if (offset === 0) return { styleIndex: 0, sprms: noBytes };
  const short = fkp[offset] ?? 0;
  const start = short === 0 ? offset + 2 : offset + 1;
  const length = short === 0 ? (fkp[offset + 1] ?? 0) * 2 : short * 2 - 1;
  if (length < 2 || start + 2 > 511) return { styleIndex: 0, sprms: noBytes };
  return { styleIndex: fkp.readUInt16LE(start), sprms: fkp.subarray(start + 2, Math.min(start + length, 511)) };
}

function characterBytes(fkp: Buffer, offset: number): Pick<PropertyRun, 'styleIndex' | 'sprms'> {
  return {
    styleIndex: 0,
    sprms: offset === 0 ? noBytes : fkp.subarray(offset + 1, Math.min(offset + 1 + (fkp[offset] ?? 0), 511)),
  };
}

/** The operand of a property (§2.6.1), as a number of up to four bytes; undefined where it is not set. */
function sprmValue(sprms: Buffer, wanted: number): number | undefined {
  const operand = sprmOperand(sprms, wanted);
  return operand === undefined ? undefined : numberIn(operand, operandSizes[wanted >> 13] ?? 0);
}

/** Bytes of operands by kind; 0 where they say it themselves. */
const operandSizes = [1, 1, 2, 4, 2, 2, 0, 3];

function sprmOperand(sprms: Buffer, wanted: number): Buffer | undefined {
  let found: Buffer | undefined;
  for (let at = 0; at + 2 < sprms.length; ) {
    const code = sprms.readUInt16LE(at);
    const operand = at + 2;
    const size = operandSizes[code >> 13] ?? 0;
    const said = code === tableDefinition && operand + 2 <= sprms.length ? sprms.readUInt16LE(operand) : sprms[operand];
    const length = size > 0 ? size : (said ?? 0) + 1;
    if (code === wanted) found = sprms.subarray(operand, operand + length);
    at = operand + Math.max(1, length);
  }
  return found;
}

function numberIn(operand: Buffer, size: number): number | undefined {
  if (size === 4) return operand.length < 4 ? undefined : operand.readUInt32LE(0);
  return size === 2 && operand.length >= 2 ? operand.readUInt16LE(0) : operand[0];
}

/** Where the picture of a character stands in the Data stream (§2.6.1, sprmCPicLocation). */
const pictureLocation = 0x6a03;

/** The ids of floating shapes by the position of their mark in the text (§2.8.37): positions, then 26 bytes for each. */
function shapeAnchors(plc: Buffer): Map<number, number> {
  const count = Math.floor((plc.length - 4) / 30);
  const anchors = new Map<number, number>();
  for (let index = 0; index < count; index++)
    anchors.set(plc.readUInt32LE(index * 4), plc.readUInt32LE((count + 1) * 4 + index * 26));
  return anchors;
}

/** Deleted by a tracked change, or hidden. */
const isLeftOut = (sprms: Buffer): boolean => sprmValue(sprms, 0x0800) === 1 || sprmValue(sprms, 0x083c) === 1;

/** The run that holds an offset of the file. */
function runAt(runs: readonly PropertyRun[], offset: number): PropertyRun | undefined {
  let low = 0;
  let high = runs.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const run = runs[middle] as PropertyRun;
    if (offset < run.from) high = middle - 1;
    else if (offset >= run.to) low = middle + 1;
    else return run;
  }
  return undefined;
}

interface Source {
  readonly pieces: readonly Piece[];
  readonly paragraphRuns: readonly PropertyRun[];
  readonly characterRuns: readonly PropertyRun[];
  /** Of characters that show something of the Data stream. */
  readonly pictureRuns: readonly PropertyRun[];
  /** By position in the text. */
  readonly shapes: ReadonlyMap<number, number>;
}

function paragraphsOf(main: Buffer, source: Source, [from, to]: readonly [number, number]): DocParagraph[] {
  const paragraphs: DocParagraph[] = [];
  let parts: string[] = [];
  let pictures: PictureMark[] = [];
  const end = (mark: string, offset: number): void => {
    const run = runAt(source.paragraphRuns, offset);
    const sprms = run?.sprms ?? noBytes;
    const outline = sprmValue(sprms, 0x2640);
    const list = sprmValue(sprms, 0x460b);
    const isRowEnd = mark === '\u0007' && sprmValue(sprms, 0x2417) === 1;
    paragraphs.push({
      text: parts.join(''),
      end: mark,
      styleIndex: run?.styleIndex ?? 0,
      outlineLevel: outline !== undefined && outline < 9 ? outline + 1 : undefined,
      isListItem: list !== undefined && list > 0 && list < 0x7fff,
      listLevel: Math.min(sprmValue(sprms, 0x260a) ?? 0, 8),
      isInTable: sprmValue(sprms, 0x2416) === 1,
      isRowEnd,
      row: isRowEnd ? cellEdgesOf((sprm) => sprmOperand(sprms, sprm)) : undefined,
      pictures,
    });
    parts = [];
    pictures = [];
  };
  for (const piece of source.pieces) {
    const first = Math.max(piece.start, from);
    const last = Math.min(piece.end, to);
    if (first >= last) continue;
    const width = piece.isCompressed ? 1 : 2;
    const offset = piece.offset + (first - piece.start) * width;
    const bytes = main.subarray(offset, offset + (last - first) * width);
    const text = piece.isCompressed ? western.decode(bytes) : bytes.toString('utf16le');
    const at = (index: number): number => offset + index * width;
    let start = 0;
    for (const match of text.matchAll(/[\u0001\u0007\u0008\r\f]/gu)) {
      if (match[0] === '\u0001' || match[0] === '\u0008') {
        const shown = pictureAt(source, { position: first + match.index, offset: at(match.index), mark: match[0] });
        if (shown !== undefined) pictures.push(shown);
        continue;
      }
      parts.push(visible(text, source.characterRuns, { start, end: match.index, at }));
      end(match[0], at(match.index));
      start = match.index + 1;
    }
    parts.push(visible(text, source.characterRuns, { start, end: text.length, at }));
  }
  if (parts.some((part) => part !== '')) end('\r', -1);
  return paragraphs;
}

/** What the mark of a picture shows: in the line (1), or floating (8); undefined for other marks and what is left out. */
function pictureAt(
  { characterRuns, pictureRuns, shapes }: Source,
  { position, offset, mark }: { readonly position: number; readonly offset: number; readonly mark: string },
): PictureMark | undefined {
  if (runAt(characterRuns, offset) !== undefined) return undefined;
  if (mark === '\u0008') {
    const shape = shapes.get(position);
    return shape === undefined ? undefined : { shape };
  }
  const run = runAt(pictureRuns, offset);
  const inData = run === undefined ? undefined : sprmValue(run.sprms, pictureLocation);
  return inData === undefined ? undefined : { inData };
}

/** A range of the text without what is deleted or hidden. */
function visible(
  text: string,
  leftOut: readonly PropertyRun[],
  { start, end, at }: { readonly start: number; readonly end: number; at(index: number): number },
): string {
  if (leftOut.length === 0 || start >= end) return text.slice(start, end);
  let low = 0;
  let high = leftOut.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((leftOut[middle] as PropertyRun).to <= at(start)) low = middle + 1;
    else high = middle;
  }
  const width = at(1) - at(0);
  let kept = '';
  let from = start;
  for (let run = leftOut[low]; run !== undefined && run.from < at(end); run = leftOut[++low]) {
    kept += text.slice(from, Math.max(from, Math.ceil((run.from - at(0)) / width)));
    from = Math.max(from, Math.ceil((run.to - at(0)) / width));
  }
  return kept + text.slice(from, Math.max(from, end));
}

/** Which styles are headings (§2.9.271): the built-in ones keep their number whatever they are called. */
function styleLevels(sheet: Buffer): Map<number, number> {
  const levels = new Map<number, number>();
  if (sheet.length < 4) return levels;
  let at = 2 + sheet.readUInt16LE(0);
  const count = Math.min(sheet.readUInt16LE(2), 4095);
  for (let index = 0; index < count && at + 2 <= sheet.length; index++) {
    const size = sheet.readUInt16LE(at);
    if (size >= 2 && at + 4 <= sheet.length) {
      const builtIn = sheet.readUInt16LE(at + 2) & 0x0fff;
      if (builtIn >= 1 && builtIn <= 9) levels.set(index, builtIn);
      else if (builtIn === 62) levels.set(index, 1);
    }
    at += 2 + size + (size % 2);
  }
  return levels;
}
