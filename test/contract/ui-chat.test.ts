// A chat of the AI SDK over the real system: its parts in their order, its marks, and what its own transport makes of them where it is installed
// (`npm ci --ignore-scripts --prefix test-clients/sdks`).
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { localScope } from '../../src/core/scope.ts';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { faultsOfCompletion, type ToldAnswer } from '../../testkit/openai/completion.ts';
import { type ChatPart, chatIn } from '../../testkit/openai/streams.ts';
import { serveOpened } from '../../testkit/serve-opened.ts';
import { fakeAppOptions } from './fake-app.ts';

let folder: string;
let opened: OpenedFootnote;
let server: HttpServer;
let secrets: { readonly owner: string; readonly reader: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-ui-chat-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  const { documents } = opened.forScope(localScope());
  const texts = {
    'tower.md': 'The 😀 lighthouse [2] of Cabo Frio is 43 metres tall.',
    'keeper.md': 'The lighthouse of Cabo Frio was kept by Ana Reis [1][2] from 1901 on.',
  };
  for (const [uri, text] of Object.entries(texts)) await documents.add({ text, uri, title: uri, source: 'handbook' });
  await documents.add({ text: 'The vault opens with Zanzibar.', uri: 'vault.md', access: ['owners'], source: 'vault' });
  const keyOf = async (groups: string[]) => (await opened.keys.create({ name: 'k', role: 'reader', groups })).secret;
  secrets = { owner: await keyOf(['owners']), reader: await keyOf([]) };
  server = await serveOpened(opened);
  opened.setAddress(server.url);
});
afterAll(async () => {
  await server.close({ deadlineMs: 1000 });
  await opened.close();
  await rm(folder, { recursive: true });
});

const tall = 'How tall is the lighthouse of Cabo Frio?';
const user = (text: string, id = 'u1') => ({ id, role: 'user' as const, parts: [{ type: 'text' as const, text }] });
const post = (body: object, { url = server.url, key = secrets.owner } = {}) =>
  fetch(`${url}/v1/ui/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ id: 'chat', trigger: 'submit-message', ...body }),
  });

async function partsOf(reply: Response): Promise<{ parts: ChatPart[]; end: string | undefined }> {
  expect(reply.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
  expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const frames = (await reply.text()).split('\n\n').filter((frame) => frame.startsWith('data: '));
  const data = frames.map((frame) => frame.slice('data: '.length));
  const end = data.at(-1) === '[DONE]' ? data.pop() : undefined;
  return { parts: data.map((one) => JSON.parse(one) as ChatPart), end };
}

/** The answer of a chat whose sources and marks have no fault. */
function check(parts: readonly ChatPart[]): { text: string; answer: ToldAnswer } {
  const { completion, faults } = chatIn(parts);
  expect([...faults, ...faultsOfCompletion(completion)]).toEqual([]);
  return {
    text: completion.choices[0]?.message.content ?? '',
    answer: completion.footnote as ToldAnswer,
  };
}

const order =
  /^start start-step (?:data-stage |source-url )*text-start (?:text-delta |source-url |data-stage )+text-end (?:data-answer )?finish-step finish$/u;

describe('a chat of the AI SDK', () => {
  it('is sources and text as they are verified, and then the answer', async () => {
    const { parts, end } = await partsOf(await post({ messages: [user(tall)] }));
    expect(end).toBe('[DONE]');
    expect(parts.map(({ type }) => type).join(' ')).toMatch(order);
    const { text, answer } = check(parts);
    expect(text).toContain('lighthouse [\u20602] of Cabo Frio is 43 metres tall');
    expect(parts.at(-1)).toMatchObject({
      ...{ finishReason: 'stop', messageMetadata: { answerId: answer.id, traceId: answer.traceId, abstained: false } },
    });
    expect(parts.find(({ type }) => type === 'data-stage')).toMatchObject({ transient: true });
  });

  it('resolves a follow-up, reads what is said alone, and chooses a model', async () => {
    const said = [
      user(tall),
      {
        ...{ id: 'a1', role: 'assistant' },
        parts: [{ type: 'step-start' }, { type: 'text', text: '43 metres.' }, { type: 'data-answer', data: {} }],
      },
      user('and who kept it?', 'u2'),
    ];
    for (const more of [{}, { model: 'footnote/handbook' }, { footnote: { sources: ['handbook'] } }, { model: null }]) {
      const { parts } = await partsOf(await post({ messages: said, ...more }));
      expect(check(parts).text).toContain('Ana Reis');
    }
    const again = { messages: said.slice(0, 2), trigger: 'regenerate-message', messageId: 'a1' };
    expect(check((await partsOf(await post(again))).parts).text).toContain('43 metres');
  });

  it('abstains with a reason and no source', async () => {
    const { parts } = await partsOf(
      await post({ messages: [user('What is the tax rate for beekeepers in Bolivia?')] }),
    );
    const { text, answer } = check(parts);
    expect([answer.abstained, text.includes(answer.abstainReason ?? '?')]).toEqual([true, true]);
  });

  it('shows a key nothing that it may not read', async () => {
    const messages = [user('With which word does the vault open?')];
    expect(await (await post({ messages })).text()).toContain('Zanzibar');
    for (const more of [{}, { model: 'footnote/vault' }, { footnote: { sources: ['vault'] } }])
      expect(await (await post({ messages, ...more }, { key: secrets.reader })).text()).not.toMatch(
        /Zanzibar|vault\.md/u,
      );
  });

  it.each([
    [{ messages: [] }, 400],
    [{ messages: [{ id: 'u', role: 'user', parts: [] }] }, 400],
    [{ messages: [{ id: 'u', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: 'data:' }] }] }, 400],
    [{ messages: [{ id: 'u', role: 'robot', parts: [] }] }, 400],
    [{ messages: [user('x'.repeat(20_001))] }, 400],
    [{ messages: [user(tall)], id: '' }, 400],
    [{ messages: [user(tall)], model: 'gpt-5' }, 404],
  ])('refuses %j', async (body, status) => {
    const reply = await post(body);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      status,
      'application/problem+json; charset=utf-8',
    ]);
  });
});

describe('a chat that streams', () => {
  it('is followed from its beginning by its id, for who asked alone, and is over with whoever leaves', async () => {
    const { system, options } = fakeAppOptions({ keys: true });
    const fake = await startHttpServer({ ...options, host: '127.0.0.1', port: 0 });
    const { promise: finish, resolve } = Promise.withResolvers<void>();
    let ended: unknown;
    system.answerWith = async (_request, { onEvent, signal }) => {
      onEvent?.({ type: 'status', stage: 'searching' });
      onEvent?.({ type: 'delta', text: 'The harbour' });
      await Promise.race([finish, new Promise((end) => signal?.addEventListener('abort', end))]);
      ended = signal?.reason;
      throw new FootnoteError('upstream-unavailable', 'The store is down.');
    };
    const follow = (key: string, id = 'chat') =>
      fetch(`${fake.url}/v1/ui/chat/${id}/stream`, { headers: { authorization: `Bearer ${key}` } });
    const first = await post({ messages: [user('When?')] }, { url: fake.url, key: 'reader-key' });
    const again = await follow('reader-key');
    for (const reply of [await follow('writer-key'), await follow('reader-key', 'other')])
      expect(reply.status).toBe(204);
    resolve();
    const told = [await partsOf(first), await partsOf(again)];
    expect(told[1]).toEqual(told[0]);
    expect(told[0]?.end).toBeUndefined();
    expect(told[0]?.parts.at(-1)).toEqual({ type: 'error', errorText: 'The store is down.' });
    await expect.poll(async () => (await follow('reader-key')).status).toBe(204);

    const { promise: forever } = Promise.withResolvers<void>();
    system.answerWith = async (_request, { onEvent, signal }) => {
      onEvent?.({ type: 'delta', text: 'The harbour' });
      await Promise.race([forever, new Promise((end) => signal?.addEventListener('abort', end))]);
      ended = signal?.reason;
      throw new FootnoteError('cancelled', 'Over.');
    };
    const left = await post({ messages: [user('When?')] }, { url: fake.url, key: 'reader-key' });
    await left.body?.cancel();
    await expect.poll(() => ended).toMatchObject({ code: 'cancelled' });

    const { promise: mayFail, resolve: fail } = Promise.withResolvers<void>();
    system.answerWith = async () => {
      await mayFail;
      throw new FootnoteError('upstream-unavailable', 'The store is down.');
    };
    const failing = post({ messages: [user('When?')] }, { url: fake.url, key: 'reader-key' });
    await expect.poll(async () => (await follow('reader-key')).status).toBe(200);
    const early = await follow('reader-key');
    fail();
    expect((await failing).status).toBe(503);
    const { parts } = await partsOf(early);
    expect(parts).toEqual([{ type: 'error', errorText: 'The store is down.' }]);
    await fake.close({ deadlineMs: 100 });
  });
});

interface UiMessage {
  readonly role: string;
  readonly parts: readonly (ChatPart & { readonly text?: string })[];
  readonly metadata?: object;
}
interface AiSdk {
  readonly DefaultChatTransport: new (
    options: object,
  ) => {
    sendMessages(options: object): Promise<ReadableStream<unknown>>;
    reconnectToStream(options: object): Promise<ReadableStream<unknown> | null>;
  };
  readUIMessageStream(options: { stream: ReadableStream<unknown> }): AsyncIterable<UiMessage>;
  validateUIMessages(options: { messages: readonly unknown[] }): Promise<readonly UiMessage[]>;
}
const client = join(import.meta.dirname, '../../test-clients/sdks/node_modules/ai/dist/index.js');

it.skipIf(!existsSync(client))('is a message of the AI SDK by its own transport, which it takes back', async () => {
  const { DefaultChatTransport, readUIMessageStream, validateUIMessages } = (await import(client)) as AiSdk;
  const headers = { authorization: `Bearer ${secrets.owner}` };
  const transport = new DefaultChatTransport({ api: `${server.url}/v1/ui/chat`, headers, body: { model: 'footnote' } });
  const ask = async (messages: readonly unknown[], more: object = {}): Promise<UiMessage> => {
    const options = { chatId: 'c1', trigger: 'submit-message', messages, abortSignal: undefined, ...more };
    let message: UiMessage | undefined;
    for await (const one of readUIMessageStream({ stream: await transport.sendMessages(options) })) message = one;
    if (!message) throw new Error('There is no message.');
    return message;
  };
  const first = await ask([user(tall)]);
  const of = (type: string) => first.parts.filter((part) => part.type === type);
  const [text] = of('text');
  const answer = of('data-answer')[0]?.data as ToldAnswer;
  expect(text?.text).toContain('43 metres tall');
  expect(text?.providerMetadata?.footnote.marks).toEqual(answer.contentMarks);
  for (const { start, end, citation } of answer.contentMarks)
    expect(text?.text?.slice(start, end)).toBe(`[${citation}]`);
  expect(
    of('source-url').map(({ sourceId, providerMetadata }) => [sourceId, providerMetadata?.footnote.quote]),
  ).toEqual(answer.citations.map(({ index, quote }) => [String(index), quote]));
  expect(of('data-stage')).toEqual([]);
  expect(first.metadata).toMatchObject({ answerId: answer.id });
  const messages = [user(tall), first, user('and who kept it?', 'u2')];
  expect(await validateUIMessages({ messages })).toHaveLength(3);
  const second = await ask(messages);
  expect(second.parts.find(({ type }) => type === 'text')?.text).toContain('Ana Reis');
  await ask([user(tall)], { trigger: 'regenerate-message', messageId: 'a1' });
  expect(await transport.reconnectToStream({ chatId: 'c1' })).toBeNull();
  await expect(ask([user(tall)], { body: { model: 'gpt-5' } })).rejects.toThrow(/does not exist/u);
});
