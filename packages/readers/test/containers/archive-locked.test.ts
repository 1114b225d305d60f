// Encrypted ZIP archives of other programs open with their passwords, within the limits of plain ones, and say why where they do not.
import { createCipheriv, createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createArchiveKeys } from '../../src/containers/archive-keys.ts';
import { ReadError } from '../../src/read-error.ts';
import type { UnpackedFile, UnpackLimits } from '../../src/reader.ts';
import { openArchive } from '../../src/registry/archive-files.ts';
import { lockedZip } from '../../testkit/locked-zips.ts';
import { spoiled } from '../../testkit/spoiled.ts';

const limits: UnpackLimits = { maxFiles: 100, maxFileBytes: 1_000_000, maxTotalBytes: 2_000_000 };
const vault = `${'The vault opens at nine. '.repeat(3).trimEnd()}\n`;
const minutes = '# Minutes\n\nThe board met in May.\n';

async function open(
  bytes: Uint8Array,
  passwords: readonly string[],
  more: Partial<UnpackLimits> = {},
): Promise<Record<string, unknown>> {
  const files: UnpackedFile[] = [];
  for await (const file of openArchive({ name: 'x.zip', bytes, passwords }, { ...limits, ...more })) files.push(file);
  return Object.fromEntries(
    files.map(({ path, content }) => [path, content instanceof Uint8Array ? Buffer.from(content).toString() : content]),
  );
}

/** A stored file of one block at most, as WinZip's description says. */
function aes128(content: string, password: string): Buffer {
  const salt = Buffer.from('saltsalt');
  const derived = pbkdf2Sync(password, salt, 1000, 34, 'sha1');
  const counter = Buffer.concat([Buffer.from([1]), Buffer.alloc(15)]);
  const stream = createCipheriv('aes-128-ecb', derived.subarray(0, 16), null).update(counter);
  const sealed = Buffer.from(content).map((byte, at) => byte ^ (stream[at] ?? 0));
  const tag = createHmac('sha1', derived.subarray(16, 32)).update(sealed).digest().subarray(0, 10);
  return Buffer.concat([salt, derived.subarray(32), sealed, tag]);
}

/** A copy with one byte changed. */
function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

describe('an encrypted archive', () => {
  it('opens with its password, whichever program and cipher locked it', async () => {
    const both = { 'vault.txt': vault, 'minutes.md': minutes };
    expect(await open(lockedZip('classic'), ['sesame'])).toEqual(both);
    expect(await open(lockedZip('aes'), ['sesame'])).toEqual(both);
    expect(await open(lockedZip('streamed'), ['sesame'])).toEqual({ 'vault.txt': vault });
    expect(await open(lockedZip('stored'), ['sesame'])).toEqual({ 'vault.txt': vault });
    expect(await open(lockedZip('utf'), ['zwölf'])).toEqual({ 'vault.txt': vault });
    expect(await open(lockedZip('western'), ['zwölf'])).toEqual({ 'vault.txt': vault });
  });

  it('is tried with each password that is given, and each file in it by itself', async () => {
    expect(await open(lockedZip('classic'), ['a', 'b', 'sesame'])).toMatchObject({ 'vault.txt': vault });
    expect(await open(lockedZip('mixed'), ['other', 'sesame'])).toEqual({
      'plain.txt': 'plain words\n',
      'vault.txt': vault,
      'minutes.md': minutes,
    });
    const half = await open(lockedZip('mixed'), ['sesame']);
    expect(half).toMatchObject({
      'plain.txt': 'plain words\n',
      'vault.txt': vault,
      'minutes.md': { code: 'invalid-media', reason: 'wrong-password' },
    });
    expect(await open(lockedZip('mixed'), [])).toMatchObject({
      'plain.txt': 'plain words\n',
      'vault.txt': { reason: 'password-needed', message: expect.stringMatching(/--password-file/) },
    });
  });

  it('says as a whole what it lacks, where no file in it opens', async () => {
    for (const name of ['classic', 'aes'] as const) {
      await expect(open(lockedZip(name), [])).rejects.toMatchObject({
        code: 'invalid-media',
        message: expect.stringMatching(/^x\.zip is encrypted: a password is needed.*--password/),
        details: { reason: 'password-needed', tried: 0 },
      });
      await expect(open(lockedZip(name), ['a', 'b'])).rejects.toMatchObject({
        message: expect.stringMatching(/none of the 2 passwords/),
        details: { reason: 'wrong-password', tried: 2 },
      });
    }
  });

  it('gives nothing that was changed: AES by its authentication code, the old cipher by the checksum', async () => {
    const aes = lockedZip('stored');
    const inContent = aes.indexOf('vault.txt') + 'vault.txt'.length + 11 + 18 + 5;
    expect(await open(changed(aes, inContent), ['sesame'])).toMatchObject({
      'vault.txt': { code: 'invalid-media', message: expect.stringMatching(/authentication code/) },
    });
    const classic = lockedZip('utf');
    const behindHeader = classic.indexOf('vault.txt') + 'vault.txt'.length + 12 + 3;
    await expect(open(changed(classic, behindHeader), ['zwölf'])).rejects.toMatchObject({
      details: { reason: 'wrong-password' },
    });
  });

  it('keeps the limits of plain ones', async () => {
    await expect(open(lockedZip('aes'), ['sesame'], { maxFiles: 1 })).rejects.toMatchObject({ code: 'too-large' });
    await expect(open(lockedZip('aes'), ['sesame'], { maxTotalBytes: 50 })).rejects.toMatchObject({
      code: 'too-large',
    });
    expect(await open(lockedZip('aes'), ['sesame'], { maxFileBytes: 50 })).toMatchObject({
      'vault.txt': { code: 'too-large' },
      'minutes.md': minutes,
    });
  });

  it('costs a bounded time for many files and many passwords: what fitted before is tried all the same', () => {
    const lock = { kind: 'aes', keyBytes: 16, method: 0, hasChecksum: false } as const;
    const noise = (at: number): Buffer => createHash('sha512').update(String(at)).digest();
    const words = Array.from({ length: 99 }, (_, at) => `no ${at}`);
    const packed = aes128('words', 'right');
    const keys = createArchiveKeys([...words, 'right']);
    const read = (bytes: Buffer) => keys.open(bytes, lock, (plain) => plain);
    const text = (): string => Buffer.from(read(packed) as Uint8Array).toString();
    expect(text()).toBe('words');
    for (let at = 0; at < 25; at++) expect(read(noise(at))).toMatchObject({ reason: 'wrong-password' });
    expect(text()).toBe('words');
    const spent = createArchiveKeys([...words, 'right']);
    for (let at = 0; at < 25; at++) spent.open(noise(at), lock, (plain) => plain);
    expect(spent.open(packed, lock, (plain) => plain)).toMatchObject({ reason: 'wrong-password' });
  });

  it('ends in a reason of ours however it is spoiled', async () => {
    for (const name of ['classic', 'aes', 'mixed'] as const)
      for (let seed = 0; seed < 60; seed++) {
        const outcome = await open(spoiled(lockedZip(name), seed), ['sesame', 'other']).catch(
          (thrown: unknown) => thrown,
        );
        if (outcome instanceof Error) expect(outcome, `${name} ${seed}`).toBeInstanceOf(ReadError);
      }
  });

  it('is refused with that reason where its scheme is none that is read', async () => {
    const aes = lockedZip('stored');
    // The vendor's field of the directory, by which AES is told.
    const extra = aes.lastIndexOf(Buffer.from([0x01, 0x99]));
    const strange = Buffer.from(aes);
    strange[extra] = 2;
    expect(await open(strange, ['sesame'])).toMatchObject({
      'vault.txt': {
        code: 'unsupported-media',
        message: expect.stringMatching(/cannot be read, whatever the password/),
      },
    });
  });
});
