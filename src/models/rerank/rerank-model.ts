// The port of rerankers: a query and texts in, their order out. Invariant: a permutation of what was given — every text once, none
// added — so that a reranker can reorder evidence but never lose or invent it.
import type { CallOptions } from '../language/call-options.ts';
import type { ModelAttempt, ModelUsage } from '../language/generation.ts';
import type { ModelRecorder } from '../language/recorded-model.ts';

export interface RerankRequest {
  readonly query: string;
  readonly texts: readonly string[];
}

export interface RankedText {
  /** Into `texts`. */
  readonly index: number;
  /** 0..1, larger is more relevant; comparable within one result. Absent: the model said nothing of this text. */
  readonly score?: number;
}

export interface RerankResult {
  /** Best first, equal scores in the order given; texts without a score come last, in the order given. */
  readonly ranking: readonly RankedText[];
  /** `provider:model` that served. */
  readonly model: string;
  readonly usage?: ModelUsage;
  readonly costUsd?: number;
  readonly attempts: readonly ModelAttempt[];
}

/** `cross-encoder`: a model that reads query and text together. `service`: asked over HTTP. `language-model`: grades what it is shown. */
export type RerankMethod = 'cross-encoder' | 'service' | 'language-model';

export interface RerankModel {
  readonly id: string;
  readonly provider: string;
  readonly method: RerankMethod;
  /** Throws like `LanguageModel.generate`; callers keep the order that they have, and disclose it. */
  rerank(request: RerankRequest, options: RerankCallOptions): Promise<RerankResult>;
}

export interface RerankCallOptions extends CallOptions {
  /** Records the prompts of a reranker that makes some. */
  readonly recorded?: ModelRecorder;
}
