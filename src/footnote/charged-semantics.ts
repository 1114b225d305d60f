// Search by meaning on the budget of one request: a provider's model is asked for the vector of a query only as far as the request,
// its key and its tenant may spend. Models that run here cost nothing and pass untouched.

import type { ModelBudget } from '../core/budget.ts';
import type { Semantics } from '../models/embedding/semantics.ts';

export function chargedSemantics(semantics: Semantics, budget: ModelBudget): Semantics {
  return {
    ...(semantics.isRemote !== undefined && { isRemote: semantics.isRemote }),
    async current(signal) {
      const now = await semantics.current(signal);
      if (!now.ready || now.model.kind !== 'fixed' || !now.model.remote) return now;
      const { model } = now;
      const { name } = now.model.remote;
      return {
        ...now,
        model: {
          ...model,
          async embed(texts, options) {
            const own = budget.forRole('embed');
            const vectors = await model.embed(texts, { budget: own, ...options });
            // Also where its vector was still known.
            own.served({ model: name, failed: [] });
            return vectors;
          },
        },
      };
    },
  };
}
