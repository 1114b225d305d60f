// The binary description of an encryption that Office 2007 and the CryptoAPI of Office 2002 share ([MS-OFFCRYPTO] §2.3.2 to §2.3.5), and the "standard" encryption
// of Office 2007 files (§2.3.4.7: AES in ECB, SHA-1), over node:crypto. It has no authentication code: the ZIP inside has checksums of its own.
import { createDecipheriv } from 'node:crypto';
import { lockedOtherwise } from '../containers/locked.ts';
import { ReadError } from '../read-error.ts';
import { digest, inOrder, spunHash } from './office-key.ts';

export interface CryptoHeader {
  readonly algorithm: number;
  readonly keyBits: number;
  readonly salt: Buffer;
  readonly check: Buffer;
  readonly checkHash: Buffer;
}

const algorithms = { rc4: 0x6801, aes128: 0x660e, aes192: 0x660f, aes256: 0x6610 } as const;
const sha1 = 0x8004;
const spins = 50_000;

export const isRc4 = ({ algorithm }: CryptoHeader): boolean => algorithm === algorithms.rc4;

/** What stands behind the version. Throws `invalid-media` where it is cut off or describes another hash. */
export function readCryptoHeader(bytes: Buffer, name: string): CryptoHeader {
  const damaged = (): ReadError =>
    new ReadError(
      'invalid-media',
      `${name} is damaged: its encryption is described in a way that cannot be read. Save it again.`,
    );
  if (bytes.length < 8) throw damaged();
  const headerBytes = bytes.readUInt32LE(4);
  const at = 8 + headerBytes;
  if (headerBytes < 20 || at + 44 > bytes.length) throw damaged();
  const hash = bytes.readUInt32LE(8 + 12);
  if (hash !== 0 && hash !== sha1) throw lockedOtherwise(name, 'with a hash that cannot be read');
  const algorithm = bytes.readUInt32LE(8 + 8);
  return {
    algorithm: algorithm === 0 ? algorithms.rc4 : algorithm,
    keyBits: bytes.readUInt32LE(8 + 16) || 40,
    salt: bytes.subarray(at + 4, at + 20),
    check: bytes.subarray(at + 20, at + 36),
    checkHash: bytes.subarray(at + 40),
  };
}

export interface StandardPackage {
  readonly header: CryptoHeader;
  readonly content: Buffer;
  readonly name: string;
}

/** The file inside; undefined where no password fits. */
export function openStandard(
  { header, content, name }: StandardPackage,
  passwords: readonly string[],
): Buffer | undefined {
  const { algorithm, keyBits, salt, check, checkHash } = header;
  const known: readonly number[] = [algorithms.aes128, algorithms.aes192, algorithms.aes256];
  const keyBytes = 16 + 8 * known.indexOf(algorithm);
  if (!known.includes(algorithm) || keyBits !== keyBytes * 8)
    throw lockedOtherwise(name, 'with a cipher that cannot be read');
  for (const password of passwords) {
    const base = digest('sha1', spunHash(password, { hash: 'sha1', salt, spins, name }), inOrder(0));
    const key = Buffer.concat([padded(base, 0x36), padded(base, 0x5c)]).subarray(0, keyBytes);
    const expected = digest('sha1', decrypt(check, key));
    if (!expected.equals(decrypt(checkHash.subarray(0, 32), key).subarray(0, expected.length))) continue;
    const length = content.length < 8 ? 0 : content.readUInt32LE(0);
    const plain = decrypt(content.subarray(8), key);
    if (length === 0 || length > plain.length)
      throw new ReadError('invalid-media', `${name} is damaged: it ends too early. Copy it anew, or save it again.`);
    return plain.subarray(0, length);
  }
  return undefined;
}

/** SHA-1 of a block of one byte that the hash is mixed into, as HMAC does. */
function padded(hash: Buffer, filler: number): Buffer {
  const block = Buffer.alloc(64, filler);
  for (const [at, byte] of hash.entries()) block[at] = (block[at] ?? 0) ^ byte;
  return digest('sha1', block);
}

function decrypt(bytes: Buffer, key: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  return cipher.update(bytes.subarray(0, bytes.length - (bytes.length % 16)));
}
