// Pictures of text for tests, drawn by PDFium and written as PNG by hand.
import { crc32, deflateSync } from 'node:zlib';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { renderPage } from '../../../src/ingest/parsers/image-render.ts';
import { createPdfMemory, loadPdfium } from '../../../src/ingest/parsers/pdf-module.ts';

function chunk(type: string, body: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(12 + body.length);
  bytes.writeUInt32BE(body.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(body, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + body.length)), 8 + body.length);
  return bytes;
}

/** Grey, eight bits, as a screenshot: no resolution is given. */
export function pngOf(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', new Uint8Array()),
  ]);
}

/** A picture of lines of type, 900 pixels wide. */
export async function pictureOf(lines: readonly string[]): Promise<Uint8Array> {
  const paper = await PDFDocument.create();
  const font = await paper.embedFont(StandardFonts.Helvetica);
  const high = 24 * lines.length + 20;
  const sheet = paper.addPage([360, high]);
  for (const [index, line] of lines.entries())
    sheet.drawText(line, { x: 20, y: high - 28 - index * 24, size: 12, font });
  const bytes = await paper.save();
  const pdfium = await loadPdfium();
  const memory = createPdfMemory(pdfium);
  const data = memory.allocate(bytes.length);
  memory.write(bytes, data);
  const document = pdfium.FPDF_LoadMemDocument(data, bytes.length, '');
  const handle = pdfium.FPDF_LoadPage(document, 0);
  const [width, height] = [900, Math.round(high * 2.5)];
  const raster = renderPage({ pdfium, memory, document }, handle, { width, height });
  pdfium.FPDF_ClosePage(handle);
  pdfium.FPDF_CloseDocument(document);
  memory.freeAll();
  return pngOf(width, height, raster.pixels);
}
