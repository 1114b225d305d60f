// The parser port: bytes of one file in, canonical text with structure out. Parsers run in a child process (parser-pool)
// with a deadline, so that a file made to hurt costs only itself; cutting into chunks happens there too, where it blocks
// nobody.
import type { ParseInput, UnpackedFile, UnpackLimits } from '@footnote/readers/reader';
import type { LinksInput, WebLinks } from '@footnote/readers/web/links';
import type { AttachedFile, Chunk, Metadata, ParsedDocument } from '../../core/document.ts';
import type { Fingerprint } from '../../core/documents/fingerprint.ts';
import type { ErrorCode } from '../../core/errors.ts';

export interface Chunking {
  readonly maxTokens: number;
  readonly overlapTokens: number;
  readonly minTokens: number;
}

/** How a document is cut, and what is known of it beforehand. */
export interface CutPlan {
  readonly chunking: Chunking;
  /** The ids of the chunks are made for this document. */
  readonly documentId: string;
  readonly name: string;
  readonly title?: string;
  readonly language?: string;
}

/** A document that is parsed and cut. */
export interface CutDocument
  extends Pick<
    ParsedDocument,
    'text' | 'mime' | 'pages' | 'headings' | 'words' | 'places' | 'metadata' | 'citeByLine' | 'warnings'
  > {
  readonly textHash: string;
  readonly title?: string;
  /** Named by the plan or the file, or found. */
  readonly language?: string;
  readonly publishedAt?: string;
  readonly documentId: string;
  /** Their texts are the slices of `text`. Empty where there is no text. */
  readonly chunks: readonly Omit<Chunk, 'text' | 'documentId'>[];
  /** By which nearly equal texts are found. */
  readonly fingerprint: Fingerprint;
  /** Which reader read it, and which edition of it (reading-editions.ts). */
  readonly reading: string;
  /** The text is, byte for byte, the file. */
  readonly isOriginal: boolean;
  /** Files inside, which become documents of their own; absent where there are none. */
  readonly attachments?: readonly AttachedFile[];
}

/** A run of whole lines of JSONL that are documents. */
export interface LinesJob {
  readonly bytes: Uint8Array;
  /** Number of the first line, from 1. */
  readonly firstLine: number;
  readonly lineCount: number;
  /** Numbers of the lines that are wanted; absent: all. */
  readonly only?: readonly number[];
  readonly source: string;
  readonly fileUri: string;
  /** Absent: only the facts of each line are wanted. */
  readonly chunking?: Chunking;
}

/** A line that is a document. */
export interface LinesRecord {
  readonly lineNumber: number;
  readonly id?: string;
  readonly title?: string;
  readonly uri?: string;
  readonly publishedAt?: string;
  readonly updatedAt?: string;
  readonly category?: string;
  readonly version?: string;
  readonly language?: string;
  readonly metadata: Metadata;
  /** SHA-256 of the line. */
  readonly contentHash: string;
  readonly hasText: boolean;
  /** Present where chunks were asked for and there is text. */
  readonly cut?: CutDocument;
}

/** A line that could not be taken. */
export interface LinesFault {
  readonly lineNumber: number;
  readonly fault: string;
  /** Present where this line by itself cost its parser the process or ran out of time. */
  readonly code?: ErrorCode;
}

/** In the order of the lines. */
export type LinesReply = readonly (LinesRecord | LinesFault)[];

export interface ParserPool {
  /** Parses in a child; `deadline-exceeded` after `timeoutMs`, `invalid-media` if the child died on the file. */
  parse(
    input: ParseInput,
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<ParsedDocument>;
  close(): Promise<void>;
}

export interface CuttingPool extends ParserPool {
  /** Parses and cuts in a child; throws as `parse` does. */
  cut(input: ParseInput, plan: CutPlan, signal?: AbortSignal): Promise<CutDocument>;
  /** Takes an archive apart in a child of its own, a few files at a time: the next ones are unpacked when they are asked for. */
  unpack(input: ParseInput, limits: UnpackLimits, signal?: AbortSignal): AsyncIterable<readonly UnpackedFile[]>;
  /** Reads a run of lines in a child. A line on which the child dies or misses its deadline is a fault of that line. */
  readLines(job: LinesJob, signal?: AbortSignal): Promise<LinesReply>;
}

export interface LinkReader {
  /** What a page, a sitemap or a feed leads to, read in a child; throws as `parse` does. */
  readLinks(input: LinksInput, signal?: AbortSignal): Promise<WebLinks>;
}
