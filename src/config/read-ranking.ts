// What orders hits beside the search, as the settings say.

type Values = ReadonlyMap<string, string | number | boolean>;

export interface RerankingConfig {
  /** `none`, `local:<folder>`, `service:<model>` or `provider:model`. */
  readonly model: string;
  readonly address: string | undefined;
  readonly topK: number;
  /** 0..1 */
  readonly threshold: number;
  readonly timeoutMs: number;
}

export function readReranking(values: Values): RerankingConfig {
  const number = (name: string): number => Number(values.get(name) ?? 0);
  const string = (name: string): string => String(values.get(name) ?? '');
  const optional = (name: string): string | undefined => (values.has(name) ? String(values.get(name)) : undefined);
  return Object.freeze({
    model: string('MODEL_RERANK'),
    address: optional('RERANK_BASE_URL'),
    topK: number('RERANKING_TOP_K'),
    threshold: number('RERANKER_THRESHOLD'),
    timeoutMs: number('RERANK_TIMEOUT_MS'),
  });
}

export interface SourceWeightsConfig {
  readonly authority: number;
  readonly freshness: number;
  readonly diversity: number;
}

export function readSourceWeights(values: Values): SourceWeightsConfig {
  const number = (name: string): number => Number(values.get(name) ?? 0);
  return Object.freeze({
    authority: number('SOURCE_AUTHORITY_WEIGHT'),
    freshness: number('SOURCE_FRESHNESS_WEIGHT'),
    diversity: number('SOURCE_DIVERSITY_WEIGHT'),
  });
}
