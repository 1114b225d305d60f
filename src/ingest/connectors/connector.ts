// The connector port: where a source's files come from. A connector names files and reads them; it knows nothing of
// parsing, chunks or the record. Uris are stable: the same file has the same uri in every run.
import type { FootnoteError } from '../../core/errors.ts';

export interface ConnectorFile {
  readonly kind: 'file';
  /** Identity within the source: the path relative to the connector's root, with forward slashes. */
  readonly uri: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** Throws FootnoteError: `storage-denied`, `not-found` (gone since it was named), `cancelled`. */
  read(signal?: AbortSignal): Promise<Uint8Array>;
}

/** A file or folder that could not be looked at: nothing whose uri begins with `uri` may be taken for gone. */
export interface ConnectorProblem {
  readonly kind: 'problem';
  readonly uri: string;
  readonly error: FootnoteError;
}

export interface ConnectorReader {
  /** Every file of the source, in a fixed order. Throws if the source as a whole cannot be read. */
  files(signal?: AbortSignal): AsyncIterable<ConnectorFile | ConnectorProblem>;
}
