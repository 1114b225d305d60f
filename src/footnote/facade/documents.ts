// What the doors may call of documents: handing them over, reading them, deleting them.

import type { RequestCall } from '../../agent/run.ts';
import type { Chunk, Delivery, DeliveryStatus, DocumentRecord } from '../../core/document.ts';
import type { AddDocument } from '../../core/documents/add-document.ts';
import type { IngestPreview } from '../../core/documents/preview.ts';
import type { DuplicateLink } from '../../core/documents/runs.ts';
import type { DocumentStructure } from '../../db/repositories/changes.ts';
import type { DocumentListRequest, DocumentPage } from '../../db/repositories/documents.ts';
import type { BoxesAsked, DocumentBoxes } from '../record/document-boxes.ts';
import type { DocumentView, ViewRange } from '../record/document-view.ts';
import type { ByteRange, FileSlice } from '../record/text-range.ts';

/** JSONL with a document per line yields several results. */
export interface AddedDocument {
  readonly id: string;
  readonly uri: string;
  readonly status: 'created' | 'updated' | 'unchanged';
  readonly chunks: number;
  readonly warnings: readonly string[];
  readonly deliveries: readonly { store: string; status: DeliveryStatus }[];
  /** Other documents that say the same, most similar first, at most 5; absent where there are none. */
  readonly duplicates?: readonly DuplicateLink[];
}

export interface DocumentDetail extends DocumentRecord {
  readonly deliveries: readonly Delivery[];
  /** Documents that say the same or nearly the same, most similar first, at most 100. */
  readonly duplicates: readonly DuplicateLink[];
}

export interface DocumentFile extends FileSlice {
  readonly mime: string;
  readonly name: string;
  /** Another where the bytes are others. */
  readonly edition: string;
}

export interface DocumentCalls {
  /** Parses, chunks, records and delivers; searchable when the promise resolves. */
  add(document: AddDocument, options?: RequestCall): Promise<readonly AddedDocument[]>;
  /** What adding it would bring. Nothing is written, and nothing is sent to a provider. */
  preview(document: AddDocument, options?: RequestCall): Promise<IngestPreview>;
  get(id: string): Promise<DocumentDetail>;
  list(request: DocumentListRequest, options?: RequestCall): Promise<DocumentPage>;
  delete(id: string): Promise<void>;
  /** `start..end` of the canonical text; the whole by default. */
  text(id: string, range?: { start?: number; end?: number }): Promise<{ text: string; start: number; end: number }>;
  /** The original, or a part of it; of a document without one its text. */
  file(id: string, range?: ByteRange): Promise<DocumentFile>;
  chunks(id: string): Promise<readonly Chunk[]>;
  structure(id: string): Promise<DocumentStructure>;
  /** Where a span stands on its pages, one box a line, or all words of a page. */
  boxes(id: string, asked: BoxesAsked): Promise<DocumentBoxes>;
  /**
   * A part of a long document as the JSON of the HTTP API, in UTF-8: made elsewhere, so that nobody waits for it. Undefined for a short one, and
   * absent where nothing is made elsewhere.
   */
  print?(
    id: string,
    part: 'text' | 'chunks' | 'structure',
    range?: { start?: number; end?: number },
  ): Promise<Uint8Array | undefined>;
  /** The same for a span in its surroundings. */
  view?(id: string, range: ViewRange): Promise<DocumentView | undefined>;
}
