// Rows of long-term memories: how they are read, indexed by their words, and taken away. Invariant: a memory stands in the index of words
// exactly while it holds, and the counts of the index are those of its rows.
import type { DatabaseSync } from 'node:sqlite';
import { FootnoteError } from '../../../core/errors.ts';
import type { Memory, MemoryOrigin, MemoryType } from '../../../core/memory.ts';
import { memoryTypes } from '../../../core/memory.ts';
import { noteMemory } from '../../erasure/erasure-notes.ts';
import { isSound, sealColumns } from '../../sealed-rows.ts';
import { prepared } from '../file/connection.ts';

export interface MemoryRow {
  readonly row: number;
  readonly owner: number;
  readonly id: string;
  readonly type: string;
  readonly text: string;
  readonly topic: string | null;
  readonly terms: string;
  readonly tags: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly valid_from: string;
  readonly valid_until: string | null;
  readonly superseded_by: string | null;
  readonly usage_count: number;
  readonly last_accessed_at: string | null;
}

export const memoryColumns = `row, ${sealColumns('memory')}, usage_count, last_accessed_at`;

/** What is as it was written. */
export const soundMemories = (rows: readonly unknown[]): readonly MemoryRow[] =>
  (rows as readonly MemoryRow[]).filter((row) => isSound('memory', row));

/** A damaged list is an empty one. */
export function toTags(json: string): readonly string[] {
  try {
    const tags: unknown = JSON.parse(json);
    return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
  } catch {
    return [];
  }
}

/** Terms never hold a space. */
export const toTerms = (text: string): readonly string[] => text.split(' ').filter((term) => term !== '');

/** A damaged type is the least that is said of a memory. */
export const toType = (type: string): MemoryType => memoryTypes.find((one) => one === type) ?? 'semantic';

export function originsOf(database: DatabaseSync, row: number): readonly MemoryOrigin[] {
  return prepared(
    database,
    'SELECT session_id, turn_id, answer_id, said_at FROM memory_origin WHERE memory = ? ORDER BY ordinal',
  )
    .all(row)
    .map(({ session_id, turn_id, answer_id, said_at }) => ({
      ...(session_id !== null && { sessionId: String(session_id) }),
      ...(turn_id !== null && { turnId: String(turn_id) }),
      ...(answer_id !== null && { answerId: String(answer_id) }),
      at: String(said_at),
    }));
}

/** Throws `data-corrupt` for one that is not as it was written. */
export function toMemory(database: DatabaseSync, row: MemoryRow): Memory {
  if (!isSound('memory', row))
    throw new FootnoteError(
      'data-corrupt',
      `Memory ${row.id} is damaged in the record and is not served. Delete it, and say it again.`,
    );
  return {
    id: row.id,
    type: toType(row.type),
    text: row.text,
    tags: toTags(row.tags),
    origins: originsOf(database, row.row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    validFrom: row.valid_from,
    ...(row.valid_until !== null && { validUntil: row.valid_until }),
    ...(row.superseded_by !== null && { supersededBy: row.superseded_by }),
    usageCount: row.usage_count,
    ...(row.last_accessed_at !== null && { lastAccessedAt: row.last_accessed_at }),
  };
}

type Indexed = Pick<MemoryRow, 'row' | 'owner' | 'terms'>;

export function addToIndex(database: DatabaseSync, { row, owner, terms }: Indexed): void {
  const term = prepared(database, 'INSERT OR IGNORE INTO memory_term VALUES (?, ?, ?)');
  const count = prepared(
    database,
    'INSERT INTO memory_word VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET memories = memories + 1',
  );
  for (const one of toTerms(terms)) if (term.run(owner, one, row).changes > 0) count.run(owner, one);
  prepared(database, 'UPDATE memory_owner SET memories = memories + 1 WHERE owner = ?').run(owner);
}

export function takeFromIndex(database: DatabaseSync, { row, owner, terms }: Indexed): void {
  const term = prepared(database, 'DELETE FROM memory_term WHERE owner = ? AND term = ? AND memory = ?');
  const count = prepared(database, 'UPDATE memory_word SET memories = memories - 1 WHERE owner = ? AND term = ?');
  const forget = prepared(database, 'DELETE FROM memory_word WHERE owner = ? AND term = ? AND memories <= 0');
  for (const one of toTerms(terms))
    if (term.run(owner, one, row).changes > 0) {
      count.run(owner, one);
      forget.run(owner, one);
    }
  prepared(database, 'UPDATE memory_owner SET memories = max(0, memories - 1) WHERE owner = ?').run(owner);
}

/** Takes a memory away, and notes that its words are to go from answers and traces that recalled it. */
export function removeMemory(
  database: DatabaseSync,
  row: Indexed & Pick<MemoryRow, 'id' | 'valid_until'>,
  tenant: string,
): void {
  if (row.valid_until === null) takeFromIndex(database, row);
  noteMemory(database, tenant, row.id);
  prepared(database, 'DELETE FROM memory_origin WHERE memory = ?').run(row.row);
  prepared(database, 'DELETE FROM memory WHERE row = ?').run(row.row);
}

export interface SessionOf {
  readonly tenant: string;
  readonly principal: string;
  readonly id: string;
}

/**
 * What was said in a session and nowhere else goes with it; what was said elsewhere too stays with that. Returns whether there may be more
 * than the `limit` origins that were looked at.
 */
export function removeSaidIn(database: DatabaseSync, { tenant, principal, id }: SessionOf, limit: number): boolean {
  const said = prepared(
    database,
    'SELECT memory, ordinal FROM memory_origin WHERE tenant = ? AND principal = ? AND session_id = ? LIMIT ?',
  ).all(tenant, principal, id, limit);
  for (const { memory, ordinal } of said) {
    prepared(database, 'DELETE FROM memory_origin WHERE memory = ? AND ordinal = ?').run(
      memory as number,
      ordinal as number,
    );
    const row = prepared(
      database,
      `SELECT ${memoryColumns} FROM memory WHERE row = ? AND NOT EXISTS (SELECT 1 FROM memory_origin WHERE memory = row)`,
    ).get(memory as number) as MemoryRow | undefined;
    if (row) removeMemory(database, row, tenant);
  }
  return said.length === limit;
}
