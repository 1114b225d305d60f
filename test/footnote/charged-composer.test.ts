// What an answer says of its cost: every role that spent on the request, once.
import { describe, expect, it } from 'vitest';
import type { ComposePorts, ComposeRequest, Composer, Composition } from '../../src/answer/composer.ts';
import { localScope } from '../../src/core/scope.ts';
import { chargedComposer } from '../../src/footnote/charged-composer.ts';
import { createSpendingLedger, type RequestBudget } from '../../src/models/spending-ledger.ts';

const composition: Composition = {
  context: { blocks: [], dropped: [], tokens: 0 },
  dropped: 0,
  coverage: 1,
  confidence: 1,
  degraded: [],
  usage: { inputTokens: 7, outputTokens: 7, costUsd: 7 },
};

function spend(budget: RequestBudget, role: string, inputTokens: number): void {
  const took = { calls: 1, inputTokens, outputTokens: 1, costUsd: inputTokens / 1000 };
  budget.forRole(role).reserve(took).settle(took);
}

async function composed(work: (budget: RequestBudget) => void | Promise<void>): Promise<Composition> {
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
  const composer: Composer = {
    async compose() {
      await work(budget);
      return composition;
    },
  };
  const ended = await chargedComposer(composer, budget).compose({} as ComposeRequest, {} as ComposePorts);
  await ledger.close();
  return ended;
}

describe('the usage of a composition', () => {
  it('is that of all roles but the router, which its turn adds; tokens of embeddings stand apart', async () => {
    const { usage } = await composed((budget) => {
      spend(budget, 'answer', 100);
      spend(budget, 'judge', 20);
      spend(budget, 'rerank', 3);
      spend(budget, 'router', 4000);
      spend(budget, 'embed', 50_000);
    });
    expect(usage).toEqual({ inputTokens: 123, outputTokens: 3, embeddingTokens: 50_000, costUsd: expect.closeTo(50.123, 9) });
  });

  it('waits for a call that was left and is settled a moment later', async () => {
    const { usage } = await composed((budget) => {
      const took = { calls: 1, inputTokens: 9, outputTokens: 1, costUsd: 0 };
      const left = budget.reserve(took);
      setImmediate(() => left.settle(took));
    });
    expect(usage).toEqual({ inputTokens: 9, outputTokens: 1, embeddingTokens: 0, costUsd: 0 });
  });

  it('stays what the composer says where no model was called', async () => {
    expect(await composed(() => undefined)).toEqual(composition);
  });
});
