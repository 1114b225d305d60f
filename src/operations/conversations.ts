// The archive of conversations: bring exports in, add turns, list, remove, look from above, read a turn, ask it.

import { pageQuerySchema } from './contract/contract.ts';
import {
  addTurnsSchema,
  chatEventSchema,
  chatQuerySchema,
  chatRequestSchema,
  conversationListSchema,
  conversationParamsSchema,
  conversationSchema,
  importQuerySchema,
  importReportSchema,
  peekRequestSchema,
  peekSchema,
  readTurnListSchema,
  readTurnSchema,
  turnParamsSchema,
  turnQuerySchema,
} from './contract/conversations.ts';
import { operation, peculiar } from './operation.ts';

const reader = { role: 'reader', tag: 'conversations' } as const;
const writer = { role: 'writer', tag: 'conversations', lane: 'documents' } as const;
const params = conversationParamsSchema;

/** Largest export, bytes. */
export const importBytes = 8 * 1024 * 1024 * 1024;

export const conversations = {
  import: peculiar('POST /v1/conversations/import', {
    ...writer,
    summary: 'Bring in an export of conversations: multipart/form-data with one file, or its bytes as the body',
    files: 'export',
    bodyLimit: () => importBytes,
    query: importQuerySchema,
    reply: importReportSchema,
  }),
  addTurns: operation('POST /v1/conversations/:id/turns', {
    ...writer,
    summary: 'Add messages to an archived conversation; it is made where it does not exist',
    params,
    bodyLimit: ({ documentBytes }) => documentBytes,
    body: addTurnsSchema,
    reply: importReportSchema,
  }),
  list: operation('GET /v1/conversations', {
    ...reader,
    summary: 'Archived conversations, last brought in first',
    query: pageQuerySchema,
    reply: conversationListSchema,
  }),
  get: operation('GET /v1/conversations/:id', {
    ...reader,
    summary: 'An archived conversation',
    params,
    reply: conversationSchema,
  }),
  turns: operation('GET /v1/conversations/:id/turns', {
    ...reader,
    summary: 'The turns of an archived conversation in order',
    params,
    query: pageQuerySchema,
    reply: readTurnListSchema,
  }),
  delete: operation('DELETE /v1/conversations/:id', {
    ...reader,
    summary: 'Remove an archived conversation with its turns, and what was answered out of it',
    params,
    forgets: true,
  }),
  peek: operation('POST /v1/conversations/peek', {
    ...reader,
    summary: 'When something was spoken of: a histogram over all hits, and pieces of the best',
    lane: 'questions',
    body: peekRequestSchema,
    reply: peekSchema,
  }),
  turn: operation('GET /v1/turns/:turn_id', {
    ...reader,
    summary: 'An archived turn, whole or as its summary, with its neighbours where asked',
    params: turnParamsSchema,
    query: turnQuerySchema,
    reply: readTurnSchema,
  }),
  chat: peculiar('POST /chat', {
    ...reader,
    summary: 'Ask the archive of conversations; the answer streams as server-sent events',
    lane: 'questions',
    query: chatQuerySchema,
    body: chatRequestSchema,
    replies: {
      200: {
        description: 'Server-sent events; the last one is `done` or `error`',
        content: { 'text/event-stream': { schema: chatEventSchema } },
      },
    },
  }),
  deleteChat: operation('DELETE /chat/:conversation_id', {
    ...reader,
    summary: 'Remove a chat over the archive',
    forgets: true,
  }),
};
