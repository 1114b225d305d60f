// Chats with this server: sessions and their messages.
import { answerSchema, messageRequestSchema } from '../core/answer.ts';
import {
  pageQuerySchema,
  sessionListSchema,
  sessionRequestSchema,
  sessionSchema,
  turnListQuerySchema,
  turnListSchema,
} from './contract/contract.ts';
import { operation, peculiar } from './operation.ts';

const reader = { role: 'reader', tag: 'sessions' } as const;

export const sessions = {
  create: operation('POST /v1/rag/sessions', {
    ...reader,
    summary: 'Start a session',
    body: sessionRequestSchema,
    mayBeEmpty: true,
    status: 201,
    reply: sessionSchema,
  }),
  list: operation('GET /v1/rag/sessions', {
    ...reader,
    summary: 'Sessions',
    query: pageQuerySchema,
    reply: sessionListSchema,
  }),
  get: operation('GET /v1/rag/sessions/:session_id', { ...reader, summary: 'A session', reply: sessionSchema }),
  delete: operation('DELETE /v1/rag/sessions/:session_id', {
    ...reader,
    summary: 'Delete a session with its messages',
    forgets: true,
  }),
  turns: peculiar('GET /v1/rag/sessions/:session_id/messages', {
    ...reader,
    summary: 'The turns of a session, oldest first',
    query: turnListQuerySchema,
    reply: turnListSchema,
    run: async ({ footnote }, { params, query }) => ({
      data: await footnote.sessions.turns(params.session_id, query.limit),
    }),
  }),
  send: operation('POST /v1/rag/sessions/:session_id/messages', {
    ...reader,
    summary: 'Ask within a session; follow-ups are resolved against its turns',
    lane: 'questions',
    body: messageRequestSchema,
    called: true,
    reply: answerSchema,
    answers: true,
  }),
};
