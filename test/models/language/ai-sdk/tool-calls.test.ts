// Tools over the real SDK and real sockets, against fakes of each provider's protocol: what is offered, what comes back, and how a turn
// with calls is shown again.
import { afterEach, describe, expect, it } from 'vitest';
import { createDeadline } from '../../../../src/core/deadline.ts';
import { createTurnReader, toPrompt } from '../../../../src/models/language/ai-sdk/tool-calls.ts';
import type { GenerateRequest, GenerateResult } from '../../../../src/models/language/generation.ts';
import type { LanguageModel } from '../../../../src/models/language/language-model.ts';
import type { Tool } from '../../../../src/models/language/messages.ts';
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
async function provide(name: FakeProviderName, replies: readonly FakeReply[]): Promise<FakeProvider> {
  const provider = await openFakeProvider(name, replies);
  opened.push(provider);
  return provider;
}

const search: Tool = {
  name: 'search_embedded',
  description: 'Searches the documents.',
  schema: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
};
const request: GenerateRequest = {
  messages: [
    { role: 'system', content: 'You look things up.' },
    { role: 'user', content: 'How tall are the two towers?' },
  ],
  maxOutputTokens: 200,
  tools: [search],
};
const toolCalls = [
  { id: 'call_a', name: 'search_embedded', arguments: '{"query":"north tower"}' },
  { id: 'call_b', name: 'search_embedded', arguments: '{"query":"south tower"}' },
];

async function ask(model: LanguageModel, how: 'generate' | 'stream', asked: GenerateRequest): Promise<GenerateResult> {
  const options = { deadline: createDeadline(10_000) };
  if (how === 'generate') return model.generate(asked, options);
  for await (const part of model.stream(asked, options)) if (part.type === 'end') return part.result;
  throw new Error('The stream had no end.');
}

describe.each(fakeProviders)('%s', (name) => {
  it.each(['generate', 'stream'] as const)(
    'hands back calls that were made at once, and takes their results (%s)',
    async (how) => {
      const { model, server, assertAllUsed } = await provide(name, [
        { text: 'I look.', toolCalls, pieceCharacters: 3 },
        { text: 'Both are 40 m tall.' },
      ]);
      const first = await ask(model, how, request);
      expect(first).toMatchObject({ text: 'I look.', finish: 'tool-calls', toolCalls });
      const offered = JSON.stringify(server.requests[0]?.body);
      expect(offered).toContain('search_embedded');
      expect(offered).toContain('Searches the documents.');
      expect(offered).toContain('"additionalProperties":false');

      const second = await ask(model, how, {
        ...request,
        messages: [
          ...request.messages,
          { role: 'assistant', content: first.text, toolCalls: first.toolCalls ?? [] },
          { role: 'tool', callId: 'call_a', tool: 'search_embedded', content: 'North: 40 m.' },
          { role: 'tool', callId: 'call_b', tool: 'search_embedded', content: 'South: 40 m.' },
        ],
      });
      expect(second).toMatchObject({ text: 'Both are 40 m tall.', finish: 'stop' });
      expect(second.toolCalls).toBeUndefined();
      const sent = JSON.stringify(server.requests[1]?.body);
      for (const part of ['call_a', 'call_b', 'north tower', 'south tower', 'North: 40 m.', 'South: 40 m.'])
        expect(sent).toContain(part);
      // Each result stands behind its call.
      expect(sent.indexOf('North: 40 m.')).toBeGreaterThan(sent.indexOf('north tower'));
      assertAllUsed();
    },
  );

  it('counts what a call takes, also where the provider does not say', async () => {
    const wordy = [
      { id: 'call_a', name: 'search_embedded', arguments: JSON.stringify({ query: 'tower '.repeat(300) }) },
    ];
    const { model } = await provide(name, [{ toolCalls: wordy, usage: { input: 0, output: 0 } }]);
    const { usage } = await ask(model, 'generate', request);
    expect(usage.isEstimated).toBe(true);
    expect(usage.outputTokens).toBeGreaterThan(200);
  });

  it('says which parameter was refused where a model has no tools', async () => {
    const message = 'registry.local/library/small does not support tools';
    const { model } = await provide(name, [{ error: { status: 400, type: 'api_error', message } }]);
    await expect(ask(model, 'generate', request)).rejects.toMatchObject({
      code: 'upstream-invalid',
      details: { parameter: 'tools' },
    });
  });
});

describe('a turn with calls', () => {
  it('keeps apart calls of one id, cuts what has no end, and never answers what the provider ran itself', () => {
    const reader = createTurnReader('openai:a');
    const call = { type: 'tool-call', toolName: 'search', input: '{}' } as const;
    reader.take({ ...call, toolCallId: 'x' });
    reader.take({ ...call, toolCallId: 'x' });
    reader.take({ ...call, toolCallId: '' });
    reader.take({ ...call, toolCallId: 'own', providerExecuted: true });
    reader.take({ ...call, toolCallId: 'long', input: 'x'.repeat(1_000_000) });
    for (let count = 0; count < 1000; count += 1) reader.take({ ...call, toolCallId: `more ${count}` });
    const { toolCalls: calls = [] } = reader.end();
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
    expect(calls.length).toBe(256);
    expect(calls.map(({ id }) => id)).not.toContain('own');
    expect(Math.max(...calls.map(({ arguments: written }) => written.length))).toBe(100_000);
  });

  it('shows what a provider wants back to the model that said it alone', () => {
    const reader = createTurnReader('openai:a');
    const marked = { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'sealed' } };
    reader.take({ type: 'reasoning-start', id: 'r' });
    reader.take({ type: 'reasoning-delta', id: 'r', delta: 'I think' });
    reader.take({ type: 'reasoning-end', id: 'r', providerMetadata: marked });
    reader.take({ type: 'tool-call', toolCallId: 'x', toolName: 'search', input: '{"query": ' });
    const { toolCalls: calls = [], echo } = reader.end();
    expect(echo).toBeDefined();
    const turn = [{ role: 'assistant' as const, content: '', toolCalls: calls, ...(echo && { echo }) }];
    const called = { type: 'tool-call', toolCallId: 'x', toolName: 'search', input: {} };
    expect(toPrompt(turn, 'openai:a')).toEqual([
      { role: 'assistant', content: [{ type: 'reasoning', text: 'I think', providerOptions: marked }, called] },
    ]);
    expect(toPrompt(turn, 'anthropic:b')).toEqual([{ role: 'assistant', content: [called] }]);
  });
});
