// The vocabulary of knowledge: a document has one canonical text; chunks, quotes and citations are half-open ranges
// [start, end) of UTF-16 code units into it, so that a citation is checked by slicing.
import { z } from 'zod';

export const sourceTypes = ['code', 'textbook', 'docs', 'guide', 'qa', 'web', 'conversation', 'workspace'] as const;
export type SourceType = (typeof sourceTypes)[number];

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

const blockKinds = [
  'heading',
  'paragraph',
  'list-item',
  'table-row',
  'code',
  'quote',
  'record',
  'other',
  // Navigation, footers, cookie banners, quoted mail, signatures: in the text, but in no chunk.
  'boilerplate',
] as const;
export type BlockKind = (typeof blockKinds)[number];

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

/** A piece of a document as it is searched. `text === document.text.slice(start, end)` always. */
export interface Chunk extends SourceSpan {
  readonly id: string;
  readonly documentId: string;
  readonly ordinal: number;
  readonly text: string;
  /** SHA-256 of `text`, hex. Checked whenever a span of the chunk is cited. */
  readonly hash: string;
  readonly headingPath: readonly string[];
  /** First and last page, where the document has pages. */
  readonly pages?: readonly [first: number, last: number];
  /** First and last line (from 1), where the format is cited by line. */
  readonly lines?: readonly [first: number, last: number];
  /** Where it stands in formats that have neither: `Sheet1!A2:D40`, `slide 3`, else the heading. */
  readonly place?: string;
  /** o200k_base tokens of `text`. */
  readonly tokens: number;
}

/** A document as the record keeps it, without its text. */
export interface DocumentRecord {
  readonly id: string;
  readonly source: string;
  readonly sourceType: SourceType;
  readonly uri: string;
  readonly title: string;
  readonly mime: string;
  readonly language?: string;
  readonly category?: string;
  /** The caller's own version label, if given; `revision` counts ours. */
  readonly version?: string;
  readonly revision: number;
  readonly publishedAt?: string;
  readonly updatedAt: string;
  /** SHA-256 of the original bytes (hex): unchanged bytes are not parsed again. */
  readonly contentHash: string;
  /** SHA-256 of the canonical text (hex): checked whenever a span is cited. */
  readonly textHash: string;
  /** Length of the canonical text in UTF-16 code units. */
  readonly textLength: number;
  readonly chunkCount: number;
  readonly metadata: Metadata;
  /** Who may read it: ids of principals or groups. Absent: everyone of the tenant. */
  readonly access?: readonly string[];
  readonly citeByLine: boolean;
  readonly warnings: readonly string[];
  /** Which reader read it, and which edition of it; absent where that was not kept yet. */
  readonly reading?: string;
}

export interface Source {
  readonly name: string;
  readonly type: SourceType;
  readonly authority?: number;
  readonly ttlSeconds?: number;
  readonly connector?: Connector;
  /** The declaration is not as it was recorded: what of it cannot be read is missing here. */
  readonly damaged?: true;
}

/** Where a source's documents come from: a folder of the machine that the program runs on. */
export const connectorSchema = z.strictObject({
  kind: z.literal('folder'),
  path: z.string().min(1),
  include: z.array(z.string()).optional(),
  exclude: z.array(z.string()).optional(),
  /** Path of a file with the passwords of encrypted files; the passwords themselves stand nowhere else. */
  passwordFile: z.string().min(1).optional(),
});
export type Connector = z.infer<typeof connectorSchema>;

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The state of one document in one store. */
export interface Delivery {
  readonly documentId: string;
  readonly store: string;
  readonly status: DeliveryStatus;
  readonly revision: number;
  readonly attempts: number;
  readonly lastError?: string;
  readonly updatedAt: string;
}
