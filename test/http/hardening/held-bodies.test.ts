// Bodies in memory are bounded together, whoever sends them at whatever pace: beyond that the largest of who holds most is refused, and others are served.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHeldBodies } from '../../../src/http/hardening/held-bodies.ts';
import { type HttpServer, startHttpServer } from '../../../src/http/server.ts';
import { fakeAppOptions, multipart } from '../../contract/fake-app.ts';

const heldBytes = 300_000;
let server: HttpServer;
beforeEach(async () => {
  const { options } = fakeAppOptions({ keys: true, limits: { heldBytes } });
  server = await startHttpServer({ ...options, host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close({ deadlineMs: 100 }));

const add = (key: string, length: number, uri = 'note.md') =>
  fetch(`${server.url}/v1/documents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ text: 'x'.repeat(length), uri }),
  });

/** Sends a body but for its last byte; what was replied, in the end. */
async function sendSlowly(body: Buffer, type: string) {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  const replied = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (piece: Buffer) => {
      text += piece.toString();
    });
    socket.on('error', () => undefined).on('close', () => resolve(text));
  });
  socket.write(
    `POST /v1/documents HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer writer-key\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.write(body.subarray(0, -1), resolve));
  return { socket, replied };
}

const bytes = Buffer.alloc(200_000, 'x');
const form = multipart([{ file: 'slow.md', bytes }]);
const files = multipart([
  { file: 'first.md', bytes },
  { file: 'second.md', bytes },
]).payload;
const json = Buffer.from(JSON.stringify({ text: bytes.toString(), uri: 'slow.md' }));

describe('bodies in memory', () => {
  it.each([
    ['a form', form.payload.subarray(0, -40), form.headers['content-type']],
    ['a form between two files', files.subarray(0, files.indexOf('second.md')), form.headers['content-type']],
    ['JSON', json, 'application/json'],
  ])('are bounded: who holds most gives way, of %s that does not end', async (_, body, type) => {
    const slow = await sendSlowly(body, type);
    let reply = '';
    void slow.replied.then((text) => {
      reply = text;
    });
    // Once it was read there is no room for both.
    const others = async () => {
      expect((await add('admin-key', 150_000)).status).toBe(202);
      return reply;
    };
    const isRefused = /^HTTP\/1\.1 429 .*rate-limited.*in hand, the most at once/su;
    await expect.poll(others, { timeout: 60_000, interval: 200 }).toMatch(isRefused);
    expect((await add('admin-key', 290_000)).status).toBe(202);
  });

  it('give their room back when their sender leaves', async () => {
    const slow = await sendSlowly(json, 'application/json');
    slow.socket.destroy();
    await slow.replied;
    await expect.poll(async () => (await add('writer-key', 290_000)).status, { timeout: 60_000 }).toBe(202);
  });

  it.each(['JSON', 'a field of a form'])('are each no larger than all may be together: %s', async (what) => {
    const { payload, headers } = multipart([{ field: 'title', value: 'x'.repeat(400_000) }]);
    const authorization = 'Bearer writer-key';
    const send = () =>
      fetch(`${server.url}/v1/documents`, {
        method: 'POST',
        headers: { ...headers, authorization },
        body: Uint8Array.from(payload),
      });
    const reply = await (what === 'JSON' ? add('writer-key', 400_000) : send());
    expect([reply.status, Number(reply.headers.get('retry-after'))]).toEqual([429, 5]);
  });

  it('take the largest of who holds most, and none that was read', () => {
    const bodies = createHeldBodies(100, () => new AbortController().signal);
    const refused: string[] = [];
    const open = (caller: string, name: string, amount: number) => {
      const body = bodies.open(caller);
      body.refuse = () => refused.push(name);
      body.add(amount);
      return body;
    };
    open('a', 'a1', 30);
    open('a', 'a2', 20).refuse = undefined;
    open('b', 'b1', 45);
    open('b', 'b2', 20);
    expect(refused).toEqual(['b1']);
    open('c', 'c1', 40);
    expect(refused).toEqual(['b1', 'a1']);
    open('b', 'b3', 90);
    expect(refused).toEqual(['b1', 'a1', 'b3']);
  });
});
