// Models that an application gives in the place of configured ones, on the budgets of requests. Invariants: each call is reserved before it is
// made and settled by what it took, as with every other model; it is made once, whatever becomes of it: retries are the application's.
import { createCircuit } from './circuit.ts';
import type { LanguageModel } from './language-model.ts';
import { createModelChain } from './model-chain.ts';
import type { Prices } from './prices.ts';
import type { RoleModels } from './roles.ts';

/** The same model for the same model, so that what is remembered of it is found again. */
export function chargedModels(models: RoleModels, prices: Prices): RoleModels {
  const charged = new Map<LanguageModel, LanguageModel>();
  const elapsedMs = (): number => performance.now();
  const chargedModel = (model: LanguageModel | undefined): LanguageModel | undefined => {
    if (!model) return undefined;
    const present = charged.get(model);
    if (present) return present;
    const circuit = createCircuit({ failures: Number.POSITIVE_INFINITY, elapsedMs });
    const made = createModelChain([{ model, circuit }], {
      prices,
      rounds: 1,
      random: () => 0,
      wait: async () => undefined,
      elapsedMs,
    });
    charged.set(model, made);
    return made;
  };
  return {
    of: (role) => chargedModel(models.of(role)),
    answering: (intent) => chargedModel(models.answering(intent)),
  };
}
