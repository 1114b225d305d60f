// Idempotency-Key: once, kept, refused for another body, busy while running, given back after a failure.
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { createFakeApp, multipart, parseFrames } from './fake-app.ts';
import type { FakeSystem } from './fake-footnote.ts';

let app: HttpApp;
let system: FakeSystem;
beforeEach(async () => {
  ({ app, system } = createFakeApp());
  await app.inject({ method: 'POST', url: '/v1/documents', payload: { text: 'The harbour opens.', uri: 'h' } });
});
afterEach(() => app.close());

const key = { 'idempotency-key': 'k-1' };
const ask = (question: string, extra: Record<string, unknown> = {}) =>
  app.inject({
    method: 'POST',
    url: '/v1/rag/sessions/s/messages',
    payload: { content: question, ...extra },
    headers: key,
  });

/** A database that is away for some of the calls. */
function away(names: readonly ('release' | 'finish')[]) {
  const place = { isAway: true };
  const of = system.idempotency;
  let calls = 0;
  const orFail =
    <Given extends readonly unknown[]>(name: 'release' | 'finish', call: (...given: Given) => Promise<void>) =>
    async (...given: Given): Promise<void> => {
      if (names.includes(name)) calls += 1;
      if (names.includes(name) && place.isAway) throw new FootnoteError('storage-busy', 'The database is away.');
      await call(...given);
    };
  system.idempotency = (scope) => {
    const port = of(scope);
    return { ...port, release: orFail('release', port.release), finish: orFail('finish', port.finish) };
  };
  return { place, count: () => calls };
}

describe('Idempotency-Key', () => {
  it('gives the first reply again without doing it again', async () => {
    const first = await ask('harbour?');
    const second = await ask('harbour?');
    expect(second.statusCode).toBe(200);
    expect(second.body).toBe(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(system.asked).toHaveLength(1);
  });

  it('refuses another body or another path of the same route', async () => {
    await ask('harbour?');
    expect((await ask('other?')).json()).toMatchObject({ status: 422, code: 'idempotency-mismatch' });
    const elsewhere = await app.inject({
      method: 'POST',
      url: '/v1/rag/sessions/t/messages',
      payload: { content: 'harbour?' },
      headers: key,
    });
    expect(elsewhere.statusCode).toBe(422);
  });

  it('is busy while the first request runs', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    system.answerWith = async (_request, _options, honest) => {
      await promise;
      return honest();
    };
    const first = ask('harbour?');
    await new Promise(setImmediate);
    const busy = await ask('harbour?');
    expect(busy.json()).toMatchObject({ status: 409, code: 'conflict' });
    expect(busy.headers['retry-after']).toBe('5');
    resolve();
    expect((await first).statusCode).toBe(200);
    expect((await ask('harbour?')).statusCode).toBe(200);
  });

  it('is free again after a failure', async () => {
    system.answerWith = async () => {
      throw new FootnoteError('upstream-unavailable', 'Down.');
    };
    expect((await ask('harbour?')).statusCode).toBe(503);
    system.answerWith = undefined;
    expect((await ask('harbour?')).statusCode).toBe(200);
  });

  it('is free again though giving it back failed, once the database is there', async () => {
    const { place, count } = away(['release']);
    system.answerWith = async () => {
      throw new FootnoteError('upstream-unavailable', 'Down.');
    };
    expect((await ask('harbour?')).statusCode).toBeGreaterThanOrEqual(500);
    system.answerWith = undefined;
    expect((await ask('harbour?')).statusCode).toBe(409);
    place.isAway = false;
    await vi.waitFor(async () => expect((await ask('harbour?')).statusCode).toBe(200), { timeout: 60_000 });
    expect(count()).toBeGreaterThan(1);
  });

  it('is done once though its reply could not be kept, and gives that reply later', async () => {
    const { place } = away(['finish']);
    expect((await ask('harbour?')).statusCode).toBeGreaterThanOrEqual(500);
    expect((await ask('harbour?')).statusCode).toBe(409);
    place.isAway = false;
    await vi.waitFor(async () => expect((await ask('harbour?')).statusCode).toBe(200), { timeout: 60_000 });
    expect((await ask('harbour?')).headers['idempotency-replayed']).toBe('true');
    expect(system.asked).toHaveLength(1);
  });

  it('is not given back any more once the server closes', async () => {
    const { place, count } = away(['release']);
    system.answerWith = async () => {
      throw new FootnoteError('upstream-unavailable', 'Down.');
    };
    await ask('harbour?');
    await app.close();
    place.isAway = false;
    const before = count();
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(count()).toBe(before);
  });

  it('covers streams: the answer is kept and streamed again', async () => {
    const first = parseFrames((await ask('harbour?', { stream: true })).body).at(-1);
    const second = parseFrames((await ask('harbour?', { stream: true })).body);
    expect(second.map((frame) => frame.data)).toEqual([first?.data]);
    expect(system.asked).toHaveLength(1);
    const payload = { kind: 'swot', subject: 'harbour', stream: true };
    const analyse = () => app.inject({ method: 'POST', url: '/v1/analyses', payload, headers: key });
    const analysed = parseFrames((await analyse()).body).at(-1);
    expect(parseFrames((await analyse()).body).map((frame) => frame.data)).toEqual([analysed?.data]);
  });

  it('is not asked for by who comes back to a stream, and is free once that has failed', async () => {
    const { promise: mayFail, resolve: fail } = Promise.withResolvers<void>();
    system.answerWith = async (_request, { onEvent }) => {
      onEvent?.({ type: 'status', stage: 'searching' });
      await mayFail;
      throw new FootnoteError('upstream-unavailable', 'The store is down.');
    };
    const asked = { method: 'POST' as const, url: '/v1/ask', payload: { question: 'harbour?', stream: true } };
    const first = (await app.inject({ ...asked, headers: key, payloadAsStream: true })).stream();
    const [bytes] = (await once(first, 'data')) as [Buffer];
    const [{ id } = { id: '' }] = parseFrames(bytes.toString());
    const resume = () => app.inject({ ...asked, headers: { ...key, 'last-event-id': id } });
    // The first connection is still there.
    const follows = resume();
    await new Promise(setImmediate);
    fail();
    for (const reply of [await follows, await resume()])
      expect(parseFrames(reply.body).map(({ event }) => event)).toEqual(['error']);
    system.answerWith = undefined;
    const again = await app.inject({ ...asked, headers: key });
    expect(parseFrames(again.body).at(-1)?.event).toBe('done');
  });

  it('is free again after a stream that nothing is kept of', async () => {
    const headers = { ...key, accept: 'text/event-stream' };
    const payload = { name: 'notes', type: 'docs', connector: { kind: 'folder', path: '/notes' } };
    for (let time = 0; time < 2; time += 1) {
      const reply = await app.inject({ method: 'POST', url: '/v1/sources/preview', payload, headers });
      expect(parseFrames(reply.body).at(-1)?.event).toBe('done');
    }
  });

  it('covers uploads by their content and replies without a body', async () => {
    const upload = (bytes: string) => {
      const { payload, headers } = multipart([{ file: 'a.md', bytes }]);
      return app.inject({ method: 'POST', url: '/v1/documents', payload, headers: { ...headers, ...key } });
    };
    const first = await upload('one');
    expect((await upload('one')).body).toBe(first.body);
    expect((await upload('two')).statusCode).toBe(422);
    const { id } = first.json<{ documents: [{ id: string }] }>().documents[0];
    const remove = () => app.inject({ method: 'DELETE', url: `/v1/documents/${id}`, headers: key });
    expect([(await remove()).statusCode, (await remove()).statusCode]).toEqual([204, 204]);
  });

  it('belongs to one tenant', async () => {
    await ask('harbour?');
    const other = await app.inject({
      method: 'POST',
      url: '/v1/rag/sessions/s/messages',
      payload: { content: 'else' },
      headers: { ...key, authorization: 'Bearer other-tenant-key' },
    });
    expect(other.statusCode).toBe(200);
  });
});
