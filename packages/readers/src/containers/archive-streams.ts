// Unpacks what is packed as one stream (GZIP, BZIP2, XZ, Zstandard) piece by piece. Invariant: no more is unpacked than is asked for, a bomb is refused at
// the piece that makes it one, and nothing that was unpacked is held.
import { Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { ReadError } from '../read-error.ts';
import { bomb, isBomb, maxRatio, tooMuch } from './archive-limits.ts';
import { PackingFault } from './packing-fault.ts';

interface Packing {
  /** Ends of names that the unpacked file does not have, and those that stand for `.tar` as well. */
  readonly endings: RegExp;
  pieces(bytes: Uint8Array, name: string): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const packings: Readonly<Record<string, Packing>> = {
  'application/gzip': { endings: /\.gz$/iu, pieces: (bytes) => throughNode(bytes, createGunzip()) },
  'application/zstd': { endings: /\.zst$/iu, pieces: zstdPieces },
  'application/x-bzip2': {
    endings: /\.bz2$/iu,
    async *pieces(bytes) {
      yield* (await import('./bzip2.ts')).bzip2Pieces(bytes);
    },
  },
  'application/x-xz': {
    endings: /\.xz$/iu,
    async *pieces(bytes, name) {
      yield* (await import('./archive-xz.ts')).xzPieces(bytes, name);
    },
  },
};

export interface PackedStream {
  readonly mime: string;
  readonly bytes: Uint8Array;
  readonly name: string;
}

/** Throws `too-large` for a bomb, `invalid-media` for damage. */
export async function* unpackStream({ mime, bytes, name }: PackedStream, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    for await (const piece of packings[mime]?.pieces(bytes, name) ?? []) {
      length += piece.length;
      if (length > maxBytes) throw tooMuch(name, maxBytes);
      if (isBomb(bytes.length, length)) throw bomb(name, `unpacks to more than ${maxRatio} times its size`);
      yield piece;
    }
  } catch (thrown) {
    if (thrown instanceof ReadError) throw thrown;
    throw new ReadError('invalid-media', `${name} is damaged: ${faultOf(thrown)}. Copy or pack it anew.`, {
      cause: thrown,
    });
  }
}

/** `notes.md.gz` holds `notes.md`. */
export function unpackedName({ mime, name }: PackedStream): string {
  const file = name.slice(name.lastIndexOf('/') + 1);
  const bare = file.replace(packings[mime]?.endings ?? /$/u, '');
  return (bare === file ? file.replace(/\.[^.]*$/u, '') : bare) || 'content';
}

async function* throughNode(bytes: Uint8Array, unpacking: Transform): AsyncGenerator<Uint8Array> {
  const source = Readable.from([bytes]);
  source.pipe(unpacking);
  try {
    yield* unpacking as AsyncIterable<Uint8Array>;
  } finally {
    source.destroy();
    unpacking.destroy();
  }
}

const [zstdFrame, skippedFrame] = [0xfd2fb528, 0x184d2a50];

/** Frames in a row (RFC 8878 §3.1), as parallel packers write them; windows of up to 128 MiB, the default of the library. */
async function* zstdPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const mark = at + 8 <= bytes.length ? view.getUint32(at, true) : 0;
    if ((mark & 0xfffffff0) === skippedFrame) at += 8 + view.getUint32(at + 4, true);
    else if (mark === zstdFrame) {
      const unpacking = createZstdDecompress();
      yield* throughNode(bytes.subarray(at), unpacking);
      at += unpacking.bytesWritten;
    } else throw new PackingFault('its packed data is broken');
  }
}

const early: ReadonlySet<string | undefined> = new Set(['Z_BUF_ERROR', 'ZSTD_error_srcSize_wrong']);

function faultOf(thrown: unknown): string {
  if (thrown instanceof PackingFault) return thrown.message;
  return early.has((thrown as NodeJS.ErrnoException).code) ? 'it ends too early' : 'its packed data is broken';
}
