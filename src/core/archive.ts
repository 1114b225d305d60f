// Words of the conversation archive: past conversations that were brought in from elsewhere. A turn is what a person said and what came
// back; of people among themselves each message is a turn of its own. Names are those of the wire (SPEC M3), so that nothing is renamed
// between a door and the archive.
import type { Mark } from './marked-text.ts';

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

export interface ArchiveMessage {
  readonly role: ArchiveRole;
  /** Who said it, where the export names people. */
  readonly author?: string;
  readonly text: string;
  /** RFC 3339 in UTC. */
  readonly timestamp?: string;
  /** What came with it and is not in the export: a kind, or the name of a file. */
  readonly attachments?: readonly string[];
}

export const exportFormats = ['chatgpt', 'claude', 'slack', 'whatsapp', 'mail', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ArchivedConversation {
  readonly conversation_id: string;
  readonly title: string;
  readonly format: string;
  readonly turns: number;
  /** When its first and last dated turns were said. */
  readonly first_timestamp?: string;
  readonly last_timestamp?: string;
  readonly imported_at: string;
  /** Everyone of the tenant may read it; otherwise who brought it in, and admins. */
  readonly shared: boolean;
}

export interface ImportReport {
  readonly format: string;
  readonly conversations: number;
  readonly turns: {
    readonly created: number;
    readonly updated: number;
    readonly unchanged: number;
    readonly removed: number;
  };
  /** Secrets that were replaced by a mark; 0 unless that was asked for. */
  readonly redactions: number;
  /** What could not be read, and why: 100 of them, and how many more there are. */
  readonly warnings: readonly string[];
}

/** Half open: `from` belongs to it, `to` does not. RFC 3339 instants, or days, months or years of the time zone. */
export interface TimeRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export const binUnits = ['auto', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type BinUnit = (typeof binUnits)[number];
export const peekBreakdowns = ['conversation', 'role'] as const;
export type PeekBreakdown = (typeof peekBreakdowns)[number];

export interface PeekRequest {
  readonly query: string;
  /** Of how many best hits each bin tells its share. Default 100. */
  readonly top_k?: number | undefined;
  readonly time_range?: TimeRange | undefined;
  /** Default `auto`: the finest unit that gives at most 60 bins. */
  readonly bin?: BinUnit | undefined;
  readonly conversation_id?: string | undefined;
  /** Default 10. */
  readonly top_n_snippets?: number | undefined;
  /** IANA name; bins and days are cut by it. Default UTC. */
  readonly time_zone?: string | undefined;
  readonly by?: readonly PeekBreakdown[] | undefined;
}

export interface PeekBin {
  /** The day, month, … in the time zone, such as `2024-03`. */
  readonly label: string;
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** How many of the `top_k` best hits fall in it. */
  readonly top_k: number;
  readonly peak: boolean;
}

export interface PeekSnippet {
  readonly turn_id: string;
  readonly conversation_id: string;
  readonly title: string;
  readonly timestamp?: string;
  /** Whose words the snippet is from. */
  readonly role: ArchiveRole;
  readonly author?: string;
  readonly snippet: string;
  readonly score: number;
  /** False for a turn without the words, which stands beside turns that have them. */
  readonly hit: boolean;
}

export interface Peek {
  readonly query: string;
  readonly terms: readonly string[];
  readonly bin: Exclude<BinUnit, 'auto'>;
  readonly time_zone: string;
  readonly time_range?: TimeRange | undefined;
  readonly total: {
    readonly hits: number;
    readonly conversations: number;
    /** Hits without a time: they are in no bin. */
    readonly undated: number;
    /** Turns that the filters leave. */
    readonly turns: number;
    readonly first_timestamp?: string;
    readonly last_timestamp?: string;
  };
  readonly histogram: readonly PeekBin[];
  readonly conversations?: readonly PeekShare[];
  /** Conversations beyond the 50 with most hits. */
  readonly conversations_omitted?: number;
  readonly roles?: readonly {
    readonly role: ArchiveRole;
    readonly count: number;
    readonly counts: readonly number[];
  }[];
  readonly snippets: readonly PeekSnippet[];
  /** Where to look closer; absent where one look shows all. */
  readonly zoom?: {
    readonly time_range: { readonly from: string; readonly to: string };
    readonly bin: BinUnit;
    readonly reason: string;
  };
}

export interface PeekShare {
  readonly conversation_id: string;
  readonly title: string;
  readonly count: number;
  readonly top_k: number;
  /** Hits of each bin of the histogram, in its order. */
  readonly counts: readonly number[];
}

export interface ReadTurn {
  readonly turn_id: string;
  /** As the export called it. */
  readonly source_turn_id?: string;
  readonly conversation_id: string;
  readonly title: string;
  readonly timestamp?: string;
  readonly content_used: 'full' | 'summary';
  /** The whole turn, or its summary: each message in order. */
  readonly messages: readonly ArchiveMessage[];
  /** Of the whole turn. */
  readonly tokens: number;
  readonly previous?: readonly ReadTurn[];
  readonly next?: readonly ReadTurn[];
}

/** What a chat over the archive rests on: words of a turn, as they stand there. */
export interface ArchiveCitation {
  /** From 1, as `[1]` stands in the answer. */
  readonly index: number;
  readonly turn_id: string;
  readonly conversation_id: string;
  readonly title: string;
  readonly timestamp?: string | undefined;
  readonly role: ArchiveRole;
  readonly author?: string | undefined;
  readonly quote: string;
}

export interface ArchiveChatUsage {
  readonly peeks: number;
  readonly hydrations: number;
  readonly max_hydrations: number;
  /** Of the archive that were read. */
  readonly tokens: number;
  readonly max_tokens: number;
}

export interface ArchiveChatAnswer {
  readonly conversation_id: string;
  readonly answer: string;
  /** Every `[n]` of the answer that is a mark, in its order. Absent: an answer from before there were any. */
  readonly marks?: readonly Mark[] | undefined;
  readonly citations: readonly ArchiveCitation[];
  readonly cited_turn_ids: readonly string[];
  readonly hydrated_turn_ids: readonly string[];
  /** The archive says nothing, or too little to answer. */
  readonly abstained: boolean;
  /** What was found speaks of a part of the question only. */
  readonly weak: boolean;
  /** Share of the question's weight that the best turns speak of, 0..1. */
  readonly coverage: number;
  readonly time_range?: TimeRange | undefined;
  readonly usage: ArchiveChatUsage;
  /** `provider:model` that explored and wrote; absent where rules did. */
  readonly model?: string | undefined;
  /** Its trace. */
  readonly trace_id?: string | undefined;
  /** What was cut or not done as asked, and why. */
  readonly degraded: readonly string[];
}

export type ArchiveChatEvent =
  /** `marks` have the places that they have in the whole answer. */
  | { readonly type: 'delta'; readonly text: string; readonly marks?: readonly Mark[] }
  | ({ readonly type: 'citation' } & ArchiveCitation)
  | {
      readonly type: 'peek';
      readonly reason: string;
      readonly query: string;
      readonly time_range?: TimeRange | undefined;
      readonly hits: number;
      readonly peaks: readonly string[];
      /** Unit of its bins. */
      readonly bin?: Exclude<BinUnit, 'auto'>;
      /** Bins with hits, in the order of time. */
      readonly histogram?: readonly Pick<PeekBin, 'label' | 'count' | 'peak'>[];
    }
  | {
      readonly type: 'turn';
      readonly turn_id: string;
      readonly content_used: 'full' | 'summary';
      readonly tokens: number;
    };
