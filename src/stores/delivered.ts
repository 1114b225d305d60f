// What is brought to a store in batches, and what becomes of each document of one.
import type { Chunk, DocumentRecord } from '../core/document.ts';
import type { FootnoteError } from '../core/errors.ts';

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

export interface DeliveryBatches {
  /** Documents of one call. */
  readonly documents: number;
  /** Calls at the same time. */
  readonly atOnce: number;
}
