// Pictures as documents: PNG, JPEG, TIFF (each page), WebP and BMP. Their text is recognised, every word has its box, and a page is
// the picture as its file says it is held.

import type { ParsedDocument } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { ParseInput, Parser } from '../parse.ts';
import { readBmp } from './image-bmp.ts';
import { readJpeg } from './image-jpeg.ts';
import { readPng } from './image-png.ts';
import type { Picture } from './image-raster.ts';
import { openTiff } from './image-tiff.ts';
import { readWebp } from './image-webp.ts';
import type { RecognitionEngine } from './ocr-engine.ts';
import { openPageReader, recognitionIsOff } from './page-recognition.ts';
import { assemble } from './pdf.ts';
import type { PdfPage } from './pdf-content.ts';

export const image: Parser = {
  name: 'image',
  mimes: ['image/png', 'image/jpeg', 'image/tiff', 'image/webp', 'image/bmp'],
  parse: recogniseImage,
};

async function recogniseImage(input: ParseInput): Promise<ParsedDocument> {
  if (input.recognition?.off) throw recognitionIsOff(input.name);
  const reader = openPageReader(input);
  const pages: PdfPage[] = [];
  const draws = await openPictures(input, reader.engine);
  for (const [index, draw] of draws.entries()) {
    let size = { width: 0, height: 0 };
    const read = await reader.read(index + 1, () => {
      const { raster, dpi } = draw();
      const likely = likelyDpi(raster, dpi);
      size = { width: (raster.width * 72) / likely, height: (raster.height * 72) / likely };
      return { raster, dpi: likely };
    });
    pages.push({ number: index + 1, ...size, words: read?.words ?? [], notes: [], isBlank: read === undefined });
  }
  const { warnings, recognised } = reader.outcome();
  if (recognised === undefined)
    throw new FootnoteError(
      'invalid-media',
      `${input.name}: no text was found in the picture (OCR). Give a sharper or larger one, or leave it out.`,
      { details: { reason: 'no-text-found', pages: pages.length, warnings } },
    );
  const content = { pages, outline: [], attachments: [], info: {}, warnings, recognised };
  return assemble(content, input.mime ?? 'image/png');
}

/** One function for each page: pages are unpacked one at a time. */
async function openPictures(input: ParseInput, engine: RecognitionEngine): Promise<readonly (() => Picture)[]> {
  const { bytes, name, mime } = input;
  if (mime === 'image/tiff') {
    const tiff = openTiff(bytes, name);
    return Array.from({ length: tiff.count }, (_, index) => () => tiff.page(index));
  }
  const picture = await readPicture({ bytes, name, mime: mime ?? '' }, engine);
  return [() => picture];
}

/** Unpacks a picture of one page of any kind but TIFF. Throws `invalid-media` for a damaged one, `too-large` from its header. */
export function readPicture(
  { bytes, name, mime }: { bytes: Uint8Array; name: string; mime: string },
  engine: RecognitionEngine,
): Promise<Picture> | Picture {
  switch (mime) {
    case 'image/jpeg':
      return readJpeg(bytes, name);
    case 'image/bmp':
      return readBmp(bytes, name);
    case 'image/webp':
      return readWebp(bytes, name, engine);
    default:
      return readPng(bytes, name);
  }
}

/** Long side of A4 in inches, and of the pictures that are taken to be as large: a photograph of a page, a scan. */
const sheetInches = 11.69;
const sheetPixels = 1600;
const screenDpi = 96;

/** What the file says, unless it is what cameras and programs write who know nothing; then a sheet of A4 or a screen. */
export function likelyDpi({ width, height }: Picture['raster'], said: number | undefined): number {
  const long = Math.max(width, height);
  if (said !== undefined && said <= 1200 && said >= (long > sheetPixels ? 100 : 60)) return said;
  return long > sheetPixels ? long / sheetInches : screenDpi;
}
