// The port of embedding models: texts to vectors whose nearness means likeness. Invariant: one id, one vector space — vectors
// of models whose ids differ are never compared, so whatever changes the vectors changes the id.
import type { ModelBudget } from '../../core/budget.ts';
import type { RemoteEmbedding } from './remote-embedding.ts';

export interface EmbeddingModel {
  /** Name, version and a fingerprint of the weights or of the trained model. */
  readonly id: string;
  /** `corpus`: learned from the caller's own chunks; its vectors mean nothing outside that corpus. */
  readonly kind: 'fixed' | 'corpus';
  readonly dimensions: number;
  /** Vectors have length 1, so that the dot product is the cosine. */
  readonly metric: 'cosine';
  /** Of a model that somebody else runs and is paid for. */
  readonly remote?: RemoteEmbedding;
  /** One vector for each text; all zeros where the model knows nothing of the text. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>;
}

export interface EmbedOptions {
  /** Some models put another prefix before each. */
  readonly kind: 'query' | 'document';
  readonly signal?: AbortSignal;
  /** How long the caller can wait, milliseconds. Default: as long as a provider's model thinks fit. */
  readonly withinMs?: number;
  /** What remote models may cost: the most that a call can take is reserved before it is sent. */
  readonly budget?: ModelBudget;
  /** Told of each call of a remote model that was billed. */
  readonly onUsage?: (usage: { readonly tokens: number; readonly costUsd: number | undefined }) => void;
}

/** A model that was trained on the terms of the corpus embeds terms without a second analysis. */
export interface CorpusModel extends EmbeddingModel {
  readonly kind: 'corpus';
  /**
   * Of a model of two parts, how many numbers of a vector are learned: those of a sentence encoder stand behind them. Absent: all are. A vector of a
   * query may lack what stands behind them.
   */
  readonly learnedDimensions?: number;
  /** Order does not matter; a term counts as often as it stands there. */
  embedTerms(terms: readonly string[]): Float32Array;
  /**
   * Share of a text's weight that the model knows, 0..1: low for names and numbers that are too rare for it. Terms that `isIndexed`
   * denies stand in no chunk and do not count.
   */
  coverage(terms: readonly string[], isIndexed: (term: string) => boolean): number;
}
