// What an answer or a search says of who served it: the model of each role, and those in whose place it was asked. Invariant: a model that
// failed is told with its reason wherever another one served, so that nobody pays for or reads another model unawares.
import type { RequestBudget } from '../../core/budget.ts';
import type { Degradation, ServedModel } from '../../core/search.ts';

export interface ServedModels {
  /** Empty where no model was asked, or none served. */
  readonly models: readonly ServedModel[];
  readonly degraded: readonly Degradation[];
}

/** As the steps name themselves where they are done without a model. */
const components: Readonly<Record<string, string>> = {
  answer: 'answer-model',
  rerank: 'reranker',
  embed: 'vector',
};

export function servedModels(budget: Pick<RequestBudget, 'servedRoles'>): ServedModels {
  const roles = budget.servedRoles();
  return {
    models: roles.flatMap(({ role, models }) => models.map((model) => ({ role, model }))),
    degraded: roles.flatMap(({ role, replaced }) =>
      replaced.map(({ model, code, reason, by }) => ({
        component: components[role] ?? role,
        code,
        detail: `${model} failed: ${reason}`,
        effect: `${by} was asked in its place.`,
      })),
    ),
  };
}
