// What requests did, for operators: traces found, read, exported, taken in from elsewhere, and pinned.
import type { z } from 'zod';
import { isFootnoteError } from '../../core/errors.ts';
import { mostTraceFileBytes, traceFileSchema } from '../../core/trace-file.ts';
import { idParamsSchema } from '../../operations/contract/contract.ts';
import {
  replayRequestSchema,
  replaySchema,
  takenTracesSchema,
  traceOrSessionSchema,
  tracePageSchema,
  traceSchema,
  tracesQuerySchema,
} from '../../operations/contract/traces.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { pageOf } from '../wire/paging.ts';

const tags = ['operations'];
const summaryReplySchema = traceSchema.shape.trace;

export function registerTraceRoutes(app: HttpApp, door: Door): void {
  app.get(
    '/admin/traces',
    {
      schema: {
        summary: 'Traces by time, session, outcome, intent, duration, cost or source, newest first',
        tags,
        querystring: tracesQuerySchema,
        response: { 200: tracePageSchema },
      },
    },
    async (request) => {
      const { limit, cursor, session: sessionId, pinned, ...filter } = request.query;
      const found = await door.footnoteOf(request).traces.list({
        ...pageOf({ limit, cursor }),
        filter: { ...filter, sessionId, ...(pinned !== undefined && { pinned: pinned === 'true' }) },
      });
      return found as z.output<typeof tracePageSchema>;
    },
  );

  app.get(
    '/admin/traces/:id',
    {
      schema: {
        summary: 'Everything one request did, or all requests of a session: by the id of either',
        tags,
        params: idParamsSchema,
        response: { 200: traceOrSessionSchema },
      },
    },
    async (request) => {
      const { traces } = door.footnoteOf(request);
      const { id } = request.params;
      const found = await traces.get(id).catch((thrown: unknown) => {
        if (isFootnoteError(thrown) && thrown.code === 'not-found') return traces.ofSession(id);
        throw thrown;
      });
      return found as z.output<typeof traceOrSessionSchema>;
    },
  );

  app.get(
    '/admin/traces/export/:id',
    {
      schema: {
        summary: 'The traces of a request or of a session as one file that needs no record',
        tags,
        params: idParamsSchema,
        response: { 200: traceFileSchema },
      },
    },
    async (request, reply) => {
      const file = await door.footnoteOf(request).traces.export(request.params.id);
      const name = `trace-${request.params.id.replace(/[^\w.-]/gu, '_')}.json`;
      void reply.header('content-disposition', `attachment; filename="${name}"`);
      return file as z.output<typeof traceFileSchema>;
    },
  );

  app.post(
    '/admin/traces/import',
    {
      bodyLimit: mostTraceFileBytes,
      schema: {
        summary: 'Take in traces that another server exported; they are pinned',
        tags,
        body: traceFileSchema,
        response: { 201: takenTracesSchema },
      },
    },
    async (request, reply) => {
      const data = await door.footnoteOf(request).traces.import(request.body);
      return reply.code(201).send({ data } as z.output<typeof takenTracesSchema>);
    },
  );

  app.post(
    '/admin/traces/:id/replay',
    {
      preValidation: async (request) => {
        request.body ??= {};
      },
      schema: {
        summary:
          'Run a recorded request again: from its trace alone, or for real, with what differs. Nothing of it is kept',
        tags,
        params: idParamsSchema,
        body: replayRequestSchema,
        response: { 200: replaySchema },
      },
    },
    async (request, reply) => {
      const signal = door.signalOf(reply);
      const replay = await door.footnoteOf(request).traces.replay(request.params.id, { ...request.body, signal });
      return replay as z.output<typeof replaySchema>;
    },
  );

  for (const [method, isPinned] of [
    ['PUT', true],
    ['DELETE', false],
  ] as const)
    app.route({
      method,
      url: '/admin/traces/:id/pin',
      schema: {
        summary: isPinned
          ? 'Keep a trace for as long as nobody lets it go'
          : 'Let a trace be pruned when its time comes',
        tags,
        params: idParamsSchema,
        response: { 200: summaryReplySchema },
      },
      handler: async (request) => {
        const { id } = request.params as { id: string };
        return (await door.footnoteOf(request).traces.pin(id, isPinned)) as z.output<typeof summaryReplySchema>;
      },
    });
}
