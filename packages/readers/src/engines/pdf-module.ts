// Loads PDFium in WebAssembly, and lends its memory to one file at a time: all that a file allocates is given back when it
// is closed. The sandbox is bounded (2 GiB) and sees neither the disk nor the network.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { ReadError } from '../read-error.ts';

/** An open document and the memory that belongs to it. Handles and addresses are numbers; 0 is none. */
export interface OpenPdf {
  readonly pdfium: WrappedPdfiumModule;
  readonly memory: PdfMemory;
  readonly document: number;
}

/** Emscripten's views of the memory of the module, which its types leave out. They are renewed when it grows. */
interface Heap {
  readonly HEAPU8: Uint8Array;
  readonly HEAPF32: Float32Array;
}

let loading: Promise<WrappedPdfiumModule> | undefined;

/** The one instance of this process. */
export function loadPdfium(): Promise<WrappedPdfiumModule> {
  loading ??= startPdfium();
  return loading;
}

/** After a trap the instance is in no known state: the next file gets a new one. */
export function forgetPdfium(): void {
  loading = undefined;
}

async function startPdfium(): Promise<WrappedPdfiumModule> {
  const path = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');
  const wasm = await readFile(path);
  const pdfium = await init({
    wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer,
    printErr: () => undefined,
  });
  bindGrowth((pdfium.pdfium.wasmExports as unknown as { readonly memory: GrowingMemory }).memory);
  pdfium.PDFiumExt_Init();
  return pdfium;
}

/** A `WebAssembly.Memory`. */
interface GrowingMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** What the module may grow to, for the file at hand; and whether it asked for more. */
const growth = { mostBytes: Number.POSITIVE_INFINITY, isRefused: false };
const wasmPageBytes = 65_536;

/** Emscripten grows the memory through this object, and tells the program that there is none where that throws. */
function bindGrowth(memory: GrowingMemory): void {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    growth.isRefused = memory.buffer.byteLength + pages * wasmPageBytes > growth.mostBytes;
    if (growth.isRefused) throw new RangeError('The file may not use more memory.');
    return grow(pages);
  };
}

/** Lets the module grow to so much and no further, until the function that is returned is called: it says whether that was too little. */
export function limitPdfMemory(mostBytes: number): () => boolean {
  growth.mostBytes = mostBytes;
  growth.isRefused = false;
  return () => {
    growth.mostBytes = Number.POSITIVE_INFINITY;
    return growth.isRefused;
  };
}

export interface PdfMemory {
  /** Throws `too-large` when the sandbox is full. */
  allocate(bytes: number): number;
  write(bytes: Uint8Array, address: number): void;
  /** A copy of what stands there. */
  read(address: number, length: number): Uint8Array;
  integer(address: number): number;
  freeAll(): void;
  float(address: number): number;
  double(address: number): number;
  /** FS_RECTF: left, top, right, bottom. */
  rectangle(address: number): Rectangle;
  /** What a function writes that takes a buffer and its length and returns the length needed: UTF-16LE with a final NUL. */
  utf16(call: (buffer: number, length: number) => number): string;
  /** The same for bytes. */
  latin(call: (buffer: number, length: number) => number): string;
}

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const firstBufferBytes = 4096;
/** Bytes of one title, field or note: a longer one is left out. */
const longestText = 1 << 20;

export function createPdfMemory({ pdfium }: WrappedPdfiumModule): PdfMemory {
  const heap = pdfium as typeof pdfium & Heap;
  const held: number[] = [];
  const allocate = (bytes: number): number => {
    const address = pdfium.wasmExports.malloc(Math.max(8, bytes));
    if (address === 0) throw new ReadError('too-large', 'The PDF needs more memory than a file may use. Split it.');
    held.push(address);
    return address;
  };
  let buffer = allocate(firstBufferBytes);
  let bufferBytes = firstBufferBytes;
  const utf16 = new TextDecoder('utf-16le');
  const latin = new TextDecoder('latin1');
  const written = (call: (buffer: number, length: number) => number): Uint8Array => {
    const length = call(buffer, bufferBytes);
    if (length <= bufferBytes) return heap.HEAPU8.slice(buffer, buffer + Math.max(0, length));
    // What does not fit is not written at all.
    if (length > longestText) return new Uint8Array();
    bufferBytes = length;
    buffer = allocate(bufferBytes);
    return heap.HEAPU8.slice(buffer, buffer + Math.min(call(buffer, bufferBytes), bufferBytes));
  };
  return {
    allocate,
    write: (bytes, address) => heap.HEAPU8.set(bytes, address),
    read: (address, length) => heap.HEAPU8.slice(address, address + length),
    integer: (address) => new DataView(heap.HEAPU8.buffer).getUint32(address, true),
    freeAll: () => {
      for (const address of held.splice(0)) pdfium.wasmExports.free(address);
    },
    float: (address) => heap.HEAPF32[address >> 2] ?? 0,
    double: (address) => new DataView(heap.HEAPU8.buffer).getFloat64(address, true),
    rectangle: (address) => {
      const at = address >> 2;
      const { HEAPF32: floats } = heap;
      return {
        left: floats[at] ?? 0,
        top: floats[at + 1] ?? 0,
        right: floats[at + 2] ?? 0,
        bottom: floats[at + 3] ?? 0,
      };
    },
    utf16: (call) => utf16.decode(written(call)).split('\0', 1)[0] ?? '',
    latin: (call) => latin.decode(written(call)).split('\0', 1)[0] ?? '',
  };
}
