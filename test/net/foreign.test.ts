// Foreign hosts under the guard: whatever a page or a name server says, nothing but a public address is asked, unless the operator named the
// host; redirects, bytes, time and kinds are bounded, and no secret goes elsewhere.
import { afterEach, describe, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import { type ForeignOptions, openForeign } from '../../src/net/foreign.ts';
import { kindOfAddress } from '../../src/net/public-address.ts';
import { type FakeServer, openFakeServer, type SeenRequest, type Wire } from '../../src/testing/fake-http.ts';
import { hostileAddresses, hostileUrls, publicAddresses } from './hostile-addresses.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const text = { 'content-type': 'text/html; charset=utf-8' };
async function serve(answer: Wire | ((request: SeenRequest) => Wire)): Promise<FakeServer & { readonly port: string }> {
  const server = await openFakeServer((request) => (typeof answer === 'function' ? answer(request) : answer));
  closers.push(server.close);
  return { ...server, port: new URL(server.address).port };
}

/** Names lead to loopback, where the servers of this test are; `names`: what each look-up asked for. */
function open(options: ForeignOptions = {}) {
  const names: string[] = [];
  const foreign = openForeign({
    resolve: async (host) => {
      names.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    },
    ...options,
  });
  closers.push(foreign.close);
  return { ...foreign, names };
}

const errorOf = async (promise: Promise<unknown>): Promise<FootnoteError> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(FootnoteError);
  return thrown as FootnoteError;
};
const siteOf = ({ port }: { readonly port: string }): string => `http://site.test:${port}`;
const allowed = (...servers: readonly { readonly port: string }[]): readonly string[] =>
  servers.map(({ port }) => `site.test:${port}`);

describe('addresses', () => {
  it(`tells ${hostileAddresses.length} that are not public`, () => {
    expect(hostileAddresses.filter((address) => kindOfAddress(address) === 'public')).toEqual([]);
    expect(hostileAddresses.length).toBeGreaterThanOrEqual(60);
  });
  it('tells those that are', () => {
    expect(publicAddresses.filter((address) => kindOfAddress(address) !== 'public')).toEqual([]);
  });
});

describe('the guard', () => {
  it.each(hostileUrls)('asks nothing at %j', async (address) => {
    const { fetch, names } = open();
    const { code } = await errorOf(fetch(address));
    expect(['forbidden', 'invalid-request']).toContain(code);
    expect(names).toEqual([]);
  });

  it('asks no name that leads to what is not public, even where another address of it is', async () => {
    for (const address of hostileAddresses)
      for (const found of [[address], ['8.8.8.8', address], [address, '8.8.8.8']]) {
        const resolve = async () => found.map((one) => ({ address: one, family: one.includes(':') ? 6 : 4 }));
        const { code } = await errorOf(open({ resolve }).fetch('http://site.test/'));
        expect([address, code]).toEqual([address, 'forbidden']);
      }
  });

  it('asks a host of the own network that is allowed by name, at its port alone', async () => {
    const [site, other] = [await serve({ chunks: ['<p>in</p>'], headers: text }), await serve({ chunks: ['x'] })];
    const { fetch, names } = open({ allowedHosts: allowed(site) });
    const reply = await fetch(`${siteOf(site)}/page`);
    expect([reply.status, new TextDecoder().decode(reply.bytes)]).toEqual([200, '<p>in</p>']);
    expect(site.requests[0]?.headers.host).toBe(`site.test:${site.port}`);
    expect((await errorOf(fetch(siteOf(other)))).code).toBe('forbidden');
    expect((await errorOf(fetch(`http://else.test:${site.port}`))).code).toBe('forbidden');
    expect(other.requests).toEqual([]);
    expect(names).toEqual(['site.test']);
    // What was allowed by its name is not allowed by its address.
    expect((await errorOf(fetch(site.address))).code).toBe('forbidden');
    expect((await open({ allowedHosts: [`127.0.0.1:${site.port}`] }).fetch(site.address)).status).toBe(200);
  });

  it('opens nothing but private networks to an allowed name', async () => {
    for (const address of ['169.254.169.254', '0.0.0.0', '224.0.0.1', 'fe80::1', 'fd00:ec2::254', '::ffff:127.0.0.1']) {
      const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }];
      const { fetch } = open({ allowedHosts: ['site.test'], resolve });
      expect((await errorOf(fetch('http://site.test/'))).code).toBe('forbidden');
      const shown = address.includes(':') ? `[${address}]` : address;
      const literal = open({ allowedHosts: [shown] });
      expect((await errorOf(literal.fetch(`http://${shown}/`))).code).toBe('forbidden');
    }
  });

  it('connects to what the one look-up said, whatever the name server says next', async () => {
    const site = await serve({ chunks: ['a'], headers: { ...text, connection: 'close' } });
    let asked = 0;
    const resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
    const { fetch } = open({ allowedHosts: allowed(site), resolve });
    expect((await fetch(siteOf(site))).status).toBe(200);
    expect(asked).toBe(1);
    // A new connection, a new look-up, looked at anew.
    expect((await errorOf(fetch(siteOf(site)))).code).toBe('forbidden');
    expect([asked, site.requests.length]).toEqual([2, 1]);
  });

  it('refuses settings that name no host', () => {
    for (const entry of ['http://a.example', 'a.example/x', 'u@a.example', '', 'a b'])
      expect(() => openForeign({ allowedHosts: [entry] })).toThrow(/no host/);
  });
});

describe('redirects', () => {
  it.each(hostileUrls.filter((address) => /^[a-z]+:[/\\]{2}/i.test(address)))(
    'are not followed to %j',
    async (location) => {
      const site = await serve({
        status: 302,
        headers: { location: location.replaceAll(/[^!-~]/g, encodeURIComponent) },
        chunks: [''],
      });
      const { fetch } = open({ allowedHosts: allowed(site) });
      expect(['forbidden', 'invalid-request']).toContain((await errorOf(fetch(siteOf(site)))).code);
    },
  );

  it('are followed so many times, and take no secret to another origin', async () => {
    const other = await serve({ chunks: ['there'], headers: text });
    const site = await serve(({ path }) =>
      path === '/loop'
        ? { status: 301, headers: { location: '/loop' }, chunks: [''] }
        : path === '/here'
          ? { chunks: ['here'], headers: text }
          : { status: 307, headers: { location: path === '/own' ? '/here' : siteOf(other) }, chunks: [''] },
    );
    const { fetch } = open({ allowedHosts: allowed(site, other) });
    const headers = {
      authorization: 'Bearer k',
      cookie: 'a=b',
      'x-api-key': 'k',
      'user-agent': 'footnote',
      host: 'evil',
    };
    const away = await fetch(`${siteOf(site)}/away`, { headers });
    expect([away.url, new TextDecoder().decode(away.bytes)]).toEqual([`${siteOf(other)}/`, 'there']);
    expect(site.requests[0]?.headers).toMatchObject({ authorization: 'Bearer k', host: `site.test:${site.port}` });
    const told = Object.keys(other.requests[0]?.headers ?? {});
    expect(told.filter((name) => ['authorization', 'cookie', 'x-api-key'].includes(name))).toEqual([]);
    expect(other.requests[0]?.headers['user-agent']).toBe('footnote');
    await fetch(`${siteOf(site)}/own`, { headers });
    expect(site.requests.at(-1)?.headers.authorization).toBe('Bearer k');
    const before = site.requests.length;
    expect((await errorOf(fetch(`${siteOf(site)}/loop`))).code).toBe('upstream-invalid');
    expect(site.requests.length - before).toBe(6);
  });
});

describe('bounds', () => {
  const outcome = async (wire: Wire, options: ForeignOptions = {}): Promise<string> => {
    const site = await serve(wire);
    const { code } = await errorOf(open({ allowedHosts: allowed(site), ...options }).fetch(siteOf(site)));
    return code;
  };
  it('reads so many bytes, told or not', async () => {
    const chunks = Array.from({ length: 100 }, () => 'x'.repeat(65_536));
    expect(await outcome({ chunks, headers: text }, { maxResponseBytes: 50_000 })).toBe('upstream-invalid');
    const told = { chunks: ['x'], headers: { ...text, 'content-length': '900000' }, ending: 'hang' } as const;
    expect(await outcome(told, { maxResponseBytes: 50_000 })).toBe('upstream-invalid');
  });
  it('waits so long, for the head and for the rest', async () => {
    expect(await outcome({ chunks: ['x'], delayMs: 600_000 }, { timeoutMs: 60 })).toBe('deadline-exceeded');
    const slow = { chunks: ['x', 'y'], headers: text, betweenMs: 600_000 } as const;
    expect(await outcome(slow, { timeoutMs: 60 })).toBe('deadline-exceeded');
  });
  it('reads texts and documents, and what the caller reads', async () => {
    expect(await outcome({ chunks: ['x'], headers: { 'content-type': 'application/octet-stream' } })).toBe(
      'unsupported-media',
    );
    expect(await outcome({ chunks: ['x'] })).toBe('unsupported-media');
    expect(await outcome({ chunks: ['x'], headers: { ...text, 'content-encoding': 'gzip' } })).toBe('upstream-invalid');
    const site = await serve({ chunks: ['x'], headers: { 'content-type': 'application/zip' } });
    const { fetch } = open({ allowedHosts: allowed(site) });
    expect((await fetch(siteOf(site), { accepts: (mime) => mime === 'application/zip' })).bytes).toHaveLength(1);
  });
  it('tells a status without reading what comes with it, and hands conditions on', async () => {
    const site = await serve(({ headers }) =>
      headers['if-none-match'] === '"a"'
        ? { status: 304, headers: { etag: '"a"' }, chunks: [] }
        : { status: 404, chunks: ['gone'] },
    );
    const { fetch } = open({ allowedHosts: allowed(site) });
    const same = await fetch(siteOf(site), { headers: { 'if-none-match': '"a"' } });
    expect([same.status, same.headers.get('etag'), same.bytes.length]).toEqual([304, '"a"', 0]);
    const gone = await fetch(siteOf(site));
    expect([gone.status, gone.bytes.length]).toEqual([404, 0]);
  });
  it('ends when its caller leaves', async () => {
    const site = await serve({ chunks: ['x'], delayMs: 600_000 });
    const leaving = new AbortController();
    const reading = open({ allowedHosts: allowed(site) }).fetch(siteOf(site), { signal: leaving.signal });
    while (site.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    expect((await errorOf(reading)).code).toBe('cancelled');
    await site.whenLeft(1);
  });
});
