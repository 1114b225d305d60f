// Opens encrypted OpenDocument files: part by part (ODF 1.2 and 1.3), or as one package in a package (LibreOffice 24.8 and later). What it gives reads as the ZIP of
// a file without a password. Invariant: what comes out of a part is bounded as what is unpacked of a plain file is.
import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { locked, lockedOtherwise } from '../containers/locked.ts';
import { attributeOf, childOf, descendantsOf, parseXmlTree } from '../containers/xml-text.ts';
import { decodePart, openZip, type ZipFile } from '../containers/zip.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput } from '../reader.ts';
import { createLockReader, type PartLock } from './opendocument-key.ts';

const maxPartBytes = 64 * 1024 * 1024;
const maxUnpackedBytes = 512 * 1024 * 1024;
const checkedBytes = 1024;
const whole = 'encrypted-package';

/** The file as it is where nothing of it is encrypted. Throws `invalid-media` with `details.reason` for a missing or wrong password. */
export function unlockedOpenDocument(zip: ZipFile, { name, password }: ParseInput): ZipFile {
  const manifest = zip.text('META-INF/manifest.xml');
  if (manifest === undefined || !/<(?:[\w.-]+:)?(?:encryption-data|keyinfo)\b/u.test(manifest)) return zip;
  const root = parseXmlTree(manifest.replace(/<!DOCTYPE[^<>[]*>/iu, ''), name);
  const readLock = createLockReader(name);
  const locks = new Map<string, PartLock>();
  const isForKeys = !descendantsOf(root, 'keyinfo').next().done || !descendantsOf(root, 'encrypted-key').next().done;
  if (isForKeys) throw lockedOtherwise(name, 'for the holders of OpenPGP keys');
  for (const entry of descendantsOf(root, 'file-entry')) {
    const encryption = childOf(entry, 'encryption-data');
    const path = attributeOf(entry, 'full-path');
    if (encryption !== undefined && path !== undefined) locks.set(path.toLowerCase(), readLock(encryption));
  }
  if (locks.size === 0) return zip;
  if (password === undefined) throw locked(name, undefined);

  let unpackedBytes = 0;
  const damaged = (part: string): ReadError =>
    new ReadError('invalid-media', `${name} is damaged: its part ${part} cannot be decrypted. Save it again.`);
  const read = (part: string, maxBytes = maxPartBytes): Uint8Array | undefined => {
    const sealed = zip.bytes(part);
    const lock = locks.get(part.toLowerCase().replace(/^\//u, ''));
    if (sealed === undefined || lock === undefined) return sealed;
    const packed = opened(Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength), lock, password);
    if (packed === undefined) throw damaged(part);
    const content = unpack(packed, Math.min(maxBytes, maxUnpackedBytes - unpackedBytes));
    if (content === 'too much')
      throw new ReadError('too-large', `${name} unpacks to more than a document may hold: refused as a bomb.`);
    if (content === undefined) throw damaged(part);
    unpackedBytes += content.length;
    return content;
  };

  const [first = ''] = ['content.xml', ...locks.keys()].filter((part) => locks.has(part) && zip.has(part));
  const tried = locks.get(first);
  const sample = zip.bytes(first);
  if (tried === undefined || sample === undefined) throw damaged('content.xml');
  if (opened(Buffer.from(sample), tried, password) === undefined) throw locked(name, password);
  if (locks.has(whole)) return openZip(read(whole, maxUnpackedBytes) ?? new Uint8Array(), name);
  return {
    entries: zip.entries,
    has: zip.has,
    bytes: read,
    text(part, maxBytes) {
      const content = read(part, maxBytes);
      return content === undefined ? undefined : decodePart(content);
    },
  };
}

/** Still packed; undefined where the password does not fit, or the part was changed. */
function opened(sealed: Buffer, { decipherFor, checksum }: PartLock, password: string): Buffer | undefined {
  const packed = decipherFor(password)(sealed);
  if (packed === undefined || checksum === undefined) return packed;
  const sum = createHash(checksum.hash).update(packed.subarray(0, checkedBytes)).digest();
  return sum.equals(checksum.value) ? packed : undefined;
}

/** Parts are deflated before they are encrypted; a package inside a package may stand as it is. */
function unpack(packed: Buffer, maxBytes: number): Uint8Array | 'too much' | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return 'too much';
    return packed.toString('latin1', 0, 4) === 'PK\x03\x04' ? packed : undefined;
  }
}
