// Which models stood behind the roles of a request, as its trace keeps them: a replay puts others of the same names in their place.
import { intents } from '../../core/answer.ts';
import { defined } from '../../core/values/defined.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { modelName } from '../../models/language/model-name.ts';
import type { RerankMethod } from '../../models/rerank/rerank-model.ts';
import { languageRoles, type RoleModels } from '../../models/roles.ts';
import type { Reranking } from '../../retrieval/rerank.ts';

export interface ModelFact {
  readonly provider: string;
  readonly id: string;
  readonly contextTokens?: number;
  readonly leastYes?: number;
}

/** Of each role and intent the models of its list, the first first; those that have none are left out. */
export interface ModelFacts {
  readonly roles: Readonly<Record<string, readonly ModelFact[]>>;
  readonly intents: Readonly<Record<string, readonly ModelFact[]>>;
  readonly reranker?: { readonly provider: string; readonly id: string; readonly method: RerankMethod };
}

/** No list is longer. */
const mostModels = 20;

function listOf(first: LanguageModel | undefined): readonly ModelFact[] {
  const list: ModelFact[] = [];
  for (let model = first; model && list.length < mostModels; model = model.after?.(modelName(model))) {
    const { provider, id, contextTokens, leastYes } = model;
    list.push(defined({ provider, id, contextTokens, leastYes }));
  }
  return list;
}

const named = (names: readonly string[], of: (name: string) => LanguageModel | undefined) =>
  Object.fromEntries(names.map((name) => [name, listOf(of(name))] as const).filter(([, list]) => list.length > 0));

export function modelFacts(models: RoleModels, reranking: Reranking | undefined): ModelFacts {
  const roles = named(languageRoles, (role) => models.of(role as (typeof languageRoles)[number]));
  const byIntent = named(intents, (intent) => models.answering(intent as (typeof intents)[number]));
  const { provider, id, method } = reranking?.model ?? {};
  return {
    roles,
    intents: byIntent,
    ...(provider !== undefined && id !== undefined && method !== undefined && { reranker: { provider, id, method } }),
  };
}
