// The store port: a place where chunks are kept and searched. One conformance suite (test/conformance) holds for every
// adapter. A handle is built for one scope: tenant and document access are enforced inside the store's own query.
import type { Chunk, DocumentRecord } from '../core/document.ts';
import type { Degradation, Explanation, Filter } from '../core/search.ts';
import type { RecordTransaction } from '../db/record.ts';
import type { SharedSegment } from '../engine/live-segment.ts';

export interface StoreCapabilities {
  readonly lexical: boolean;
  readonly vector: boolean;
  readonly hybrid: boolean;
  /** True if writes can join the record's transaction (`within`), so that store and record never disagree. */
  readonly transactional: boolean;
  readonly explain: boolean;
}

/** One model's vectors: they compare among themselves only. */
export interface VectorSpace {
  /** Names the model and whatever else makes vectors comparable. */
  readonly name: string;
  /** 1 to 3,072. */
  readonly dimensions: number;
  readonly metric: 'cosine' | 'dot';
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

/** An embedding model whose vectors a store holds. */
export interface KeptModel {
  readonly space: VectorSpace;
  /** `corpus`: trained on the tenant's own chunks and kept here; `fixed`: comes from elsewhere by the name of the space. */
  readonly kind: 'fixed' | 'corpus';
  /** Searches use the active one; at most one is active and one is building. */
  readonly state: 'building' | 'active';
  /** What whoever trained or chose it wants to know of it later, such as the digest of the sample. */
  readonly facts: Readonly<Record<string, string | number>>;
}

/** A document of which no chunk has a vector in a space. */
export interface PendingRows {
  readonly documentId: string;
  /** Rows of its chunks in the index, both ends included. */
  readonly firstRow: number;
  readonly lastRow: number;
}

export interface EmbeddedRows extends PendingRows {
  /** Of its chunks, end to end. */
  readonly vectors: Float32Array;
}

/** A text's vector in a space, which a provider was paid for. */
export interface RememberedText {
  /** 32 hexadecimal digits: half of the SHA-256 of the text as the model was given it. */
  readonly hash: string;
  readonly vector: Float32Array;
}

export interface IndexContent {
  /** Segments of the lexical index. */
  readonly parts: readonly SharedSegment[];
  /** Living chunks. */
  readonly chunks: number;
  /** Changes with every change of the index's content, not with its segments. */
  readonly revision: number;
  /** Set while something that the record holds is missing from it. */
  readonly incomplete: boolean;
}

/** Where the vectors of a tenant's chunks are kept: a model is begun, its vectors come in behind the searches, and it is activated. */
export interface VectorKeeping {
  models(): Promise<readonly KeptModel[]>;
  /** The bytes that a model was begun with. Undefined where there are none or they are not as they were written. */
  modelBytes(space: string): Promise<Uint8Array | undefined>;
  /** Begins a model, in place of one that is being built under another name; the same again goes on with it. */
  begin(model: Omit<KeptModel, 'state'>, bytes?: Uint8Array): Promise<void>;
  /** In the order of their ids, after one. Only documents that the index has rows for. */
  missing(space: string, page: { readonly after?: string; readonly limit: number }): Promise<readonly PendingRows[]>;
  /**
   * One transaction. Documents whose rows are no longer those, or that have vectors by now, are left out: returns how many were written.
   * Texts are remembered in any case.
   */
  write(space: string, batch: readonly EmbeddedRows[], texts?: readonly RememberedText[]): Promise<number>;
  /** Vectors of texts that were remembered, by hash; also of models that are begun no more. */
  recall(space: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  /** Which of these `recall` would look for in vain. */
  unknown(space: string, hashes: readonly string[]): Promise<readonly string[]>;
  /** How many chunks of the index have a vector in the space. */
  coverage(space: string): Promise<{ readonly chunks: number; readonly embedded: number }>;
  /** Makes a model the one that searches use, in one transaction; the one before is dropped, its vectors in pieces afterwards. */
  activate(space: string): Promise<void>;
  drop(space: string): Promise<void>;
  /** What the index holds now. */
  indexed(): Promise<IndexContent>;
}
