// RC4 as Office 97 to 2003 used it ([MS-OFFCRYPTO] §2.3.5 CryptoAPI and §2.3.6 with keys of 40 bits): a key for each block of a stream. Node's OpenSSL has no
// RC4 any more, so it stands here. Invariant: a password is checked before anything is decrypted.

import { lockedOtherwise } from '../containers/locked.ts';
import { digest, inOrder, passwordBytes } from './office-key.ts';
import { isRc4, readCryptoHeader } from './office-standard.ts';

/** The key of a block, by its number. */
export type BlockKey = (block: number) => Buffer;

/** The key for a password; undefined where it does not fit. Reads what stands behind the version of an encryption's description. */
export type Rc4Lock = (password: string) => BlockKey | undefined;

/** `info`: with its version. Throws `invalid-media` for encryption that is not read. */
export function rc4LockOf(info: Buffer, name: string): Rc4Lock {
  const [major, minor] = info.length < 4 ? [0, 0] : [info.readUInt16LE(0), info.readUInt16LE(2)];
  if (major === 1 && minor === 1 && info.length >= 52) return shortKeys(info.subarray(4));
  if (minor !== 2) throw lockedOtherwise(name, 'in a way that cannot be read');
  const header = readCryptoHeader(info.subarray(4), name);
  if (!isRc4(header)) throw lockedOtherwise(name, 'with a cipher that cannot be read');
  const keyBytes = header.keyBits / 8;
  return (password) => {
    const base = digest('sha1', header.salt, passwordBytes(password));
    const keyOf: BlockKey = (block) => {
      const key = digest('sha1', base, inOrder(block)).subarray(0, keyBytes);
      return keyBytes === 5 ? Buffer.concat([key, Buffer.alloc(11)]) : key;
    };
    const plain = rc4(keyOf(0), Buffer.concat([header.check, header.checkHash.subarray(0, 20)]));
    return digest('sha1', plain.subarray(0, 16)).equals(plain.subarray(16)) ? keyOf : undefined;
  };
}

/** Of Office 97: salt, check and its hash, 16 bytes each. */
function shortKeys(info: Buffer): Rc4Lock {
  const [salt, check, checkHash] = [0, 16, 32].map((at) => info.subarray(at, at + 16)) as [Buffer, Buffer, Buffer];
  return (password) => {
    const start = digest('md5', passwordBytes(password)).subarray(0, 5);
    const rounds = Array.from({ length: 16 }, () => Buffer.concat([start, salt]));
    const base = digest('md5', ...rounds).subarray(0, 5);
    const keyOf: BlockKey = (block) => digest('md5', base, inOrder(block));
    const plain = rc4(keyOf(0), Buffer.concat([check, checkHash]));
    return digest('md5', plain.subarray(0, 16)).equals(plain.subarray(16)) ? keyOf : undefined;
  };
}

/** A stream with a key for each block of so many bytes. */
export function rc4Blocks(bytes: Buffer, keyOf: BlockKey, blockBytes: number): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0, block = 0; at < bytes.length; at += blockBytes, block++)
    blocks.push(rc4(keyOf(block), bytes.subarray(at, at + blockBytes)));
  return Buffer.concat(blocks);
}

function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number): void => {
    const kept = state[a] as number;
    state[a] = state[b] as number;
    state[b] = kept;
  };
  for (let at = 0, other = 0; at < 256; at++) {
    other = (other + (state[at] as number) + (key[at % key.length] as number)) & 0xff;
    swap(at, other);
  }
  const plain = Buffer.alloc(bytes.length);
  for (let at = 0, first = 0, second = 0; at < bytes.length; at++) {
    first = (first + 1) & 0xff;
    second = (second + (state[first] as number)) & 0xff;
    swap(first, second);
    plain[at] =
      (bytes[at] as number) ^ (state[((state[first] as number) + (state[second] as number)) & 0xff] as number);
  }
  return plain;
}
