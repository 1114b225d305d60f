// Encrypted files of a folder are opened with the passwords of a file that the source names, and those words stand nowhere else.
import { readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockedZip } from '../../../packages/readers/testkit/locked-zips.ts';
import { zipFile } from '../../../packages/readers/testkit/zip-file.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { createPreviews } from '../../../src/ingest/preview.ts';
import { cutFile } from '../../../src/ingest/read/cut.ts';
import { givenPasswords } from '../../../src/ingest/read/passwords.ts';
import { createParking } from '../../../src/ingest/take/parking.ts';
import { type FolderRun, openFolderRun, realParsers } from '../../../testkit/folder-run.ts';
import { sharedData } from '../../../testkit/shared-data.ts';

let place: FolderRun;
/** Name and password of each try on a locked file. */
let tries: [name: string, password: string | undefined][] = [];
const secret = 'Open-Sesame-42';

beforeEach(async () => {
  tries = [];
  // Files that begin with LOCKED open with what stands behind it, as an encrypted PDF does.
  place = await openFolderRun({
    ...realParsers,
    async cut(input, plan) {
      const [, key] = /^LOCKED (\S+)/.exec(new TextDecoder().decode(input.bytes)) ?? [];
      if (key === undefined) return cutFile(input, plan);
      tries.push([input.name, input.password]);
      if (input.password === key) return cutFile(input, plan);
      const reason = input.password === undefined ? 'password-needed' : 'wrong-password';
      throw new FootnoteError('invalid-media', `${input.name} is encrypted.`, { details: { reason } });
    },
  });
});
afterEach(() => place.close());

const words = (): string => join(place.docs, 'words.txt');
const locked = (key: string, more = ''): string => `LOCKED ${key} the report says forty-two ${more}\n`;

describe('a folder with encrypted files', () => {
  it('is opened with the passwords of a file, which is itself no document', async () => {
    await place.write('words.txt', `nope\nbills/*\tfor-bills\n${secret}\n`);
    await symlink(words(), join(place.docs, 'link-to-words.txt'));
    await place.write('report.txt', locked(secret));
    await place.write('bills/may.txt', locked('for-bills', 'in May'));
    await place.write('other.txt', locked('unknown', 'elsewhere'));
    const { files } = await place.sync({ connector: { passwordFile: words() } });
    expect(await place.uris()).toEqual(['bills/may.txt', 'report.txt']);
    expect(tries.filter(([name]) => name === 'may.txt').map(([, password]) => password)).toEqual([
      undefined,
      'for-bills',
    ]);
    expect(files.get('other.txt')).toMatchObject({
      state: 'failed',
      error: { message: 'other.txt is encrypted and none of the 2 passwords given opens it. Check the password.' },
    });
    expect([...files.keys()]).not.toContain('words.txt');
    expect([...files.keys()]).not.toContain('link-to-words.txt');
  });

  it('keeps no password: neither in the record nor in what is told of the run', async () => {
    await place.write('words.txt', `${secret}x\n${secret}y\n`);
    await place.write('report.txt', locked('other'));
    await place.write('plain.txt', 'Nothing is locked here.\n');
    const { files } = await place.sync({ connector: { passwordFile: words() } });
    expect(JSON.stringify([...files])).not.toContain(secret);
    const data = join(place.docs, '..', 'data');
    for (const name of await readdir(data))
      expect((await readFile(join(data, name))).includes(secret), name).toBe(false);
  });

  it('tries a file that was given up anew when the passwords change, also inside an archive, and only then', async () => {
    await place.write('words.txt', 'wrong\n');
    await place.write('report.txt', locked(secret));
    await place.write('old.zip', zipFile([{ name: 'inner.txt', content: locked(secret, 'inside') }]));
    const connector = { passwordFile: words() };
    for (let run = 0; run < 4; run += 1) await place.sync({ connector });
    expect((await place.sync({ connector })).files.get('report.txt')).toMatchObject({
      state: 'parked',
      error: { message: expect.stringContaining('until the password file does') },
    });
    const before = tries.length;
    await place.sync({ connector });
    expect(tries).toHaveLength(before);
    await writeFile(words(), `wrong\n${secret}\n`);
    await utimes(words(), 1, 1);
    await place.sync({ connector });
    expect(await place.uris()).toEqual(['old.zip/inner.txt', 'report.txt']);
  });

  it('opens archives that are locked themselves, each file in them by the password that fits', async () => {
    await place.write('words.txt', 'nope\n');
    await place.write('classic.zip', lockedZip('classic'));
    await place.write('mixed.zip', lockedZip('mixed'));
    await place.write('nested.zip', zipFile([{ name: 'inner/aes.zip', content: lockedZip('aes') }]));
    const connector = { passwordFile: words() };
    const { files } = await place.sync({ connector });
    expect(files.get('classic.zip')?.error).toEqual({
      code: 'invalid-media',
      message: 'classic.zip is encrypted and the password given does not open it. Check the password.',
      reason: 'wrong-password',
    });
    expect(files.get('mixed.zip/vault.txt')).toMatchObject({ state: 'failed', error: { reason: 'wrong-password' } });
    expect(await place.uris()).toEqual(['mixed.zip/plain.txt']);
    for (let run = 0; run < 3; run += 1) await place.sync({ connector });
    expect((await place.sync({ connector })).files.get('classic.zip')?.state).toBe('parked');
    await writeFile(words(), 'nope\nmixed.zip\tother\nsesame\n');
    await utimes(words(), 1, 1);
    await place.sync({ connector });
    expect(await place.uris()).toEqual([
      'classic.zip/minutes.md',
      'classic.zip/vault.txt',
      'mixed.zip/minutes.md',
      'mixed.zip/plain.txt',
      'mixed.zip/vault.txt',
      'nested.zip/inner/aes.zip/minutes.md',
      'nested.zip/inner/aes.zip/vault.txt',
    ]);
    const again = await place.sync({ connector });
    expect(again.run.counts).toMatchObject({ done: 0, failed: 0 });
  });

  it('tries those that come with a file, keeps nothing of them, and lets others be tried the next time', async () => {
    const file = { uri: 'a.txt', name: 'a.txt', source: { name: 'docs' }, contentHash: 'h' };
    const { readings } = place.ports.record;
    const parking = createParking({ readings, clock: place.ports.clock });
    const open = (passwords: readonly string[]) =>
      parking.attempt({ ...file, passwords: givenPasswords(passwords) }, async (password) => {
        const reason = password === undefined ? 'password-needed' : 'wrong-password';
        if (password === 'right') return password;
        throw new FootnoteError('invalid-media', `No: ${reason}.`, { details: { reason } });
      });
    for (let run = 0; run < 4; run += 1)
      await expect(open(['x'])).rejects.toMatchObject({
        message: 'a.txt is encrypted and the password given does not open it. Check the password.',
      });
    await expect(open(['x', 'y'])).rejects.toMatchObject({
      message: 'a.txt is encrypted and none of the 2 passwords given opens it. Check the password.',
      details: { reason: 'wrong-password' },
    });
    expect((await readings.failures({})).data).toEqual([]);
    expect(await open(['x', 'right'])).toBe('right');
  });

  it('says of a locked archive that no password is there for it', async () => {
    await place.write('words.txt', 'other.pdf\tx\n');
    await place.write('classic.zip', lockedZip('classic'));
    const { files } = await place.sync({ connector: { passwordFile: words() } });
    expect(files.get('classic.zip')?.error?.message).toMatch(
      /a password is needed.*The password file holds none for it\.$/,
    );
    const bare = await place.sync({});
    expect(bare.files.get('classic.zip')?.error).toMatchObject({ reason: 'password-needed' });
  });

  it('goes on without a password file that is gone, and says so where it was needed', async () => {
    await place.write('report.txt', locked(secret));
    await place.write('plain.txt', 'Nothing is locked here.\n');
    const { run, files } = await place.sync({ connector: { passwordFile: words() } });
    expect(run.state).toBe('done');
    expect(files.get('report.txt')?.error?.message).toContain('words.txt cannot be read: there is no such file');
    expect(await place.uris()).toEqual(['plain.txt']);
  });

  it('is foretold with its passwords', async () => {
    await place.write('words.txt', `${secret}\n`);
    await place.write('report.txt', locked(secret));
    const previews = createPreviews({ ...place.ports, openEmbedPlan: async () => undefined });
    const connector = { kind: 'folder' as const, path: place.docs, passwordFile: words() };
    const preview = await previews.folder({ name: 'docs', type: 'docs', connector });
    expect(preview.counts).toMatchObject({ found: 1, done: 1, failed: 0 });
  });
});

const encrypted = sharedData('documents', 'pdf-encrypted');
describe.skipIf(encrypted === undefined)('the encrypted PDFs of others', () => {
  it('open with their passwords, three of which are asked for', async () => {
    const folder = encrypted ?? '';
    for (const name of await readdir(folder)) await place.write(name, await readFile(join(folder, name)));
    await place.write('words.txt', 'abc\næøå\nissue3371*\tELXRTQWS\nopenpassword\n');
    const { files } = await place.sync({ connector: { passwordFile: words() } });
    const messages = [...files.values()].map(({ error }) => error?.message ?? '');
    expect(messages.filter((message) => message.includes('encrypted'))).toEqual([]);
  }, 60_000);
});
