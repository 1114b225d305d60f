// The connector port: where a source's items come from. A connector names items and reads them; it knows nothing of parsing, chunks or the
// record. Uris are stable: the same item has the same uri in every run.
import type { SourceItem, SourceLook, SourceProblem } from './source-item.ts';

export interface ItemsRequest {
  readonly signal?: AbortSignal;
  /** The version with which an item was read last, if what it brought then still stands. */
  readonly before?: (uri: string) => string | undefined;
  /** Uris of the documents that the source brought, without those that came out of files. */
  readonly known?: () => Iterable<string>;
  /** The bytes of a document that it brought. */
  readonly kept?: (uri: string) => Promise<Uint8Array | undefined>;
}

export interface SourceReader {
  /** Items are named with their bytes in hand: each is taken before the next is named, so that few are held. */
  readonly readsToName?: boolean;
  /** Every item of the source, in a fixed order. Throws if the source as a whole cannot be read. */
  items(request?: ItemsRequest): AsyncIterable<SourceItem | SourceProblem | SourceLook>;
  /** Whether a page still stands at its address; a redirect says that it does not. Absent: what is not named is not there. */
  stillHas?(uri: string): Promise<boolean>;
  /** Called when nothing more is read. */
  close?(): Promise<void>;
}
