// What reading something would bring, without reading it in: a folder of this machine (for admins, as with syncing) or one document.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readsThisMachine } from '../../core/connector.ts';
import type { Source } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { hasRole } from '../../core/scope.ts';
import { toConnector } from '../../operations/contract/connector.ts';
import { documentRequestSchema, sourceRequestSchema } from '../../operations/contract/contract.ts';
import { ingestPreviewSchema, previewEventSchema } from '../../operations/contract/preview.ts';
import { toProblem } from '../policy/problem.ts';
import { wantsEventStream } from '../wire/content-negotiation.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import type { WireEvent } from '../wire/sse.ts';
import { takeUpload } from './documents.ts';

const tags = ['ingestion'];

/** A run tells of every file; a client needs no more than this. */
const tellEveryMs = 200;

export function registerPreviewRoutes(app: HttpApp, door: Door): void {
  app.post(
    '/v1/sources/preview',
    {
      schema: {
        summary: 'What reading a source would bring: nothing is written',
        tags,
        body: sourceRequestSchema,
        response: {
          200: {
            description: 'The finding, or (server-sent events) the progress and then the finding',
            content: {
              'application/json': { schema: ingestPreviewSchema },
              'text/event-stream': { schema: previewEventSchema },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { connector: given, ...rest } = request.body;
      if (given === undefined)
        throw new FootnoteError(
          'unsupported',
          'There is nothing to look at: the source has no connector. Give one, or send a document to /v1/documents/preview.',
        );
      const connector = toConnector(given);
      if (readsThisMachine(connector) && !(request.scope && hasRole(request.scope.principal, 'admin')))
        throw new FootnoteError(
          'forbidden',
          'A folder connector reads the disk of the server: it needs the role admin.',
        );
      const source: Source = { ...rest, connector };
      if (wantsEventStream(request))
        return follow(door, { request: request as FastifyRequest, reply: reply as unknown as FastifyReply }, source);
      return door.footnoteOf(request).sources.preview(source, { signal: door.signalOf(reply) });
    },
  );

  app.post(
    '/v1/documents/preview',
    {
      bodyLimit: door.limits.documentBytes,
      preValidation: (request) => takeUpload(request, door),
      schema: {
        summary: 'What adding a document would bring: nothing is written',
        tags,
        body: documentRequestSchema,
        response: { 200: ingestPreviewSchema },
      },
    },
    async (request, reply) => {
      const document = request.body;
      const uploads = request.uploads ?? [];
      const [upload] = uploads;
      if ([document.text, document.url].filter((one) => one !== undefined).length + uploads.length !== 1)
        throw new FootnoteError(
          'invalid-request',
          'Send one text, one address, or one file as multipart/form-data, at a time.',
        );
      const mime = document.mime ?? upload?.mime ?? '';
      const { mime: _given, ...fields } = document;
      return door.footnoteOf(request).documents.preview(
        {
          ...fields,
          ...(upload && { bytes: upload.bytes, name: upload.name }),
          ...(mime !== '' && { mime }),
        },
        { signal: door.signalOf(reply) },
      );
    },
  );
}

/** Ends when the client goes: a look that nobody waits for is of no use. */
function follow(
  door: Door,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  source: Source,
): FastifyReply {
  const { sources } = door.footnoteOf(request);
  const stream = door.streams.open({ owner: request.id, requestHash: '', requestId: request.id });
  let toldAt = Number.NEGATIVE_INFINITY;
  const run = async (): Promise<void> => {
    try {
      const preview = await sources.preview(source, {
        signal: stream.signal,
        onProgress(ingestion) {
          if (performance.now() - toldAt < tellEveryMs) return;
          toldAt = performance.now();
          stream.append({ type: 'progress', ingestion } as WireEvent);
        },
      });
      stream.end({ type: 'done', preview } as WireEvent);
    } catch (thrown) {
      stream.end({ type: 'error', problem: toProblem(toFootnoteError(thrown), request.id) } as WireEvent);
    }
  };
  void run();
  return door.streams.send(reply, stream);
}
