// Who calls: what each key is told of itself and of the server, over the real system. Invariant: no key is told of another, of another tenant, or of what only admins
// may ask for.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { appOf } from '../../testkit/serve-opened.ts';

let folder: string;
let opened: OpenedFootnote;
let app: HttpApp;
const appWith = (options: object = {}): HttpApp =>
  appOf(opened, {
    ownerToken: 'owner-secret',
    ...options,
  });
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-access-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  app = appWith();
});
afterAll(async () => {
  await app.close();
  await opened.close();
  await rm(folder, { recursive: true });
});

describe('who calls', () => {
  it('is the owner while no key exists', async () => {
    expect((await app.inject('/v1/me')).json()).toEqual({
      tenant: 'default',
      role: 'admin',
      owner: true,
      features: { models: [], webSearch: false, metrics: false, keys: true },
    });
  });

  it('is told its own key, its limits and what it may ask for', async () => {
    const grants = { sources: ['towers'], doors: ['api' as const], limits: { dailyRequests: 90 } };
    const expiresAt = '2099-01-01T00:00:00.000Z';
    const reader = await opened.keys.create({ name: 'screen', role: 'reader', expiresAt, ...grants });
    const admin = await opened.keys.create({ name: 'elsewhere', role: 'admin', tenant: 'other' });
    expect((await app.inject({ url: '/v1/me', headers: bearer(reader.secret) })).json()).toEqual({
      tenant: 'default',
      role: 'reader',
      key: { id: reader.key.id, name: 'screen', expiresAt },
      ...grants,
      features: { models: [], webSearch: false },
    });
    const web = appWith({ searchesWeb: true });
    const told = await web.inject({ url: '/v1/me', headers: bearer(admin.secret) });
    await web.close();
    expect(told.json()).toEqual({
      tenant: 'other',
      role: 'admin',
      key: { id: admin.key.id, name: 'elsewhere' },
      features: { models: [], webSearch: true, metrics: false, keys: true },
    });
  });

  it('needs a key once there is one, and the door that the key is for', async () => {
    expect((await app.inject('/v1/me')).statusCode).toBe(401);
    const { secret } = await opened.keys.create({ name: 'chat', role: 'reader', doors: ['openai'] });
    expect((await app.inject({ url: '/v1/me', headers: bearer(secret) })).statusCode).toBe(403);
  });
});

describe('a browser that logged in', () => {
  const own = { host: 'notes.local:4180', origin: 'http://notes.local:4180', 'sec-fetch-site': 'same-origin' };
  let door: HttpApp;
  let secret: string;
  const logs: unknown[] = [];
  beforeAll(async () => {
    door = appWith({
      allowedHosts: ['notes.local'],
      allowedOrigins: ['http://app.local'],
      log: (line: unknown) => logs.push(line),
    });
    ({ secret } = await opened.keys.create({ name: 'browser', role: 'writer' }));
  });
  afterAll(() => door.close());

  const login = (headers: Record<string, string> = own, key = secret, to = door) =>
    to.inject({ method: 'POST', url: '/v1/login', headers, payload: { key } });
  const cookieOf = async (): Promise<string> => String((await login()).headers['set-cookie']).split(';')[0] ?? '';
  const create = (headers: Record<string, string>) => door.inject({ method: 'POST', url: '/v1/rag/sessions', headers });
  const read = (headers: Record<string, string>) => door.inject({ url: '/v1/me', headers });

  it('gets a cookie without the key, for pages of this origin alone, and is told who it is', async () => {
    const reply = await login();
    expect(reply.json()).toMatchObject({ role: 'writer', key: { name: 'browser' } });
    const cookie = String(reply.headers['set-cookie']);
    expect(cookie).toMatch(/^footnote_login=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    expect([cookie, reply.body, JSON.stringify(logs)].join()).not.toContain(secret.slice(3));
    const proxied = appWith({ publicUrl: 'https://team.example/notes' });
    const headers = { host: 'team.example', origin: 'https://team.example' };
    expect((await login(headers, secret, proxied)).headers['set-cookie']).toMatch(
      /^__Secure-footnote_login=.*Path=\/notes; .*; Secure$/,
    );
    await proxied.close();
    const rooted = appWith({ publicUrl: 'https://team.example' });
    expect((await login(headers, secret, rooted)).headers['set-cookie']).toMatch(
      /^__Host-footnote_login=.*Path=\/; .*; Secure$/,
    );
    await rooted.close();
  });

  it('reads and changes what its key may, by the cookie', async () => {
    const cookie = await cookieOf();
    expect((await create({ ...own, cookie })).statusCode).toBe(201);
    for (const headers of [own, { host: own.host }, { host: own.host, 'sec-fetch-site': 'none' }])
      expect((await read({ ...headers, cookie: `a=b; ${cookie}` })).json()).toMatchObject({ key: { name: 'browser' } });
    expect((await door.inject({ url: '/admin/keys', headers: { ...own, cookie } })).statusCode).toBe(403);
  });

  it.each<[string, Record<string, string>]>([
    ['another origin', { origin: 'http://evil.example' }],
    ['another port', { origin: 'http://notes.local:9999', 'sec-fetch-site': 'same-site' }],
    ['no origin that it tells', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['an origin that may call with a key', { origin: 'http://app.local', 'sec-fetch-site': 'cross-site' }],
    [
      'a link elsewhere',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
  ])('is nobody on a page of %s', async (_, headers) => {
    const cookie = await cookieOf();
    for (const reply of [
      await read({ host: own.host, cookie, ...headers }),
      await create({ host: own.host, cookie, ...headers }),
    ])
      expect([401, 403]).toContain(reply.statusCode);
    expect((await login({ host: own.host, ...headers })).statusCode).toBe(403);
    const out = await door.inject({
      method: 'POST',
      url: '/v1/logout',
      headers: { host: own.host, cookie, ...headers },
    });
    expect([out.statusCode, out.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await read({ ...own, cookie })).statusCode).toBe(200);
  });

  it('is nobody with two logins, one of which another host may have set', async () => {
    const [one, other] = [await cookieOf(), await cookieOf()];
    expect((await read({ ...own, cookie: `${one}; ${other}` })).statusCode).toBe(401);
    expect((await read({ ...own, cookie: one })).statusCode).toBe(200);
  });

  it('ends the oldest login of its key behind twenty, and of no other key', async () => {
    const { secret: quiet } = await opened.keys.create({ name: 'quiet', role: 'reader' });
    const { secret: busy } = await opened.keys.create({ name: 'busy', role: 'reader' });
    const begin = async (key: string) => String((await login(own, key)).headers['set-cookie']).split(';')[0] ?? '';
    const mine = await begin(quiet);
    const others: string[] = [];
    for (let at = 0; at < 22; at += 1) others.push(await begin(busy));
    const codes = await Promise.all(
      [mine, ...others].map(async (cookie) => (await read({ ...own, cookie })).statusCode),
    );
    expect(codes).toEqual([200, 401, 401, ...new Array<number>(20).fill(200)]);
  });

  it('changes nothing where it does not say from which page', async () => {
    const cookie = await cookieOf();
    expect((await create({ host: own.host, cookie })).statusCode).toBe(401);
    expect((await login({ host: own.host })).statusCode).toBe(403);
  });

  it('is nobody after it logged out, when the key is revoked, and with a cookie that nobody made', async () => {
    const [cookie, other] = [await cookieOf(), await cookieOf()];
    const out = await door.inject({ method: 'POST', url: '/v1/logout', headers: { ...own, cookie } });
    expect([out.statusCode, out.headers['set-cookie']]).toEqual([
      204,
      expect.stringMatching(/^footnote_login=; Max-Age=0;/),
    ]);
    for (const gone of [cookie, `footnote_login=${'A'.repeat(43)}`, 'footnote_login=', `footnote_login=${secret}`])
      expect((await read({ ...own, cookie: gone })).statusCode, gone).toBe(401);
    expect((await read({ ...own, cookie: other })).statusCode).toBe(200);
    const [key] = (await opened.keys.list()).filter(({ name }) => name === 'browser');
    await opened.keys.revoke(key?.id ?? '');
    expect((await read({ ...own, cookie: other })).statusCode).toBe(401);
    expect((await login()).statusCode).toBe(401);
  });

  it('counts for nothing beside a key that is sent', async () => {
    const { secret: mine } = await opened.keys.create({ name: 'mine', role: 'reader' });
    const cookie = String((await login(own, mine)).headers['set-cookie']).split(';')[0] ?? '';
    expect((await read({ ...own, cookie, ...bearer('fn_wrong') })).statusCode).toBe(401);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 12 * 3600 * 1000 + 1 });
    expect((await read({ ...own, cookie })).statusCode).toBe(401);
    vi.useRealTimers();
  });
});
