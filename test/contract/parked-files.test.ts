// Files that are not read any more are listed to those who may read them: by the access list that came with them, that of the archive around them, and that of the
// document that an earlier version of them is.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { zipFile } from '../../packages/readers/testkit/zip-file.ts';
import { loadConfig } from '../../src/config.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { appOf } from '../../testkit/serve-opened.ts';
import { multipart } from './fake-app.ts';

let folder: string;
let opened: OpenedFootnote;
let app: HttpApp;
const secrets: Record<string, string> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-parked-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  app = appOf(opened);
  for (const [name, key] of Object.entries({
    admin: { role: 'admin' },
    board: { role: 'writer', groups: ['board'] },
    staff: { role: 'writer', groups: ['staff'] },
    ofOther: { role: 'writer', groups: ['board'], sources: ['other'] },
    reader: { role: 'reader', groups: ['board'] },
  } as const))
    secrets[name] = (await opened.keys.create({ name, ...key })).secret;
});
afterAll(async () => {
  await app.close();
  await opened.close();
  await rm(folder, { recursive: true });
});

const as = (who: string) => ({ authorization: `Bearer ${secrets[who]}` });
async function upload(file: string, bytes: string | Buffer, fields: Readonly<Record<string, string>>, who = 'admin') {
  const { payload, headers } = multipart([
    ...Object.entries(fields).map(([field, value]) => ({ field, value })),
    { file, bytes },
  ]);
  return app.inject({ method: 'POST', url: '/v1/documents', payload, headers: { ...headers, ...as(who) } });
}
async function park(...given: Parameters<typeof upload>): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) await upload(...given);
}
async function seenBy(who: string, limit = 100): Promise<readonly string[]> {
  const uris: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const query: string = `limit=${limit}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const reply: Awaited<ReturnType<typeof upload>> = await app.inject({
      url: `/v1/parked-files?${query}`,
      headers: as(who),
    });
    if (reply.statusCode !== 200) return [String(reply.statusCode)];
    const page = reply.json() as { data: { uri: string }[]; nextCursor?: string };
    uris.push(...page.data.map(({ uri }) => uri));
    cursor = page.nextCursor;
    if (who === 'staff') expect(Buffer.from(cursor ?? '', 'base64url').toString()).not.toMatch(/pay|bonus|deal/u);
  }
  return uris;
}

it('lists them to those alone who may read them', async () => {
  const broken = '%PDF-1.4\nno structure at all';
  const ofBoard = { access: '["board"]' };
  await park('a-open.pdf', `${broken} a`, {});
  await park('b-pay.pdf', `${broken} b`, ofBoard);
  // The same bytes, for others: whoever may read the one is told nothing of the other.
  await park('c-copy.pdf', `${broken} b`, {});
  await park('d-bonus.zip', zipFile([{ name: 'deal.pdf', content: `${broken} d` }]), ofBoard);
  // It was read, and its next version cannot be; that says of nobody that he may read it.
  const payload = { text: 'Pay.', uri: 'e-bonus.txt', access: ['board'] };
  await app.inject({ method: 'POST', url: '/v1/documents', payload, headers: as('admin') });
  await park('e-bonus.txt', `${broken} e`, {});
  await park('z-open.pdf', `${broken} z`, {});
  const open = ['a-open.pdf', 'c-copy.pdf', 'z-open.pdf'];
  const all = await seenBy('admin');
  expect(all).toEqual(expect.arrayContaining([...open, 'b-pay.pdf', 'd-bonus.zip/deal.pdf', 'e-bonus.txt']));
  expect(await seenBy('board')).toEqual(all);
  expect(await seenBy('staff')).toEqual(open);
  expect(await seenBy('staff', 1)).toEqual(open);
  expect([await seenBy('ofOther'), await seenBy('reader')]).toEqual([[], ['403']]);
});
