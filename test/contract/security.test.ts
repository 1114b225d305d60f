// Who may do what: every route has a policy, keys and roles hold on each, and a browser cannot be used against the server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLoopbackHost } from '../../src/core/hosts/loopback.ts';
import { localScope } from '../../src/core/scope.ts';
import { createGuard, hostNameOf } from '../../src/http/hardening/guard.ts';
import { type Access, routePolicy } from '../../src/http/policy/policy.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { createFakeApp, fakeAppOptions } from './fake-app.ts';

const rank: Readonly<Record<Access, number>> = { open: 0, reader: 1, writer: 2, admin: 3 };
const routes = Object.entries(routePolicy).map(([route, access]) => {
  const [method = '', url = ''] = route.split(' ');
  return { method: method as 'GET', url: url.replace(/:\w+/g, 'unknown'), access: access as Access };
});
const bearer = (secret: string): { authorization: string } => ({ authorization: `Bearer ${secret}` });

describe('with keys', () => {
  let app: HttpApp;
  beforeAll(() => {
    ({ app } = createFakeApp({ keys: true }));
  });
  afterAll(() => app.close());

  it('every route has a policy, and every policy a route', async () => {
    await app.ready();
    const registered = routes.filter(({ method, url }) => app.findRoute({ method, url: urlOf(method, url) }));
    expect(registered).toHaveLength(routes.length);
    function urlOf(method: string, url: string): string {
      const key =
        Object.keys(routePolicy).find((route) => route.replace(/:\w+/g, 'unknown') === `${method} ${url}`) ?? '';
      return key.slice(method.length + 1);
    }
  });

  it('a route without a policy does not start', async () => {
    const { app: broken } = createFakeApp();
    expect(() => broken.get('/v1/secret', () => 'x')).toThrow('policy table');
    await broken.close();
  });

  it.each(routes)('$method $url asks for $access', async ({ method, url, access }) => {
    const call = (headers: Record<string, string>) => app.inject({ method, url, headers });
    const without = await call({});
    if (access === 'open') {
      expect(without.statusCode).not.toBe(401);
      return;
    }
    expect(without.statusCode).toBe(401);
    for (const role of ['reader', 'writer', 'admin'] as const) {
      const { statusCode } = await call(bearer(`${role}-key`));
      if (rank[role] < rank[access]) expect(statusCode).toBe(403);
      else expect([401, 403]).not.toContain(statusCode);
    }
  });

  it('says the same of a missing, a malformed and an unknown key', async () => {
    const replies = await Promise.all(
      [{}, bearer('unknown'), { authorization: 'Basic abc' }, { authorization: 'Bearer' }].map((headers) =>
        app.inject({ url: '/v1/documents', headers }),
      ),
    );
    const bodies = replies.map((reply) => ({ ...reply.json<Record<string, unknown>>(), requestId: '' }));
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    for (const reply of replies) expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
    expect((await app.inject('/v1/nothing')).statusCode).toBe(401);
  });

  it('knows the owner of the data folder', async () => {
    expect((await app.inject({ url: '/admin/traces/x', headers: bearer('owner-secret') })).statusCode).toBe(404);
  });

  it('a document of another tenant, or one not shared with the caller, looks like none', async () => {
    const add = async (payload: Record<string, unknown>, key: string): Promise<string> => {
      const reply = await app.inject({ method: 'POST', url: '/v1/documents', payload, headers: bearer(key) });
      return reply.json<{ documents: { id: string }[] }>().documents[0]?.id ?? '';
    };
    const foreign = await add({ text: 'foreign words', uri: 'f' }, 'other-tenant-key');
    const closed = await add({ text: 'closed words', uri: 'c', access: ['key:someone'] }, 'writer-key');
    for (const suffix of ['', '/text', '/file', '/view', '/chunks', '/structure', '/boxes?page=1']) {
      const reply = async (id: string) => {
        const { statusCode, body } = await app.inject({
          url: `/v1/documents/${id}${suffix}`,
          headers: bearer('reader-key'),
        });
        return { statusCode, body: body.replaceAll(id, 'ID').replace(/req_\w+/, '') };
      };
      const none = await reply('doc_none');
      expect(none.statusCode).toBe(404);
      expect(await reply(foreign)).toEqual(none);
      expect(await reply(closed)).toEqual(none);
    }
    const deleted = await app.inject({
      method: 'DELETE',
      url: `/v1/documents/${foreign}`,
      headers: bearer('writer-key'),
    });
    expect(deleted.statusCode).toBe(404);
  });

  it('only an admin declares or syncs a folder of the server', async () => {
    const payload = { name: 'etc', type: 'docs', connector: { kind: 'folder', path: '/etc' } };
    const declare = (key: string) => app.inject({ method: 'POST', url: '/v1/sources', payload, headers: bearer(key) });
    const sync = (key: string) => app.inject({ method: 'POST', url: '/v1/sources/etc/sync', headers: bearer(key) });
    expect((await declare('writer-key')).statusCode).toBe(403);
    expect((await declare('admin-key')).statusCode).toBe(201);
    expect((await sync('writer-key')).statusCode).toBe(403);
    const synced = await sync('admin-key');
    expect(synced.statusCode).toBe(202);
    expect(synced.headers['location']).toBe(`/v1/ingestions/${synced.json<{ id: string }>().id}`);
    for (const [key, shown] of [
      ['admin-key', true],
      ['reader-key', false],
    ] as const)
      for (const url of ['/v1/sources', '/v1/sources/etc'])
        expect((await app.inject({ url, headers: bearer(key) })).body.includes('/etc"')).toBe(shown);
    const plain = await app.inject({
      method: 'POST',
      url: '/v1/sources',
      payload: { name: 'n', type: 'docs' },
      headers: bearer('writer-key'),
    });
    expect(plain.statusCode).toBe(201);
  });

  it('an admin administers the keys of their own tenant only, and a secret is shown once', async () => {
    const make = (as: string, payload: Record<string, unknown>, headers: Record<string, string> = {}) =>
      app.inject({ method: 'POST', url: '/admin/keys', payload, headers: { ...bearer(as), ...headers } });
    const list = async (as: string) =>
      (await app.inject({ url: '/admin/keys', headers: bearer(as) })).json<{ data: { id: string }[] }>().data;
    const once = { 'idempotency-key': 'make-1' };
    const made = await make('admin-key', { name: 'site', role: 'reader' }, once);
    expect(made.statusCode).toBe(201);
    const { key, secret } = made.json<{ key: { id: string; tenant: string }; secret: string }>();
    expect(key.tenant).toBe('default');
    expect(secret).toMatch(/^fn_/);
    const again = await make('admin-key', { name: 'site', role: 'reader' }, once);
    expect(again.json()).toEqual({ key });
    expect((await make('admin-key', { name: 'x', role: 'admin', tenant: 'other' })).statusCode).toBe(403);
    expect((await make('owner-secret', { name: 'x', role: 'admin', tenant: 'other' })).statusCode).toBe(201);
    expect(await list('admin-key')).toEqual([key]);
    expect(await list('other-tenant-key')).toHaveLength(1);
    expect(await list('owner-secret')).toHaveLength(2);
    const revoke = (as: string) => app.inject({ method: 'DELETE', url: `/admin/keys/${key.id}`, headers: bearer(as) });
    expect((await revoke('other-tenant-key')).statusCode).toBe(404);
    expect((await revoke('admin-key')).statusCode).toBe(204);
    expect((await revoke('admin-key')).statusCode).toBe(404);
  });

  it('readiness tells the world no place and no detail', async () => {
    const reply = await app.inject('/readyz');
    expect(reply.json()).toEqual({ status: 'ok', version: '1.2.3', stores: [{ name: 'embedded', status: 'ok' }] });
  });
});

describe('without keys', () => {
  let app: HttpApp;
  beforeAll(() => {
    ({ app } = createFakeApp({ allowedHosts: ['notes.example'] }));
  });
  afterAll(() => app.close());

  it('serves this machine, whatever key it sends, but no other machine', async () => {
    expect((await app.inject('/v1/documents')).statusCode).toBe(200);
    expect((await app.inject({ url: '/v1/documents', headers: bearer('wrong') })).statusCode).toBe(200);
    for (const headers of [{}, bearer('wrong')])
      expect((await app.inject({ url: '/v1/documents', remoteAddress: '192.0.2.7', headers })).statusCode).toBe(401);
    expect((await app.inject({ url: '/v1/documents', remoteAddress: '192.0.2.7' })).statusCode).toBe(401);
  });

  it('on an address for everybody, a name that is not of this machine opens nothing without a key', async () => {
    const { app: open } = createFakeApp({ anyHost: true });
    const status = async (host: string) => (await open.inject({ url: '/v1/documents', headers: { host } })).statusCode;
    expect([await status('127.0.0.1'), await status('rebound.example')]).toEqual([200, 401]);
    await open.close();
  });

  it.each([
    ['127.0.0.1:4180', 200],
    ['localhost', 200],
    ['[::1]:4180', 200],
    ['notes.example:4180', 200],
    ['evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['127.0.0.1@evil.example', 403],
    ['localhost:80:90', 403],
    ['a b', 403],
  ])('Host %s: %i', async (host, status) => {
    expect((await app.inject({ url: '/v1/documents', headers: { host } })).statusCode).toBe(status);
  });

  it.each([
    [{ origin: 'http://localhost:4180' }, 200],
    [{}, 200],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'http://localhost:9999' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://localhost:4180' }, 200],
  ])('a change with %o: %i', async (headers, status) => {
    const reply = await app.inject({
      method: 'POST',
      url: '/v1/search',
      payload: { query: 'x' },
      headers: { host: 'localhost:4180', ...headers },
    });
    expect(reply.statusCode).toBe(status);
  });

  const foreign = [
    ['an image', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ['a script of a neighbour', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ['an old browser', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['a site written otherwise', { 'sec-fetch-site': 'Cross-Site' }],
    ['a site told twice', { 'sec-fetch-site': 'cross-site, none' }],
  ] as const;
  const guarded = routes.filter(({ access }) => access !== 'open');
  it.each(foreign)('%s of another site gets nothing of any route', async (_, headers) => {
    const before = await app.inject('/v1/documents');
    for (const { method, url } of [...guarded, { method: 'GET' as const, url: '/v1/none' }]) {
      const reply = await app.inject({ method, url, headers: { host: 'localhost:4180', ...headers } });
      const told = reply.json<{ code?: string; error?: { code?: string; type: string } }>();
      // Anthropic's errors have a type of their own, and no code.
      const code = told.error?.code ?? told.code ?? told.error?.type;
      const forbidden = url === '/v1/messages' ? 'permission_error' : 'forbidden';
      expect([method, url, reply.statusCode, code]).toEqual([method, url, 403, forbidden]);
    }
    expect((await app.inject('/v1/documents')).json()).toEqual(before.json());
  });

  it('a person who follows a link gets the ask page and a document, and nothing else', async () => {
    const add = { text: 'Words to see.', uri: 'seen.md' };
    const added = await app.inject({ method: 'POST', url: '/v1/documents', payload: add });
    const id = added.json<{ documents: { id: string }[] }>().documents[0]?.id ?? '';
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const status = async (url: string, method: 'GET' | 'POST' = 'GET') =>
      (await app.inject({ method, url, headers: { host: 'localhost', ...link, 'sec-fetch-user': '?1' } })).statusCode;
    expect(await status('/')).toBe(200);
    expect(await status(`/v1/documents/${id}/view?start=0&end=5`)).toBe(200);
    expect(await status('/v1/documents')).toBe(403);
    expect(await status(`/v1/documents/${id}/file`)).toBe(403);
    expect(await status('/v1/search', 'POST')).toBe(403);
  });

  it('sends no CORS headers and always its safety headers', async () => {
    const reply = await app.inject({ url: '/', headers: { origin: 'https://evil.example' } });
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(reply.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });
});

describe('the address that was called', () => {
  const guard = createGuard({
    ...fakeAppOptions().options,
    allowedHosts: ['desk.example'],
    authenticate: async () => localScope(),
    isDraining: () => false,
    doorOf: () => 'api',
  });
  const call = (host: string, localAddress: string) =>
    guard({
      method: 'GET',
      routeOptions: { url: '/v1/documents' },
      headers: { host, authorization: 'Bearer key' },
      is404: false,
      socket: { localAddress, remoteAddress: '10.1.2.3' },
    } as never);

  it('is the name of a server that has another one', async () => {
    await expect(call('10.1.2.3:4180', '10.1.2.3')).resolves.toBeUndefined();
    await expect(call('10.1.2.3', '::ffff:10.1.2.3')).resolves.toBeUndefined();
    await expect(call('[2001:db8::1]:4180', '2001:db8::1')).resolves.toBeUndefined();
    for (const host of ['10.1.2.4', 'rebound.example', '[2001:db8::2]'])
      await expect(call(host, '10.1.2.3')).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('a server that is stopping', () => {
  it('refuses new work but still tells its health', async () => {
    const guard = createGuard({ ...fakeAppOptions().options, isDraining: () => true, doorOf: () => 'api' });
    const request = (url: string) =>
      ({ method: 'GET', routeOptions: { url }, headers: { host: 'localhost' }, is404: false, socket: {} }) as never;
    await expect(guard(request('/v1/documents'))).rejects.toMatchObject({ code: 'upstream-unavailable' });
    await expect(guard(request('/readyz'))).resolves.toBeUndefined();
  });
});

describe('host names', () => {
  it('are read without port and brackets', () => {
    expect(hostNameOf('Example.org:80')).toBe('example.org');
    expect(hostNameOf('[::1]:80')).toBe('[::1]');
    expect(hostNameOf('a b')).toBeUndefined();
  });
  it('are of this machine only when they say so exactly', () => {
    for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]', 'app.localhost', '::ffff:127.0.0.1'])
      expect(isLoopbackHost(host)).toBe(true);
    for (const host of ['', '0.0.0.0', '::', '192.168.0.1', 'localhost.example', '1270.0.0.1', '127.0.0.1.nip.io'])
      expect(isLoopbackHost(host)).toBe(false);
  });
});
