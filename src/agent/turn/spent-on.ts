// What an answer says that its request took of models: every role, repairs, failed attempts and calls that were left included. Invariant: the
// figures are those that the budget settled, so that answer, usage and bill agree.

import type { Usage } from '../../core/answer.ts';
import type { RequestBudget } from '../../core/budget.ts';

/**
 * A call that was left early is settled when its connection is down, a moment after its reader went on. A provider that does not let
 * go in this time is missing from the answer, and in the usage of the day as soon as it does.
 */
const patienceMs = 250;

/** Never throws. Tokens of embeddings are no input of a language model and stand apart. */
export async function spentOn(budget: RequestBudget): Promise<Omit<Usage, 'toolCalls'>> {
  await budget.settled(patienceMs);
  const all = budget.took();
  const embedding = budget.took('embed');
  return {
    inputTokens: all.inputTokens - embedding.inputTokens,
    outputTokens: all.outputTokens - embedding.outputTokens,
    embeddingTokens: embedding.inputTokens,
    costUsd: all.costUsd,
    ...(all.unpricedCalls > 0 && { unpricedCalls: all.unpricedCalls }),
  };
}
