// Pictures as documents: PNG, JPEG, TIFF (each page), GIF (each of a few frames), WebP and BMP. Their text is recognised, every word has its box, and a page is
// the picture as its file says it is held.

import type { ParsedDocument } from '../document.ts';
import type { Picture } from '../engines/image-raster.ts';
import type { RecognitionEngine } from '../engines/ocr-engine.ts';
import { readBmp } from '../images/image-bmp.ts';
import { pictureFacts } from '../images/image-facts.ts';
import { readFirstFrame, readGif } from '../images/image-gif.ts';
import { readJpeg } from '../images/image-jpeg.ts';
import { readPng } from '../images/image-png.ts';
import { openTiff } from '../images/image-tiff.ts';
import { readWebp } from '../images/image-webp.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import type { PdfPage } from './layout/pdf-content.ts';
import { languagesTried, openPageReader, recognitionIsOff } from './page-recognition.ts';
import { assemble } from './pdf.ts';

export const image: Parser = {
  name: 'image',
  mimes: ['image/png', 'image/jpeg', 'image/tiff', 'image/gif', 'image/webp', 'image/bmp'],
  parse: recogniseImage,
};

async function recogniseImage(input: ParseInput): Promise<ParsedDocument> {
  if (input.recognition?.off) throw recognitionIsOff(input.name);
  const reader = openPageReader(input);
  const pages: PdfPage[] = [];
  const { draws, notes } = await openPictures(input, reader.engine);
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
  const { warnings: seen, recognised } = reader.outcome();
  const warnings = [...notes, ...seen];
  if (recognised === undefined)
    throw new ReadError(
      'invalid-media',
      `${input.name}: no text was found in the picture ${languagesTried(input)}; or leave it out.`,
      { details: { reason: 'no-text-found', pages: pages.length, warnings } },
    );
  const content = { pages, outline: [], attachments: [], info: {}, warnings, recognised };
  const document = assemble(content, input.mime ?? 'image/png');
  const { title, ...facts } = pictureFacts(input.bytes, input.mime);
  return {
    ...document,
    ...(typeof title === 'string' && { title }),
    metadata: { ...document.metadata, ...facts },
  };
}

interface OpenPictures {
  /** One for each page: pages are unpacked one at a time. */
  readonly draws: readonly (() => Picture)[];
  readonly notes: readonly string[];
}

async function openPictures(input: ParseInput, engine: RecognitionEngine): Promise<OpenPictures> {
  const { bytes, name, mime } = input;
  if (mime === 'image/tiff') {
    const tiff = openTiff(bytes, name);
    return { draws: Array.from({ length: tiff.count }, (_, index) => () => tiff.page(index)), notes: [] };
  }
  if (mime === 'image/gif') {
    const { pictures, left } = readGif(bytes, name);
    const notes = left === 0 ? [] : [`The animation has ${left + 1} frames: only the first one is read.`];
    return { draws: pictures.map((picture) => () => picture), notes };
  }
  const picture = await readPicture({ bytes, name, mime: mime ?? '' }, engine);
  return { draws: [() => picture], notes: [] };
}

/** Unpacks a picture of any kind but TIFF, of a GIF its first frame. Throws `invalid-media` for a damaged one, `too-large` from its header. */
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
    case 'image/gif':
      return readFirstFrame(bytes, name);
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
