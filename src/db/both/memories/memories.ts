// Long-term memories in the record. Invariant: a repository reads and writes the memories of one user of one principal alone, whoever that
// principal is; what is merged, superseded or taken away changes together with the index of its words, in one transaction.
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
import { isSound, sealOfRow } from '../../sealed-rows.ts';
import { first, rows, run, type Statements, type StatementValue, type Steps } from '../../statements.ts';
import { effectNote } from '../effects.ts';
import { countTerms, newestRows, type OpenTermLists, recallRows } from './recall.ts';
import {
  addToIndex,
  changeMemory,
  type MemoryRow,
  memoryColumns,
  type NoteMemory,
  removeMemories,
  rowNames,
  soundMemories,
  takeFromIndex,
  toMemories,
  toMemory,
  toTags,
  toType,
} from './rows.ts';

/** Memories that a new one is compared with at most: the newest, then as many that share its rarest words. */
const mostCompared = 64;
/** Memories that are taken away in one transaction. */
const together = 200;
/** Places where a memory was said that are kept; the first and the latest tell enough. */
const mostOrigins = 20;

const isUnused = "owner = ? AND updated_at < ? AND coalesce(last_accessed_at, '') < ? AND usage_count < ?";

export interface MemoryPorts {
  readonly statements: Statements;
  readonly termLists: OpenTermLists;
  readonly note: NoteMemory;
}

/** 0: nothing was ever said by them. */
function* ownerOf({ tenant, principal }: Scope, user: string): Steps<number> {
  const sql = 'SELECT owner FROM memory_owner WHERE tenant = ? AND principal = ? AND "user" = ?';
  return (yield* first<{ readonly owner: number }>(sql, tenant, principal.id, user))?.owner ?? 0;
}

export function createMemoryRepositories(scope: Scope, { statements, termLists, note }: MemoryPorts): MemoriesOf {
  const { tenant, principal } = scope;
  return (user) => {
    const own = () => ownerOf(scope, user);
    function* ownerFor(): Steps<number> {
      const present = yield* own();
      if (present > 0) return present;
      const sql = 'INSERT INTO memory_owner (tenant, principal, "user") VALUES (?, ?, ?) RETURNING owner';
      return (yield* first<{ readonly owner: number }>(sql, tenant, principal.id, user))?.owner ?? 0;
    }
    const rowsWhere = (where: string, ...values: readonly StatementValue[]): Steps<readonly MemoryRow[]> =>
      rows(`SELECT ${memoryColumns} FROM memory WHERE ${where}`, ...values);
    function* rowOf(id: string): Steps<MemoryRow | undefined> {
      const owner = yield* own();
      return owner === 0 ? undefined : (yield* rowsWhere('id = ? AND owner = ?', id, owner))[0];
    }
    function* addOrigin(row: number, { sessionId, turnId, answerId, at }: MemoryOrigin): Steps<void> {
      const sql = 'SELECT coalesce(max(ordinal), 0) AS last, count(*) AS count FROM memory_origin WHERE memory = ?';
      const { last = 0, count = 0 } = (yield* first<{ readonly last: number; readonly count: number }>(sql, row)) ?? {};
      if (count >= mostOrigins) yield* run('DELETE FROM memory_origin WHERE memory = ? AND ordinal = ?', row, last);
      const put = `INSERT INTO memory_origin (memory, ordinal, tenant, principal, session_id, turn_id, answer_id, said_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
      const said = [sessionId ?? null, turnId ?? null, answerId ?? null, at] as const;
      yield* run(put, row, last + 1, tenant, principal.id, ...said);
    }
    /** A turn that was deleted while its message was answered leaves nothing behind. */
    function* isThere({ turnId }: MemoryOrigin): Steps<boolean> {
      if (turnId === undefined) return true;
      return (yield* first('SELECT 1 FROM turn WHERE tenant = ? AND id = ?', tenant, turnId)) !== undefined;
    }
    function* compared(owner: number, keys: MemoryKeys): Steps<readonly MemoryRow[]> {
      const found = new Map<number, MemoryRow>();
      const take = (some: readonly MemoryRow[], most: number): void => {
        for (const row of soundMemories(some)) if (found.size < most) found.set(row.row, row);
      };
      take(
        yield* rowsWhere('owner = ? AND valid_until IS NULL ORDER BY row DESC LIMIT ?', owner, mostCompared),
        mostCompared,
      );
      const rarestFirst = [...(yield* countTerms(owner, keys.terms))].sort(
        ([left, a], [right, b]) => a - b || keys.terms.indexOf(left) - keys.terms.indexOf(right),
      );
      const terms = rarestFirst.map(([term]) => term);
      const lists = termLists({ owner, terms, limit: mostCompared });
      for (const term of terms) {
        if (found.size >= 2 * mostCompared) break;
        const others = (yield* lists.newest(term)).filter((row) => !found.has(row));
        if (others.length > 0) take(yield* rowsWhere('row = ANY(?) ORDER BY row', rowNames(others)), 2 * mostCompared);
      }
      return [...found.values()];
    }
    /** Ends what the new memory takes the place of; ids of those. */
    function* supersede(
      owner: number,
      { memory, comparison }: { readonly memory: MemoryWrite; readonly comparison: MemoryComparison },
    ): Steps<readonly string[]> {
      const near = yield* compared(owner, memory);
      if (toNear(near).mark !== comparison.mark)
        throw new FootnoteError('conflict', 'What was said earlier has changed meanwhile: compare with it again.', {
          details: { [unmetDetail]: comparison.mark },
        });
      const ended = near.filter(({ id }) => comparison.superseded.includes(id));
      for (const row of ended) {
        yield* takeFromIndex(row);
        yield* changeMemory(row, { valid_until: memory.at, superseded_by: memory.id });
      }
      return ended.map(({ id }) => id);
    }

    return {
      write(memory, comparison) {
        const note = effectNote();
        return statements.write(function* (): Steps<WrittenMemory | undefined> {
          if (!(yield* isThere(memory.origin))) return undefined;
          const owner = yield* ownerFor();
          const [same] = soundMemories(
            yield* rowsWhere(
              'owner = ? AND same_key = ? AND valid_until IS NULL ORDER BY row DESC',
              owner,
              memory.sameKey,
            ),
          );
          if (same) {
            yield* addOrigin(same.row, memory.origin);
            const tags = JSON.stringify([...new Set([...toTags(same.tags), ...memory.tags])]);
            const type = memory.isTypeAsked === true ? memory.type : same.type;
            const merged = yield* changeMemory(same, { updated_at: memory.at, tags, type });
            yield* note('memory', JSON.stringify({ id: same.id, change: 'merged', superseded: [] }));
            return { memory: yield* toMemory(merged), change: 'merged', superseded: [] };
          }
          const ended = comparison ? yield* supersede(owner, { memory, comparison }) : [];
          const written = yield* insertMemory(owner, memory);
          yield* addOrigin(written.row, memory.origin);
          yield* addToIndex(written);
          yield* note('memory', JSON.stringify({ id: memory.id, change: 'created', superseded: ended }));
          return { memory: yield* toMemory(written), change: 'created', superseded: ended };
        });
      },

      near: (keys) =>
        statements.read(function* () {
          const owner = yield* own();
          return toNear(owner === 0 ? [] : yield* compared(owner, keys));
        }),

      several: (ids) =>
        statements.read(function* () {
          const found = yield* rowsWhere('id = ANY(?) AND owner = ?', ids, yield* own());
          const byId = new Map(soundMemories(found).map((row) => [row.id, row]));
          return yield* toMemories(ids.flatMap((id) => byId.get(id) ?? []));
        }),

      newest: (request) =>
        statements.read(function* () {
          const owner = yield* own();
          return owner === 0 ? [] : yield* newestRows(owner, request);
        }),

      get: (id) =>
        statements.read(function* () {
          const row = yield* rowOf(id);
          return row && (yield* toMemory(row));
        }),

      list: ({ type, tag, history = false, ...request }) =>
        statements.read(function* () {
          const limit = toLimit(request);
          const [before = Number.MAX_SAFE_INTEGER] = parseCursor(request, ['number']) ?? [];
          // A list is printed in one way: what stands before a text of it says that it is one of its own.
          const told = JSON.stringify(tag ?? '');
          const found = yield* rowsWhere(
            `owner = ? AND row < ? AND (? = 1 OR valid_until IS NULL) AND (? = '' OR type = ?)
             AND (? = 1 OR instr(tags, ?) > 0 OR instr(tags, ?) > 0) ORDER BY row DESC LIMIT ?`,
            ...[yield* own(), before, history ? 1 : 0, type ?? '', type ?? ''],
            ...[tag === undefined ? 1 : 0, `[${told}`, `,${told}`, limit + 1],
          );
          const sound = soundMemories(found);
          const memories = new Map((yield* toMemories(sound)).map((memory) => [memory.id, memory]));
          return toSoundPage(found, limit, {
            value: ({ id }) => memories.get(id) as Memory,
            key: ({ row }) => [row],
            isSound: (row) => isSound('memory', row),
            tells: principal.role === 'admin',
          });
        }),

      edit: (id, { text, keys, type, tags, at }) =>
        statements.write(function* (): Steps<Memory | undefined> {
          const row = yield* rowOf(id);
          if (!row) return undefined;
          const present = yield* toMemory(row);
          const isHeld = row.valid_until === null;
          const said = text !== undefined &&
            keys && {
              text: text.toWellFormed(),
              same_key: keys.sameKey.toWellFormed(),
              topic: null,
              terms: keys.terms.join(' ').toWellFormed(),
            };
          if (said && isHeld) yield* takeFromIndex(row);
          const edited = yield* changeMemory(row, {
            ...said,
            type: type ?? present.type,
            tags: JSON.stringify(tags ?? present.tags),
            updated_at: at,
          });
          if (said && isHeld) yield* addToIndex(edited);
          if (said) yield* addOrigin(row.row, { at });
          return yield* toMemory(edited);
        }),

      delete: (id) =>
        statements.free(function* () {
          const row = yield* rowOf(id);
          if (row) yield* removeMemories([row], note);
          return row !== undefined;
        }),

      async deleteAll() {
        for (let erased = 0; ; ) {
          const removed = await statements.free(function* () {
            const found = yield* rowsWhere('owner = ? ORDER BY row LIMIT ?', yield* own(), together);
            if (found.length > 0) yield* removeMemories(found, note);
            return found.length;
          });
          erased += removed;
          if (removed < together) return erased;
        }
      },

      recall: (request) =>
        statements.read(function* () {
          const owner = yield* own();
          return owner === 0 ? [] : yield* recallRows(owner, request, termLists);
        }),

      countUse: (ids, at) =>
        statements.write(function* () {
          const sql =
            'UPDATE memory SET usage_count = usage_count + 1, last_accessed_at = ? WHERE id = ANY(?) AND owner = ?';
          yield* run(sql, at, ids, yield* own());
        }),

      unused: ({ before, usedLessThan, limit }) =>
        statements.read(function* () {
          const values = [yield* own(), before, before, usedLessThan, limit] as const;
          return yield* toMemories(soundMemories(yield* rowsWhere(`${isUnused} ORDER BY row LIMIT ?`, ...values)));
        }),

      countUnused: ({ before, usedLessThan }) =>
        statements.read(function* () {
          const sql = `SELECT count(*) AS count FROM memory WHERE ${isUnused}`;
          const values = [yield* own(), before, before, usedLessThan] as const;
          return (yield* first<{ readonly count: number }>(sql, ...values))?.count ?? 0;
        }),

      stats: () =>
        statements.read(function* () {
          const sql = `SELECT type, CASE WHEN valid_until IS NULL THEN 1 ELSE 0 END AS holds, count(*) AS count FROM memory
            WHERE owner = ? GROUP BY 1, 2`;
          const byType = Object.fromEntries(memoryTypes.map((type) => [type, 0])) as Record<
            (typeof memoryTypes)[number],
            number
          >;
          let superseded = 0;
          type Row = { readonly type: string; readonly holds: number; readonly count: number };
          for (const { type, holds, count } of yield* rows<Row>(sql, yield* own()))
            if (holds === 1) byType[toType(type)] += count;
            else superseded += count;
          return { total: Object.values(byType).reduce((sum, count) => sum + count, 0), byType, superseded };
        }),
    };
  };
}

/** One memory of any user of the principal. */
export const createMemoryById =
  ({ tenant, principal }: Scope, statements: Statements) =>
  (id: string): Promise<Memory | undefined> =>
    statements.read(function* () {
      const sql = `SELECT ${memoryColumns} FROM memory WHERE id = ? AND owner IN (
        SELECT o.owner FROM memory_owner AS o WHERE o.tenant = ? AND o.principal = ?)`;
      const row = yield* first<MemoryRow>(sql, id, tenant, principal.id);
      return row && (yield* toMemory(row));
    });

function* insertMemory(owner: number, memory: MemoryWrite): Steps<MemoryRow> {
  const { id, type, text, sameKey, terms, tags, at } = memory;
  const facts = {
    owner,
    id,
    type,
    text: text.toWellFormed(),
    same_key: sameKey.toWellFormed(),
    topic: null,
    terms: terms.join(' ').toWellFormed(),
    tags: JSON.stringify(tags),
    created_at: at,
    updated_at: at,
    valid_from: at,
    valid_until: null,
    superseded_by: null,
  };
  const sealed = { ...facts, seal: sealOfRow('memory', facts) };
  const names = Object.keys(sealed);
  const sql = `INSERT INTO memory (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) RETURNING row`;
  const inserted = yield* first<{ readonly row: number }>(sql, ...Object.values(sealed));
  return { row: inserted?.row ?? 0, ...sealed, usage_count: 0, last_accessed_at: null };
}

function toNear(found: readonly MemoryRow[]): NearMemories {
  const memories = found.map(toCompared);
  return { memories, mark: sha256(JSON.stringify(memories)) };
}

const toCompared = ({ id, type, text }: MemoryRow): ComparedMemory => ({ id, type: toType(type), text });

/** Memories that hold, of everybody. */
export const memoriesHeld = (statements: Statements): Promise<number> =>
  statements.read(function* () {
    const sql = 'SELECT coalesce(sum(memories), 0) AS held FROM memory_owner';
    return (yield* first<{ readonly held: number }>(sql))?.held ?? 0;
  });
