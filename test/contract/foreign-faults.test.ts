// What clients of others do wrong, at each door that is made for them: every fault ends as a reply in the shape of that door, which says what was wrong and
// nothing of what is inside, or as work that ends; and the next question is answered.
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { createSpecFaults } from '../fakes/openai-spec-faults.ts';
import { fakeAppOptions } from './fake-app.ts';
import type { FakeSystem } from './fake-footnote.ts';

const faultsOf = createSpecFaults();
let server: HttpServer;
let system: FakeSystem;
beforeAll(async () => {
  const fake = fakeAppOptions({ keys: true });
  system = fake.system;
  server = await startHttpServer({ ...fake.options, host: '127.0.0.1', port: 0 });
  const headers = { authorization: 'Bearer writer-key', 'content-type': 'application/json' };
  const body = JSON.stringify({ text: 'The harbour opens at six.', uri: 'h' });
  await fetch(`${server.url}/v1/documents`, { method: 'POST', headers, body });
});
afterAll(() => server.close({ deadlineMs: 100 }));

const question = 'When does the harbour open?';

interface Door {
  readonly path: string;
  /** A request that asks `said`; `role` is that of its one message. */
  readonly asks: (said: unknown, role?: string) => Record<string, unknown>;
  /** Where its messages stand. */
  readonly messages: string;
  /** A picture, as its clients put it into a message. */
  readonly picture: object;
  /** How it tells a failure: the words for people, and the code for programs. */
  readonly told: (body: unknown) => { readonly message: string; readonly code: unknown };
}
const openai = (body: unknown) => {
  expect(faultsOf('ErrorResponse', body)).toEqual([]);
  const { message, code, type } = (body as { error: { message: string; code: string | null; type: string } }).error;
  return { message, code: code ?? type };
};
const said = (content: unknown, role = 'user') => [{ role, content }];
const model = 'footnote';
const doors: Readonly<Record<string, Door>> = {
  completions: {
    ...{ path: '/v1/chat/completions', messages: 'messages', told: openai },
    asks: (content, role) => ({ model, messages: said(content, role) }),
    picture: { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
  },
  responses: {
    ...{ path: '/v1/responses', messages: 'input', told: openai },
    asks: (content, role) => ({ model, input: said(content, role) }),
    picture: { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
  },
  messages: {
    ...{ path: '/v1/messages', messages: 'messages' },
    asks: (content, role) => ({ model, max_tokens: 900, messages: said(content, role) }),
    picture: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
    told(body) {
      expect(body).toMatchObject({
        type: 'error',
        error: { type: expect.stringMatching(/_error$|^request_too_large$/u) as string },
      });
      const { error } = body as { error: { message: string; type: string; details?: { error_code?: string } } };
      return { message: error.message, code: error.details?.error_code ?? error.type };
    },
  },
  chats: {
    ...{ path: '/v1/ui/chat', messages: 'messages' },
    asks: (content, role = 'user') => ({
      ...{ id: 'chat', model, trigger: 'submit-message' },
      messages: [{ id: 'u', role, parts: Array.isArray(content) ? content : [{ type: 'text', text: content }] }],
    }),
    picture: { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
    told(body) {
      const { detail, code } = body as { detail: string; code: string };
      return { message: detail, code };
    },
  },
};

interface Sent {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}
const json = (body: unknown): Sent => ({ body: JSON.stringify(body) });
const asked = (more: object) => (door: Door) => json({ ...door.asks(question), ...more });
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** What is sent, and the status that refuses it. */
const faults: Readonly<Record<string, readonly [sent: (door: Door) => Sent, ...statuses: number[]]>> = {
  'no body': [() => ({ body: '' }), 400],
  'half a JSON': [(door) => ({ body: JSON.stringify(door.asks(question)).slice(0, -9) }), 400],
  'a JSON behind a JSON': [(door) => ({ body: JSON.stringify(door.asks(question)).repeat(2) }), 400],
  'a list': [(door) => json([door.asks(question)]), 400],
  'a text': [() => json('When?'), 400],
  null: [() => json(null), 400],
  'bytes that are no text': [() => ({ body: Uint8Array.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]) }), 400],
  'a body packed by gzip': [
    (door) => ({
      body: new Uint8Array(gzipSync(JSON.stringify(door.asks(question)))),
      headers: { 'content-encoding': 'gzip' },
    }),
    400,
    415,
  ],
  'another type of media': [
    (door) => ({ ...json(door.asks(question)), headers: { 'content-type': 'text/plain' } }),
    415,
  ],
  'a prompt of one megabyte': [(door) => json(door.asks('x'.repeat(2 ** 20))), 413],
  'a prompt of more than a question may have': [(door) => json(door.asks('word '.repeat(5000))), 400],
  'lists in lists in lists': [(door) => ({ body: `{"${door.messages}":${deep(50_000)}}` }), 400],
  'a prototype': [() => ({ body: '{"__proto__":{"model":"footnote"}}' }), 400],
  'models in a list': [asked({ model: ['footnote'] }), 400],
  'a model that is a number': [asked({ model: 7 }), 400],
  'a model of somebody else': [asked({ model: 'gpt-5' }), 404],
  'no messages': [(door) => json({ ...door.asks(question), [door.messages]: null }), 400],
  'messages that are none': [(door) => json({ ...door.asks(question), [door.messages]: 7 }), 400],
  'an empty list of messages': [(door) => json({ ...door.asks(question), [door.messages]: [] }), 400],
  'a role that nobody has': [(door) => json(door.asks(question, 'robot')), 400],
  'only what an assistant said': [(door) => json(door.asks(question, 'assistant')), 400],
  'a question that is a number': [(door) => json(door.asks(7)), 400],
  'a question of nothing but spaces': [(door) => json(door.asks('  \n')), 400],
  'a picture': [(door) => json(door.asks([door.picture])), 400],
  'options of ours that do not exist': [asked({ footnote: { sourcs: ['a'] } }), 400],
  'sources that are a number': [asked({ footnote: { sources: 7 } }), 400],
  'no key': [(door) => ({ ...json(door.asks(question)), headers: { authorization: '' } }), 401],
  'a key that is none': [(door) => ({ ...json(door.asks(question)), headers: { authorization: 'Bearer x' } }), 401],
  'a page of elsewhere': [(door) => ({ ...json(door.asks(question)), headers: { origin: 'https://evil.test' } }), 403],
  'another method': [(door) => ({ ...json(door.asks(question)), method: 'PATCH' }), 404, 405],
};
/** What a client may leave out, add or end without harm. */
const harmless: Readonly<Record<string, (door: Door) => Sent>> = {
  'fields that nobody knows': asked({ colour: 'red', deep: { er: [1, { than: null }] } }),
  'nulls wherever something may be': asked({ footnote: null, metadata: null, temperature: null, tools: null }),
  'half of a character in what was said': (door) => json(door.asks(`${question} \ud83d`)),
};

const send = (door: Door, { body, headers, method = 'POST' }: Sent, signal?: AbortSignal): Promise<Response> =>
  fetch(server.url + door.path, {
    ...{ method, headers: { 'content-type': 'application/json', authorization: 'Bearer reader-key', ...headers } },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  });

const rows = Object.entries(doors).map(([name, door]) => ({ name, door }));

it('are more than two dozen at each door', () => {
  // Beside these, three ways to leave.
  expect(Object.keys(faults).length).toBeGreaterThanOrEqual(24);
});

describe.each(rows)('$name', ({ door }) => {
  const answers = async (): Promise<void> => {
    const reply = await send(door, json(door.asks(question)));
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('opens at six')]);
  };

  it.each(Object.entries(faults).map(([name, [sent, ...statuses]]) => ({ name, sent, statuses })))(
    'refuses in its own shape: $name',
    async ({ sent, statuses }) => {
      const before = system.asked.length;
      for (const more of [{}, { stream: true }]) {
        const one = sent(door);
        const streams = 'stream' in more && typeof one.body === 'string' && one.body.startsWith('{"model"');
        const reply = await send(door, streams ? { ...one, body: `{"stream":true,${String(one.body).slice(1)}` } : one);
        const body = await reply.text();
        expect(statuses, body.slice(0, 400)).toContain(reply.status);
        const { message, code } = door.told(JSON.parse(body));
        expect(message).toMatch(/^\p{L}.*\p{L}{3}/su);
        expect(code).toMatch(/^[a-z_-]{4,}$/u);
        expect(body).not.toMatch(/node_modules|ZodError|FST_|SyntaxError|at \w+ \(|reader-key/u);
        expect(body.length).toBeLessThan(2000);
        expect(reply.headers.get('x-request-id')).toMatch(/^req_/u);
      }
      expect(system.asked).toHaveLength(before);
    },
  );

  it.each(Object.entries(harmless))('answers all the same: %s', async (_name, sent) => {
    const reply = await send(door, sent(door));
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('opens at six')]);
  });

  it.each([false, true])('ends the work of who leaves, having read half of a stream: %s', async (hasRead) => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
    system.answerWith = (_request, { onEvent, signal }) => {
      if (hasRead) onEvent?.({ type: 'delta', text: 'The harbour' });
      begin();
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          end(signal.reason);
          reject(signal.reason as Error);
        });
      });
    };
    const leaving = new AbortController();
    const reading = (async () => {
      const reply = await send(door, json({ ...door.asks(question), stream: true }), leaving.signal);
      const reader = reply.body?.getReader();
      if (hasRead) expect((await reader?.read())?.done).toBe(false);
      leaving.abort();
      await reader?.read();
    })();
    await begun;
    if (!hasRead) leaving.abort();
    await expect(reading).rejects.toThrow();
    expect(await ended).toMatchObject({ code: 'cancelled' });
    system.answerWith = undefined;
    await answers();
  });

  it('is not held up by who leaves in the middle of a request', async () => {
    const before = system.asked.length;
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const head = `POST ${door.path} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\nauthorization: Bearer reader-key\r\ncontent-length: 400\r\n\r\n`;
    socket.write(head + JSON.stringify(door.asks(question)).slice(0, 40));
    await answers();
    socket.destroy();
    await answers();
    expect(system.asked).toHaveLength(before + 2);
  });
});
