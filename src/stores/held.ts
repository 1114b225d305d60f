// What a store says that it holds, so that the record can be compared with it.
import type { StoreDocument } from './delivered.ts';

export interface HeldDocument {
  readonly documentId: string;
  /** Of all that the store holds of it. */
  readonly hash: string;
  /** More than one: it stands there several times. */
  readonly copies: number;
}

/**
 * What a store says that it holds, so that it can be compared with what it was brought: of a document that stands there as it was delivered
 * last, and once, both hashes are the same.
 */
export interface Inventory {
  /** Every document of the tenant. */
  held(signal?: AbortSignal): Promise<readonly HeldDocument[]>;
  /** What `held` tells of a document that was brought; undefined where nothing of it is kept. */
  hashOf(document: StoreDocument): Promise<string | undefined>;
}
