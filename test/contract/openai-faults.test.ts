// When something fails behind the door for clients of OpenAI: in their shape, asked again only where that can help, and over when the client leaves.
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { createSpecFaults } from '../fakes/openai-spec-faults.ts';
import { fakeAppOptions } from './fake-app.ts';
import type { FakeSystem } from './fake-footnote.ts';

const faultsOf = createSpecFaults();
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listening(): Promise<{ server: HttpServer; system: FakeSystem; client: OpenAI }> {
  const { system, options } = fakeAppOptions();
  const server = await startHttpServer({ ...options, host: '127.0.0.1', port: 0 });
  closers.push(() => server.close({ deadlineMs: 100 }));
  const client = new OpenAI({ apiKey: 'any', baseURL: `${server.url}/v1` });
  await client.post('/documents', { body: { text: 'The harbour opens at six.', uri: 'h' } });
  return { server, system, client };
}

const body = { model: 'footnote', messages: [{ role: 'user' as const, content: 'When does the harbour open?' }] };

describe('a failure', () => {
  it.each([
    ['deadline-exceeded', 504, 'server_error', 'deadline-exceeded', 1],
    ['quota-exceeded', 429, 'rate_limit_error', 'insufficient_quota', 1],
    ['storage-full', 507, 'server_error', 'storage-full', 1],
    ['upstream-unavailable', 503, 'server_error', 'upstream-unavailable', 2],
    ['rate-limited', 429, 'rate_limit_error', 'rate_limit_exceeded', 2],
    ['internal', 500, 'server_error', 'internal', 1],
    ['forbidden', 403, 'permission_error', 'forbidden', 1],
  ] as const)('%s is told once or again: %i %s', async (code, status, type, told, times) => {
    const { client, system } = await listening();
    let asked = 0;
    system.answerWith = async () => {
      asked += 1;
      throw new FootnoteError(code, 'It failed.', { details: { param: null } });
    };
    // One repetition is enough to see that there is one; how long the client waits is its own business.
    const fetching = async (...given: Parameters<typeof fetch>): Promise<Response> => {
      const reply = await fetch(...given);
      const headers = new Headers(reply.headers);
      if (headers.has('retry-after')) headers.set('retry-after-ms', '1');
      return new Response(reply.body, { status: reply.status, headers });
    };
    const error: unknown = await client
      .withOptions({ maxRetries: 1, fetch: fetching })
      .chat.completions.create(body)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status, type, code: told });
    expect(asked).toBe(times);
  });

  it('of a stream that has begun is its last frame', async () => {
    const { client, server, system } = await listening();
    system.answerWith = async (_request, { onEvent }) => {
      onEvent?.({ type: 'delta', text: 'The harbour' });
      throw new FootnoteError('upstream-unavailable', 'The store is down.');
    };
    const reply = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, stream: true }),
    });
    const frames = (await reply.text()).split('\n\n').filter((frame) => frame.startsWith('data: '));
    const last = JSON.parse(frames.at(-1)?.slice('data: '.length) ?? '') as unknown;
    expect(faultsOf('ErrorResponse', last)).toEqual([]);
    expect(last).toMatchObject({
      error: { type: 'server_error', code: 'upstream-unavailable', message: 'The store is down.' },
    });
    await expect(client.chat.completions.stream(body).finalChatCompletion()).rejects.toThrow(/store is down/u);
  });

  it('before a stream has begun is a reply', async () => {
    const { client, system } = await listening();
    system.answerWith = async () => {
      throw new FootnoteError('quota-exceeded', 'The quota is used up.');
    };
    await expect(client.chat.completions.create({ ...body, stream: true })).rejects.toMatchObject({ status: 429 });
  });

  it('is no beginning of any stream itself', async () => {
    const { server, system } = await listening();
    const parts = [{ type: 'text', text: 'When?' }];
    const asked = {
      '/v1/responses': { model: 'footnote', input: 'When?', stream: true },
      '/v1/ui/chat': { id: 'c', trigger: 'submit-message', messages: [{ id: 'u', role: 'user', parts }] },
    };
    system.answerWith = async (_request, { onEvent }) => {
      const problem = { type: '', title: '', status: 503, detail: '', code: 'upstream-unavailable', requestId: '' };
      onEvent?.({ type: 'error', problem });
      throw new FootnoteError('upstream-unavailable', 'The store is down.');
    };
    for (const [path, body] of Object.entries(asked)) {
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      expect([path, reply.status]).toEqual([path, 503]);
      await reply.body?.cancel();
    }
  });

  it('of a server that stops ends streams as any other', async () => {
    const { client, server, system } = await listening();
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    system.answerWith = async (_request, { onEvent, signal }) => {
      onEvent?.({ type: 'status', stage: 'searching' });
      resolve();
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    };
    const stream = client.chat.completions.stream(body).finalChatCompletion();
    stream.catch(() => undefined);
    await begun;
    await server.close({ deadlineMs: 100 });
    await expect(stream).rejects.toThrow(/stopping/u);
  });
});

describe('a client that leaves', () => {
  it.each([true, false])('ends the work, streaming: %s', async (stream) => {
    const { client, system } = await listening();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
    system.answerWith = async (_request, { onEvent, signal }) => {
      onEvent?.({ type: 'status', stage: 'searching' });
      onEvent?.({ type: 'delta', text: 'The harbour' });
      begin();
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          end(signal.reason);
          reject(signal.reason as Error);
        });
      });
    };
    const controller = new AbortController();
    const asked = client.chat.completions.create({ ...body, stream }, { signal: controller.signal });
    const reading = (async () => {
      const given = await asked;
      if (Symbol.asyncIterator in given) for await (const _ of given);
    })().catch((thrown: unknown) => thrown);
    await begun;
    controller.abort();
    expect(await ended).toMatchObject({ code: 'cancelled' });
    await reading;
  });
});

it('completes 200 streams at once, each with its own answer', async () => {
  const { client } = await listening();
  const told = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const { choices } = await client.chat.completions.stream(body).finalChatCompletion();
      return choices[0]?.message.content;
    }),
  );
  expect(new Set(told)).toEqual(new Set(['The harbour opens at six.']));
});

it('keeps a reply under a key as every route does, and no stream', async () => {
  const { client, system } = await listening();
  const options = { headers: { 'idempotency-key': 'k1' } };
  const first = await client.chat.completions.create(body, options);
  expect(await client.chat.completions.create(body, options)).toEqual(first);
  const before = system.asked.length;
  for (let round = 0; round < 2; round += 1)
    await client.chat.completions.stream(body, { headers: { 'idempotency-key': 'k2' } }).finalChatCompletion();
  expect(system.asked.length).toBe(before + 2);
});

describe('a response that streams', () => {
  const asked = { model: 'footnote', input: 'When does the harbour open?' };
  /** Begins one whose work goes on until it is ended. */
  async function begin() {
    const made = await listening();
    const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
    made.system.answerWith = async (_request, { onEvent, signal }) => {
      onEvent?.({ type: 'status', stage: 'searching' });
      onEvent?.({ type: 'delta', text: 'The harbour' });
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          end(signal.reason);
          reject(signal.reason as Error);
        });
      });
    };
    const stream = await made.client.responses.create({ ...asked, stream: true });
    const events = stream[Symbol.asyncIterator]();
    const first = await events.next();
    if (first.done || first.value.type !== 'response.created') throw new Error('It has not begun.');
    const rest = async () => {
      const told = [];
      for (let next = await events.next(); !next.done; next = await events.next()) told.push(next.value);
      return told;
    };
    return { ...made, id: first.value.response.id, stream, ended, rest };
  }

  it('is read and followed while it goes on, and ended by whoever cancels it', async () => {
    const { client, id, ended, rest } = await begin();
    expect(await client.responses.retrieve(id)).toMatchObject({ id, status: 'in_progress', output: [] });
    const following = await client.responses.retrieve(id, { stream: true, starting_after: 1 });
    expect(await client.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' });
    expect(await ended).toMatchObject({ code: 'cancelled' });
    const events = await rest();
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { id, status: 'cancelled' } });
    const followed = [];
    for await (const event of following) followed.push(event);
    expect(followed).toEqual(events.slice(1));
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });

  it('ends the work when its client leaves', async () => {
    const { client, id, stream, ended } = await begin();
    stream.controller.abort();
    expect(await ended).toMatchObject({ code: 'cancelled' });
    await expect.poll(() => client.responses.retrieve(id).catch(({ status }: { status: number }) => status)).toBe(404);
  });

  it('tells a failure as its last event, as the specification has it', async () => {
    const { server, system, client } = await listening();
    system.answerWith = async (_request, { onEvent }) => {
      onEvent?.({ type: 'delta', text: 'The harbour' });
      throw new FootnoteError('rate-limited', 'The store is busy.');
    };
    const reply = await fetch(`${server.url}/v1/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...asked, stream: true }),
    });
    const last = (await reply.text()).split('\n\n').findLast((frame) => frame.startsWith('event: '));
    const [, type, data = ''] = /^event: (\S+)\ndata: (.+)$/u.exec(last ?? '') ?? [];
    const { response, ...event } = JSON.parse(data) as { response: Record<string, unknown> };
    const { usage: _, user: __, ...told } = response;
    expect(faultsOf('ResponseFailedEvent', { ...event, response: told })).toEqual([]);
    expect(told).toMatchObject({
      status: 'failed',
      error: { code: 'rate_limit_exceeded', message: 'The store is busy.' },
    });
    expect(type).toBe('response.failed');
    expect(await client.responses.stream(asked).finalResponse()).toMatchObject({ status: 'failed' });
  });

  it('fails as a reply before it has begun, and keeps nothing', async () => {
    const { client, system } = await listening();
    system.answerWith = async () => {
      throw new FootnoteError('quota-exceeded', 'The quota is used up.');
    };
    for (const stream of [true, false])
      await expect(client.responses.create({ ...asked, stream })).rejects.toMatchObject({ status: 429 });
  });

  it('is one of 200 at once, each with its own text', async () => {
    const { client } = await listening();
    const told = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const response = await client.responses.stream(asked).finalResponse();
        return `${response.output_text} ${response.id}`;
      }),
    );
    expect(new Set(told).size).toBe(200);
    expect(new Set(told.map((one) => one.replace(/ resp_\w+$/u, '')))).toEqual(new Set(['The harbour opens at six.']));
  });
});

it('answers a response where the disk is full, and says that it is not stored', async () => {
  const { client, system } = await listening();
  const { idempotency } = system;
  system.idempotency = (scope) => ({
    ...idempotency(scope),
    finish: async () => {
      throw new FootnoteError('storage-full', 'The disk is full.');
    },
  });
  const told = await client.responses.create({ model: 'footnote', input: 'When does the harbour open?' });
  expect(told).toMatchObject({ status: 'completed', store: false });
  await expect(client.responses.retrieve(told.id)).rejects.toMatchObject({ status: 404 });
});

it('asks with the wishes, the conversation and the limits of a response', async () => {
  const { client, system } = await listening();
  const asked: object[] = [];
  const first = await client.responses.create({ model: 'footnote', input: 'Which harbour is it?' });
  system.answerWith = async (request) => {
    asked.push(request);
    throw new FootnoteError('invalid-request', 'Enough.');
  };
  const input = [
    { role: 'developer' as const, content: 'Be kind.' },
    { role: 'user' as const, content: 'When does it open?' },
  ];
  const more = { instructions: 'Be brief.', previous_response_id: first.id, footnote: { topK: 7 } };
  await expect(client.responses.create({ model: 'footnote', input, ...more })).rejects.toThrow(/Enough/u);
  expect(asked).toEqual([
    expect.objectContaining({
      question: 'When does it open?',
      wishes: 'Be brief.\nBe kind.',
      topK: 7,
      history: [
        { role: 'user', content: 'Which harbour is it?' },
        { role: 'assistant', content: first.output_text },
      ],
    }),
  ]);
});
