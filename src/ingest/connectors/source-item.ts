// One item of a source: how it is called and read, what reading it led to, and what could not be looked at.
import type { GateSign } from '@footnote/readers/web/links';
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
      /** Present where another page may have come than the one that was asked for: what it shows that the one before did not. */
      readonly signs?: () => Promise<readonly GateSign[]>;
    }
  /** It is as it was when it had the version that `before` told. */
  | { readonly kind: 'unchanged' }
  /** Its source says that there is no such thing any more: its document goes. */
  | { readonly kind: 'gone'; readonly error: FootnoteError }
  /** It asks not to be kept: its document goes, if it is still that page. */
  | {
      readonly kind: 'withdrawn';
      readonly bytes: Uint8Array;
      readonly name: string;
      readonly mime?: string;
      readonly signs: () => Promise<readonly GateSign[]>;
    }
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

/** How the source as a whole is found: told once, compared with the last run. */
export interface SourceLook {
  readonly kind: 'look';
  readonly listing?: 'sitemap' | 'links';
  readonly device?: string;
}

/** Something that could not be looked at: nothing whose uri begins with `uri` may be taken for gone. */
export interface SourceProblem {
  readonly kind: 'problem';
  readonly uri: string;
  readonly error: FootnoteError;
}
