// Runs of reading a source: counts, files, live progress, cancelling.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FootnoteError } from '../../core/errors.ts';
import {
  idParamsSchema,
  ingestionDetailSchema,
  ingestionFileListSchema,
  ingestionFilesQuerySchema,
  ingestionListSchema,
  pageQuerySchema,
  parkedFileListSchema,
  parkedQuerySchema,
} from '../../operations/contract/contract.ts';
import { progressEventSchema } from '../../operations/contract/events.ts';
import { toProblem } from '../policy/problem.ts';
import { wantsEventStream } from '../wire/content-negotiation.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { emptySchema, pageOf } from '../wire/paging.ts';
import { streamOwner, type WireEvent } from '../wire/sse.ts';

const tags = ['ingestion'];

export function registerIngestionRoutes(app: HttpApp, door: Door): void {
  app.get(
    '/v1/ingestions',
    {
      schema: {
        summary: 'Ingestions, newest first',
        tags,
        querystring: pageQuerySchema,
        response: { 200: ingestionListSchema },
      },
    },
    async (request) => {
      const page = await door.footnoteOf(request).ingestions.list(pageOf(request.query));
      return { ...page, data: page.data.map(asTold(door, request as FastifyRequest)) };
    },
  );

  app.get(
    '/v1/ingestions/:id',
    {
      exposeHeadRoute: false,
      schema: {
        summary: 'An ingestion with its first files, or (server-sent events) its progress',
        tags,
        params: idParamsSchema,
        response: {
          200: {
            description: 'The present state, or each change until the run ends',
            content: {
              'application/json': { schema: ingestionDetailSchema },
              'text/event-stream': { schema: progressEventSchema },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { ingestions } = door.footnoteOf(request);
      const ingestion = await ingestions.get(request.params.id);
      if (wantsEventStream(request)) return watch(door, request as FastifyRequest, reply as unknown as FastifyReply);
      const files = await ingestions.files(request.params.id, { limit: 100 });
      const told = asTold(door, request as FastifyRequest);
      return {
        ...told(ingestion),
        files: files.data.map(told),
        ...(files.nextCursor === undefined ? {} : { nextFilesCursor: files.nextCursor }),
      };
    },
  );

  app.get(
    '/v1/ingestions/:id/files',
    {
      schema: {
        summary: 'The files of an ingestion with their outcome',
        tags,
        params: idParamsSchema,
        querystring: ingestionFilesQuerySchema,
        response: { 200: ingestionFileListSchema },
      },
    },
    async (request) => {
      const { state } = request.query;
      const page = { ...pageOf(request.query), ...(state === undefined ? {} : { state }) };
      const files = await door.footnoteOf(request).ingestions.files(request.params.id, page);
      return { ...files, data: files.data.map(asTold(door, request as FastifyRequest)) };
    },
  );

  app.get(
    '/v1/parked-files',
    {
      schema: {
        summary: 'Files that were given up after three tries, and why',
        tags,
        querystring: parkedQuerySchema,
        response: { 200: parkedFileListSchema },
      },
    },
    async (request) => {
      const { source } = request.query;
      const page = { ...pageOf(request.query), ...(source === undefined ? {} : { source }) };
      const parked = await door.footnoteOf(request).ingestions.parked(page);
      return { ...parked, data: parked.data.map(asTold(door, request as FastifyRequest)) };
    },
  );

  app.delete(
    '/v1/ingestions/:id',
    { schema: { summary: 'Cancel an ingestion', tags, params: idParamsSchema, response: { 204: emptySchema } } },
    async (request, reply) => {
      await door.footnoteOf(request).ingestions.cancel(request.params.id);
      return reply.code(204).send();
    },
  );
}

interface Failable {
  readonly error?: { readonly message: string };
}

/** What ended a run or a file, as the caller may see it: keys do not see where on the machine anything lies. */
function asTold(door: Door, request: FastifyRequest): <Value extends Failable>(value: Value) => Value {
  const conceal = door.concealFrom(request);
  return (value) =>
    conceal && value.error ? { ...value, error: { ...value.error, message: conceal(value.error.message) } } : value;
}

// A client that comes back needs no log: the first event is always the present state.
function watch(door: Door, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { ingestions } = door.footnoteOf(request);
  const { id } = request.params as { id: string };
  const stream = door.streams.open({
    owner: streamOwner(request.scope?.tenant, request.scope?.principal.id),
    // Of no other request: nobody comes back to it.
    requestHash: request.id,
    requestId: request.id,
  });
  const told = asTold(door, request);
  const forward = async (): Promise<void> => {
    let last: unknown;
    try {
      for await (const ingestion of ingestions.watch(id, stream.signal)) {
        const shown = told(ingestion);
        last = shown;
        if (ingestion.state === 'running') stream.append({ type: 'progress', ingestion: shown } as WireEvent);
      }
      if (last === undefined) throw new FootnoteError('not-found', 'There is no ingestion with this id.');
      stream.end({ type: 'done', ingestion: last } as WireEvent);
    } catch (error) {
      stream.end({
        type: 'error',
        problem: toProblem(error, request.id, { conceal: door.concealFrom(request) }),
      } as WireEvent);
    }
  };
  void forward();
  return door.streams.send(reply, stream);
}
