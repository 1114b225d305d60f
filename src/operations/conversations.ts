// The archive of conversations: bring exports in, add turns, list, remove, look from above, read a turn, ask it.

import { z } from 'zod';
import {
  addTurnsSchema,
  archiveIdSchema,
  chatEventSchema,
  chatRequestSchema,
  conversationSchema,
  exportFormats,
  importReportSchema,
  peekRequestSchema,
  peekSchema,
  readTurnSchema,
  turnQuerySchema,
} from '../core/archive.ts';
import { nameSchema } from '../core/values/name.ts';
import { damagedSchema, flagSchema, pageQuerySchema } from './contract/contract.ts';
import { operationsFor } from './operation.ts';

const conversationParamsSchema = z.strictObject({ id: archiveIdSchema });
const turnParamsSchema = z.strictObject({ turn_id: archiveIdSchema });

export const importQuerySchema = z.strictObject({
  /** Default, and with `auto`: told from the file. */
  format: z.enum([...exportFormats, 'auto']).optional(),
  /** IANA name, for times that do not say their offset. Default UTC. */
  time_zone: z.string().min(1).max(64).optional(),
  /** Everyone of the tenant may read it; default: who brings it in, and admins. */
  shared: flagSchema.optional(),
  /** Keys, tokens and passwords are replaced by a mark. */
  redact: flagSchema.optional(),
  /** Of the file; default: as the upload calls it. */
  name: nameSchema.optional(),
});

const conversationListSchema = z
  .object({ data: z.array(conversationSchema), nextCursor: z.string().optional() })
  .meta({ id: 'ArchivedConversationList' });

const readTurnListSchema = z
  .object({ data: z.array(readTurnSchema), damaged: damagedSchema, nextCursor: z.string().optional() })
  .meta({ id: 'ArchivedTurnList' });

const chatQuerySchema = z.strictObject({
  /** Each look at the archive and each turn that is read, too. */
  events: z.enum(['all']).optional(),
});

const reader = operationsFor('reader', 'conversations');
const writer = operationsFor('writer', 'conversations');
const params = conversationParamsSchema;

/** Largest export, bytes. */
export const importBytes = 8 * 1024 * 1024 * 1024;

export const conversations = {
  import: writer.peculiar(
    'POST /v1/conversations/import',
    'Bring in an export of conversations: multipart/form-data with one file, or its bytes as the body',
    {
      lane: 'documents',
      files: 'export',
      bodyLimit: () => importBytes,
      query: importQuerySchema,
      reply: importReportSchema,
    },
  ),
  addTurns: writer.call(
    'POST /v1/conversations/:id/turns',
    'Add messages to an archived conversation; it is made where it does not exist',
    {
      lane: 'documents',
      params,
      bodyLimit: ({ documentBytes }) => documentBytes,
      body: addTurnsSchema,
      reply: importReportSchema,
    },
  ),
  list: reader.call('GET /v1/conversations', 'Archived conversations, last brought in first', {
    query: pageQuerySchema,
    reply: conversationListSchema,
  }),
  get: reader.call('GET /v1/conversations/:id', 'An archived conversation', { params, reply: conversationSchema }),
  turns: reader.call('GET /v1/conversations/:id/turns', 'The turns of an archived conversation in order', {
    params,
    query: pageQuerySchema,
    reply: readTurnListSchema,
  }),
  delete: reader.call(
    'DELETE /v1/conversations/:id',
    'Remove an archived conversation with its turns, and what was answered out of it',
    { params, forgets: true },
  ),
  peek: reader.call(
    'POST /v1/conversations/peek',
    'When something was spoken of: a histogram over all hits, and pieces of the best',
    { lane: 'questions', body: peekRequestSchema, reply: peekSchema },
  ),
  turn: reader.call(
    'GET /v1/turns/:turn_id',
    'An archived turn, whole or as its summary, with its neighbours where asked',
    { params: turnParamsSchema, query: turnQuerySchema, reply: readTurnSchema },
  ),
  chat: reader.peculiar('POST /chat', 'Ask the archive of conversations; the answer streams as server-sent events', {
    lane: 'questions',
    unkept: true,
    query: chatQuerySchema,
    body: chatRequestSchema,
    replies: {
      200: {
        description: 'Server-sent events; the last one is `done` or `error`',
        content: { 'text/event-stream': { schema: chatEventSchema } },
      },
    },
  }),
  deleteChat: reader.call('DELETE /chat/:conversation_id', 'Remove a chat over the archive', { forgets: true }),
};
