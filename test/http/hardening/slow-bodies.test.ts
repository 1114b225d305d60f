// A body may take as long as it keeps coming, and no longer.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { refuseConnection } from '../../../src/http/hardening/protocol-errors.ts';
import { limitSlowBodies } from '../../../src/http/hardening/slow-bodies.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0).reverse()) await end();
});

const limits = { lookMs: 1000, freeLooks: 2, leastBytes: 1 };
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));

/** A request whose body does not end, and what was replied. */
async function begin(take: (request: IncomingMessage) => void) {
  const begun = Promise.withResolvers<IncomingMessage>();
  const server = createServer((request, response) => {
    take(request);
    begun.resolve(request);
    request.on('end', () => response.end('served'));
  });
  server.on('clientError', (error, socket) => refuseConnection(error, socket as never));
  limitSlowBodies(server, limits);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  ends.push(() => socket.destroy());
  let reply = '';
  socket
    .on('error', () => undefined)
    .on('data', (piece: Buffer) => {
      reply += piece.toString();
    });
  await once(socket, 'connect');
  socket.write('POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n');
  return { socket, request: await begun.promise, reply: () => reply };
}

const look = (): void => void vi.advanceTimersByTime(limits.lookMs);

it('ends with 408 where nothing comes any more', async () => {
  const { socket, reply } = await begin((request) => request.resume());
  for (let count = 0; count <= limits.freeLooks; count += 1) look();
  await once(socket, 'end');
  expect(reply()).toMatch(/^HTTP\/1\.1 408 .*not complete in time/su);
});

it('is read to its end while it comes, for much longer than that', async () => {
  const { socket, request, reply } = await begin((taken) => taken.resume());
  for (let count = 0; count < 20; count += 1) {
    const came = once(request, 'data');
    socket.write('1\r\na\r\n');
    await came;
    look();
  }
  socket.write('0\r\n\r\n');
  await once(socket, 'end');
  expect(reply()).toMatch(/^HTTP\/1\.1 200 .*served/su);
});

it('is not cut while it waits for who takes it', async () => {
  const { socket, request, reply } = await begin(() => undefined);
  await expect.poll(() => request.readableLength).toBe(1);
  for (let count = 0; count < 20; count += 1) look();
  request.resume();
  socket.write('0\r\n\r\n');
  await once(socket, 'end');
  expect(reply()).toMatch(/^HTTP\/1\.1 200 .*served/su);
});
