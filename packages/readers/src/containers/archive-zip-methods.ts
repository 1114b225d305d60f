// How files of a ZIP archive are packed (APPNOTE 6.3.10 §4.4.5): stored, deflate, bzip2 and Zstandard. Invariant: no more is unpacked than the directory
// says the file has.
import { inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { bzip2Pieces } from './bzip2.ts';
import { PackingFault } from './packing-fault.ts';

const longer = (): PackingFault => new PackingFault('it is longer than the archive says');

const methods: Readonly<Record<number, (packed: Buffer, bytes: number) => Buffer>> = {
  0: (packed) => packed,
  8: (packed, bytes) => inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) }),
  12: unpackBzip2,
  93: (packed, bytes) => zstdDecompressSync(packed, { maxOutputLength: Math.max(1, bytes) }),
};

export const isUnpackable = (method: number): boolean => methods[method] !== undefined;

/** The file as it is; throws `PackingFault` with what is wrong, for people. */
export function unpackMember(
  packed: Buffer,
  { method, bytes }: { readonly method: number; readonly bytes: number },
): Buffer {
  let content: Buffer | undefined;
  try {
    content = methods[method]?.(packed, bytes);
  } catch (thrown) {
    if (thrown instanceof PackingFault) throw thrown;
    const { code, message } = thrown as NodeJS.ErrnoException;
    throw code === 'ERR_BUFFER_TOO_LARGE' ? longer() : new PackingFault(String(message).slice(0, 100));
  }
  if (content?.length !== bytes)
    throw (content?.length ?? 0) > bytes ? longer() : new PackingFault('it is shorter than the archive says');
  return content;
}

function unpackBzip2(packed: Buffer, bytes: number): Buffer {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (const piece of bzip2Pieces(packed)) {
    length += piece.length;
    if (length > bytes) throw longer();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
