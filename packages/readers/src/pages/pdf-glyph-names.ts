// Reads pages again whose fonts tell letters by names of glyphs that PDFium does not know, such as "f_i" (ISO 32000-1, 9.10.2): PDFium copies the
// pages into a file of plain objects, the fonts there get character maps, and the words are read from it. A font with a map keeps it.
import type { OpenPdf } from '../engines/pdf-module.ts';
import { ReadError } from '../read-error.ts';
import type { PdfPage, PdfWord } from './layout/pdf-content.ts';
import { frameOf, readWords } from './layout/pdf-words.ts';
import { isComposed, lettersOfNames } from './pdf-glyph-letters.ts';
import { isDictionary, type PdfDictionary, type PdfObjects, readPdfObjects } from './pdf-objects.ts';

/** The copy and its second form have to find room beside the file. */
const mostBytesCopied = 64 * 1024 * 1024;

interface NameCalls {
  FPDFText_HasUnicodeMapError(text: number, index: number): number;
  FPDFText_GetUnicode(text: number, index: number): number;
}

/** Whether a text page has a character of which PDFium knows only the place in its font. */
export function hasUnnamed({ pdfium }: OpenPdf, text: number): boolean {
  const calls = pdfium.pdfium.wasmExports as unknown as NameCalls;
  const count = pdfium.FPDFText_CountChars(text);
  for (let index = 0; index < count; index++)
    if (calls.FPDFText_HasUnicodeMapError(text, index) === 1 || calls.FPDFText_GetUnicode(text, index) === 0)
      return true;
  return false;
}

export interface UnnamedPages {
  readonly pages: readonly PdfPage[];
  /** Numbers of those that have such characters. */
  readonly numbers: readonly number[];
  readonly fileBytes: number;
}

/** The pages, where names tell letters read again. Throws where that takes more memory than there is. */
export function withGlyphNames(open: OpenPdf, { pages, numbers, fileBytes }: UnnamedPages): readonly PdfPage[] {
  const { pdfium, memory } = open;
  if (fileBytes > mostBytesCopied) throw new ReadError('too-large', 'The file is too large to be copied.');
  const copy = copyOf(open, numbers);
  const named = copy && withMaps(readPdfObjects(copy), (names) => lettersOfNames(open, names));
  if (named === undefined) return pages;
  const data = memory.allocate(named.length);
  memory.write(named, data);
  const document = pdfium.FPDF_LoadMemDocument(data, named.length, '');
  const words = new Map<number, readonly PdfWord[]>();
  numbers.forEach((number, index) => {
    const page = pdfium.FPDF_LoadPage(document, index);
    const text = page === 0 ? 0 : pdfium.FPDFText_LoadPage(page);
    if (text === 0) return;
    words.set(number, readWords(open, { page, text, frame: frameOf(open, page) }));
    pdfium.FPDFText_ClosePage(text);
    pdfium.FPDF_ClosePage(page);
  });
  pdfium.FPDF_CloseDocument(document);
  return pages.map((page) => ({ ...page, words: words.get(page.number) ?? page.words }));
}

/** A file of these pages alone, whose objects are neither compressed nor encrypted. */
function copyOf({ pdfium, memory, document }: OpenPdf, numbers: readonly number[]): Uint8Array | undefined {
  const indexes = new Uint8Array(Int32Array.from(numbers, (number) => number - 1).buffer);
  const address = memory.allocate(indexes.length);
  memory.write(indexes, address);
  const copy = pdfium.FPDF_CreateNewDocument();
  const writer = pdfium.PDFiumExt_OpenFileWriter();
  const isCopied = pdfium.FPDF_ImportPagesByIndex(copy, document, address, numbers.length, 0);
  if (isCopied) pdfium.PDFiumExt_SaveAsCopy(copy, writer);
  pdfium.FPDF_CloseDocument(copy);
  const length = pdfium.PDFiumExt_GetFileWriterSize(writer);
  const buffer = memory.allocate(length);
  pdfium.PDFiumExt_GetFileWriterData(writer, buffer, length);
  pdfium.PDFiumExt_CloseFileWriter(writer);
  return isCopied ? memory.read(buffer, length) : undefined;
}

/** The file with a character map for each font that names letters; nothing where none does. */
function withMaps(
  file: PdfObjects,
  lettersOf: (names: ReadonlySet<string>) => ReadonlyMap<string, string>,
): Uint8Array | undefined {
  const fonts = file.dictionaries('/Encoding').map((font) => [font, namesOf(file, font)] as const);
  const letters = lettersOf(new Set(fonts.flatMap(([, names]) => [...names.values()])));
  const maps = new Map<PdfDictionary, string>();
  for (const [font, names] of fonts) {
    const lines = [...names].flatMap(([code, name]) => {
      const text = letters.get(name);
      return text === undefined ? [] : [`<${hexadecimal(code, 2)}> <${utf16(text)}>`];
    });
    const codes = 'begincmap 1 begincodespacerange <00> <ff> endcodespacerange';
    if (lines.length > 0)
      maps.set(font, `${codes} ${lines.length} beginbfchar\n${lines.join('\n')}\nendbfchar endcmap`);
  }
  return maps.size === 0 ? undefined : file.withStreams('/ToUnicode', maps);
}

const simpleFonts = new Set<unknown>(['/Type1', '/MMType1', '/TrueType', '/Type3']);

/** By code: names that PDFium leaves out, of a simple font without a character map. Of fonts drawn in the file (Type 3) it takes none. */
function namesOf(file: PdfObjects, { entries }: PdfDictionary): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  const subtype = entries.get('/Subtype');
  const encoding = file.resolve(entries.get('/Encoding'));
  if (!simpleFonts.has(subtype) || entries.has('/ToUnicode') || !isDictionary(encoding)) return names;
  const differences = file.resolve(encoding.entries.get('/Differences'));
  let code = 0;
  for (const entry of Array.isArray(differences) ? differences : []) {
    const name = typeof entry === 'string' && entry.startsWith('/') ? entry.slice(1) : undefined;
    if (name === undefined) code = Number(entry);
    else if ((subtype === '/Type3' || isComposed(name)) && code >= 0 && code <= 0xff) names.set(code, name);
    if (name !== undefined) code++;
  }
  return names;
}

const hexadecimal = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const utf16 = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => hexadecimal(text.charCodeAt(at), 4)).join('');
