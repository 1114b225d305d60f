// Traces as the record keeps them. Invariant: only who asked, or an admin of the tenant, reads them again: they quote documents that
// others may not see. Traces of searches wait to be committed together (trace-groups.ts) and are read from there.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { FootnoteError } from '../../../core/errors.ts';
import type { LoggedEvent } from '../../../core/events.ts';
import type { Scope } from '../../../core/scope.ts';
import { outlineOf } from '../../erasure/erased-texts.ts';
import { deletedSince, documentIdsIn, missingDocuments } from '../../erasure/erasure-notes.ts';
import { packText, unpackJson } from '../../packed.ts';
import { parseCursor, toLimit, toSoundPage } from '../../paging.ts';
import { traceFactsOf } from '../../repositories/trace-facts.ts';
import type { TraceFilter, TraceRepository, TraceSummary, TraceUpkeep } from '../../repositories/traces.ts';
import { prepared, type Reader } from '../file/connection.ts';
import { rowReader } from '../file/row-reader.ts';
import { isSound, seal, sealColumns } from '../file/seals.ts';
import { isGone } from './gone-sessions.ts';
import { compactTrace, type PackedTrace, packEvents, unpackTrace } from './packed-traces.ts';
import type { Writer } from './sessions.ts';
import { createTraceGroups, type TraceGroups, type WaitingTrace } from './trace-groups.ts';

interface TraceRow {
  readonly id: string;
  readonly started_at: string;
  /** JSON. */
  readonly sources: string | null;
  readonly is_pinned: number;
}

const factsOf = rowReader<TraceSummary>(
  'id',
  'kind',
  'sessionId',
  'startedAt',
  'totalMs',
  'eventCount',
  'status',
  'intent',
  'mode',
  'costUsd',
  'answerId',
  'question',
  'bytes',
);
const toTrace = (row: TraceRow): TraceSummary => ({
  ...factsOf(row),
  ...(row.sources !== null && { sources: JSON.parse(row.sources) as readonly string[] }),
  ...(row.is_pinned === 1 && { pinned: true }),
});

const writtenColumns =
  'id, kind, session_id, started_at, total_ms, event_count, status, intent, mode, cost_usd, sources, answer_id, question, is_pinned';
const summaryColumns = `${sealColumns('trace')}, is_pinned`;

/** Read again from what was packed: it is seldom asked, and the texts of all who wait for a commit would be held for it. */
const unpackEvents = (packed: Uint8Array, what: string): LoggedEvent[] => unpackJson(packed, what) as LoggedEvent[];

const missingIn = (database: DatabaseSync, tenant: string, json: string): ReadonlySet<string> =>
  missingDocuments(database, tenant, documentIdsIn(json));

/** What of a trace may be kept: all of it (undefined), its outline, or nothing where its session was deleted meanwhile. */
function outlineNow(
  database: DatabaseSync,
  { scope, trace, packed }: WaitingTrace,
): readonly LoggedEvent[] | undefined {
  if (isGone(database, scope, trace.sessionId)) return [];
  if (!deletedSince(database, scope.tenant, Date.parse(trace.startedAt))) return undefined;
  const json = zstdDecompressSync(packed).toString('utf8');
  const missing = missingIn(database, scope.tenant, json);
  return missing.size === 0
    ? undefined
    : outlineOf(JSON.parse(json) as readonly LoggedEvent[], new Date().toISOString());
}

function insertTrace(database: DatabaseSync, waiting: WaitingTrace): void {
  const { scope, trace, packed } = waiting;
  const outline = outlineNow(database, waiting);
  const { lastInsertRowid } = prepared(
    database,
    `INSERT INTO trace (tenant, principal, events, ${writtenColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    scope.tenant,
    scope.principal.id,
    outline ? packText(JSON.stringify(outline), 'fast') : packed,
    trace.id,
    trace.kind,
    outline?.length === 0 ? null : (trace.sessionId ?? null),
    trace.startedAt,
    trace.totalMs,
    outline?.length ?? trace.eventCount,
    trace.status ?? null,
    trace.intent ?? null,
    trace.mode ?? null,
    trace.costUsd ?? null,
    trace.sources && !outline ? JSON.stringify(trace.sources) : null,
    trace.answerId ?? null,
    (outline ? undefined : trace.question) ?? null,
    trace.pinned ? 1 : 0,
  );
  seal(database, 'trace', Number(lastInsertRowid));
}

/** The traces of all scopes that wait for their commit. */
export function openTraceGroups(write: Writer, hasRoom: () => boolean): TraceGroups {
  const save = (waiting: WaitingTrace): Promise<void> => write((database) => insertTrace(database, waiting));
  return createTraceGroups({ pack: packEvents, save, hasRoom });
}

export interface TracePorts {
  readonly read: Reader;
  readonly write: Writer;
  readonly groups: TraceGroups;
}

/** A filter as conditions, with what is bound in them. */
function conditionsOf(filter: TraceFilter): { readonly where: string; readonly bound: readonly SQLInputValue[] } {
  const { sessionId, kind, from, to, status, intent, minMs, maxMs, minCostUsd, maxCostUsd, source, pinned, question } =
    filter;
  const conditions: readonly (readonly [condition: string, value: SQLInputValue | undefined])[] = [
    ['session_id = ?', sessionId],
    ['kind = ?', kind],
    ['started_at >= ?', from],
    ['started_at < ?', to],
    status === 'error' ? ["coalesce(status, ?) <> 'done'", 'done'] : ['status = ?', status],
    ['intent = ?', intent],
    ['total_ms >= ?', minMs],
    ['total_ms <= ?', maxMs],
    ['cost_usd >= ?', minCostUsd],
    ['cost_usd <= ?', maxCostUsd],
    ["EXISTS (SELECT 1 FROM json_each(coalesce(sources, '[]')) WHERE value = ?)", source],
    ['is_pinned = ?', pinned === undefined ? undefined : Number(pinned)],
    ['instr(lowered(question), lowered(?)) > 0', question],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  return {
    where: given.map(([condition]) => ` AND ${condition}`).join(''),
    bound: given.map(([, value]) => value as SQLInputValue),
  };
}

export function createTraceRepository(scope: Scope, { read, write, groups }: TracePorts): TraceRepository {
  const { tenant, principal } = scope;
  const owner = [tenant, principal.id, principal.role === 'admin' ? 1 : 0] as const;

  const insert = async (trace: TraceSummary, events: readonly LoggedEvent[]): Promise<void> => {
    const packed = packEvents(events);
    await write((database) => insertTrace(database, { scope, trace, packed }));
  };

  const recorded: TraceRepository['get'] = (id) =>
    read((database) => {
      const sql = `SELECT ${summaryColumns}, events AS packed, chunks FROM trace WHERE tenant = ? AND (principal = ? OR ?) AND id = ?`;
      const row = prepared(database, sql).get(...owner, id) as (TraceRow & PackedTrace) | undefined;
      if (!row) return undefined;
      if (!isSound('trace', row))
        throw new FootnoteError('data-corrupt', `Trace ${id} is damaged in the record and is not served.`);
      if (row.chunks === null) return { trace: toTrace(row), events: unpackEvents(row.packed, `Trace ${id}`) };
      const json = unpackTrace(database, row);
      // What it leans on was deleted a moment ago, and it will be swept.
      const events = json ? (JSON.parse(json.toString('utf8')) as LoggedEvent[]) : outlineOf([], row.started_at);
      return { trace: toTrace(row), events };
    });

  return {
    save: (trace, events) => insert({ ...trace, ...traceFactsOf(events) }, events),
    async saveSoon(trace, events) {
      const found = { ...trace, ...traceFactsOf(events) };
      if (groups.isOpen()) return groups.add(scope, found, events);
      await insert(found, events);
      groups.wrote();
    },
    async take(trace, events) {
      if (await this.get(trace.id))
        throw new FootnoteError('conflict', `There is a trace ${trace.id} already. Nothing was taken in.`);
      await insert({ ...trace, ...traceFactsOf(events), eventCount: events.length }, events);
    },
    async get(id) {
      if (!groups.find(scope, id)) return recorded(id);
      await groups.flush();
      // Where nothing can be written it is given from memory, without what was deleted meanwhile.
      const waiting = groups.find(scope, id);
      if (!waiting) return recorded(id);
      const { trace, packed } = waiting;
      const events = unpackEvents(packed, `Trace ${id}`);
      const missing = await read((database) => missingIn(database, tenant, JSON.stringify(events)));
      if (missing.size === 0) return { trace, events };
      const { question: _, sources: __, ...left } = trace;
      return { trace: left, events: outlineOf(events, new Date().toISOString()) };
    },
    async list({ filter = {}, ...request }) {
      await groups.flush();
      return read((database) => {
        const limit = toLimit(request);
        const cursor = parseCursor(request, ['string', 'string']);
        const { where, bound } = conditionsOf(filter);
        const sql = `SELECT ${summaryColumns}, length(events) AS bytes FROM trace WHERE tenant = ? AND (principal = ? OR ?)${where} ${cursor ? 'AND (started_at, id) < (?, ?)' : ''} ORDER BY started_at DESC, id DESC LIMIT ?`;
        const rows = prepared(database, sql).all(...owner, ...bound, ...(cursor ?? []), limit + 1);
        return toSoundPage(rows as unknown as TraceRow[], limit, {
          value: toTrace,
          key: (row) => [row.started_at, row.id],
          isSound: (row) => isSound('trace', row),
          tells: principal.role === 'admin',
        });
      });
    },
    async pin(id, isPinned) {
      await groups.flush();
      return write((database) => {
        const sql = 'UPDATE trace SET is_pinned = ? WHERE tenant = ? AND (principal = ? OR ?) AND id = ?';
        return prepared(database, sql).run(isPinned ? 1 : 0, ...owner, id).changes === 1;
      });
    },
  };
}

/** The edition of what packed traces take for granted (packed-traces.ts); 2: as it was saved, because packing did not help. */
const editions = { compact: 1, asSaved: 2 } as const;

interface LooseRow {
  readonly row: number;
  readonly tenant: string;
  readonly packed: Uint8Array;
}

/** Old traces go, and those that nobody reads now are packed. Each call does a little in one transaction, so that no request waits for it. */
export function createTraceUpkeep(
  read: Reader,
  { write, free }: { readonly write: Writer; readonly free: Writer },
): TraceUpkeep {
  return {
    prune: (before, limit) =>
      free((database) => {
        const sql =
          'DELETE FROM trace WHERE rowid IN (SELECT rowid FROM trace WHERE is_pinned = 0 AND started_at < ? ORDER BY started_at LIMIT ?)';
        return Number(prepared(database, sql).run(before, limit).changes);
      }),
    async compact(before, limit) {
      const rows = (await read((database) =>
        prepared(
          database,
          'SELECT rowid AS row, tenant, events AS packed FROM trace WHERE is_compact = 0 AND started_at < ? ORDER BY started_at LIMIT ?',
        ).all(before, limit),
      )) as unknown as readonly LooseRow[];
      if (rows.length === 0) return 0;
      await write((database) => {
        const put = prepared(
          database,
          'UPDATE trace SET events = ?, chunks = ?, is_compact = ? WHERE rowid = ? AND is_compact = 0 AND events = ?',
        );
        const leave = prepared(database, 'UPDATE trace SET is_compact = ? WHERE rowid = ?');
        for (const { row, tenant, packed } of rows) {
          const json = unpackTrace(database, { packed, chunks: null });
          const compact = json && compactTrace(database, tenant, json);
          // Read back before it takes the place of what is there.
          const isSound = compact !== undefined && unpackTrace(database, compact)?.equals(json as Buffer) === true;
          if (isSound && compact.packed.byteLength < packed.byteLength)
            put.run(compact.packed, compact.chunks, editions.compact, row, packed);
          else leave.run(editions.asSaved, row);
        }
      });
      return rows.length;
    },
  };
}
