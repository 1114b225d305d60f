// A composer whose answer says what the whole request took of models: every role, repairs and failed attempts included. Invariant: the
// figures are those that the budget settled, so that answer, usage and bill agree.
import { type Composer, extractiveComposer } from '../answer/composer.ts';
import type { RequestBudget } from '../models/spending-ledger.ts';

/**
 * A stream that was left early is settled when its connection is down, a moment after its reader went on. A provider that does not let
 * go in this time is missing from the answer, and in the usage of the day as soon as it does.
 */
const patienceMs = 250;

/** Undefined: the documents' own sentences. */
export function chargedComposer(composer: Composer | undefined, budget: RequestBudget): Composer {
  return {
    async compose(request, ports) {
      const composition = await (composer ?? extractiveComposer).compose(request, ports);
      await budget.settled(patienceMs);
      const all = budget.took();
      if (all.calls === 0) return composition;
      // Tokens of embeddings are no input of a language model, and the turn adds its router itself.
      const [embedding, routing] = [budget.took('embed'), budget.took('router')];
      return {
        ...composition,
        usage: {
          inputTokens: all.inputTokens - embedding.inputTokens - routing.inputTokens,
          outputTokens: all.outputTokens - embedding.outputTokens - routing.outputTokens,
          costUsd: all.costUsd - routing.costUsd,
          embeddingTokens: embedding.inputTokens,
        },
      };
    },
  };
}
