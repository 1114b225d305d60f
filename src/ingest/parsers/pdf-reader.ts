// Reads the words of a PDF with PDFium in WebAssembly, which keeps a hostile file inside a sandbox of bounded memory.
// Characters come out as the file maps them (quotes, dashes and leaders included), each with the box PDFium gives it.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { FootnoteError } from '../../core/errors.ts';
import type { PdfContent, PdfOutlineEntry, PdfPage, PdfWord } from './pdf-content.ts';

/** FPDF_GetLastError: the password is missing or wrong. */
const passwordError = 4;
/** Subtypes of annotations that show text of their own: free text, stamp, form field. */
const showingAnnotations = new Set([3, 13, 20]);

/** Emscripten's views of the memory of the module, which its types leave out. They are renewed when it grows. */
interface Heap {
  readonly HEAPU8: Uint8Array;
  readonly HEAPF32: Float32Array;
}

let loading: Promise<WrappedPdfiumModule> | undefined;

async function loadPdfium(): Promise<WrappedPdfiumModule> {
  const path = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');
  const wasm = await readFile(path);
  const pdfium = await init({
    wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer,
  });
  pdfium.PDFiumExt_Init();
  return pdfium;
}

/** Throws `invalid-media` for damage and for a missing or wrong password. */
export async function readPdf(bytes: Uint8Array, name: string, password?: string): Promise<PdfContent> {
  loading ??= loadPdfium();
  const pdfium = await loading;
  const memory = createMemory(pdfium);
  const data = memory.allocate(bytes.length);
  memory.write(bytes, data);
  const document = pdfium.FPDF_LoadMemDocument(data, bytes.length, password ?? '');
  try {
    if (document === 0) throw cannotOpen(pdfium.FPDF_GetLastError(), name, password);
    const pages: PdfPage[] = [];
    const warnings: string[] = [];
    const count = pdfium.FPDF_GetPageCount(document);
    for (let index = 0; index < count; index++) {
      const page = readPage({ pdfium, memory, document, index });
      if (page === undefined) {
        warnings.push(`Page ${index + 1} could not be read.`);
        pages.push({ number: index + 1, width: 0, height: 0, words: [] });
        continue;
      }
      pages.push(page);
    }
    return {
      pages,
      outline: readOutline(pdfium, memory, document),
      info: readInfo(pdfium, memory, document),
      warnings,
    };
  } catch (error) {
    // A trap leaves the module in no known state: the next file gets a new one.
    if (!(error instanceof FootnoteError)) loading = undefined;
    throw error;
  } finally {
    if (document !== 0) pdfium.FPDF_CloseDocument(document);
    memory.freeAll();
  }
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

interface Memory {
  allocate(bytes: number): number;
  write(bytes: Uint8Array, address: number): void;
  freeAll(): void;
  float(address: number): number;
  /** What a function writes that takes a buffer and its length and returns the length needed: UTF-16LE with a final NUL. */
  utf16(call: (buffer: number, length: number) => number): string;
  /** The same for bytes. */
  latin(call: (buffer: number, length: number) => number): string;
}

function createMemory({ pdfium }: WrappedPdfiumModule): Memory {
  const heap = pdfium as typeof pdfium & Heap;
  const held: number[] = [];
  const allocate = (bytes: number): number => {
    const address = pdfium.wasmExports.malloc(Math.max(8, bytes));
    if (address === 0) throw new FootnoteError('too-large', 'The PDF needs more memory than a file may use. Split it.');
    held.push(address);
    return address;
  };
  const bufferBytes = 4096;
  const buffer = allocate(bufferBytes);
  const written = (call: (buffer: number, length: number) => number): Uint8Array => {
    const length = call(buffer, bufferBytes);
    return heap.HEAPU8.slice(buffer, buffer + Math.min(length, bufferBytes));
  };
  return {
    allocate,
    write: (bytes, address) => heap.HEAPU8.set(bytes, address),
    freeAll: () => {
      for (const address of held.splice(0)) pdfium.wasmExports.free(address);
    },
    float: (address) => heap.HEAPF32[address >> 2] ?? 0,
    utf16: (call) => new TextDecoder('utf-16le').decode(written(call)).split('\0', 1)[0] ?? '',
    latin: (call) => new TextDecoder('latin1').decode(written(call)).split('\0', 1)[0] ?? '',
  };
}

interface PageRequest {
  readonly pdfium: WrappedPdfiumModule;
  readonly memory: Memory;
  readonly document: number;
  readonly index: number;
}

function readPage(request: PageRequest): PdfPage | undefined {
  const { pdfium, memory, document, index } = request;
  let handle = pdfium.FPDF_LoadPage(document, index);
  if (handle === 0) return undefined;
  if (showsAnnotations(pdfium, handle)) {
    // Only what is part of the page content is text to PDFium: filled-in forms are made part of it, in memory.
    pdfium.FPDFPage_Flatten(handle, 0);
    pdfium.FPDF_ClosePage(handle);
    handle = pdfium.FPDF_LoadPage(document, index);
    if (handle === 0) return undefined;
  }
  const label = memory.utf16((buffer, length) => pdfium.FPDF_GetPageLabel(document, index, buffer, length));
  const text = pdfium.FPDFText_LoadPage(handle);
  try {
    const frame = frameOf(pdfium, memory, handle);
    const words = text === 0 ? [] : readWords(pdfium, memory, { text, frame });
    const { width, height } = frame;
    return { number: index + 1, width, height, words, ...(label === '' ? {} : { label }) };
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text);
    pdfium.FPDF_ClosePage(handle);
  }
}

function showsAnnotations(pdfium: WrappedPdfiumModule, page: number): boolean {
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(page), 5000);
  for (let index = 0; index < count; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
    pdfium.FPDFPage_CloseAnnot(annotation);
    if (showingAnnotations.has(subtype)) return true;
  }
  return false;
}

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The visible page and how it is turned. */
interface Frame {
  readonly box: Rectangle;
  readonly turn: number;
  readonly width: number;
  readonly height: number;
}

function frameOf(pdfium: WrappedPdfiumModule, memory: Memory, page: number): Frame {
  const address = memory.allocate(16);
  pdfium.FPDF_GetPageBoundingBox(page, address);
  const box = rectangleAt(memory, address);
  const turn = pdfium.FPDFPage_GetRotation(page);
  const width = Math.abs(box.right - box.left);
  const height = Math.abs(box.top - box.bottom);
  return turn % 2 === 0 ? { box, turn, width, height } : { box, turn, width: height, height: width };
}

/** FS_RECTF: left, top, right, bottom. */
function rectangleAt(memory: Memory, address: number): Rectangle {
  return {
    left: memory.float(address),
    top: memory.float(address + 4),
    right: memory.float(address + 8),
    bottom: memory.float(address + 12),
  };
}

/** From user space (y upwards) to the page as it is seen, origin top left. */
function seen({ box, turn }: Frame, x: number, y: number): readonly [number, number] {
  switch (turn) {
    case 1:
      return [y - box.bottom, x - box.left];
    case 2:
      return [box.right - x, y - box.bottom];
    case 3:
      return [box.top - y, box.right - x];
    default:
      return [x - box.left, box.top - y];
  }
}

interface Style {
  readonly size: number;
  readonly bold: boolean;
  readonly turn: 0 | 1 | 2 | 3;
}

interface OpenWord {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  readonly style: Style;
  readonly spaceBefore: boolean;
}

function readWords(
  pdfium: WrappedPdfiumModule,
  memory: Memory,
  page: { readonly text: number; readonly frame: Frame },
): PdfWord[] {
  const { text, frame } = page;
  const count = pdfium.FPDFText_CountChars(text);
  const rectangle = memory.allocate(32);
  const words: PdfWord[] = [];
  const styles = new Map<number, Style>();
  let open: OpenWord | undefined;
  let spaceBefore = true;
  const close = (): void => {
    if (open === undefined) return;
    const { left, top, right, bottom, style } = open;
    words.push({
      text: open.text,
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
      ...style,
      spaceBefore: open.spaceBefore,
    });
    open = undefined;
  };
  for (let index = 0; index < count; index++) {
    const code = pdfium.FPDFText_GetUnicode(text, index);
    // PDFium marks a hyphen that ends a line by U+0002 or U+FFFE.
    const isLineHyphen = code === 2 || code === 0xfffe;
    const character = isLineHyphen ? '-' : characterOf(code);
    if (/^\s$/.test(character)) {
      close();
      spaceBefore = true;
      continue;
    }
    const object = pdfium.FPDFText_GetTextObject(text, index);
    let style = styles.get(object);
    if (style === undefined) {
      style = styleOf(pdfium, memory, { text, index, frame });
      styles.set(object, style);
    }
    const [left, top, right, bottom] = boxOf(pdfium, memory, {
      text,
      index,
      frame,
      rectangle,
      size: style.size,
    });
    if (open !== undefined && (open.style !== style || isElsewhere(open, { left, top, right, bottom }))) {
      const isApart = isElsewhere(open, { left, top, right, bottom });
      const isSameStyle =
        open.style.size === style.size && open.style.bold === style.bold && open.style.turn === style.turn;
      if (isApart || !isSameStyle) {
        close();
        spaceBefore = isApart;
      }
    }
    if (open === undefined) open = { text: '', left, top, right, bottom, style, spaceBefore };
    open.text += character;
    open.left = Math.min(open.left, left);
    open.top = Math.min(open.top, top);
    open.right = Math.max(open.right, right);
    open.bottom = Math.max(open.bottom, bottom);
    spaceBefore = false;
    if (isLineHyphen) {
      close();
      spaceBefore = false;
    }
  }
  close();
  return words;
}

/** What a font maps to nothing, or to a control character, is shown as U+FFFD: something stands there. */
function characterOf(code: number): string {
  const isKnown = code >= 0x20 && code !== 0x7f && code !== 0xffff;
  return isKnown || (code >= 0x09 && code <= 0x0d) ? String.fromCodePoint(code) : '\ufffd';
}

/** A character too far from its word to belong to it, whatever PDFium says. */
function isElsewhere(word: OpenWord, box: Rectangle): boolean {
  const reach = word.style.size * 1.5;
  return (
    box.left > word.right + reach ||
    box.right < word.left - reach ||
    box.top > word.bottom + reach ||
    box.bottom < word.top - reach
  );
}

interface CharacterPlace {
  readonly text: number;
  readonly index: number;
  readonly frame: Frame;
}

function boxOf(
  pdfium: WrappedPdfiumModule,
  memory: Memory,
  place: CharacterPlace & { readonly rectangle: number; readonly size: number },
): readonly [left: number, top: number, right: number, bottom: number] {
  const { text, index, frame, rectangle } = place;
  pdfium.FPDFText_GetLooseCharBox(text, index, rectangle);
  const { left, top, right, bottom } = rectangleAt(memory, rectangle);
  const [x1, y1] = seen(frame, left, top);
  const [x2, y2] = seen(frame, right, bottom);
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

function styleOf(pdfium: WrappedPdfiumModule, memory: Memory, { text, index, frame }: CharacterPlace): Style {
  const matrix = memory.allocate(24);
  const hasMatrix = pdfium.FPDFText_GetMatrix(text, index, matrix);
  const [a, b, c, d] = hasMatrix ? [0, 4, 8, 12].map((offset) => memory.float(matrix + offset)) : [1, 0, 0, 1];
  const size = pdfium.FPDFText_GetFontSize(text, index) * Math.hypot(c ?? 0, d ?? 1);
  const name = memory.latin((buffer, length) => pdfium.FPDFText_GetFontInfo(text, index, buffer, length, 0));
  const weight = pdfium.FPDFText_GetFontWeight(text, index);
  const [originX, originY] = seen(frame, 0, 0);
  const [x, y] = seen(frame, a ?? 1, b ?? 0);
  const turn = ((Math.round(Math.atan2(y - originY, x - originX) / (Math.PI / 2)) + 4) % 4) as 0 | 1 | 2 | 3;
  return {
    size: Math.abs(size) || 1,
    bold: weight >= 600 || /bold|black|heavy|medi(?!um)/i.test(name),
    turn,
  };
}

const mostOutlineEntries = 5000;

function readOutline(pdfium: WrappedPdfiumModule, memory: Memory, document: number): PdfOutlineEntry[] {
  const entries: PdfOutlineEntry[] = [];
  const visited = new Set<number>();
  const pending: { bookmark: number; level: number }[] = [];
  const open = (parent: number, level: number): void => {
    const siblings: { bookmark: number; level: number }[] = [];
    for (
      let bookmark = pdfium.FPDFBookmark_GetFirstChild(document, parent);
      bookmark !== 0 && !visited.has(bookmark) && visited.size < mostOutlineEntries;
      bookmark = pdfium.FPDFBookmark_GetNextSibling(document, bookmark)
    ) {
      visited.add(bookmark);
      siblings.push({ bookmark, level });
    }
    pending.push(...siblings.reverse());
  };
  open(0, 1);
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { bookmark, level } = item;
    const title = memory.utf16((buffer, length) => pdfium.FPDFBookmark_GetTitle(bookmark, buffer, length));
    let target = pdfium.FPDFBookmark_GetDest(document, bookmark);
    if (target === 0) {
      const action = pdfium.FPDFBookmark_GetAction(bookmark);
      if (action !== 0) target = pdfium.FPDFAction_GetDest(document, action);
    }
    if (target !== 0)
      entries.push({
        title,
        level,
        page: pdfium.FPDFDest_GetDestPageIndex(document, target) + 1,
      });
    open(bookmark, level + 1);
  }
  return entries;
}

const infoKeys = {
  Title: 'title',
  Author: 'author',
  Subject: 'subject',
  Keywords: 'keywords',
  Creator: 'creator',
  Producer: 'producer',
};

function readInfo(pdfium: WrappedPdfiumModule, memory: Memory, document: number): Record<string, string> {
  const info: Record<string, string> = {};
  const read = (tag: string): string =>
    memory.utf16((buffer, length) => pdfium.FPDF_GetMetaText(document, tag, buffer, length)).trim();
  for (const [tag, key] of Object.entries(infoKeys)) {
    const value = read(tag);
    if (value !== '') info[key] = value;
  }
  for (const [tag, key] of [
    ['CreationDate', 'created'],
    ['ModDate', 'modified'],
  ] as const) {
    const date = pdfDate(read(tag));
    if (date !== undefined) info[key] = date;
  }
  return info;
}

/** PDF dates (ISO 32000-1, 7.9.4), such as D:20090401163925-07'00', as RFC 3339. */
function pdfDate(value: string): string | undefined {
  const match = /^D?:?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:([+-])(\d{2})'?(\d{2})?)?/.exec(value);
  if (match === null) return undefined;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    sign,
    offsetHours,
    offsetMinutes = '00',
  ] = match;
  const zone = sign === undefined ? 'Z' : `${sign}${offsetHours}:${offsetMinutes}`;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
