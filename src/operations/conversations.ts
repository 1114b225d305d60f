// The archive of conversations: bring exports in, add turns, list, remove, look from above, read a turn, ask it.

import { z } from 'zod';
import { archiveRoles, binUnits, exportFormats, peekBreakdowns } from '../core/archive.ts';
import { errorEventSchema } from '../core/events.ts';
import { markSchema } from '../core/marked-text.ts';
import { damagedSchema, flagSchema, nameSchema, pageQuerySchema } from './contract/contract.ts';
import { operationsFor } from './operation.ts';

const idSchema = z.string().min(1).max(600);
const conversationParamsSchema = z.strictObject({ id: idSchema });
const turnParamsSchema = z.strictObject({ turn_id: idSchema });

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

const importReportSchema = z
  .object({
    format: z.string(),
    conversations: z.int(),
    turns: z.object({ created: z.int(), updated: z.int(), unchanged: z.int(), removed: z.int() }),
    redactions: z.int(),
    /** What could not be read, and why: 100 of them, and how many more there are. */
    warnings: z.array(z.string()),
  })
  .meta({ id: 'ConversationImport' });

const newMessageSchema = z.strictObject({
  /** Messages of one turn have one; without it a person's message begins a turn. */
  turn_id: z.string().min(1).max(256).optional(),
  role: z.string().min(1).max(200),
  author: nameSchema.optional(),
  text: z.string().min(1),
  /** RFC 3339. */
  timestamp: z.iso.datetime({ offset: true }).optional(),
});
const addTurnsSchema = z
  .strictObject({
    title: z.string().max(500).optional(),
    shared: z.boolean().optional(),
    messages: z.array(newMessageSchema).min(1).max(10_000),
  })
  .meta({ id: 'AddTurns' });

const conversationSchema = z
  .object({
    conversation_id: z.string(),
    title: z.string(),
    format: z.string(),
    turns: z.int(),
    first_timestamp: z.string().optional(),
    last_timestamp: z.string().optional(),
    imported_at: z.string(),
    shared: z.boolean(),
  })
  .meta({ id: 'ArchivedConversation' });

const conversationListSchema = z
  .object({ data: z.array(conversationSchema), nextCursor: z.string().optional() })
  .meta({ id: 'ArchivedConversationList' });

const messageSchema = z.object({
  role: z.enum(archiveRoles),
  author: z.string().optional(),
  text: z.string(),
  timestamp: z.string().optional(),
  /** What came with it and is not in the export: a kind, or the name of a file. */
  attachments: z.array(z.string()).optional(),
});
const turnFields = {
  turn_id: z.string(),
  /** As the export calls it, where that is not its id. */
  source_turn_id: z.string().optional(),
  conversation_id: z.string(),
  title: z.string(),
  timestamp: z.string().optional(),
  content_used: z.enum(['full', 'summary']),
  messages: z.array(messageSchema),
  /** Of the whole turn. */
  tokens: z.int(),
};
const neighbourSchema = z.object(turnFields).meta({ id: 'NeighbourTurn' });
const readTurnSchema = z
  .object({ ...turnFields, previous: z.array(neighbourSchema).optional(), next: z.array(neighbourSchema).optional() })
  .meta({ id: 'ArchivedTurn' });
const readTurnListSchema = z
  .object({ data: z.array(readTurnSchema), damaged: damagedSchema, nextCursor: z.string().optional() })
  .meta({ id: 'ArchivedTurnList' });

const turnQuerySchema = z.strictObject({
  /** Tells turns of one id apart. */
  conversation_id: idSchema.optional(),
  /** Turns before and after it. */
  neighbours: z.coerce.number().int().min(0).max(20).optional(),
  /** `auto`: whole unless it is longer than CHAT_TURN_MAX_TOKENS. */
  content: z.enum(['auto', 'full', 'summary']).optional(),
  /** What a summary should keep. */
  query: z.string().min(1).max(10_000).optional(),
});

const chatRequestSchema = z
  .strictObject({
    /** Continues that chat; an unknown one is created. */
    conversation_id: nameSchema.max(128).optional(),
    messages: z
      .array(z.strictObject({ role: z.enum(['user', 'assistant', 'system']), content: z.string().max(20_000) }))
      .min(1)
      .max(1000),
  })
  .meta({ id: 'ChatRequest' });
const chatQuerySchema = z.strictObject({
  /** Each look at the archive and each turn that is read, too. */
  events: z.enum(['all']).optional(),
});

const timeRangeSchema = z.strictObject({ from: z.string().max(64).optional(), to: z.string().max(64).optional() });
const peekRequestSchema = z
  .strictObject({
    query: z.string().min(1).max(10_000),
    /** Of how many best hits each bin tells its share. Default 100. */
    top_k: z.int().min(1).max(10_000).optional(),
    /** Half open; RFC 3339, or a day, month or year of the time zone. */
    time_range: timeRangeSchema.optional(),
    bin: z.enum(binUnits).optional(),
    conversation_id: idSchema.optional(),
    /** Default 10. */
    top_n_snippets: z.int().min(0).max(100).optional(),
    /** IANA name by which bins are cut. Default UTC. */
    time_zone: z.string().min(1).max(64).optional(),
    by: z.array(z.enum(peekBreakdowns)).max(2).optional(),
  })
  .meta({ id: 'PeekRequest' });

const peekSchema = z
  .object({
    query: z.string(),
    /** The analysed terms: a hit has at least one of them. */
    terms: z.array(z.string()),
    bin: z.enum(binUnits).exclude(['auto']),
    time_zone: z.string(),
    time_range: timeRangeSchema.optional(),
    total: z.object({
      hits: z.int(),
      conversations: z.int(),
      /** Hits without a time are in no bin. */
      undated: z.int(),
      /** Turns that the filters leave. */
      turns: z.int(),
      first_timestamp: z.string().optional(),
      last_timestamp: z.string().optional(),
    }),
    /** Bins of the calendar without a gap, half open. */
    histogram: z.array(
      z.object({
        label: z.string(),
        from: z.string(),
        to: z.string(),
        count: z.int(),
        /** Of the `top_k` best hits. */
        top_k: z.int(),
        peak: z.boolean(),
      }),
    ),
    conversations: z
      .array(
        z.object({
          conversation_id: z.string(),
          title: z.string(),
          count: z.int(),
          top_k: z.int(),
          counts: z.array(z.int()),
        }),
      )
      .optional(),
    conversations_omitted: z.int().optional(),
    roles: z.array(z.object({ role: z.enum(archiveRoles), count: z.int(), counts: z.array(z.int()) })).optional(),
    /** The best turns first; one that is no hit stands beside turns that are. */
    snippets: z.array(
      z.object({
        turn_id: z.string(),
        conversation_id: z.string(),
        title: z.string(),
        timestamp: z.string().optional(),
        role: z.enum(archiveRoles),
        author: z.string().optional(),
        snippet: z.string(),
        score: z.number(),
        hit: z.boolean(),
      }),
    ),
    zoom: z
      .object({
        time_range: z.object({ from: z.string(), to: z.string() }),
        bin: z.enum(binUnits),
        reason: z.string(),
      })
      .optional(),
  })
  .meta({ id: 'Peek' });

const archiveCitationSchema = z.object({
  /** From 1, as `[1]` stands in the answer. */
  index: z.int(),
  turn_id: z.string(),
  conversation_id: z.string(),
  title: z.string(),
  timestamp: z.string().optional(),
  role: z.enum(archiveRoles),
  author: z.string().optional(),
  /** Word for word as it stands in the turn. */
  quote: z.string(),
});

/** The events of a chat over the archive; the last one is `done` or `error`. `peek` and `turn` come with `?events=all` only. */
const chatEventSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('delta'), text: z.string(), marks: z.array(markSchema).exactOptional() }),
    archiveCitationSchema.extend({ type: z.literal('citation') }),
    z.object({
      type: z.literal('peek'),
      reason: z.string(),
      query: z.string(),
      time_range: timeRangeSchema.optional(),
      hits: z.int(),
      peaks: z.array(z.string()),
      bin: z.enum(binUnits).exclude(['auto']).optional(),
      /** Bins with hits, in the order of time. */
      histogram: z.array(z.object({ label: z.string(), count: z.int(), peak: z.boolean() })).optional(),
    }),
    z.object({
      type: z.literal('turn'),
      turn_id: z.string(),
      content_used: z.enum(['full', 'summary']),
      tokens: z.int(),
    }),
    z.object({
      type: z.literal('done'),
      conversation_id: z.string(),
      answer: z.string(),
      /** Every `[n]` of the answer that is a mark, in its order. */
      marks: z.array(markSchema).optional(),
      citations: z.array(archiveCitationSchema),
      cited_turn_ids: z.array(z.string()),
      hydrated_turn_ids: z.array(z.string()),
      abstained: z.boolean(),
      weak: z.boolean(),
      coverage: z.number(),
      time_range: timeRangeSchema.optional(),
      usage: z.object({
        peeks: z.int(),
        hydrations: z.int(),
        max_hydrations: z.int(),
        tokens: z.int(),
        max_tokens: z.int(),
      }),
      /** Who explored and wrote; absent where rules did. */
      model: z.string().optional(),
      trace_id: z.string().optional(),
      degraded: z.array(z.string()),
    }),
    errorEventSchema,
  ])
  .meta({ id: 'ArchiveChatEvent' });

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
