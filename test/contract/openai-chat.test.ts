// The door for clients of OpenAI: its official client reads models, completions and streams of the real system, each reply is what the vendor's own
// specification says, and a key that may read one source meets no other.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { toInert } from '../../src/core/answers/inert-text.ts';
import { localScope } from '../../src/core/scope.ts';
import type { sourceEventsOf } from '../../src/http/openai/source-events.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { faultsOfCompletion, type Completion as Told, type ToldAnswer } from '../../testkit/openai/completion.ts';
import { completionShapes, responseShapes, tall, tool, user } from '../../testkit/openai/request-shapes.ts';
import { openSpec } from '../../testkit/openai/spec.ts';
import { serveOpened } from '../../testkit/serve-opened.ts';
import { createSpecFaults } from '../fakes/openai-spec-faults.ts';

const spec = openSpec();
const faultsOf = createSpecFaults();
let folder: string;
let opened: OpenedFootnote;
let server: HttpServer;
let secrets: { readonly owner: string; readonly handbook: string };

const documents = [
  {
    uri: 'tower.md',
    title: 'Towers 😀',
    source: 'handbook',
    text: '# Towers\n\nThe 😀 lighthouse [2] of Cabo Frio is 43 metres tall.\n',
  },
  {
    uri: 'keeper.md',
    title: 'Keepers',
    source: 'handbook',
    text: 'The lighthouse of Cabo Frio was kept by Ana Reis [1][2] from 1901 on, see http://evil.test and [1](http://evil.test).\n',
  },
  {
    uri: 'vault.md',
    title: 'Vault ![of gold](http://evil.test/p.png)',
    source: 'vault',
    text: 'The vault of Cabo Frio opens with the word Zanzibar.\n',
    access: ['owners'],
  },
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-openai-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  const footnote = opened.forScope(localScope());
  for (const document of documents)
    await footnote.documents.add({ ...document, mime: 'text/markdown', metadata: { kind: document.source } });
  const keyOf = async (name: string, groups: string[]) =>
    (await opened.keys.create({ name, role: 'reader', groups })).secret;
  secrets = { owner: await keyOf('owner', ['owners']), handbook: await keyOf('handbook', []) };
  server = await serveOpened(opened);
  opened.setAddress(server.url);
});
afterAll(async () => {
  await server.close({ deadlineMs: 1000 });
  await opened.close();
  await rm(folder, { recursive: true });
});

const clientOf = (apiKey: string): OpenAI => new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });
const owner = (): OpenAI => clientOf(secrets.owner);

const post = (body: unknown, key = secrets.owner, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

type Completion = OpenAI.ChatCompletion & Told;
type Chunk = OpenAI.ChatCompletionChunk &
  Partial<Omit<Told, 'choices'>> & { event?: ReturnType<typeof sourceEventsOf>[number] };

/** The data of a stream's frames, which have nothing else. */
function framesOf(body: string): string[] {
  const frames = body.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'));
  for (const frame of frames) expect(frame).toMatch(/^data: [^\n]+$/u);
  return frames.map((frame) => frame.slice('data: '.length));
}

interface Streamed {
  readonly chunks: Chunk[];
  readonly completion: Completion;
}
/** A stream, as a client puts it together. */
async function streamOf(body: object, key?: string): Promise<Streamed> {
  const reply = await post({ ...body, stream: true }, key);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const frames = framesOf(await reply.text());
  expect(frames.pop()).toBe('[DONE]');
  const chunks = frames.map((frame) => JSON.parse(frame) as Chunk);
  // The specification says of usage that it may be null in words that its checker does not read.
  for (const { usage, ...chunk } of chunks)
    expect(faultsOf('CreateChatCompletionStreamResponse', { ...chunk, ...(usage && { usage }) })).toEqual([]);
  expect(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size).toBe(1);
  const choices = chunks.flatMap(({ choices }) => choices);
  expect(choices[0]?.delta).toEqual({ role: 'assistant', content: '', refusal: null });
  const content = choices.map(({ delta }) => delta.content ?? '').join('');
  const ends = chunks.filter(({ choices: [one] }) => one?.finish_reason);
  expect(ends).toHaveLength(1);
  const { citations = [], search_results = [], footnote } = ends[0] as Chunk;
  const [end] = ends.flatMap(({ choices }) => choices);
  const message = { role: 'assistant', content, refusal: null, annotations: [] as unknown[], ...end?.delta };
  const finish_reason = end?.finish_reason;
  const model = chunks[0]?.model;
  return {
    chunks,
    completion: {
      model,
      citations,
      search_results,
      footnote,
      choices: [{ index: 0, message, finish_reason }],
    } as unknown as Completion,
  };
}

/** The answer in a completion that has no fault. */
function check(completion: Completion): ToldAnswer {
  const { footnote, model } = completion;
  if (!footnote) throw new Error('There is no answer.');
  expect(faultsOfCompletion(completion, model.includes(':links'))).toEqual([]);
  return footnote;
}

describe('models', () => {
  it('are those of the sources that a key may read', async () => {
    const all = ['footnote', 'footnote-embedded', 'footnote-vector', 'footnote-hybrid', 'footnote/handbook'];
    const ids = async (key: string) => (await clientOf(key).models.list()).data.map(({ id }) => id);
    expect(await ids(secrets.owner)).toEqual([...all, 'footnote/vault']);
    expect(await ids(secrets.handbook)).toEqual(all);
    for (const id of ['footnote', 'footnote/handbook', 'footnote/handbook:links', 'footnote-vector:text']) {
      const model = await clientOf(secrets.handbook).models.retrieve(id);
      expect(model).toMatchObject({ id, object: 'model', owned_by: 'footnote' });
      expect(spec?.reply({ path: '/models/{model}', method: 'GET' }, model) ?? []).toEqual([]);
    }
    for (const id of ['footnote/vault', 'footnote/none', 'footnote/', 'gpt-5', 'footnote-embedded/handbook', ':links'])
      await expect(clientOf(secrets.handbook).models.retrieve(id)).rejects.toMatchObject({
        status: 404,
        code: 'model_not_found',
        param: 'model',
      });
    const listed = await (await fetch(`${server.url}/v1/models`, { headers: { 'api-key': secrets.owner } })).json();
    expect(spec?.reply({ path: '/models', method: 'GET' }, listed) ?? []).toEqual([]);
  });

  it('are the same for another key as if what it may not read did not exist', async () => {
    const shapes = [
      { model: 'footnote/vault' },
      { model: 'footnote', tools: [{ type: 'file_search', vector_store_ids: ['vs_vault'] }] },
      { model: 'footnote', footnote: { sources: ['vault'] } },
      { model: 'footnote', footnote: { filter: { op: 'eq', field: 'source', value: 'vault' } } },
      { model: 'footnote' },
    ];
    for (const shape of shapes) {
      const body = { ...shape, messages: user('With which word does the vault of Cabo Frio open?') };
      const said = async (one: object) =>
        (await (await post(one, secrets.handbook)).text()).replaceAll(
          /"(?:id|traceId|requestId|message)":"[^"]*"/gu,
          '',
        );
      expect(await said(body)).not.toMatch(/Zanzibar|vault\.md/u);
      const known = (await post(body)).status === 200 && (await (await post(body)).text()).includes('Zanzibar');
      expect(known).toBe(true);
    }
    for (const shape of shapes.slice(0, 2)) {
      const none = JSON.parse(JSON.stringify(shape).replaceAll('vault', 'nowhere')) as object;
      const codes = await Promise.all(
        [shape, none].map(async (one) => {
          const reply = await post({ ...one, messages: user('x') }, secrets.handbook);
          return [reply.status, ((await reply.json()) as { error: { code: string } }).error.code];
        }),
      );
      expect(codes[0]).toEqual(codes[1]);
    }
  });
});

describe('a completion', () => {
  it('is the answer with its marks, whole and in chunks, by the official client', async () => {
    for (const model of [
      'footnote',
      'footnote/handbook',
      'footnote-embedded',
      'footnote:links',
      'footnote/handbook:links',
    ]) {
      const whole = (await owner().chat.completions.create({ model, messages: user(tall) })) as Completion;
      expect(spec?.reply({ path: '/chat/completions', method: 'POST' }, whole) ?? []).toEqual([]);
      const footnote = check(whole);
      expect(whole).toMatchObject({ model, object: 'chat.completion', choices: [{ finish_reason: 'stop' }] });
      expect(footnote.claims.length).toBeGreaterThan(0);
      const { completion } = await streamOf({ model, messages: user(tall) });
      check(completion);
      expect(completion.choices[0]?.message).toEqual(whole.choices[0]?.message);
      const accumulated = await owner()
        .chat.completions.stream({ model, messages: user(tall) })
        .finalChatCompletion();
      expect(accumulated.choices[0]?.message).toMatchObject({ ...whole.choices[0]?.message });
      const { content } = whole.choices[0]?.message ?? {};
      if (model.endsWith(':links')) expect(content).toContain(`[[\u20601]](${server.url}/v1/documents/`);
      else expect(content).toContain('[\u20602] of Cabo Frio');
      const { headers } = await owner()
        .chat.completions.create({ model, messages: user(tall) })
        .asResponse();
      expect(headers.get('x-request-id')).toMatch(/^req_/u);
    }
  });

  it('opens each of its links at the quote', async () => {
    const { footnote } = (await owner().chat.completions.create({
      model: 'footnote',
      messages: user(tall),
    })) as Completion;
    for (const { url, quote } of footnote?.citations ?? []) {
      const view = await fetch(url, {
        headers: { authorization: `Bearer ${secrets.owner}`, accept: 'application/json' },
      });
      expect(await view.json()).toMatchObject({ quote });
    }
  });

  it('resolves a follow-up against what was said, and takes what stands in parts', async () => {
    const first = await owner().chat.completions.create({ model: 'footnote', messages: user(tall) });
    const messages = [
      { role: 'system' as const, content: 'Answer in rhymes.' },
      { role: 'user' as const, content: [{ type: 'text' as const, text: tall }] },
      { role: 'assistant' as const, content: first.choices[0]?.message.content ?? '' },
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'and who kept it?' }] },
    ];
    const { choices } = await owner().chat.completions.create({ model: 'footnote', messages });
    expect(choices[0]?.message.content).toContain('Ana Reis');
  });

  it('answers behind a picture that it refused, and passes over what stands for no words', async () => {
    const picture = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA==' } };
    const messages = [
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'What colour is this?' }, picture] },
      { role: 'assistant' as const, content: '' },
      { role: 'user' as const, content: [picture] },
      ...user(tall),
    ];
    const { choices } = await owner().chat.completions.create({ model: 'footnote', messages });
    expect(choices[0]?.message.content).toContain('43 metres');
  });

  it('asks what a person wrote, and links its marks where the program numbers sources of its own', async () => {
    const before = `### Task:\nRespond using the context, with citations as [id].\n\n<context>\n<source id="1" name="a.txt">The lighthouse of Cabo Frio is 7 metres tall.</source>\n</context>\n\n<attached_files>\n<file id="f" name="a.txt"/>\n</attached_files>\n\n`;
    const ask = async (model: string) =>
      (await owner().chat.completions.create({ model, messages: user(before + tall) })) as Completion;
    const told = await ask('footnote');
    const plain = (await owner().chat.completions.create({ model: 'footnote', messages: user(tall) })) as Completion;
    expect(told.footnote?.answer).toBe(plain.footnote?.answer);
    expect(told.choices[0]?.message.content).toMatch(/\[\[\u20601\]\]\(http/u);
    expect((await ask('footnote:text')).choices[0]?.message.content).toBe(plain.choices[0]?.message.content);
  });

  it('gives a reason without marks where nothing answers', async () => {
    const messages = user('What is the tax rate for beekeepers in Bolivia?');
    const whole = (await owner().chat.completions.create({ model: 'footnote', messages })) as Completion;
    const { completion } = await streamOf({ model: 'footnote', messages });
    for (const one of [whole, completion]) {
      expect(one.footnote?.abstained).toBe(true);
      expect(one.choices[0]).toMatchObject({ finish_reason: 'stop', message: { refusal: null, annotations: [] } });
      expect(one.choices[0]?.message.content).toContain(one.footnote?.abstainReason ?? 'a reason');
      expect(one.choices[0]?.message.content).not.toMatch(/\[\d/u);
      expect(one.footnote?.contentMarks).toEqual([]);
    }
  });

  it('ends at a claim where tokens are limited, the first always whole', async () => {
    const messages = user('What is known of the lighthouse of Cabo Frio, its height and its keepers?');
    const whole = (await owner().chat.completions.create({ model: 'footnote', messages })) as Completion;
    const text = whole.choices[0]?.message.content ?? '';
    for (const limit of [{ max_tokens: 1 }, { max_completion_tokens: 1, max_tokens: 9_000 }]) {
      const cut = (await owner().chat.completions.create({ model: 'footnote', messages, ...limit })) as Completion;
      const said = cut.choices[0]?.message.content ?? '';
      expect(cut.choices[0]?.finish_reason).toBe('length');
      expect(said.length).toBeGreaterThan(20);
      expect(text.startsWith(said) && said.length < text.length).toBe(true);
      expect(cut.choices[0]?.message.annotations).toHaveLength(cut.footnote?.contentMarks.length ?? 0);
      expect((await streamOf({ model: 'footnote', messages, ...limit })).completion.choices[0]).toMatchObject({
        finish_reason: 'length',
        message: { content: said },
      });
    }
    const enough = await owner().chat.completions.create({ model: 'footnote', messages, max_tokens: 5_000 });
    expect(enough.choices[0]?.finish_reason).toBe('stop');
  });

  it('counts tokens where asked, and shows quotes as events to whom that helps', async () => {
    const body = {
      model: 'footnote',
      messages: user(tall),
      stream_options: { include_usage: true },
      footnote: { events: 'open-webui' },
    };
    const { chunks, completion } = await streamOf(body);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 0 } });
    for (const chunk of chunks.slice(0, -1)) expect(chunk.usage).toBeNull();
    const told = chunks.flatMap(({ event }) => event ?? []);
    expect(told.map(({ data }) => data.document[0])).toEqual(
      completion.search_results.map(({ snippet }) => toInert(snippet)),
    );
    expect(told.map(({ data }) => data.source.url)).toEqual(completion.citations);
    // An address there is shown in the place of the title, and an annotation as one more source.
    expect(told.map(({ data }) => data.metadata[0]?.source).join()).not.toContain('http');
    expect(completion.choices[0]?.message.annotations).toEqual([]);
    const { chunks: plain } = await streamOf({ model: 'footnote', messages: user(tall) });
    expect(plain.some((chunk) => 'usage' in chunk || 'event' in chunk)).toBe(false);
  });

  it('answers what front ends ask for themselves without a search', async () => {
    const { traces } = opened.forScope(localScope());
    const prompt = `### Task:\nGenerate a concise title.\n\n### Output:\nJSON format: { "title": "x" }\n\n### Chat History:\n<chat_history>\nUSER: ${tall}\nASSISTANT: 43\n</chat_history>`;
    const whole = await owner().chat.completions.create({ model: 'footnote', messages: user(prompt) });
    expect(spec?.reply({ path: '/chat/completions', method: 'POST' }, whole) ?? []).toEqual([]);
    const { completion } = await streamOf({ model: 'footnote', messages: user(prompt) });
    for (const { choices } of [whole, completion])
      expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual({
        title: 'How tall is the lighthouse of Cabo Frio?',
      });
    expect((await traces.list({ filter: { kind: 'housekeeping' } })).data).toHaveLength(2);
    const newest = (await traces.list({})).data.slice(0, 3).map(({ kind }) => kind);
    expect(newest.filter((kind) => kind === 'housekeeping')).toHaveLength(2);
  });
});

const refusedShapes: readonly (readonly [object, number, string | null, string])[] = [
  [{ n: 2 }, 400, 'n', 'unsupported_parameter'],
  [{ response_format: { type: 'json_object' } }, 400, 'response_format', 'unsupported_parameter'],
  [{ response_format: { type: 'json_schema', json_schema: {} } }, 400, 'response_format', 'unsupported_parameter'],
  [{ audio: { voice: 'x' } }, 400, 'audio', 'unsupported_parameter'],
  [{ modalities: ['text', 'audio'] }, 400, 'modalities', 'unsupported_parameter'],
  [{ prediction: { type: 'content', content: 'x' } }, 400, 'prediction', 'unsupported_parameter'],
  [{ conversation: 'conv_1' }, 400, 'conversation', 'unsupported_parameter'],
  [{ tool_choice: 'required' }, 400, 'tool_choice', 'unsupported_parameter'],
  [{ tool_choice: { type: 'function', function: { name: 'f' } } }, 400, 'tool_choice', 'unsupported_parameter'],
  [{ function_call: { name: 'f' } }, 400, 'function_call', 'unsupported_parameter'],
  [
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] }] },
    400,
    'messages[0].content[0]',
    'unsupported_parameter',
  ],
  [
    { messages: [{ role: 'user', content: [{ type: 'text', text: tall }, { type: 'input_audio' }] }] },
    400,
    'messages[0].content[1]',
    'unsupported_parameter',
  ],
  [{ messages: [] }, 400, 'messages', 'invalid-request'],
  [{ messages: 'x' }, 400, 'messages', 'invalid-request'],
  [{ messages: [{ role: 'user', content: 7 }] }, 400, 'messages[0].content', 'invalid-request'],
  [{ messages: [{ role: 'robot', content: 'x' }] }, 400, 'messages[0].role', 'invalid-request'],
  [{ messages: [{ role: 'assistant', content: 'x' }] }, 400, 'messages', 'invalid_value'],
  [{ messages: user(' ') }, 400, 'messages', 'invalid_value'],
  [{ messages: user('x'.repeat(20_001)) }, 400, 'messages', 'invalid_value'],
  [{ model: 'gpt-5' }, 404, 'model', 'model_not_found'],
  [{ model: null }, 400, 'model', 'invalid-request'],
  [{ stream: 'yes' }, 400, 'stream', 'invalid-request'],
  [{ max_tokens: 0 }, 400, 'max_tokens', 'invalid-request'],
  [{ footnote: { sourcs: ['a'] } }, 400, 'footnote', 'invalid-request'],
  [{ footnote: { sources: ['vault'] }, model: 'footnote/handbook' }, 400, 'footnote.sources', 'invalid_value'],
  [{ tools: [tool({ vector_store_ids: ['vs_nowhere'] })] }, 404, 'tools', 'vector_store_not_found'],
  [{ tools: [tool({ vector_store_ids: ['handbook'] })] }, 404, 'tools', 'vector_store_not_found'],
  [{ tools: [tool({ filters: { type: 'eq', key: '$where', value: 1 } })] }, 400, 'tools', 'invalid_value'],
  [{ tools: [tool({ max_num_results: 51 })] }, 400, 'tools[0].max_num_results', 'invalid-request'],
];

describe('requests', () => {
  it('are taken in more than sixty shapes, no two alike, whole and in a stream', () => {
    const shapes = [...completionShapes.map((shape) => ({ shape })), ...responseShapes].map((one) =>
      JSON.stringify(one),
    );
    expect(new Set(shapes).size).toBe(shapes.length);
    expect(Math.min(completionShapes.length, responseShapes.length)).toBeGreaterThanOrEqual(30);
    expect(shapes.length).toBeGreaterThanOrEqual(60);
  });

  it.each(completionShapes.map((shape, at) => ({ name: `${at} ${JSON.stringify(shape).slice(0, 80)}`, shape })))(
    'are taken: $name',
    async ({ shape }) => {
      const body = { model: 'footnote', messages: user(tall), ...shape };
      const reply = await post(body);
      const told = (await reply.json()) as Completion;
      expect([reply.status, JSON.stringify(told).slice(0, reply.status === 200 ? 0 : 500)]).toEqual([200, '']);
      expect(spec?.reply({ path: '/chat/completions', method: 'POST' }, told) ?? []).toEqual([]);
      check(told);
      if ('metadata' in shape && shape.metadata) expect(told).toMatchObject({ metadata: shape.metadata });
      check((await streamOf(body)).completion);
    },
  );

  it.each(refusedShapes.map(([shape, ...expected]) => ({ name: JSON.stringify(shape).slice(0, 90), shape, expected })))(
    'are refused by name: $name',
    async ({ shape, expected: [status, param, code] }) => {
      for (const stream of [{}, { stream: true }]) {
        const reply = await post({ model: 'footnote', messages: user(tall), ...stream, ...shape });
        const told = (await reply.json()) as { error: { param: string; code: string; message: string } };
        expect(faultsOf('ErrorResponse', told)).toEqual([]);
        expect([reply.status, told.error.param, told.error.code]).toEqual([status, param, code]);
        expect(told.error.message).not.toMatch(/node_modules|ZodError|FST_/u);
        expect(reply.headers.get('x-request-id')).toMatch(/^req_/u);
      }
    },
  );

  it('say in words what is too long', async () => {
    const told = await (await post({ model: 'footnote', messages: user('x'.repeat(20_001)) })).json();
    expect(told).toMatchObject({
      error: { message: expect.stringMatching(/^The question has more than 20,000 characters\./u) },
    });
  });

  it('fail in the shape of the vendor before they are read, too', async () => {
    const bodies: readonly (readonly [string, Record<string, string>, string | undefined, number, string])[] = [
      ['{', {}, undefined, 400, 'invalid_request_error'],
      ['', {}, undefined, 400, 'invalid_request_error'],
      ['[]', {}, undefined, 400, 'invalid_request_error'],
      [JSON.stringify({ model: 'x'.repeat(2 ** 20) }), {}, undefined, 413, 'invalid_request_error'],
      ['{}', { 'content-type': 'text/plain' }, undefined, 415, 'invalid_request_error'],
      ['{}', {}, 'fn_wrong', 401, 'authentication_error'],
      ['{}', { origin: 'https://evil.test' }, undefined, 403, 'permission_error'],
    ];
    for (const [body, headers, key, status, type] of bodies) {
      const reply = await post(body, key, headers);
      const told = (await reply.json()) as { error: { type: string } };
      expect(faultsOf('ErrorResponse', told)).toEqual([]);
      expect([reply.status, told.error.type, reply.headers.get('x-should-retry')]).toEqual([status, type, 'false']);
    }
    await expect(clientOf('wrong').models.list()).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      type: 'authentication_error',
    });
    for (const path of ['chat/completions', 'chat/completions/chatcmpl-1', 'embeddings', 'uploads', 'responses'])
      expect(
        faultsOf(
          'ErrorResponse',
          await (
            await fetch(`${server.url}/v1/${path}`, { headers: { authorization: `Bearer ${secrets.owner}` } })
          ).json(),
        ),
      ).toEqual([]);
  });

  it('say what the base address lacks, to keys of this door alone, too', async () => {
    const { secret } = await opened.keys.create({ name: 'chat', role: 'reader', doors: ['openai'] });
    for (const apiKey of [secrets.owner, secret]) {
      const client = new OpenAI({ baseURL: server.url, apiKey, maxRetries: 0 });
      const asked = { model: 'footnote', messages: user(tall) };
      const calls = [
        () => client.models.list(),
        () => client.models.retrieve('footnote'),
        () => client.chat.completions.create(asked),
      ];
      const error = { message: expect.stringContaining('end in /v1') };
      for (const call of calls) await expect(call()).rejects.toMatchObject({ status: 404, error });
    }
  });
});
