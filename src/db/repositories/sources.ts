// The sources that documents stand in: port of what is asked of them.
import type { Source, SourceType } from '../../core/document.ts';

/** Documents of one source and one kind. */
export interface SourceKind {
  readonly name: string;
  readonly type: SourceType;
  /** As it was declared for the source; absent where it was not. */
  readonly authority?: number;
  /** The same. */
  readonly ttlSeconds?: number;
}

export interface SourceRepository {
  get(name: string): Promise<Source | undefined>;
  list(): Promise<readonly (Source & { documents: number })[]>;
  /** The sources that hold documents, with the kinds that these are of: what a question may be asked of. */
  kinds(): Promise<readonly SourceKind[]>;
  /**
   * The documents that came by the connector of a source, and how many chunks they have, where the tenant has anything else: a document of
   * another source, a turn of the archive or a memory. Undefined where there is none of these. `isAlone`: all
   * documents of the source, whatever else there is and however they came.
   */
  besideOthers(
    name: string,
    options?: { readonly isAlone: true },
  ): Promise<{ readonly documentIds: readonly string[]; readonly chunks: number } | undefined>;
}
