// Keeps the vectors of one tenant's chunks behind its documents: trains or takes a model, embeds what lacks vectors, and swaps
// models without a search noticing. Invariant: once settled exactly, model and vectors are a function of the corpus alone.
import type { Semantics } from '../models/semantics.ts';

export interface EmbedderStatus {
  /** `off`: no model is configured; `waiting`: too few chunks. */
  readonly state: 'off' | 'waiting' | 'training' | 'embedding' | 'ready' | 'failed';
  readonly model?: string;
  readonly chunks: number;
  /** Chunks with a vector of the model that is being built, else of the one in use. */
  readonly embedded: number;
  /** Why the last attempt failed; searches go on with what there is. */
  readonly failure?: string;
}

export interface SettleOptions {
  /**
   * Whether the model must be the one that this corpus gives, so that the same corpus always gives the same ranking. Otherwise a
   * model that has seen most of the corpus stays, and new chunks are folded in.
   */
  readonly exact?: boolean;
  readonly onProgress?: (status: EmbedderStatus) => void;
  readonly signal?: AbortSignal;
}

export interface Embedder extends Semantics {
  /** Looks after the vectors soon: call after documents changed. Never throws, never keeps the process alive. */
  schedule(delayMs?: number): void;
  /** Resolves when every chunk has its vector. Throws `cancelled`, or what made it fail. */
  settle(options?: SettleOptions): Promise<void>;
  status(): Promise<EmbedderStatus>;
  /** Ends work under way at its next step; what was committed stays. */
  close(): Promise<void>;
}
