// Opens the "agile" encryption of Office 2010 and later ([MS-OFFCRYPTO] §2.3.4.10 to §2.3.4.15: AES-CBC in pieces of 4096 bytes, keys by SHA-1 to SHA-512) over
// node:crypto. Invariant: the authentication code of the whole is checked, so that nothing changed is given out.
import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { lockedOtherwise } from '../containers/locked.ts';
import { attributeOf, descendantsOf, parseXmlTree, type XmlElement } from '../containers/xml-text.ts';
import { ReadError } from '../read-error.ts';
import { digest, fitted, hashNamed, inOrder, spunHash } from './office-key.ts';

/** What a key is for (§2.3.4.11, §2.3.4.14). */
const purpose = {
  check: Buffer.from('fea7d2763b4b9e79', 'hex'),
  checkHash: Buffer.from('d7aa0f6d3061344e', 'hex'),
  key: Buffer.from('146e0be7abacd0d6', 'hex'),
  signingKey: Buffer.from('5fb2ad010cb9e1f6', 'hex'),
  signature: Buffer.from('a0677f02b22c8433', 'hex'),
} as const;
const pieceBytes = 4096;

interface Scheme {
  readonly hash: string;
  readonly hashBytes: number;
  readonly keyBytes: number;
  readonly blockBytes: number;
  readonly salt: Buffer;
}

export interface AgilePackage {
  /** The XML of EncryptionInfo. */
  readonly info: string;
  /** The stream EncryptedPackage: its length, then the pieces. */
  readonly content: Buffer;
  readonly name: string;
}

/**
 * The file inside; undefined where the password does not fit. Throws `invalid-media` for damage and for what only a certificate opens,
 * `too-large` for too many rounds.
 */
export function openAgile({ info, content, name }: AgilePackage, passwords: readonly string[]): Buffer | undefined {
  const damaged = (why: string): ReadError =>
    new ReadError('invalid-media', `${name} is damaged: ${why}. Copy it anew, or save it again.`);
  const root = parseXmlTree(info, name);
  const data = descendantsOf(root, 'keyData').next().value;
  const integrity = descendantsOf(root, 'dataIntegrity').next().value;
  // Beside the one of the password there may be some of certificates.
  const sealed = [...descendantsOf(root, 'encryptedKey')].find((key) => attributeOf(key, 'spinCount') !== undefined);
  if (data && !sealed) throw lockedOtherwise(name, 'for the holders of certificates');
  const scheme = data && schemeOf(data);
  const keyScheme = sealed && schemeOf(sealed);
  if (!scheme || !keyScheme || !sealed || !integrity || content.length < 8)
    throw damaged('its encryption is described in a way that cannot be read');
  const bytesOf = (element: XmlElement, attribute: string): Buffer =>
    Buffer.from(attributeOf(element, attribute) ?? '', 'base64');

  const open = (password: string): Buffer | undefined => {
    const spins = Number(attributeOf(sealed, 'spinCount'));
    const base = spunHash(password, { ...keyScheme, spins, name });
    const unseal = (attribute: string, forWhat: Buffer): Buffer => {
      const key = fitted(digest(keyScheme.hash, base, forWhat), keyScheme.keyBytes);
      return decrypt(bytesOf(sealed, attribute), key, fitted(keyScheme.salt, keyScheme.blockBytes));
    };
    const check = unseal('encryptedVerifierHashInput', purpose.check).subarray(0, keyScheme.salt.length);
    const checkHash = unseal('encryptedVerifierHashValue', purpose.checkHash);
    const expected = digest(keyScheme.hash, check);
    if (!expected.equals(checkHash.subarray(0, expected.length))) return undefined;
    return unseal('encryptedKeyValue', purpose.key).subarray(0, scheme.keyBytes);
  };
  const startFor = (forWhat: Buffer): Buffer => fitted(digest(scheme.hash, scheme.salt, forWhat), scheme.blockBytes);

  for (const password of passwords) {
    const key = open(password);
    if (key === undefined) continue;
    if (key.length < scheme.keyBytes) throw damaged('its key is cut short');
    const signingKey = decrypt(bytesOf(integrity, 'encryptedHmacKey'), key, startFor(purpose.signingKey));
    const signature = decrypt(bytesOf(integrity, 'encryptedHmacValue'), key, startFor(purpose.signature));
    const made = createHmac(scheme.hash, signingKey.subarray(0, scheme.hashBytes)).update(content).digest();
    if (signature.length < made.length || !timingSafeEqual(made, signature.subarray(0, made.length)))
      throw damaged('it was changed or cut after it was encrypted');
    const length = content.readUInt32LE(0) + content.readUInt32LE(4) * 2 ** 32;
    const pieces: Buffer[] = [];
    for (let at = 8, index = 0; at < content.length; at += pieceBytes, index++)
      pieces.push(decrypt(content.subarray(at, at + pieceBytes), key, startFor(inOrder(index))));
    const plain = Buffer.concat(pieces);
    if (length > plain.length) throw damaged('it ends too early');
    return plain.subarray(0, length);
  }
  return undefined;
}

function schemeOf(element: XmlElement): Scheme | undefined {
  const number = (name: string): number => Number(attributeOf(element, name));
  const hash = hashNamed(attributeOf(element, 'hashAlgorithm'));
  const [keyBytes, blockBytes, hashBytes] = [number('keyBits') / 8, number('blockSize'), number('hashSize')];
  const salt = Buffer.from(attributeOf(element, 'saltValue') ?? '', 'base64');
  const isKnown =
    attributeOf(element, 'cipherAlgorithm') === 'AES' &&
    attributeOf(element, 'cipherChaining') === 'ChainingModeCBC' &&
    [16, 24, 32].includes(keyBytes) &&
    blockBytes === 16 &&
    hashBytes > 0 &&
    salt.length > 0;
  return isKnown && hash !== undefined ? { hash, hashBytes, keyBytes, blockBytes, salt } : undefined;
}

/** Whole blocks only: what is cut off is no content. */
function decrypt(bytes: Buffer, key: Buffer, start: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, start).setAutoPadding(false);
  return cipher.update(bytes.subarray(0, bytes.length - (bytes.length % 16)));
}
