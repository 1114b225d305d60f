// A PDF with a line of text on each page.
import { PDFDocument, StandardFonts } from 'pdf-lib';

export async function pdfOf(pages: readonly string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of pages) document.addPage([400, 300]).drawText(text, { x: 40, y: 200, size: 12, font });
  return document.save();
}
