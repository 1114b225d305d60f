// Reads a PDF with PDFium in WebAssembly: its words with their boxes, its outline and its information. Characters come out
// as the file maps them (quotes, dashes and leaders included). A page that cannot be read is a warning, not a failure.

import { locked } from '../containers/locked.ts';
import { createPdfMemory, forgetPdfium, limitPdfMemory, loadPdfium, type OpenPdf } from '../engines/pdf-module.ts';
import { ReadError } from '../read-error.ts';
import type { PdfContent, PdfPage } from './layout/pdf-content.ts';
import { withCyrillic } from './layout/pdf-cyrillic.ts';
import { readInfo, readOutline } from './layout/pdf-facts.ts';
import { readNotes } from './layout/pdf-notes.ts';
import { readRules } from './layout/pdf-rules.ts';
import { frameOf, readWords } from './layout/pdf-words.ts';
import { pagesOf } from './page-recognition.ts';
import { readAttachments, withNamesBesideFiles } from './pdf-attachments.ts';
import { hasUnnamed, withGlyphNames } from './pdf-glyph-names.ts';

/** FPDF_GetLastError: the password is missing or wrong. */
const passwordError = 4;
/** The same: encrypted for the holders of certificates (ISO 32000-1, 7.6.4), or by a method of some program. */
const securityError = 5;
/**
 * What PDFium may use to read text, beside the file itself. The whole text of a book takes 20 MiB, a page of a million letters 230; a form
 * that draws itself twice takes all there is.
 */
const readingBytes = 320 * 1024 * 1024;

/** Throws `invalid-media` for damage and for a missing or wrong password, `too-large` for what takes too much memory. */
export async function readPdf(bytes: Uint8Array, name: string, password?: string): Promise<PdfContent> {
  const pdfium = await loadPdfium();
  const endLimit = limitPdfMemory(readingBytes + bytes.length);
  const memory = createPdfMemory(pdfium);
  let document = 0;
  let isWhole = true;
  try {
    const data = memory.allocate(bytes.length);
    memory.write(withNamesBesideFiles(bytes), data);
    document = pdfium.FPDF_LoadMemDocument(data, bytes.length, password ?? '');
    // A file that only its owner may change opens without the password given for the others.
    if (document === 0 && password !== undefined && pdfium.FPDF_GetLastError() === passwordError)
      document = pdfium.FPDF_LoadMemDocument(data, bytes.length, '');
    if (document === 0) throw cannotOpen(pdfium.FPDF_GetLastError(), name, password);
    const unnamed: number[] = [];
    const open = { pdfium, memory, document };
    const content = withForm(open, (form) => readContent(open, form, unnamed));
    if (unnamed.length === 0) return { ...content, pages: withCyrillic(content.pages) };
    try {
      const pages = withGlyphNames(open, { pages: content.pages, numbers: unnamed, fileBytes: bytes.length });
      return { ...content, pages: withCyrillic(pages) };
    } catch {
      // What was read before is sound, PDFium may not be.
      isWhole = false;
      const warning = `Letters that fonts tell only by names of glyphs could not be looked up: ${pagesOf(unnamed)}.`;
      return { ...content, pages: withCyrillic(content.pages), warnings: [...content.warnings, warning] };
    }
  } catch (error) {
    isWhole = error instanceof ReadError;
    throw endLimit() ? takesTooMuch(name, error) : error;
  } finally {
    endLimit();
    // After a trap nothing can be asked of it any more.
    if (!isWhole) forgetPdfium();
    else {
      if (document !== 0) pdfium.FPDF_CloseDocument(document);
      memory.freeAll();
    }
  }
}

function takesTooMuch(name: string, cause: unknown): ReadError {
  return new ReadError(
    'too-large',
    `${name} takes more memory than reading a PDF may (${readingBytes >> 20} MiB): a page draws far more than can be seen, or is made to. Print it to a new PDF, or leave that page out.`,
    { cause },
  );
}

/** FPDF_GetFormType: a form whose pages a program would have to draw. */
const dynamicForm = 2;

/** Lends the form of the document (0: it has none). Scripts of the form are not run: this PDFium has no engine for them. */
function withForm<T>({ pdfium, document }: OpenPdf, read: (form: number) => T): T {
  if (pdfium.FPDF_GetFormType(document) === 0) return read(0);
  const info = pdfium.PDFiumExt_OpenFormFillInfo();
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, info);
  try {
    return read(form);
  } finally {
    if (form !== 0) pdfium.PDFiumExt_ExitFormFillEnvironment(form);
    pdfium.PDFiumExt_CloseFormFillInfo(info);
  }
}

/** So many pages in a row that cannot be read: a file that says it has a million of them has none. */
const mostUnreadable = 1000;

/** `unnamed` gathers the numbers of pages with characters of which PDFium does not know the letters. */
function readContent(open: OpenPdf, form: number, unnamed: number[]): PdfContent {
  const pages: PdfPage[] = [];
  const warnings: string[] = [];
  const hung: number[] = [];
  const unreadable: number[] = [];
  const count = open.pdfium.FPDF_GetPageCount(open.document);
  for (let index = 0; index < count; index++) {
    const page = readPage(open, { index, form, hung, unnamed });
    if (page === undefined) unreadable.push(index + 1);
    pages.push(page ?? { number: index + 1, width: 0, height: 0, words: [], notes: [], isBlank: false });
    if (unreadable.at(-mostUnreadable) === index + 2 - mostUnreadable) {
      if (index + 1 < count)
        warnings.push(`The file says that it has ${count} pages; after ${index + 1} no more of them were tried.`);
      break;
    }
  }
  if (unreadable.length > 0) warnings.push(`Could not be read: ${pagesOf(unreadable)}.`);
  if (open.pdfium.FPDF_GetFormType(open.document) === dynamicForm)
    warnings.push('This is a dynamic (XFA) form: what only its program draws was not read.');
  const { files, warnings: untaken } = readAttachments(open, hung);
  warnings.push(...untaken);
  return { pages, attachments: files, outline: readOutline(open), info: readInfo(open), warnings };
}

function cannotOpen(error: number, name: string, password: string | undefined): ReadError {
  if (error === securityError)
    return new ReadError(
      'invalid-media',
      `${name} is encrypted for the holder of a certificate, or for a program of its own: no password opens it. Open it there, and print it to a new PDF.`,
      { details: { reason: 'encrypted' } },
    );
  if (error !== passwordError)
    return new ReadError('invalid-media', `${name} is damaged: its PDF structure cannot be read. Export it again.`);
  return locked(name, password);
}

/** `hung` gathers the handles of files attached to places of the page. */
function readPage(
  open: OpenPdf,
  {
    index,
    form,
    hung,
    unnamed,
  }: { readonly index: number; readonly form: number; readonly hung: number[]; readonly unnamed: number[] },
): PdfPage | undefined {
  const { pdfium, memory, document } = open;
  let handle = pdfium.FPDF_LoadPage(document, index);
  if (handle === 0) return undefined;
  const { notes, isDrawnOver, attachments } = readNotes(open, { page: handle, form, frame: frameOf(open, handle) });
  hung.push(...attachments);
  if (isDrawnOver) {
    // Only what is part of the page content is text to PDFium: filled-in forms are made part of it, in memory.
    pdfium.FPDFPage_Flatten(handle, 0);
    pdfium.FPDF_ClosePage(handle);
    handle = pdfium.FPDF_LoadPage(document, index);
    if (handle === 0) return undefined;
  }
  const label = memory.utf16((buffer, length) => pdfium.FPDF_GetPageLabel(document, index, buffer, length));
  const text = pdfium.FPDFText_LoadPage(handle);
  try {
    const frame = frameOf(open, handle);
    const words = text === 0 ? [] : readWords(open, { page: handle, text, frame });
    if (text !== 0 && hasUnnamed(open, text)) unnamed.push(index + 1);
    const { width, height } = frame;
    const isBlank = pdfium.FPDFPage_CountObjects(handle) <= 0;
    const rules = words.length === 0 ? undefined : readRules(open, handle, frame);
    return {
      number: index + 1,
      width,
      height,
      words,
      notes,
      isBlank,
      ...(rules && { rules }),
      ...(label === '' ? {} : { label }),
    };
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text);
    pdfium.FPDF_ClosePage(handle);
  }
}
