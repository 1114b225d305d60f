// The arithmetic of vector search in WebAssembly (kernel.wat). One kernel a thread: rows stay in SharedArrayBuffers and are
// copied block by block into the kernel's one private memory, small enough for a core's own cache, so that neither tenants
// nor parts cost a WebAssembly memory. Tests hold its results against plain TypeScript, to the last bit.
import { kernelBytes } from './kernel-bytes.ts';
import { blockBytes, maximumDimensions, mostScanRows } from './layout.ts';
import type { VectorKernel } from './vector-kernel.ts';

/** The part of WebAssembly's interface that is used; Node's own types lack it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly threshold: { readonly value: number };
  begin(histogram: number, distances: number, wanted: number): void;
  scan(rows: number, words: number, live: number, liveWords: number, query: number, out: number): number;
  dots(rows: number, bytes: number, count: number, query: number, out: number): void;
  signs(rows: number, bytes: number, count: number, centre: number, scaled: number, out: number, words: number): void;
}

/** Where things lie in the kernel's memory of six pages; results of every kind share one place. */
const operandAt = 0;
const queryBitsAt = operandAt + maximumDimensions * 4;
const histogramAt = queryBitsAt + 512;
const liveAt = histogramAt + 12_544;
const resultsAt = liveAt + mostScanRows / 8;
const rowsAt = 6 * 65_536 - blockBytes;

// Copying through Buffer is a plain copy of memory; TypedArray.set from a SharedArrayBuffer takes twice as long.
const bufferOver = (view: Float32Array | Uint8Array): Buffer =>
  Buffer.from(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength);

function createKernel(api: WebAssemblyApi): VectorKernel {
  const module = new api.Module(Buffer.from(kernelBytes, 'base64'));
  const kernel = new api.Instance(module, {}).exports as Exports;
  const memory = kernel.memory.buffer;
  const bytes = Buffer.from(memory);
  const operand = new Float32Array(memory, operandAt, maximumDimensions);
  const queryBits = new Uint8Array(memory, queryBitsAt, maximumDimensions / 8);
  const liveWords = new Uint32Array(memory, liveAt, mostScanRows / 32);
  const foundWords = new Uint32Array(memory, resultsAt, mostScanRows);
  const dotResults = new Float32Array(memory, resultsAt, mostScanRows);

  return {
    setQuery: (query) => operand.set(query),
    dots(rows, first, scores) {
      const stride = rows.shape.stride * 4;
      bufferOver(rows.matrix).copy(bytes, rowsAt, first * stride, (first + scores.length) * stride);
      kernel.dots(rowsAt, stride, scores.length, operandAt, resultsAt);
      scores.set(dotResults.subarray(0, scores.length));
    },
    dotsAt(rows, slots, scores) {
      const stride = rows.shape.stride * 4;
      const source = bufferOver(rows.matrix);
      for (let at = 0; at < slots.length; ) {
        const slot = slots[at] as number;
        let run = 1;
        while (at + run < slots.length && slots[at + run] === slot + run) run++;
        source.copy(bytes, rowsAt + at * stride, slot * stride, (slot + run) * stride);
        at += run;
      }
      kernel.dots(rowsAt, stride, slots.length, operandAt, resultsAt);
      scores.set(dotResults.subarray(0, slots.length));
    },
    beginScan: (dimensions, wanted) => kernel.begin(histogramAt, dimensions, wanted),
    setQueryBits: (bits) => queryBits.set(bits),
    scan(rows, { first, live }, found) {
      const { words } = rows.shape;
      liveWords.set(live);
      bufferOver(rows.bits).copy(bytes, rowsAt, first * words * 8, (first + live.length * 32) * words * 8);
      const end = kernel.scan(rowsAt, words, liveAt, live.length, queryBitsAt, resultsAt);
      const count = (end - resultsAt) / 4;
      found.set(foundWords.subarray(0, count));
      return count;
    },
    threshold: () => kernel.threshold.value,
    writeBits(rows, { first, count }, centre) {
      const stride = rows.shape.stride * 4;
      const bitStride = rows.shape.words * 8;
      operand.set(centre.at);
      bufferOver(rows.matrix).copy(bytes, rowsAt, first * stride, (first + count) * stride);
      kernel.signs(rowsAt, stride, count, operandAt, centre.scaled ? 1 : 0, resultsAt, rows.shape.words);
      bytes.copy(bufferOver(rows.bits), first * bitStride, resultsAt, resultsAt + count * bitStride);
    },
  };
}

let kernelOfThread: VectorKernel | undefined;

/** The kernel of this thread. */
export function vectorKernel(): VectorKernel {
  kernelOfThread ??= createKernel((globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly);
  return kernelOfThread;
}
