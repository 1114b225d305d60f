// Pictures of text for tests and benches, drawn by PDFium and written as PNG by hand.
import { crc32, deflateSync } from 'node:zlib';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import type { Raster } from '../src/engines/image-raster.ts';
import { createPdfMemory, loadPdfium } from '../src/engines/pdf-module.ts';
import { renderPage } from '../src/images/image-render.ts';

/** A chunk of a PNG, with its sum. */
export function pngChunk(type: string, body: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + body.length);
  bytes.writeUInt32BE(body.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(body, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + body.length)), 8 + body.length);
  return bytes;
}

export interface PngOptions {
  /** Without it no resolution is given, as in a screenshot. */
  readonly dpi?: number;
  /** The size that the header says, where it lies. */
  readonly claimed?: { readonly width: number; readonly height: number };
}

/** Grey, eight bits. */
export function pngOf({ width, height, pixels }: Raster, { dpi, claimed }: PngOptions = {}): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(claimed?.width ?? width, 0);
  header.writeUInt32BE(claimed?.height ?? height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...(dpi === undefined ? [] : [pngChunk('pHYs', densityOf(dpi))]),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', new Uint8Array()),
  ]);
}

/** Pixels a metre, both ways. */
function densityOf(dpi: number): Uint8Array {
  const density = Buffer.alloc(9);
  const perMetre = Math.ceil(dpi / 0.0254);
  density.writeUInt32BE(perMetre, 0);
  density.writeUInt32BE(perMetre, 4);
  density[8] = 1;
  return density;
}

/** A page of a PDF; `page` from 1. */
export async function drawnPage(pdf: Uint8Array, dpi: number, page = 1): Promise<Raster> {
  const pdfium = await loadPdfium();
  const memory = createPdfMemory(pdfium);
  const data = memory.allocate(pdf.length);
  memory.write(pdf, data);
  const document = pdfium.FPDF_LoadMemDocument(data, pdf.length, '');
  const handle = pdfium.FPDF_LoadPage(document, page - 1);
  try {
    const width = Math.round((pdfium.FPDF_GetPageWidthF(handle) * dpi) / 72);
    const height = Math.round((pdfium.FPDF_GetPageHeightF(handle) * dpi) / 72);
    return renderPage({ pdfium, memory, document }, handle, { width, height });
  } finally {
    pdfium.FPDF_ClosePage(handle);
    pdfium.FPDF_CloseDocument(document);
    memory.freeAll();
  }
}

/** A picture of lines of type, 900 pixels wide. */
export async function pictureOf(lines: readonly string[]): Promise<Uint8Array> {
  const paper = await PDFDocument.create();
  const font = await paper.embedFont(StandardFonts.Helvetica);
  const high = 24 * lines.length + 20;
  const sheet = paper.addPage([360, high]);
  for (const [index, line] of lines.entries())
    sheet.drawText(line, { x: 20, y: high - 28 - index * 24, size: 12, font });
  return pngOf(await drawnPage(await paper.save(), 180));
}
