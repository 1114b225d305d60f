// Reads the directory of a ZIP archive (APPNOTE 6.3) before anything is unpacked, so that a bomb is refused by its own
// account of itself, and unpacks single entries that may not become longer than that account says.
import { inflateRawSync } from 'node:zlib';
import { ReadError } from '../read-error.ts';

export interface ZipEntry {
  readonly name: string;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly method: number;
  readonly offset: number;
  readonly isEncrypted: boolean;
}

/** A ZIP file that holds one document. Names are compared without regard to case, as Office does. */
export interface ZipFile {
  readonly entries: readonly ZipEntry[];
  has(name: string): boolean;
  /** Undefined where there is no such entry. Throws `invalid-media` where it cannot be unpacked, `too-large` over `maxBytes`. */
  bytes(name: string, maxBytes?: number): Uint8Array | undefined;
  /** The same as text: UTF-8, or UTF-16 with a mark. */
  text(name: string, maxBytes?: number): string | undefined;
}

const maxEntries = 10_000;
const maxUnpackedBytes = 256 * 1024 * 1024;
const maxRatio = 200;
const ratioFreeBytes = 16 * 1024 * 1024;
const maxPartBytes = 64 * 1024 * 1024;
/** A part may be read again, but not without end: a thousand slides may share one layout. */
const maxReadBytes = 2 * maxUnpackedBytes;

/** The entries of an archive. Throws `invalid-media` for a damaged one, `too-large` for one that unpacks to too much. */
export function readZipDirectory(bytes: Uint8Array, name: string): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = (): ReadError =>
    new ReadError('invalid-media', `${name} is damaged: its archive has no readable directory. Save it again.`);
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
      name: new TextDecoder().decode(bytes.subarray(offset + 46, offset + 46 + nameLength)).replaceAll('\\', '/'),
      method: view.getUint16(offset + 10, true),
      packedBytes: view.getUint32(offset + 20, true),
      bytes: view.getUint32(offset + 24, true),
      offset: view.getUint32(offset + 42, true),
      isEncrypted: (view.getUint16(offset + 8, true) & 1) === 1,
    };
    unpacked += entry.bytes;
    const isBomb = entry.bytes > ratioFreeBytes && entry.bytes > entry.packedBytes * maxRatio;
    if (isBomb || unpacked > maxUnpackedBytes || count > maxEntries)
      throw new ReadError('too-large', `${name} unpacks to more than a document may hold: refused as a bomb.`);
    entries.push(entry);
    offset += 46 + nameLength + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
  }
  return entries;
}

/** Throws as `readZipDirectory` does, and `invalid-media` for an archive with a password. */
export function openZip(bytes: Uint8Array, name: string): ZipFile {
  const entries = readZipDirectory(bytes, name);
  if (entries.some(({ isEncrypted }) => isEncrypted))
    throw new ReadError('invalid-media', `${name} is encrypted with a password. Save it without one.`);
  const byName = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  const find = (part: string): ZipEntry | undefined => byName.get(part.toLowerCase().replace(/^\//u, ''));
  let readBytes = 0;
  const read = (part: string, maxBytes = maxPartBytes): Uint8Array | undefined => {
    const entry = find(part);
    if (entry === undefined) return undefined;
    if (entry.bytes > maxBytes) {
      const message = `${name} cannot be read: its part ${part} unpacks to more than ${maxBytes >> 20} MiB. Split the document.`;
      throw new ReadError('too-large', message, { details: { maxBytes } });
    }
    readBytes += entry.bytes;
    if (readBytes > maxReadBytes)
      throw new ReadError('too-large', `${name} uses its parts again and again: refused as a bomb.`);
    return unpack(bytes, entry, name);
  };
  return {
    entries,
    has: (part) => find(part) !== undefined,
    bytes: read,
    text: (part, maxBytes) => {
      const content = read(part, maxBytes);
      return content === undefined ? undefined : decodePart(content);
    },
  };
}

function unpack(bytes: Uint8Array, entry: ZipEntry, name: string): Uint8Array {
  const damaged = (cause?: unknown): ReadError =>
    new ReadError('invalid-media', `${name} is damaged: its part ${entry.name} cannot be unpacked. Save it again.`, {
      cause,
    });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (entry.offset + 30 > bytes.length || view.getUint32(entry.offset, true) !== 0x04034b50) throw damaged();
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  const packed = bytes.subarray(start, start + entry.packedBytes);
  if (entry.method === 0) return packed;
  if (entry.method !== 8) throw damaged(`compression method ${entry.method}`);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.bytes) });
  } catch (error) {
    throw damaged(error);
  }
}

export function decodePart(content: Uint8Array): string {
  if (content[0] === 0xff && content[1] === 0xfe) return new TextDecoder('utf-16le').decode(content);
  if (content[0] === 0xfe && content[1] === 0xff) return new TextDecoder('utf-16be').decode(content);
  return new TextDecoder().decode(content);
}

/** The end-of-directory record, searched from the back past a comment of up to 64 KiB. */
function findEnd(view: DataView): number | undefined {
  for (let offset = view.byteLength - 22; offset >= Math.max(0, view.byteLength - 65_557); offset--) {
    if (view.getUint32(offset, true) === 0x06054b50) return offset;
  }
  return undefined;
}
