// From settings to answering models, through the real adapters: roles, fallback across providers, prices, and nothing unasked.
import { afterEach, describe, expect, it } from 'vitest';
import { createDeadline } from '../../../src/core/deadline.ts';
import { createModelBudget } from '../../../src/models/money/model-budget.ts';
import { type ModelSettings, type OpenedModels, openModels } from '../../../src/models/open-models.ts';
import type { FakeReply } from '../../../src/testing/fake-reply.ts';
import { type FakeProvider, type FakeProviderName, openFakeProvider } from '../../fakes/fake-provider.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
async function fake(name: FakeProviderName, replies: readonly FakeReply[]): Promise<FakeProvider> {
  const provider = await openFakeProvider(name, replies);
  closers.push(provider.close);
  return provider;
}
async function open(settings: ModelSettings, addresses: Parameters<typeof openModels>[1] = {}): Promise<OpenedModels> {
  const opened = await openModels(settings, { random: () => 0, ...addresses });
  closers.push(opened.close);
  return opened;
}
const request = { messages: [{ role: 'user' as const, content: 'The capital of France?' }], maxOutputTokens: 50 };
const call = () => ({ deadline: createDeadline(10_000) });

describe('openModels', () => {
  it('has no model without settings', async () => {
    const { models } = await open({ roles: {} });
    expect(models.of('answer')).toBeUndefined();
    expect(models.answering('faq')).toBeUndefined();
  });

  it('answers by OpenAI, and by Anthropic when it is down, at the prices of both', async () => {
    const openai = await fake('openai', [{ error: { status: 503 } }]);
    const anthropic = await fake('anthropic', [{ text: 'Paris', usage: { input: 1000, output: 100 } }]);
    const { models } = await open(
      {
        roles: { answer: 'openai:gpt-5.2, anthropic:claude-sonnet-4-5' },
        openai: { apiKey: 'key-1' },
        anthropic: { apiKey: 'key-2' },
        prices: 'openai:gpt-5.2 = 1/2, anthropic:claude-sonnet-4-5 = 3/15',
        contextTokens: { 'openai:gpt-5.2': 400_000 },
      },
      { addresses: { openai: `${openai.server.address}/v1`, anthropic: `${anthropic.server.address}/v1` } },
    );
    const model = models.of('answer');
    expect(model).toMatchObject({ provider: 'openai', id: 'gpt-5.2', contextTokens: 400_000 });
    const budget = createModelBudget({ costUsd: 0.01 }, { name: 'this request' });
    const result = await model?.generate(request, { ...call(), budget });
    expect(result).toMatchObject({
      text: 'Paris',
      model: 'anthropic:claude-sonnet-4-5',
      attempts: [{ model: 'openai:gpt-5.2', code: 'upstream-unavailable' }, { model: 'anthropic:claude-sonnet-4-5' }],
    });
    expect(result?.costUsd).toBeCloseTo(0.0045, 9);
    expect(budget.spent().costUsd).toBeCloseTo(0.0045, 9);
    openai.assertAllUsed();
    anthropic.assertAllUsed();
  });

  it("speaks to Azure and to a server of one's own", async () => {
    const azure = await fake('azure', [{ text: 'Paris' }]);
    const local = await fake('compatible', [{ text: 'Lyon' }]);
    const { models, resolved } = await open({
      roles: { judge: 'compatible:qwen3:8b' },
      azure: { apiKey: 'key', address: azure.server.address, deployment: 'mine' },
      compatible: { address: `${local.server.address}/v1` },
    });
    expect((await models.of('answer')?.generate(request, call()))?.text).toBe('Paris');
    expect((await models.of('judge')?.generate(request, call()))?.text).toBe('Lyon');
    expect(local.server.requests[0]?.headers.authorization).toBeUndefined();
    expect(resolved.roles.answer).toEqual({ models: [{ provider: 'azure', model: 'mine' }], from: 'default' });
  });

  it('tells mistakes before any call', async () => {
    await expect(open({ roles: { answer: 'anthropic:x' }, openai: { apiKey: 'k' } })).rejects.toMatchObject({
      code: 'config-invalid',
    });
    await expect(open({ roles: {}, prices: 'cheap' })).rejects.toMatchObject({ code: 'config-invalid' });
    await expect(open({ roles: {}, compatible: { address: 'file:///x' } })).rejects.toMatchObject({
      code: 'config-invalid',
    });
  });
});
