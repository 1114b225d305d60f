// A document as callers hand it over.
import type { Metadata, SourceType } from '../document.ts';

/** A document handed over directly: text, the bytes of a file (then the parser decides), or the address of a page, which is visited. */
export interface AddDocument {
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly url?: string;
  /** File name of `bytes`. */
  readonly name?: string;
  readonly title?: string;
  readonly mime?: string;
  /** Identity within the source; a new version replaces the old one. Default: derived from the name or the content. */
  readonly uri?: string;
  /** Name of the source; created with type `docs` when it does not exist. Default `uploads`. */
  readonly source?: string;
  readonly sourceType?: SourceType;
  readonly category?: string;
  readonly version?: string;
  readonly publishedAt?: string;
  readonly metadata?: Metadata;
  readonly access?: readonly string[];
  readonly stores?: readonly string[];
  readonly password?: string;
  /** Tried in turn where it, or a file inside it, asks for one; at most 100. */
  readonly passwords?: readonly string[];
  /** Read it even if it was given up after three tries. */
  readonly retry?: boolean;
  /**
   * Read it although its bytes have not changed, with all that is inside it, or never; absent: where its reader was improved since. What comes
   * out as it is recorded stays.
   */
  readonly reread?: boolean;
}

/** A file beside what is said of its document. */
export interface GivenFile {
  readonly name: string;
  /** Empty: its name and its bytes decide. */
  readonly mime: string;
  readonly bytes: Uint8Array;
}

export type SaidOfDocument = Omit<AddDocument, 'bytes' | 'name'>;

/** A document of the bytes that came beside what is said of it. */
export function withFile(said: SaidOfDocument, { name, bytes, mime: own }: GivenFile): AddDocument {
  const { mime = own, ...facts } = said;
  return { ...facts, bytes, name, ...(mime !== '' && { mime }) };
}
