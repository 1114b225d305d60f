// Rows of long-term memories: how they are read, indexed by their words, and taken away. Invariant: a memory stands in the index of words
// exactly while it holds, and the counts of the index are those of its rows.
import { FootnoteError } from '../../../core/errors.ts';
import type { Memory, MemoryOrigin, MemoryType } from '../../../core/memory.ts';
import { memoryTypes } from '../../../core/memory.ts';
import { isSound, sealColumns, sealOfRow } from '../../sealed-rows.ts';
import { rows, run, runEach, type Steps } from '../../statements.ts';

export interface MemoryRow {
  readonly row: number;
  readonly owner: number;
  readonly id: string;
  readonly type: string;
  readonly text: string;
  readonly same_key: string;
  readonly topic: string | null;
  readonly terms: string;
  readonly tags: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly valid_from: string;
  readonly valid_until: string | null;
  readonly superseded_by: string | null;
  readonly seal: string | null;
  readonly usage_count: number;
  readonly last_accessed_at: string | null;
}

export const memoryColumns = `row, ${sealColumns('memory')}, usage_count, last_accessed_at`;

/** What is as it was written. */
export const soundMemories = (found: readonly MemoryRow[]): readonly MemoryRow[] =>
  found.filter((row) => isSound('memory', row));

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
const toTerms = (text: string): readonly string[] => [...new Set(text.split(' '))].filter((term) => term !== '');

/** A damaged type is the least that is said of a memory. */
export const toType = (type: string): MemoryType => memoryTypes.find((one) => one === type) ?? 'semantic';

export const rowNames = (memories: Iterable<number>): readonly string[] => Array.from(memories, String);

type OriginRow = Record<'session_id' | 'turn_id' | 'answer_id', string | null> & {
  readonly memory: number;
  readonly said_at: string;
};

const toOrigin = ({ session_id, turn_id, answer_id, said_at }: OriginRow): MemoryOrigin => ({
  ...(session_id !== null && { sessionId: session_id }),
  ...(turn_id !== null && { turnId: turn_id }),
  ...(answer_id !== null && { answerId: answer_id }),
  at: said_at,
});

const damagedMemory = (id: string): FootnoteError =>
  new FootnoteError(
    'data-corrupt',
    `Memory ${id} is damaged in the record and is not served. Delete it, and say it again.`,
  );

/** In their order. Throws `data-corrupt` for one that is not as it was written. */
export function* toMemories(found: readonly MemoryRow[]): Steps<readonly Memory[]> {
  const damaged = found.find((row) => !isSound('memory', row));
  if (damaged) throw damagedMemory(damaged.id);
  if (found.length === 0) return [];
  const sql =
    'SELECT memory, session_id, turn_id, answer_id, said_at FROM memory_origin WHERE memory = ANY(?) ORDER BY memory, ordinal';
  const said = Map.groupBy(yield* rows<OriginRow>(sql, rowNames(found.map(({ row }) => row))), ({ memory }) => memory);
  return found.map((row) => ({
    id: row.id,
    type: toType(row.type),
    text: row.text,
    tags: toTags(row.tags),
    origins: (said.get(row.row) ?? []).map(toOrigin),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    validFrom: row.valid_from,
    ...(row.valid_until !== null && { validUntil: row.valid_until }),
    ...(row.superseded_by !== null && { supersededBy: row.superseded_by }),
    usageCount: row.usage_count,
    ...(row.last_accessed_at !== null && { lastAccessedAt: row.last_accessed_at }),
  }));
}

export function* toMemory(row: MemoryRow): Steps<Memory> {
  const [memory] = yield* toMemories([row]);
  return memory as Memory;
}

/** Changes a memory, which is sealed anew: one that was damaged stays known as one. */
export function* changeMemory(row: MemoryRow, change: Partial<MemoryRow>): Steps<MemoryRow> {
  const changed = { ...row, ...change };
  const sealed = { ...changed, seal: isSound('memory', row) ? sealOfRow('memory', changed) : row.seal };
  const names = [...Object.keys(change), 'seal'] as readonly (keyof MemoryRow)[];
  const values = names.map((name) => sealed[name]);
  yield* run(`UPDATE memory SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE row = ?`, ...values, row.row);
  return sealed;
}

type Indexed = Pick<MemoryRow, 'row' | 'owner' | 'terms'>;

function* indexedTerms({ row, owner, terms }: Indexed): Steps<readonly string[]> {
  const sql = 'SELECT term FROM memory_term WHERE owner = ? AND memory = ? AND term = ANY(?)';
  return (yield* rows<{ readonly term: string }>(sql, owner, row, toTerms(terms))).map(({ term }) => term);
}

export function* addToIndex(indexed: Indexed): Steps<void> {
  const { row, owner, terms } = indexed;
  const present = new Set(yield* indexedTerms(indexed));
  const added = toTerms(terms).filter((term) => !present.has(term));
  yield* runEach(
    'INSERT INTO memory_term (owner, term, memory) VALUES (?, ?, ?)',
    added.map((term) => [owner, term, row]),
  );
  yield* runEach(
    `INSERT INTO memory_word (owner, term, memories) VALUES (?, ?, ?)
     ON CONFLICT (owner, term) DO UPDATE SET memories = memory_word.memories + 1`,
    added.map((term) => [owner, term, 1]),
  );
  yield* run('UPDATE memory_owner SET memories = memories + 1 WHERE owner = ?', owner);
}

export function* takeFromIndex(indexed: Indexed): Steps<void> {
  const { row, owner } = indexed;
  const taken = yield* indexedTerms(indexed);
  yield* run('DELETE FROM memory_term WHERE owner = ? AND memory = ? AND term = ANY(?)', owner, row, taken);
  yield* run('UPDATE memory_word SET memories = memories - 1 WHERE owner = ? AND term = ANY(?)', owner, taken);
  yield* run('DELETE FROM memory_word WHERE owner = ? AND term = ANY(?) AND memories <= 0', owner, taken);
  const sql = 'UPDATE memory_owner SET memories = CASE WHEN memories > 0 THEN memories - 1 ELSE 0 END WHERE owner = ?';
  yield* run(sql, owner);
}

/** Notes that the words of a memory are to go from answers and traces that recalled it. */
export type NoteMemory = (id: string) => Steps<void>;

/** Takes memories away, and notes it. */
export function* removeMemories(
  found: readonly (Indexed & Pick<MemoryRow, 'id' | 'valid_until'>)[],
  note: NoteMemory,
): Steps<void> {
  for (const row of found) {
    if (row.valid_until === null) yield* takeFromIndex(row);
    yield* note(row.id);
  }
  const removed = rowNames(found.map(({ row }) => row));
  yield* run('DELETE FROM memory_origin WHERE memory = ANY(?)', removed);
  yield* run('DELETE FROM memory WHERE row = ANY(?)', removed);
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
export function* removeSaidIn({ tenant, principal, id }: SessionOf, limit: number, note: NoteMemory): Steps<boolean> {
  const said = yield* rows<{ readonly memory: number; readonly ordinal: number }>(
    'SELECT memory, ordinal FROM memory_origin WHERE tenant = ? AND principal = ? AND session_id = ? LIMIT ?',
    tenant,
    principal,
    id,
    limit,
  );
  if (said.length === 0) return false;
  for (const { memory, ordinal } of said)
    yield* run('DELETE FROM memory_origin WHERE memory = ? AND ordinal = ?', memory, ordinal);
  const left = yield* rows<MemoryRow>(
    `SELECT ${memoryColumns} FROM memory WHERE row = ANY(?) AND NOT EXISTS (SELECT 1 FROM memory_origin AS o WHERE o.memory = memory.row)`,
    rowNames(new Set(said.map(({ memory }) => memory))),
  );
  yield* removeMemories(left, note);
  return said.length === limit;
}
