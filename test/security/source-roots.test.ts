// What an admin of one tenant can have read from the disk of the server: nothing that the operator did not open to keys, and by no detour the
// data folder, the system's own files or secrets. Every refusal is also tried through a link, by another spelling, and by a link that is put
// in place after the source was declared.
import { mkdir, mkdtemp, readdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { diskFolder } from '../../testkit/disk-folder.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { appOf } from '../../testkit/serve-opened.ts';

let place = '';
let open = '';
let data = '';
let opened: OpenedFootnote;
let app: HttpApp;
let key = '';

beforeEach(async () => {
  place = await realpath(await mkdtemp(join(diskFolder(), 'footnote-roots-')));
  [open, data] = [join(place, 'open'), join(place, 'store/data')];
  await mkdir(join(open, 'docs'), { recursive: true });
  await writeFile(join(open, 'docs/note.md'), 'The lamp of the light-house is lit at dusk.\n');
});
afterEach(async () => {
  await app.close();
  await opened.close();
  await rm(place, { recursive: true, force: true });
});

async function start(sourceRoots?: string): Promise<void> {
  const environment = { FOOTNOTE_DATA: data, ...(sourceRoots !== undefined && { SOURCE_ROOTS: sourceRoots }) };
  opened = await openFootnote(loadConfig({ folder: place, environment }), { command: 'footnote serve' });
  await opened.lock.announce({ host: '127.0.0.1', port: 4180 });
  app = appOf(opened, {
    ownerToken: 'owner',
    log: () => undefined,
  });
  const made = await opened.keys.create({ tenant: 'acme', role: 'admin', name: 'acme', groups: [] });
  key = made.secret;
}

const send = (url: string, payload: object | undefined, as = key, options: InjectOptions = {}) =>
  app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${as}` },
    ...(payload !== undefined && { payload }),
    ...options,
  });

const sourceAt = (path: string, more: object = {}) => ({
  name: 'taken',
  type: 'docs',
  connector: { kind: 'folder', path, ...more },
});

/** Every way in which a folder can be named over HTTP. */
async function tried(path: string, as = key, more: object = {}): Promise<number[]> {
  const declared = await send('/v1/sources', sourceAt(path, more), as);
  const looked = await send('/v1/sources/preview', sourceAt(path, more), as);
  const synced = await send('/v1/sources/taken/sync', undefined, as);
  return [declared.statusCode, looked.statusCode, synced.statusCode];
}

async function sync(as = key): Promise<{ state: string; error?: { code: string } }> {
  const started = await send('/v1/sources/taken/sync', undefined, as);
  if (started.statusCode !== 202) return { state: 'refused', error: started.json<{ code: string }>() };
  const headers = { authorization: `Bearer ${as}`, accept: 'text/event-stream' };
  const url = `/v1/ingestions/${started.json<{ id: string }>().id}`;
  await app.inject({ url, headers });
  return (await app.inject({ url, headers: { authorization: `Bearer ${as}` } })).json();
}

/** All that the tenant has now. */
async function read(as = key): Promise<string[]> {
  const headers = { authorization: `Bearer ${as}` };
  const { data: documents } = (await app.inject({ url: '/v1/documents', headers })).json<{ data: { uri: string }[] }>();
  return documents.map(({ uri }) => uri);
}

const nothingDone = [403, 403, 404];

describe('an admin of one tenant', () => {
  it('reads no folder where none is open to keys', async () => {
    await start();
    for (const path of [open, data, '/', '/etc', place]) expect(await tried(path), path).toEqual(nothingDone);
    expect(await read()).toEqual([]);
  });

  it('reads what is open to keys, and nothing beside it', async () => {
    await start(`${join(place, 'elsewhere')}, ${open}`);
    await mkdir(join(place, 'opened'));
    await writeFile(join(place, 'secret.txt'), 'The password is heron.');
    await symlink(place, join(open, 'up'));
    const beside = [place, join(place, 'opened'), join(open, '..'), join(open, 'up'), join(open, 'up/secret.txt'), '/'];
    for (const path of beside) expect(await tried(path), path).toEqual(nothingDone);
    const aside = { passwordFile: join(place, 'secret.txt') };
    expect(await tried(open, key, aside)).toEqual(nothingDone);
    expect(await tried(open)).toEqual([201, 200, 202]);
    await expect.poll(() => sync(), { timeout: 60_000 }).toMatchObject({ state: 'done' });
    expect(await read()).toEqual(['docs/note.md']);
  });

  it('reads neither the system nor secrets, whatever is open', async () => {
    const secrets = join(open, '.ssh');
    await mkdir(join(secrets, 'more'), { recursive: true });
    await mkdir(join(open, '.config/tool'), { recursive: true });
    await symlink('/etc', join(open, 'etc'));
    await start('/');
    const closed = [
      '/etc',
      '/etc/ssl',
      '/proc',
      '/proc/self',
      '/proc/self/environ',
      '/sys',
      '/dev',
      '/dev/zero',
      '/run',
    ];
    const detours = ['/usr/../etc', join(open, 'etc'), '/proc/self/root/etc', '/proc/self/cwd/../../../../../etc'];
    for (const path of [
      ...closed,
      ...detours,
      secrets,
      join(secrets, 'more'),
      join(open, '.config/tool'),
      '/root/.ssh',
    ])
      expect(await tried(path), path).toEqual(nothingDone);
    expect(await tried('/')).toEqual(nothingDone);
  });

  it('reads no data folder: not it, nor what holds it or lies in it, by no link', async () => {
    await symlink(join(place, 'store'), join(open, 'link'));
    await start('/');
    await symlink(data, join(open, 'data'));
    const [lock = ''] = (await readdir(data)).filter((name) => name.startsWith('lock-'));
    await mkdir(join(data, 'below'));
    const paths = [data, `${data}/.`, join(data, lock), join(data, 'below'), join(place, 'store'), place, '/'];
    for (const path of [
      ...paths,
      join(open, 'data'),
      join(open, 'data', lock),
      join(open, 'link'),
      join(open, 'link/data/below'),
    ])
      expect(await tried(path), path).toEqual(nothingDone);
    expect(await tried(open)).toEqual([201, 200, 202]);
    await expect.poll(() => sync(), { timeout: 60_000 }).toMatchObject({ state: 'done' });
    expect(await read()).toEqual(['docs/note.md']);
  });

  it('reads nothing else through a link that takes the place of the folder after it was declared', async () => {
    await start(open);
    expect((await send('/v1/sources', sourceAt(join(open, 'docs')))).statusCode).toBe(201);
    for (const target of [data, '/etc', place]) {
      await rename(join(open, 'docs'), join(open, 'kept'));
      await symlink(target, join(open, 'docs'));
      expect(await sync()).toMatchObject({ state: 'refused', error: { code: 'forbidden' } });
      await rm(join(open, 'docs'));
      await rename(join(open, 'kept'), join(open, 'docs'));
    }
    expect(await sync()).toMatchObject({ state: 'done' });
    expect(await read()).toEqual(['note.md']);
  });
});

describe('the owner', () => {
  it('reads any folder but the data folder', async () => {
    await start();
    for (const path of [data, join(place, 'store'), place, '/'])
      expect(await tried(path, 'owner'), path).toEqual(nothingDone);
    expect((await send('/v1/sources', sourceAt(open), 'owner')).statusCode).toBe(201);
    expect(await sync('owner')).toMatchObject({ state: 'done' });
    expect(await read('owner')).toEqual(['docs/note.md']);
  });

  it('reads the folder around a data folder of the usual name, and nothing of that', async () => {
    data = join(open, '.footnote');
    await start();
    expect((await send('/v1/sources', sourceAt(open), 'owner')).statusCode).toBe(201);
    expect(await sync('owner')).toMatchObject({ state: 'done' });
    expect(await read('owner')).toEqual(['docs/note.md']);
    expect(await tried(data, 'owner')).toEqual([403, 403, 202]);
  });
});
