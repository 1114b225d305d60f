// Where the server listens, what it says when it cannot, and what Node leaves loose and we do not.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkBinding, type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { fakeAppOptions } from '../contract/fake-app.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function start(
  fake: { keys?: boolean; host?: string; port?: number; allowedHosts?: string[] } = {},
): Promise<HttpServer> {
  const { host = '127.0.0.1', port = 0, ...rest } = fake;
  const server = await startHttpServer({ ...fakeAppOptions(rest).options, host, port });
  open.push(server);
  return server;
}

describe('binding', () => {
  it('listens on this machine without a key', async () => {
    const server = await start();
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.org', ''])('refuses %j until a key exists', async (host) => {
    await expect(start({ host })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('footnote keys create') as string,
    });
    await expect(checkBinding(host, async () => true)).resolves.toBeUndefined();
  });

  it('with a key it listens everywhere and asks for the key there', async () => {
    const server = await start({ host: '0.0.0.0', keys: true });
    expect((await fetch(`${server.url}/v1/documents`)).status).toBe(401);
    const headers = { authorization: 'Bearer reader-key' };
    expect((await fetch(`${server.url}/v1/documents`, { headers })).status).toBe(200);
  });

  it('says what to do when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(start({ port })).rejects.toMatchObject({
      code: 'port-taken',
      message: expect.stringMatching(new RegExp(`${port}.*--port`)) as string,
    });
    other.close();
  });

  it('says what to do when the machine has no such address', async () => {
    await expect(start({ host: '192.0.2.1', keys: true })).rejects.toMatchObject({ code: 'port-taken' });
  });
});

async function raw(server: HttpServer, bytes: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.setEncoding('utf8');
  let reply = '';
  socket.on('data', (text: string) => {
    reply += text;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return reply;
}

describe('the socket', () => {
  it('answers bytes that are no HTTP with a problem', async () => {
    const reply = await raw(await start(), 'HELLO\r\n\r\n');
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain('application/problem+json');
    expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n')))).toMatchObject({ status: 400, code: 'invalid-request' });
  });

  it('refuses headers over 16 kB', async () => {
    const reply = await raw(
      await start(),
      `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('refuses a request without a host', async () => {
    expect(await raw(await start(), 'GET /v1/documents HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('has finite timeouts and connections', async () => {
    const { app } = await start();
    expect(app.server.headersTimeout).toBe(20_000);
    // Of the whole body: it would be one for its size (slow-bodies.ts).
    expect(app.server.requestTimeout).toBe(0);
    expect(app.server.keepAliveTimeout).toBe(5_000);
    expect(app.server.maxConnections).toBe(2048);
  });
});
