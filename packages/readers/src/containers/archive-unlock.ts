// Opens encrypted files of a ZIP archive: the old cipher (APPNOTE 6.3.10 §6.1) and WinZip's AES (AE-1 and AE-2 of winzip.com/en/support/aes-encryption),
// the latter over node:crypto. Invariant: what AES gives is authenticated; of the old cipher one wrong password in 256 passes its check,
// so that only the checksum of what comes out tells.
import { createCipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import type { Entry } from 'yauzl';

/** How a member is locked, by its directory entry. */
export type MemberLock =
  | { readonly kind: 'classic'; readonly check: number; readonly method: number }
  | { readonly kind: 'aes'; readonly keyBytes: number; readonly method: number; readonly hasChecksum: boolean };

const classicHeader = 12;
const aesTagBytes = 10;
const aesRounds = 1000;
const aesExtra = 0x9901;
/** Flags: sizes and checksum stand behind the data; PKWARE's own scheme of certificates; names are masked. */
const [streamed, strong, masked] = [0x0008, 0x0040, 0x2000];

/** Undefined for schemes that are not read. */
export function lockOf(entry: Entry): MemberLock | undefined {
  const flags = entry.generalPurposeBitFlag;
  if ((flags & (strong | masked)) !== 0) return undefined;
  if (entry.compressionMethod !== 99)
    return {
      kind: 'classic',
      check: (flags & streamed) !== 0 ? (entry.lastModFileTime >>> 8) & 0xff : entry.crc32 >>> 24,
      method: entry.compressionMethod,
    };
  const extra = entry.extraFields.find(({ id, data }) => id === aesExtra && data.length >= 7)?.data;
  const strength = extra?.[4] ?? 0;
  if (extra === undefined || strength < 1 || strength > 3) return undefined;
  return {
    kind: 'aes',
    keyBytes: 8 + 8 * strength,
    method: extra.readUInt16LE(5),
    // AE-2 leaves it out, since it would tell of the content.
    hasChecksum: extra.readUInt16LE(0) !== 2,
  };
}

export type Unlocked =
  /** The password does not fit. */
  | undefined
  /** It fits, and the content was changed or cut. */
  | 'damaged'
  | Buffer;

/** Whether a password fits, as far as the two bytes beside the salt tell. */
export const mayFit = (packed: Buffer, lock: Extract<MemberLock, { kind: 'aes' }>, password: Buffer): boolean =>
  aesKeys(packed, lock, password) !== undefined;

export function unlock(packed: Buffer, lock: MemberLock, password: Buffer): Unlocked {
  if (lock.kind === 'classic') {
    const keys = classicKeys(packed, lock.check, password);
    if (keys === undefined) return undefined;
    const plain = Buffer.from(packed.subarray(classicHeader));
    keys.decrypt(plain);
    return plain;
  }
  const keys = aesKeys(packed, lock, password);
  if (keys === undefined) return undefined;
  const content = packed.subarray(keys.start, packed.length - aesTagBytes);
  const tag = createHmac('sha1', keys.signing).update(content).digest().subarray(0, aesTagBytes);
  if (!timingSafeEqual(tag, packed.subarray(packed.length - aesTagBytes))) return 'damaged';
  return counterMode(content, keys.encrypting);
}

// ---- the old cipher ------------------------------------------------------------------------------------------------------

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ 0xedb88320;
  return value >>> 0;
});

interface ClassicKeys {
  /** In place. */
  decrypt(bytes: Buffer): void;
}

/** Three numbers that every byte changes; undefined where the last byte of the header is not what it must be. */
function classicKeys(packed: Buffer, check: number, password: Buffer): ClassicKeys | undefined {
  if (packed.length < classicHeader) return undefined;
  let [first, second, third] = [0x12345678, 0x23456789, 0x34567890];
  const take = (byte: number): void => {
    first = (first >>> 8) ^ (crcTable[(first ^ byte) & 0xff] as number);
    second = (Math.imul((second + (first & 0xff)) | 0, 134775813) + 1) | 0;
    third = (third >>> 8) ^ (crcTable[(third ^ (second >>> 24)) & 0xff] as number);
  };
  const decrypt = (bytes: Buffer): void => {
    for (let at = 0; at < bytes.length; at++) {
      const mixed = (third | 2) & 0xffff;
      const byte = (bytes[at] as number) ^ ((Math.imul(mixed, mixed ^ 1) >>> 8) & 0xff);
      bytes[at] = byte;
      take(byte);
    }
  };
  for (const byte of password) take(byte);
  const header = Buffer.from(packed.subarray(0, classicHeader));
  decrypt(header);
  return header[classicHeader - 1] === check ? { decrypt } : undefined;
}

// ---- AES -----------------------------------------------------------------------------------------------------------------

interface AesKeys {
  readonly encrypting: Buffer;
  readonly signing: Buffer;
  /** Where the content begins, behind salt and check. */
  readonly start: number;
}

function aesKeys(
  packed: Buffer,
  { keyBytes }: Extract<MemberLock, { kind: 'aes' }>,
  password: Buffer,
): AesKeys | undefined {
  const saltBytes = keyBytes / 2;
  const start = saltBytes + 2;
  if (packed.length < start + aesTagBytes) return undefined;
  const derived = pbkdf2Sync(password, packed.subarray(0, saltBytes), aesRounds, 2 * keyBytes + 2, 'sha1');
  if (!derived.subarray(2 * keyBytes).equals(packed.subarray(saltBytes, start))) return undefined;
  return { encrypting: derived.subarray(0, keyBytes), signing: derived.subarray(keyBytes, 2 * keyBytes), start };
}

const block = 16;
const blocksAtOnce = 4096;

/** Counter mode whose counter begins at 1 and is little-endian, which node:crypto's is not: its key stream is made by ECB. */
function counterMode(content: Buffer, key: Buffer): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  const plain = Buffer.alloc(content.length);
  const counters = Buffer.alloc(block * Math.min(blocksAtOnce, Math.ceil(content.length / block)));
  let counter = 0;
  for (let from = 0; from < content.length; from += counters.length) {
    for (let at = 0; at < counters.length; at += block) {
      counter += 1;
      counters.writeUInt32LE(counter % 2 ** 32, at);
    }
    const stream = cipher.update(counters);
    const end = Math.min(content.length, from + stream.length);
    for (let at = from; at < end; at++) plain[at] = (content[at] as number) ^ (stream[at - from] as number);
  }
  return plain;
}
