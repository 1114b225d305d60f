// The store port: a place where chunks are searched, and one that is written to as well. One conformance suite (test/conformance) holds
// for every adapter. A handle is built for one scope: tenant and document access are enforced inside the store's own query.
import type { Chunk, DocumentRecord } from '../core/document.ts';
import type { FootnoteError } from '../core/errors.ts';
import type { Filter } from '../core/search.ts';
import type { StoreHealth, StoreMode, StorePage, StoreQuery } from '../core/store-query.ts';

export type { StoreHealth, StoreHit, StoreMode, StorePage, StorePassage, StoreQuery } from '../core/store-query.ts';

export interface StoreCapabilities extends Readonly<Record<StoreMode, boolean>> {
  /** Vectors are `given` with documents and queries, the store's `own` (it is asked by text), or there are `none`. */
  readonly vectors: 'given' | 'own' | 'none';
  /** Whether a page can tell how many chunks match in all. */
  readonly counts: boolean;
  readonly explain: boolean;
}

export interface HostedPlace {
  readonly storeId: string;
  /** In the provider's dialect. */
  readonly filter: Readonly<Record<string, unknown>>;
}

/** A piece of a file as the provider tells it. */
export interface HostedPiece {
  readonly fileId: string;
  readonly score: number;
  readonly text: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export type HostedQuery = Pick<StoreQuery, 'filter' | 'limit'>;

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

export interface StoreDocument {
  readonly document: DocumentRecord;
  readonly chunks: readonly Chunk[];
  /** Vectors of the chunks end to end, for a store that is given them. */
  readonly vectors?: Float32Array;
  /** What the store itself called the document when it last took it: a hint, as its answer may have been lost. */
  readonly storeDocumentId?: string;
}

/** Outlives its document: what is to be gone, and the last revision that was to be delivered. */
export interface StoreDeletion {
  readonly documentId: string;
  readonly revision?: number;
  readonly storeDocumentId?: string;
}

/** What became of one document of a batch. */
export interface StoreOutcome {
  readonly documentId: string;
  readonly storeDocumentId?: string;
  readonly error?: FootnoteError;
}

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

export interface DeliveryBatches {
  /** Documents of one call. */
  readonly documents: number;
  /** Calls at the same time. */
  readonly atOnce: number;
}

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
