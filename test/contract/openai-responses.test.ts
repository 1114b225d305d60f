// Responses, as OpenAI's official client reads them of the real system: whole, streamed, resumed, kept over a restart and gone on from, for the key that asked
// alone. Each reply and each event is what the vendor's own specification says.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { faultsOfResponse, type ToldResponse } from '../../testkit/openai/completion.ts';
import { asks, responseShapes, tall, tool } from '../../testkit/openai/request-shapes.ts';
import { serveOpened } from '../../testkit/serve-opened.ts';
import { createSpecFaults } from '../fakes/openai-spec-faults.ts';

const faultsOf = createSpecFaults();
let folder: string;
let opened: OpenedFootnote;
let server: HttpServer;
let secrets: { readonly owner: string; readonly handbook: string; readonly other: string };

const documents = [
  {
    uri: 'docs/tower.md',
    title: 'Towers 😀',
    source: 'handbook',
    text: '# Towers\n\nThe 😀 lighthouse [2] of Cabo Frio is 43 metres tall.\n',
  },
  {
    uri: 'keeper.md',
    title: 'Keepers',
    source: 'handbook',
    text: 'The lighthouse of Cabo Frio was kept by Ana Reis [1][2] from 1901 on.\n',
  },
  {
    uri: 'vault.md',
    title: 'Vault',
    source: 'vault',
    text: 'The vault of Cabo Frio opens with the word Zanzibar.\n',
    access: ['owners'],
  },
];

async function open(): Promise<void> {
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  server = await serveOpened(opened);
  opened.setAddress(server.url);
}
async function close(): Promise<void> {
  await server.close({ deadlineMs: 1000 });
  await opened.close();
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-responses-'));
  await open();
  const footnote = opened.forScope(localScope());
  for (const document of documents)
    await footnote.documents.add({
      ...document,
      mime: 'text/markdown',
      metadata: { kind: document.source, parts: [1] },
    });
  const keyOf = async (name: string, groups: string[]) =>
    (await opened.keys.create({ name, role: 'reader', groups })).secret;
  secrets = {
    owner: await keyOf('owner', ['owners']),
    handbook: await keyOf('handbook', []),
    other: await keyOf('other', ['owners']),
  };
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

type Told = OpenAI.Responses.Response & ToldResponse & { readonly store: boolean };
type Event = OpenAI.Responses.ResponseStreamEvent;

const clientOf = (apiKey = secrets.owner): OpenAI => new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });
const create = async (body: object, key?: string): Promise<Told> =>
  (await clientOf(key).responses.create({ model: 'footnote', input: tall, ...body })) as Told;

const send = (
  path: string,
  { method = 'GET', body, key = secrets.owner }: { method?: string; body?: unknown; key?: string } = {},
) =>
  fetch(`${server.url}/v1/responses${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), authorization: `Bearer ${key}` },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

/** What is null where the specification has no word for it: the vendor sends these so. */
const withoutNullish = ({ usage, user, ...response }: Record<string, unknown>) => ({
  ...response,
  ...(usage !== null && { usage }),
  ...(user !== null && { user }),
});
const faultsOfObject = (response: object): readonly string[] => faultsOf('Response', withoutNullish({ ...response }));
const fields =
  'error incomplete_details instructions max_output_tokens previous_response_id reasoning text tool_choice tools top_p temperature truncation usage metadata parallel_tool_calls background store user'.split(
    ' ',
  );

/** The events of a stream, each as the specification has it, in their order and without a gap. */
function eventsIn(body: string, from = 0): Event[] {
  const frames = body.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'));
  const events = frames.map((frame) => {
    const [, type, data = ''] = /^event: (\S+)\ndata: ([^\n]+)$/u.exec(frame) ?? [];
    const event = JSON.parse(data) as Event;
    expect(event.type).toBe(type);
    return event;
  });
  for (const [at, event] of events.entries()) {
    const told = 'response' in event ? { ...event, response: withoutNullish({ ...event.response }) } : event;
    expect(faultsOf('ResponseStreamEvent', told)).toEqual([]);
    expect(event.sequence_number).toBe(at + from);
  }
  return events;
}

const order =
  /^created in_progress (?:output_item\.added file_search_call\.in_progress file_search_call\.searching file_search_call\.completed output_item\.done )?output_item\.added content_part\.added (?:output_text\.delta (?:output_text\.annotation\.added )*)+output_text\.done content_part\.done output_item\.done (?:completed|incomplete)$/u;

async function stream(body: object, key?: string): Promise<{ events: Event[]; response: Told }> {
  const reply = await send('', {
    method: 'POST',
    body: { model: 'footnote', input: tall, ...body, stream: true },
    ...(key && { key }),
  });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const events = eventsIn(await reply.text());
  expect(events.map(({ type }) => type.replace('response.', '')).join(' ')).toMatch(order);
  const last = events.at(-1);
  if (last?.type !== 'response.completed' && last?.type !== 'response.incomplete') throw new Error('It has not ended.');
  const response = last.response as Told;
  const text = events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : [])).join('');
  const annotations = events.flatMap((event) =>
    event.type === 'response.output_text.annotation.added' ? [event.annotation] : [],
  );
  expect(partOf(response)).toEqual({ type: 'output_text', text, annotations, logprobs: [] });
  const done = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []));
  expect(done).toEqual(response.output);
  return { events, response };
}

function partOf({ output }: Told): OpenAI.Responses.ResponseOutputText {
  const message = output.at(-1);
  const part = message?.type === 'message' ? message.content[0] : undefined;
  if (part?.type !== 'output_text') throw new Error('There is no text.');
  return part;
}
const check = (response: Told): void => {
  expect(faultsOfObject(response)).toEqual([]);
  expect(faultsOfResponse(response, response.model.includes(':links'))).toEqual([]);
  for (const field of fields) expect(response).toHaveProperty(field);
};
/** Without what differs each time. */
const alike = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, one: unknown) =>
      /^(?:created_at|completed_at|timings|traceId|id|item_id|parsed)$/u.test(name) ? undefined : one,
    ).replaceAll(/(?:resp|msg|fs|ans)_\w+/gu, ''),
  );

describe('a response', () => {
  it('is the answer with its marks, whole and as events, by the official client', async () => {
    for (const model of ['footnote', 'footnote/handbook', 'footnote-embedded', 'footnote:links']) {
      const whole = await create({ model });
      check(whole);
      expect(whole).toMatchObject({ model, object: 'response', status: 'completed', error: null, store: true });
      expect(whole.output_text).toContain('43 metres tall');
      if (model === 'footnote') expect(whole.output_text).toContain('[\u20602] of Cabo Frio');
      const { response } = await stream({ model });
      check(response);
      const { output_text, ...raw } = whole;
      expect(alike(response)).toEqual(alike(raw));
      const accumulated = await clientOf().responses.stream({ model, input: tall }).finalResponse();
      expect(alike(accumulated.output)).toEqual(alike(whole.output));
    }
  });

  it('tells its search and each source as a file, too, where that is asked for', async () => {
    const tools = [{ type: 'file_search' as const, vector_store_ids: ['vs_handbook'] }];
    const include = ['file_search_call.results' as const];
    for (const body of [{ tools }, { tools, include }, { include }]) {
      const whole = await create(body);
      check(whole);
      const { response } = await stream(body);
      check(response);
      expect(alike(response.output)).toEqual(alike(whole.output));
      const [call] = response.output;
      const hasResults = 'include' in body;
      expect(call).toMatchObject({ type: 'file_search_call', status: 'completed', queries: [tall] });
      if (call?.type !== 'file_search_call') continue;
      const { citations } = response.footnote ?? { citations: [] };
      if (!hasResults) expect(call.results).toBeNull();
      else
        expect(call.results).toEqual(
          citations.map(({ documentId, quote, uri, source }) => ({
            file_id: `file-${documentId}`,
            filename: uri.split('/').at(-1),
            score: expect.any(Number) as number,
            text: quote,
            attributes: { kind: source },
          })),
        );
      const kinds = new Set(partOf(response).annotations.map(({ type }) => type));
      expect([...kinds]).toEqual('tools' in body ? ['url_citation', 'file_citation'] : ['url_citation']);
    }
  });

  it('gives a reason where nothing answers, and ends at a claim where tokens are limited', async () => {
    const input = 'What is the tax rate for beekeepers in Bolivia?';
    for (const one of [await create({ input }), (await stream({ input })).response]) {
      expect(one).toMatchObject({ status: 'completed', footnote: { abstained: true } });
      expect(partOf(one)).toMatchObject({
        annotations: [],
        text: expect.stringContaining(one.footnote?.abstainReason ?? 'a reason') as string,
      });
    }
    const several = { input: 'What is known of the lighthouse of Cabo Frio, its height and its keepers?' };
    const { text } = partOf(await create(several));
    for (const cut of [
      await create({ ...several, max_output_tokens: 16 }),
      (await stream({ ...several, max_output_tokens: 16 })).response,
    ]) {
      expect(cut).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        max_output_tokens: 16,
      });
      expect(
        text.startsWith(partOf(cut).text) && partOf(cut).text.length < text.length && partOf(cut).text.length > 20,
      ).toBe(true);
      expect(cut.output.at(-1)).toMatchObject({ status: 'incomplete' });
    }
  });

  it('answers what front ends ask for themselves without a search', async () => {
    const { traces } = opened.forScope(localScope());
    const before = (await traces.list({})).data.length;
    const input = `### Task:\nGenerate a concise title.\n\n### Output:\nJSON format: { "title": "x" }\n\n### Chat History:\n<chat_history>\nUSER: ${tall}\nASSISTANT: 43\n</chat_history>`;
    for (const one of [await create({ input }), (await stream({ input })).response]) {
      expect(faultsOfObject(one)).toEqual([]);
      expect(JSON.parse(partOf(one).text)).toEqual({ title: 'How tall is the lighthouse of Cabo Frio?' });
    }
    // Each leaves a trace that says what it was, and holds nothing of the chat that it quotes.
    const { data } = await traces.list({ filter: { kind: 'housekeeping' } });
    expect(data).toMatchObject([{ status: 'done' }, { status: 'done' }]);
    expect((await traces.list({})).data).toHaveLength(before + 2);
    const { events } = await traces.get(data[0]?.id ?? '');
    const types = ['request', 'environment', 'housekeeping', 'tape'];
    expect(events.map(({ event }) => event.type)).toEqual(types);
    expect(events[0]?.event).toMatchObject({ kind: 'housekeeping', body: { task: 'title' } });
    expect(JSON.stringify(events)).not.toContain('Cabo Frio');
    expect(await traces.replay(data[0]?.id ?? '')).toMatchObject({ same: true, sameCalls: true, divergences: [] });
    expect(await traces.replay(data[0]?.id ?? '', { against: 'current' })).toMatchObject({ against: 'current' });
  });
});

describe('a kept response', () => {
  it('is read again, also after a restart, with its events from any place on', async () => {
    const tools = [{ type: 'file_search' as const, vector_store_ids: ['vs_handbook'] }];
    const { events, response } = await stream({ tools, metadata: { a: 'b' }, instructions: 'Be brief.' });
    const plain = await create({});
    for (const round of ['now', 'restarted']) {
      const read = await clientOf().responses.retrieve(response.id);
      const { output_text, ...raw } = read;
      expect(raw, round).toEqual(response);
      for (const from of [undefined, 0, 4, events.length - 2]) {
        const path = `/${response.id}?stream=true${from === undefined ? '' : `&starting_after=${from}`}`;
        const first = from === undefined ? 0 : from + 1;
        expect(eventsIn(await (await send(path)).text(), first)).toEqual(events.slice(first));
      }
      const resumed = eventsIn(await (await send(`/${plain.id}?stream=true`)).text());
      expect(resumed.at(-1)).toMatchObject({ type: 'response.completed', response: { id: plain.id } });
      expect((await clientOf().responses.retrieve(plain.id)).output_text).toBe(plain.output_text);
      expect((await clientOf().responses.cancel(plain.id)).status).toBe('completed');
      if (round === 'restarted') break;
      await close();
      await open();
    }
  });

  it('is gone on from, by its id or by the item that a client refers to', async () => {
    const first = await create({});
    const second = await create({ input: 'and who kept it?', previous_response_id: first.id });
    expect(second.output_text).toContain('Ana Reis');
    expect(second.previous_response_id).toBe(first.id);
    const { response: third } = await stream({ input: 'How tall is it?', previous_response_id: second.id });
    expect(partOf(third).text).toContain('43 metres');
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: tall }] },
      { type: 'item_reference', id: first.output.at(-1)?.id },
      { role: 'user', content: [{ type: 'input_text', text: 'and who kept it?' }] },
    ];
    const referring = await create({ input });
    expect(referring.output_text).toContain('Ana Reis');
    const items = await clientOf().responses.inputItems.list(referring.id, { order: 'asc' });
    expect(items.data.map((one) => (one.type === 'message' ? [one.role, one.content] : []))).toMatchObject([
      ['user', [{ type: 'input_text', text: tall }]],
      ['assistant', [{ type: 'output_text', text: first.output_text }]],
      ['user', [{ type: 'input_text', text: 'and who kept it?' }]],
    ]);
    const pages = [await (await send(`/${referring.id}/input_items?limit=2`)).json()] as {
      last_id: string;
      has_more: boolean;
      data: { id: string }[];
    }[];
    pages.push((await (await send(`/${referring.id}/input_items?limit=2&after=${pages[0]?.last_id}`)).json()) as never);
    for (const page of pages) expect(faultsOf('ResponseItemList', page)).toEqual([]);
    expect(pages.map(({ has_more }) => has_more)).toEqual([true, false]);
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(items.data.map(({ id }) => id).reverse());
    // What is referred to is kept once: it is gone from there as well.
    await clientOf().responses.delete(first.id);
    expect((await clientOf().responses.inputItems.list(referring.id)).data).toHaveLength(2);
    expect((await create({ input: 'How tall is it?', previous_response_id: referring.id })).output_text).toContain(
      '43',
    );
  });

  it('is for the key that asked alone', async () => {
    const { id, output } = await create({ input: 'With which word does the vault of Cabo Frio open?' });
    for (const key of [secrets.handbook, secrets.other]) {
      const told = await Promise.all(
        [id, 'resp_none'].map(async (one) => {
          const replies = [
            await send(`/${one}`, { key }),
            await send(`/${one}?stream=true`, { key }),
            await send(`/${one}/input_items`, { key }),
            await send(`/${one}/cancel`, { key, method: 'POST' }),
            await send(`/${one}`, { key, method: 'DELETE' }),
            await send('', {
              key,
              method: 'POST',
              body: { model: 'footnote', input: 'and then?', previous_response_id: one },
            }),
          ];
          const texts = await Promise.all(replies.map(async (reply) => `${reply.status} ${await reply.text()}`));
          return texts.map((text) => text.replaceAll(one, ''));
        }),
      );
      expect(told[0]).toEqual(told[1]);
      for (const text of told[0] ?? []) {
        expect(text).toMatch(/^404 /u);
        expect(faultsOf('ErrorResponse', JSON.parse(text.slice(4)))).toEqual([]);
      }
      const reference = {
        input: [
          { type: 'item_reference', id: output.at(-1)?.id },
          { role: 'user', content: 'x' },
        ],
      };
      await expect(create(reference, key)).rejects.toMatchObject({ status: 404, param: 'input[0]' });
    }
    expect((await clientOf().responses.retrieve(id)).output_text).toContain('Zanzibar');
  });

  it('shows nothing that its key may not read', async () => {
    const input = 'With which word does the vault of Cabo Frio open?';
    const include = ['file_search_call.results'];
    for (const body of [
      {},
      { include },
      { model: 'footnote/vault' },
      { tools: [{ type: 'file_search', vector_store_ids: ['vs_vault'] }] },
      { footnote: { sources: ['vault'] } },
    ])
      for (const streams of [false, true]) {
        const reply = await send('', {
          method: 'POST',
          key: secrets.handbook,
          body: { model: 'footnote', input, ...body, stream: streams },
        });
        expect(await reply.text()).not.toMatch(/Zanzibar|vault\.md/u);
      }
  });

  it('is erased with its answer and its trace, and with the replies under a key', async () => {
    const body = { model: 'footnote', input: tall };
    const keyed = { headers: { 'idempotency-key': 'once' } };
    const first = (await clientOf().responses.create(body, keyed)) as Told;
    expect((await clientOf().responses.create(body, keyed)).id).toBe(first.id);
    const next = await create({ input: 'and who kept it?', previous_response_id: first.id });
    const gone = { id: first.id, object: 'response', deleted: true };
    for (let again = 0; again < 2; again += 1)
      expect(await clientOf().delete(`/responses/${first.id}`, { headers: { 'idempotency-key': 'gone' } })).toEqual(
        gone,
      );
    await expect(clientOf().responses.retrieve(first.id)).rejects.toMatchObject({
      status: 404,
      code: 'response_not_found',
    });
    const headers = { authorization: `Bearer ${secrets.owner}` };
    for (const path of [`answers/${first.footnote?.id}`, `traces/${first.footnote?.traceId}`])
      expect((await fetch(`${server.url}/v1/${path}`, { headers })).status).toBe(404);
    expect((await clientOf().responses.create(body, keyed)).id).not.toBe(first.id);
    expect((await clientOf().responses.retrieve(next.id)).output_text).toBe(next.output_text);
    await clientOf().responses.delete(next.id);
    expect((await send(`/${next.id}`, { method: 'DELETE' })).status).toBe(404);
  });

  it.each([
    ['/ask', { question: tall }],
    ['/chat/completions', { model: 'footnote', messages: [{ role: 'user', content: tall }] }],
    ['/responses', { model: 'footnote', input: tall }],
    ['/messages', { model: 'footnote', max_tokens: 900, messages: [{ role: 'user', content: tall }] }],
  ])('is erased with the answer itself, as every reply that gave it: %s', async (path, body) => {
    const headers = {
      ...{ authorization: `Bearer ${secrets.owner}`, 'content-type': 'application/json' },
      'idempotency-key': `erased-${path}`,
    };
    const ask = async () => {
      const reply = await fetch(`${server.url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return [reply.status, await reply.text()] as const;
    };
    const [, given] = await ask();
    expect(given).toContain('43 metres');
    const { id, footnote = { id } } = JSON.parse(given) as { id: string; footnote?: { id: string } };
    // Whoever erases it: here an admin.
    await opened.forScope(localScope()).answers.delete(footnote.id);
    const [status, again] = await ask();
    expect([status, again]).toEqual([404, expect.not.stringContaining('43 metres')]);
    const told = expect.stringContaining('was erased') as string;
    expect(JSON.parse(again)).toMatchObject(path === '/ask' ? { detail: told } : { error: { message: told } });
    if (path === '/responses') expect((await send(`/${id}`)).status).toBe(404);
  });

  it('is none where it is not to be stored, and goes with a document that it cites', async () => {
    const unstored = await create({ store: false });
    expect(unstored.store).toBe(false);
    await expect(clientOf().responses.retrieve(unstored.id)).rejects.toMatchObject({ status: 404 });
    await expect(create({ previous_response_id: unstored.id })).rejects.toMatchObject({
      status: 404,
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    });
    const footnote = opened.forScope(localScope());
    const [added] = await footnote.documents.add({ text: 'The buoy of Orvel is painted violet.', uri: 'buoy.md' });
    const { id, output_text } = await create({ input: 'Which colour is the buoy of Orvel painted?' });
    expect(output_text).toContain('violet');
    await footnote.documents.delete(added?.id ?? '');
    await expect.poll(async () => (await send(`/${id}`)).status, { timeout: 60_000 }).toBe(404);
  });
});

const refusedShapes: readonly (readonly [object, number, string | null, string])[] = [
  [{ background: true }, 400, 'background', 'unsupported_parameter'],
  [{ conversation: 'conv_1' }, 400, 'conversation', 'unsupported_parameter'],
  [{ prompt: { id: 'pmpt_1' } }, 400, 'prompt', 'unsupported_parameter'],
  [{ text: { format: { type: 'json_object' } } }, 400, 'text.format', 'unsupported_parameter'],
  [{ text: { format: { type: 'json_schema', name: 'n', schema: {} } } }, 400, 'text.format', 'unsupported_parameter'],
  [{ tool_choice: 'required' }, 400, 'tool_choice', 'unsupported_parameter'],
  [{ tool_choice: { type: 'function', name: 'f' } }, 400, 'tool_choice', 'unsupported_parameter'],
  [
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:' }] }] },
    400,
    'input[0].content[0]',
    'unsupported_parameter',
  ],
  [
    { input: [asks, { role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
    400,
    'input[1].content[0]',
    'unsupported_parameter',
  ],
  [{ input: [{ role: 'user' }] }, 400, 'input[0]', 'invalid_value'],
  [{ input: null }, 400, 'input', 'invalid_value'],
  [{ input: ' ' }, 400, 'input', 'invalid_value'],
  [{ input: [] }, 400, 'input', 'invalid_value'],
  [{ input: 7 }, 400, 'input', 'invalid-request'],
  [{ input: [{ role: 'robot', content: 'x' }] }, 400, 'input', 'invalid-request'],
  [{ input: 'x'.repeat(20_001) }, 400, 'input', 'invalid_value'],
  [{ input: [{ type: 'item_reference', id: 'msg_none' }, asks] }, 404, 'input[0]', 'item_not_found'],
  [{ previous_response_id: 'resp_none' }, 404, 'previous_response_id', 'previous_response_not_found'],
  [{ model: 'gpt-5' }, 404, 'model', 'model_not_found'],
  [{ max_output_tokens: 0 }, 400, 'max_output_tokens', 'invalid-request'],
  [{ footnote: { sourcs: ['a'] } }, 400, 'footnote', 'invalid-request'],
  [{ tools: [tool({ vector_store_ids: ['vs_nowhere'] })] }, 404, 'tools', 'vector_store_not_found'],
];

describe('requests', () => {
  it.each(responseShapes.map((shape, at) => ({ name: `${at} ${JSON.stringify(shape).slice(0, 80)}`, shape })))(
    'are taken: $name',
    async ({ shape }) => {
      const reply = await send('', { method: 'POST', body: { model: 'footnote', input: tall, ...shape } });
      const told = (await reply.json()) as Told;
      expect([reply.status, reply.status === 200 ? '' : JSON.stringify(told)]).toEqual([200, '']);
      check(told);
      check((await stream(shape)).response);
      if ('metadata' in shape && shape.metadata) expect(told).toMatchObject({ metadata: shape.metadata });
    },
  );

  it.each(refusedShapes.map(([shape, ...expected]) => ({ name: JSON.stringify(shape).slice(0, 90), shape, expected })))(
    'are refused by name: $name',
    async ({ shape, expected }) => {
      for (const streams of [false, true]) {
        const reply = await send('', {
          method: 'POST',
          body: { model: 'footnote', input: tall, stream: streams, ...shape },
        });
        const told = (await reply.json()) as { error: { param: string; code: string; message: string } };
        expect(faultsOf('ErrorResponse', told)).toEqual([]);
        expect([reply.status, told.error.param, told.error.code]).toEqual(expected);
        expect(told.error.message).not.toMatch(/node_modules|ZodError|FST_/u);
      }
    },
  );
});
