// Documents: put in (text or files), list, show, remove; their text, their bytes, and the page that shows a span.

import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { allOf, type Filter, filterSchema } from '../../core/search.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import type { AddDocument, AddedDocument, CallOptions, Footnote } from '../../footnote/facade.ts';
import type { DocumentView } from '../../footnote/record/document-view.ts';
import {
  addedDocumentsSchema,
  chunkListSchema,
  documentDetailSchema,
  documentListQuerySchema,
  documentListSchema,
  documentRequestSchema,
  documentViewSchema,
  idParamsSchema,
  isSet,
  rangeQuerySchema,
  structureSchema,
  textRangeSchema,
  viewQuerySchema,
  waitQuerySchema,
} from '../../operations/contract/contract.ts';
import { createHeldReplies, type HeldReplies } from '../hardening/held-replies.ts';
import { parseJsonBody } from '../hardening/json-body.ts';
import { preferredMime } from '../wire/content-negotiation.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { emptySchema, pageOf } from '../wire/paging.ts';
import { readUpload } from '../wire/upload.ts';
import { documentView, viewPage, viewPolicy } from '../wire/view.ts';

const tags = ['documents'];

/** The schema and hooks of a route that takes documents, as JSON or as an upload. */
export const documentIntake = {
  body: documentRequestSchema,
  querystring: waitQuerySchema,
  response: { 202: addedDocumentsSchema },
  tags,
};

/** Reads an upload, where the route takes one; elsewhere multipart is refused. */
export async function takeUpload(request: FastifyRequest, door: Door): Promise<void> {
  if (request.isMultipart()) await readUpload(request, door.limits);
}

// oxlint-disable-next-line house/own-lines -- One route stands after another, each with its schema.
export function registerDocumentRoutes(app: HttpApp, door: Door): void {
  const held = createHeldReplies();
  app.post(
    '/v1/documents',
    {
      bodyLimit: door.limits.documentBytes,
      preValidation: (request) => takeUpload(request, door),
      schema: { summary: 'Add a document, or upload files', ...documentIntake },
    },
    async (request, reply) => {
      const footnote = door.footnoteOf(request);
      const added = await addDocuments(request, {
        add: (document, options) => footnote.documents.add(document, options),
        footnote,
        signal: door.signalOf(reply),
      });
      await sendAdded(reply, added);
      return reply;
    },
  );

  app.get(
    '/v1/documents',
    {
      schema: {
        summary: 'Documents',
        tags,
        querystring: documentListQuerySchema,
        response: { 200: documentListSchema },
      },
    },
    async (request, reply) => {
      const filter = listFilter(request.query);
      return door
        .footnoteOf(request)
        .documents.list({ ...pageOf(request.query), ...(filter ? { filter } : {}) }, { signal: door.signalOf(reply) });
    },
  );

  app.get(
    '/v1/documents/:id',
    { schema: { summary: 'A document', tags, params: idParamsSchema, response: { 200: documentDetailSchema } } },
    async (request) => {
      const document = await door.footnoteOf(request).documents.get(request.params.id);
      return { ...document, chunks: document.chunkCount };
    },
  );

  app.delete(
    '/v1/documents/:id',
    {
      schema: {
        summary: 'Remove a document from everywhere',
        tags,
        params: idParamsSchema,
        response: { 204: emptySchema },
      },
    },
    async (request, reply) => {
      await door.footnoteOf(request).documents.delete(request.params.id);
      door.forgetStreams(request);
      return reply.code(204).send();
    },
  );

  app.get(
    '/v1/documents/:id/text',
    {
      schema: {
        summary: 'The canonical text, or a range of it in UTF-16 code units',
        tags,
        params: idParamsSchema,
        querystring: rangeQuerySchema,
        response: { 200: textRangeSchema },
      },
    },
    async (request, reply) => {
      const { start, end } = request.query;
      if (start !== undefined && end !== undefined && end < start)
        throw new FootnoteError('invalid-request', `query.end: is ${end}, before query.start (${start}).`);
      const range = { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
      const { documents } = door.footnoteOf(request);
      held.admit();
      const printed = await documents.print?.(request.params.id, 'text', range);
      return printed ? sendPrinted(reply, { printed, held }) : documents.text(request.params.id, range);
    },
  );

  app.get(
    '/v1/documents/:id/file',
    {
      schema: {
        summary: 'The original bytes',
        tags,
        params: idParamsSchema,
        response: {
          200: {
            description: 'The file, in its own media type',
            content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
          },
        },
      },
    },
    async (request, reply) => {
      held.admit();
      const { bytes, mime, name } = await door.footnoteOf(request).documents.file(request.params.id);
      held.hold(reply, bytes.byteLength);
      return reply
        .header('content-type', /^[\w.+-]+\/[\w.+-]+(;.*)?$/.test(mime) ? mime : 'application/octet-stream')
        .header('content-disposition', contentDisposition(name))
        .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
        .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) as unknown as string);
    },
  );

  app.get(
    '/v1/documents/:id/view',
    {
      schema: {
        summary: 'The text with a span highlighted: a page, or (by Accept) JSON or plain text around the span',
        tags,
        params: idParamsSchema,
        querystring: viewQuerySchema,
        response: {
          200: {
            description: 'The span in its surroundings',
            content: {
              'text/html': { schema: z.string() },
              'text/plain': { schema: z.string() },
              'application/json': { schema: documentViewSchema },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { documents } = door.footnoteOf(request);
      const view = await documentView(documents, request.params.id, request.query);
      void reply.header('vary', 'Accept');
      const mime = preferredMime(request.headers.accept, ['text/html', 'application/json', 'text/plain']);
      if (mime === 'application/json')
        return reply.header('content-type', 'application/json; charset=utf-8').send(view.excerpt);
      if (mime === 'text/plain') return sendText(view);
      return reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-security-policy', viewPolicy)
        .serializer(String)
        .send(viewPage(view));

      function sendText({ excerpt }: DocumentView) {
        return reply
          .header('content-type', 'text/plain; charset=utf-8')
          .serializer(String)
          .send(excerpt.before + excerpt.quote + excerpt.after);
      }
    },
  );

  app.get(
    '/v1/documents/:id/chunks',
    {
      schema: {
        summary: 'The pieces of a document as they are searched',
        tags,
        params: idParamsSchema,
        response: { 200: chunkListSchema },
      },
    },
    async (request, reply) => {
      const { documents } = door.footnoteOf(request);
      held.admit();
      const printed = await documents.print?.(request.params.id, 'chunks');
      return printed ? sendPrinted(reply, { printed, held }) : { data: await documents.chunks(request.params.id) };
    },
  );

  app.get(
    '/v1/documents/:id/structure',
    {
      schema: {
        summary: 'Pages, headings and word boxes',
        tags,
        params: idParamsSchema,
        response: { 200: structureSchema },
      },
    },
    async (request, reply) => {
      const { documents } = door.footnoteOf(request);
      held.admit();
      const printed = await documents.print?.(request.params.id, 'structure');
      return printed ? sendPrinted(reply, { printed, held }) : documents.structure(request.params.id);
    },
  );
}

/** A reply that was printed elsewhere, in the shape of its schema. */
function sendPrinted(reply: FastifyReply, { printed, held }: { printed: Uint8Array; held: HeldReplies }): never {
  held.hold(reply, printed.byteLength);
  const bytes = Buffer.from(printed.buffer, printed.byteOffset, printed.byteLength);
  return reply.header('content-type', 'application/json; charset=utf-8').send(bytes) as never;
}

type DocumentBody = z.output<typeof documentRequestSchema>;
interface FailedFile {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

interface Intake {
  readonly add: (document: AddDocument, options: CallOptions) => Promise<readonly AddedDocument[]>;
  readonly footnote: Footnote;
  readonly signal: AbortSignal;
}

/** Adds what the request carries. One bad file of several does not stop the others; if none could be taken, its error. */
// oxlint-disable-next-line complexity -- Each form in which documents come is a case.
export async function addDocuments(
  request: FastifyRequest,
  { add, footnote, signal }: Intake,
): Promise<{ documents: AddedDocument[]; failed?: FailedFile[] }> {
  const document = request.body as DocumentBody;
  const query = request.query as { wait?: string; retry?: string; reread?: string };
  const uploads = request.uploads ?? [];
  const isOne = document.text !== undefined || document.url !== undefined;
  if (!isOne && uploads.length === 0)
    throw new FootnoteError(
      'invalid-request',
      'body.text: is missing. Send a text, an address (url), or upload files as multipart/form-data.',
    );
  if (document.text !== undefined && document.url !== undefined)
    throw new FootnoteError('invalid-request', 'body.url: given together with body.text. Send one or the other.');
  if (isOne && uploads.length > 0)
    throw new FootnoteError(
      'invalid-request',
      `body.${document.text === undefined ? 'url' : 'text'}: given together with files. Send one or the other.`,
    );
  if (uploads.length > 1)
    for (const field of ['uri', 'title', 'mime'] as const)
      if (document[field] !== undefined)
        throw new FootnoteError(
          'invalid-request',
          `body.${field}: fits one file only. Upload the files one by one to set it.`,
        );

  const documents: AddedDocument[] = [];
  const failed: FailedFile[] = [];
  let firstError: unknown;
  for (const item of isOne ? [undefined] : uploads) {
    const mime = document.mime ?? item?.mime ?? '';
    const { mime: _given, ...fields } = document;
    try {
      documents.push(
        ...(await add(
          {
            ...fields,
            ...(item ? { bytes: item.bytes, name: item.name } : {}),
            ...(mime === '' ? {} : { mime }),
            ...(isSet(query.retry) && { retry: true }),
            ...(query.reread !== undefined && { reread: isSet(query.reread) }),
          },
          { signal },
        )),
      );
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      if (signal.aborted || error.code === 'internal' || error.code.startsWith('storage-')) throw thrown;
      firstError ??= thrown;
      failed.push({ name: item?.name ?? document.url ?? 'text', code: error.code, message: error.message });
    }
  }
  if (documents.length === 0 && failed.length > 0) throw firstError;
  const settled = isSet(query.wait) ? await settle(documents, footnote, signal) : documents;
  return failed.length > 0 ? { documents: settled, failed } : { documents: settled };
}

/** Documents of a reply that are printed without a turn for other requests: some 3 ms. */
const printedTogether = 200;

type Added = Awaited<ReturnType<typeof addDocuments>>;

/** Replies with what was added. Throws for what does not fit the contract. */
export async function sendAdded(reply: FastifyReply, added: Added): Promise<void> {
  void reply.code(202);
  if (added.documents.length <= printedTogether) {
    void reply.send(added);
    return;
  }
  // The same reply as text: its serializer would check and print thousands of documents in one go.
  const printed = await printAdded(added);
  void reply.header('content-type', 'application/json; charset=utf-8').serializer(String).send(printed);
}

/** The reply as its schema lets it through, printed in pieces. */
async function printAdded({ documents, ...rest }: Added): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < documents.length; at += printedTogether) {
    const some = addedDocumentsSchema.shape.documents.parse(documents.slice(at, at + printedTogether));
    pieces.push(JSON.stringify(some).slice(1, -1));
    await nextTurn();
  }
  const others = JSON.stringify(addedDocumentsSchema.parse({ documents: [], ...rest }));
  return others.replace('"documents":[]', () => `"documents":[${pieces.join(',')}]`);
}

/** Waits until no delivery is pending any more. */
async function settle(documents: AddedDocument[], footnote: Footnote, signal: AbortSignal): Promise<AddedDocument[]> {
  const settled: AddedDocument[] = [];
  for (const document of documents) {
    let { deliveries } = document;
    for (
      let pauseMs = 20;
      deliveries.some((delivery) => delivery.status === 'pending');
      pauseMs = Math.min(1000, pauseMs * 2)
    ) {
      await pause(pauseMs, undefined, { signal });
      const now = await footnote.documents.get(document.id);
      deliveries = now.deliveries.map(({ store, status }) => ({ store, status }));
    }
    settled.push({ ...document, deliveries });
  }
  return settled;
}

function listFilter(query: z.output<typeof documentListQuerySchema>): Filter | undefined {
  const filters: Filter[] = [];
  if (query.source !== undefined) filters.push({ op: 'eq', field: 'source', value: query.source });
  if (query.filter !== undefined) {
    const parsed = filterSchema.safeParse(parseJsonBody(Buffer.from(query.filter)));
    if (!parsed.success)
      throw new FootnoteError(
        'invalid-request',
        'query.filter: is not a filter. GET /v1/schemas/filter describes one.',
      );
    filters.push(parsed.data);
  }
  return allOf(filters);
}

/** RFC 6266: an ASCII name for old clients and the real one beside it; always a download, never shown by the browser. */
export function contentDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_').slice(0, 200);
  const encoded = encodeURIComponent(name.toWellFormed().slice(0, 200).toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
