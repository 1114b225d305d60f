// JPEG to grey: its header is read here (ITU-T T.81, JFIF, Exif), its pixels by PDFium, which is given a PDF of one page that is
// the picture (ISO 32000-1, 7.4.8). Cameras store pictures as they were held: the orientation that Exif names is applied.

import { assertPixels, type Picture, type QuarterTurns, turned } from '../engines/image-raster.ts';
import { createPdfMemory, forgetPdfium, loadPdfium } from '../engines/pdf-module.ts';
import { ReadError } from '../read-error.ts';
import { renderPage } from './image-render.ts';

interface JpegHeader {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly dpi: number | undefined;
  readonly turns: QuarterTurns;
  /** Adobe stores CMYK upside down. */
  readonly isAdobe: boolean;
}

const colourSpaces: Readonly<Record<number, string>> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' };

export async function readJpeg(bytes: Uint8Array, name: string): Promise<Picture> {
  const header = readHeader(bytes);
  const space = colourSpaces[header?.components ?? 0];
  if (header === undefined || space === undefined) throw damaged(name);
  const { width, height, dpi, turns } = header;
  assertPixels(name, width, height);
  const pdf = pdfOf(bytes, header, space);
  const pdfium = await loadPdfium();
  const memory = createPdfMemory(pdfium);
  let document = 0;
  try {
    const data = memory.allocate(pdf.length);
    memory.write(pdf, data);
    document = pdfium.FPDF_LoadMemDocument(data, pdf.length, '');
    const page = document === 0 ? 0 : pdfium.FPDF_LoadPage(document, 0);
    if (page === 0) throw damaged(name);
    const raster = renderPage({ pdfium, memory, document }, page, { width, height });
    pdfium.FPDF_ClosePage(page);
    return { raster: turned(raster, turns), ...(dpi !== undefined && { dpi }) };
  } catch (error) {
    if (!(error instanceof ReadError)) forgetPdfium();
    throw error;
  } finally {
    if (document !== 0) pdfium.FPDF_CloseDocument(document);
    memory.freeAll();
  }
}

const damaged = (name: string): ReadError =>
  new ReadError('invalid-media', `${name} is damaged: its JPEG data cannot be read. Export it again.`);

function readHeader(bytes: Uint8Array): JpegHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let dpi: number | undefined;
  let turns: QuarterTurns = 0;
  let isAdobe = false;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = view.getUint16(at + 2);
    // Frames; not tables (C4, CC) and not the extensions (C8).
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      const height = view.getUint16(at + 5);
      return { width: view.getUint16(at + 7), height, components: bytes[at + 9] ?? 0, dpi, turns, isAdobe };
    }
    if (marker === 0xda || length < 2) return undefined;
    const body = bytes.subarray(at + 4, at + 2 + length);
    const kind = new TextDecoder('latin1').decode(body.subarray(0, 5));
    if (marker === 0xe0 && kind === 'JFIF\0' && body.length >= 12) {
      const density = view.getUint16(at + 12);
      if (body[7] === 1) dpi = density;
      else if (body[7] === 2) dpi = Math.round(density * 2.54);
    } else if (marker === 0xe1 && kind === 'Exif\0') turns = exifTurns(body.subarray(6));
    else if (marker === 0xee && kind === 'Adobe') isAdobe = true;
    at += 2 + length;
  }
  return undefined;
}

/** Orientations that are turns: 3, 6 and 8 (Exif 2.32, 0x0112). Mirrored ones are left as they are. */
export const turnsOfOrientation: Readonly<Record<number, QuarterTurns>> = { 3: 2, 6: 1, 8: 3 };

function exifTurns(tiff: Uint8Array): QuarterTurns {
  if (tiff.length < 8) return 0;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const isLittle = tiff[0] === 0x49;
  const start = view.getUint32(4, isLittle);
  if (start + 2 > tiff.length) return 0;
  const count = view.getUint16(start, isLittle);
  for (let at = start + 2, index = 0; index < count && at + 12 <= tiff.length; index++, at += 12)
    if (view.getUint16(at, isLittle) === 0x0112) return turnsOfOrientation[view.getUint16(at + 8, isLittle)] ?? 0;
  return 0;
}

/** A PDF whose one page the picture fills. */
function pdfOf(jpeg: Uint8Array, header: JpegHeader, space: string): Uint8Array {
  const { width, height, isAdobe, components } = header;
  // A point a pixel, but no page is larger than PDF allows (14,400 points).
  const scale = Math.min(1, 14_400 / Math.max(width, height));
  const [wide, high] = [width * scale, height * scale];
  const decode = isAdobe && components === 4 ? '/Decode[1 0 1 0 1 0 1 0]' : '';
  const drawing = `${wide} 0 0 ${high} 0 0 cm /I Do`;
  const pieces: Uint8Array[] = [];
  const offsets: number[] = [];
  let length = 0;
  const put = (piece: string | Uint8Array): void => {
    const bytes = typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
    pieces.push(bytes);
    length += bytes.length;
  };
  const object = (...content: (string | Uint8Array)[]): void => {
    offsets.push(length);
    put(`${offsets.length} 0 obj`);
    for (const piece of content) put(piece);
    put('\nendobj\n');
  };
  put('%PDF-1.4\n');
  object('<</Type/Catalog/Pages 2 0 R>>');
  object('<</Type/Pages/Kids[3 0 R]/Count 1>>');
  object(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${wide} ${high}]/Resources<</XObject<</I 4 0 R>>>>/Contents 5 0 R>>`);
  object(
    `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/${space}/BitsPerComponent 8${decode}/Filter/DCTDecode/Length ${jpeg.length}>>stream\n`,
    jpeg,
    '\nendstream',
  );
  object(`<</Length ${drawing.length}>>stream\n${drawing}\nendstream`);
  const start = length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  put(`xref\n0 6\n0000000000 65535 f \n${entries}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`);
  return Buffer.concat(pieces);
}
