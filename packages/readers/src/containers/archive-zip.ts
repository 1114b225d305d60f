// The files of a ZIP archive (APPNOTE 6.3), by its directory: what it says of itself is judged before the first file is unpacked
// (how many, how much, whether files share their bytes: Fifield, "A better zip bomb", WOOT 2019), and every file is checked against it.
// Encrypted ones are opened with the passwords that are given; the limits are the same.
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { overLimit } from '../file-size.ts';
import { createPathRules, type SafePath } from '../inner-paths.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, RefusedContent, UnpackedFile, UnpackLimits } from '../reader.ts';
import { type ArchiveKeys, createArchiveKeys, damagedMessage } from './archive-keys.ts';
import { bomb, isBomb, maxRatio, tooMany, tooMuch, type UnpackRules } from './archive-limits.ts';
import { lockOf, type MemberLock } from './archive-unlock.ts';
import { isUnpackable, unpackMember } from './archive-zip-methods.ts';
import { zipNames } from './archive-zip-names.ts';
import { cutOffMessage, isCutOff } from './cut-off.ts';
import { lockedMessage, lockedReason } from './locked.ts';
import { PackingFault } from './packing-fault.ts';

interface Member {
  readonly entry: Entry;
  readonly path: NonNullable<SafePath>;
}

/**
 * Where the attributes of Unix keep the kind of a file, and the kinds that are files. 0: the packer did not say; a pipe: it was packed from the output of
 * a program, and is a file in the archive.
 */
const kindOf = (entry: Entry): number => (entry.externalFileAttributes >>> 16) & 0o170000;
const regularKinds: ReadonlySet<number> = new Set([0, 0o100000, 0o010000]);

export async function* filesOfZip(input: ParseInput, limits: UnpackRules): AsyncGenerator<UnpackedFile> {
  const { bytes, name } = input;
  const passwords = input.passwords ?? (input.password === undefined ? [] : [input.password]);
  const { archive: buffer, parts } = zipEnd(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (parts > 1 || /\.(?:zip\.001|z01)$/iu.test(name))
    throw new ReadError(
      'unsupported-media',
      `${name} is one of several parts of an archive${parts > 1 ? ` (there are ${parts})` : ''}. Unpack it with all of them beside it, or join them, and give what comes out.`,
    );
  const { zip, members } = await readDirectory(buffer, name, limits);
  const keys = createArchiveKeys(passwords);
  const reading: Reading = { zip, buffer, keys };
  if (members.length > 0 && !(await opensAtAll(reading, members, limits)))
    throw new ReadError('invalid-media', lockedMessage({ name, tried: passwords.length }), {
      details: { reason: lockedReason(passwords.length), tried: passwords.length },
    });
  for (const { entry, path } of members)
    yield { path: path.path, content: refusalOf({ entry, path }, limits) ?? (await contentOf(reading, entry)) };
}

interface Reading {
  readonly zip: ZipFile;
  readonly buffer: Buffer;
  readonly keys: ArchiveKeys;
}

/** Whether there is a file that is not locked, or that a password opens, or that has another fault to tell of. */
async function opensAtAll(reading: Reading, members: readonly Member[], limits: UnpackLimits): Promise<boolean> {
  const { zip, buffer, keys } = reading;
  for (const member of members) {
    const { entry } = member;
    const lock = lockOf(entry);
    if (!entry.isEncrypted() || lock === undefined || refusalOf(member, limits)) return true;
    const packed = await packedOf(zip, buffer, entry).catch(() => undefined);
    if (packed === undefined || keys.mayOpen(packed, lock, (plain) => unpack(plain, entry, lock))) return true;
  }
  return false;
}

async function readDirectory(
  buffer: Buffer,
  name: string,
  { maxFiles, maxTotalBytes, isLeftOut }: UnpackRules,
): Promise<{ readonly zip: ZipFile; readonly members: readonly Member[] }> {
  const safe = createPathRules(isLeftOut);
  const members: Member[] = [];
  const parts: (readonly [start: number, end: number])[] = [];
  let total = 0;
  try {
    const zip = await fromBufferPromise(buffer, { autoClose: false, decodeStrings: false, validateEntrySizes: false });
    if (zip.entryCount > maxFiles) throw tooMany(name, maxFiles);
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    const nameOf = zipNames(entries);
    for (const entry of entries) {
      const start = entry.relativeOffsetOfLocalHeader;
      parts.push([start, start + entry.compressedSize]);
      const path = safe(nameOf(entry));
      if (path === undefined) continue;
      total += entry.uncompressedSize;
      if (total > maxTotalBytes) throw tooMuch(name, maxTotalBytes);
      members.push({ entry, path });
    }
    assertNoBomb({ name, packed: buffer.length, total, parts });
    return { zip, members };
  } catch (thrown) {
    if (thrown instanceof ReadError) throw thrown;
    throw new ReadError(
      'invalid-media',
      isCutOff(buffer)
        ? cutOffMessage(name)
        : `${name} is damaged: its directory cannot be read. Copy or pack it anew.`,
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

function refusalOf({ entry, path }: Member, { maxFileBytes }: UnpackLimits): RefusedContent | undefined {
  if ('refused' in path) return { code: 'invalid-media', message: path.refused };
  if (!regularKinds.has(kindOf(entry)))
    return {
      code: 'unsupported-media',
      message: 'It is a link or a device of the archive and no file: those are never followed. Pack the file itself.',
    };
  const lock = entry.isEncrypted() ? lockOf(entry) : undefined;
  if (entry.isEncrypted() && lock === undefined)
    return {
      code: 'unsupported-media',
      message:
        'It is encrypted in a way of PKWARE that cannot be read, whatever the password. Pack it anew with AES-256, or without a password.',
    };
  const method = lock?.method ?? entry.compressionMethod;
  if (!isUnpackable(method))
    return {
      code: 'unsupported-media',
      message: `It is packed by method ${method}, which cannot be read. Pack it anew as plain ZIP ("deflate").`,
    };
  if (entry.uncompressedSize > maxFileBytes)
    return {
      code: 'too-large',
      message: `It has ${overLimit(entry.uncompressedSize, maxFileBytes)} of a file in an archive.`,
    };
  return undefined;
}

const damaged = (what: string): RefusedContent => ({ code: 'invalid-media', message: damagedMessage(what) });

/** As they stand in the archive; throws for a header that is none. Fewer than the directory says where the archive is cut off. */
async function packedOf(zip: ZipFile, buffer: Buffer, entry: Entry): Promise<Buffer> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  return buffer.subarray(fileDataStart, fileDataStart + entry.compressedSize);
}

/** The file, or that it is not what the directory says: then the other files are read all the same. */
async function contentOf({ zip, buffer, keys }: Reading, entry: Entry): Promise<UnpackedFile['content']> {
  let packed: Buffer;
  try {
    packed = await packedOf(zip, buffer, entry);
  } catch (thrown) {
    return damaged(String((thrown as Error).message).slice(0, 100));
  }
  if (packed.length < entry.compressedSize) return damaged('it ends too early');
  const lock = entry.isEncrypted() ? lockOf(entry) : undefined;
  return lock === undefined ? unpack(packed, entry) : keys.open(packed, lock, (plain) => unpack(plain, entry, lock));
}

function unpack(packed: Buffer, entry: Entry, lock?: MemberLock): Uint8Array | RefusedContent {
  try {
    const method = lock?.method ?? entry.compressionMethod;
    const content = unpackMember(packed, { method, bytes: entry.uncompressedSize });
    const isChecked = lock?.kind !== 'aes' || lock.hasChecksum;
    return !isChecked || crc32(content) === entry.crc32 ? content : damaged('its checksum is wrong');
  } catch (thrown) {
    if (thrown instanceof PackingFault) return damaged(thrown.message);
    throw thrown;
  }
}

const endBytes = 22;
const mark = Buffer.from('PK\u0005\u0006', 'latin1');
const entryMark = 0x02014b50;

interface ZipEnd {
  /** The archive up to its end. */
  readonly archive: Buffer;
  /** How many parts it was split into; 1 for a whole one. */
  readonly parts: number;
}

/**
 * The last end in the file (APPNOTE 6.3.10, 4.3.16); of a file without one, the file as it is. Downloads and copies have bytes behind it: what is cut
 * off is behind an end whose directory lies where it says.
 */
function zipEnd(file: Buffer): ZipEnd {
  for (let at = file.lastIndexOf(mark); at >= 0; at = at === 0 ? -1 : file.lastIndexOf(mark, at - 1)) {
    if (at + endBytes > file.length) continue;
    const end = at + endBytes + file.readUInt16LE(at + 20);
    const disk = file.readUInt16LE(at + 4);
    if (end === file.length) return { archive: file, parts: disk === 0xffff ? 1 : disk + 1 };
    const directory = file.readUInt32LE(at + 16);
    const isThere = directory + 4 <= at && file.readUInt32LE(directory) === entryMark;
    if (end < file.length && isThere) return { archive: file.subarray(0, end), parts: disk + 1 };
  }
  return { archive: file, parts: 1 };
}
