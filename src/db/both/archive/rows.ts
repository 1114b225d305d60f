// Rows of the archive as the port has them.
import type { ArchiveMessage } from '../../../core/archive.ts';
import { FootnoteError } from '../../../core/errors.ts';
import type { ArchiveConversationRow, ArchiveTurnRow } from '../../repositories/archive.ts';
import { isSound, sealColumns } from '../../sealed-rows.ts';

export interface ConversationColumns {
  readonly row: number;
  readonly owner: string;
  readonly id: string;
  readonly title: string;
  readonly format: string;
  readonly language: string;
  readonly imported_at: string;
  readonly turns: number;
  readonly first_ms: number | null;
  readonly last_ms: number | null;
}

export const conversationColumns = `c.row, c.owner, c.id, c.title, c.format, c.language, c.imported_at,
  (SELECT count(*) FROM archive_turn n WHERE n.conversation = c.row) AS turns,
  (SELECT min(at_ms) FROM archive_turn n WHERE n.conversation = c.row) AS first_ms,
  (SELECT max(at_ms) FROM archive_turn n WHERE n.conversation = c.row) AS last_ms`;

export function toConversation(row: ConversationColumns): ArchiveConversationRow {
  return {
    row: row.row,
    owner: row.owner,
    language: row.language,
    conversation_id: row.id,
    title: row.title,
    format: row.format,
    turns: row.turns,
    ...(row.first_ms !== null && { first_timestamp: new Date(row.first_ms).toISOString() }),
    ...(row.last_ms !== null && { last_timestamp: new Date(row.last_ms).toISOString() }),
    imported_at: row.imported_at,
    shared: row.owner === '',
  };
}

export interface TurnColumns {
  readonly row: number;
  readonly id: string;
  readonly key: string;
  readonly conversation: number;
  readonly owner: string;
  readonly at_ms: number | null;
  readonly position: number;
  readonly sequence: number;
  readonly language: string;
  readonly messages: string;
}

export const turnColumns = `t.row, ${sealColumns('archive_turn', 't.')}, c.language`;

/** Turns that are as they were written: what a list shows. */
export const soundTurns = (rows: readonly TurnColumns[]): readonly ArchiveTurnRow[] =>
  rows.filter((row) => isSound('archive_turn', row)).map(toTurn);

/** Throws `data-corrupt` for one that is not as it was written. */
export function toTurn(row: TurnColumns): ArchiveTurnRow {
  if (!isSound('archive_turn', row))
    throw new FootnoteError(
      'data-corrupt',
      `Turn ${row.id} is damaged in the record and is not served. Import its conversation again.`,
    );
  const messages = JSON.parse(row.messages) as readonly ArchiveMessage[];
  const { id, key, conversation, owner, position, language } = row;
  const atMs = row.at_ms ?? undefined;
  return {
    row: row.row,
    id,
    key,
    conversation,
    owner,
    position,
    language,
    messages,
    ...(atMs !== undefined && { atMs }),
  };
}
