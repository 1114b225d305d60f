// The connector port: where a source's items come from. A connector names items and reads them; it knows nothing of parsing, chunks or the
// record. Uris are stable: the same item has the same uri in every run.
import type { Connector } from '../../core/document.ts';
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
  /** Throws FootnoteError: `storage-denied`, `not-found` (gone since it was named), `cancelled`. */
  read(signal?: AbortSignal): Promise<Uint8Array>;
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
}

export interface SourceReader {
  /** Every item of the source, in a fixed order. Throws if the source as a whole cannot be read. */
  items(request?: ItemsRequest): AsyncIterable<SourceItem | SourceProblem>;
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
}
