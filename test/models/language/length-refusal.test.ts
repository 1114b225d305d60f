import { describe, expect, it } from 'vitest';
import { createDeadline } from '../../../src/core/deadline.ts';
import { readLengthRefusal } from '../../../src/models/language/length-refusal.ts';
import { openFakeProvider } from '../../fakes/fake-provider.ts';

const anthropic = (message: string): string =>
  JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } });

describe('sizes in a refusal', () => {
  it.each([
    [
      'OpenAI',
      `{"error":{"message":"This model's maximum context length is 4097 tokens. However, your messages resulted in 9203 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`,
      4097,
      9203,
    ],
    [
      'vLLM',
      `{"object":"error","message":"This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.","type":"BadRequestError","param":null,"code":400}`,
      16_384,
      122_946,
    ],
    ['Anthropic, prompt', anthropic('prompt is too long: 207791 tokens > 200000 maximum'), 200_000, 207_791],
    [
      'Anthropic, prompt and answer',
      anthropic(
        'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again',
      ),
      200_000,
      242_959,
    ],
    [
      'llama.cpp',
      '{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}',
      8192,
      9000,
    ],
  ])('%s', (_, body, limitTokens, askedTokens) => {
    expect(readLengthRefusal(body)).toEqual({ limitTokens, askedTokens });
  });

  it.each([
    ['no numbers', 'prompt is too long'],
    ['another refusal', anthropic('max_tokens: 200001 > 128000, which is the maximum allowed number of output tokens')],
    ['a limit that is not passed', anthropic('prompt is too long: 100 tokens > 200000 maximum')],
    ['nothing', ''],
    ['numbers far apart', `maximum context length is 10 tokens${'.'.repeat(200)}requested 20 tokens`],
  ])('are not made up of %s', (_, body) => {
    expect(readLengthRefusal(body)).toBeUndefined();
  });
});

describe('a refusal for length', () => {
  it.each([
    ['anthropic', 'prompt is too long: 207791 tokens > 200000 maximum', 207_791],
    [
      'compatible',
      "This model's maximum context length is 200000 tokens. However, you requested 201000 tokens (200000 in the messages, 1000 in the completion).",
      201_000,
    ],
  ] as const)(
    'comes from %s as too-large with its numbers, and without its words',
    async (provider, message, askedTokens) => {
      const { model, close } = await openFakeProvider(provider, () => ({
        error: { status: 400, type: 'invalid_request_error', message },
      }));
      try {
        const asked = model.generate(
          { messages: [{ role: 'user', content: 'Hello' }], maxOutputTokens: 10 },
          { deadline: createDeadline(600_000) },
        );
        await expect(asked).rejects.toMatchObject({
          code: 'too-large',
          details: { limitTokens: 200_000, askedTokens },
        });
        await expect(asked).rejects.not.toThrow(/maximum|prompt is/u);
      } finally {
        await close();
      }
    },
  );
});
