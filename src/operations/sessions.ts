// Chats with this server: sessions and their messages.
import { z } from 'zod';
import { answerSchema, messageRequestSchema } from '../core/answer.ts';
import { sessionSchema, turnSchema } from '../core/conversation.ts';
import { listOf, pageFields, pageQuerySchema } from './contract/contract.ts';
import { operationsFor } from './operation.ts';

const sessionRequestSchema = z
  .strictObject({ title: z.string().min(1).max(500).exactOptional() })
  .meta({ id: 'SessionRequest' });

const sessionListSchema = listOf(sessionSchema).meta({ id: 'SessionList' });

export const turnListSchema = z.object({ data: z.array(turnSchema) }).meta({ id: 'TurnList' });

const turnListQuerySchema = z.strictObject({ limit: pageFields.limit });

const reader = operationsFor('reader', 'sessions');

export const sessions = {
  create: reader.call('POST /v1/rag/sessions', 'Start a session', {
    body: sessionRequestSchema,
    mayBeEmpty: true,
    status: 201,
    reply: sessionSchema,
  }),
  list: reader.call('GET /v1/rag/sessions', 'Sessions', { query: pageQuerySchema, reply: sessionListSchema }),
  get: reader.call('GET /v1/rag/sessions/:session_id', 'A session', { reply: sessionSchema }),
  delete: reader.call('DELETE /v1/rag/sessions/:session_id', 'Delete a session with its messages', { forgets: true }),
  turns: reader.peculiar('GET /v1/rag/sessions/:session_id/messages', 'The turns of a session, oldest first', {
    query: turnListQuerySchema,
    reply: turnListSchema,
    run: async ({ footnote }, { params, query }) => ({
      data: await footnote.sessions.turns(params.session_id, query.limit),
    }),
  }),
  send: reader.call(
    'POST /v1/rag/sessions/:session_id/messages',
    'Ask within a session; follow-ups are resolved against its turns',
    { lane: 'questions', body: messageRequestSchema, called: true, reply: answerSchema, answers: true },
  ),
};
