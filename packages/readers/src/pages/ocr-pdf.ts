// Finds the pages of a PDF whose text has to be recognised (pictures, letters without a known meaning), draws them, and puts the
// words that were recognised where the text layer has none. Pages with a text layer that can be read stay as they are.

import type { Picture } from '../engines/image-raster.ts';
import { createPdfMemory, loadPdfium, type OpenPdf } from '../engines/pdf-module.ts';
import { renderPage } from '../images/image-render.ts';
import { isGarbled } from '../quality.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput } from '../reader.ts';
import type { PdfContent, PdfPage, PdfWord } from './layout/pdf-content.ts';
import { openPageReader, type PageReader, pagesOf, type ReadWord } from './page-recognition.ts';

const dpi = 300;
/** Pixels of a page: larger sheets are drawn smaller. */
const mostPixels = 9_000_000;
/** No letter fits on a page smaller than this, in points. */
const smallestSide = 20;
/** A page with fewer words than this and a picture over half of it is a scan with a stamp or a running head. */
const fewWords = 25;
/** Confidence from which words are taken beside or instead of a text layer. */
const sure = 0.7;
const mostObjects = 2000;
const imageObject = 3;

/** `content` with the words of pictures, and with warnings that say so; as it is where no page needs it. */
export async function recognisePages(content: PdfContent, input: ParseInput): Promise<PdfContent> {
  const isSilent = ({ words, isBlank }: PdfPage): boolean => words.length === 0 && !isBlank;
  const garbled = new Set(content.pages.filter((page) => isGarbled(textOf(page)) || isMostlyUnknown(textOf(page))));
  const candidates = content.pages.filter(
    (page) => isLargeEnough(page) && !page.isBlank && (page.words.length < fewWords || garbled.has(page)),
  );
  if (candidates.length === 0) return content;
  if (input.recognition?.off) {
    const silent = content.pages.filter(isSilent).map(({ number }) => number);
    if (silent.length === 0) return content;
    const warning = `OCR is switched off, and there is no text layer on ${pagesOf(silent)}.`;
    return { ...content, warnings: [...content.warnings, warning] };
  }
  return withOpenPdf(input, async (open) => {
    const wanted = candidates.filter((page) => isSilent(page) || garbled.has(page) || isMostlyPicture(open, page));
    if (wanted.length === 0) return content;
    const reader = openPageReader(input);
    const read = new Map<PdfPage, PdfPage>();
    for (const page of wanted) read.set(page, await recognise(open, page, { reader, isGarbled: garbled.has(page) }));
    const { warnings, recognised } = reader.outcome();
    return {
      ...content,
      pages: content.pages.map((page) => read.get(page) ?? page),
      warnings: [...content.warnings, ...warnings],
      ...(recognised && { recognised }),
    };
  });
}

/** A letterhead alone is too short to say that it makes no words, but not that its letters have no meaning. */
const fewestUnknown = 6;
const mostlyUnknown = 0.3;

function isMostlyUnknown(text: string): boolean {
  const unknown = text.split('\ufffd').length - 1;
  return unknown >= fewestUnknown && unknown > text.replace(/\s+/gu, '').length * mostlyUnknown;
}

const textOf = ({ words }: PdfPage): string => words.map(({ text }) => text).join(' ');
const isLargeEnough = ({ width, height }: PdfPage): boolean => Math.min(width, height) >= smallestSide;

async function recognise(
  open: OpenPdf,
  page: PdfPage,
  { reader, isGarbled: wasGarbled }: { readonly reader: PageReader; readonly isGarbled: boolean },
): Promise<PdfPage> {
  const read = await reader.read(page.number, () => draw(open, page));
  if (read === undefined) return page;
  const { words } = read;
  if (wasGarbled) {
    // Pictures on the page may make the recognised text the worse one.
    const isBetter =
      read.confidence >= sure && words.length >= page.words.length / 2 && !isGarbled(textOf({ ...page, words }));
    if (!isBetter) reader.leave(page.number);
    return isBetter ? { ...page, words } : page;
  }
  // Beside a text layer, what is unsure is more likely a drawing than a word.
  const isWanted = (word: ReadWord): boolean =>
    page.words.length === 0 || (word.confidence >= sure && !page.words.some((known) => covers(known, word)));
  const added = words.filter(isWanted);
  if (added.length === 0) reader.leave(page.number);
  return { ...page, words: [...page.words, ...added] };
}

/** The middle of the word lies on one that is known. */
function covers(known: PdfWord, { x, y, width, height }: PdfWord): boolean {
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  return (
    middleX >= known.x && middleX <= known.x + known.width && middleY >= known.y && middleY <= known.y + known.height
  );
}

function draw(open: OpenPdf, { number, width, height }: PdfPage): Picture & { readonly dpi: number } {
  const scale = Math.min(dpi / 72, Math.sqrt(mostPixels / (width * height)));
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  return withPage(open, number, (page) => ({ raster: renderPage(open, page, size), dpi: scale * 72 }));
}

/** Pictures cover half of the page. */
function isMostlyPicture(open: OpenPdf, { number, width, height }: PdfPage): boolean {
  const { pdfium, memory } = open;
  const sides = memory.allocate(16);
  return withPage(open, number, (page) => {
    const count = Math.min(pdfium.FPDFPage_CountObjects(page), mostObjects);
    let covered = 0;
    for (let index = 0; index < count; index++) {
      const object = pdfium.FPDFPage_GetObject(page, index);
      if (pdfium.FPDFPageObj_GetType(object) !== imageObject) continue;
      // Left, bottom, right, top.
      if (!pdfium.FPDFPageObj_GetBounds(object, sides, sides + 4, sides + 8, sides + 12)) continue;
      const { left, top: bottom, right, bottom: top } = memory.rectangle(sides);
      covered += Math.max(0, Math.min(right - left, width)) * Math.max(0, Math.min(top - bottom, height));
    }
    return covered >= 0.5 * width * height;
  });
}

function withPage<Result>({ pdfium, document }: OpenPdf, number: number, use: (page: number) => Result): Result {
  const page = pdfium.FPDF_LoadPage(document, number - 1);
  if (page === 0) throw new ReadError('invalid-media', `Page ${number} cannot be drawn. Export the file again.`);
  try {
    return use(page);
  } finally {
    pdfium.FPDF_ClosePage(page);
  }
}

/** The file was opened before, with this very password: it opens again. */
async function withOpenPdf(input: ParseInput, use: (open: OpenPdf) => Promise<PdfContent>): Promise<PdfContent> {
  const pdfium = await loadPdfium();
  const memory = createPdfMemory(pdfium);
  let document = 0;
  try {
    const data = memory.allocate(input.bytes.length);
    memory.write(input.bytes, data);
    const openWith = (password: string): number => pdfium.FPDF_LoadMemDocument(data, input.bytes.length, password);
    document = openWith(input.password ?? '') || openWith('');
    if (document === 0) throw new ReadError('invalid-media', `${input.name} cannot be drawn. Export it again.`);
    return await use({ pdfium, memory, document });
  } finally {
    if (document !== 0) pdfium.FPDF_CloseDocument(document);
    memory.freeAll();
  }
}
