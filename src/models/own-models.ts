// Models that an application gives in the place of configured ones, on the budgets of requests. Invariants: each call is reserved before it is
// made and settled by what it took, as with every other model; it is made once, whatever becomes of it: retries are the application's.
import { systemTiming } from './calls/attempts.ts';
import { createModelChain } from './calls/chain.ts';
import { type ModelWatch, unwatched } from './calls/watch.ts';
import type { LanguageModel } from './language/language-model.ts';
import { modelName } from './language/model-name.ts';
import type { Prices } from './money/prices.ts';
import type { RoleModels } from './roles.ts';

/** The same model for the same model, so that what is remembered of it is found again. */
export function chargedModels(
  models: RoleModels,
  prices: Prices,
  watch: Pick<ModelWatch, 'circuit'> = unwatched,
): RoleModels {
  const charged = new Map<LanguageModel, LanguageModel>();
  const chargedModel = (model: LanguageModel | undefined): LanguageModel | undefined => {
    if (!model) return undefined;
    const present = charged.get(model);
    if (present) return present;
    const circuit = watch.circuit(modelName(model), { ...systemTiming, failures: Number.POSITIVE_INFINITY });
    const made = createModelChain([{ model, circuit }], { ...systemTiming, prices, rounds: 1 });
    charged.set(model, made);
    return made;
  };
  return {
    of: (role) => chargedModel(models.of(role) ?? (role === 'chat' ? models.of('answer') : undefined)),
    answering: (intent) => chargedModel(models.answering(intent)),
  };
}
