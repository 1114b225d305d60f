// Restores characters that PDFium leaves out: of two text objects that are equal and overlap by half it takes the second for
// a shadow, but the second "f" of "affect", set glyph by glyph, overlaps the first as well. A shadow stands closer.
import type { OpenPdf } from '../../engines/pdf-module.ts';

interface ObjectCalls {
  FPDFText_GetTextObject(text: number, index: number): number;
  FPDFPage_CountObjects(page: number): number;
  FPDFPage_GetObject(page: number, index: number): number;
  FPDFPageObj_GetType(object: number): number;
  FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
}

/** FPDF_PAGEOBJ_TEXT. */
const textObject = 1;
/** How far, in widths of the character, a repeated character stands from the first: shadows stand closer, others are read. */
const nearest = 0.3;
const furthest = 1;

/** Text objects of a single character that is printed twice, by how far the second one reaches beyond the first (points). */
export function findRepeated(
  { pdfium, memory }: OpenPdf,
  { page, text, characters }: { readonly page: number; readonly text: number; readonly characters: number },
): ReadonlyMap<number, number> {
  const calls = pdfium.pdfium.wasmExports as unknown as ObjectCalls;
  const repeated = new Map<number, number>();
  const read = new Map<number, number>();
  for (let index = 0; index < characters; index++) {
    const object = calls.FPDFText_GetTextObject(text, index);
    read.set(object, (read.get(object) ?? 0) + 1);
  }
  const scratch = memory.allocate(16);
  const boundsOf = (object: number): { left: number; bottom: number; right: number; top: number } => {
    calls.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12);
    // Written in this order: left, bottom, right, top.
    const { left, top: bottom, right, bottom: top } = memory.rectangle(scratch);
    return { left, bottom, right, top };
  };
  const count = calls.FPDFPage_CountObjects(page);
  let previous = 0;
  for (let index = 0; index < count; index++) {
    const object = calls.FPDFPage_GetObject(page, index);
    if (calls.FPDFPageObj_GetType(object) !== textObject) continue;
    if (!read.has(object) && read.get(previous) === 1) {
      const [first, second] = [boundsOf(previous), boundsOf(object)];
      const width = first.right - first.left;
      const step = second.left - first.left;
      const isLevel = Math.abs(second.bottom - first.bottom) < width * 0.1;
      // A blank, which is not read either, is of another size.
      const isEqual =
        Math.abs(second.right - second.left - width) < width * 0.05 &&
        Math.abs(second.top - second.bottom - (first.top - first.bottom)) < width * 0.05;
      if (width > 0 && isLevel && isEqual && step > width * nearest && step < width * furthest)
        repeated.set(previous, step);
    }
    previous = object;
  }
  return repeated;
}
