// The texts of PowerPoint 97–2003 ([MS-PPT] §2.9): characters, the levels and bullets of their paragraphs, and marks where a field stands (a number, a
// date), which are no text.

import { utf16Text } from '../canonical/utf16-text.ts';
import { isSymbolFont, symbolText } from '../office/office-symbols.ts';
import type { DrawnParagraph } from '../office/presentation-shapes.ts';
import { firstRecord, type PptRecord, pptRecords } from './presentation-ppt-file.ts';

export interface PptText {
  /** What it is for (§2.13.33): 0 and 6 titles, 1, 7 and 8 bodies, 2 notes, 4 and 5 other. */
  readonly kind: number;
  readonly paragraphs: readonly DrawnParagraph[];
}

export const titleKinds: ReadonlySet<number> = new Set([0, 6]);
export const bodyKinds: ReadonlySet<number> = new Set([1, 7, 8]);
export const notesKind = 2;

const textHeader = 0x0f9f;
const textCharacters = 0x0fa0;
const textBytes = 0x0fa8;
const textStyles = 0x0fa1;
/** Of the number of the slide, dates, headers and footers: each says where it stands, at which the text has an asterisk. */
const fieldMarks: ReadonlySet<number> = new Set([0x0fd8, 0x0ff7, 0x0ff8, 0x0ff9, 0x0ffa, 0x1015]);

/** Each text begins with a header; other records between them are passed over. */
export function pptTexts(bytes: Buffer, fonts: readonly string[] = []): PptText[] {
  const texts: PptText[] = [];
  let kind = 4;
  let parts: PptRecord[] | undefined;
  const end = (): void => {
    if (parts !== undefined) texts.push({ kind, paragraphs: paragraphsOf(parts, fonts) });
  };
  for (const record of pptRecords(bytes)) {
    if (record.type !== textHeader) {
      parts?.push(record);
      continue;
    }
    end();
    kind = record.body.length < 4 ? 4 : record.body.readUInt32LE(0);
    parts = [];
  }
  end();
  return texts;
}

function paragraphsOf(parts: readonly PptRecord[], fonts: readonly string[]): DrawnParagraph[] {
  const fields = new Set<number>();
  let text = '';
  let styles: Buffer | undefined;
  for (const { type, body } of parts) {
    if (type === textCharacters) text = utf16Text(body);
    // The low bytes of characters (§2.9.43), not those of a code page.
    else if (type === textBytes) text = body.toString('latin1');
    else if (type === textStyles) styles = body;
    else if (fieldMarks.has(type) && body.length >= 4) fields.add(body.readUInt32LE(0));
  }
  const { runs, fontRuns } = styles === undefined ? noRuns : readRuns(styles, text.length + 1);
  text = asShown(text, fontRuns, fonts);
  let run = 0;
  let start = 0;
  return text.split('\r').map((raw) => {
    while ((runs[run]?.end ?? Number.POSITIVE_INFINITY) <= start) run++;
    const from = start;
    start += raw.length + 1;
    const shown = raw.replace(/\*/gu, (mark, at: number) => (fields.has(from + at) ? '' : mark));
    return {
      text: shown.replaceAll('\u000b', '\n'),
      level: Math.min(runs[run]?.level ?? 0, 8),
      bullet: runs[run]?.bullet,
    };
  });
}

interface ParagraphRun {
  readonly end: number;
  readonly level: number;
  readonly bullet: 'none' | 'sign' | undefined;
}

/** Properties of paragraphs in the order in which they are stored, by the bits of the mask that announce them (§2.9.20): their bytes. */
const properties: readonly (readonly [mask: number, bytes: number])[] = [
  [0x0080, 2],
  [0x0010, 2],
  [0x0040, 2],
  [0x0020, 4],
  [0x0800, 2],
  [0x1000, 2],
  [0x2000, 2],
  [0x4000, 2],
  [0x0100, 2],
  [0x0400, 2],
  [0x8000, 2],
];
const afterTabs: readonly (readonly [mask: number, bytes: number])[] = [
  [0x1_0000, 2],
  [0xe_0000, 2],
  [0x20_0000, 2],
];
const [bulletFlags, hasBullet, tabStops] = [0x000f, 0x0001, 0x10_0000];

/** Characters in the same fonts: that of letters, and that of symbols among them. */
interface FontRun {
  readonly end: number;
  readonly letters: number | undefined;
  readonly symbols: number | undefined;
}

const noRuns = { runs: [] as ParagraphRun[], fontRuns: [] as FontRun[] };

const sum = (table: typeof properties, mask: number): number =>
  table.reduce((bytes, [bit, size]) => bytes + ((mask & bit) === 0 ? 0 : size), 0);

/** Of paragraphs, then of characters; each until `length` characters are told of (§2.9.44). */
function readRuns(styles: Buffer, length: number): typeof noRuns {
  const runs: ParagraphRun[] = [];
  let end = 0;
  let ended = 0;
  for (let at = 0; end < length && at + 10 <= styles.length; ) {
    end += styles.readUInt32LE(at);
    const level = styles.readUInt16LE(at + 4);
    const mask = styles.readUInt32LE(at + 6);
    at += 10;
    let bullet: ParagraphRun['bullet'];
    if ((mask & bulletFlags) !== 0) {
      if ((mask & hasBullet) !== 0 && at < styles.length)
        bullet = ((styles[at] ?? 0) & hasBullet) === 0 ? 'none' : 'sign';
      at += 2;
    }
    at += sum(properties, mask);
    if ((mask & tabStops) !== 0) at += 2 + (at + 2 <= styles.length ? styles.readUInt16LE(at) * 4 : 0);
    at += sum(afterTabs, mask);
    runs.push({ end, level, bullet });
    ended = at;
  }
  return { runs, fontRuns: readFontRuns(styles.subarray(ended), length) };
}

/** Properties of characters (§2.9.14): flags of its style, then fonts, in the order in which they are stored. */
const [styleFlags, lettersFont, otherFonts, symbolsFont] = [0xffff, 0x1_0000, 0x60_0000, 0x80_0000];
const behindFonts: typeof properties = [
  [0x2_0000, 2],
  [0x4_0000, 4],
  [0x8_0000, 2],
];

function readFontRuns(styles: Buffer, length: number): FontRun[] {
  const runs: FontRun[] = [];
  let end = 0;
  for (let at = 0; end < length && at + 8 <= styles.length; ) {
    end += styles.readUInt32LE(at);
    const mask = styles.readUInt32LE(at + 4);
    at += 8 + ((mask & styleFlags) === 0 ? 0 : 2);
    const read = (bits: number): number | undefined => {
      if ((mask & bits) === 0) return undefined;
      const value = at + 2 <= styles.length ? styles.readUInt16LE(at) : undefined;
      at += bits === otherFonts && (mask & bits) === bits ? 4 : 2;
      return value;
    };
    const letters = read(lettersFont);
    read(otherFonts);
    const symbols = read(symbolsFont);
    at += sum(behindFonts, mask);
    runs.push({ end, letters, symbols });
  }
  return runs;
}

/** Letters of symbol fonts as they are shown, one for one. */
function asShown(text: string, runs: readonly FontRun[], fonts: readonly string[]): string {
  const parts: string[] = [];
  let start = 0;
  for (const { end, letters, symbols } of [...runs, { end: text.length, letters: undefined, symbols: undefined }]) {
    const part = text.slice(start, end);
    const font = fonts[letters ?? -1] ?? '';
    const places = isSymbolFont(font) ? /[\u0020-\u00ff\uf020-\uf0ff]/gu : /[\uf020-\uf0ff]/gu;
    const named = isSymbolFont(font) ? font : (fonts[symbols ?? -1] ?? '');
    parts.push(part.replace(places, (sign) => symbolText(named, sign.charCodeAt(0)) || '\u200b'));
    start = Math.max(start, end);
  }
  return parts.join('');
}

/** The names of fonts ([MS-PPT] §2.9.8) in the environment of a document. */
export function pptFonts(document: Buffer): string[] {
  const list = firstRecord(firstRecord(document, 0x03f2)?.body, 0x07d5)?.body ?? Buffer.alloc(0);
  const names: string[] = [];
  for (const { type, instance, body } of pptRecords(list))
    if (type === 0x0fb7) names[instance] = utf16Text(body.subarray(0, 64)).split('\0', 1)[0] ?? '';
  return names;
}
