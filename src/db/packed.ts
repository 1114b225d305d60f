// JSON kept small: zstd with a checksum, so that a changed bit is an error and never another value (RFC 8878).
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { FootnoteError } from '../core/errors.ts';

/** What is kept for ever and written once is packed well; what every request writes, fast: 2 % larger in two thirds of the time. */
const levels = { well: 3, fast: 1 } as const;

/** Longest JSON that is remembered once it is packed: most documents have the same empty structure. */
const rememberedLength = 256;
let remembered: { readonly json: string; readonly bytes: Uint8Array } | undefined;

/** Where texts become UTF-8 on their way to the compressor: a fresh buffer for each took as long as packing it. */
const scratch = Buffer.allocUnsafeSlow(768 * 1024);
/** Bytes of UTF-8 that one UTF-16 code unit takes at most. */
const mostUtf8 = 3;

const toUtf8 = (text: string): Uint8Array =>
  text.length * mostUtf8 > scratch.length ? Buffer.from(text) : scratch.subarray(0, scratch.write(text));

export function packJson(value: unknown): Uint8Array {
  return packText(JSON.stringify(value));
}

/** Packs a text that is JSON already. */
export function packText(json: string, level: keyof typeof levels = 'well'): Uint8Array {
  if (remembered?.json === json) return remembered.bytes;
  const utf8 = toUtf8(json);
  const bytes = zstdCompressSync(utf8, {
    params: { [constants.ZSTD_c_compressionLevel]: levels[level], [constants.ZSTD_c_checksumFlag]: 1 },
    pledgedSrcSize: utf8.length,
    // JSON packs to less than half: one piece, which need not be copied together.
    chunkSize: 1024 + (utf8.length >> 1),
  });
  if (json.length <= rememberedLength) remembered = { json, bytes };
  return bytes;
}

/** Throws `data-corrupt`, naming `what`, if the bytes are not what `packJson` wrote. */
export function unpackJson(bytes: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(zstdDecompressSync(bytes).toString('utf8'));
  } catch (error) {
    throw new FootnoteError('data-corrupt', `${what} is damaged in the record and is not served. Restore a backup.`, {
      cause: error,
    });
  }
}
