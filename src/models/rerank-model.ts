// The port of rerankers: a query and texts in, their order out. Invariant: a permutation of what was given — every text once, none
// added — so that a reranker can reorder evidence but never lose or invent it.
import type { CallOptions, ModelAttempt, ModelUsage } from './language-model.ts';

export interface RerankRequest {
  readonly query: string;
  readonly texts: readonly string[];
}

export interface RankedText {
  /** Into `texts`. */
  readonly index: number;
  /** 0..1, larger is more relevant; comparable within one result. */
  readonly score: number;
}

export interface RerankResult {
  /** Best first; equal scores in the order given. */
  readonly ranking: readonly RankedText[];
  readonly model: string;
  readonly usage?: ModelUsage;
  readonly costUsd?: number;
  readonly attempts: readonly ModelAttempt[];
}

export interface RerankModel {
  readonly id: string;
  readonly provider: string;
  /** Throws like `LanguageModel.generate`; callers keep the order that they have, and disclose it. */
  rerank(request: RerankRequest, options: CallOptions): Promise<RerankResult>;
}
