// The fakes that applications test with, spoken to by our own adapters as they are configured: what a script says arrives, and what no
// script expects, a wrong key or a wrong path is seen.
import { afterEach, describe, expect, it } from 'vitest';
import { createDeadline } from '../../src/core/deadline.ts';
import { listedContextTokens } from '../../src/models/context-window.ts';
import { openProviderEmbeddings } from '../../src/models/embedding/provider-embeddings.ts';
import { openModels } from '../../src/models/open-models.ts';
import type { ModelReference } from '../../src/models/roles.ts';
import { type FakeProviderServer, type FakeScript, startFakeAzure, startFakeOpenAI } from '../../src/testing/index.ts';
import { startFakeAnthropic } from '../../testkit/models/fake-anthropic.ts';

const request = { messages: [{ role: 'user' as const, content: 'The capital of France?' }], maxOutputTokens: 50 };
const call = () => ({ deadline: createDeadline(10_000) });

let fake: FakeProviderServer | undefined;
afterEach(() => fake?.close());

const kinds = ['openai', 'compatible', 'azure', 'azure-dated', 'anthropic'] as const;

/** The adapter of a provider in front of its fake, with the key that the fake gave or another. */
async function opened(kind: (typeof kinds)[number], script: FakeScript, wrongKey?: string) {
  const start = kind.startsWith('azure') ? startFakeAzure : kind === 'anthropic' ? startFakeAnthropic : startFakeOpenAI;
  fake = await start(script);
  const { address, environment } = fake;
  const apiKey = wrongKey ?? Object.entries(environment).find(([name]) => name.endsWith('_API_KEY'))?.[1] ?? '';
  const provider = kind === 'azure-dated' ? 'azure' : kind;
  const settings = {
    roles: { answer: `${provider}:fake` },
    ...(kind === 'openai' && { openai: { apiKey } }),
    ...(kind === 'compatible' && { compatible: { apiKey, address } }),
    ...(kind === 'azure' && { azure: { apiKey, address } }),
    ...(kind === 'azure-dated' && { azure: { apiKey, address, apiVersion: '2024-10-21' } }),
    ...(kind === 'anthropic' && { anthropic: { apiKey } }),
  };
  const open = await openModels(settings, { addresses: { openai: address, anthropic: address } });
  const model = open.models.of('answer');
  if (!model) throw new Error('no model');
  return { fake, model, settings, close: () => open.close() };
}

describe.each(kinds)('the fake of %s', (kind) => {
  it('says what its script says, whole and streamed, and keeps what was asked', async () => {
    const { fake, model, close } = await opened(kind, [
      { expect: 'capital of France', reply: 'Paris.' },
      {
        expect: /capital/u,
        reply: ({ prompt }) => ({ text: `You asked: ${prompt}`, usage: { input: 7, output: 3 }, betweenMs: 2 }),
      },
    ]);
    const { text, usage } = await model.generate(request, call());
    expect(text).toBe('Paris.');
    expect(usage).toMatchObject({ inputTokens: 5, outputTokens: 2, isEstimated: false });
    const parts = await Array.fromAsync(model.stream(request, call()));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.at(-1)).toMatchObject({
      type: 'end',
      result: { text: 'You asked: The capital of France?', usage: { inputTokens: 7, outputTokens: 3 } },
    });
    expect(fake.requests.map(({ prompt }) => prompt)).toEqual(['The capital of France?', 'The capital of France?']);
    fake.assertFinished();
    await close();
  });

  it('refuses at once what no step expects, and says which', async () => {
    const { fake, model, close } = await opened(kind, [{ expect: 'capital of Spain', reply: 'Madrid.' }]);
    await expect(model.generate(request, call())).rejects.toMatchObject({ code: 'upstream-invalid' });
    expect(fake.requests).toHaveLength(1);
    expect(() => fake.assertFinished()).toThrow(/call 1 is not the one that the script expects \(capital of Spain\)/u);
    await close();
  });

  it('tells of steps that nobody used, and of calls beyond them', async () => {
    const { fake, model, close } = await opened(kind, [{ reply: 'one' }]);
    expect(() => fake.assertFinished()).toThrow('1 of 1 steps were not used');
    await model.generate(request, call());
    fake.assertFinished();
    await expect(model.generate(request, call())).rejects.toMatchObject({ code: 'upstream-invalid' });
    expect(() => fake.assertFinished()).toThrow('one more than the script has steps');
    await close();
  });

  it('takes its own key only, and keeps none', async () => {
    const { fake, model, close } = await opened(kind, () => 'x', 'another-key-altogether');
    await expect(model.generate(request, call())).rejects.toMatchObject({ code: 'config-invalid' });
    expect(() => fake.assertFinished()).toThrow('wrong key');
    expect(JSON.stringify(fake.requests)).not.toContain('another-key');
    await close();
  });

  it('fails as the provider does, where the script says so', async () => {
    const { fake, model, close } = await opened(kind, [
      { reply: { error: { status: 402, code: 'insufficient_quota', type: 'insufficient_quota' } } },
    ]);
    await expect(model.generate(request, call())).rejects.toMatchObject({
      code: expect.stringMatching(/quota|invalid/u),
    });
    fake.assertFinished();
    await close();
  });
});

describe('beside language', () => {
  it('gives vectors whose nearness is that of words', async () => {
    fake = await startFakeOpenAI([]);
    const compatible = { address: fake.address, apiKey: 'fake-key-of-openai' };
    const model = await openProviderEmbeddings({ roles: {}, compatible }, { provider: 'compatible', model: 'fake' });
    const [river, water, engine] = await model.embed(['the wide river', 'a river', 'an engine'], { kind: 'document' });
    const near = (a?: Float32Array, b?: Float32Array) =>
      [...(a ?? [])].reduce((sum, x, at) => sum + x * (b?.[at] ?? 0), 0);
    expect(model.dimensions).toBe(256);
    expect(near(river, water)).toBeGreaterThan(near(river, engine) + 0.2);
    fake.assertFinished();
    await model.close();
  });

  it('tells of the size of its models, where it was told so', async () => {
    const reference = (provider: ModelReference['provider'], model: string) => ({ provider, model });
    fake = await startFakeOpenAI([], { models: { small: 4096, silent: undefined } });
    const compatible = { address: fake.address, apiKey: 'fake-key-of-openai' };
    expect(await listedContextTokens({ compatible }, reference('compatible', 'small'))).toBe(4096);
    expect(await listedContextTokens({ compatible }, reference('compatible', 'silent'))).toBeUndefined();
    expect(await listedContextTokens({ compatible }, reference('compatible', 'absent'))).toBeUndefined();
    expect(await listedContextTokens({ compatible }, reference('openai', 'small'))).toBeUndefined();
    fake.assertFinished();
    expect(
      await listedContextTokens({ compatible: { ...compatible, apiKey: 'no' } }, reference('compatible', 'small')),
    ).toBe(undefined);
    expect(() => fake?.assertFinished()).toThrow('wrong key');
    await fake.close();
    fake = await startFakeAnthropic([], { models: { 'claude-x': 200_000 } });
    const anthropic = { apiKey: 'fake-key-of-anthropic' };
    const place = { anthropicAddress: fake.address };
    expect(await listedContextTokens({ anthropic }, reference('anthropic', 'claude-x'), place)).toBe(200_000);
    fake.assertFinished();
    await fake.close();
    expect(await listedContextTokens({ anthropic }, reference('anthropic', 'claude-x'), place)).toBeUndefined();
  });

  it('has no other paths', async () => {
    fake = await startFakeOpenAI([]);
    const headers = { authorization: 'Bearer fake-key-of-openai' };
    expect((await fetch(`${fake.address}/files`, { headers })).status).toBe(404);
    expect(() => fake?.assertFinished()).toThrow('there is no GET /v1/files');
  });
});
