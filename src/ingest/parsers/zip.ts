// Reads the directory of a ZIP archive (APPNOTE 6.3) before anything is unpacked, so that a bomb is refused by its own
// account of itself, and unpacks single small entries under a limit.
import { inflateRawSync } from 'node:zlib';
import { FootnoteError } from '../../core/errors.ts';

export interface ZipEntry {
  readonly name: string;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly method: number;
  readonly offset: number;
}

const maxEntries = 10_000;
const maxUnpackedBytes = 256 * 1024 * 1024;
const maxRatio = 200;
const ratioFreeBytes = 16 * 1024 * 1024;

/** The entries of an archive. Throws `invalid-media` for a damaged one, `too-large` for one that unpacks to too much. */
export function readZipDirectory(bytes: Uint8Array, name: string): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = (): FootnoteError =>
    new FootnoteError('invalid-media', `${name} is damaged: its archive has no readable directory. Save it again.`);
  const end = findEnd(view);
  if (end === undefined) throw damaged();
  const count = view.getUint16(end + 10, true);
  let offset = view.getUint32(end + 16, true);
  const entries: ZipEntry[] = [];
  let unpacked = 0;
  for (let index = 0; index < count; index++) {
    if (offset + 46 > bytes.length || view.getUint32(offset, true) !== 0x02014b50) throw damaged();
    const nameLength = view.getUint16(offset + 28, true);
    const entry: ZipEntry = {
      name: new TextDecoder().decode(bytes.subarray(offset + 46, offset + 46 + nameLength)),
      method: view.getUint16(offset + 10, true),
      packedBytes: view.getUint32(offset + 20, true),
      bytes: view.getUint32(offset + 24, true),
      offset: view.getUint32(offset + 42, true),
    };
    unpacked += entry.bytes;
    const isBomb = entry.bytes > ratioFreeBytes && entry.bytes > entry.packedBytes * maxRatio;
    if (isBomb || unpacked > maxUnpackedBytes || count > maxEntries)
      throw new FootnoteError('too-large', `${name} unpacks to more than a document may hold: refused as a bomb.`);
    entries.push(entry);
    offset += 46 + nameLength + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
  }
  return entries;
}

/** One entry as text, at most `maxBytes` long; undefined where it is absent, damaged or longer. */
export function readZipText(
  bytes: Uint8Array,
  entries: readonly ZipEntry[],
  name: string,
  maxBytes = 1_000_000,
): string | undefined {
  const entry = entries.find((candidate) => candidate.name === name);
  if (entry === undefined || entry.bytes > maxBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (entry.offset + 30 > bytes.length || view.getUint32(entry.offset, true) !== 0x04034b50) return undefined;
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  const packed = bytes.subarray(start, start + entry.packedBytes);
  try {
    const content = entry.method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: maxBytes });
    return new TextDecoder().decode(content);
  } catch {
    return undefined;
  }
}

/** The end-of-directory record, searched from the back past a comment of up to 64 KiB. */
function findEnd(view: DataView): number | undefined {
  for (let offset = view.byteLength - 22; offset >= Math.max(0, view.byteLength - 65_557); offset--) {
    if (view.getUint32(offset, true) === 0x06054b50) return offset;
  }
  return undefined;
}
