// Files of a ZIP on the disk, each as a stream: an export of gigabytes is never held. Reads the directory at its end (APPNOTE.TXT 6.3,
// with the fields of ZIP64), stored and deflated files. Invariant: what comes out is checked against the size that the directory names.
import type { FileHandle } from 'node:fs/promises';
import { createInflateRaw } from 'node:zlib';
import { FootnoteError } from '../../../core/errors.ts';

export interface ZipEntry {
  readonly path: string;
  readonly bytes: number;
  open(): AsyncIterable<Uint8Array>;
}

const endMark = 0x06054b50;
const end64Mark = 0x06064b50;
const locator64Mark = 0x07064b50;
const entryMark = 0x02014b50;
const fileMark = 0x04034b50;
const full32 = 0xffffffff;
const readBytes = 256 * 1024;
/** An export has no more files, and its directory is no larger. */
const mostEntries = 200_000;
const mostDirectoryBytes = 64 * 1024 * 1024;
/** Zeros deflate to a thousandth; conversations to a tenth. */
const mostRatio = 1100;

const damaged = (detail: string): FootnoteError =>
  new FootnoteError('invalid-media', `The ZIP cannot be read: ${detail}. Download the export again.`);

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) throw damaged('it ends too early');
    filled += bytesRead;
  }
  return buffer;
}

export async function openZip(
  file: FileHandle,
  onRead: (bytes: number) => void = () => undefined,
): Promise<readonly ZipEntry[]> {
  const { size } = await file.stat();
  const tailLength = Math.min(size, 65_557);
  const tail = await readAt(file, size - tailLength, tailLength);
  let end = tail.length - 22;
  while (end >= 0 && tail.readUInt32LE(end) !== endMark) end -= 1;
  if (end < 0) throw damaged('it has no directory');
  let count = tail.readUInt16LE(end + 10);
  let directoryBytes = tail.readUInt32LE(end + 12);
  let directoryAt = tail.readUInt32LE(end + 16);
  if (end >= 20 && tail.readUInt32LE(end - 20) === locator64Mark) {
    const record = await readAt(file, Number(tail.readBigUInt64LE(end - 12)), 56);
    if (record.readUInt32LE(0) !== end64Mark) throw damaged('its directory is not where it should be');
    count = Number(record.readBigUInt64LE(32));
    directoryBytes = Number(record.readBigUInt64LE(40));
    directoryAt = Number(record.readBigUInt64LE(48));
  }
  if (count > mostEntries || directoryBytes > mostDirectoryBytes || directoryAt + directoryBytes > size)
    throw damaged('its directory names more than there is');
  const directory = await readAt(file, directoryAt, directoryBytes);
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 46 <= directory.length && entries.length < count; ) {
    if (directory.readUInt32LE(at) !== entryMark) throw damaged('its directory is damaged');
    const nameLength = directory.readUInt16LE(at + 28);
    const extraLength = directory.readUInt16LE(at + 30);
    const path = directory.toString('utf8', at + 46, at + 46 + nameLength);
    const extra = directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    const entry = sizesOf(directory, at, extra);
    const { flags, method } = entry;
    if (!path.endsWith('/'))
      entries.push({
        path,
        bytes: entry.bytes,
        open() {
          if ((flags & 1) !== 0) throw damaged(`${path} is encrypted`);
          if (method !== 0 && method !== 8) throw damaged(`${path} is packed in a way that is not known (${method})`);
          return readEntry(file, path, { ...entry, onRead });
        },
      });
    at += 46 + nameLength + extraLength + directory.readUInt16LE(at + 32);
  }
  return entries;
}

interface Sizes {
  readonly flags: number;
  readonly method: number;
  readonly packed: number;
  readonly bytes: number;
  readonly offset: number;
}

function sizesOf(directory: Buffer, at: number, extra: Buffer): Sizes {
  let bytes = directory.readUInt32LE(at + 24);
  let packed = directory.readUInt32LE(at + 20);
  let offset = directory.readUInt32LE(at + 42);
  for (let field = 0; field + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(field + 2);
    if (extra.readUInt16LE(field) === 1) {
      let next = field + 4;
      const read = (): number => {
        if (next + 8 > extra.length) throw damaged('its directory is damaged');
        next += 8;
        return Number(extra.readBigUInt64LE(next - 8));
      };
      if (bytes === full32) bytes = read();
      if (packed === full32) packed = read();
      if (offset === full32) offset = read();
    }
    field += 4 + length;
  }
  return { flags: directory.readUInt16LE(at + 8), method: directory.readUInt16LE(at + 10), packed, bytes, offset };
}

async function* readEntry(
  file: FileHandle,
  path: string,
  { method, packed, bytes, offset, onRead }: Sizes & { readonly onRead: (bytes: number) => void },
): AsyncGenerator<Uint8Array> {
  const head = await readAt(file, offset, 30);
  if (head.readUInt32LE(0) !== fileMark) throw damaged(`${path} is not where the directory says`);
  const start = offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  const limit = Math.min(bytes, packed * mostRatio + 1024);
  async function* stored(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < packed; at += readBytes) {
      const length = Math.min(readBytes, packed - at);
      onRead(length);
      yield await readAt(file, start + at, length);
    }
  }
  let given = 0;
  const source = method === 0 ? stored() : inflate(stored(), path);
  for await (const chunk of source) {
    given += chunk.length;
    if (given > limit) throw damaged(`${path} is larger than the directory says`);
    yield chunk;
  }
  if (given !== bytes) throw damaged(`${path} is shorter than the directory says`);
}

async function* inflate(source: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  const { Readable } = await import('node:stream');
  const inflater = createInflateRaw();
  const input = Readable.from(source);
  input.on('error', (error) => inflater.destroy(error));
  try {
    for await (const chunk of input.pipe(inflater)) yield chunk as Uint8Array;
  } catch (cause) {
    if (cause instanceof FootnoteError) throw cause;
    throw new FootnoteError('invalid-media', `The ZIP cannot be read: ${path} is damaged. Download the export again.`, {
      cause,
    });
  } finally {
    input.destroy();
    inflater.destroy();
  }
}
