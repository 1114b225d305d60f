// Foreign hosts for what is too large to be held: a body comes as it is read, through a proxy where one is named, and only with https to other machines.
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type ForeignOptions, openForeign } from '../../src/net/foreign.ts';
import { openFakeServer, type Wire } from '../../src/testing/fake-http.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(answer: Wire) {
  const server = await openFakeServer(() => answer);
  closers.push(server.close);
  return server;
}
function open(options: ForeignOptions) {
  const foreign = openForeign(options);
  closers.push(foreign.close);
  return foreign;
}
const hostOf = (address: string): string => new URL(address).host;
const textOf = (body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> => new Response(body).text();

describe('a stream', () => {
  it('has its head before its end, and outlives the time for the head', async () => {
    const { address } = await serve({ chunks: ['one', 'two'], betweenMs: 400, headers: { 'content-type': 'a/b' } });
    const foreign = open({ allowedHosts: [hostOf(address)], timeoutMs: 300 });
    const { status, headers, body } = await foreign.open(address);
    expect([status, headers.get('content-type')]).toEqual([200, 'a/b']);
    expect(await textOf(body())).toBe('onetwo');
  });

  it('is left in the middle', async () => {
    const server = await serve({ chunks: ['one'], ending: 'hang' });
    const foreign = open({ allowedHosts: [hostOf(server.address)] });
    (await foreign.open(server.address)).discard();
    await server.whenLeft(1);
  });
});

describe('a way that is secure', () => {
  it('asks no other machine without https', async () => {
    const foreign = open({ secure: true, allowedHosts: ['wiki.example'], resolve: async () => [] });
    await expect(foreign.open('http://wiki.example/')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(foreign.open('https://wiki.example/')).rejects.toMatchObject({ code: 'upstream-unavailable' });
    const { address } = await serve({ chunks: ['here'] });
    const here = open({ secure: true, allowedHosts: [hostOf(address)] });
    expect(await textOf((await here.open(address)).body())).toBe('here');
  });
});

describe('a proxy', () => {
  it('is asked for hosts that are not taken out', async () => {
    const proxy = await serve({ chunks: ['by proxy'] });
    const site = await serve({ chunks: ['itself'] });
    const ask = async (not: string): Promise<string> => {
      const proxies = { http: proxy.address, https: '', not };
      const foreign = open({ allowedHosts: [hostOf(site.address)], proxies });
      return textOf((await foreign.open(`${site.address}/page`)).body());
    };
    expect(await ask('')).toBe('by proxy');
    expect(proxy.requests[0]?.path).toBe(`${site.address}/page`);
    expect(await ask('127.0.0.1')).toBe('itself');
  });

  it('looks up itself what is asked with https', async () => {
    const asked: string[] = [];
    const proxy = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (data) => {
        asked.push(data.toString().split('\r\n')[0] ?? '');
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise<void>((resolve) => proxy.close(() => resolve())));
    const https = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const resolve = () => Promise.reject(new Error('looked up here'));
    const foreign = open({ secure: true, proxies: { http: '', https, not: '' }, resolve });
    await expect(foreign.open('https://hub.example/')).rejects.toMatchObject({ code: 'upstream-unavailable' });
    expect(asked).toEqual(['CONNECT hub.example:443 HTTP/1.1']);
  });

  it('changes nothing about which addresses are asked', async () => {
    const proxy = await serve({ chunks: ['by proxy'] });
    const foreign = open({ proxies: { http: proxy.address, https: proxy.address, not: '' } });
    for (const address of ['http://169.254.169.254/', 'http://127.0.0.1:9/', 'https://10.0.0.1/'])
      await expect(foreign.open(address)).rejects.toMatchObject({ code: 'forbidden' });
    expect(proxy.requests).toEqual([]);
  });
});
