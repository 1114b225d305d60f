// Chats with this server: sessions and their messages.
import { messageRequestSchema } from '../../core/answer.ts';
import {
  pageQuerySchema,
  sessionListSchema,
  sessionParamsSchema,
  sessionRequestSchema,
  sessionSchema,
  turnListQuerySchema,
  turnListSchema,
} from '../../operations/contract/contract.ts';
import { wantsEventStream } from '../wire/content-negotiation.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { emptySchema, pageOf } from '../wire/paging.ts';
import { streamAnswer } from '../wire/stream-answer.ts';
import { answerReplies } from './ask.ts';

const tags = ['sessions'];

export function registerSessionRoutes(app: HttpApp, door: Door): void {
  app.post(
    '/v1/rag/sessions',
    {
      // A session needs nothing: no body is an empty one.
      preValidation: async (request) => {
        request.body ??= {};
      },
      schema: {
        summary: 'Start a session',
        tags,
        body: sessionRequestSchema,
        response: { 201: sessionSchema },
      },
    },
    async (request, reply) => reply.code(201).send(await door.footnoteOf(request).sessions.create(request.body)),
  );

  app.get(
    '/v1/rag/sessions',
    { schema: { summary: 'Sessions', tags, querystring: pageQuerySchema, response: { 200: sessionListSchema } } },
    async (request) => door.footnoteOf(request).sessions.list(pageOf(request.query)),
  );

  app.get(
    '/v1/rag/sessions/:session_id',
    { schema: { summary: 'A session', tags, params: sessionParamsSchema, response: { 200: sessionSchema } } },
    async (request) => door.footnoteOf(request).sessions.get(request.params.session_id),
  );

  app.delete(
    '/v1/rag/sessions/:session_id',
    {
      schema: {
        summary: 'Delete a session with its messages',
        tags,
        params: sessionParamsSchema,
        response: { 204: emptySchema },
      },
    },
    async (request, reply) => {
      await door.footnoteOf(request).sessions.delete(request.params.session_id);
      door.forgetStreams(request);
      return reply.code(204).send();
    },
  );

  app.get(
    '/v1/rag/sessions/:session_id/messages',
    {
      schema: {
        summary: 'The turns of a session, oldest first',
        tags,
        params: sessionParamsSchema,
        querystring: turnListQuerySchema,
        response: { 200: turnListSchema },
      },
    },
    async (request) => {
      const { sessions } = door.footnoteOf(request);
      return { data: await sessions.turns(request.params.session_id, request.query.limit) };
    },
  );

  app.post(
    '/v1/rag/sessions/:session_id/messages',
    {
      schema: {
        summary: 'Ask within a session; follow-ups are resolved against its turns',
        tags,
        params: sessionParamsSchema,
        body: messageRequestSchema,
        response: answerReplies,
      },
    },
    async (request, reply) => {
      const { sessions } = door.footnoteOf(request);
      const { session_id: sessionId } = request.params;
      if (wantsEventStream(request))
        return streamAnswer(door, { request, reply }, (options) => sessions.send(sessionId, request.body, options));
      return sessions.send(sessionId, request.body, door.callOf(request, reply));
    },
  );
}
