import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import { clearOwnerPasses, createOwnerPass, isOwnerPass } from '../../src/footnote/owner-pass.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-pass-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('lets in whoever left it, while it is there', async () => {
  const [one, other] = [await createOwnerPass(folder), await createOwnerPass(folder)];
  expect(await isOwnerPass(folder, one.secret)).toBe(true);
  await one.remove();
  await one.remove();
  expect(await isOwnerPass(folder, one.secret)).toBe(false);
  expect(await isOwnerPass(folder, other.secret)).toBe(true);
  await writeFile(join(folder, 'record'), '');
  await clearOwnerPasses(folder);
  expect(await isOwnerPass(folder, other.secret)).toBe(false);
  expect(await readdir(folder)).toEqual(['record']);
});

it('lets nobody in who reads all that lies there, names included', async () => {
  const { secret } = await createOwnerPass(folder);
  const [name = ''] = await readdir(folder);
  const hash = name.slice('pass-'.length);
  expect(`${name}${await readFile(join(folder, name), 'utf8')}`).not.toContain(secret.slice(6, 20));
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  const guesses = ['', name, hash, `owner_${hash}`, `owner_${hash.slice(0, 43)}`, `${secret}x`, secret.slice(0, -1)];
  for (const guess of guesses) expect(await isOwnerPass(folder, guess), guess).toBe(false);
});

it('is a file, and none of another place', async () => {
  const { secret, remove } = await createOwnerPass(folder);
  const [name = ''] = await readdir(folder);
  await remove();
  await mkdir(join(folder, name));
  expect(await isOwnerPass(folder, secret)).toBe(false);
  await rm(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'elsewhere'), '');
  await symlink('elsewhere', join(folder, name));
  expect(await isOwnerPass(folder, secret)).toBe(false);
  await expect(createOwnerPass(join(folder, 'absent'))).rejects.toBeInstanceOf(FootnoteError);
});
