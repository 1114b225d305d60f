// The files of a ZIP on the disk, each as a stream: an archive of gigabytes is never held. Invariants: what comes out has the size that the
// directory names, and a file that claims to unfold to more than deflate can pack is cut off.
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { ReadError } from '../read-error.ts';

export interface ZipMember {
  readonly path: string;
  readonly bytes: number;
  open(): AsyncIterable<Uint8Array>;
}

const readBytes = 256 * 1024;
/** Of the record at the end of an archive, without and with the longest comment (APPNOTE 6.3.10, 4.3.16). */
const endBytes = 22;
const longestEnd = endBytes + 65_535;
/** An export has no more files. */
const mostEntries = 200_000;
/** Zeros deflate to a thousandth; conversations to a tenth. */
const mostRatio = 1100;

const damaged = (detail: string, cause?: unknown): ReadError =>
  new ReadError('invalid-media', `The ZIP cannot be read: ${detail}. Download the export again.`, { cause });

class OpenFile extends RandomAccessReader {
  readonly #file: FileHandle;
  readonly #onRead: (bytes: number) => void;

  constructor(file: FileHandle, onRead: (bytes: number) => void) {
    super();
    this.#file = file;
    this.#onRead = onRead;
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      const buffer = Buffer.alloc(Math.min(readBytes, end - at));
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return;
      this.#onRead(bytesRead);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end), { objectMode: false });
  }
}

/** Where the archive ends: downloads may have bytes behind it. */
async function endOf(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const tail = Buffer.alloc(Math.min(size, longestEnd));
  const { bytesRead } = await file.read(tail, 0, tail.length, size - tail.length);
  const at = tail.lastIndexOf('PK\u0005\u0006', -endBytes, 'latin1');
  if (at < 0 || bytesRead < tail.length) return size;
  return Math.min(size, size - tail.length + at + endBytes + tail.readUInt16LE(at + 20));
}

/** Folders are left out. Throws `invalid-media`, and so do the streams. */
export async function openZipOnDisk(
  file: FileHandle,
  onRead: (bytes: number) => void = () => undefined,
): Promise<readonly ZipMember[]> {
  const members: ZipMember[] = [];
  try {
    const size = await endOf(file);
    // Names without a mark are UTF-8 all the same: macOS packs them so.
    const options = { autoClose: false, decodeStrings: false, validateEntrySizes: true };
    const zip = await fromRandomAccessReaderPromise(new OpenFile(file, onRead), size, options);
    if (zip.entryCount > mostEntries) throw new Error(`it names ${zip.entryCount} files`);
    for await (const entry of zip.eachEntry()) {
      const path = entry.fileNameRaw.toString('utf8');
      if (!path.endsWith('/'))
        members.push({ path, bytes: entry.uncompressedSize, open: () => read(zip, entry, path) });
    }
  } catch (cause) {
    throw damaged('its directory is damaged', cause);
  }
  return members;
}

async function* read(zip: ZipFile, entry: Entry, path: string): AsyncGenerator<Uint8Array> {
  const { compressionMethod: method, compressedSize, uncompressedSize } = entry;
  if (entry.isEncrypted()) throw damaged(`${path} is encrypted`);
  if (method !== 0 && method !== 8) throw damaged(`${path} is packed in a way that is not known (${method})`);
  if (uncompressedSize > compressedSize * mostRatio + 1024) throw damaged(`${path} is larger than it can be`);
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) yield chunk as Uint8Array;
  } catch (cause) {
    throw damaged(`${path} is damaged`, cause);
  }
}
