// Long work on the main thread in short pieces, for where no other thread can do it: searches come in between.

import { createHash } from 'node:crypto';
import { nextTurn } from '../../core/waiting/pieces.ts';

/** Longest piece of work on the event loop. */
export const sliceMs = 4;

/** Runs a generator in slices. Throws what `check` throws before one of them. */
export async function drive<T>(work: Iterator<unknown, T, undefined>, check?: () => void): Promise<T> {
  let started = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - started < sliceMs) continue;
    await nextTurn();
    check?.();
    started = performance.now();
  }
}

/** SHA-256 in hexadecimal. */
export function* digestInPieces(bytes: Uint8Array, pieceBytes = 1 << 20): Generator<undefined, string, undefined> {
  const hash = createHash('sha256');
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    hash.update(bytes.subarray(start, start + pieceBytes));
    yield undefined;
  }
  return hash.digest('hex');
}
