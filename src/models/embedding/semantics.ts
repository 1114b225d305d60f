// Which model search by meaning goes by at this moment: what retrieval asks before each search, and what whoever keeps the
// vectors (vectors/embedder.ts) answers. A model that is being trained or whose vectors are still coming in is not ready.
import type { CorpusModel, EmbeddingModel } from './model.ts';

export type FixedModel = EmbeddingModel & { readonly kind: 'fixed' };

export interface ReadySemantics {
  readonly ready: true;
  readonly model: CorpusModel | FixedModel;
  /** Name of the vector space in the store: `model.id`. */
  readonly space: string;
  /** Chunks that a corpus model was learned from; for a fixed one 0. */
  readonly learnedFrom: number;
}

export interface MissingSemantics {
  readonly ready: false;
  /** Stable: `too-few-chunks`, `training`, `embedding`, `model-unavailable`, `off`. */
  readonly code: 'too-few-chunks' | 'training' | 'embedding' | 'model-unavailable' | 'off';
  /** For people: what is missing and what will change it. */
  readonly detail: string;
}

export interface Semantics {
  /** Whether the model that is configured is somebody else's service, which may be silent. */
  readonly isRemote?: boolean;
  current(signal?: AbortSignal): Promise<ReadySemantics | MissingSemantics>;
}
