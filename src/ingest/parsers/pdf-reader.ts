// Reads a PDF with PDFium in WebAssembly: its words with their boxes, its outline and its information. Characters come out
// as the file maps them (quotes, dashes and leaders included). A page that cannot be read is a warning, not a failure.
import { FootnoteError } from '../../core/errors.ts';
import type { PdfContent, PdfPage } from './pdf-content.ts';
import { readInfo, readOutline } from './pdf-facts.ts';
import { createPdfMemory, forgetPdfium, loadPdfium, type OpenPdf } from './pdf-module.ts';
import { frameOf, readWords } from './pdf-words.ts';

/** FPDF_GetLastError: the password is missing or wrong. */
const passwordError = 4;
/** Subtypes of annotations that show text of their own: free text, stamp, form field. */
const showingAnnotations = new Set([3, 13, 20]);
const mostAnnotations = 5000;

/** Throws `invalid-media` for damage and for a missing or wrong password. */
export async function readPdf(bytes: Uint8Array, name: string, password?: string): Promise<PdfContent> {
  const pdfium = await loadPdfium();
  const memory = createPdfMemory(pdfium);
  let document = 0;
  try {
    const data = memory.allocate(bytes.length);
    memory.write(bytes, data);
    document = pdfium.FPDF_LoadMemDocument(data, bytes.length, password ?? '');
    if (document === 0) throw cannotOpen(pdfium.FPDF_GetLastError(), name, password);
    return readContent({ pdfium, memory, document });
  } catch (error) {
    if (!(error instanceof FootnoteError)) forgetPdfium();
    throw error;
  } finally {
    if (document !== 0) pdfium.FPDF_CloseDocument(document);
    memory.freeAll();
  }
}

function readContent(open: OpenPdf): PdfContent {
  const pages: PdfPage[] = [];
  const warnings: string[] = [];
  const count = open.pdfium.FPDF_GetPageCount(open.document);
  for (let index = 0; index < count; index++) {
    const page = readPage(open, index);
    if (page === undefined) warnings.push(`Page ${index + 1} could not be read.`);
    pages.push(page ?? { number: index + 1, width: 0, height: 0, words: [] });
  }
  return { pages, outline: readOutline(open), info: readInfo(open), warnings };
}

function cannotOpen(error: number, name: string, password: string | undefined): FootnoteError {
  if (error !== passwordError)
    return new FootnoteError('invalid-media', `${name} is damaged: its PDF structure cannot be read. Export it again.`);
  return password === undefined
    ? new FootnoteError(
        'invalid-media',
        `${name} is encrypted: a password is needed to open it. Give the password, or a copy without one.`,
        { details: { reason: 'password-needed' } },
      )
    : new FootnoteError(
        'invalid-media',
        `${name} is encrypted and the password given does not open it. Check the password.`,
        {
          details: { reason: 'wrong-password' },
        },
      );
}

function readPage(open: OpenPdf, index: number): PdfPage | undefined {
  const { pdfium, memory, document } = open;
  let handle = pdfium.FPDF_LoadPage(document, index);
  if (handle === 0) return undefined;
  if (showsAnnotations(open, handle)) {
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
    const { width, height } = frame;
    return { number: index + 1, width, height, words, ...(label === '' ? {} : { label }) };
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text);
    pdfium.FPDF_ClosePage(handle);
  }
}

function showsAnnotations({ pdfium }: OpenPdf, page: number): boolean {
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(page), mostAnnotations);
  for (let index = 0; index < count; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
    pdfium.FPDFPage_CloseAnnot(annotation);
    if (showingAnnotations.has(subtype)) return true;
  }
  return false;
}
