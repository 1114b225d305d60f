// One item of a source: how it is called and read, what reading it led to, and what could not be looked at.
import type { Metadata } from '../../core/document.ts';
import type { FootnoteError } from '../../core/errors.ts';

export interface SourceItem {
  readonly kind: 'item';
  /** Identity within the source: for a folder the path relative to its root, with forward slashes. */
  readonly uri: string;
  readonly name: string;
  /**
   * Another one whenever the bytes may be others (an ETag, the hash of a commit, times and length): an item that still has the version with
   * which it was read is not read again. Absent: the connector cannot tell.
   */
  readonly version?: string;
  /** Absent: not known before it is read. */
  readonly sizeBytes?: number;
  /** Throws FootnoteError: `storage-denied`, `not-found` (gone since it was named), `cancelled`, what a site says. Nothing that throws is taken for gone. */
  read(signal?: AbortSignal): Promise<Uint8Array | ItemReading>;
}

/** What reading an item led to, where its bytes do not say all of it. */
export type ItemReading =
  | {
      readonly kind: 'content';
      readonly bytes: Uint8Array;
      /** Where it is known by reading alone. */
      readonly version?: string;
      /** A better name than that of the item, such as of where it was found. */
      readonly name?: string;
      readonly facts?: ItemFacts;
    }
  /** It is as it was when it had the version that `before` told. */
  | { readonly kind: 'unchanged' }
  /** Its source says that there is no such thing any more: its document goes. */
  | { readonly kind: 'gone'; readonly error: FootnoteError }
  /** It is what another item of the source is, under another uri: that one stands for both. */
  | { readonly kind: 'same'; readonly version?: string };

/** What a source says of an item beside its bytes. */
export interface ItemFacts {
  readonly title?: string;
  readonly mime?: string;
  readonly version?: string;
  readonly publishedAt?: string;
  readonly metadata?: Metadata;
}

/** Something that could not be looked at: nothing whose uri begins with `uri` may be taken for gone. */
export interface SourceProblem {
  readonly kind: 'problem';
  readonly uri: string;
  readonly error: FootnoteError;
}
