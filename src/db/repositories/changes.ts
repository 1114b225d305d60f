// What may change in the record together, as data: a closed union of changes, and what must still be so for them to be made. A database
// that implements the record needs no more than this of whoever writes; nothing that a caller runs stands in a transaction.
import type { Chunk, Delivery, DocumentRecord, Heading, Page, Place, Source, WordBox } from '../../core/document.ts';
import type { Fingerprint } from '../../core/documents/fingerprint.ts';
import { isFootnoteError } from '../../core/errors.ts';

/** Structure that viewing and citing need, kept beside the text. */
export interface DocumentStructure {
  readonly pages: readonly Page[];
  readonly headings: readonly Heading[];
  readonly words: readonly WordBox[];
  /** Absent where pages and lines say it. */
  readonly places?: readonly Place[];
}

/** One revision of a document as ingestion hands it over. */
export interface DocumentWrite {
  readonly document: DocumentRecord;
  readonly text: string;
  readonly chunks: readonly Chunk[];
  readonly structure: DocumentStructure;
  /** The original bytes, kept for `GET …/file`. */
  readonly file?: Uint8Array;
  /** Names of the stores that it is meant for. Absent: all, also those that come later. */
  readonly stores?: readonly string[];
  /** Of this text: links the document with those that say nearly the same. Without it nothing is linked. */
  readonly fingerprint?: Fingerprint;
}

/** A document as an index within the record takes it. */
export interface IndexedDocument extends Pick<DocumentWrite, 'document' | 'chunks'> {
  /** Vectors of the chunks end to end. */
  readonly vectors?: Float32Array;
}

/** What vectors that documents bring with them are of. */
export interface IndexedSpace {
  readonly name: string;
  readonly dimensions: number;
  readonly metric: 'cosine' | 'dot';
}

/** Entries of a store that is kept within the record. */
export type EntryChange =
  | {
      readonly kind: 'put-entries';
      readonly store: string;
      /** Replaces all entries of each document. */
      readonly documents: readonly IndexedDocument[];
      readonly space?: IndexedSpace;
    }
  | { readonly kind: 'delete-entries'; readonly store: string; readonly documentIds: readonly string[] };

export type RecordChange =
  /**
   * Writes a revision and removes the one before: document, text, structure, file and chunks. Fails as `conflict` if its id
   * is another document's, as `forbidden` if the writer could not read it afterwards.
   */
  | { readonly kind: 'put-document'; readonly write: DocumentWrite }
  /** Of a document that is not there, or may not be read, nothing happens. */
  | { readonly kind: 'delete-document'; readonly id: string }
  /** Links a recorded document that has no fingerprint yet, if its text is still this one. */
  | {
      readonly kind: 'put-fingerprint';
      readonly documentId: string;
      readonly textHash: string;
      readonly fingerprint: Fingerprint;
    }
  /** Notes that a recorded document came out the same of this reading, if its text is still this one. */
  | { readonly kind: 'put-reading'; readonly documentId: string; readonly textHash: string; readonly reading: string }
  /** Of a store within the record, whose entries are written in the same commit. */
  | { readonly kind: 'put-delivery'; readonly delivery: Delivery }
  /** A store beside the record is to hold this revision: whatever waited for the same document and store is no longer wanted. */
  | {
      readonly kind: 'queue-delivery';
      readonly wanted: Pick<Delivery, 'documentId' | 'store' | 'revision' | 'updatedAt'>;
    }
  /** A store beside the record is to drop the document, if it was ever to hold it. Deleting a document does so for all. */
  | { readonly kind: 'withdraw-delivery'; readonly documentId: string; readonly store: string }
  /** The document is meant for this store, too. */
  | { readonly kind: 'add-target'; readonly documentId: string; readonly store: string }
  /** A source that is there already keeps its connector where none is given. */
  | { readonly kind: 'put-source'; readonly source: Source }
  /** Fails as `conflict` while documents stand in it: no document is ever without its source. */
  | { readonly kind: 'delete-source'; readonly name: string }
  | EntryChange;

/** What must be so when the changes are made. Documents that the caller may not read count as none. */
export type Expectation =
  /** One that is being read may have been removed meanwhile. */
  | { readonly kind: 'source'; readonly name: string }
  | { readonly kind: 'document'; readonly id: string; readonly revision: number | 'none' };

export interface CommitOptions {
  /** Looked at before the first change, in the same transaction. One that is not met fails the commit as `conflict` (`isUnmet`). */
  readonly expect?: readonly Expectation[];
}

export interface Committed {
  /** Whether each of the changes had something to change, in their order. */
  readonly applied: readonly boolean[];
  /** How long nobody else could write meanwhile: whoever writes much sizes the next commit by it. */
  readonly heldMs: number;
}

/** Where the details of a failed commit name the expectation. */
export const unmetDetail = 'unmet';

/** Whether a commit failed because something that was read before it has changed since: read it again, and try again. */
export const isUnmet = (error: unknown): boolean => isFootnoteError(error) && error.details[unmetDetail] !== undefined;
