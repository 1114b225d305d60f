// The files of a ZIP archive (APPNOTE 6.3), by its directory: what it says of itself is judged before the first file is unpacked
// (how many, how much, whether files share their bytes: Fifield, "A better zip bomb", WOOT 2019), and every file is checked against it.
import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { FootnoteError } from '../../core/errors.ts';
import { createPathRules, type SafePath } from '../inner-paths.ts';
import type { ParseInput, UnpackedFile, UnpackLimits } from '../parse.ts';
import { bomb, isBomb, maxRatio, tooMany, tooMuch } from './archive-limits.ts';

interface Member {
  readonly entry: Entry;
  readonly path: NonNullable<SafePath>;
}

/** Where the attributes of Unix keep the kind of a file, and the kinds that are files (0: the packer did not say). */
const kindOf = (entry: Entry): number => (entry.externalFileAttributes >>> 16) & 0o170000;
const regularKinds: ReadonlySet<number> = new Set([0, 0o100000]);

export async function* filesOfZip({ bytes, name }: ParseInput, limits: UnpackLimits): AsyncGenerator<UnpackedFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { zip, members } = await readDirectory(buffer, name, limits);
  if (members.length > 0 && members.every(({ entry }) => entry.isEncrypted()))
    throw new FootnoteError(
      'unsupported-media',
      `${name} is encrypted with a password. Unpack it, and ingest the folder of its files.`,
    );
  for (const { entry, path } of members)
    yield { path: path.path, content: refusalOf({ entry, path }, limits) ?? (await contentOf(zip, buffer, entry)) };
}

async function readDirectory(
  buffer: Buffer,
  name: string,
  { maxFiles, maxTotalBytes }: UnpackLimits,
): Promise<{ readonly zip: ZipFile; readonly members: readonly Member[] }> {
  const safe = createPathRules();
  const members: Member[] = [];
  const parts: (readonly [start: number, end: number])[] = [];
  let total = 0;
  try {
    const zip = await fromBufferPromise(buffer, { autoClose: false, decodeStrings: false, validateEntrySizes: false });
    if (zip.entryCount > maxFiles) throw tooMany(name, maxFiles);
    for await (const entry of zip.eachEntry()) {
      const start = entry.relativeOffsetOfLocalHeader;
      parts.push([start, start + entry.compressedSize]);
      const raw = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
      const path = safe(raw);
      if (path === undefined) continue;
      total += entry.uncompressedSize;
      if (total > maxTotalBytes) throw tooMuch(name, maxTotalBytes);
      members.push({ entry, path });
    }
    assertNoBomb({ name, packed: buffer.length, total, parts });
    return { zip, members };
  } catch (thrown) {
    if (thrown instanceof FootnoteError) throw thrown;
    throw new FootnoteError(
      'invalid-media',
      `${name} is damaged: its directory cannot be read (${String((thrown as Error).message).slice(0, 100)}). Copy or pack it anew.`,
      { cause: thrown },
    );
  }
}

function assertNoBomb(archive: {
  readonly name: string;
  readonly packed: number;
  readonly total: number;
  readonly parts: (readonly [start: number, end: number])[];
}): void {
  if (isBomb(archive.packed, archive.total))
    throw bomb(archive.name, `says that it unpacks to more than ${maxRatio} times its size`);
  const parts = archive.parts.toSorted(([a], [b]) => a - b);
  for (let at = 1; at < parts.length; at++)
    if ((parts[at]?.[0] ?? 0) < (parts[at - 1]?.[1] ?? 0))
      throw bomb(archive.name, 'holds files that share the same bytes');
}

function refusalOf(
  { entry, path }: Member,
  { maxFileBytes }: UnpackLimits,
): Exclude<UnpackedFile['content'], Uint8Array> | undefined {
  if ('refused' in path) return { code: 'invalid-media', message: path.refused };
  if (!regularKinds.has(kindOf(entry)))
    return {
      code: 'unsupported-media',
      message: 'It is a link or a device of the archive and no file: those are never followed. Pack the file itself.',
    };
  if (entry.isEncrypted())
    return { code: 'unsupported-media', message: 'It is encrypted with a password. Unpack it, and ingest the file.' };
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    return {
      code: 'unsupported-media',
      message: `It is packed by method ${entry.compressionMethod}, which cannot be read. Pack it anew as plain ZIP ("deflate").`,
    };
  if (entry.uncompressedSize > maxFileBytes)
    return {
      code: 'too-large',
      message: `It has ${entry.uncompressedSize} bytes; at most ${maxFileBytes} are read of a file in an archive.`,
    };
  return undefined;
}

/** The file, or that it is not what the directory says: then the other files are read all the same. */
async function contentOf(zip: ZipFile, buffer: Buffer, entry: Entry): Promise<UnpackedFile['content']> {
  const damaged = (what: string): UnpackedFile['content'] => ({
    code: 'invalid-media',
    message: `It is damaged in the archive: ${what}. Copy or pack the archive anew.`,
  });
  try {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const packed = buffer.subarray(fileDataStart, fileDataStart + entry.compressedSize);
    if (packed.length < entry.compressedSize) return damaged('it ends too early');
    const content =
      entry.compressionMethod === 0
        ? packed
        : inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.uncompressedSize) });
    if (content.length !== entry.uncompressedSize) return damaged('it is shorter than the archive says');
    return crc32(content) === entry.crc32 ? content : damaged('its checksum is wrong');
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') return damaged('it is longer than the archive says');
    return damaged(String(message).slice(0, 100));
  }
}
