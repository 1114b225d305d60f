// A client that takes nothing is cut also when all that waits for it fits our own buffers, the log says so, and nobody else who reads
// the same stream suffers for it.
import { EventEmitter, once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpLogLine } from '../../../src/http/app.ts';
import { createHeldReplies } from '../../../src/http/hardening/held-replies.ts';
import { inReplyPieces } from '../../../src/http/hardening/reply-pieces.ts';
import { watchConnections, watchReader } from '../../../src/http/hardening/stalled-reader.ts';
import { type HttpServer, startHttpServer } from '../../../src/http/server.ts';
import { fakeAppOptions } from '../../contract/fake-app.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** More than the kernel holds for a connection on this machine. */
const large = 'x'.repeat(24 * 1024 * 1024);
const question = { question: 'When does the harbour open?', stream: true };

async function listening(stallMs: number, log: (line: HttpLogLine) => void = () => undefined) {
  const { system, options } = fakeAppOptions({ log, stream: { stallMs, streamBytes: 2 * large.length } });
  const server = await startHttpServer({ ...options, host: '127.0.0.1', port: 0 });
  closers.push(() => server.close({ deadlineMs: 100 }));
  await fetch(`${server.url}/v1/documents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'The harbour opens at six.', uri: 'h' }),
  });
  return { server, system };
}

async function askWithoutReading(server: HttpServer): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  closers.push(() => void socket.destroy());
  await once(socket, 'connect');
  const text = JSON.stringify(question);
  socket.pause();
  socket.write(
    `POST /v1/ask HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
  );
  return socket;
}

describe('a client that takes nothing', () => {
  it('is cut after the answer has ended too, and the log says why', async () => {
    const { promise: told, resolve: tell } = Promise.withResolvers<HttpLogLine>();
    const { server, system } = await listening(60, (line) => line.error !== undefined && tell(line));
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    system.answerWith = async (_request, { onEvent }, honest) => {
      onEvent?.({ type: 'delta', text: large });
      end();
      return honest();
    };
    const socket = await askWithoutReading(server);
    await ended;
    expect(await told).toMatchObject({
      route: '/v1/ask',
      error: { code: 'cancelled', message: expect.stringContaining('took nothing for 60 ms') as string },
    });
    // Read now, it gets what the kernel still had, and then the end that was no end of the stream.
    let bytes = 0;
    socket.on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
    socket.on('error', () => undefined);
    socket.resume();
    await once(socket, 'close');
    expect(bytes).toBeLessThan(large.length);
  });

  it('does not end the stream of another who reads it', async () => {
    const { promise: told, resolve: tell } = Promise.withResolvers<HttpLogLine>();
    const { server, system } = await listening(300, (line) => line.error !== undefined && tell(line));
    const stalled = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    let aborted = false;
    system.answerWith = async (_request, { onEvent, signal }, honest) => {
      signal?.addEventListener('abort', () => {
        aborted = true;
      });
      onEvent?.({ type: 'status', stage: 'searching' });
      await stalled.promise;
      onEvent?.({ type: 'delta', text: large });
      await finish.promise;
      return honest();
    };
    const first = await askWithoutReading(server);
    const { promise: named, resolve: name } = Promise.withResolvers<string>();
    let head = '';
    const look = (piece: Buffer): void => {
      head += String(piece);
      const id = /^id: (\S+)/mu.exec(head)?.[1];
      if (id !== undefined) name(id);
    };
    first.on('data', look);
    first.resume();
    const id = await named;
    first.off('data', look);
    first.pause();
    const second = await fetch(`${server.url}/v1/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'last-event-id': id },
      body: JSON.stringify(question),
    });
    const read = second.text();
    stalled.resolve();
    const closed = once(first, 'close');
    first.on('error', () => undefined);
    // Cut while the other still waits for the rest.
    await told;
    finish.resolve();
    expect(await read).toContain('event: done');
    expect(aborted).toBe(false);
    first.resume();
    await closed;
  });
});

describe('a client that takes nothing of any other reply', () => {
  const routes = ['text', 'file', 'chunks'];
  it.each(routes)('is cut, and the log says why: %s', async (route) => {
    const { promise: told, resolve: tell } = Promise.withResolvers<HttpLogLine>();
    const { server } = await listening(60, (line) => line.error !== undefined && tell(line));
    const added = await fetch(`${server.url}/v1/documents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: large, uri: 'large' }),
    });
    const { documents } = (await added.json()) as { documents: { id: string }[] };
    const socket = connect(server.port, '127.0.0.1');
    closers.push(() => void socket.destroy());
    await once(socket, 'connect');
    socket.pause();
    const path = `/v1/documents/${documents[0]?.id}/${route}`;
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\naccept: application/json\r\n\r\n`);
    expect(await told).toMatchObject({
      route: `/v1/documents/:id/${route}`,
      error: { code: 'cancelled', message: expect.stringContaining('took nothing of the reply for 60 ms') as string },
    });
    let bytes = 0;
    socket.on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
    socket.on('error', () => undefined);
    socket.resume();
    await once(socket, 'close');
    expect(bytes).toBeLessThan(large.length);
  });
});

describe('long replies that wait', () => {
  it('take bounded memory together, and give it back', () => {
    const held = createHeldReplies(1_000_000);
    const reply = (): FastifyReply => ({ raw: new EventEmitter() }) as unknown as FastifyReply;
    const [first, second] = [reply(), reply()];
    // One alone may be of any length, and short ones are not counted.
    held.hold(first, 2_000_000);
    held.hold(reply(), 1000);
    for (const refused of [() => held.admit(), () => held.hold(second, 300_000)])
      expect(refused).toThrow(expect.objectContaining({ code: 'rate-limited' }) as Error);
    first.raw.emit('finish');
    first.raw.emit('close');
    held.hold(second, 600_000);
    held.admit();
    expect(() => held.hold(reply(), 500_000)).toThrow(/Try again/u);
    second.raw.emit('close');
    held.hold(reply(), 900_000);
  });
});

describe('a long reply', () => {
  it('is the same in pieces, wherever they are cut', async () => {
    for (const unit of ['a', 'ü', '→', '𝄞', 'a𝄞', '\ud800x']) {
      const text = unit.repeat(Math.ceil(600_000 / unit.length));
      const pieces = inReplyPieces(text);
      const bytes = Buffer.concat(await (pieces?.toArray() ?? []));
      expect(bytes.equals(Buffer.from(text)), unit).toBe(true);
    }
    const bytes = Buffer.from(Uint8Array.from({ length: 700_001 }, (_, at) => at % 251));
    expect(Buffer.concat(await (inReplyPieces(bytes)?.toArray() ?? [])).equals(bytes)).toBe(true);
    for (const short of ['', 'short', Buffer.alloc(10), undefined, null]) expect(inReplyPieces(short)).toBeUndefined();
  });
});

describe('the watch', () => {
  /** A response of which a test says what waits and what was taken. */
  function response(): { raw: ServerResponse; state: { waiting: number; written: number } } {
    const state = { waiting: 0, written: 0 };
    const socket = {
      get bytesWritten() {
        return state.written + state.waiting;
      },
      get writableLength() {
        return state.waiting;
      },
    };
    const raw = Object.assign(new EventEmitter(), { socket });
    Object.defineProperty(raw, 'writableLength', { get: () => state.waiting });
    return { raw: raw as unknown as ServerResponse, state };
  }
  const turns = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  it('leaves alone who waits for nothing, and who takes a little', async () => {
    const idle = response();
    const slow = response();
    let cut = 0;
    watchReader(idle.raw, 30, () => cut++);
    slow.state.waiting = 1_000_000;
    watchReader(slow.raw, 30, () => cut++);
    for (let turn = 0; turn < 30; turn++) {
      await turns(3);
      slow.state.waiting -= 100;
      slow.state.written += 100;
    }
    expect(cut).toBe(0);
    idle.raw.emit('close');
    slow.raw.emit('close');
  });

  it('calls once, and not after the end', async () => {
    const stuck = response();
    const gone = response();
    stuck.state.waiting = 10;
    gone.state.waiting = 10;
    let cut = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    watchReader(stuck.raw, 12, () => {
      cut++;
      resolve();
    });
    watchReader(gone.raw, 12, () => cut++);
    gone.raw.emit('close');
    await promise;
    await turns(40);
    expect(cut).toBe(1);
  });

  it('of all connections cuts who takes nothing, and neither who takes a little nor who waits for nothing', async () => {
    const server = new EventEmitter();
    const { promise, resolve } = Promise.withResolvers<void>();
    const cut: Socket[] = [];
    watchConnections(server as unknown as Server, 60, (socket) => {
      cut.push(socket);
      resolve();
    });
    const connection = (waiting: number, takenEachLook: number): Socket => {
      let taken = 0;
      const socket = Object.assign(new EventEmitter(), { writableLength: waiting });
      // Each look finds a little more taken.
      Object.defineProperty(socket, 'bytesWritten', {
        get() {
          taken += takenEachLook;
          return waiting + taken;
        },
      });
      server.emit('connection', socket);
      return socket as unknown as Socket;
    };
    connection(1_000_000, 1);
    connection(0, 0);
    const gone = connection(10, 0);
    gone.emit('close');
    const stuck = connection(10, 0);
    await promise;
    await turns(60);
    expect(cut).toEqual([stuck]);
    server.emit('close');
  });
});
