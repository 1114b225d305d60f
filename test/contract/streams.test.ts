// Server-sent events: numbered frames, one final event, cancellation when the client goes, resuming, stalls, shutdown.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { answerSchema } from '../../src/core/answer.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { createEventStreams } from '../../src/http/wire/sse.ts';
import { createFakeApp, type FakeAppOptions, fakeAppOptions, parseFrames } from './fake-app.ts';
import type { FakeSystem } from './fake-footnote.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function application(fake: FakeAppOptions = {}) {
  const created = createFakeApp(fake);
  closers.push(() => created.app.close());
  return created;
}

async function listening(fake: FakeAppOptions = {}): Promise<{ server: HttpServer; system: FakeSystem }> {
  const { system, options } = fakeAppOptions(fake);
  const server = await startHttpServer({ ...options, host: '127.0.0.1', port: 0 });
  closers.push(() => server.close({ deadlineMs: 100 }));
  await post(server, '/v1/documents', { text: 'The harbour opens at six.', uri: 'h' });
  return { server, system };
}

function post(server: HttpServer, path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  });
}

const question = { question: 'When does the harbour open?', stream: true };

describe('a streamed answer', () => {
  it('has each event on one line for clients that end lines where Unicode does', async () => {
    const { app } = application();
    const ends = '\u0085\u2028\u2029\u000b\u000c\u001c\u001d\u001e';
    const text = `The harbour opens at six.${ends}Bring a lamp.`;
    await app.inject({ method: 'POST', url: '/v1/documents', payload: { text, title: `Harbour${ends}hours` } });
    const reply = await app.inject({ method: 'POST', url: '/v1/ask', payload: question });
    const lines = reply.body.split(/[\n\r\u0085\u2028\u2029\u000b\u000c\u001c-\u001e]/u);
    const data = lines.filter((line) => line.startsWith('data:'));
    expect(lines.filter((line) => !/^(?:id: |event: |data: |: |$)/u.test(line))).toEqual([]);
    // What was written comes back as it was.
    expect(data.some((line) => JSON.stringify(JSON.parse(line.slice(5))).includes('\u2028'))).toBe(true);
  });
  it('comes in numbered frames with a type, claims before the end, and ends with done', async () => {
    const { app } = application();
    await app.inject({ method: 'POST', url: '/v1/documents', payload: { text: 'The harbour opens at six.' } });
    for (const call of [
      { payload: question },
      { payload: { question: question.question }, headers: { accept: 'text/event-stream' } },
    ]) {
      const reply = await app.inject({ method: 'POST', url: '/v1/ask', ...call });
      expect(reply.headers['content-type']).toBe('text/event-stream; charset=utf-8');
      expect(reply.headers['cache-control']).toBe('no-store');
      const frames = parseFrames(reply.body);
      expect(frames.map((frame) => frame.event)).toEqual(['status', 'citation', 'delta', 'done']);
      expect(frames.map((frame) => frame.data.type)).toEqual(frames.map((frame) => frame.event));
      expect(frames.map((frame) => Number(frame.id.split('.').at(-1)))).toEqual([1, 2, 3, 4]);
      answerSchema.parse(frames.at(-1)?.data['answer']);
    }
  });

  it('ends with exactly one error when the work fails on the way', async () => {
    const { app, system } = application();
    system.answerWith = async (_request, { onEvent }) => {
      onEvent?.({ type: 'status', stage: 'searching' });
      throw new FootnoteError('upstream-unavailable', 'The store is down.');
    };
    const reply = await app.inject({ method: 'POST', url: '/v1/ask', payload: question });
    const frames = parseFrames(reply.body);
    expect(frames.map((frame) => frame.event)).toEqual(['status', 'error']);
    expect(frames.at(-1)?.data).toMatchObject({
      problem: { code: 'upstream-unavailable', status: 503, requestId: reply.headers['x-request-id'] },
    });
  });

  it('resumes after the event named by Last-Event-ID, for the same caller and question only', async () => {
    const { app, system } = application({ keys: true });
    const ask = (headers: Record<string, string>, payload: object = question) =>
      app.inject({
        method: 'POST',
        url: '/v1/ask',
        payload,
        headers: { authorization: 'Bearer reader-key', ...headers },
      });
    const first = await ask({});
    const frames = parseFrames(first.body);
    const id = frames[0]?.id ?? '';
    const again = parseFrames((await ask({ 'last-event-id': id })).body);
    expect(again).toEqual(frames.slice(1));
    expect(system.asked).toHaveLength(1);
    expect((await ask({ 'last-event-id': id }, { ...question, topK: 3 })).statusCode).toBe(400);
    expect((await ask({ 'last-event-id': id, authorization: 'Bearer admin-key' })).statusCode).toBe(404);
    expect((await ask({ 'last-event-id': id, authorization: 'Bearer other-tenant-key' })).statusCode).toBe(404);
    expect((await ask({ 'last-event-id': `${id}9999` })).body).toBe('');
  });

  it('keeps a quiet connection alive with comments', async () => {
    const { app, system } = application({ stream: { heartbeatMs: 5 } });
    system.answerWith = async (_request, { onEvent }, honest) => {
      onEvent?.({ type: 'status', stage: 'searching' });
      await new Promise((resolve) => setTimeout(resolve, 40));
      return honest();
    };
    const reply = await app.inject({ method: 'POST', url: '/v1/ask', payload: question });
    expect(reply.body).toContain('\n\n: still here\n\n');
    expect(parseFrames(reply.body).at(-1)?.event).toBe('done');
  });
});

/** A question that begins and then waits until its signal aborts; `aborted` resolves with the reason. */
function waiting(system: FakeSystem): { aborted: Promise<unknown> } {
  const { promise: aborted, resolve } = Promise.withResolvers<unknown>();
  system.answerWith = async (_request, { onEvent, signal }) => {
    onEvent?.({ type: 'status', stage: 'searching' });
    await new Promise<void>((settle) => {
      signal?.addEventListener('abort', () => settle(), { once: true });
    });
    resolve(signal?.reason);
    throw signal?.reason;
  };
  return { aborted };
}

describe('a slow client', () => {
  it('gets every event in order when it takes them in time', async () => {
    const { server, system } = await listening({ stream: { stallMs: 5000 } });
    const count = 300;
    system.answerWith = async (_request, { onEvent }, honest) => {
      for (let index = 0; index < count; index++)
        onEvent?.({ type: 'delta', text: `${index} ${'x'.repeat(16 * 1024)}` });
      return honest();
    };
    const reply = await post(server, '/v1/ask', question);
    const decoder = new TextDecoder();
    let body = '';
    for await (const piece of reply.body ?? []) {
      body += decoder.decode(piece as Uint8Array, { stream: true });
      await new Promise(setImmediate);
    }
    const deltas = parseFrames(body).filter(({ data }) => data.type === 'delta' && String(data['text']).endsWith('x'));
    expect(deltas.map(({ data }) => Number.parseInt(String(data['text']), 10))).toEqual(
      Array.from({ length: count }, (_, at) => at),
    );
    expect(parseFrames(body).at(-1)?.event).toBe('done');
  });
});

describe('a client that goes away', () => {
  it('stops the work of a stream', async () => {
    const { server, system } = await listening();
    const { aborted } = waiting(system);
    const client = new AbortController();
    const reply = await post(server, '/v1/ask', question, { signal: client.signal });
    const reader = reply.body?.getReader();
    await reader?.read();
    client.abort();
    await expect(aborted).resolves.toMatchObject({ code: 'cancelled' });
  });

  it('stops the work of a plain request', async () => {
    const { server, system } = await listening();
    const { aborted } = waiting(system);
    const client = new AbortController();
    const { promise: asked, resolve: begun } = Promise.withResolvers<void>();
    const inner = system.answerWith;
    system.answerWith = (request, options, honest) => {
      begun();
      return inner?.(request, options, honest) ?? Promise.resolve(honest());
    };
    const reply = post(server, '/v1/ask', { question: 'harbour?' }, { signal: client.signal }).catch(() => undefined);
    await asked;
    client.abort();
    await reply;
    await expect(aborted).resolves.toMatchObject({ code: 'cancelled' });
  });

  it('is cut when it takes nothing, and holds no more than its queue', async () => {
    const { server, system } = await listening({ stream: { stallMs: 50, streamBytes: 100 * 1024 * 1024 } });
    const { promise: aborted, resolve } = Promise.withResolvers<unknown>();
    system.answerWith = async (_request, { onEvent, signal }) => {
      for (let sent = 0; !signal?.aborted && sent < 1000; sent++) {
        onEvent?.({ type: 'delta', text: 'x'.repeat(64 * 1024) });
        await new Promise(setImmediate);
      }
      if (!signal?.aborted) await new Promise<void>((settle) => signal?.addEventListener('abort', () => settle()));
      resolve(signal?.reason);
      throw signal?.reason;
    };
    const socket = await rawRequest(server, question);
    socket.pause();
    await expect(aborted).resolves.toMatchObject({
      code: 'cancelled',
      message: expect.stringContaining('took nothing') as string,
    });
    socket.destroy();
  });
});

async function rawRequest(server: HttpServer, body: unknown): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  const text = JSON.stringify(body);
  socket.write(
    `POST /v1/ask HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
  );
  return socket;
}

describe('stopping the server', () => {
  it('gives every stream its final event, and then closes by itself', async () => {
    const { server, system } = await listening();
    const { aborted } = waiting(system);
    const reply = await post(server, '/v1/ask', question);
    const body = reply.text();
    // No deadline short enough to cut it: it ends because the stream ended.
    await server.close({ deadlineMs: 60_000 });
    expect(parseFrames(await body).at(-1)).toMatchObject({ event: 'error', data: { problem: { code: 'cancelled' } } });
    await aborted;
  });

  it('lets a request finish, and cuts it at the deadline', async () => {
    for (const finishes of [true, false]) {
      const { server, system } = await listening();
      const gate = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      system.answerWith = async (_request, _options, honest) => {
        begun.resolve();
        await gate.promise;
        return honest();
      };
      const reply = post(server, '/v1/ask', { question: 'harbour?' }).then(
        ({ status }) => status,
        () => 'cut',
      );
      await begun.promise;
      const closed = server.close({ deadlineMs: finishes ? 10_000 : 30 });
      if (finishes) gate.resolve();
      expect(await reply).toBe(finishes ? 200 : 'cut');
      gate.resolve();
      await closed;
    }
  });

  it('opens no stream for a request that was still on its way', () => {
    const streams = createEventStreams();
    streams.closeAll();
    const owner = { owner: 'a', requestHash: 'b', requestId: 'c' };
    expect(() => streams.open(owner)).toThrow('stopping');
  });
});

describe('streams', () => {
  const owner = { owner: 'a', requestHash: 'b', requestId: 'c' };

  it('are limited in number, and those that ended are forgotten in time', () => {
    const streams = createEventStreams({ liveStreams: 2, keptStreams: 1 });
    const first = streams.open(owner);
    const second = streams.open(owner);
    expect(() => streams.open(owner)).toThrow('2 streams are open');
    for (const stream of [first, second]) stream.end({ type: 'done' });
    streams.open(owner);
    expect(() => streams.resume(`${first.id}.0`, owner)).toThrow('not kept');
    expect(streams.resume(`${second.id}.1`, owner).after).toBe(1);
  });

  it('end once: what comes later is not added', () => {
    const stream = createEventStreams().open(owner);
    stream.end({ type: 'done' });
    stream.append({ type: 'delta' });
    stream.end({ type: 'error' });
    expect(stream.length).toBe(1);
  });

  it('that grow without end are ended with an error', () => {
    const stream = createEventStreams({ streamBytes: 100 }).open(owner);
    for (let count = 0; count < 10; count++) stream.append({ type: 'delta'.repeat(10) });
    expect(stream.ended).toBe(true);
    expect(stream.signal.aborted).toBe(true);
  });
});
