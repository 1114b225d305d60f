// The way out of the process: only where it was told, no redirects, bounded bodies, and an abort that the other side sees.
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import { openEgress } from '../../src/net/egress.ts';
import { type FakeServer, openFakeServer, type Wire } from '../../src/testing/fake-http.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
async function serve(wire: Wire | ((path: string) => Wire)): Promise<FakeServer> {
  const server = await openFakeServer(({ path }) => (typeof wire === 'function' ? wire(path) : wire));
  closers.push(server.close);
  return server;
}
function egressTo(addresses: readonly string[], options: Partial<Parameters<typeof openEgress>[0]> = {}) {
  const egress = openEgress({ addresses, ...options });
  closers.push(egress.close);
  return egress.fetch;
}
const errorOf = async (promise: Promise<unknown>): Promise<FootnoteError> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(FootnoteError);
  return thrown as FootnoteError;
};

describe('egress', () => {
  it('sends and receives', async () => {
    const server = await serve({
      chunks: ['{"a":', '"ä"}'],
      headers: { 'content-type': 'application/json', 'x-b': 'c' },
    });
    const fetch = egressTo([`${server.address}/v1`]);
    const response = await fetch(`${server.address}/v1/x?y=1`, {
      method: 'POST',
      body: '{"q":"ü"}',
      headers: { authorization: 'k' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-b')).toBe('c');
    expect(await response.json()).toEqual({ a: 'ä' });
    expect(server.requests[0]).toMatchObject({
      path: '/v1/x?y=1',
      body: { q: 'ü' },
      headers: { authorization: 'k', 'accept-encoding': 'identity' },
    });
  });

  it('keeps its connections', async () => {
    const server = await serve({ chunks: ['ok'] });
    const fetch = egressTo([server.address]);
    for (let count = 0; count < 5; count++) await (await fetch(server.address)).text();
    expect(server.openSockets()).toBe(1);
  });

  it('goes nowhere else', async () => {
    const [allowed, other] = [await serve({ chunks: ['a'] }), await serve({ chunks: ['b'] })];
    const fetch = egressTo([allowed.address]);
    for (const address of [
      other.address,
      'http://169.254.169.254/latest',
      allowed.address.replace('127.0.0.1', 'localhost'),
      'file:///etc/passwd',
    ])
      expect((await errorOf(fetch(address))).code).toBe('config-invalid');
    expect(other.requests).toEqual([]);
    expect(() => openEgress({ addresses: ['ftp://example.org'] })).toThrow(/not an http/);
  });

  it('follows no redirect, which would take the key along', async () => {
    const other = await serve({ chunks: ['b'] });
    const server = await serve({ status: 307, headers: { location: `${other.address}/steal` }, chunks: [''] });
    const error = await errorOf(
      egressTo([server.address, other.address])(server.address, { headers: { authorization: 'k' } }),
    );
    expect(error.code).toBe('upstream-invalid');
    expect(error.details['isFinal']).toBe(true);
    expect(other.requests).toEqual([]);
  });

  it('bounds what it reads', async () => {
    const server = await serve({ chunks: Array.from({ length: 400 }, () => 'x'.repeat(65_536)) });
    const response = await egressTo([server.address], { maxResponseBytes: 50_000 })(server.address);
    expect((await errorOf(response.text())).code).toBe('upstream-invalid');
    await server.whenLeft(1);
  });

  it('reads no faster than its reader', async () => {
    const server = await serve({ chunks: Array.from({ length: 400 }, () => 'x'.repeat(65_536)) });
    const response = await egressTo([server.address])(server.address);
    const reader = response.body!.getReader();
    const first = await reader.read();
    expect(first.done).toBe(false);
    await reader.cancel();
    await server.whenLeft(1);
  });

  it('names what is wrong with a service that cannot be reached', async () => {
    const server = await serve({ chunks: ['a'] });
    await server.close();
    const refused = await errorOf(egressTo([server.address])(server.address));
    expect(refused.code).toBe('upstream-unavailable');
    expect(refused.message).toContain('nothing listens there');
    const nowhere = await errorOf(egressTo(['http://host.invalid'])('http://host.invalid/'));
    expect(nowhere.code).toBe('upstream-unavailable');
  });

  it('gives up on a connection that does not come about', async () => {
    // TLS that nobody answers hangs where a connection behind a firewall does.
    const silent = createServer((socket) => void socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise<void>((resolve) => silent.close(() => resolve())));
    const { port } = silent.address() as AddressInfo;
    const fetch = egressTo([`https://127.0.0.1:${port}`], { connectTimeoutMs: 80 });
    const error = await errorOf(fetch(`https://127.0.0.1:${port}/`));
    expect(error.message).toContain('no connection within 80 ms');
  });

  it('says that an answer broke off', async () => {
    const server = await serve({ chunks: ['{"half"'], headers: { 'content-length': '100' }, ending: 'cut' });
    const response = await egressTo([server.address])(server.address);
    const error = await errorOf(response.text());
    expect(error.code).toBe('upstream-unavailable');
    expect(error.message).toContain('in the middle');
  });

  it('aborts between the head and the first read', async () => {
    const server = await serve({ chunks: ['a', 'b'], betweenMs: 60_000 });
    const leaving = new AbortController();
    const response = await egressTo([server.address])(server.address, { signal: leaving.signal });
    leaving.abort(new FootnoteError('cancelled', 'Gone.'));
    await server.whenLeft(1);
    expect((await errorOf(response.text())).code).toBe('cancelled');
  });

  it.each([
    ['before the head', { chunks: ['a'], delayMs: 60_000 }],
    ['in the body', { chunks: ['a', 'b'], betweenMs: 60_000 }],
  ] as const)('aborts %s, on the socket too', async (_when, wire) => {
    const server = await serve(wire);
    const leaving = new AbortController();
    const read = (async () => (await egressTo([server.address])(server.address, { signal: leaving.signal })).text())();
    setTimeout(() => leaving.abort(new FootnoteError('cancelled', 'Gone.')), 40);
    expect((await errorOf(read)).code).toBe('cancelled');
    await server.whenLeft(1);
    expect((await errorOf(egressTo([server.address])(server.address, { signal: leaving.signal }))).code).toBe(
      'cancelled',
    );
  });
});
