// Long-term memories in the record. Invariant: a repository reads and writes the memories of one user of one principal alone, whoever that
// principal is; what is merged, superseded or taken away changes together with the index of its words, in one transaction.
import type { DatabaseSync } from 'node:sqlite';
import { FootnoteError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/ids.ts';
import type { Memory, MemoryOrigin } from '../../../core/memory.ts';
import { memoryTypes } from '../../../core/memory.ts';
import type { Scope } from '../../../core/scope.ts';
import { parseCursor, toLimit, toSoundPage } from '../../paging.ts';
import { unmetDetail } from '../../repositories/changes.ts';
import type {
  ComparedMemory,
  MemoriesOf,
  MemoryComparison,
  MemoryKeys,
  MemoryWrite,
  NearMemories,
  WrittenMemory,
} from '../../repositories/memories.ts';
import { isSound } from '../../sealed-rows.ts';
import { prepared, type Reader } from '../file/connection.ts';
import { changeSealed, seal } from '../file/seals.ts';
import { newestRows, recallRows } from './recall.ts';
import {
  addToIndex,
  type MemoryRow,
  memoryColumns,
  removeMemory,
  soundMemories,
  takeFromIndex,
  toMemory,
  toType,
} from './rows.ts';

/** Memories that a new one is compared with at most: the newest, then as many that share its rarest words. */
const mostCompared = 64;
/** Memories that are taken away in one transaction. */
const together = 200;
/** Places where a memory was said that are kept; the first and the latest tell enough. */
const mostOrigins = 20;

/** Runs `work` on the writing connection, in a transaction. */
type Writer = <T>(work: (database: DatabaseSync) => T) => Promise<T>;

const isUnused = "owner = ? AND updated_at < ? AND coalesce(last_accessed_at, '') < ? AND usage_count < ?";

export interface MemoryPorts {
  readonly read: Reader;
  readonly write: Writer;
  /** For works that only take away. */
  readonly free: Writer;
}

export function createMemoryRepositories({ tenant, principal }: Scope, ports: MemoryPorts): MemoriesOf {
  const { read, write, free } = ports;
  return (user) => {
    const ownerOf = (database: DatabaseSync): number | undefined => {
      const sql = 'SELECT owner FROM memory_owner WHERE tenant = ? AND principal = ? AND user = ?';
      const found = prepared(database, sql).get(tenant, principal.id, user)?.['owner'];
      return typeof found === 'number' ? found : undefined;
    };
    const ownerFor = (database: DatabaseSync): number => {
      const present = ownerOf(database);
      if (present !== undefined) return present;
      const sql = 'INSERT INTO memory_owner (tenant, principal, user) VALUES (?, ?, ?)';
      return Number(prepared(database, sql).run(tenant, principal.id, user).lastInsertRowid);
    };
    const rowOf = (database: DatabaseSync, id: string): MemoryRow | undefined => {
      const owner = ownerOf(database);
      if (owner === undefined) return undefined;
      const sql = `SELECT ${memoryColumns} FROM memory WHERE id = ? AND owner = ?`;
      return prepared(database, sql).get(id, owner) as MemoryRow | undefined;
    };
    const addOrigin = (database: DatabaseSync, row: number, origin: MemoryOrigin): void => {
      const sql = 'SELECT coalesce(max(ordinal), 0) AS last, count(*) AS count FROM memory_origin WHERE memory = ?';
      const { last, count } = prepared(database, sql).get(row) as { readonly last: number; readonly count: number };
      if (count >= mostOrigins)
        prepared(database, 'DELETE FROM memory_origin WHERE memory = ? AND ordinal = ?').run(row, last);
      const { sessionId = null, turnId = null, answerId = null, at } = origin;
      prepared(database, 'INSERT INTO memory_origin VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
        row,
        last + 1,
        tenant,
        principal.id,
        sessionId,
        turnId,
        answerId,
        at,
      );
    };
    /** A turn that was deleted while its message was answered leaves nothing behind. */
    const isThere = (database: DatabaseSync, { turnId }: MemoryOrigin): boolean =>
      turnId === undefined ||
      prepared(database, 'SELECT 1 FROM turn WHERE tenant = ? AND id = ?').get(tenant, turnId) !== undefined;

    return {
      write: (memory, comparison) =>
        write((database): WrittenMemory | undefined => {
          if (!isThere(database, memory.origin)) return undefined;
          const owner = ownerFor(database);
          const [same] = soundMemories(
            prepared(
              database,
              `SELECT ${memoryColumns} FROM memory WHERE owner = ? AND same_key = ? AND valid_until IS NULL ORDER BY row DESC`,
            ).all(owner, memory.sameKey),
          );
          if (same) {
            addOrigin(database, same.row, memory.origin);
            const tags = JSON.stringify([...new Set([...toMemory(database, same).tags, ...memory.tags])]);
            const type = memory.isTypeAsked === true ? memory.type : same.type;
            const update = prepared(database, 'UPDATE memory SET updated_at = ?, tags = ?, type = ? WHERE row = ?');
            changeSealed(database, { table: 'memory', rowid: same.row }, () =>
              update.run(memory.at, tags, type, same.row),
            );
            const merged = rowOf(database, same.id) ?? same;
            return { memory: toMemory(database, merged), change: 'merged', superseded: [] };
          }
          const ended = comparison ? supersede(database, owner, { memory, comparison }) : [];
          const row = insertMemory(database, owner, memory);
          seal(database, 'memory', row);
          addOrigin(database, row, memory.origin);
          addToIndex(database, { row, owner, terms: memory.terms.join(' ') });
          const written = rowOf(database, memory.id) as MemoryRow;
          return { memory: toMemory(database, written), change: 'created', superseded: ended };
        }),

      near: (keys) =>
        read((database) => {
          const owner = ownerOf(database);
          return toNear(owner === undefined ? [] : compared(database, owner, keys));
        }),

      several: (ids) =>
        read((database) =>
          soundMemories(ids.flatMap((id) => rowOf(database, id) ?? [])).map((row) => toMemory(database, row)),
        ),

      newest: (request) =>
        read((database) => {
          const owner = ownerOf(database);
          return owner === undefined ? [] : newestRows(database, owner, request);
        }),

      get: (id) =>
        read((database) => {
          const row = rowOf(database, id);
          return row && toMemory(database, row);
        }),

      list: ({ type, tag, history = false, ...request }) =>
        read((database) => {
          const limit = toLimit(request);
          const [before = Number.MAX_SAFE_INTEGER] = parseCursor(request, ['number']) ?? [];
          const sql = `SELECT ${memoryColumns} FROM memory WHERE owner = ?1 AND row < ?2
            AND (?3 OR valid_until IS NULL) AND (?4 IS NULL OR type = ?4)
            AND (?5 IS NULL OR EXISTS (SELECT 1 FROM json_each(iif(json_valid(tags), tags, '[]')) WHERE value = ?5))
            ORDER BY row DESC LIMIT ?6`;
          const owner = ownerOf(database) ?? 0;
          const rows = prepared(database, sql).all(
            owner,
            before,
            history ? 1 : 0,
            type ?? null,
            tag ?? null,
            limit + 1,
          );
          return toSoundPage(rows as unknown as readonly MemoryRow[], limit, {
            value: (row) => toMemory(database, row),
            key: ({ row }) => [row],
            isSound: (row) => isSound('memory', row),
            tells: principal.role === 'admin',
          });
        }),

      edit: (id, { text, keys, type, tags, at }) =>
        write((database): Memory | undefined => {
          const row = rowOf(database, id);
          if (!row) return undefined;
          const present = toMemory(database, row);
          const isHeld = row.valid_until === null;
          if (text !== undefined && keys) {
            if (isHeld) takeFromIndex(database, row);
            prepared(database, 'UPDATE memory SET text = ?, same_key = ?, topic = NULL, terms = ? WHERE row = ?').run(
              text,
              keys.sameKey,
              keys.terms.join(' '),
              row.row,
            );
            if (isHeld) addToIndex(database, { ...row, terms: keys.terms.join(' ') });
            addOrigin(database, row.row, { at });
          }
          prepared(database, 'UPDATE memory SET type = ?, tags = ?, updated_at = ? WHERE row = ?').run(
            type ?? present.type,
            JSON.stringify(tags ?? present.tags),
            at,
            row.row,
          );
          seal(database, 'memory', row.row);
          const edited = rowOf(database, id);
          return edited && toMemory(database, edited);
        }),

      delete: (id) =>
        free((database) => {
          const row = rowOf(database, id);
          if (row) removeMemory(database, row, tenant);
          return row !== undefined;
        }),

      async deleteAll() {
        for (let erased = 0; ; ) {
          const removed = await free((database) => {
            const owner = ownerOf(database);
            if (owner === undefined) return 0;
            const sql = `SELECT ${memoryColumns} FROM memory WHERE owner = ? ORDER BY row LIMIT ?`;
            const rows = prepared(database, sql).all(owner, together) as unknown as readonly MemoryRow[];
            for (const row of rows) removeMemory(database, row, tenant);
            return rows.length;
          });
          erased += removed;
          if (removed < together) return erased;
        }
      },

      recall: (request) =>
        read((database) => {
          const owner = ownerOf(database);
          return owner === undefined ? [] : recallRows(database, owner, request);
        }),

      countUse: (ids, at) =>
        write((database) => {
          const owner = ownerOf(database) ?? 0;
          const sql =
            'UPDATE memory SET usage_count = usage_count + 1, last_accessed_at = ? WHERE id = ? AND owner = ?';
          for (const id of ids) prepared(database, sql).run(at, id, owner);
        }),

      unused: ({ before, usedLessThan, limit }) =>
        read((database) => {
          const sql = `SELECT ${memoryColumns} FROM memory WHERE ${isUnused} ORDER BY row LIMIT ?`;
          const rows = prepared(database, sql).all(ownerOf(database) ?? 0, before, before, usedLessThan, limit);
          return soundMemories(rows).map((row) => toMemory(database, row));
        }),

      countUnused: ({ before, usedLessThan }) =>
        read((database) => {
          const sql = `SELECT count(*) AS count FROM memory WHERE ${isUnused}`;
          return Number(
            prepared(database, sql).get(ownerOf(database) ?? 0, before, before, usedLessThan)?.['count'] ?? 0,
          );
        }),

      stats: () =>
        read((database) => {
          const owner = ownerOf(database) ?? 0;
          const sql =
            'SELECT type, valid_until IS NULL AS holds, count(*) AS count FROM memory WHERE owner = ? GROUP BY 1, 2';
          const byType = Object.fromEntries(memoryTypes.map((type) => [type, 0])) as Record<
            (typeof memoryTypes)[number],
            number
          >;
          let superseded = 0;
          for (const { type, holds, count } of prepared(database, sql).all(owner))
            if (holds === 1) byType[toType(String(type))] += Number(count);
            else superseded += Number(count);
          return { total: Object.values(byType).reduce((sum, count) => sum + count, 0), byType, superseded };
        }),
    };
  };
}

/** One memory of any user of the principal. */
export function createMemoryById({ tenant, principal }: Scope, read: Reader) {
  return (id: string): Promise<Memory | undefined> =>
    read((database) => {
      const columns = memoryColumns.split(', ').map((column) => `memory.${column}`);
      const sql = `SELECT ${columns.join(', ')} FROM memory JOIN memory_owner USING (owner) WHERE id = ? AND tenant = ? AND principal = ?`;
      const row = prepared(database, sql).get(id, tenant, principal.id) as MemoryRow | undefined;
      return row && toMemory(database, row);
    });
}

function insertMemory(database: DatabaseSync, owner: number, memory: MemoryWrite): number {
  const sql = `INSERT INTO memory (owner, id, type, text, same_key, terms, tags, created_at, updated_at, valid_from)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  const { id, type, text, sameKey, terms, tags, at } = memory;
  return Number(
    prepared(database, sql).run(owner, id, type, text, sameKey, terms.join(' '), JSON.stringify(tags), at, at, at)
      .lastInsertRowid,
  );
}

/** Ends what the new memory takes the place of; ids of those. */
function supersede(
  database: DatabaseSync,
  owner: number,
  { memory, comparison }: { readonly memory: MemoryWrite; readonly comparison: MemoryComparison },
): readonly string[] {
  const rows = compared(database, owner, memory);
  if (toNear(rows).mark !== comparison.mark)
    throw new FootnoteError('conflict', 'What was said earlier has changed meanwhile: compare with it again.', {
      details: { [unmetDetail]: comparison.mark },
    });
  const ended: string[] = [];
  for (const row of rows) {
    if (!comparison.superseded.includes(row.id)) continue;
    takeFromIndex(database, row);
    const end = prepared(database, 'UPDATE memory SET valid_until = ?, superseded_by = ? WHERE row = ?');
    changeSealed(database, { table: 'memory', rowid: row.row }, () => end.run(memory.at, memory.id, row.row));
    ended.push(row.id);
  }
  return ended;
}

function toNear(rows: readonly MemoryRow[]): NearMemories {
  const memories = rows.map(toCompared);
  return { memories, mark: sha256(JSON.stringify(memories)) };
}

const toCompared = ({ id, type, text }: MemoryRow): ComparedMemory => ({ id, type: toType(type), text });

function compared(database: DatabaseSync, owner: number, { terms }: MemoryKeys): readonly MemoryRow[] {
  const found = new Map<number, MemoryRow>();
  const take = (rows: readonly unknown[], most: number): void => {
    for (const row of soundMemories(rows)) if (found.size < most) found.set(row.row, row);
  };
  const newest = `SELECT ${memoryColumns} FROM memory WHERE owner = ? AND valid_until IS NULL ORDER BY row DESC LIMIT ?`;
  take(prepared(database, newest).all(owner, mostCompared), mostCompared);
  const count = prepared(database, 'SELECT memories FROM memory_word WHERE owner = ? AND term = ?');
  const rarestFirst = terms
    .map((term) => ({ term, memories: Number(count.get(owner, term)?.['memories'] ?? 0) }))
    .filter(({ memories }) => memories > 0)
    .sort((a, b) => a.memories - b.memories);
  const sharing = prepared(
    database,
    `SELECT ${memoryColumns} FROM memory WHERE row IN (SELECT memory FROM memory_term WHERE owner = ? AND term = ? ORDER BY memory DESC LIMIT ?)`,
  );
  for (const { term } of rarestFirst) {
    if (found.size >= 2 * mostCompared) break;
    take(sharing.all(owner, term, mostCompared), 2 * mostCompared);
  }
  return [...found.values()];
}

/** Memories that hold, of everybody. */
export const memoriesHeld = (read: Reader): Promise<number> =>
  read((database) =>
    Number(prepared(database, 'SELECT coalesce(sum(memories), 0) AS held FROM memory_owner').get()?.['held'] ?? 0),
  );
