// The store port: a place where chunks are searched, and one that is written to as well. One conformance suite (test/conformance) holds
// for every adapter. A handle is built for one scope: tenant and document access are enforced inside the store's own query.
import type { Filter } from '../core/search.ts';
import type { StoreHealth, StoreMode, StorePage, StoreQuery } from '../core/store-query.ts';
import type { DeliveryBatches, StoreDeletion, StoreDocument, StoreOutcome } from './delivered.ts';
import type { Inventory } from './held.ts';
import type { HostedPiece, HostedPlace, HostedQuery } from './hosted-search.ts';

export type { StoreHealth, StoreHit, StoreMode, StorePage, StorePassage, StoreQuery } from '../core/store-query.ts';

export interface StoreCapabilities extends Readonly<Record<StoreMode, boolean>> {
  /** Vectors are `given` with documents and queries, the store's `own` (it is asked by text), or there are `none`. */
  readonly vectors: 'given' | 'own' | 'none';
  /** Whether a page can tell how many chunks match in all. */
  readonly counts: boolean;
  readonly explain: boolean;
}

export interface Searcher {
  readonly name: string;
  readonly capabilities: StoreCapabilities;
  /** Throws `unsupported` for a mode that the store lacks, `cancelled` when the signal aborts, `invalid-request` for a bad cursor. */
  search(query: StoreQuery, signal?: AbortSignal): Promise<StorePage>;
  health(signal?: AbortSignal): Promise<StoreHealth>;
  /**
   * Of a store that a model of the same provider may search by itself: where, and under which filter, which holds the tenant, the caller and
   * the filter that is given; undefined where nothing can match.
   */
  hostedSearch?(filter: Filter | undefined, signal?: AbortSignal): Promise<HostedPlace | undefined>;
  /** What such a model found, as hits: of documents alone that the caller may read and that pass the filter. */
  hostedHits?(pieces: readonly HostedPiece[], query: HostedQuery, signal?: AbortSignal): Promise<StorePage>;
  /** Gives back what the handle holds; the store keeps what it has. */
  close(): Promise<void>;
}

/** What a store is told of that was not given all documents: what it does not find may be there. */
export const notDeliveredCode = 'not-delivered';

/** Batches answer for each document; what fails a whole batch (the store is down) is thrown. */
export interface Store extends Searcher {
  /** Idempotent, also after an answer that was lost: replaces all that the store holds of each document. */
  upsert(batch: readonly StoreDocument[], signal?: AbortSignal): Promise<readonly StoreOutcome[]>;
  /** Idempotent: what the store does not hold is no error. */
  delete(batch: readonly StoreDeletion[], signal?: AbortSignal): Promise<readonly StoreOutcome[]>;
  /** How it is best delivered to; absent: as any other. */
  readonly batches?: DeliveryBatches;
  /** Absent: nobody can compare what it holds with the record. */
  readonly inventory?: Inventory;
}
