// Reads the words of one page with PDFium: runs of characters between white space, each in one style, with the boxes
// PDFium gives (origin top left of the page as it is seen). One call per property and character: this is the hot loop.

import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import type { PdfWord } from './pdf-content.ts';
import type { OpenPdf, PdfMemory, Rectangle } from './pdf-module.ts';

/** Called for every character: past the wrappers, which cost more than the calls. */
interface CharacterCalls {
  FPDFText_GetUnicode(text: number, index: number): number;
  FPDFText_GetTextObject(text: number, index: number): number;
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
  left: number;
  top: number;
  right: number;
  bottom: number;
  readonly style: Style;
  readonly spaceBefore: boolean;
}

/** The words of a text page, in the order of the content. */
export function readWords(
  { pdfium, memory }: OpenPdf,
  page: { readonly text: number; readonly frame: Frame },
): PdfWord[] {
  const { text, frame } = page;
  const calls = pdfium.pdfium.wasmExports as unknown as CharacterCalls;
  const count = pdfium.FPDFText_CountChars(text);
  const scratch = memory.allocate(32);
  const words: PdfWord[] = [];
  const styles = new Map<number, Style>();
  let open: OpenWord | undefined;
  let spaceBefore = true;
  const close = (): void => {
    if (open === undefined) return;
    const { left, top, right, bottom, style } = open;
    const { size, bold, turn } = style;
    const word = { text: open.text, x: left, y: top, width: right - left, height: bottom - top };
    words.push({ ...word, size, bold, turn, spaceBefore: open.spaceBefore });
    open = undefined;
  };
  for (let index = 0; index < count; index++) {
    const code = calls.FPDFText_GetUnicode(text, index);
    if (isSpace(code)) {
      close();
      spaceBefore = true;
      continue;
    }
    // PDFium marks a hyphen that ends a line by U+0002 or U+FFFE.
    const isLineHyphen = code === 2 || code === 0xfffe;
    const character = isLineHyphen ? '-' : characterOf(code);
    const object = calls.FPDFText_GetTextObject(text, index);
    let style = styles.get(object);
    if (style === undefined) {
      style = styleOf(pdfium, memory, { text, index, frame, scratch });
      styles.set(object, style);
    }
    calls.FPDFText_GetLooseCharBox(text, index, scratch);
    const box = seenBox(frame, memory.rectangle(scratch));
    if (open !== undefined) {
      const isApart = isElsewhere(open, box);
      if (isApart || !isSameStyle(open.style, style)) {
        close();
        spaceBefore = isApart;
      }
    }
    if (open === undefined) open = { text: character, ...box, style, spaceBefore };
    else {
      open.text += character;
      if (box.left < open.left) open.left = box.left;
      if (box.top < open.top) open.top = box.top;
      if (box.right > open.right) open.right = box.right;
      if (box.bottom > open.bottom) open.bottom = box.bottom;
    }
    spaceBefore = false;
    if (isLineHyphen) close();
  }
  close();
  return words;
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
function seenBox(frame: Frame, { left, top, right, bottom }: Rectangle): Rectangle {
  const [x1, y1] = seen(frame, left, top);
  const [x2, y2] = seen(frame, right, bottom);
  return { left: Math.min(x1, x2), top: Math.min(y1, y2), right: Math.max(x1, x2), bottom: Math.max(y1, y2) };
}

interface CharacterPlace {
  readonly text: number;
  readonly index: number;
  readonly frame: Frame;
  /** 24 bytes to write a matrix to. */
  readonly scratch: number;
}

function styleOf(pdfium: WrappedPdfiumModule, memory: PdfMemory, place: CharacterPlace): Style {
  const { text, index, frame, scratch: matrix } = place;
  const hasMatrix = pdfium.FPDFText_GetMatrix(text, index, matrix);
  const [a, b, c, d] = hasMatrix ? [0, 4, 8, 12].map((offset) => memory.float(matrix + offset)) : [1, 0, 0, 1];
  const size = pdfium.FPDFText_GetFontSize(text, index) * Math.hypot(c ?? 0, d ?? 1);
  const name = memory.latin((buffer, length) => pdfium.FPDFText_GetFontInfo(text, index, buffer, length, 0));
  const weight = pdfium.FPDFText_GetFontWeight(text, index);
  const [originX, originY] = seen(frame, 0, 0);
  const [x, y] = seen(frame, a ?? 1, b ?? 0);
  const turn = ((Math.round(Math.atan2(y - originY, x - originX) / (Math.PI / 2)) + 4) % 4) as 0 | 1 | 2 | 3;
  return {
    size: Math.abs(size) || 1,
    bold: weight >= 600 || /bold|black|heavy|medi(?!um)/i.test(name),
    turn,
  };
}
