// The real adapters over the real SDK, through real sockets, against fakes of each provider's protocol.
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDeadline } from '../../../../src/core/deadline.ts';
import { FootnoteError } from '../../../../src/core/errors.ts';
import { isStrictSchema } from '../../../../src/models/language/ai-sdk/ai-sdk.ts';
import type { CallOptions } from '../../../../src/models/language/call-options.ts';
import type { GenerateRequest, GenerateResult } from '../../../../src/models/language/generation.ts';
import type { LanguageModel } from '../../../../src/models/language/language-model.ts';
import type { FakeReply } from '../../../../src/testing/fake-reply.ts';
import {
  type FakeProvider,
  type FakeProviderName,
  fakeProviders,
  openFakeProvider,
} from '../../../fakes/fake-provider.ts';

const opened: FakeProvider[] = [];
afterEach(async () => {
  for (const provider of opened.splice(0)) await provider.close();
});
async function provide(
  name: FakeProviderName,
  replies: Parameters<typeof openFakeProvider>[1],
  options?: Parameters<typeof openFakeProvider>[2],
): Promise<FakeProvider> {
  const provider = await openFakeProvider(name, replies, options);
  opened.push(provider);
  return provider;
}

const request: GenerateRequest = {
  messages: [
    { role: 'system', content: 'You answer shortly.' },
    { role: 'user', content: 'What is the capital of France?' },
  ],
  maxOutputTokens: 200,
};
const within = (timeoutMs = 10_000): CallOptions => ({ deadline: createDeadline(timeoutMs) });

async function readStream(
  model: LanguageModel,
  options: CallOptions = within(),
  asked: GenerateRequest = request,
): Promise<{ deltas: string[]; result: GenerateResult | undefined }> {
  const deltas: string[] = [];
  let result: GenerateResult | undefined;
  for await (const part of model.stream(asked, options)) {
    if (part.type === 'delta') deltas.push(part.text);
    else result = part.result;
  }
  return { deltas, result };
}
const errorOf = async (promise: Promise<unknown>): Promise<FootnoteError> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(FootnoteError);
  return thrown as FootnoteError;
};

describe.each(fakeProviders)('%s', (name) => {
  it('generates, and says what it took', async () => {
    const { model, server, assertAllUsed } = await provide(name, [
      { text: 'Paris — “la ville”.', usage: { input: 31, output: 7 } },
    ]);
    const result = await model.generate(request, within());
    expect(result).toMatchObject({
      text: 'Paris — “la ville”.',
      finish: 'stop',
      usage: { inputTokens: 31, outputTokens: 7, isEstimated: false },
      model: `${model.provider}:${model.id}`,
    });
    assertAllUsed();
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).toContain('What is the capital of France?');
    expect(sent).toContain('You answer shortly.');
  });

  it('streams the same text as deltas, ended by the result', async () => {
    const text = 'Paris is the capital of France — “la ville lumière” 🗼 said many.';
    const usage = { input: 31, output: 17 };
    const { model } = await provide(name, [
      { text, writeBytes: 3, usage },
      { text, betweenMs: 2, usage },
    ]);
    for (const least of [1, 4]) {
      const { deltas, result } = await readStream(model);
      // Pieces that come together are given together; those that do not are not waited for.
      expect(deltas.length).toBeGreaterThanOrEqual(least);
      expect(deltas.join('')).toBe(text);
      expect(result).toMatchObject({ text, finish: 'stop', usage: { inputTokens: 31, outputTokens: 17 } });
    }
  });

  it('asks for JSON by its schema, in whole and in stream', async () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    const { model, server } = await provide(name, [{ text: '{"city":"Paris"}' }, { text: '{"city":"Paris"}' }]);
    const asked = { ...request, json: { name: 'capital', schema } };
    expect((await model.generate(asked, within())).text).toBe('{"city":"Paris"}');
    expect((await readStream(model, within(), asked)).deltas.join('')).toBe('{"city":"Paris"}');
    for (const { body } of server.requests) expect(JSON.stringify(body)).toContain('"city":{"type":"string"}');
  });

  it.each(['generate', 'stream'] as const)('tells a refusal from an answer (%s)', async (how) => {
    const { model } = await provide(name, [{ refusal: 'I cannot help with that.' }]);
    const result = how === 'generate' ? await model.generate(request, within()) : (await readStream(model)).result;
    expect(result?.finish).toBe('refusal');
  });

  it.each(['generate', 'stream'] as const)('tells a cut at the limit (%s)', async (how) => {
    const { model } = await provide(name, [{ text: 'Paris is the', stop: 'length' }]);
    const result = how === 'generate' ? await model.generate(request, within()) : (await readStream(model)).result;
    expect(result).toMatchObject({ text: 'Paris is the', finish: 'length' });
  });

  it.each(['generate', 'stream'] as const)('ends a flood at what was asked for (%s)', async (how) => {
    const { model } = await provide(name, [{ text: 'word '.repeat(4000), pieceCharacters: 500 }]);
    const asked = { ...request, maxOutputTokens: 10 };
    const result =
      how === 'generate' ? await model.generate(asked, within()) : (await readStream(model, within(), asked)).result;
    expect(result?.finish).toBe('length');
    expect(result?.text.length).toBe(120);
  });

  it('counts what is not reported, and what cannot be', async () => {
    const text =
      'Paris is the capital of France and has been for a long time, as every schoolchild in the country knows.';
    const { model } = await provide(name, [{ text, usage: { input: 0, output: 0 } }]);
    const { usage } = await model.generate(request, within());
    expect(usage.isEstimated).toBe(true);
    expect(usage.outputTokens).toBeGreaterThan(15);
    expect(usage.inputTokens).toBeGreaterThan(10);
  });

  it('answers a tool call that nobody offered as such', async () => {
    const toolCalls = [{ id: 'call_1', name: 'delete_all', arguments: '{"sure":true}' }];
    const { model } = await provide(name, [{ toolCalls }, { toolCalls }]);
    expect(await model.generate(request, within())).toMatchObject({ finish: 'tool-calls', text: '' });
    expect((await readStream(model)).result).toMatchObject({ finish: 'tool-calls', text: '' });
  });

  const failures: readonly [what: string, reply: FakeReply, code: string, details: Record<string, unknown>][] = [
    [
      'a bad key',
      { error: { status: 401, code: 'invalid_api_key', type: 'authentication_error' } },
      'config-invalid',
      { status: 401 },
    ],
    [
      'a key without the right',
      { error: { status: 403, type: 'permission_error' } },
      'config-invalid',
      { status: 403 },
    ],
    [
      'no such model',
      { error: { status: 404, code: 'model_not_found', type: 'not_found_error' } },
      'config-invalid',
      { status: 404 },
    ],
    [
      'a request it does not take',
      { error: { status: 400, code: 'unsupported_parameter' } },
      'upstream-invalid',
      { isFinal: true },
    ],
    ['too long a text', { error: { status: 400, code: 'context_length_exceeded' } }, 'too-large', { isFinal: true }],
    [
      'too many requests',
      {
        error: { status: 429, code: 'rate_limit_exceeded', type: 'rate_limit_error', headers: { 'retry-after': '7' } },
      },
      'rate-limited',
      { retryAfterMs: 7000 },
    ],
    [
      'no credit',
      { error: { status: 429, code: 'insufficient_quota', type: 'billing_error' } },
      'quota-exceeded',
      { isFinal: true },
    ],
    [
      'no credit, said in words alone',
      {
        error: {
          status: 400,
          type: 'invalid_request_error',
          message: 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
        },
      },
      'quota-exceeded',
      { isFinal: true, vendorCode: 'billing_error' },
    ],
    ['a server error', { error: { status: 500, type: 'api_error' } }, 'upstream-unavailable', { status: 500 }],
    ['overload', { error: { status: 529, type: 'overloaded_error' } }, 'upstream-unavailable', { status: 529 }],
    [
      'an HTML page',
      { raw: { contentType: 'text/html', body: '<html>Welcome to nginx!</html>' } },
      'upstream-invalid',
      {},
    ],
    ['an empty body', { raw: { contentType: 'application/json', body: '' } }, 'upstream-invalid', {}],
    ['another JSON', { raw: { contentType: 'application/json', body: '{"ok":true}' } }, 'upstream-invalid', {}],
    ['half a body', { text: 'Paris is the capital of France.', cutAfter: 60 }, 'upstream-unavailable', {}],
  ];
  it.each(failures)('reports %s', async (_what, reply, code, details) => {
    const { model } = await provide(name, [reply]);
    const error = await errorOf(model.generate(request, within()));
    expect(error.code).toBe(code);
    expect(error.details).toMatchObject({ ...details, model: `${model.provider}:${model.id}` });
    expect(error.cause).toBeUndefined();
    expect(error.message).toMatch(/\.$/);
  });
  it.each(failures.filter(([, reply]) => reply.error))(
    'reports %s of a stream',
    async (_what, reply, code, details) => {
      const { model } = await provide(name, [reply]);
      const error = await errorOf(readStream(model));
      expect(error.code).toBe(code);
      expect(error.details).toMatchObject(details);
    },
  );

  it('names a parameter only where the provider named one', async () => {
    const { model } = await provide(name, [{ error: { status: 400, type: 'invalid_request_error' } }]);
    const { code, message } = await errorOf(model.generate(request, within()));
    expect(code).toBe('upstream-invalid');
    expect(message).not.toContain('parameter');
  });

  it('takes a prompt that the provider does not want to answer for a filtered one', async () => {
    const { model } = await provide(name, [{ error: { status: 400, code: 'invalid_prompt', type: 'invalid_prompt' } }]);
    expect(await model.generate(request, within())).toMatchObject({ finish: 'content-filter', text: '' });
  });

  it('never ends a stream that was cut', async () => {
    const { model } = await provide(name, (_, index) => ({
      text: 'Paris is the capital of France.',
      cutAfter: index,
      pieceCharacters: 4,
    }));
    for (let events = 0; events < 9; events++) {
      const error = await errorOf(readStream(model));
      expect(error.code, `cut after ${events} events`).toMatch(/^upstream-(unavailable|invalid)$/);
    }
  });

  it('takes no stream for whole that ends without saying so', async () => {
    const { model } = await provide(name, (_, index) => ({
      text: 'Paris is the capital.',
      endAfter: index,
      pieceCharacters: 4,
    }));
    for (let events = 0; events < 8; events++) {
      const error = await errorOf(readStream(model));
      expect(error.code, `ended after ${events} events`).toMatch(/^upstream-(unavailable|invalid)$/);
    }
  });

  it('reports an error in the middle of a stream', async () => {
    const { model } = await provide(name, [
      {
        text: 'Paris is',
        streamError: {
          code: name === 'anthropic' ? 'overloaded_error' : 'server_error',
          message: 'The server is busy.',
        },
      },
    ]);
    const error = await errorOf(readStream(model));
    expect(error.code).toBe('upstream-unavailable');
  });

  it('ends at the deadline, on the socket too', async () => {
    const { model, server } = await provide(name, [
      { text: 'late', delayMs: 60_000 },
      { text: 'Paris is the capital', hangAfter: 5, pieceCharacters: 3 },
    ]);
    // Long enough for the request to arrive on a busy machine. Who waited for the provider would get the text, or wait for ever.
    expect((await errorOf(model.generate(request, within(2000)))).code).toBe('deadline-exceeded');
    await server.whenLeft(1);
    expect((await errorOf(readStream(model, within(2000)))).code).toBe('deadline-exceeded');
    await server.whenLeft(2);
  });

  it('is cancelled by its caller, on the socket too', async () => {
    const { model, server } = await provide(name, [{ text: 'late', delayMs: 60_000 }]);
    const caller = new AbortController();
    const error = errorOf(model.generate(request, { ...within(), signal: caller.signal }));
    // On a busy machine the request takes its time to arrive, and whoever is cancelled before never leaves.
    await vi.waitUntil(() => server.requests.length === 1, { timeout: 60_000 });
    caller.abort();
    expect((await error).code).toBe('cancelled');
    await server.whenLeft(1);
    expect((await errorOf(model.generate(request, { ...within(), signal: caller.signal }))).code).toBe('cancelled');
    expect(server.requests).toHaveLength(1);
  });

  it('closes the socket when the reader leaves the stream', async () => {
    const { model, server } = await provide(name, [{ text: 'word '.repeat(500), betweenMs: 20, pieceCharacters: 4 }]);
    for await (const part of model.stream(request, within())) {
      expect(part.type).toBe('delta');
      break;
    }
    await server.whenLeft(1);
  });

  it('reads through a flood of comments, and bounds what it reads', async () => {
    const patient = await provide(name, [{ text: 'Paris.', comments: 5000 }]);
    expect((await readStream(patient.model)).result?.text).toBe('Paris.');
    const bounded = await provide(name, [{ text: 'Paris.', comments: 50_000 }], { maxResponseBytes: 100_000 });
    expect((await errorOf(readStream(bounded.model))).code).toBe('upstream-invalid');
  });
});

describe('an early error of OpenAI', () => {
  it('closes the socket of a stream that goes on', async () => {
    const events = [
      { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'gpt-5.2' }, sequence_number: 0 },
      { type: 'error', code: 'server_error', message: 'It failed.', param: null, sequence_number: 1 },
    ];
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    const { model, server } = await provide('openai', [
      { raw: { contentType: 'text/event-stream', body }, hangAfter: body.length },
    ]);
    expect((await errorOf(readStream(model))).code).toBe('upstream-unavailable');
    await server.whenLeft(1);
  });
});

describe('what is sent', () => {
  it('by path, header and body', async () => {
    const sent = async (name: FakeProviderName) => {
      const { model, server } = await provide(name, [{ text: 'Paris.' }], { apiKey: 'key-1' });
      await model.generate(request, within());
      return server.requests[0]!;
    };
    const openai = await sent('openai');
    expect(openai).toMatchObject({
      path: '/v1/responses',
      headers: { authorization: 'Bearer key-1' },
      body: { store: false, max_output_tokens: 200 },
    });
    const azure = await sent('azure');
    expect(azure).toMatchObject({
      path: '/openai/v1/responses',
      headers: { 'api-key': 'key-1' },
      body: { model: 'my-deployment', store: false },
    });
    const dated = await sent('azure-dated');
    expect(dated.path).toBe('/openai/deployments/my-deployment/chat/completions?api-version=2024-10-21');
    const anthropic = await sent('anthropic');
    expect(anthropic).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'key-1' },
      body: { max_tokens: 200 },
    });
    const compatible = await sent('compatible');
    expect(compatible).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer key-1' },
      body: { model: 'qwen3:8b' },
    });
  });

  it('strictly where the schema allows it', () => {
    const closed = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(isStrictSchema(closed)).toBe(true);
    expect(isStrictSchema({ ...closed, required: [] })).toBe(false);
    expect(isStrictSchema({ ...closed, properties: { a: { type: 'object' } } })).toBe(false);
    expect(isStrictSchema({ ...closed, properties: { a: { type: 'array', items: closed } } })).toBe(true);
  });
});

describe('keys', () => {
  it.each(fakeProviders)('of %s are in no error, result or field, even if the provider repeats them', async (name) => {
    const apiKey = 'sk_planted_canary_0123456789abcdef';
    const echo = `Incorrect API key provided: ${apiKey}`;
    const replies: FakeReply[] = [
      {
        error: {
          status: 401,
          code: apiKey,
          type: apiKey,
          message: echo,
          headers: { 'x-echo': apiKey, 'retry-after': apiKey },
        },
      },
      { error: { status: 400, code: apiKey, type: apiKey, message: echo } },
      { error: { status: 500, code: apiKey, type: apiKey, message: echo } },
      { raw: { contentType: 'text/plain', body: echo } },
      { text: 'half', streamError: { code: apiKey, message: echo } },
    ];
    const { model, server } = await provide(name, [...replies, ...replies], { apiKey });
    const seen: string[] = [JSON.stringify(model), inspect(model, { depth: 9, showHidden: true })];
    for (const how of ['generate', 'stream'] as const)
      for (const _ of replies) {
        const error: unknown = await (how === 'generate' ? model.generate(request, within()) : readStream(model)).then(
          (result) => result,
          (thrown: unknown) => thrown,
        );
        const shown =
          error instanceof Error
            ? [error.message, error.stack ?? '', String(error.cause), JSON.stringify((error as FootnoteError).details)]
            : [JSON.stringify(error)];
        seen.push(...shown);
      }
    expect(JSON.stringify(server.requests.map(({ headers }) => headers))).toContain(apiKey);
    const found = seen.filter(
      (text) => text.includes(apiKey) || text.includes('canary') || text.includes(apiKey.slice(-8)),
    );
    expect(found).toEqual([]);
  });
});

it('says that a model is at work that reasons, and that none is behind comments', async () => {
  const event = (delta: object): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
  const end = 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const thoughts = [{ reasoning_content: 'Let me see.' }, { reasoning_content: 'It is Paris.' }];
  const body = `: wait\n\n${thoughts.map(event).join('')}${event({ content: 'Paris' })}${end}`;
  const raw = { contentType: 'text/event-stream', body };
  const comments = { contentType: 'text/event-stream', body: `: wait\n\n: wait\n\n${end}` };
  const { model } = await provide('compatible', [{ raw }, { raw: comments }]);
  let heard = 0;
  const count = {
    ...within(),
    heard() {
      heard += 1;
    },
  };
  expect((await readStream(model, count)).deltas.join('')).toBe('Paris');
  expect(heard).toBeGreaterThanOrEqual(3);
  heard = 0;
  await readStream(model, count);
  expect(heard).toBe(0);
});
