// Models that want the limit of an answer under another name, behind servers that say so each in their own words: the right name is learned
// from the first refusal, remembered for the model, and an error names what was refused. Through the real adapters and a socket.
import { afterEach, describe, expect, it } from 'vitest';
import { createDeadline } from '../../../src/core/deadline.ts';
import { azureModel } from '../../../src/models/language/ai-sdk/azure.ts';
import { compatibleModel } from '../../../src/models/language/ai-sdk/compatible.ts';
import type { LanguageModel } from '../../../src/models/language/language-model.ts';
import { refusedParameterIn } from '../../../src/models/language/learned-parameters.ts';
import { openEgress } from '../../../src/net/egress.ts';
import { type FakeServer, openFakeServer, type Wire } from '../../../src/testing/fake-http.ts';
import { renderChat } from '../../../src/testing/openai-chat.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** How servers refuse a parameter. */
const refusals: Readonly<Record<string, (name: string) => { status?: number; body: unknown }>> = {
  OpenAI: (name) => ({
    body: {
      error: {
        message: `Unsupported parameter: '${name}' is not supported with this model. Use 'max_completion_tokens' instead.`,
        type: 'invalid_request_error',
        param: name,
        code: 'unsupported_parameter',
      },
    },
  }),
  'a code without the name': (name) => ({
    body: { error: { message: `Unsupported parameter: '${name}'.`, param: null, code: 'unsupported_parameter' } },
  }),
  'a gateway, in words': (name) => ({
    body: {
      error: {
        message: `litellm.BadRequestError: OpenAIException - Unsupported parameter: '${name}' is not supported with this model.`,
        type: null,
        param: null,
        code: '400',
      },
    },
  }),
  'an older OpenAI': (name) => ({
    body: { error: { message: `Unrecognized request argument supplied: ${name}`, type: 'invalid_request_error' } },
  }),
  'a server that validates': (name) => ({
    status: 422,
    body: { detail: [{ type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted' }] },
  }),
};

const refuse = ({ status = 400, body }: { status?: number; body: unknown }): Wire => ({
  status,
  headers: { 'content-type': 'application/json' },
  chunks: [JSON.stringify(body)],
});

/** A server that refuses some parameters, in one way of saying so. */
async function openPicky(
  refused: () => readonly string[],
  style: (name: string) => { body: unknown },
): Promise<FakeServer> {
  const server = await openFakeServer((request) => {
    const wrong = refused().find((name) => Object.hasOwn(request.body, name));
    return wrong === undefined ? renderChat({ text: 'Paris' }, request) : refuse(style(wrong));
  });
  closers.push(() => server.close());
  return server;
}

const makers: Readonly<Record<string, (address: string, id?: string) => LanguageModel>> = {
  'a server of one’s own': (address, id = 'thinker') => {
    const egress = openEgress({ addresses: [address] });
    closers.push(egress.close);
    const settings = { keySetting: 'OPENAI_API_KEY', addressSetting: 'OPENAI_BASE_URL' };
    return compatibleModel(id, { fetch: egress.fetch, address: `${address}/v1`, ...settings });
  },
  'a deployment of Azure by any name': (address, id = 'my-deployment') => {
    const egress = openEgress({ addresses: [address] });
    closers.push(egress.close);
    const settings = { keySetting: 'AZURE_OPENAI_API_KEY', addressSetting: 'AZURE_OPENAI_ENDPOINT' };
    return azureModel(id, { fetch: egress.fetch, apiKey: 'k', address, apiVersion: '2024-10-21', ...settings });
  },
};

const request = { messages: [{ role: 'user' as const, content: 'The capital of France?' }], maxOutputTokens: 50 };
const call = () => ({ deadline: createDeadline(10_000) });
const ways: Readonly<Record<string, (model: LanguageModel) => Promise<string>>> = {
  whole: async (model) => (await model.generate(request, call())).text,
  async streamed(model) {
    for await (const part of model.stream(request, call())) if (part.type === 'end') return part.result.text;
    return '';
  },
};

const limitsSent = ({ requests }: FakeServer): unknown[] =>
  requests.map(({ body }) => Object.keys(body).filter((name) => /^max_/u.test(name)));

const table = Object.keys(makers).flatMap((maker) =>
  Object.keys(refusals).flatMap((style) => Object.keys(ways).map((way) => ({ maker, style, way }))),
);

describe('a limit that is refused under its name', () => {
  it.each(table)(
    '$way, by $maker as $style says it: the other name is learned and kept',
    async ({ maker, style, way }) => {
      let refused: readonly string[] = ['max_tokens'];
      const server = await openPicky(() => refused, refusals[style]!);
      const model = makers[maker]!(server.address);
      const ask = ways[way]!;
      expect(await ask(model)).toBe('Paris');
      expect(await ask(model)).toBe('Paris');
      expect(limitsSent(server)).toEqual([['max_tokens'], ['max_completion_tokens'], ['max_completion_tokens']]);
      expect(server.requests.map(({ body }) => body['max_completion_tokens'])).toEqual([undefined, 50, 50]);

      // The deployment becomes another model, which knows the old name alone.
      refused = ['max_completion_tokens'];
      expect(await ask(model)).toBe('Paris');
      expect(await ask(model)).toBe('Paris');
      expect(limitsSent(server).slice(3)).toEqual([['max_completion_tokens'], ['max_tokens'], ['max_tokens']]);
    },
  );

  it.each(Object.keys(refusals))('an error names what is refused under both names, as %s says it', async (style) => {
    const server = await openPicky(() => ['max_tokens', 'max_completion_tokens'], refusals[style]!);
    const model = makers['a server of one’s own']!(server.address);
    for (const way of Object.values(ways))
      await expect(way(model)).rejects.toMatchObject({
        code: 'upstream-invalid',
        message: expect.stringContaining('does not take the parameter max_completion_tokens'),
        details: { parameter: 'max_completion_tokens', isFinal: true },
      });
    // Nothing was learned that does not serve.
    expect(limitsSent(server)).toEqual([
      ['max_tokens'],
      ['max_completion_tokens'],
      ['max_tokens'],
      ['max_completion_tokens'],
    ]);
  });

  it('what an answer can do without is left out', async () => {
    const server = await openPicky(() => ['stream_options', 'temperature', 'max_tokens'], refusals['OpenAI']!);
    const model = makers['a server of one’s own']!(server.address);
    for await (const part of model.stream({ ...request, temperature: 0 }, call()))
      if (part.type === 'end') expect(part.result.text).toBe('Paris');
    expect(server.requests).toHaveLength(4);
    expect(Object.keys(server.requests.at(-1)?.body ?? {}).sort()).toEqual(
      ['max_completion_tokens', 'messages', 'model', 'stream'].sort(),
    );
  });

  it.each([
    [
      'a text that is too long',
      {
        error: {
          message:
            "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4950 in the messages, 50 in the completion). max_tokens is not supported that high.",
        },
      },
    ],
    [
      'another mistake',
      {
        error: {
          message: 'Invalid value for max_tokens: it must be at least 100.',
          param: 'max_tokens',
          code: 'invalid_value',
        },
      },
    ],
    [
      'a parameter that is not sent',
      { error: { message: 'Unsupported parameter: top_p', param: 'top_p', code: 'unsupported_parameter' } },
    ],
    ['nothing', {}],
    ['no JSON', 'Bad Request'],
  ])('is not taken for one where a refusal speaks of %s', async (_name, body) => {
    const server = await openFakeServer(() => refuse({ body }));
    closers.push(() => server.close());
    const model = makers['a server of one’s own']!(server.address);
    await expect(model.generate(request, call())).rejects.toMatchObject({ name: 'FootnoteError' });
    expect(server.requests).toHaveLength(1);
  });

  it('shows no name that is not ours', () => {
    const said = JSON.stringify({ error: { param: 'sk-secret', code: 'unsupported_parameter', message: 'sk-secret' } });
    expect(refusedParameterIn(said)).toBeUndefined();
  });
});
