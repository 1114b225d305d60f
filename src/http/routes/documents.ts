// Documents as HTTP alone has them: uploads, long texts that were printed elsewhere, bytes, and the page that shows a span.
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { editionOf } from '../../core/document.ts';
import { type AddDocument, type GivenFile, type SaidOfDocument, withFile } from '../../core/documents/add-document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import type { AddedDocument, CallOptions, Footnote } from '../../footnote/facade.ts';
import {
  addedDocumentsSchema,
  type documentRequestSchema,
  type readingQuerySchema,
} from '../../operations/contract/contract.ts';
import { documents } from '../../operations/documents.ts';
import type { Caller } from '../../operations/operation.ts';
import { concealedFiles } from '../../operations/sources.ts';
import { stores } from '../../operations/stores.ts';
import { mayUse } from '../hardening/guard.ts';
import { createHeldReplies } from '../hardening/held-replies.ts';
import { byteRangeOf, headOfPart, isKnown } from '../wire/byte-range.ts';
import { isOpenedByPerson, preferredMime } from '../wire/content-negotiation.ts';
import type { Door } from '../wire/http-types.ts';
import { documentView, viewPage, viewPolicy } from '../wire/view.ts';
import { askedOf, callerOf, type Handle, type OwnRoutes } from './routes.ts';

export const documentRoutes = (door: Door): OwnRoutes => [...intakeRoutes(door), ...readingRoutes(door)];

function intakeRoutes(door: Door): OwnRoutes {
  const adding =
    (add: (footnote: Footnote, request: FastifyRequest) => Intake['add']): Handle =>
    async ({ request, reply }) => {
      const [footnote, conceal] = [door.footnoteOf(request), door.concealFrom(request)];
      const intake = { add: add(footnote, request), footnote, signal: door.signalOf(reply), conceal };
      await sendAdded(reply, await addDocuments(request, intake));
      return reply;
    };

  return [
    [documents.add, adding((footnote) => (document, options) => footnote.documents.add(document, options))],
    [
      stores.add,
      adding((footnote, request) => (document, options) => {
        const { store } = askedOf(stores.add, request).params;
        return footnote.stores.add(store, document, options);
      }),
    ],
    [
      documents.preview,
      async (exchange) => {
        const { request, reply } = exchange;
        const { body: document } = askedOf(documents.preview, request);
        const uploads = request.uploads ?? [];
        const [upload] = uploads;
        if ([document.text, document.url].filter((one) => one !== undefined).length + uploads.length !== 1)
          throw new FootnoteError(
            'invalid-request',
            'Send one text, one address, or one file as multipart/form-data, at a time.',
          );
        const signal = door.signalOf(reply);
        const given = upload ? withFile(document, upload) : document;
        const caller = callerOf(door, exchange);
        return concealedFiles(await caller.footnote.documents.preview(given, { signal }), caller);
      },
    ],
  ];
}

function readingRoutes(door: Door): OwnRoutes {
  const held = createHeldReplies();

  /** Of a long document a part that was printed elsewhere, else what the table gives. */
  const printedOr =
    (part: 'text' | 'chunks' | 'structure'): Handle =>
    async ({ request, reply }, next) => {
      const { params, query } = askedOf(documents.text, request);
      const range = part === 'text' ? query : {};
      const { start, end } = range;
      if (start !== undefined && end !== undefined && end < start)
        throw new FootnoteError('invalid-request', `query.end: is ${end}, before query.start (${start}).`);
      held.admit();
      const printed = await door.footnoteOf(request).documents.print?.(params.id, part, range);
      if (!printed) return next();
      held.hold(reply, printed.byteLength);
      const bytes = Buffer.from(printed.buffer, printed.byteOffset, printed.byteLength);
      return reply.header('content-type', 'application/json; charset=utf-8').send(bytes);
    };

  return [
    [documents.text, printedOr('text')],
    [documents.chunks, printedOr('chunks')],
    [documents.structure, printedOr('structure')],
    [
      documents.file,
      async ({ request, reply }) => {
        held.admit();
        const { id } = askedOf(documents.file, request).params;
        const { documents: calls } = door.footnoteOf(request);
        const { range: part, 'if-none-match': known, 'if-range': only } = request.headers;
        void reply.headers({ 'cache-control': 'private, no-cache', vary: 'Authorization, Cookie' });
        const now = (known ?? only) === undefined ? '' : `"${editionOf(await calls.get(id))}"`;
        if (isKnown(known, now)) return reply.code(304).header('etag', now).send();
        // A range is one of GET alone (RFC 9110, 14.2).
        const isPart = request.method === 'GET' && (only === undefined || only === now);
        const range = isPart ? byteRangeOf(part) : undefined;
        const file = await calls.file(id, range);
        const { bytes, mime, name } = file;
        held.hold(reply, bytes.byteLength);
        headOfPart(reply.header('etag', `"${file.edition}"`), file, range);
        return reply
          .header('content-type', /^[\w.+-]+\/[\w.+-]+(;.*)?$/.test(mime) ? mime : 'application/octet-stream')
          .header('content-disposition', contentDisposition(name))
          .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
          .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      },
    ],
    [
      documents.view,
      async ({ request, reply }) => {
        const { params, query } = askedOf(documents.view, request);
        void reply.header('vary', 'Accept, Sec-Fetch-Mode, Sec-Fetch-Dest, Upgrade-Insecure-Requests');
        // The pages show the source as it looks, to keys that may ask the API for it. What the view leads on to by itself (`from`) stays here, and works without script.
        if (isOpenedByPerson(request) && query.from === undefined && mayUse(request.scope?.principal ?? {}, 'api')) {
          const { start = 0, end = start } = query;
          return reply.redirect(`/app/documents/${encodeURIComponent(params.id)}?start=${start}&end=${end}`, 303);
        }
        const view = await documentView(door.footnoteOf(request).documents, params.id, query);
        const { excerpt } = view;
        const mime = preferredMime(request.headers.accept, ['text/html', 'application/json', 'text/plain']);
        if (mime === 'application/json')
          return reply.header('content-type', 'application/json; charset=utf-8').send(excerpt);
        void reply.header('content-type', `${mime}; charset=utf-8`).serializer(String);
        if (mime === 'text/plain') return reply.send(excerpt.before + excerpt.quote + excerpt.after);
        return reply.header('content-security-policy', viewPolicy).send(viewPage(view));
      },
    ],
  ];
}

type DocumentBody = z.output<typeof documentRequestSchema>;
type Reading = z.output<typeof readingQuerySchema>;
interface FailedFile {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

interface Intake {
  readonly add: (document: AddDocument, options: CallOptions) => Promise<readonly AddedDocument[]>;
  readonly footnote: Footnote;
  readonly signal: AbortSignal;
  readonly conceal: Caller['conceal'];
}

/** What a request says of documents, and its files. Throws `invalid-request` where it has no document, or says what fits one alone. */
export function givenIn(
  { uploads: files = [] }: FastifyRequest,
  { body: document, query: { retry, reread } }: { readonly body: DocumentBody; readonly query: Reading },
): { readonly said: SaidOfDocument; readonly files: readonly GivenFile[] } {
  const isOne = document.text !== undefined || document.url !== undefined;
  if (!isOne && files.length === 0)
    throw new FootnoteError(
      'invalid-request',
      'body.text: is missing. Send a text, an address (url), or upload files as multipart/form-data.',
    );
  if (document.text !== undefined && document.url !== undefined)
    throw new FootnoteError('invalid-request', 'body.url: given together with body.text. Send one or the other.');
  if (isOne && files.length > 0)
    throw new FootnoteError(
      'invalid-request',
      `body.${document.text === undefined ? 'url' : 'text'}: given together with files. Send one or the other.`,
    );
  if (files.length > 1)
    for (const field of ['uri', 'title', 'mime'] as const)
      if (document[field] !== undefined)
        throw new FootnoteError(
          'invalid-request',
          `body.${field}: fits one file only. Upload the files one by one to set it.`,
        );
  return {
    said: { ...document, ...(retry === true && { retry }), ...(reread !== undefined && { reread }) },
    files,
  };
}

/** Adds what the request carries. One bad file of several does not stop the others; if none could be taken, its error. */
async function addDocuments(
  request: FastifyRequest,
  { add, footnote, signal, conceal = String }: Intake,
): Promise<{ documents: AddedDocument[]; failed?: FailedFile[] }> {
  const asked = askedOf(documents.add, request);
  const { query } = asked;
  const added: AddedDocument[] = [];
  const failed: FailedFile[] = [];
  let firstError: unknown;
  const { said, files } = givenIn(request, asked);
  const given: readonly AddDocument[] = files.length === 0 ? [said] : files.map((file) => withFile(said, file));
  for (const document of given) {
    try {
      added.push(...(await add(document, { signal })));
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      if (signal.aborted || error.code === 'internal' || error.code.startsWith('storage-')) throw thrown;
      firstError ??= thrown;
      const name = document.name ?? document.url ?? 'text';
      failed.push({ name, code: error.code, message: conceal(error.message) });
    }
  }
  if (added.length === 0 && failed.length > 0) throw firstError;
  const settled = query.wait === true ? await settle(added, footnote, signal) : added;
  return failed.length > 0 ? { documents: settled, failed } : { documents: settled };
}

/** Documents of a reply that are printed without a turn for other requests: some 3 ms. */
const printedTogether = 200;

type Added = Awaited<ReturnType<typeof addDocuments>>;

/** Replies with what was added. Throws for what does not fit the contract. */
async function sendAdded(reply: FastifyReply, added: Added): Promise<void> {
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
async function settle(added: AddedDocument[], footnote: Footnote, signal: AbortSignal): Promise<AddedDocument[]> {
  const settled: AddedDocument[] = [];
  for (const document of added) {
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

/** RFC 6266: an ASCII name for old clients and the real one beside it; always a download, never shown by the browser. */
export function contentDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_').slice(0, 200);
  const encoded = encodeURIComponent(name.toWellFormed().slice(0, 200).toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
