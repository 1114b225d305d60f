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

const titleSchema = z.strictObject({ title: z.string().trim().min(1).max(500) }).meta({ id: 'SessionTitle' });

export const turnListSchema = listOf(turnSchema).meta({ id: 'TurnList' });

const turnListQuerySchema = z.strictObject({
  ...pageFields,
  order: z
    .enum(['oldest', 'newest'])
    .exactOptional()
    .describe('What is first in the page; the cursor leads to earlier turns either way'),
});

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
  update: reader.call('PATCH /v1/rag/sessions/:session_id', 'Call a session otherwise', {
    body: titleSchema,
    reply: sessionSchema,
  }),
  delete: reader.call('DELETE /v1/rag/sessions/:session_id', 'Delete a session with its messages', { forgets: true }),
  page: reader.call(
    'GET /v1/rag/sessions/:session_id/messages',
    'The last turns of a session, then those before them',
    {
      query: turnListQuerySchema,
      reply: turnListSchema,
    },
  ),
  send: reader.call(
    'POST /v1/rag/sessions/:session_id/messages',
    'Ask within a session; follow-ups are resolved against its turns',
    { lane: 'questions', body: messageRequestSchema, called: true, reply: answerSchema, answers: true },
  ),
};
