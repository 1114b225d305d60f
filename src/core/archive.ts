// Words of the conversation archive: past conversations that were brought in from elsewhere. A turn is what a person said and what came
// back; of people among themselves each message is a turn of its own. Names are those of the wire, so that nothing is renamed
// between a door and the archive.
import { z } from 'zod';
import { errorEventSchema } from './events.ts';
import { markSchema } from './marked-text.ts';
import type { DeepReadonly } from './metadata.ts';
import { nameSchema } from './values/name.ts';

/** Whose words a message has. What exports call otherwise (`human`, a name, `bot`) is mapped to one of these. */
export const archiveRoles = ['user', 'assistant', 'system', 'tool'] as const;
export type ArchiveRole = (typeof archiveRoles)[number];
/** In a turn whose messages come in any order: the person first, then what stands between, then what came back. */
export const rolesInTurn: readonly ArchiveRole[] = ['user', 'system', 'tool', 'assistant'];

/** A conversation as traces and citations name it, so that its deletion finds them. */
export const archivePlace = (conversationId: string): string => `conversation:${conversationId}`;

/** The session under which the traces of a chat are found: chats and sessions may be called alike. */
export const chatTraces = (chatId: string): string => `chat:${chatId}`;

/** Where a turn is read over HTTP. */
export const turnPath = ({ conversationId, turnId }: { conversationId: string; turnId: string }): string =>
  `/v1/turns/${encodeURIComponent(turnId)}?conversation_id=${encodeURIComponent(conversationId)}`;

export const exportFormats = ['chatgpt', 'claude', 'slack', 'whatsapp', 'mail', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const binUnits = ['auto', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type BinUnit = (typeof binUnits)[number];
export const peekBreakdowns = ['conversation', 'role'] as const;
export type PeekBreakdown = (typeof peekBreakdowns)[number];

export const conversationSchema = z
  .object({
    conversation_id: z.string(),
    title: z.string(),
    format: z.string(),
    turns: z.int(),
    first_timestamp: z.string().optional(),
    last_timestamp: z.string().optional(),
    imported_at: z.string(),
    /** Everyone of the tenant may read it; otherwise who brought it in, and admins. */
    shared: z.boolean(),
  })
  .meta({ id: 'ArchivedConversation' });

export type ArchivedConversation = DeepReadonly<z.output<typeof conversationSchema>>;

export const importReportSchema = z
  .object({
    format: z.string(),
    conversations: z.int(),
    turns: z.object({ created: z.int(), updated: z.int(), unchanged: z.int(), removed: z.int() }),
    /** Secrets that were replaced by a mark; 0 unless that was asked for. */
    redactions: z.int(),
    /** What could not be read, and why: 100 of them, and how many more there are. */
    warnings: z.array(z.string()),
  })
  .meta({ id: 'ConversationImport' });

export type ImportReport = DeepReadonly<z.output<typeof importReportSchema>>;

const messageSchema = z.object({
  role: z.enum(archiveRoles),
  author: z.string().optional(),
  text: z.string(),
  timestamp: z.string().optional(),
  /** What came with it and is not in the export: a kind, or the name of a file. */
  attachments: z.array(z.string()).optional(),
});

export type ArchiveMessage = DeepReadonly<z.output<typeof messageSchema>>;

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

export const readTurnSchema = z
  .object({ ...turnFields, previous: z.array(neighbourSchema).optional(), next: z.array(neighbourSchema).optional() })
  .meta({ id: 'ArchivedTurn' });

export type ReadTurn = DeepReadonly<z.output<typeof readTurnSchema>>;

export const archiveIdSchema = z.string().min(1).max(600);

/** Half open: `from` belongs to it, `to` does not. RFC 3339 instants, or days, months or years of the time zone. */
const timeRangeSchema = z.strictObject({ from: z.string().max(64).optional(), to: z.string().max(64).optional() });

export type TimeRange = DeepReadonly<z.output<typeof timeRangeSchema>>;

export const peekRequestSchema = z
  .strictObject({
    query: z.string().min(1).max(10_000),
    /** Of how many best hits each bin tells its share. Default 100. */
    top_k: z.int().min(1).max(10_000).optional(),
    /** Half open; RFC 3339, or a day, month or year of the time zone. */
    time_range: timeRangeSchema.optional(),
    bin: z.enum(binUnits).optional(),
    conversation_id: archiveIdSchema.optional(),
    /** Default 10. */
    top_n_snippets: z.int().min(0).max(100).optional(),
    /** IANA name by which bins are cut. Default UTC. */
    time_zone: z.string().min(1).max(64).optional(),
    by: z.array(z.enum(peekBreakdowns)).max(2).optional(),
    /** Hits are turns that are near the query in meaning, whatever their words. Default false: turns that share a term with it. */
    meaning: z.boolean().optional(),
  })
  .meta({ id: 'PeekRequest' });

export type PeekRequest = DeepReadonly<z.output<typeof peekRequestSchema>>;

export const peekSchema = z
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
    /** Where it was asked for: a hit is at least so near (cosine), and of so many turns it is known. Absent: words alone were searched. */
    meaning: z.object({ similarity: z.number(), turns: z.int() }).optional(),
  })
  .meta({ id: 'Peek' });

export type Peek = DeepReadonly<z.output<typeof peekSchema>>;
export type PeekBin = Peek['histogram'][number];
export type PeekSnippet = Peek['snippets'][number];
export type PeekShare = NonNullable<Peek['conversations']>[number];

/** The conversations of a time, or of all times. */
export interface DuringRequest {
  readonly time_range?: TimeRange;
  readonly limit: number;
}
export interface TimeConversations {
  readonly turns: number;
  /** Conversations of that time; `conversations` are those with most turns, in the order of time. */
  readonly total: number;
  readonly last_timestamp?: string;
  readonly conversations: readonly {
    readonly conversation_id: string;
    readonly title: string;
    readonly turns: number;
    /** The first turn of that time, and words with which a message of it begins. */
    readonly turn_id: string;
    readonly timestamp: string;
    readonly role: ArchiveRole;
    readonly author?: string;
    readonly words: string;
  }[];
}

const newMessageSchema = z.strictObject({
  /** Messages of one turn have one; without it a person's message begins a turn. */
  turn_id: z.string().min(1).max(256).optional(),
  role: z.string().min(1).max(200),
  author: nameSchema.optional(),
  text: z.string().min(1),
  /** RFC 3339. */
  timestamp: z.iso.datetime({ offset: true }).optional(),
});
export const addTurnsSchema = z
  .strictObject({
    title: z.string().max(500).optional(),
    shared: z.boolean().optional(),
    messages: z.array(newMessageSchema).min(1).max(10_000),
  })
  .meta({ id: 'AddTurns' });
export type AddTurns = DeepReadonly<z.output<typeof addTurnsSchema>>;
export type NewMessage = AddTurns['messages'][number];

export const turnQuerySchema = z.strictObject({
  /** Tells turns of one id apart. */
  conversation_id: archiveIdSchema.optional(),
  /** Turns before and after it. */
  neighbours: z.coerce.number().int().min(0).max(20).optional(),
  /** `auto`: whole unless it is longer than CHAT_TURN_MAX_TOKENS. */
  content: z.enum(['auto', 'full', 'summary']).optional(),
  /** What a summary should keep. */
  query: z.string().min(1).max(10_000).optional(),
});
export type TurnRequest = Readonly<z.output<typeof turnQuerySchema>>;

export const chatRequestSchema = z
  .strictObject({
    /** Continues that chat; an unknown one is created. */
    conversation_id: nameSchema.max(128).optional(),
    messages: z
      .array(z.strictObject({ role: z.enum(['user', 'assistant', 'system']), content: z.string().max(20_000) }))
      .min(1)
      .max(1000),
  })
  .meta({ id: 'ChatRequest' });
export type ArchiveChatRequest = DeepReadonly<z.output<typeof chatRequestSchema>>;

/** What a chat over the archive rests on: words of a turn, as they stand there. */
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

export type ArchiveCitation = DeepReadonly<z.output<typeof archiveCitationSchema>>;

/** The events of a chat over the archive; the last one is `done` or `error`. `peek` and `turn` come with `?events=all` only. */
export const chatEventSchema = z
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
      /** The archive says nothing, or too little to answer. */
      abstained: z.boolean(),
      /** What was found speaks of a part of the question only. */
      weak: z.boolean(),
      /** Share of the question's weight that the best turns speak of, 0..1. */
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

type ChatEvent = DeepReadonly<z.output<typeof chatEventSchema>>;
/** What is told while it goes on. */
export type ArchiveChatEvent = Exclude<ChatEvent, { readonly type: 'done' | 'error' }>;
export type ArchiveChatAnswer = Omit<Extract<ChatEvent, { readonly type: 'done' }>, 'type'>;
export type ArchiveChatUsage = ArchiveChatAnswer['usage'];
