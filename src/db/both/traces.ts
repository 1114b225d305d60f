// Traces as the record keeps them. Invariant: only who asked, or an admin of the tenant, reads them again: they quote documents that
// others may not see. Traces of searches wait to be committed together (trace-groups.ts) and are read from there.
import { zstdDecompressSync } from 'node:zlib';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { LoggedEvent } from '../../core/events.ts';
import type { Scope } from '../../core/scope.ts';
import { packText, unpackJson } from '../packed.ts';
import { parseCursor, toLimit, toSoundPage } from '../paging.ts';
import { traceFactsOf } from '../repositories/trace-facts.ts';
import type { TraceFilter, TraceRepository, TraceSummary } from '../repositories/traces.ts';
import { rowReader } from '../row-reader.ts';
import { isSound, sealColumns, sealOfRow } from '../sealed-rows.ts';
import { first, run, type Statements, type StatementValue, type Steps } from '../statements.ts';
import { type DeletionGuard, documentIdsIn } from './deletions.ts';
import { outlineOf } from './erased-texts.ts';
import { type PackedTrace, packEvents, unpackTrace } from './packed-traces.ts';
import { createTraceGroups, type TraceGroups, type WaitingTrace } from './trace-groups.ts';

interface TraceRow {
  readonly id: string;
  readonly started_at: string;
  readonly total_ms: number;
  /** JSON. */
  readonly sources: string | null;
  /** JSON. */
  readonly doubts: string | null;
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
  ...(row.doubts !== null && { doubts: JSON.parse(row.doubts) as NonNullable<TraceSummary['doubts']> }),
  ...(row.is_pinned === 1 && { pinned: true }),
});

const summaryColumns = `${sealColumns('trace')}, is_pinned`;

/** Read again from what was packed: it is seldom asked, and the texts of all who wait for a commit would be held for it. */
const unpackEvents = (packed: Uint8Array, what: string): LoggedEvent[] => unpackJson(packed, what) as LoggedEvent[];

export interface TracePorts {
  readonly statements: Statements;
  readonly guard: DeletionGuard;
  readonly groups: TraceGroups;
}
type SavePorts = Pick<TracePorts, 'statements' | 'guard'>;

/** What of a trace may be kept: all of it (undefined), its outline, or nothing where its session was deleted meanwhile. */
function* outlineNow(
  guard: DeletionGuard,
  { scope, trace, packed }: WaitingTrace,
): Steps<readonly LoggedEvent[] | undefined> {
  if (yield* guard.isGone(scope, trace.sessionId)) return [];
  if (!(yield* guard.deletedSince(scope.tenant, Date.parse(trace.startedAt)))) return undefined;
  const json = zstdDecompressSync(packed).toString('utf8');
  const missing = yield* guard.missing(scope.tenant, documentIdsIn(json));
  return missing.size === 0
    ? undefined
    : outlineOf(JSON.parse(json) as readonly LoggedEvent[], new Date().toISOString());
}

/** As a database gives it back, which the seal is over: texts are well formed, and U+0000 would end them. */
const stored = (value: StatementValue | undefined): StatementValue =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : (value ?? null);

/** False where it is there already: a commit whose outcome nobody knew had done it. */
function* insertTrace(guard: DeletionGuard, waiting: WaitingTrace): Steps<boolean> {
  const { scope, trace, packed } = waiting;
  const outline = yield* outlineNow(guard, waiting);
  const facts = {
    tenant: stored(scope.tenant),
    id: stored(trace.id),
    principal: stored(scope.principal.id),
    kind: stored(trace.kind),
    session_id: outline?.length === 0 ? null : stored(trace.sessionId),
    started_at: stored(trace.startedAt),
    total_ms: trace.totalMs,
    event_count: outline?.length ?? trace.eventCount,
    status: stored(trace.status),
    intent: stored(trace.intent),
    mode: stored(trace.mode),
    cost_usd: stored(trace.costUsd),
    sources: trace.sources && !outline ? stored(JSON.stringify(trace.sources)) : null,
    answer_id: stored(trace.answerId),
    question: outline ? null : stored(trace.question),
    doubts: trace.doubts ? JSON.stringify(trace.doubts) : null,
  };
  const row = {
    ...facts,
    events: outline ? packText(JSON.stringify(outline), 'fast') : packed,
    is_pinned: trace.pinned ? 1 : 0,
    seal: sealOfRow('trace', facts),
  };
  const columns = Object.keys(row);
  const sql = `INSERT INTO trace (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (tenant, id) DO NOTHING`;
  return (yield* run(sql, ...Object.values(row))) === 1;
}

/** The traces of all scopes that wait for their commit. */
export function openTraceGroups(portsOf: (tenant: string) => SavePorts, hasRoom: () => boolean): TraceGroups {
  const write = (waiting: readonly WaitingTrace[]): Promise<boolean> => {
    const { statements, guard } = portsOf(waiting[0]?.scope.tenant ?? '');
    return statements.write(function* () {
      for (const one of waiting) yield* insertTrace(guard, one);
      return true;
    });
  };
  /** Those of a tenant in one transaction; where that fails by what one of them holds, each by itself. */
  async function saveSome(some: readonly WaitingTrace[]): Promise<readonly WaitingTrace[]> {
    try {
      await write(some);
      return some;
    } catch (error) {
      if (some.length === 1 || toFootnoteError(error).rule.retryable) return [];
    }
    const saved: WaitingTrace[] = [];
    for (const one of some) if (await write([one]).catch(() => false)) saved.push(one);
    return saved;
  }
  async function save(waiting: readonly WaitingTrace[]): Promise<readonly WaitingTrace[]> {
    const saved: WaitingTrace[] = [];
    for (const some of Map.groupBy(waiting, ({ scope }) => scope.tenant).values())
      saved.push(...(await saveSome(some)));
    return saved;
  }
  return createTraceGroups({ pack: packEvents, save, hasRoom });
}

/** A filter as conditions, with what is bound in them. */
function conditionsOf(filter: TraceFilter): { readonly where: string; readonly bound: readonly StatementValue[] } {
  const {
    sessionId,
    kind,
    from,
    to,
    status,
    intent,
    minMs,
    maxMs,
    minCostUsd,
    maxCostUsd,
    source,
    pinned,
    question,
    doubt,
  } = filter;
  const conditions: readonly (readonly [condition: string, value: StatementValue | undefined])[] = [
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
    // As it stands in the JSON of a list of names.
    ["instr(coalesce(sources, ''), ?) > 0", source === undefined ? undefined : JSON.stringify(source)],
    ["instr(coalesce(doubts, ''), ?) > 0", doubt === 'any' ? '"' : doubt && JSON.stringify(doubt)],
    ['is_pinned = ?', pinned === undefined ? undefined : Number(pinned)],
    ['instr(lowered(question), lowered(?)) > 0', question],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  return {
    where: given.map(([condition]) => ` AND ${condition}`).join(''),
    bound: given.map(([, value]) => value as StatementValue),
  };
}

export function createTraceRepository(scope: Scope, { statements, guard, groups }: TracePorts): TraceRepository {
  const { tenant, principal } = scope;
  const owner = [tenant, principal.id, principal.role === 'admin' ? 1 : 0] as const;
  const isMine = 'tenant = ? AND (principal = ? OR ? = 1)';

  const insert = (trace: TraceSummary, events: readonly LoggedEvent[]): Promise<boolean> => {
    const packed = packEvents(events);
    return statements.write(() => insertTrace(guard, { scope, trace, packed }));
  };

  const recorded: TraceRepository['get'] = (id) =>
    statements.read(function* () {
      const sql = `SELECT ${summaryColumns}, events AS packed, chunks FROM trace WHERE ${isMine} AND id = ?`;
      const row = yield* first<TraceRow & PackedTrace>(sql, ...owner, id);
      if (!row) return undefined;
      if (!isSound('trace', row))
        throw new FootnoteError('data-corrupt', `Trace ${id} is damaged in the record and is not served.`);
      if (row.chunks === null) return { trace: toTrace(row), events: unpackEvents(row.packed, `Trace ${id}`) };
      const json = yield* unpackTrace(row);
      // What it leans on was deleted a moment ago, and it will be swept.
      const events = json ? (JSON.parse(json.toString('utf8')) as LoggedEvent[]) : outlineOf([], row.started_at);
      return { trace: toTrace(row), events };
    });

  return {
    async save(trace, events) {
      await insert({ ...trace, ...traceFactsOf(events) }, events);
    },
    async saveSoon(trace, events) {
      const found = { ...trace, ...traceFactsOf(events) };
      if (groups.isOpen()) return groups.add(scope, found, events);
      await insert(found, events);
      groups.wrote();
    },
    async take(trace, events) {
      const taken = { ...trace, ...traceFactsOf(events), eventCount: events.length };
      if ((await this.get(trace.id)) || !(await insert(taken, events)))
        throw new FootnoteError('conflict', `There is a trace ${trace.id} already. Nothing was taken in.`);
    },
    async get(id) {
      if (!groups.find(scope, id)) return recorded(id);
      await groups.flush();
      // Where nothing can be written it is given from memory, without what was deleted meanwhile.
      const waiting = groups.find(scope, id);
      if (!waiting) return recorded(id);
      const { trace, packed } = waiting;
      const events = unpackEvents(packed, `Trace ${id}`);
      const missing = await statements.read(() => guard.missing(tenant, documentIdsIn(JSON.stringify(events))));
      if (missing.size === 0) return { trace, events };
      const { question: _, sources: __, ...left } = trace;
      return { trace: left, events: outlineOf(events, new Date().toISOString()) };
    },
    async list({ filter = {}, sort = 'newest', ...request }) {
      await groups.flush();
      const limit = toLimit(request);
      const by = sort === 'newest' ? 'started_at' : 'total_ms';
      const cursor = parseCursor(request, [sort === 'newest' ? 'string' : 'number', 'string']);
      const { where, bound } = conditionsOf(filter);
      const sql = `SELECT ${summaryColumns}, length(events) AS bytes FROM trace WHERE ${isMine}${where} ${cursor ? `AND (${by}, id) < (?, ?)` : ''} ORDER BY ${by} DESC, id DESC LIMIT ?`;
      const found = await statements.rows<TraceRow>(sql, ...owner, ...bound, ...(cursor ?? []), limit + 1);
      return toSoundPage(found, limit, {
        value: toTrace,
        key: (row) => [row[by], row.id],
        isSound: (row) => isSound('trace', row),
        tells: principal.role === 'admin',
      });
    },
    async pin(id, isPinned) {
      await groups.flush();
      return statements.write(function* () {
        const sql = `UPDATE trace SET is_pinned = ? WHERE ${isMine} AND id = ?`;
        return (yield* run(sql, isPinned ? 1 : 0, ...owner, id)) === 1;
      });
    },
  };
}
