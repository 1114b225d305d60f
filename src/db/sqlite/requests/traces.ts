// Traces and answers as they were given. Invariant: only who asked, or an admin of the tenant, reads them again: they quote
// documents that others may not see. Traces of searches wait to be committed together (trace-groups.ts) and are read from there.

import type { DatabaseSync } from 'node:sqlite';
import type { LoggedEvent } from '../../../core/events.ts';
import { keptJson } from '../../../core/kept-json.ts';
import type { Scope } from '../../../core/scope.ts';
import { outlineOf } from '../../erasure/erased-texts.ts';
import {
  deletedSince,
  documentIdsIn,
  missingDocuments,
  wasDeletedSince,
  withoutDeleted,
} from '../../erasure/erasure-notes.ts';
import { parseCursor, toLimit, toPage } from '../../paging.ts';
import type { AnswerRepository, TraceRepository, TraceSummary } from '../../record.ts';
import { prepared, type Reader } from '../file/connection.ts';
import { packText, unpackJson } from '../file/packed.ts';
import { unpackAnswer, type Writer } from './sessions.ts';
import { createTraceGroups, type TraceGroups, type WaitingTrace } from './trace-groups.ts';

interface TraceRow {
  readonly id: string;
  readonly kind: string;
  readonly session_id: string | null;
  readonly started_at: string;
  readonly total_ms: number;
  readonly event_count: number;
}

const toTrace = (row: TraceRow): TraceSummary => ({
  id: row.id,
  kind: row.kind as TraceSummary['kind'],
  ...(row.session_id === null ? {} : { sessionId: row.session_id }),
  startedAt: row.started_at,
  totalMs: row.total_ms,
  eventCount: row.event_count,
});

const summaryColumns = 'id, kind, session_id, started_at, total_ms, event_count';

/** `JSON.stringify(events)`; calls whose JSON was made when they were recorded are not read again. */
function toEventsJson(events: readonly LoggedEvent[]): string {
  const texts = events.map((logged) => {
    const { seq, atMs, event } = logged;
    const call = event.type === 'call' ? keptJson(event.call) : undefined;
    if (call === undefined) return JSON.stringify(logged);
    return `{"seq":${seq},"atMs":${JSON.stringify(atMs)},"event":{"type":"call","call":${call}}}`;
  });
  return `[${texts.join(',')}]`;
}

/** Whether the session of a message was deleted while it was answered. */
function isGone(database: DatabaseSync, { tenant, principal }: Scope, id: string | undefined): boolean {
  if (id === undefined || !wasDeletedSince(database, { tenant, principal: principal.id, id }, 0)) return false;
  const sql = 'SELECT 1 FROM session WHERE tenant = ? AND principal = ? AND id = ?';
  return prepared(database, sql).get(tenant, principal.id, id) === undefined;
}

const packEvents = (events: readonly LoggedEvent[]): Uint8Array => packText(toEventsJson(events), 'fast');
/** Read again from what was packed: it is seldom asked, and the texts of all who wait for a commit would be held for it. */
const unpackEvents = (packed: Uint8Array, what: string): LoggedEvent[] => unpackJson(packed, what) as LoggedEvent[];

const missingIn = (database: DatabaseSync, tenant: string, events: readonly LoggedEvent[]): boolean =>
  missingDocuments(database, tenant, documentIdsIn(JSON.stringify(events))).size > 0;

/** What of a trace may be kept: all of it (undefined), its outline, or nothing where its session was deleted meanwhile. */
function outlineNow(
  database: DatabaseSync,
  { scope, trace, packed }: WaitingTrace,
): readonly LoggedEvent[] | undefined {
  if (isGone(database, scope, trace.sessionId)) return [];
  if (!deletedSince(database, scope.tenant, Date.parse(trace.startedAt))) return undefined;
  const events = unpackEvents(packed, 'The trace');
  return missingIn(database, scope.tenant, events) ? outlineOf(events, new Date().toISOString()) : undefined;
}

function insertTrace(database: DatabaseSync, waiting: WaitingTrace): void {
  const { scope, trace, packed } = waiting;
  const outline = outlineNow(database, waiting);
  prepared(database, 'INSERT INTO trace VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
    scope.tenant,
    trace.id,
    scope.principal.id,
    trace.kind,
    outline?.length === 0 ? null : (trace.sessionId ?? null),
    trace.startedAt,
    trace.totalMs,
    outline?.length ?? trace.eventCount,
    outline ? packText(JSON.stringify(outline), 'fast') : packed,
  );
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

export function createTraceRepository(scope: Scope, { read, write, groups }: TracePorts): TraceRepository {
  const { tenant, principal } = scope;
  const owner = [tenant, principal.id, principal.role === 'admin' ? 1 : 0] as const;

  const save = async (trace: TraceSummary, events: readonly LoggedEvent[]): Promise<void> => {
    const packed = packEvents(events);
    await write((database) => insertTrace(database, { scope, trace, packed }));
  };

  const recorded: TraceRepository['get'] = (id) =>
    read((database) => {
      const sql = `SELECT ${summaryColumns}, events FROM trace WHERE tenant = ? AND (principal = ? OR ?) AND id = ?`;
      const row = prepared(database, sql).get(...owner, id) as (TraceRow & { events: Uint8Array }) | undefined;
      return row && { trace: toTrace(row), events: unpackEvents(row.events, `Trace ${id}`) };
    });

  return {
    save,
    async saveSoon(trace, events) {
      if (groups.isOpen()) return groups.add(scope, trace, events);
      await save(trace, events);
      groups.wrote();
    },
    async get(id) {
      if (!groups.find(scope, id)) return recorded(id);
      await groups.flush();
      // Where nothing can be written it is given from memory, without what was deleted meanwhile.
      const waiting = groups.find(scope, id);
      if (!waiting) return recorded(id);
      const { trace, packed } = waiting;
      const events = unpackEvents(packed, `Trace ${id}`);
      const isWhole = await read((database) => !missingIn(database, tenant, events));
      return { trace, events: isWhole ? events : outlineOf(events, new Date().toISOString()) };
    },
    async list(request) {
      await groups.flush();
      return read((database) => {
        const limit = toLimit(request);
        const cursor = parseCursor(request, ['string', 'string']);
        const sql = `SELECT ${summaryColumns} FROM trace WHERE tenant = ? AND (principal = ? OR ?) ${cursor ? 'AND (started_at, id) < (?, ?)' : ''} ORDER BY started_at DESC, id DESC LIMIT ?`;
        const rows = prepared(database, sql).all(...owner, ...(cursor ?? []), limit + 1);
        return toPage(rows as unknown as TraceRow[], limit, { value: toTrace, key: (row) => [row.started_at, row.id] });
      });
    },
  };
}

export function createAnswerRepository(scope: Scope, read: Reader, write: Writer): AnswerRepository {
  const { tenant, principal } = scope;
  return {
    async save(answer, createdAt) {
      const packed = packText(JSON.stringify(answer), 'fast');
      await write((database) => {
        // The turn is asked for before: where the session is gone by now, nothing of the message is kept.
        if (isGone(database, scope, answer.sessionId)) return;
        const left = withoutDeleted(database, tenant, answer);
        prepared(database, 'INSERT INTO answer VALUES (?, ?, ?, ?, ?)').run(
          tenant,
          answer.id,
          principal.id,
          createdAt,
          left === answer ? packed : packText(JSON.stringify(left), 'fast'),
        );
      });
    },
    get: (id) =>
      read((database) => {
        const owner = [tenant, principal.id, principal.role === 'admin' ? 1 : 0, id] as const;
        const where = 'WHERE tenant = ? AND (principal = ? OR ?)';
        const row = prepared(database, `SELECT answer FROM answer ${where} AND id = ?`).get(...owner);
        if (row === undefined) return undefined;
        try {
          return unpackAnswer(row['answer'] as Uint8Array, id);
        } catch (error) {
          // An answer of a session is kept with its turn as well.
          const copy = prepared(database, `SELECT answer FROM turn ${where} AND answer_id = ?`).get(...owner);
          if (copy === undefined) throw error;
          return unpackAnswer(copy['answer'] as Uint8Array, id);
        }
      }),
  };
}
