// Which files give the secret of the first key; what a server does with them is in test/scenario/first-key.test.ts.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCredentials } from '../../src/auth/credentials.ts';
import { toFootnoteError } from '../../src/core/errors.ts';
import { makeFirstKey } from '../../src/footnote/first-key.ts';
import { recordForEachTest } from '../../testkit/record-fixture.ts';

const place = recordForEachTest();
const folder = mkdtempSync(join(tmpdir(), 'footnote-first-key-'));
beforeAll(() => mkdirSync(join(folder, 'a-folder')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const random = (bytes: number): string => randomBytes(bytes).toString('hex');

it.each([
  ['is not there', 'absent.key', undefined, /which user \d+ cannot read \(ENOENT\)/u],
  ['is a folder', 'a-folder', undefined, /which user \d+ cannot read \(EISDIR\)/u],
  ['is empty', 'admin.key', ' \n', /which is empty: .*openssl rand -hex 32/u],
  ['is short', 'admin.key', random(15), /can be guessed.*openssl rand -hex 32/u],
  ['is too long', 'admin.key', random(257), /32 to 512/u],
  ['repeats a word', 'admin.key', 'hunter-two-'.repeat(6), /can be guessed/u],
  ['repeats a letter', 'admin.key', `fn_${'a'.repeat(43)}`, /can be guessed/u],
  ['has several words', 'admin.key', `${random(20)} ${random(20)}`, /no single word/u],
  ['has several lines', 'admin.key', `${random(20)}\n${random(20)}\n`, /no single word/u],
])('one that %s makes no key, and is not quoted', async (_, name, content, expected) => {
  if (content !== undefined) writeFileSync(join(folder, name), content);
  const keys = createCredentials(place.record.keys);
  const error = await makeFirstKey(join(folder, name), keys).catch(toFootnoteError);
  expect(error).toMatchObject({ code: 'config-invalid', message: expect.stringMatching(expected) });
  for (const word of (content ?? '').split(/\s+/u).filter(Boolean)) expect(String(error)).not.toContain(word);
  expect(await keys.list()).toEqual([]);
});

it.each([random(16), random(32), randomUUID(), randomBytes(32).toString('base64'), `fn_${random(20)}`])(
  'one with a secret as people make them gives the first key, and no second',
  async (secret) => {
    const [path, keys] = [join(folder, 'admin.key'), createCredentials(place.record.keys)];
    expect(await makeFirstKey(undefined, keys)).toBeUndefined();
    writeFileSync(path, `${secret}\r\n`);
    expect(await makeFirstKey(path, keys)).toMatch(/^Made the first admin key, key_/u);
    expect(await keys.authenticate(secret)).toMatchObject({ tenant: 'default', principal: { role: 'admin' } });
    writeFileSync(path, random(32));
    expect(await makeFirstKey(path, keys)).toMatch(/is not read/u);
    expect(await keys.list()).toHaveLength(1);
  },
);
