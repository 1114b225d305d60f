// The door for clients of Anthropic's messages over the real system: blocks with the quotes of their marks, whole and in events, what is refused by name, and
// failures in its shape. Its own clients ask it in clients.test.ts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { localScope } from '../../src/core/scope.ts';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { faultsOfMessage, type ToldMessage } from '../../testkit/openai/completion.ts';
import { type MessageEvent, messageIn } from '../../testkit/openai/streams.ts';
import { serveOpened } from '../../testkit/serve-opened.ts';
import { fakeAppOptions } from './fake-app.ts';

let folder: string;
let opened: OpenedFootnote;
let server: HttpServer;
let secrets: { readonly owner: string; readonly reader: string };
const texts: Readonly<Record<string, string>> = {
  'tower.md': 'The 😀 lighthouse [2] of Cabo Frio is 43 metres tall.',
  'keeper.md': 'The lighthouse of Cabo Frio was kept by Ana Reis [1][2] from 1901 on.',
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-anthropic-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  const { documents } = opened.forScope(localScope());
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

interface Found {
  readonly results: readonly { readonly url: string; readonly title: string; readonly text: string }[];
}
const tall = 'How tall is the lighthouse of Cabo Frio?';
const user = (content: unknown) => ({ role: 'user', content });
const post = (body: object, { url = server.url, key = secrets.owner, path = '/v1/messages' } = {}) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': key },
    body: JSON.stringify({ model: 'footnote', max_tokens: 1024, ...body }),
  });

type Message = ToldMessage & { readonly stop_reason: string | null };
const ask = async (body: object, more = {}): Promise<Message> => {
  const reply = await post(body, more);
  expect(reply.status).toBe(200);
  return (await reply.json()) as Message;
};
const textOf = ({ content }: Message): string => content.map(({ text }) => text).join('');

type Event = MessageEvent<Message>;
async function eventsOf(reply: Response): Promise<Event[]> {
  expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  return (await reply.text())
    .split('\n\n')
    .filter((frame) => frame.startsWith('event: '))
    .map((frame) => {
      const [, name, data = ''] = /^event: (\w+)\ndata: (.+)$/u.exec(frame) ?? [];
      const event = JSON.parse(data) as Event;
      expect(event.type).toBe(name);
      return event;
    });
}
const order =
  /^message_start(?: content_block_start content_block_delta(?: content_block_delta)* content_block_stop)+ message_delta message_stop$/u;

describe('a message', () => {
  it.each(['footnote', 'footnote/handbook', 'footnote:links'])('has a block for each piece: %s', async (model) => {
    const messages = [user([{ type: 'text', text: tall }])];
    const whole = await ask({ model, messages });
    const events = await eventsOf(await post({ model, messages, stream: true }));
    expect(events.map(({ type }) => type).join(' ')).toMatch(order);
    for (const message of [whole, messageIn(events)]) {
      expect(faultsOfMessage(message, model.endsWith(':links'))).toEqual([]);
      expect(message).toMatchObject({ type: 'message', role: 'assistant', model, stop_reason: 'end_turn' });
      expect(textOf(message)).toContain('43 metres tall');
      for (const { cited_text, start_char_index, end_char_index } of message.content.flatMap(
        ({ citations }) => citations ?? [],
      ))
        expect(Object.values(texts).map((text) => text.slice(start_char_index, end_char_index))).toContain(cited_text);
    }
    expect(messageIn(events).content).toEqual(whole.content);
  });

  it('resolves a follow-up and reads over what other models did', async () => {
    const messages = [
      user(tall),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'x' },
          { type: 'text', text: '43 metres.', citations: null },
          { type: 'tool_use', id: 't', name: 'f', input: {} },
        ],
      },
      user([
        { type: 'tool_result', tool_use_id: 't', content: 'x' },
        { type: 'text', text: 'and who kept it?' },
      ]),
    ];
    const system = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }];
    const ignored = {
      tools: [{ name: 'f', input_schema: {} }],
      tool_choice: { type: 'auto' },
      thinking: null,
      top_k: 1,
    };
    const message = await ask({ messages, system, ...ignored });
    expect(faultsOfMessage(message)).toEqual([]);
    expect(textOf(message)).toContain('Ana Reis');
  });

  it('ends before the claim that is too much, abstains, and answers what programs ask for themselves', async () => {
    const cut = await ask({ messages: [user('lighthouse of Cabo Frio')], max_tokens: 1 });
    expect(cut).toMatchObject({ stop_reason: 'max_tokens', content: [expect.anything()] });
    const abstained = await ask({ messages: [user('What is the tax rate for beekeepers in Bolivia?')] });
    expect(abstained.footnote?.abstained).toBe(true);
    expect(abstained.content.map(({ citations }) => citations)).toEqual([null]);
    const title = await ask({
      ...{ system: 'Write a short title for this conversation, in a few words.' },
      messages: [user(`User: ${tall}\nAssistant: 43 metres.`)],
    });
    expect([textOf(title), title.footnote]).toEqual(['How tall is the lighthouse of Cabo Frio?', undefined]);
  });

  it('shows a key nothing that it may not read, and takes a Bearer, too', async () => {
    const messages = [user('With which word does the vault open?')];
    expect(textOf(await ask({ messages }))).toContain('Zanzibar');
    for (const model of ['footnote', 'footnote/vault'])
      expect(await (await post({ model, messages }, { key: secrets.reader })).text()).not.toMatch(
        /Zanzibar|vault\.md/u,
      );
    const reply = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secrets.owner}` },
      body: JSON.stringify({ model: 'footnote', messages }),
    });
    expect(reply.status).toBe(200);
  });
});

describe('a refusal', () => {
  const messages = [user(tall)];
  const image = { type: 'image', source: { type: 'url', url: 'http://x.test/a.png' } };
  const document = { type: 'document', source: { type: 'text', data: 'x' }, citations: { enabled: true } };
  it.each([
    [{ messages: [user([{ type: 'text', text: 'See.' }, image])] }, 400, 'messages[0].content[1]'],
    [{ messages: [user([document, { type: 'text', text: tall }])] }, 400, 'messages[0].content[0]'],
    [{ messages, system: [image] }, 400, 'system.content[0]'],
    [{ messages, tool_choice: { type: 'any' } }, 400, 'tool_choice'],
    [{ messages, tool_choice: { type: 'tool', name: 'f' } }, 400, 'tool_choice'],
    [{ messages, output_config: { format: { type: 'json_schema', schema: {} } } }, 400, 'output_config.format'],
    [{ messages: [] }, 400, 'messages'],
    [{ messages: [{ role: 'assistant', content: 'Hello.' }] }, 400, 'messages'],
    [{ messages: [{ role: 'robot', content: 'Hello.' }] }, 400, 'messages[0].role'],
    [{ messages, max_tokens: 0 }, 400, 'max_tokens'],
    [{ messages, footnote: { sources: [] } }, 400, 'footnote.sources'],
    [{ messages, model: 'claude-opus-5' }, 404, 'model'],
  ])('of %j names what is wrong', async (body, status, param) => {
    for (const stream of [false, true]) {
      const reply = await post({ ...body, stream });
      const type = status === 404 ? 'not_found_error' : 'invalid_request_error';
      expect([reply.status, await reply.json()]).toEqual([
        status,
        {
          type: 'error',
          error: {
            type,
            message: expect.stringMatching(/\w/u) as string,
            details: { error_code: expect.any(String) as string, param },
          },
          request_id: reply.headers.get('request-id'),
        },
      ]);
      expect(reply.headers.get('x-should-retry')).toBe('false');
    }
  });

  it('has hits of a search as blocks for a model, those that its key may read', async () => {
    const search = async (key: string, as = '?as=search_result') => {
      const body = JSON.stringify({ query: 'lighthouse vault Zanzibar' });
      const headers = { 'content-type': 'application/json', 'x-api-key': key };
      return fetch(`${server.url}/v1/search${as}`, { method: 'POST', headers, body });
    };
    const blocksOf = async (key: string) => (await (await search(key)).json()) as { content: { title: string }[] };
    const { content } = await blocksOf(secrets.owner);
    expect(content).toHaveLength(3);
    for (const [at, { url, title, text }] of (
      (await (await search(secrets.owner, '')).json()) as Found
    ).results.entries())
      expect(content[at]).toEqual({
        ...{ type: 'search_result', source: url, title, content: [{ type: 'text', text }] },
        citations: { enabled: true },
      });
    expect((await blocksOf(secrets.reader)).content.map(({ title }) => title).toSorted()).toEqual(
      Object.keys(texts).toSorted(),
    );
    expect((await search(secrets.owner, '?as=other')).status).toBe(400);
  });

  it('has its shape for a stranger, for what is not here, and in a stream that has begun', async () => {
    const stranger = await post({ messages }, { key: 'fn_nobody' });
    expect([stranger.status, await stranger.json()]).toMatchObject([
      401,
      { type: 'error', error: { type: 'authentication_error', details: { error_code: 'unauthenticated' } } },
    ]);
    const counting = await post({ messages }, { path: '/v1/messages/count_tokens' });
    expect([counting.status, await counting.json()]).toMatchObject([404, { error: { type: 'not_found_error' } }]);

    const { system, options } = fakeAppOptions();
    const fake = await startHttpServer({ ...options, host: '127.0.0.1', port: 0 });
    system.answerWith = async (_request, { onEvent }) => {
      onEvent?.({ type: 'delta', text: 'The harbour' });
      throw new FootnoteError('upstream-unavailable', 'The store is down.');
    };
    const events = await eventsOf(await post({ messages, stream: true }, { url: fake.url }));
    expect(events.at(-1)).toMatchObject({
      ...{ type: 'error', request_id: expect.stringMatching(/^req_/u) as string },
      error: { type: 'overloaded_error', message: 'The store is down.' },
    });
    expect(events.some(({ type }) => type === 'message_stop')).toBe(false);
    await fake.close({ deadlineMs: 100 });
  });
});
