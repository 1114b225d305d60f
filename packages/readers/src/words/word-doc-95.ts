// Word 6 and 95: the layout before [MS-DOC], with all tables in the main stream, properties named by one byte, and characters in the code page of their font.
// Properties are put into the words of Word 97, so that what reads those reads these. Pictures of that time (WMF) are not read.

import { lockedOtherwise } from '../containers/locked.ts';
import { isSymbolFont } from '../office/office-symbols.ts';
import { decoderOfPage, pageOfCharset } from '../office/rtf-text.ts';
import { ReadError } from '../read-error.ts';
import { isLeftOut, noBytes, type PropertyRun, runFrom, sprmValue } from './word-doc-runs.ts';
import {
  type DocFile,
  type DocParagraph,
  type Piece,
  paragraphsOf,
  readPieces,
  styleLevels,
} from './word-doc-stream.ts';
import { symbolReader } from './word-doc-symbols.ts';

const marks: ReadonlySet<number> = new Set([0xa5dc, 0xa5ec]);
const [oldest, firstNewer] = [0x0065, 0x00c1];

/** Whether the main stream is one of Word 6 or 95. */
export const isWord95 = (main: Buffer): boolean =>
  main.length >= headBytes &&
  marks.has(main.readUInt16LE(0)) &&
  main.readUInt16LE(2) >= oldest &&
  main.readUInt16LE(2) < firstNewer;

const headBytes = 0x192;
const [isComplex, isEncrypted, isWide] = [0x0004, 0x0100, 0x1000];

/** Throws `invalid-media` for damaged and encrypted files. */
export function readWord95File(main: Buffer, name: string): DocFile {
  const flags = main.readUInt16LE(0x0a);
  if ((flags & isEncrypted) !== 0) throw lockedOtherwise(name, 'in the way of Word 95');
  const part = (at: number): Buffer => {
    const offset = main.readUInt32LE(at);
    return main.subarray(offset, offset + main.readUInt32LE(at + 4));
  };
  const starts = [0];
  for (let at = 0x34; at <= 0x4c; at += 4) starts.push((starts.at(-1) ?? 0) + Math.max(0, main.readInt32LE(at)));
  const isTwoBytes = (flags & isWide) !== 0;
  const pieces =
    (flags & isComplex) === 0
      ? [{ start: 0, end: starts.at(-1) ?? 0, offset: main.readUInt32LE(0x18), isCompressed: !isTwoBytes }]
      : readPieces(part(0x160)).map((piece): Piece => ({ ...piece, isCompressed: !isTwoBytes }));
  if (pieces.length === 0)
    throw new ReadError('invalid-media', `${name} is damaged: its text cannot be found. Save it as DOCX.`);
  const paragraphRuns = readRuns(main, pagesOf(main, { list: part(0xc0), first: 0x18c, count: 0x190 }), 'paragraph');
  const allRuns = readRuns(main, pagesOf(main, { list: part(0xb8), first: 0x18a, count: 0x18e }), 'character');
  const fonts = fontsOf(part(0xd0));
  const source = {
    pieces,
    paragraphRuns,
    characterRuns: allRuns.filter(({ sprms }) => isLeftOut(sprms)),
    pictureRuns: [],
    shapes: new Map<number, number>(),
    decode: decoderOf(main, { runs: allRuns, fonts: fonts.map(({ page }) => page) }),
    symbols: symbolReader(
      allRuns,
      fonts.map(({ name: font }) => font),
    ),
  };
  const range = (index: number): DocParagraph[] =>
    paragraphsOf(main, source, [starts[index] ?? 0, starts[index + 1] ?? 0]);
  const levels = styleLevels(part(0x60));
  return {
    body: range(0),
    footnotes: range(1),
    comments: range(4),
    commentStarts: [],
    endnotes: range(5),
    textBoxes: range(6),
    art: noBytes,
    levelOfStyle: (index) => levels.get(index),
    // Word 95 numbers paragraphs one by one; its numbers are not read.
    listOfStyle: () => ({ id: undefined, level: undefined }),
    numbering: () => undefined,
  };
}

/** Pages of 512 bytes with runs, by their number: those that the list names, and those behind them that it counts without naming. */
function pagesOf(main: Buffer, { list, first, count }: { list: Buffer; first: number; count: number }): number[] {
  const named = Math.max(0, Math.floor((list.length - 4) / 6));
  const pages = Array.from({ length: named }, (_, index) => list.readUInt16LE((named + 1) * 4 + index * 2));
  const [firstPage, all] = [main.readUInt16LE(first), main.readUInt16LE(count)];
  for (let page = firstPage + named; page < firstPage + all; page++) pages.push(page);
  return [...new Set(pages)];
}

function readRuns(main: Buffer, pages: readonly number[], kind: 'paragraph' | 'character'): PropertyRun[] {
  const runs: PropertyRun[] = [];
  for (const page of pages) {
    const fkp = main.subarray(page * 512, page * 512 + 512);
    if (fkp.length < 512) continue;
    const size = kind === 'paragraph' ? 7 : 1;
    const held = Math.min(fkp[511] ?? 0, Math.floor((511 - 4) / (4 + size)));
    for (let run = 0; run < held; run++) {
      const at = (fkp[(held + 1) * 4 + run * size] ?? 0) * 2;
      const [from, to] = [fkp.readUInt32LE(run * 4), fkp.readUInt32LE(run * 4 + 4)];
      if (at === 0) runs.push({ from, to, styleIndex: 0, sprms: noBytes });
      else if (kind === 'character')
        runs.push({ from, to, styleIndex: 0, sprms: newerSprms(fkp.subarray(at + 1, at + 1 + (fkp[at] ?? 0))) });
      // A length in words, the style, the properties.
      else
        runs.push({
          from,
          to,
          styleIndex: at + 3 <= 511 ? fkp.readUInt16LE(at + 1) : 0,
          sprms: newerSprms(fkp.subarray(at + 3, Math.min(at + (fkp[at] ?? 0) * 2, 511))),
        });
    }
  }
  return runs.sort((a, b) => a.from - b.from);
}

/** Bytes of operands; those of other properties are one. 0: the operand says it in its first byte, or in two. */
const operandBytes = new Map<number, number>([
  ...[
    2, 16, 17, 18, 19, 21, 22, 26, 27, 28, 30, 31, 32, 33, 34, 35, 36, 38, 39, 40, 41, 42, 43, 45, 46, 47, 48, 49,
  ].map((code) => [code, 2] as const),
  ...[69, 72, 80, 93, 96, 97, 99, 101, 105, 106, 107, 109, 110, 121, 122, 123, 124, 140, 141, 144, 145, 148, 149].map(
    (code) => [code, 2] as const,
  ),
  ...[154, 155, 156, 157, 160, 161, 164, 165, 166, 167, 168, 169, 170, 171, 182, 183, 184, 189, 195, 197, 198].map(
    (code) => [code, 2] as const,
  ),
  ...[73, 95, 136, 137].map((code) => [code, 3] as const),
  ...[20, 70, 74, 192, 194, 196, 200].map((code) => [code, 4] as const),
  ...[68, 193, 199].map((code) => [code, 5] as const),
  ...[120, 187].map((code) => [code, 12] as const),
  ...[3, 12, 15, 23, 81, 103, 108, 188, 190, 191].map((code) => [code, 0] as const),
]);
const saysLengthInTwo: ReadonlySet<number> = new Set([188, 190]);
const [tableDefinition, listLevel, font] = [190, 13, 93];
/** Properties of one byte that Word 97 has too: in a table, end of a row, header, deleted, hidden. */
const sameInNewer: Readonly<Record<number, number>> = { 24: 0x2416, 25: 0x2417, 186: 0x3404, 65: 0x0800, 92: 0x083c };
/** The number of a font, and a list that is no other. */
const [newerFont, newerList, newerTable] = [0x4a4f, 0x460b, 0xd608];

/** What is of use among properties, as Word 97 writes it. */
function newerSprms(old: Buffer): Buffer {
  const parts: Buffer[] = [];
  const put = (code: number, operand: Uint8Array): void => {
    parts.push(Buffer.of(code & 0xff, code >> 8), Buffer.from(operand));
  };
  for (let at = 0; at < old.length; ) {
    const code = old[at] as number;
    const known = operandBytes.get(code) ?? 1;
    const length =
      known > 0
        ? known
        : saysLengthInTwo.has(code)
          ? 1 + (at + 3 <= old.length ? old.readUInt16LE(at + 1) : 0)
          : 1 + (old[at + 1] ?? 0);
    const operand = old.subarray(at + 1, at + 1 + length);
    const same = sameInNewer[code];
    if (operand.length === 0) break;
    if (same !== undefined) put(same, operand.subarray(0, 1));
    else if (code === font && operand.length === 2) put(newerFont, operand);
    else if (code === listLevel && operand[0] !== 0) put(newerList, Buffer.of(1, 0));
    else if (code === tableDefinition) {
      // The edges of the cells; what is said of each of them is laid out otherwise.
      const edges = operand.subarray(2, 3 + ((operand[2] ?? 0) + 1) * 2);
      put(newerTable, Buffer.concat([Buffer.of((edges.length + 1) & 0xff, (edges.length + 1) >> 8), edges]));
    }
    at += 1 + length;
  }
  return Buffer.concat(parts);
}

interface Font {
  readonly name: string;
  /** Code page of its character set. */
  readonly page: number | undefined;
}

/** Fonts by their number: the table holds a length, then for each its own length, flags, weight, character set and name. */
function fontsOf(table: Buffer): Font[] {
  const fonts: Font[] = [];
  for (let at = 2; at + 6 < table.length; at += 1 + (table[at] ?? 0)) {
    const names = table.toString('latin1', at + 6, Math.min(at + 1 + (table[at] ?? 0), table.length));
    const name = names.split('\0', 1)[0] ?? '';
    fonts.push({ name, page: isSymbolFont(name) ? placesOfFont : pageOfCharset(table[at + 4] ?? 0) });
    if (table[at] === 0) break;
  }
  return fonts;
}

/** Windows code pages by primary language ([MS-LCID]), where they are not the western one. */
const pageOfLanguage: Readonly<Record<number, number>> = {
  1: 1256,
  2: 1251,
  5: 1250,
  8: 1253,
  13: 1255,
  14: 1250,
  21: 1250,
  24: 1250,
  25: 1251,
  26: 1250,
  27: 1250,
  31: 1254,
  34: 1251,
  35: 1251,
  36: 1250,
  37: 1257,
  38: 1257,
  39: 1257,
  47: 1251,
};

/** Each character in the code page of its font, or of the language of the file where the font is of none or western. Only pages of one byte. */
function decoderOf(
  main: Buffer,
  { runs, fonts }: { readonly runs: readonly PropertyRun[]; readonly fonts: readonly (number | undefined)[] },
): (bytes: Buffer, offset: number) => string {
  const isMac = main.readUInt16LE(0x14) === 0x0100;
  const filePage = isMac ? 10000 : (pageOfLanguage[main.readUInt16LE(6) & 0x3ff] ?? 1252);
  const placed = runs.flatMap(({ from, to, sprms }) => {
    const page = fonts[sprmValue(sprms, newerFont) ?? -1];
    return page === undefined || page === 1252 || page === filePage ? [] : [{ from, to, page }];
  });
  return (bytes, offset) => {
    let low = runFrom(placed, offset);
    const parts: string[] = [];
    let at = 0;
    for (let run = placed[low]; run !== undefined && run.from < offset + bytes.length; run = placed[++low]) {
      const from = Math.max(at, run.from - offset);
      const to = Math.max(from, Math.min(bytes.length, run.to - offset));
      parts.push(inPage(bytes.subarray(at, from), filePage), inPage(bytes.subarray(from, to), run.page));
      at = to;
    }
    parts.push(inPage(bytes.subarray(at), filePage));
    return parts.join('');
  };
}

/** Letters of symbol fonts are their places, whatever the code page of the file: ISO 8859-1 has each byte as the character of its number. */
const placesOfFont = 28591;

/** In pages of two bytes characters would not stand where the file says: their bytes are taken for western ones. */
function inPage(bytes: Buffer, page: number): string {
  if (page === placesOfFont) return bytes.toString('latin1');
  const text = decoderOfPage(page).decode(bytes);
  return text.length === bytes.length ? text : decoderOfPage(1252).decode(bytes);
}
