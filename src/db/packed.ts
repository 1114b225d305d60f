// JSON kept small: zstd with a checksum, so that a changed bit is an error and never another value (RFC 8878).

import { promisify } from 'node:util';
import { constants, type ZstdOptions, zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { FootnoteError } from '../core/errors.ts';
import { nextTurn } from '../core/waiting/pieces.ts';

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

/** Packed before they were asked for, for as long as they live. */
const ahead = new WeakMap<object, Uint8Array>();

export function packJson(value: object): Uint8Array {
  return ahead.get(value) ?? packText(JSON.stringify(value));
}

/** Members of a list that are printed without a turn for others: some 2 ms. */
const membersTogether = 2000;
/** JSON of this length is packed on a thread: some 2 ms. */
const packedAheadLength = 128 * 1024;

const packOnThread = promisify(zstdCompress);

/**
 * Packs what is large among `values` before it is asked for, in short pieces and on a thread: `packJson` of the same object then costs
 * nothing. A value must not change any more.
 */
export async function packAhead(values: readonly object[]): Promise<void> {
  for (const value of values) {
    const lists = Object.values(value).filter((member) => Array.isArray(member));
    if (lists.every((list) => list.length < membersTogether)) continue;
    const json = await printInPieces(value);
    if (json.length < packedAheadLength) continue;
    const utf8 = Buffer.from(json);
    ahead.set(value, await packOnThread(utf8, packing(utf8.length, 'well')));
  }
}

/** The same text as `JSON.stringify`. */
async function printInPieces(value: object): Promise<string> {
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const key = JSON.stringify(name);
    if (!Array.isArray(member) || member.length < membersTogether) {
      members.push(`${key}:${JSON.stringify(member)}`);
      continue;
    }
    const pieces: string[] = [];
    for (let at = 0; at < member.length; at += membersTogether) {
      pieces.push(JSON.stringify(member.slice(at, at + membersTogether)).slice(1, -1));
      await nextTurn();
    }
    members.push(`${key}:[${pieces.join(',')}]`);
  }
  return `{${members.join(',')}}`;
}

const packing = (length: number, level: keyof typeof levels): ZstdOptions => ({
  params: { [constants.ZSTD_c_compressionLevel]: levels[level], [constants.ZSTD_c_checksumFlag]: 1 },
  pledgedSrcSize: length,
  // JSON packs to less than half: one piece, which need not be copied together.
  chunkSize: 1024 + (length >> 1),
});

/** Packs a text that is JSON already. */
export function packText(json: string, level: keyof typeof levels = 'well'): Uint8Array {
  if (remembered?.json === json) return remembered.bytes;
  const utf8 = toUtf8(json);
  const bytes = zstdCompressSync(utf8, packing(utf8.length, level));
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
