// Keys and ciphers of encrypted OpenDocument parts (ODF 1.3 part 2 §3.4; of LibreOffice 24.8 and later also AES-GCM with keys by Argon2id), over node:crypto.
// Invariant: how much work a key is, and how much memory it takes, stands in the file, so it is bounded here.
import { argon2Sync, createDecipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import { lockedOtherwise } from '../containers/locked.ts';
import { attributeOf, childOf, type XmlElement } from '../containers/xml-text.ts';
import { ReadError } from '../read-error.ts';

/** LibreOffice writes 100,000 rounds for each part, or 600,000 for the whole; and 3 passes over 64 MiB. */
const mostRounds = 1_000_000;
const mostPasses = 10;
const mostMemoryKiB = 128 * 1024;
const mostLanes = 16;
/** Of all parts of one file: two seconds for each ten million. */
const mostRoundsInAll = 50_000_000;

/** Deciphers a part; undefined where the cipher itself says that the password does not fit. */
type Decipher = (sealed: Buffer) => Buffer | undefined;

export interface PartLock {
  decipherFor(password: string): Decipher;
  /** Of the first 1024 bytes that come out, still packed; absent where the cipher has a code of its own. */
  readonly checksum?: { readonly hash: string; readonly value: Buffer };
}

const base64 = (element: XmlElement | undefined, name: string): Buffer =>
  Buffer.from(attributeOf(element, name) ?? '', 'base64');

const areCounts = (...numbers: readonly number[]): boolean =>
  numbers.every((number) => Number.isInteger(number) && number > 0);

/** Reads the locks of one file, whose work is counted together. */
export function createLockReader(name: string): (encryption: XmlElement) => PartLock {
  const keys = new Map<string, Buffer>();
  let rounds = 0;

  const tooMuch = (what: string): ReadError =>
    new ReadError(
      'too-large',
      `${name} asks for ${what} to try one password: more than is done. Save it without a password.`,
    );

  const damaged = (): ReadError =>
    new ReadError(
      'invalid-media',
      `${name} is damaged: how its key is made is described in a way that cannot be read. Save it again.`,
    );

  function derive(start: Buffer, derivation: XmlElement | undefined, keyBytes: number): Buffer {
    const how = attributeOf(derivation, 'key-derivation-name') ?? 'PBKDF2';
    const salt = base64(derivation, 'salt');
    const number = (attribute: string, fallback: number): number =>
      Number(attributeOf(derivation, attribute) ?? fallback);
    if (/argon2id$/iu.test(how)) {
      const [passes, memory, lanes] = [
        number('argon2-iterations', 3),
        number('argon2-memory', 65_536),
        number('argon2-lanes', 4),
      ];
      if (!(passes <= mostPasses && memory <= mostMemoryKiB && lanes <= mostLanes))
        throw tooMuch(`${passes} passes over ${memory} KiB`);
      // The least that RFC 9106 §3.1 allows, and that node:crypto takes.
      if (!areCounts(passes, memory, lanes) || memory < 8 * lanes || salt.length < 8) throw damaged();
      return argon2Sync('argon2id', {
        message: start,
        nonce: salt,
        parallelism: lanes,
        tagLength: keyBytes,
        memory,
        passes,
      });
    }
    if (!/pbkdf2$/iu.test(how)) throw lockedOtherwise(name, 'with a key that cannot be made');
    const count = number('iteration-count', 1024);
    rounds += count;
    if (!(count > 0 && count <= mostRounds && rounds <= mostRoundsInAll)) throw tooMuch(`${count} rounds of hashing`);
    if (!areCounts(count)) throw damaged();
    return pbkdf2Sync(start, salt, count, keyBytes, 'sha1');
  }

  return (encryption) => {
    const algorithm = childOf(encryption, 'algorithm');
    const derivation = childOf(encryption, 'key-derivation');
    const starting = childOf(encryption, 'start-key-generation');
    const cipher = cipherOf(attributeOf(algorithm, 'algorithm-name') ?? '', name);
    const vector = base64(algorithm, 'initialisation-vector');
    const startHash = /sha256$/iu.test(attributeOf(starting, 'start-key-generation-name') ?? '') ? 'sha256' : 'sha1';
    const keyName = (password: string): string =>
      JSON.stringify([password, startHash, cipher.keyBytes, derivation?.attributes ?? {}]);
    const hash = /sha-?(1|256)(?:-1k|\/1k)$/iu.exec(attributeOf(encryption, 'checksum-type') ?? '')?.[1];
    const value = base64(encryption, 'checksum');
    return {
      decipherFor(password) {
        const known = keyName(password);
        const start = createHash(startHash).update(password, 'utf8').digest();
        const key = keys.get(known) ?? derive(start, derivation, cipher.keyBytes);
        keys.set(known, key);
        return (sealed) => cipher.open(sealed, key, vector);
      },
      ...(hash !== undefined && value.length > 0 && { checksum: { hash: `sha${hash}`, value } }),
    };
  };
}

interface Cipher {
  readonly keyBytes: number;
  open(sealed: Buffer, key: Buffer, vector: Buffer): Buffer | undefined;
}

function cipherOf(algorithm: string, name: string): Cipher {
  const [, bits = '', mode = ''] = /aes(128|192|256)-(cbc|gcm)$/iu.exec(algorithm) ?? [];
  if (mode !== '') return { keyBytes: Number(bits) / 8, open: mode.toLowerCase() === 'cbc' ? openCbc : openGcm };
  if (/blowfish/iu.test(algorithm)) throw lockedOtherwise(name, 'with Blowfish, as before OpenDocument 1.2');
  throw lockedOtherwise(name, 'with a cipher that cannot be read');
}

/** Padded as the W3C's XML Encryption §5.2 says: the last byte counts. */
function openCbc(sealed: Buffer, key: Buffer, vector: Buffer): Buffer | undefined {
  if (sealed.length === 0 || sealed.length % 16 !== 0 || vector.length !== 16) return undefined;
  const plain = createDecipheriv(`aes-${key.length * 8}-cbc`, key, vector)
    .setAutoPadding(false)
    .update(sealed);
  const padding = plain.at(-1) ?? 0;
  return padding >= 1 && padding <= 16 ? plain.subarray(0, plain.length - padding) : undefined;
}

const [gcmVectorBytes, gcmTagBytes] = [12, 16];

/** The vector stands before, the code behind (XML Encryption 1.1 §5.2.4). */
function openGcm(sealed: Buffer, key: Buffer, vector: Buffer): Buffer | undefined {
  const inner = sealed.subarray(gcmVectorBytes, sealed.length - gcmTagBytes);
  if (sealed.length < gcmVectorBytes + gcmTagBytes || !vector.equals(sealed.subarray(0, gcmVectorBytes)))
    return undefined;
  const cipher = createDecipheriv(`aes-${(key.length * 8) as 256}-gcm`, key, vector);
  cipher.setAuthTag(sealed.subarray(sealed.length - gcmTagBytes));
  try {
    return Buffer.concat([cipher.update(inner), cipher.final()]);
  } catch {
    return undefined;
  }
}
