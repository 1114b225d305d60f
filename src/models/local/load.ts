// How much of the machine one run of a local model takes: tokens at once and processor threads.
import { availableParallelism } from 'node:os';
import { basename } from 'node:path/posix';
import type { LocalSetup } from './protocol.ts';

/** Files of plain floating point numbers, as Optimum and sentence-transformers name them. */
const plainNumbers = /^model(_fp16|_bf16|_O[1-4])?\.onnx$/;

export function loadOf(graph: string, batchTokens: number): Pick<LocalSetup, 'batchTokens' | 'threads'> {
  return {
    // Dynamic quantisation scales by the largest number of the whole run: what a text gives would depend on its neighbours.
    batchTokens: plainNumbers.test(basename(graph)) ? batchTokens : 1,
    // One processor stays free for the searches.
    threads: Math.max(1, Math.min(8, availableParallelism() - 1)),
  };
}
