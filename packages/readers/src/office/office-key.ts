// Keys from passwords as Office makes them ([MS-OFFCRYPTO] §2.3.4.7, §2.3.4.11, §2.3.6.2, §2.3.5.2). Invariant: how often a password is hashed stands in the
// file, so it is bounded here.
import { createHash } from 'node:crypto';
import { ReadError } from '../read-error.ts';

/** Hashes that Office uses for keys, by how it calls them. */
const hashes: Readonly<Record<string, string>> = {
  SHA1: 'sha1',
  'SHA-1': 'sha1',
  SHA256: 'sha256',
  'SHA-256': 'sha256',
  SHA384: 'sha384',
  'SHA-384': 'sha384',
  SHA512: 'sha512',
  'SHA-512': 'sha512',
};

/** Undefined for others. */
export const hashNamed = (name: string | undefined): string | undefined => hashes[name?.toUpperCase() ?? ''];

/** Office writes 100,000, and allows ten million: 15 seconds. A tenth of that is enough for any honest file. */
const maxSpins = 1_000_000;

export const digest = (hash: string, ...parts: readonly Uint8Array[]): Buffer => {
  const state = createHash(hash);
  for (const part of parts) state.update(part);
  return state.digest();
};

export const inOrder = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
};

/** Passwords are hashed as UTF-16; Office cuts them at 255 characters. */
export const passwordBytes = (password: string): Buffer => Buffer.from(password.slice(0, 255), 'utf16le');

export interface Spinning {
  readonly hash: string;
  readonly salt: Uint8Array;
  readonly spins: number;
  /** For people, of the file. */
  readonly name: string;
}

/** Throws `too-large` for a file that would have its reader hash without end. */
export function spunHash(password: string, { hash, salt, spins, name }: Spinning): Buffer {
  if (!(spins >= 0 && spins <= maxSpins))
    throw new ReadError(
      'too-large',
      `${name} asks for ${spins} rounds of hashing to try one password; at most ${maxSpins} are made. Save it without a password.`,
    );
  let state = digest(hash, salt, passwordBytes(password));
  const round = Buffer.alloc(4 + state.length);
  for (let spin = 0; spin < spins; spin++) {
    round.writeUInt32LE(spin);
    state.copy(round, 4);
    state = createHash(hash).update(round).digest();
  }
  return state;
}

/** Cut, or filled up with 0x36. */
export function fitted(bytes: Buffer, length: number): Buffer {
  return bytes.length >= length
    ? bytes.subarray(0, length)
    : Buffer.concat([bytes, Buffer.alloc(length - bytes.length, 0x36)]);
}
