// Documents: put in (text or files), list, show, remove; their text, their bytes, and what shows a span.
import { z } from 'zod';
import { FootnoteError } from '../core/errors.ts';
import { parseJsonBody } from '../core/json/json-body.ts';
import { allOf, type Filter, filterSchema } from '../core/search.ts';
import type { DocumentDetail } from '../footnote/facade.ts';
import {
  addedDocumentsSchema,
  chunkListSchema,
  documentDetailSchema,
  documentListQuerySchema,
  documentListSchema,
  documentRequestSchema,
  documentViewSchema,
  rangeQuerySchema,
  structureSchema,
  textRangeSchema,
  viewQuerySchema,
  waitQuerySchema,
} from './contract/contract.ts';
import { ingestPreviewSchema } from './contract/preview.ts';
import { operation, peculiar } from './operation.ts';

const reader = { role: 'reader', tag: 'documents' } as const;
const intake = {
  role: 'writer',
  lane: 'documents',
  files: 'documents',
  bodyLimit: ({ documentBytes }: { readonly documentBytes: number }) => documentBytes,
  body: documentRequestSchema,
} as const;

export const documents = {
  add: peculiar('POST /v1/documents', {
    ...intake,
    tag: 'documents',
    summary: 'Add a document, or upload files',
    query: waitQuerySchema,
    status: 202,
    reply: addedDocumentsSchema,
  }),
  preview: peculiar('POST /v1/documents/preview', {
    ...intake,
    tag: 'ingestion',
    summary: 'What adding a document would bring: nothing is written',
    reply: ingestPreviewSchema,
  }),
  list: peculiar('GET /v1/documents', {
    ...reader,
    summary: 'Documents',
    query: documentListQuerySchema,
    reply: documentListSchema,
    run({ footnote, call }, { query: { source, filter: given, ...page } }) {
      const filter = listFilter(source, given);
      return footnote.documents.list({ ...page, ...(filter && { filter }) }, { signal: call.signal });
    },
  }),
  get: operation('GET /v1/documents/:id', {
    ...reader,
    summary: 'A document',
    reply: documentDetailSchema,
    shown: (document: DocumentDetail) => ({ ...document, chunks: document.chunkCount }),
  }),
  delete: operation('DELETE /v1/documents/:id', {
    role: 'writer',
    tag: 'documents',
    summary: 'Remove a document from everywhere',
    forgets: true,
  }),
  text: operation('GET /v1/documents/:id/text', {
    ...reader,
    summary: 'The canonical text, or a range of it in UTF-16 code units',
    query: rangeQuerySchema,
    reply: textRangeSchema,
  }),
  file: peculiar('GET /v1/documents/:id/file', {
    ...reader,
    summary: 'The original bytes',
    replies: {
      200: {
        description: 'The file, in its own media type',
        content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
      },
    },
  }),
  view: peculiar('GET /v1/documents/:id/view', {
    ...reader,
    summary: 'The text with a span highlighted: a page, or (by Accept) JSON or plain text around the span',
    query: viewQuerySchema,
    replies: {
      200: {
        description: 'The span in its surroundings',
        content: {
          'text/html': { schema: z.string() },
          'text/plain': { schema: z.string() },
          'application/json': { schema: documentViewSchema },
        },
      },
    },
  }),
  chunks: operation('GET /v1/documents/:id/chunks', {
    ...reader,
    summary: 'The pieces of a document as they are searched',
    reply: chunkListSchema,
    within: 'data',
  }),
  structure: operation('GET /v1/documents/:id/structure', {
    ...reader,
    summary: 'Pages, headings and word boxes',
    reply: structureSchema,
  }),
};

function listFilter(source: string | undefined, given: string | undefined): Filter | undefined {
  const filters: Filter[] = source === undefined ? [] : [{ op: 'eq', field: 'source', value: source }];
  if (given !== undefined) {
    const parsed = filterSchema.safeParse(parseJsonBody(Buffer.from(given)));
    if (!parsed.success)
      throw new FootnoteError(
        'invalid-request',
        'query.filter: is not a filter. GET /v1/schemas/filter describes one.',
      );
    filters.push(parsed.data);
  }
  return allOf(filters);
}
