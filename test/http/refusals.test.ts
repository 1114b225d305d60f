// Refusals that Node.js leaves without a word or loses on the way: each reaches its client, as a problem of ours.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import { refuseConnection } from '../../src/http/hardening/protocol-errors.ts';
import { dropUnreadBody } from '../../src/http/hardening/unread-body.ts';
import { toProblem } from '../../src/http/policy/problem.ts';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { faultOf } from '../../testkit/fuzz/http/fuzz.ts';
import { exchange, type RawReply } from '../../testkit/fuzz/http/raw-exchange.ts';
import { fakeAppOptions } from '../contract/fake-app.ts';

const open: HttpServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
const { system, options } = fakeAppOptions();
async function start({ keys = false } = {}): Promise<HttpServer> {
  const server = await startHttpServer({ ...options, hasKeys: async () => keys, host: '127.0.0.1', port: 0 });
  open.push(server);
  return server;
}

async function send(port: number, head: readonly string[], body = Buffer.alloc(0)): Promise<RawReply | undefined> {
  const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
  const { replies } = await exchange(port, bytes, { methods: ['POST'], patienceMs: 120_000 });
  return replies[0];
}

describe('a refusal', () => {
  it('of an expectation that nobody can meet is a problem', async () => {
    const { port } = await start();
    const reply = await send(port, ['GET /healthz HTTP/1.1', 'host: 127.0.0.1', 'expect: 200-ok']);
    expect(reply?.status).toBe(417);
    expect(reply && faultOf(reply, 'GET')).toBeUndefined();
    expect((await send(port, ['GET /healthz HTTP/1.1', 'host: 127.0.0.1', 'expect: 100-continue']))?.status).toBe(200);
  });

  it('of a tunnel is a problem', async () => {
    const { port } = await start();
    const reply = await send(port, ['CONNECT example.org:443 HTTP/1.1', 'host: example.org:443']);
    expect(reply?.status).toBe(405);
    expect(reply && faultOf(reply, 'CONNECT')).toBeUndefined();
  });

  it('of bytes that are no HTTP reaches a client that sends to the end before it reads', async () => {
    const { port } = await start();
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    const body = Buffer.alloc(8 * 1024 * 1024, 'a');
    const head = `POST %2Fv1%2Fask HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${body.length}\r\n\r\n`;
    await new Promise((sent) => socket.write(Buffer.concat([Buffer.from(head), body]), sent));
    const [reply = ''] = await once(socket.setEncoding('utf8').resume(), 'data').catch(() => []);
    socket.destroy();
    expect(reply).toMatch(/^HTTP\/1\.1 400 /u);
  });

  it('of bytes that are no HTTP ends with the connection, however long its client sends', async () => {
    const limits = { bytes: 1000, idleMs: 50, totalMs: 60_000 };
    const server = createServer((_, response) => void response.end());
    server.on('clientError', (error, socket) => refuseConnection(error, socket as Socket, limits));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    for (const more of [0, 200_000]) {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      let reply = '';
      socket
        .on('error', () => undefined)
        .on('data', (bytes) => {
          reply += String(bytes);
        });
      socket.write('GARBAGE\r\n\r\n');
      await once(socket, 'data');
      expect(reply).toMatch(/^HTTP\/1\.1 400 /u);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      const sending = setInterval(() => socket.write(Buffer.alloc(Math.max(1, more))), more > 0 ? 1 : 100);
      await closed;
      clearInterval(sending);
    }
    server.close();
    await once(server, 'close');
  });

  it('of bytes that are no HTTP is not written into a reply that is under way', async () => {
    const { port } = await start();
    const { promise: gone, resolve: goes } = Promise.withResolvers<void>();
    system.answerWith = async (_request, { onEvent, signal }, honest) => {
      signal?.addEventListener('abort', () => goes(), { once: true });
      onEvent?.({ type: 'delta', text: 'The harbour' });
      await gone;
      return honest();
    };
    const socket = connect(port, '127.0.0.1');
    let reply = '';
    socket.on('data', (bytes) => {
      reply += String(bytes);
      if (reply.includes('The harbour')) socket.write('GARBAGE\r\n\r\n');
    });
    socket.on('error', () => undefined);
    const body = '{"question":"When does the harbour open?","stream":true}';
    socket.write(
      `POST /v1/ask HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await Promise.all([once(socket, 'close'), gone]);
    expect(reply).toMatch(/^HTTP\/1\.1 200 /u);
    expect(reply).toContain('The harbour');
    expect(reply).not.toContain('400 Bad Request');
  });

  it.each([
    ['cut within the head of a part', 'b', '--b\r\ncontent-disposition: form-data; name="fi'],
    ['cut within a file', 'b', '--b\r\ncontent-disposition: form-data; name="file"; filename="a.md"\r\n\r\n# A'],
    ['cut within the preamble', 'b', 'before'],
    ['of a boundary that is too long', 'b'.repeat(300), `--${'b'.repeat(300)}--\r\n`],
    ['of an empty boundary', '', '----\r\n'],
  ])('of an upload %s is a problem', async (_, boundary, upload) => {
    const { port } = await start();
    const reply = await send(
      port,
      [
        'POST /v1/documents HTTP/1.1',
        'host: 127.0.0.1',
        `content-type: multipart/form-data; boundary=${boundary}`,
        `content-length: ${upload.length}`,
      ],
      Buffer.from(upload),
    );
    expect(reply?.status).toBe(400);
    expect(reply && faultOf(reply, 'POST')).toBeUndefined();
  });

  // Left unread, about half of these were reset before the client saw the reply.
  it.each([
    ['too large', '/v1/search', 'keep-alive', 413],
    ['too large, by a client that closes', '/v1/ask', 'close', 413],
    ['a wrong key', '/v1/documents', 'close', 401],
    ['no JSON', '/v1/documents', 'close', 415],
  ])('of a large body that is not read arrives: %s', async (_, path, connection, status) => {
    const { port } = await start({ keys: status === 401 });
    const body = Buffer.alloc(6 * 1024 * 1024, 0x20);
    const head = [
      `POST ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      `connection: ${connection}`,
      ...(status === 401 ? ['authorization: Bearer wrong'] : []),
      `content-type: ${status === 415 ? 'text/plain' : 'application/json'}`,
      `content-length: ${body.length}`,
    ];
    const statuses: unknown[] = [];
    for (let times = 0; times < 8; times++) statuses.push((await send(port, head, body))?.status);
    expect(statuses).toEqual(Array.from({ length: 8 }, () => status));
  });
});

describe('a problem', () => {
  it('repeats no whole request', () => {
    const { detail } = toProblem(new FootnoteError('not-found', `There is no source ${'a'.repeat(100_000)}.`), 'req_1');
    expect(detail).toHaveLength(4001);
    expect(detail).toMatch(/^There is no source a+…$/u);
  });
});

describe('a body that is dropped', () => {
  const never = { bytes: 1e9, idleMs: 1e6, totalMs: 1e6 };
  const incoming = (pieces: Iterable<Buffer>, ends: boolean): IncomingMessage => {
    const iterator = pieces[Symbol.iterator]();
    const stream = new Readable({
      read() {
        const { value, done } = iterator.next();
        if (done !== true) this.push(value);
        else if (ends) this.push(null);
      },
    });
    return Object.assign(stream, { complete: false }) as unknown as IncomingMessage;
  };
  const piece = Buffer.alloc(1000);
  function* endless(): Generator<Buffer> {
    for (;;) yield piece;
  }

  it('is read to its end', async () => {
    const body = incoming([piece, piece], true);
    await dropUnreadBody(body, never);
    expect(body.readableEnded).toBe(true);
  });
  it('is given up after so many bytes, so long a pause, and when the client goes', async () => {
    await dropUnreadBody(incoming(endless(), true), { ...never, bytes: 5000 });
    await dropUnreadBody(incoming([piece], false), { ...never, idleMs: 5 });
    await dropUnreadBody(incoming([piece], false), { ...never, totalMs: 5 });
    const gone = incoming([piece], false);
    const dropped = dropUnreadBody(gone, never);
    gone.destroy();
    await dropped;
  });
  it('is left alone where there is none', async () => {
    const body = Object.assign(incoming(endless(), true), { complete: true });
    await dropUnreadBody(body, never);
    expect(body.readableFlowing).toBeNull();
  });
});
