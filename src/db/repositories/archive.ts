// The archive of conversations in the record: conversations, their turns, and the pieces of their index. Built for one scope, as every
// repository: a conversation is read by whoever brought it in, by everyone of the tenant where it is shared, and by admins. Rows of turns
// ascend with their writing and are never used twice.
import type { ArchiveChatAnswer, ArchivedConversation, ArchiveMessage, ArchiveRole } from '../../core/archive.ts';
import type { PageOf, PageRequest } from './page.ts';

export interface ArchiveTurnBody {
  readonly messages: readonly ArchiveMessage[];
}

export interface ArchiveTurnWrite extends ArchiveTurnBody {
  /** Its identity within the conversation: what is imported again under it is the same turn. */
  readonly key: string;
  /** Wanted as its public id, if no other turn of the owner has it. */
  readonly id: string;
  readonly atMs?: number;
  /** Order within the conversation; turns of one position stand in the order of their writing. */
  readonly position: number;
  /** Only a part of it is given: behind how many messages of each role these stand, and how many there are of it. Other roles are kept as they are. */
  readonly part?: { readonly [role in ArchiveRole]?: { readonly at: number; readonly of: number } };
}

export interface ArchiveConversationWrite {
  readonly id: string;
  readonly title?: string;
  readonly format: string;
  readonly language: string;
  readonly shared: boolean;
  readonly turns: readonly ArchiveTurnWrite[];
}

export interface ArchiveTurnRow {
  readonly row: number;
  readonly id: string;
  readonly key: string;
  readonly conversation: number;
  readonly owner: string;
  readonly atMs?: number;
  readonly position: number;
  readonly language: string;
  readonly messages: readonly ArchiveMessage[];
}

/** What the index knows of a turn beside its words. */
export interface ArchiveTurnFacts {
  readonly row: number;
  readonly conversation: number;
  readonly owner: string;
  readonly atMs?: number | undefined;
  /** Who says it, where the export names people. */
  readonly author?: string | undefined;
}

export interface ArchiveWritten {
  readonly added: readonly ArchiveTurnRow[];
  /** Rows that are gone. */
  readonly removed: readonly number[];
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** What somebody else shared and alone may add to. */
  readonly refused: readonly { readonly conversation: string; readonly turns: number }[];
}

export interface KeptTurns extends Pick<ArchiveConversationWrite, 'id' | 'shared' | 'format'> {
  readonly keys: ReadonlySet<string>;
}

export interface ArchiveConversationRow extends ArchivedConversation {
  readonly row: number;
  readonly owner: string;
  readonly language: string;
}

/** Without what its turns would have to be counted for. */
export type ArchiveConversationName = Pick<ArchiveConversationRow, 'row' | 'conversation_id' | 'title'>;

export interface ArchiveRepository {
  /** All of them in one transaction. */
  put(conversations: readonly ArchiveConversationWrite[], at: string): Promise<ArchiveWritten>;
  /** Takes turns that have none of the keys out of a conversation that came by this format; their rows. */
  keepOnly(given: KeptTurns): Promise<readonly number[]>;
  list(request: PageRequest): Promise<PageOf<ArchiveConversationRow>>;
  /** By its id; the caller's own before shared ones before others'. */
  conversation(id: string): Promise<ArchiveConversationRow | undefined>;
  conversations(rows: readonly number[]): Promise<ReadonlyMap<number, ArchiveConversationName>>;
  /** By its public id, or by `conversation/key` of one that has another. */
  turn(id: string, conversationId?: string): Promise<ArchiveTurnRow | undefined>;
  turns(rows: readonly number[]): Promise<readonly ArchiveTurnRow[]>;
  /** Turns of a conversation in order, `before` and `after` of them around a row. */
  around(row: number, before: number, after: number): Promise<{ before: ArchiveTurnRow[]; after: ArchiveTurnRow[] }>;
  turnsOf(conversation: number, request: PageRequest): Promise<PageOf<ArchiveTurnRow>>;
  /** Removes a conversation that the caller owns, a shared one for writers; the rows of its turns. Undefined where there is none. */
  delete(id: string): Promise<{ readonly removed: readonly number[]; readonly conversation: number } | undefined>;
}

/** A question to the archive with its answer; it goes with any conversation that was read for it. */
export interface ArchiveChatRow {
  readonly id: string;
  readonly question: string;
  readonly answer: ArchiveChatAnswer;
  /** Ids of conversations. */
  readonly conversations: readonly string[];
  readonly at: string;
}

export interface ArchiveChatRepository {
  add(chat: ArchiveChatRow): Promise<void>;
  lastQuestion(id: string): Promise<string | undefined>;
  /** Whether there was such a chat. */
  delete(id: string): Promise<boolean>;
}

export interface ArchiveSegmentRow {
  readonly id: number;
  /** Absent where they are not what was written. */
  readonly bytes?: Uint8Array;
}

/** What is known of the turns of a segment. */
export interface SegmentPlace {
  readonly firstRow: number;
  readonly lastRow: number;
  /** The mark of the last change that the segment knows of. */
  readonly mark: number;
  /** In whose place it stands. */
  readonly replaced?: number | undefined;
}

export interface ArchiveChanges {
  /** Rows of turns that are gone. */
  readonly removed: readonly number[];
  /** False: the mark is so old that others are gone as well, nobody knows which. */
  readonly isWhole: boolean;
  readonly mark: number;
  /** The greatest row of a turn. */
  readonly lastRow: number;
}

/** What the index of a tenant is kept in; of all of its turns, whoever may read them. */
export interface ArchiveIndexRepository {
  facts(after: number): Promise<readonly ArchiveTurnFacts[]>;
  /** Turns with rows above `after`, in order: `limit` at most, fewer where they are long. */
  turnsAfter(after: number, limit: number): Promise<readonly ArchiveTurnRow[]>;
  /** Of conversations, and of how many. */
  languages(): Promise<readonly (readonly [language: string, conversations: number])[]>;
  /** The next one in the order of their ids. */
  segmentAfter(id: number): Promise<ArchiveSegmentRow | undefined>;
  /** Its id; undefined where it is not kept: another server keeps one of such turns, or took one of them away. */
  putSegment(bytes: Uint8Array, place: SegmentPlace): Promise<number | undefined>;
  deleteSegment(id: number): Promise<void>;
  /** What other servers took away since a mark; absent where there are none. Rows become visible in their order. */
  readonly changes?: (since: number) => Promise<ArchiveChanges>;
  /** What an encoder made of turns with rows above `after`, in order. */
  vectorsAfter(encoder: string, after: number, limit: number): Promise<readonly ArchiveVectorsRow[]>;
  /** Of turns that are gone nothing is kept. */
  putVectors(encoder: string, rows: readonly ArchiveVectorsRow[]): Promise<void>;
}

/** What an encoder made of a turn. */
export interface ArchiveVectorsRow {
  readonly row: number;
  readonly bytes: Uint8Array;
}
