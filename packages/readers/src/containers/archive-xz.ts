// Unpacks XZ by xz-embedded (Lasse Collin, public domain; xz-decompress carries it as WebAssembly), several streams in a row included.
// Invariant: it reads the way that xz writes by default; files with other filters or sums say so, and what was not checked is not given out
// as whole: a stream that ends before its index is damage.
import * as module from 'xz-decompress';
import { ReadError } from '../read-error.ts';
import { PackingFault } from './packing-fault.ts';

// The package is CommonJS, whose names some loaders see and others do not.
const { XzReadableStream } = (module as unknown as { readonly default?: typeof module }).default ?? module;

const inputBytes = 64 * 1024;

export async function* xzPieces(bytes: Uint8Array, name: string): AsyncGenerator<Uint8Array> {
  let at = 0;
  const packed = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + inputBytes));
      at += inputBytes;
    },
  });
  try {
    yield* new XzReadableStream(packed) as unknown as AsyncIterable<Uint8Array>;
  } catch (thrown) {
    throw translate(thrown, name);
  }
}

/** Results of xz_dec_run (xz.h of xz-embedded). */
function translate(thrown: unknown, name: string): unknown {
  const code = /error code (\d+)/u.exec(String((thrown as Error).message))?.[1];
  if (code === '6')
    return new ReadError(
      'unsupported-media',
      `${name} is packed by XZ with a filter or a checksum that cannot be read. Unpack it, or pack it anew with the settings that xz has by itself.`,
    );
  if (code === '3' || code === '4')
    return new ReadError('too-large', `${name} needs more memory to unpack than that may take. Unpack it yourself.`);
  return new PackingFault(code === '8' ? 'it ends too early' : 'its packed data is broken');
}
