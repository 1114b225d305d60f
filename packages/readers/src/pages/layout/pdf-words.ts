// Reads the words of one page with PDFium: runs of characters between white space, each in one style, with the boxes
// PDFium gives (origin top left of the page as it is seen). One call per property and character: this is the hot loop.

import type { OpenPdf, Rectangle } from '../../engines/pdf-module.ts';
import { findAccents } from './pdf-accents.ts';
import type { PdfWord } from './pdf-content.ts';
import { knownPrivate, lettersOfFont } from './pdf-letters.ts';
import { findRepeated } from './pdf-overlaps.ts';
import { isParted, type Letter, type Parting, settingOf } from './pdf-spacing.ts';

/** Called for every character: past the wrappers, which cost more than the calls. */
interface CharacterCalls {
  FPDFText_GetUnicode(text: number, index: number): number;
  FPDFText_GetTextObject(text: number, index: number): number;
  FPDFText_IsGenerated(text: number, index: number): number;
  FPDFText_GetFontSize(text: number, index: number): number;
  FPDFText_GetMatrix(text: number, index: number, matrix: number): number;
  FPDFTextObj_GetFont(object: number): number;
  FPDFFont_GetFlags(font: number): number;
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
  readonly isAskew: boolean;
  readonly isFixedPitch: boolean;
  /** How its characters are to be read, where not as they are called. */
  readonly letters: ReadonlyMap<string, string> | undefined;
}

/** A character, or several that are one glyph. */
interface StyledLetter extends Letter {
  readonly style: Style;
  /** The hyphen at the end of a line: what follows it is the next line. */
  readonly endsWord: boolean;
}

interface OpenWord {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  readonly style: Style;
  readonly spaceBefore: boolean;
}

/** Handles of a page and of its text. */
interface TextPage {
  readonly page: number;
  readonly text: number;
  readonly frame: Frame;
}

/** Letters of a line that are looked at together: the gaps of a longer one are told in parts. */
const longestLine = 4000;

/** The words of a text page, in the order of the content. */
export function readWords(open: OpenPdf, page: TextPage): PdfWord[] {
  const writer = createWordWriter();
  let line: StyledLetter[] = [];
  readLetters(open, page, (letter) => {
    if (letter === lineBreak || line.length >= longestLine) {
      writer.add(line, letter === lineBreak);
      line = [];
    }
    if (letter !== lineBreak) line.push(letter);
  });
  return writer.finish(line);
}

const lineBreak = Symbol('line break');

/** The letters of a text page, and where PDFium ends a line. */
function readLetters(
  open: OpenPdf,
  { page, text, frame }: TextPage,
  give: (letter: StyledLetter | typeof lineBreak) => void,
): void {
  const { pdfium, memory } = open;
  const styleAt = createStyles(open, { text, frame });
  const calls = pdfium.pdfium.wasmExports as unknown as CharacterCalls;
  const count = pdfium.FPDFText_CountChars(text);
  const repeated = findRepeated(open, { page, text, characters: count });
  const { letters: accented, taken } = findAccents(open, text, count);
  const scratch = memory.allocate(32);
  let parting: Parting = 'written';
  // Where a character was left out, PDFium sees a gap.
  let isLeftOut = false;
  for (let index = 0; index < count; index++) {
    if (taken.has(index)) {
      isLeftOut = true;
      if (parting === 'guessed') parting = 'doubtful';
      continue;
    }
    const code = calls.FPDFText_GetUnicode(text, index);
    if (isSpace(code)) {
      if (calls.FPDFText_IsGenerated(text, index) !== 1) parting = 'written';
      else if (parting === 'none') parting = isLeftOut ? 'doubtful' : 'guessed';
      // An accent that stands higher than its line ends none.
      const isBreak = code === 0x0a && !(taken.size > 0 && (isBeside(taken, index, 1) || isBeside(taken, index, -1)));
      if (isBreak) give(lineBreak);
      continue;
    }
    // PDFium marks a hyphen that ends a line by U+0002 or U+FFFE.
    const isLineHyphen = code === 2 || code === 0xfffe;
    const step = repeated.get(calls.FPDFText_GetTextObject(text, index));
    const style = styleAt(index);
    calls.FPDFText_GetLooseCharBox(text, index, scratch);
    const printed = memory.rectangle(scratch);
    const box = seenBox(frame, step === undefined ? printed : { ...printed, right: printed.right + step });
    const character = isLineHyphen ? '-' : (accented.get(index) ?? characterOf(code, style.letters));
    give({ text: character.repeat(step === undefined ? 1 : 2), box, style, parting, endsWord: isLineHyphen });
    parting = 'none';
    isLeftOut = step !== undefined;
  }
}

/** Whether nothing but two characters of white space lies between an accent and a place in the text. */
function isBeside(taken: ReadonlySet<number>, index: number, step: 1 | -1): boolean {
  return [1, 2, 3].some((distance) => taken.has(index + distance * step));
}

interface WordWriter {
  /** The letters of a line, or of the next part of it. */
  add(line: readonly StyledLetter[], isWhole: boolean): void;
  finish(line: readonly StyledLetter[]): PdfWord[];
}

function createWordWriter(): WordWriter {
  const words: PdfWord[] = [];
  let word: OpenWord | undefined;
  let last: StyledLetter | undefined;
  const close = (): void => {
    if (word === undefined) return;
    const { left, top, right, bottom, style } = word;
    const { size, bold, turn, isAskew } = style;
    const box = { x: left, y: top, width: right - left, height: bottom - top };
    words.push({
      text: word.text,
      ...box,
      size,
      bold,
      turn,
      ...(isAskew && { isAskew }),
      spaceBefore: word.spaceBefore,
    });
    word = undefined;
  };
  const add = (line: readonly StyledLetter[], isWhole: boolean): void => {
    const setting = settingOf(line);
    for (const letter of line) {
      const { text, box, style } = letter;
      const isSpaced =
        last === undefined
          ? letter.parting !== 'none'
          : isParted(last, letter, setting) || (word !== undefined && isElsewhere(word, box));
      if (isSpaced || last?.endsWord || (word !== undefined && !isSameStyle(word.style, style))) close();
      last = letter;
      if (word === undefined) word = { text, ...box, style, spaceBefore: isSpaced };
      else {
        word.text += text;
        if (box.left < word.left) word.left = box.left;
        if (box.top < word.top) word.top = box.top;
        if (box.right > word.right) word.right = box.right;
        if (box.bottom > word.bottom) word.bottom = box.bottom;
      }
    }
    if (!isWhole) return;
    close();
    last = undefined;
  };
  return {
    add,
    finish(line) {
      add(line, true);
      return words;
    },
  };
}

function isSameStyle(a: Style, b: Style): boolean {
  return a === b || (a.size === b.size && a.bold === b.bold && a.turn === b.turn && a.isAskew === b.isAskew);
}

/** White space as ECMAScript has it (\s). */
function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return code === 0xa0 || (code >= 0x1680 && /^\s$/.test(String.fromCodePoint(code)));
}

/** What a font maps to nothing, or to a control character, is shown as U+FFFD: something stands there. */
function characterOf(code: number, letters: Style['letters']): string {
  const isKnown = code >= 0x20 && code !== 0x7f && code !== 0xffff;
  const known = knownPrivate(code) ?? letters?.get(String.fromCodePoint(code));
  return known ?? (isKnown || (code >= 0x09 && code <= 0x0d) ? String.fromCodePoint(code) : '\ufffd');
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

type FontFacts = Pick<Style, 'bold' | 'isFixedPitch' | 'letters'>;

/** Flag of font descriptors (ISO 32000-1, table 123), and names of fonts that do not set it. */
const fixedPitch = 1;
const typewriter = /mono|courier|typewriter|consol|menlo|(?:CM|LM|EC|SF|cs)[a-z]{0,8}TT\d/i;

/** Weights go to 1000. PDFium takes them from the thickness of stems, for which some programs write anything: ArialMT has 1524 then, Arial-BoldMT 1504. */
const heaviest = 1000;

/** In quarter turns, 9 degrees: pages that were laid askew into a scanner are less so. */
const askewQuarters = 0.1;

/** Styles by text object, and facts by font: a page may hold an object for each of its characters. */
function createStyles({ pdfium, memory }: OpenPdf, { text, frame }: { text: number; frame: Frame }) {
  const calls = pdfium.pdfium.wasmExports as unknown as CharacterCalls;
  const matrix = memory.allocate(24);
  const styles = new Map<number, Style>();
  const fonts = new Map<number, FontFacts>();
  const factsOf = (index: number, object: number): FontFacts => {
    const font = object === 0 ? 0 : calls.FPDFTextObj_GetFont(object);
    const known = fonts.get(font);
    if (known !== undefined) return known;
    const name = memory.latin((buffer, length) => pdfium.FPDFText_GetFontInfo(text, index, buffer, length, 0));
    const weight = pdfium.FPDFText_GetFontWeight(text, index);
    const bold = (weight >= 600 && weight <= heaviest) || /bold|black|heavy|medi(?!um)/i.test(name);
    const flags = font === 0 ? 0 : calls.FPDFFont_GetFlags(font);
    const isFixedPitch = (flags > 0 && (flags & fixedPitch) !== 0) || typewriter.test(name);
    const facts = { bold, isFixedPitch, letters: lettersOfFont(name) };
    fonts.set(font, facts);
    return facts;
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
    const quarters = Math.atan2(y - originY, x - originX) / (Math.PI / 2);
    const turn = ((Math.round(quarters) + 4) % 4) as Style['turn'];
    const isAskew = Math.abs(quarters - Math.round(quarters)) > askewQuarters;
    const style = { size, turn, isAskew, ...factsOf(index, object) };
    styles.set(object, style);
    return style;
  };
}

const upright: Rectangle = { left: 1, top: 0, right: 0, bottom: 1 };
