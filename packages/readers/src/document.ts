// What every reader yields: one canonical text with its structure. Offsets are half-open ranges [start, end) of UTF-16 code units into the
// text, so that whatever is said of a range is checked by slicing. Types alone: nothing here runs.

/** Values that a document's metadata may hold; nested objects are kept as they are but cannot be filtered on. */
export type MetadataValue = string | number | boolean | null | MetadataValue[] | { [key: string]: MetadataValue };
export type Metadata = Record<string, MetadataValue>;

/** A half-open range of UTF-16 code units of a document's canonical text. */
export interface SourceSpan {
  readonly start: number;
  readonly end: number;
}

/** One page of a paginated document. `number` counts from 1; sizes and boxes are in PDF points, origin top left. */
export interface Page extends SourceSpan {
  readonly number: number;
  readonly label?: string;
  readonly width: number;
  readonly height: number;
}

/** Where a word of the canonical text stands on its page (PDF points, origin top left). */
export interface WordBox extends SourceSpan {
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** `label` says where, as people cite the format: `Sheet1!A2:D2`, `slide 3`, `cell 5`, `00:01:02`. */
export interface Place extends SourceSpan {
  readonly label: string;
}

/** A heading and the text it governs up to the next heading of the same or a higher level. `level` from 1. */
export interface Heading extends SourceSpan {
  readonly level: number;
  readonly title: string;
}

/** `boilerplate`: navigation, footers, cookie banners, quoted mail, signatures: in the text, but in no chunk. */
export type BlockKind =
  | 'heading'
  | 'paragraph'
  | 'list-item'
  | 'table-row'
  | 'code'
  | 'quote'
  | 'record'
  | 'other'
  | 'boilerplate';

/** A piece that chunking does not cut if it can help it (a paragraph, a list item, a table row, a function). */
export interface Block extends SourceSpan {
  readonly kind: BlockKind;
  /** For code: the path of the symbol, such as `class Foo > method bar`. */
  readonly symbol?: string;
  /** For a table row that the format marks as the names of the columns. */
  readonly isHeader?: boolean;
}

/** Lines that headings, footers and page numbers repeat: kept out of the canonical text, kept here for disclosure. */
export interface RunningHead {
  readonly page: number;
  readonly text: string;
}

/** A file inside a file: attached to a message or a PDF. It becomes a document of its own. */
export interface AttachedFile {
  /** As the container names it; a path inside it where there is one. */
  readonly name: string;
  readonly mime?: string;
  readonly bytes: Uint8Array;
}

/** What a parser yields: the canonical text with its structure. Ranges are sorted by start. */
export interface ParsedDocument {
  readonly text: string;
  readonly title?: string;
  /** BCP 47 primary language subtag, when known or detected. */
  readonly language?: string;
  readonly mime: string;
  readonly pages: readonly Page[];
  readonly headings: readonly Heading[];
  readonly blocks: readonly Block[];
  readonly words: readonly WordBox[];
  readonly runningHeads: readonly RunningHead[];
  /** How people cite parts of formats that have neither pages nor lines; empty elsewhere. */
  readonly places: readonly Place[];
  /** Files inside; absent where there are none. */
  readonly attachments?: readonly AttachedFile[];
  /** Facts from the file itself (author, created …). */
  readonly metadata: Metadata;
  readonly publishedAt?: string;
  /** True where line numbers are how people cite the format (source code, Markdown, plain text). */
  readonly citeByLine: boolean;
  /** Things the reader should know: pages without text, a broken character map … */
  readonly warnings: readonly string[];
}
