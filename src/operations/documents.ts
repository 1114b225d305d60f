// Documents: put in (text or files), list, show, remove; their text, their bytes, and what shows a span.

import { z } from 'zod';
import { chunkSchema } from '../core/document.ts';
import { ingestPreviewSchema } from '../core/documents/preview.ts';
import { FootnoteError } from '../core/errors.ts';
import { parseJsonBody } from '../core/json/json-body.ts';
import { allOf, type Filter, filterSchema } from '../core/search.ts';
import type { DocumentDetail } from '../footnote/facade.ts';
import {
  addedDocumentsSchema,
  documentDetailSchema,
  documentListQuerySchema,
  documentListSchema,
  documentRequestSchema,
  rangeQuerySchema,
  viewQuerySchema,
  waitQuerySchema,
} from './contract/contract.ts';
import { operationsFor } from './operation.ts';

const textRangeSchema = z.object({ text: z.string(), start: z.int(), end: z.int() }).meta({ id: 'TextRange' });

const spanPairSchema = z.tuple([z.int(), z.int()]).readonly();
const chunkListSchema = z.object({ data: z.array(chunkSchema) }).meta({ id: 'ChunkList' });

const spanFields = { start: z.int(), end: z.int() };
const pageFacts = { number: z.int(), label: z.string().optional(), width: z.number(), height: z.number() };
const boxSchema = z.object({
  ...spanFields,
  page: z.int(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});
const structureSchema = z
  .object({
    pages: z.array(z.object({ ...spanFields, ...pageFacts })),
    headings: z.array(z.object({ ...spanFields, level: z.int(), title: z.string() })),
    words: z.array(boxSchema),
    places: z.array(z.object({ ...spanFields, label: z.string() })).optional(),
  })
  .meta({ id: 'DocumentStructure' });

const boxesSchema = z
  .object({
    pages: z.array(z.object(pageFacts)).describe('Those that the boxes stand on; sizes in the unit of the boxes'),
    boxes: z.array(boxSchema).describe('From the upper left corner; `start` and `end` say of which text'),
  })
  .meta({ id: 'DocumentBoxes' });

/** A span with the text around it: what the HTML view shows, for programs. */
const documentViewSchema = z
  .object({
    documentId: z.string(),
    title: z.string(),
    uri: z.string(),
    source: z.string(),
    start: z.int(),
    end: z.int(),
    quote: z.string(),
    before: z.string(),
    after: z.string(),
    page: z.int().optional(),
    lines: spanPairSchema.optional(),
    place: z.string().optional(),
    textLength: z.int(),
  })
  .meta({ id: 'DocumentView' });

const writer = operationsFor('writer', 'documents');
const writerIngestion = operationsFor('writer', 'ingestion');
const reader = operationsFor('reader', 'documents');
/** A document as text or an address, or files. */
export const intake = {
  role: 'writer',
  lane: 'documents',
  files: 'documents',
  bodyLimit: ({ documentBytes }: { readonly documentBytes: number }) => documentBytes,
  body: documentRequestSchema,
} as const;

const binary = { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } };

export const documents = {
  add: writer.peculiar('POST /v1/documents', 'Add a document, or upload files', {
    ...intake,
    query: waitQuerySchema,
    status: 202,
    reply: addedDocumentsSchema,
  }),
  preview: writerIngestion.peculiar(
    'POST /v1/documents/preview',
    'What adding a document would bring: nothing is written',
    { ...intake, reply: ingestPreviewSchema },
  ),
  list: reader.peculiar('GET /v1/documents', 'Documents', {
    query: documentListQuerySchema,
    reply: documentListSchema,
    run({ footnote, call }, { query: { source, filter: given, ...page } }) {
      const filter = listFilter(source, given);
      return footnote.documents.list({ ...page, ...(filter && { filter }) }, { signal: call.signal });
    },
  }),
  get: reader.call('GET /v1/documents/:id', 'A document', {
    reply: documentDetailSchema,
    shown: (document: DocumentDetail) => ({ ...document, chunks: document.chunkCount }),
  }),
  delete: writer.call('DELETE /v1/documents/:id', 'Remove a document from everywhere', { forgets: true }),
  text: reader.call('GET /v1/documents/:id/text', 'The canonical text, or a range of it in UTF-16 code units', {
    query: rangeQuerySchema,
    reply: textRangeSchema,
  }),
  file: reader.peculiar('GET /v1/documents/:id/file', 'The original bytes, or a range of them', {
    replies: {
      200: { description: 'The file, in its own media type', content: binary },
      206: { description: 'What `Range` asked for, if `If-Range` is absent or the `ETag`', content: binary },
      304: z.undefined().describe('As `If-None-Match` says'),
    },
  }),
  view: reader.peculiar(
    'GET /v1/documents/:id/view',
    'The text with a span highlighted: a page, or (by Accept) JSON or plain text around the span',
    {
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
        303: z.undefined().describe('To the page of the source, for whoever opens it in a browser without `from`'),
      },
    },
  ),
  chunks: reader.call('GET /v1/documents/:id/chunks', 'The pieces of a document as they are searched', {
    reply: chunkListSchema,
    within: 'data',
  }),
  structure: reader.call('GET /v1/documents/:id/structure', 'Pages, headings and word boxes', {
    reply: structureSchema,
  }),
  boxes: reader.call(
    'GET /v1/documents/:id/boxes',
    'Where a span stands on its pages: one box a line; or each word of a page',
    { query: rangeQuerySchema.extend({ page: z.coerce.number().int().min(1).exactOptional() }), reply: boxesSchema },
  ),
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
