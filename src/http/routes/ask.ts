// Questions: search, ask, and the answers that were given.

import { answerSchema, askRequestSchema } from '../../core/answer.ts';
import { streamEventSchema } from '../../core/events.ts';
import { searchRequestSchema, searchResponseSchema } from '../../core/search.ts';
import { answerCheckSchema, idParamsSchema } from '../../operations/contract/contract.ts';
import { answerUsesQuerySchema, answerUsesSchema } from '../../operations/contract/lineage.ts';
import { wantsEventStream } from '../wire/content-negotiation.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { pageOf } from '../wire/paging.ts';
import { streamAnswer } from '../wire/stream-answer.ts';

/** The replies of a route that answers: one Answer, or its events. */
export const answerReplies = {
  200: {
    description: 'The answer, or its events as they happen (server-sent; the last is `done` or `error`)',
    content: {
      'application/json': { schema: answerSchema },
      'text/event-stream': { schema: streamEventSchema },
    },
  },
};

export function registerAskRoutes(app: HttpApp, door: Door): void {
  app.post(
    '/v1/search',
    {
      schema: {
        summary: 'Search the documents',
        tags: ['questions'],
        body: searchRequestSchema,
        response: { 200: searchResponseSchema },
      },
    },
    async (request, reply) => door.footnoteOf(request).search(request.body, door.callOf(request, reply)),
  );

  app.post(
    '/v1/ask',
    {
      schema: {
        summary: 'Ask a question: every claim of the answer cites a verified span',
        tags: ['questions'],
        body: askRequestSchema,
        response: answerReplies,
      },
    },
    async (request, reply) => {
      const footnote = door.footnoteOf(request);
      if (wantsEventStream(request))
        return streamAnswer(door, { request, reply }, (options) => footnote.ask(request.body, options));
      return footnote.ask(request.body, door.callOf(request, reply));
    },
  );

  app.get(
    '/v1/answers/:id',
    {
      schema: {
        summary: 'An answer that was given',
        tags: ['questions'],
        params: idParamsSchema,
        response: { 200: answerSchema },
      },
    },
    async (request) => door.footnoteOf(request).answers.get(request.params.id),
  );

  app.post(
    '/v1/answers/verify',
    {
      bodyLimit: 8 * door.limits.bodyBytes,
      schema: {
        summary: 'Check a saved answer against the documents as they are now',
        tags: ['questions'],
        body: answerSchema,
        response: { 200: answerCheckSchema },
      },
    },
    async (request) => door.footnoteOf(request).answers.verify(request.body),
  );

  app.get(
    '/v1/documents/:id/answers',
    {
      schema: {
        summary: 'Answers that rest on a document, newest first, also after it was changed or deleted',
        tags: ['documents'],
        params: idParamsSchema,
        querystring: answerUsesQuerySchema,
        response: { 200: answerUsesSchema },
      },
    },
    async (request) => {
      const { chunk: chunkId, ...page } = request.query;
      const place = { documentId: request.params.id, ...(chunkId !== undefined && { chunkId }) };
      const { data, ...next } = await door.footnoteOf(request).answers.using(place, pageOf(page));
      return { data: data.map(({ chunks, ...use }) => ({ ...use, chunks: [...chunks] })), ...next };
    },
  );
}
