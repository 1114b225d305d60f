// The binary structures of Word 97–2003 files ([MS-DOC]): text by its pieces, properties of paragraphs and characters by their position. Every
// offset is checked against the bytes there are, and no table is longer than its stream.

import type { CellEdges } from '../canonical/table-spans.ts';
import { utf16Text } from '../canonical/utf16-text.ts';
import { ReadError } from '../read-error.ts';
import type { Numbering } from './docx-numbering.ts';
import { docNumbering, type ListPlace, listPlaceOf, listsOfStyles } from './word-doc-lists.ts';
import type { PictureMark } from './word-doc-pictures.ts';
import { cellEdgesOf } from './word-doc-rows.ts';
import {
  isLeftOut,
  noBytes,
  type PropertyRun,
  readRuns,
  runAt,
  runFrom,
  sprmOperand,
  sprmValue,
  withLongProperties,
} from './word-doc-runs.ts';
import { fontNames, type SymbolReader, symbolReader } from './word-doc-symbols.ts';

export interface DocParagraph {
  /** Field codes, marks and all, without the mark that ends it. */
  readonly text: string;
  /** The character that ends it: \r, \f where a page or section ends, or \u0007 in tables. */
  readonly end: string;
  readonly styleIndex: number;
  /** From 1, where the paragraph itself says so. */
  readonly outlineLevel: number | undefined;
  readonly list: ListPlace;
  readonly isInTable: boolean;
  /** Ends a row of a table. */
  readonly isRowEnd: boolean;
  /** Of the cells of the row that ends here; undefined where nothing is said of them. */
  readonly row: CellEdges | undefined;
  /** What shows a picture, in the order of the text; other objects may be among them. */
  readonly pictures: readonly PictureMark[];
  /** Of its end, in characters from the beginning of its part. */
  readonly position: number;
}

/** Where the text of a comment begins, in characters from the beginning of all comments, and who wrote it. */
export interface DocComment {
  readonly start: number;
  readonly author: string;
}

export interface DocFile {
  /** The parts of the document in the order of the file. */
  readonly body: DocParagraph[];
  readonly footnotes: DocParagraph[];
  readonly comments: DocParagraph[];
  /** In order; empty where the file does not say. */
  readonly commentStarts: readonly DocComment[];
  readonly endnotes: DocParagraph[];
  readonly textBoxes: DocParagraph[];
  /** Its drawings ([MS-ODRAW]); empty where it has none. */
  readonly art: Buffer;
  /** Heading level (from 1) of a style; undefined for others. */
  levelOfStyle(index: number): number | undefined;
  listOfStyle(index: number): ListPlace;
  readonly numbering: Numbering;
}

export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
  /** A byte for each character. */
  readonly isCompressed: boolean;
}

const maxCharacters = 64 * 1024 * 1024;
const western = new TextDecoder('windows-1252');

/** The streams beside the main one. */
export interface DocStreams {
  table(which: 0 | 1): Buffer | undefined;
  readonly data: Buffer | undefined;
}

/** Throws `invalid-media` for damaged and encrypted files. */
export function readDocFile(main: Buffer, streams: DocStreams, name: string): DocFile {
  const damaged = (why: string): ReadError =>
    new ReadError('invalid-media', `${name} is damaged or of an older kind: ${why}. Save it as DOCX.`);
  if (main.length < 0x200 || main.readUInt16LE(0) !== 0xa5ec) throw damaged('it is no Word document of 1997 or later');
  const flags = main.readUInt16LE(0x0a);
  if ((flags & 0x0100) !== 0)
    throw new ReadError(
      'invalid-media',
      `${name} is encrypted with a password. Save it without one, or export it as PDF.`,
    );
  const table = streams.table((flags & 0x0200) === 0 ? 0 : 1);
  if (table === undefined) throw damaged('its table stream is missing');
  const part = (index: number): Buffer => {
    const at = 0x9a + index * 8;
    if (at + 8 > main.length) return Buffer.alloc(0);
    const offset = main.readUInt32LE(at);
    return table.subarray(offset, offset + main.readUInt32LE(at + 4));
  };
  const offsetOf = (index: number): number =>
    0xa2 + index * 8 > main.length ? table.length : main.readUInt32LE(0x9a + index * 8);
  const pieces = readPieces(part(33));
  if (pieces.length === 0) throw damaged('its text cannot be found');
  const paragraphRuns = withLongProperties(readRuns(main, part(13), 'paragraph'), streams.data);
  const allRuns = readRuns(main, part(12), 'character');
  const characterRuns = allRuns.filter(({ sprms }) => isLeftOut(sprms));
  const pictureRuns = allRuns.filter(({ sprms }) => sprmValue(sprms, pictureLocation) !== undefined);
  const counts = [0x4c, 0x50, 0x54, 0x58, 0x5c, 0x60, 0x64].map((at) => Math.max(0, main.readInt32LE(at)));
  const starts: number[] = [0];
  for (const count of counts) starts.push((starts.at(-1) ?? 0) + count);
  const shapes = shapeAnchors(part(40));
  const symbols = symbolReader(allRuns, fontNames(part(15)));
  const range = (index: number): DocParagraph[] =>
    paragraphsOf(main, { pieces, paragraphRuns, characterRuns, pictureRuns, shapes, symbols }, [
      starts[index] ?? 0,
      starts[index + 1] ?? 0,
    ]);
  const levels = styleLevels(part(1));
  return {
    body: range(0),
    footnotes: range(1),
    comments: range(4),
    commentStarts: commentStarts(part(5), { references: part(4), authors: part(36) }),
    endnotes: range(5),
    textBoxes: range(6),
    art: part(50),
    levelOfStyle: (index) => levels.get(index),
    listOfStyle: listsOfStyles(part(1)),
    numbering: docNumbering(table.subarray(offsetOf(73)), part(73).length, part(74)),
  };
}

const referenceBytes = 30;

/** By the positions of their texts (§2.8.10); what refers to them names the author in a list (§2.8.7, §2.9.7). */
function commentStarts(plc: Buffer, { references, authors }: { references: Buffer; authors: Buffer }): DocComment[] {
  const names: string[] = [];
  for (let at = 0; at + 2 <= authors.length; ) {
    const end = at + 2 + authors.readUInt16LE(at) * 2;
    names.push(utf16Text(authors.subarray(at + 2, end)));
    at = end;
  }
  const count = Math.floor((references.length - 4) / (4 + referenceBytes));
  // The last two positions are ends.
  return Array.from({ length: Math.max(0, Math.min(count, plc.length / 4 - 2)) }, (_, index) => ({
    start: plc.readUInt32LE(index * 4),
    author: names[references.readUInt16LE((count + 1) * 4 + index * referenceBytes + 20)]?.trim() ?? '',
  }));
}

/** The piece table (§2.8.35): positions in the text to offsets in the file. */
export function readPieces(clx: Buffer): Piece[] {
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

export interface DocSource {
  readonly pieces: readonly Piece[];
  readonly paragraphRuns: readonly PropertyRun[];
  readonly characterRuns: readonly PropertyRun[];
  /** Of characters that show something of the Data stream. */
  readonly pictureRuns: readonly PropertyRun[];
  /** By position in the text. */
  readonly shapes: ReadonlyMap<number, number>;
  /** What letters of symbol fonts show; as long as the text. */
  readonly symbols: SymbolReader;
}

export function paragraphsOf(main: Buffer, source: DocSource, [from, to]: readonly [number, number]): DocParagraph[] {
  const paragraphs: DocParagraph[] = [];
  let parts: string[] = [];
  let pictures: PictureMark[] = [];
  const end = (mark: string, offset: number, position: number): void => {
    const run = runAt(source.paragraphRuns, offset);
    const sprms = run?.sprms ?? noBytes;
    const outline = sprmValue(sprms, 0x2640);
    const isRowEnd = mark === '\u0007' && sprmValue(sprms, 0x2417) === 1;
    paragraphs.push({
      text: parts.join(''),
      end: mark,
      styleIndex: run?.styleIndex ?? 0,
      outlineLevel: outline !== undefined && outline < 9 ? outline + 1 : undefined,
      list: listPlaceOf(sprms),
      isInTable: sprmValue(sprms, 0x2416) === 1,
      isRowEnd,
      row: isRowEnd ? cellEdgesOf((sprm) => sprmOperand(sprms, sprm)) : undefined,
      pictures,
      position: position - from,
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
    const stored = piece.isCompressed ? western.decode(bytes) : utf16Text(bytes);
    const text = source.symbols(stored, offset, width);
    const at = (index: number): number => offset + index * width;
    let start = 0;
    for (const match of text.matchAll(/[\u0001\u0007\u0008\r\f]/gu)) {
      if (match[0] === '\u0001' || match[0] === '\u0008') {
        const shown = pictureAt(source, { position: first + match.index, offset: at(match.index), mark: match[0] });
        if (shown !== undefined) pictures.push(shown);
        continue;
      }
      parts.push(visible(text, source.characterRuns, { start, end: match.index, at }));
      end(match[0], at(match.index), first + match.index);
      start = match.index + 1;
    }
    parts.push(visible(text, source.characterRuns, { start, end: text.length, at }));
  }
  if (parts.some((part) => part !== '')) end('\r', -1, to);
  return paragraphs;
}

/** What the mark of a picture shows: in the line (1), or floating (8); undefined for other marks and what is left out. */
function pictureAt(
  { characterRuns, pictureRuns, shapes }: DocSource,
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
  let low = runFrom(leftOut, at(start));
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
export function styleLevels(sheet: Buffer): Map<number, number> {
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
