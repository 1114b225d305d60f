// The fakes of OpenAI are what OpenAI's own specification says, and so is what our adapters send to it.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createDeadline } from '../../src/core/deadline.ts';
import { startFakeOpenAI } from '../../src/testing/fake-openai.ts';
import type { FakeReply } from '../../src/testing/fake-reply.ts';
import { completionChunks, completionOf } from '../../src/testing/openai-chat.ts';
import { openaiError, responseEvents, responseOf } from '../../src/testing/openai-responses.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { openFakeProvider } from '../fakes/fake-provider.ts';
import { schemaMistakes } from '../fakes/json-schema-check.ts';

const path = sharedData('..', 'specs', 'openai.openapi.json');
type Json = Readonly<Record<string, unknown>>;
const document = (path === undefined ? {} : JSON.parse(readFileSync(path, 'utf8'))) as Json;
const mistakesOf = (value: unknown, name: string): string[] =>
  schemaMistakes(value, { $ref: `#/components/schemas/${name}` }, document);

const replies: Readonly<Record<string, FakeReply>> = {
  text: { text: 'Paris is the capital.' },
  json: { text: '{"city":"Paris"}' },
  'no usage': { text: 'Paris.', usage: 'none' },
  refusal: { refusal: 'I cannot help with that.' },
  length: { text: 'Paris is', stop: 'length' },
  filtered: { text: '', stop: 'content-filter' },
  tools: { text: 'I look it up.', toolCalls: [{ id: 'call_1', name: 'search', arguments: '{"query":"Paris"}' }] },
  'a search of its own': {
    text: 'done',
    fileSearches: [
      {
        queries: ['capital'],
        results: [{ file_id: 'file-1', filename: 'a.txt', score: 0.9, text: 'Paris.', attributes: { tenant: 't' } }],
      },
    ],
  },
  'error in the stream': { text: 'Paris', streamError: { code: 'server_error', message: 'It failed.' } },
};

describe.skipIf(path === undefined)('fakes of OpenAI', () => {
  it.each(Object.entries(replies))('say %s as the Responses API does', (_name, reply) => {
    const request = { model: 'gpt-5.2', max_output_tokens: 100 };
    expect(mistakesOf(responseOf(reply, request), 'Response')).toEqual([]);
    const names: Readonly<Record<string, string>> = {
      'response.created': 'ResponseCreatedEvent',
      'response.in_progress': 'ResponseInProgressEvent',
      'response.completed': 'ResponseCompletedEvent',
      'response.incomplete': 'ResponseIncompleteEvent',
      'response.output_item.added': 'ResponseOutputItemAddedEvent',
      'response.output_item.done': 'ResponseOutputItemDoneEvent',
      'response.content_part.added': 'ResponseContentPartAddedEvent',
      'response.content_part.done': 'ResponseContentPartDoneEvent',
      'response.output_text.delta': 'ResponseTextDeltaEvent',
      'response.output_text.done': 'ResponseTextDoneEvent',
      'response.refusal.delta': 'ResponseRefusalDeltaEvent',
      'response.refusal.done': 'ResponseRefusalDoneEvent',
      'response.function_call_arguments.delta': 'ResponseFunctionCallArgumentsDeltaEvent',
      'response.function_call_arguments.done': 'ResponseFunctionCallArgumentsDoneEvent',
      'response.file_search_call.in_progress': 'ResponseFileSearchCallInProgressEvent',
      'response.file_search_call.searching': 'ResponseFileSearchCallSearchingEvent',
      'response.file_search_call.completed': 'ResponseFileSearchCallCompletedEvent',
      error: 'ResponseErrorEvent',
    };
    for (const event of responseEvents(reply, request)) {
      const name = names[String(event['type'])];
      expect(name, `an event ${String(event['type'])}`).toBeDefined();
      expect(mistakesOf(event, String(name))).toEqual([]);
      expect(mistakesOf(event, 'ResponseStreamEvent')).toEqual([]);
    }
  });

  it.each(Object.entries(replies))('say %s as chat completions do', (_name, reply) => {
    const request = { model: 'gpt-5.2', stream_options: { include_usage: true } };
    expect(mistakesOf(completionOf(reply, request), 'CreateChatCompletionResponse')).toEqual([]);
    for (const chunk of completionChunks(reply, request))
      expect(mistakesOf(chunk, 'error' in chunk ? 'ErrorResponse' : 'CreateChatCompletionStreamResponse')).toEqual([]);
  });

  it('fail as the service does', () => {
    expect(mistakesOf(openaiError({ code: 'invalid_api_key' }), 'ErrorResponse')).toEqual([]);
  });

  it.each([
    ['openai', 'CreateResponse'],
    ['azure', 'CreateResponse'],
    ['compatible', 'CreateChatCompletionRequest'],
    ['azure-dated', 'CreateChatCompletionRequest'],
  ] as const)('get requests of %s in the form of %s', async (provider, name) => {
    const { model, server, close } = await openFakeProvider(provider, () => ({ text: '{"city":"Paris"}' }));
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    const request = {
      messages: [
        { role: 'system' as const, content: 'Answer in JSON.' },
        { role: 'user' as const, content: 'The capital of France?' },
        { role: 'assistant' as const, content: 'Paris' },
        { role: 'user' as const, content: 'As JSON.' },
      ],
      maxOutputTokens: 100,
      json: { name: 'capital', schema },
    };
    await model.generate(request, { deadline: createDeadline(10_000) });
    for await (const part of model.stream(request, { deadline: createDeadline(10_000) }))
      expect(part.type).toMatch(/delta|end/);
    for (const { body } of server.requests) expect(mistakesOf(body, name)).toEqual([]);
    expect(server.requests).toHaveLength(2);
    await close();
  });

  it('list their models, and refuse, as the service does', async () => {
    const fake = await startFakeOpenAI([], { models: { small: 4096, other: undefined } });
    const get = async (path: string, key: string): Promise<unknown> =>
      (await fetch(`${fake.address}${path}`, { headers: { authorization: `Bearer ${key}` } })).json();
    expect(mistakesOf(await get('/models', 'fake-key-of-openai'), 'ListModelsResponse')).toEqual([]);
    expect(mistakesOf(await get('/models', 'another'), 'ErrorResponse')).toEqual([]);
    expect(mistakesOf(await get('/nowhere', 'fake-key-of-openai'), 'ErrorResponse')).toEqual([]);
    await fake.close();
  });

  it('would be caught otherwise', () => {
    const good = responseOf({ text: 'Paris.' }, {});
    expect(mistakesOf({ ...good, output: 'Paris.' }, 'Response')).not.toEqual([]);
    expect(mistakesOf({ ...good, status: 'done' }, 'Response')).not.toEqual([]);
    const { model: _, ...nameless } = completionOf({ text: 'Paris.' }, {});
    expect(mistakesOf(nameless, 'CreateChatCompletionResponse')).toEqual(['$: lacks model']);
    const [created] = responseEvents({ text: 'Paris.' }, {});
    expect(mistakesOf({ ...created, sequence_number: '0' }, 'ResponseCreatedEvent')).not.toEqual([]);
  });
});
