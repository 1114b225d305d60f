// Encrypts office files for tests as [MS-OFFCRYPTO] and ODF 1.3 say, in every variant that their writers may choose.
import { argon2Sync, createCipheriv, createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { CFB } from '@e965/xlsx';
import { zipOf } from './zip-fixture.ts';

const word = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
};

export interface AgileChoice {
  readonly hash: 'sha1' | 'sha256' | 'sha384' | 'sha512';
  readonly keyBits: 128 | 192 | 256;
  readonly spins?: number;
  /** Changes what is written in the end. */
  readonly spoil?: (streams: { info: string; content: Buffer }) => void;
}

/** An "agile" package. */
export function agileOf(
  plain: Uint8Array,
  password: string,
  { hash, keyBits, spins = 1000, spoil }: AgileChoice,
): Uint8Array {
  const sum = (...parts: readonly Uint8Array[]): Buffer => createHash(hash).update(Buffer.concat(parts)).digest();
  const filled = (bytes: Buffer, length: number): Buffer =>
    Buffer.concat([bytes, Buffer.alloc(Math.max(0, length - bytes.length), 0x36)]).subarray(0, length);
  const pad = (bytes: Uint8Array): Buffer => Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)]);
  const encrypt = (bytes: Uint8Array, key: Buffer, start: Buffer): Buffer =>
    createCipheriv(`aes-${keyBits}-cbc`, key, start).setAutoPadding(false).update(pad(bytes));
  const [salt, keySalt] = [Buffer.alloc(16, 7), Buffer.alloc(16, 9)];
  const [secret, signing, check] = [Buffer.alloc(keyBits / 8, 3), Buffer.alloc(sum().length, 5), Buffer.alloc(16, 1)];
  let base = sum(keySalt, Buffer.from(password, 'utf16le'));
  for (let spin = 0; spin < spins; spin++) base = sum(word(spin), base);
  const seal = (bytes: Uint8Array, purpose: string): string =>
    encrypt(bytes, filled(sum(base, Buffer.from(purpose, 'hex')), keyBits / 8), keySalt).toString('base64');
  const startOf = (purpose: Uint8Array): Buffer => filled(sum(salt, purpose), 16);
  const length = Buffer.concat([word(plain.length), word(0)]);
  const pieces: Buffer[] = [length];
  for (let at = 0; at < plain.length; at += 4096)
    pieces.push(encrypt(plain.subarray(at, at + 4096), secret, startOf(word(at / 4096))));
  const content = Buffer.concat(pieces);
  const signature = createHmac(hash, signing).update(content).digest();
  const scheme = (of: Buffer): string =>
    `saltSize="16" blockSize="16" keyBits="${keyBits}" hashSize="${sum().length}" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="${hash.toUpperCase()}" saltValue="${of.toString('base64')}"`;
  const info = `<?xml version="1.0" encoding="UTF-8"?><encryption xmlns="http://schemas.microsoft.com/office/2006/encryption" xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><keyData ${scheme(salt)}/><dataIntegrity encryptedHmacKey="${encrypt(signing, secret, startOf(Buffer.from('5fb2ad010cb9e1f6', 'hex'))).toString('base64')}" encryptedHmacValue="${encrypt(signature, secret, startOf(Buffer.from('a0677f02b22c8433', 'hex'))).toString('base64')}"/><keyEncryptors><keyEncryptor uri="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><p:encryptedKey spinCount="${spins}" ${scheme(keySalt)} encryptedVerifierHashInput="${seal(check, 'fea7d2763b4b9e79')}" encryptedVerifierHashValue="${seal(sum(check), 'd7aa0f6d3061344e')}" encryptedKeyValue="${seal(secret, '146e0be7abacd0d6')}"/></keyEncryptor></keyEncryptors></encryption>`;
  const streams = { info, content };
  spoil?.(streams);
  return compoundOf({
    EncryptionInfo: Buffer.concat([Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]), Buffer.from(streams.info)]),
    EncryptedPackage: streams.content,
  });
}

export function compoundOf(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const file = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${name}`, content);
  return new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer);
}

/** ODF as one package in a package, as LibreOffice 24.8 and later write it: AES-256-GCM with a key by Argon2id, or by PBKDF2. */
export function sealedWhole(
  plain: Uint8Array,
  password: string,
  { mime, memory = 1024 }: { readonly mime: string; readonly memory?: number },
): Uint8Array {
  const [salt, vector] = [Buffer.alloc(16, 4), Buffer.alloc(12, 8)];
  const message = createHash('sha256').update(password).digest();
  const key = argon2Sync('argon2id', {
    message,
    nonce: salt,
    parallelism: 4,
    tagLength: 32,
    memory: Math.min(memory, 65_536),
    passes: 3,
  });
  const cipher = createCipheriv('aes-256-gcm', key, vector);
  const sealed = Buffer.concat([vector, cipher.update(deflateRawSync(plain)), cipher.final(), cipher.getAuthTag()]);
  return zipOf({
    mimetype: mime,
    'encrypted-package': sealed,
    'META-INF/manifest.xml': `<manifest:manifest xmlns:manifest="m" xmlns:loext="l"><manifest:file-entry manifest:full-path="encrypted-package" manifest:media-type="${mime}" manifest:size="${plain.length}"><manifest:encryption-data><manifest:algorithm manifest:algorithm-name="http://www.w3.org/2009/xmlenc11#aes256-gcm" manifest:initialisation-vector="${vector.toString('base64')}"/><manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2001/04/xmlenc#sha256" manifest:key-size="32"/><manifest:key-derivation manifest:key-derivation-name="urn:org:documentfoundation:names:experimental:office:manifest:argon2id" manifest:key-size="32" loext:argon2-iterations="3" loext:argon2-memory="${memory}" loext:argon2-lanes="4" manifest:salt="${salt.toString('base64')}"/></manifest:encryption-data></manifest:file-entry></manifest:manifest>`,
  });
}

/** One part of an ODF file, encrypted by itself; `rounds` as the manifest says them. Where it says no hash to start with, it is SHA-1 (ODF 1.2). */
export function sealedPart(
  content: string,
  password: string,
  {
    rounds,
    claimed = rounds,
    saysHash = true,
  }: { readonly rounds: number; readonly claimed?: number; readonly saysHash?: boolean },
) {
  const [salt, vector] = [Buffer.alloc(16, 4), Buffer.alloc(16, 8)];
  const key = pbkdf2Sync(
    createHash(saysHash ? 'sha256' : 'sha1')
      .update(password)
      .digest(),
    salt,
    rounds,
    32,
    'sha1',
  );
  const packed = deflateRawSync(content);
  const padding = 16 - (packed.length % 16);
  const padded = Buffer.concat([packed, Buffer.alloc(padding - 1), Buffer.from([padding])]);
  const sealed = createCipheriv('aes-256-cbc', key, vector).setAutoPadding(false).update(padded);
  const checksum = createHash('sha256').update(packed.subarray(0, 1024)).digest('base64');
  const encryption = `<manifest:encryption-data manifest:checksum-type="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0#sha256-1k" manifest:checksum="${checksum}"><manifest:algorithm manifest:algorithm-name="http://www.w3.org/2001/04/xmlenc#aes256-cbc" manifest:initialisation-vector="${vector.toString('base64')}"/>${saysHash ? '<manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256"/>' : ''}<manifest:key-derivation manifest:key-derivation-name="PBKDF2" manifest:key-size="32" manifest:iteration-count="${claimed}" manifest:salt="${salt.toString('base64')}"/></manifest:encryption-data>`;
  return { sealed, encryption };
}
