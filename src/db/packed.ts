// JSON kept small: zstd with a checksum, so that a changed bit is an error and never another value (RFC 8878).
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { FootnoteError } from '../core/errors.ts';

const settings = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};

/** Longest JSON that is remembered once it is packed: most documents have the same empty structure. */
const rememberedLength = 256;
let remembered: { readonly json: string; readonly bytes: Uint8Array } | undefined;

export function packJson(value: unknown): Uint8Array {
  const json = JSON.stringify(value);
  if (remembered?.json === json) return remembered.bytes;
  const bytes = zstdCompressSync(Buffer.from(json), settings);
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
