// The connector port: where a source's items come from. A connector names items and reads them; it knows nothing of parsing, chunks or the
// record. Uris are stable: the same item has the same uri in every run.
import type { Connector } from '../../core/connector.ts';
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

export interface ItemsRequest {
  /** When the last whole run over the source began (ISO 8601): a hint for what is asked of others. Every item is named all the same. */
  readonly since?: string;
  readonly signal?: AbortSignal;
  /** The version with which an item was read last, if what it brought then still stands. */
  readonly before?: (uri: string) => string | undefined;
  /** Uris of the documents that the source brought. */
  readonly known?: () => Iterable<string>;
  /** The bytes of a document that it brought. */
  readonly kept?: (uri: string) => Promise<Uint8Array | undefined>;
}

export interface SourceReader {
  /** Items are named with their bytes in hand: each is taken before the next is named, so that few are held. */
  readonly readsToName?: boolean;
  /** Every item of the source, in a fixed order. Throws if the source as a whole cannot be read. */
  items(request?: ItemsRequest): AsyncIterable<SourceItem | SourceProblem>;
  /** Called when nothing more is read. */
  close?(): Promise<void>;
}

/** `never`: is read nowhere (`defaultExcludes`); `special`: a pipe, socket or device; `gitignore`: as a .gitignore file says; `exclude`, `include`: as the globs say; `link`: leads out of the folder, nowhere or to what is read anyway. */
export type SkipReason = 'never' | 'gitignore' | 'exclude' | 'include' | 'link' | 'special';

export interface OpenOptions {
  /** Told of what is left out. */
  readonly onSkipped?: (uri: string, reason: SkipReason) => void;
}

/** What the composition hands in: the adapters, by the kind of the declaration. */
export interface Connectors {
  open(connector: Connector, options?: OpenOptions): SourceReader;
  /** Throws `forbidden` where the source may not be read for this caller. */
  check(connector: Connector): Promise<void>;
  /** Takes away what is kept to read it again, when a source is removed. */
  forget(connector: Connector): Promise<void>;
}
