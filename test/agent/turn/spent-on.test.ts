// What an answer says of its cost: every role that spent on the request, once.

import { describe, expect, it } from 'vitest';
import { spentOn } from '../../../src/agent/turn/spent-on.ts';
import type { RequestBudget } from '../../../src/core/budget.ts';
import { localScope } from '../../../src/core/scope.ts';
import { createSpendingLedger } from '../../../src/models/money/spending-ledger.ts';

function spend(budget: RequestBudget, role: string, inputTokens: number, costUsd: number): void {
  const took = { calls: 1, inputTokens, outputTokens: 1, costUsd };
  budget.forRole(role).reserve(took).settle(took);
}

async function spent(work: (budget: RequestBudget) => void): ReturnType<typeof spentOn> {
  const ledger = createSpendingLedger({
    limits: { request: {}, session: {}, keyDay: {}, day: {} },
    clock: { now: () => '2026-11-22T12:00:00.000Z' },
    repositoryOf: () => ({
      add: async () => undefined,
      total: () => Promise.reject(new Error('nothing is limited here')),
      usage: () => Promise.reject(new Error('not asked here')),
    }),
  });
  const budget = await ledger.budgetFor({ scope: localScope() });
  work(budget);
  const said = await spentOn(budget);
  await ledger.close();
  return said;
}

describe('what an answer took', () => {
  it('is that of all roles; tokens of embeddings stand apart', async () => {
    const usage = await spent((budget) => {
      for (const [role, tokens] of [
        ['answer', 100],
        ['judge', 20],
        ['rerank', 3],
        ['router', 4000],
        ['embed', 50_000],
      ] as const)
        spend(budget, role, tokens, tokens / 1000);
    });
    expect(usage).toEqual({
      inputTokens: 4123,
      outputTokens: 4,
      embeddingTokens: 50_000,
      costUsd: expect.closeTo(54.123, 9),
    });
  });

  it('waits for a call that was left and is settled a moment later', async () => {
    const usage = await spent((budget) => {
      const took = { calls: 1, inputTokens: 9, outputTokens: 1, costUsd: 0 };
      const left = budget.reserve(took);
      setImmediate(() => left.settle(took));
    });
    expect(usage).toEqual({ inputTokens: 9, outputTokens: 1, embeddingTokens: 0, costUsd: 0 });
  });

  it('is nothing where no model was called', async () => {
    expect(await spent(() => undefined)).toEqual({ inputTokens: 0, outputTokens: 0, embeddingTokens: 0, costUsd: 0 });
  });
});
