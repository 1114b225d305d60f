import { describe, expect, it } from 'vitest';
import type { FixedModel } from '../../src/models/embedding/semantics.ts';
import { createEmbedPlan } from '../../src/vectors/estimate.ts';
import { textHashOf } from '../../src/vectors/remote.ts';

const model: FixedModel = {
  kind: 'fixed',
  id: 'fake/model',
  dimensions: 3,
  metric: 'cosine',
  embed: async () => {
    throw new Error('nothing may be sent');
  },
  remote: {
    name: 'fake:model',
    textsPerCall: 4,
    callsAtOnce: 2,
    plan: (texts) => ({
      calls: 1,
      tokens: texts.join('').length,
      truncated: texts.filter((one) => one.length > 9).length,
    }),
    costOf: (tokens) => tokens / 1000,
    usage: () => ({ calls: 0, tokens: 0, truncated: 0, texts: 0, refused: 0, costUsd: 0 }),
  },
};

describe('what vectors of new texts would take', () => {
  it('counts each text once, none that was paid for before, in full calls', async () => {
    const paid = textHashOf('paid');
    const spaces = {
      unknown: async (_: string, hashes: readonly string[]) => hashes.filter((hash) => hash !== paid),
    } as unknown as Parameters<typeof createEmbedPlan>[0]['spaces'];
    const plan = createEmbedPlan({ setting: 'fake:model', model, spaces });
    await plan?.add(['a', 'b', 'paid', ' ', 'a']);
    await plan?.add(['c', 'b', 'd', 'long enough']);
    expect(plan?.need()).toEqual({
      setting: 'fake:model',
      texts: 5,
      truncated: 1,
      tokens: 15,
      calls: 2,
      costUsd: 0.015,
      seconds: 5 / 8,
      rate: { textsPerSecond: 8, from: 'assumed' },
    });
  });

  it('is nothing where the model runs here', () => {
    const { remote: _, ...local } = model;
    const spaces = {} as Parameters<typeof createEmbedPlan>[0]['spaces'];
    expect(createEmbedPlan({ setting: 'local', model: local, spaces })).toBeUndefined();
  });
});
