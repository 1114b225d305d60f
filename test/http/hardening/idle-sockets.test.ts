// Connections without a request: they make room for others, oldest first, and one with a request under way is never among them.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { limitIdleSockets } from '../../../src/http/hardening/idle-sockets.ts';
import { startHttpServer } from '../../../src/http/server.ts';
import { fakeAppOptions } from '../../contract/fake-app.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function dial(port: number, bytes = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  ends.push(() => socket.destroy());
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}

it('closes the oldest of too many, and none that is being served', async () => {
  const waiting: (() => void)[] = [];
  const server = createServer((_request, response) => waiting.push(() => response.end('served')));
  limitIdleSockets(server, { idle: 5 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  const { port } = server.address() as AddressInfo;

  const served = await dial(port, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
  // One sends nothing, one half a header.
  const first = [await dial(port), await dial(port, 'GET / HTTP/1.1\r\nho')];
  const closed = first.map((socket) => once(socket, 'close'));
  const others = [];
  for (let count = 0; count < 5; count += 1) others.push(await dial(port));
  await Promise.all(closed);
  expect(others.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false, false]);
  const reply = once(served, 'data');
  waiting[0]?.();
  expect(String((await reply)[0])).toContain('served');
});

it('leaves the server open to others while a thousand and more send nothing', { timeout: 60_000 }, async () => {
  const server = await startHttpServer({ ...fakeAppOptions().options, host: '127.0.0.1', port: 0 });
  ends.push(() => server.close());
  const idle: Socket[] = [];
  for (let count = 0; count < 1_100; count += 1) idle.push(await dial(server.port));
  expect((await fetch(`${server.url}/v1/documents`)).status).toBe(200);
  for (const socket of idle.slice(0, 50)) if (!socket.destroyed) await once(socket, 'close');
  expect(idle.at(-1)?.destroyed).toBe(false);
});

it('closes of too many that send a body one that has stopped, before one that goes on', async () => {
  const requests: { took: number }[] = [];
  const server = createServer((request, response) => {
    const seen = { took: 0 };
    requests.push(seen);
    request.on('data', (piece: Buffer) => {
      seen.took += piece.byteLength;
    });
    request.on('end', () => response.end('served'));
  });
  limitIdleSockets(server, { reading: 3 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const untilThere = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) await new Promise((resolve) => setImmediate(resolve));
  };

  const sockets: Socket[] = [];
  for (let count = 0; count < 3; count += 1) {
    sockets.push(await dial(port, 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\na'));
    await untilThere(() => requests.length === count + 1 && (requests[count]?.took ?? 0) > 0);
  }
  const [first, second] = sockets;
  first?.write('b');
  await untilThere(() => requests[0]?.took === 2);
  const closed = once(second as Socket, 'close');
  await dial(port, 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\na');
  await closed;
  const reply = once(first as Socket, 'data');
  first?.write('cd');
  expect(String((await reply)[0])).toContain('served');
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
});
