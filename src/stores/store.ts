// The store port: a place where chunks are kept and searched. One conformance suite (test/conformance) holds for every
// adapter. A handle is built for one scope: tenant and document access are enforced inside the store's own query.
import type { Chunk, DocumentRecord } from '../core/document.ts';
import type { Degradation, Explanation, Filter } from '../core/search.ts';
import type { RecordTransaction } from '../db/record.ts';

export interface StoreCapabilities {
  readonly lexical: boolean;
  readonly vector: boolean;
  readonly hybrid: boolean;
  /** True if writes can join the record's transaction (`within`), so that store and record never disagree. */
  readonly transactional: boolean;
  readonly explain: boolean;
}

export interface StoreDocument {
  readonly document: DocumentRecord;
  readonly chunks: readonly Chunk[];
  /** Vectors of the chunks end to end, for a store that searches by given vectors. */
  readonly vectors?: Float32Array;
}

export interface StoreQuery {
  readonly text: string;
  readonly mode: 'lexical' | 'vector' | 'hybrid';
  /** What mode `vector` searches by, for a store that is given vectors, and the space that it belongs to. */
  readonly vector?: Float32Array;
  readonly space?: string;
  /**
   * Texts searched along with the query's own words in mode `lexical`: each word counts as if the query held it `weight` times
   * (a finite number, not negative; an own word is 1), added to what the query's own words count. Plain text: nothing in it is
   * an operator, required, excluded, guessed at, or wanted near another word. None and an empty list are the same query.
   */
  readonly also?: readonly { readonly text: string; readonly weight: number }[];
  /** Hits wanted, 0..1000. */
  readonly limit: number;
  readonly cursor?: string;
  readonly filter?: Filter;
  readonly explain?: boolean;
}

/** One chunk found. Equal scores are ordered by chunk id, ascending: same corpus and query, same ranking. */
export interface StoreHit {
  readonly chunkId: string;
  readonly documentId: string;
  readonly score: number;
  readonly scores: { readonly bm25?: number; readonly vector?: number };
  /** From 1. */
  readonly rank: number;
  readonly explanation?: Explanation;
}

export interface StorePage {
  readonly hits: readonly StoreHit[];
  readonly nextCursor?: string;
  readonly degraded: readonly Degradation[];
}

export interface StoreHealth {
  readonly status: 'ok' | 'degraded' | 'down';
  readonly detail: string;
  readonly documents: number;
  readonly chunks: number;
}

/** How rare the words of a text are among the chunks that the scope may read. */
export interface StoreStatistics {
  readonly chunks: number;
  /** Chunks that hold each search term of the text. */
  readonly frequencies: Readonly<Record<string, number>>;
  /**
   * Chunks by language of their document (ISO 639-1), most frequent first. Empty where it is not known, and where the scope may
   * not read everything: whatever else there is must not show.
   */
  readonly languages: readonly { readonly language: string; readonly chunks: number }[];
}

/** Writes that join the record's transaction: done when the method returns, durable when the transaction commits. */
export interface StoreTransaction {
  upsert(batch: readonly StoreDocument[]): void;
  delete(documentIds: readonly string[]): void;
}

export interface Store {
  readonly name: string;
  readonly capabilities: StoreCapabilities;
  /** Idempotent: replaces all chunks that the store holds of each document. */
  upsert(batch: readonly StoreDocument[], signal?: AbortSignal): Promise<void>;
  /** Idempotent: unknown ids are no error. */
  delete(documentIds: readonly string[], signal?: AbortSignal): Promise<void>;
  /** Throws `unsupported` for a mode that the store lacks, `cancelled` when the signal aborts, `invalid-request` for a bad cursor. */
  search(query: StoreQuery, signal?: AbortSignal): Promise<StorePage>;
  health(signal?: AbortSignal): Promise<StoreHealth>;
  /** Present where the store knows how often words occur: then scores are judged, not only compared. */
  statistics?(text: string, signal?: AbortSignal): Promise<StoreStatistics>;
  /** Vectors of chunks in a space; undefined where a chunk has none there. Present where the store is given vectors. */
  vectorsOf?(
    space: string,
    chunkIds: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly (Float32Array | undefined)[]>;
  /**
   * Does what `within(…).upsert` of the same batch would do and needs no transaction for: it is remembered by the identity of
   * each `chunks` array. Optional for callers too; what was not prepared is done in the transaction.
   */
  prepare?(batch: readonly StoreDocument[], signal?: AbortSignal): Promise<void>;
  /** Present if and only if `capabilities.transactional`. */
  within?(transaction: RecordTransaction): StoreTransaction;
}
