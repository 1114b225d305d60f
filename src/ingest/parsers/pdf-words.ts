// Reads the words of one page with PDFium: runs of characters between white space, each in one style, with the boxes
// PDFium gives (origin top left of the page as it is seen). One call per property and character: this is the hot loop.

import type { PdfWord } from './pdf-content.ts';
import type { OpenPdf, Rectangle } from './pdf-module.ts';
import { findRepeated } from './pdf-overlaps.ts';

/** Called for every character: past the wrappers, which cost more than the calls. */
interface CharacterCalls {
  FPDFText_GetUnicode(text: number, index: number): number;
  FPDFText_GetTextObject(text: number, index: number): number;
  FPDFText_IsGenerated(text: number, index: number): number;
  FPDFText_GetFontSize(text: number, index: number): number;
  FPDFText_GetMatrix(text: number, index: number, matrix: number): number;
  FPDFTextObj_GetFont(object: number): number;
  FPDFText_GetLooseCharBox(text: number, index: number, rectangle: number): number;
}

/** The visible page and how it is turned. */
export interface Frame {
  readonly box: Rectangle;
  readonly turn: number;
  readonly width: number;
  readonly height: number;
}

export function frameOf({ pdfium, memory }: OpenPdf, page: number): Frame {
  const address = memory.allocate(16);
  pdfium.FPDF_GetPageBoundingBox(page, address);
  const box = memory.rectangle(address);
  const turn = pdfium.FPDFPage_GetRotation(page);
  const width = Math.abs(box.right - box.left);
  const height = Math.abs(box.top - box.bottom);
  return turn % 2 === 0 ? { box, turn, width, height } : { box, turn, width: height, height: width };
}

interface Style {
  readonly size: number;
  readonly bold: boolean;
  readonly turn: 0 | 1 | 2 | 3;
}

interface OpenWord {
  text: string;
  /** The last character of `text`: to read it there would copy all of a text that is still being joined. */
  last: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** Right edge of its last character. */
  lastRight: number;
  readonly style: Style;
  readonly spaceBefore: boolean;
}

/** Handles of a page and of its text. */
interface TextPage {
  readonly page: number;
  readonly text: number;
  readonly frame: Frame;
}

/** The words of a text page, in the order of the content. */
export function readWords(open: OpenPdf, page: TextPage): PdfWord[] {
  const { pdfium, memory } = open;
  const { text, frame } = page;
  const styleAt = createStyles(open, page);
  const calls = pdfium.pdfium.wasmExports as unknown as CharacterCalls;
  const count = pdfium.FPDFText_CountChars(text);
  const repeated = findRepeated(open, { page: page.page, text, characters: count });
  const scratch = memory.allocate(32);
  const words: PdfWord[] = [];
  let word: OpenWord | undefined;
  let spaceBefore = true;
  let skipsGap = false;
  const close = (): void => {
    if (word === undefined) return;
    const { left, top, right, bottom, style } = word;
    const { size, bold, turn } = style;
    const box = { x: left, y: top, width: right - left, height: bottom - top };
    words.push({ text: word.text, ...box, size, bold, turn, spaceBefore: word.spaceBefore });
    word = undefined;
  };
  for (let index = 0; index < count; index++) {
    const code = calls.FPDFText_GetUnicode(text, index);
    if (isSpace(code)) {
      // Where a character was left out, PDFium sees a gap.
      if (skipsGap && calls.FPDFText_IsGenerated(text, index) === 1) continue;
      close();
      spaceBefore = true;
      continue;
    }
    // PDFium marks a hyphen that ends a line by U+0002 or U+FFFE.
    const isLineHyphen = code === 2 || code === 0xfffe;
    const step = repeated.get(calls.FPDFText_GetTextObject(text, index));
    const character = isLineHyphen ? '-' : characterOf(code).repeat(step === undefined ? 1 : 2);
    const style = styleAt(index);
    calls.FPDFText_GetLooseCharBox(text, index, scratch);
    const printed = memory.rectangle(scratch);
    const box = seenBox(frame, step === undefined ? printed : { ...printed, right: printed.right + step });
    if (word !== undefined && skipsGap && box.left > word.right) {
      close();
      spaceBefore = true;
    }
    skipsGap = step !== undefined;
    if (word !== undefined) {
      const isApart = isElsewhere(word, box);
      if (isApart || !isSameStyle(word.style, style)) {
        close();
        spaceBefore = isApart;
      }
    }
    if (word === undefined)
      word = { text: character, last: character.slice(-1), ...box, lastRight: box.right, style, spaceBefore };
    else {
      addLetter(word, character, box.left < word.lastRight);
      word.lastRight = box.right;
      if (box.left < word.left) word.left = box.left;
      if (box.top < word.top) word.top = box.top;
      if (box.right > word.right) word.right = box.right;
      if (box.bottom > word.bottom) word.bottom = box.bottom;
    }
    spaceBefore = false;
    if (isLineHyphen) close();
  }
  close();
  return words;
}

/** Accents that typesetting without accented letters (TeX's OT1) prints over the next letter, and their combining forms. */
const accents = new Map(
  Object.entries({ '´': '\u0301', '`': '\u0300', '¨': '\u0308', ˆ: '\u0302', '˜': '\u0303', ˇ: '\u030c' }),
);
const dotless = new Map(Object.entries({ ı: 'i', ȷ: 'j' }));

/** An accent and the letter that stands under it are one letter: the "ï" of "naïve". */
function addLetter(word: OpenWord, character: string, isUnder: boolean): void {
  const accent = isUnder ? accents.get(word.last) : undefined;
  if (accent !== undefined && /^\p{L}$/u.test(character)) {
    const letter = ((dotless.get(character) ?? character) + accent).normalize('NFC');
    if (letter.length === 1) {
      word.text = word.text.slice(0, -1) + letter;
      word.last = letter;
      return;
    }
  }
  word.text += character;
  word.last = character.slice(-1);
}

function isSameStyle(a: Style, b: Style): boolean {
  return a === b || (a.size === b.size && a.bold === b.bold && a.turn === b.turn);
}

/** White space as ECMAScript has it (\s). */
function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return code === 0xa0 || (code >= 0x1680 && /^\s$/.test(String.fromCodePoint(code)));
}

/** What a font maps to nothing, or to a control character, is shown as U+FFFD: something stands there. */
function characterOf(code: number): string {
  const isKnown = code >= 0x20 && code !== 0x7f && code !== 0xffff;
  return isKnown || (code >= 0x09 && code <= 0x0d) ? String.fromCodePoint(code) : '\ufffd';
}

/** A character too far from its word to belong to it, whatever PDFium says. */
function isElsewhere(word: OpenWord, box: Rectangle): boolean {
  const reach = word.style.size * 1.5;
  return (
    box.left > word.right + reach ||
    box.right < word.left - reach ||
    box.top > word.bottom + reach ||
    box.bottom < word.top - reach
  );
}

/** From user space (y upwards) to the page as it is seen, origin top left. */
function seen({ box, turn }: Frame, x: number, y: number): readonly [number, number] {
  switch (turn) {
    case 1:
      return [y - box.bottom, x - box.left];
    case 2:
      return [box.right - x, y - box.bottom];
    case 3:
      return [box.top - y, box.right - x];
    default:
      return [x - box.left, box.top - y];
  }
}

/** A box of user space as it is seen. */
export function seenBox(frame: Frame, { left, top, right, bottom }: Rectangle): Rectangle {
  const [x1, y1] = seen(frame, left, top);
  const [x2, y2] = seen(frame, right, bottom);
  return { left: Math.min(x1, x2), top: Math.min(y1, y2), right: Math.max(x1, x2), bottom: Math.max(y1, y2) };
}

/** Styles by text object, and weights by font: a page may hold an object for each of its characters. */
function createStyles({ pdfium, memory }: OpenPdf, { text, frame }: { text: number; frame: Frame }) {
  const calls = pdfium.pdfium.wasmExports as unknown as CharacterCalls;
  const matrix = memory.allocate(24);
  const styles = new Map<number, Style>();
  const boldFonts = new Map<number, boolean>();
  const isBold = (index: number, object: number): boolean => {
    const font = object === 0 ? 0 : calls.FPDFTextObj_GetFont(object);
    const known = boldFonts.get(font);
    if (known !== undefined) return known;
    const name = memory.latin((buffer, length) => pdfium.FPDFText_GetFontInfo(text, index, buffer, length, 0));
    const bold = pdfium.FPDFText_GetFontWeight(text, index) >= 600 || /bold|black|heavy|medi(?!um)/i.test(name);
    boldFonts.set(font, bold);
    return bold;
  };
  const [originX, originY] = seen(frame, 0, 0);
  return (index: number): Style => {
    const object = calls.FPDFText_GetTextObject(text, index);
    const known = styles.get(object);
    if (known !== undefined) return known;
    // A matrix is a, b, c, d, e, f: the first four floats, as a rectangle is.
    const hasMatrix = calls.FPDFText_GetMatrix(text, index, matrix) !== 0;
    const { left: a, top: b, right: c, bottom: d } = hasMatrix ? memory.rectangle(matrix) : upright;
    const size = Math.abs(calls.FPDFText_GetFontSize(text, index) * Math.hypot(c, d)) || 1;
    const [x, y] = seen(frame, a, b);
    const turn = ((Math.round(Math.atan2(y - originY, x - originX) / (Math.PI / 2)) + 4) % 4) as Style['turn'];
    const style = { size, bold: isBold(index, object), turn };
    styles.set(object, style);
    return style;
  };
}

const upright: Rectangle = { left: 1, top: 0, right: 0, bottom: 1 };
