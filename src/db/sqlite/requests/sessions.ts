// Sessions, turns, answers and traces: what one principal asked and was told. Invariant: they belong to the principal who
// asked; others find nothing under the same id (two principals may even use the same one), only admins read all of a tenant.
import type { DatabaseSync } from 'node:sqlite';
import type { Answer } from '../../../core/answer.ts';
import type { Turn } from '../../../core/conversation.ts';
import { FootnoteError, isFootnoteError } from '../../../core/errors.ts';
import type { Scope } from '../../../core/scope.ts';
import { withoutDeleted } from '../../both/deletions.ts';
import { effectNote } from '../../both/effects.ts';
import { noteSession, wasDeletedSince } from '../../erasure/erasure-notes.ts';
import { packJson } from '../../packed.ts';
import { parseCursor, toLimit, toPage } from '../../paging.ts';
import type { SessionRepository } from '../../repositories/sessions.ts';
import { type SessionRow, type TurnRow, toSession, toStandIn, toText, unpackAnswer } from '../../session-rows.ts';
import { prepared, type Reader } from '../file/connection.ts';
import { runSteps } from '../file/statements.ts';
import { deleteSession } from './delete-session.ts';
import { createDeletionGuard } from './deletion-guard.ts';

/** Runs `work` on the writing connection, in a transaction. */
export type Writer = <T>(work: (database: DatabaseSync) => T) => Promise<T>;

/** Titles of sessions that nobody named are not kept: what is deleted of a turn is gone from them, too. */
const sessionColumns = `session.*, (SELECT content FROM turn AS t WHERE t.tenant = session.tenant AND t.principal = session.principal
  AND t.session_id = session.id ORDER BY t.ordinal LIMIT 1) AS first_question`;

export function createSessionRepository(
  scope: Scope,
  read: Reader,
  { write, free, deletionMark }: { readonly write: Writer; readonly free: Writer; readonly deletionMark: () => string },
): SessionRepository {
  const { tenant, principal } = scope;
  const readsAll = principal.role === 'admin' ? 1 : 0;

  /** The principal's own session of this id; for an admin also another's, the oldest first. */
  const find = (database: DatabaseSync, id: string): SessionRow | undefined =>
    prepared(
      database,
      `SELECT ${sessionColumns} FROM session WHERE tenant = ? AND id = ? AND (principal = ? OR ?) ORDER BY principal = ? DESC, created_at, principal LIMIT 1`,
    ).get(tenant, id, principal.id, readsAll, principal.id) as SessionRow | undefined;

  const own = (database: DatabaseSync, id: string): SessionRow | undefined =>
    prepared(database, 'SELECT * FROM session WHERE tenant = ? AND principal = ? AND id = ?').get(
      tenant,
      principal.id,
      id,
    ) as SessionRow | undefined;

  const create = (database: DatabaseSync, session: { id: string; title?: string; createdAt: string }): SessionRow => {
    prepared(database, 'INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, 0)').run(
      tenant,
      principal.id,
      session.id,
      session.title ?? null,
      session.createdAt,
      session.createdAt,
    );
    return {
      principal: principal.id,
      id: session.id,
      title: session.title ?? null,
      created_at: session.createdAt,
      updated_at: session.createdAt,
      turn_count: 0,
    };
  };

  /** Each answer is kept twice: with its turn, and by its own id. */
  const toTurn = (database: DatabaseSync, row: TurnRow, owner: string): Turn => {
    const answerOf = (): Answer => {
      try {
        return unpackAnswer(row.answer, row.id);
      } catch (error) {
        if (!isFootnoteError(error)) throw error;
        return copyOf() ?? toStandIn(row, error);
      }
    };
    const copyOf = (): Answer | undefined => {
      const sql = 'SELECT answer FROM answer WHERE tenant = ? AND principal = ? AND id = ?';
      const copy = prepared(database, sql).get(tenant, owner, row.answer_id);
      try {
        return copy && unpackAnswer(copy['answer'] as Uint8Array, row.answer_id);
      } catch {
        return undefined;
      }
    };
    return {
      id: row.id,
      sessionId: row.session_id,
      ordinal: row.ordinal,
      content: toText(row.content),
      resolvedQuestion: toText(row.resolved_question),
      answer: answerOf(),
      createdAt: toText(row.created_at),
    };
  };

  /** Newest first, unless they are the first. */
  function rowsOf(
    database: DatabaseSync,
    { principal: owner, id }: Pick<SessionRow, 'principal' | 'id'>,
    {
      limit,
      before = Number.MAX_SAFE_INTEGER,
      from = 'last',
    }: { readonly limit: number; readonly before?: number | string | undefined; readonly from?: 'first' | 'last' },
  ) {
    const sql = `SELECT * FROM turn WHERE tenant = ? AND principal = ? AND session_id = ? AND ordinal < ?
      ORDER BY ordinal ${from === 'first' ? 'ASC' : 'DESC'} LIMIT ?`;
    return prepared(database, sql).all(tenant, owner, id, before, limit) as unknown as TurnRow[];
  }

  return {
    create: (session) => {
      const note = effectNote();
      return write((database) => {
        if (own(database, session.id))
          throw new FootnoteError('conflict', `Session ${session.id} exists already. Choose another id or none.`);
        runSteps(database, note('session', session.id));
        return toSession(create(database, session));
      });
    },

    get: (id) =>
      read((database) => {
        const row = find(database, id);
        return row && toSession(row);
      }),

    list: (request) =>
      read((database) => {
        const limit = toLimit(request);
        const cursor = parseCursor(request, ['string', 'string', 'string']);
        const after = cursor ? 'AND (updated_at, id, principal) < (?, ?, ?)' : '';
        const sql = `SELECT ${sessionColumns} FROM session WHERE tenant = ? AND (principal = ? OR ?) ${after} ORDER BY updated_at DESC, id DESC, principal DESC LIMIT ?`;
        const rows = prepared(database, sql).all(tenant, principal.id, readsAll, ...(cursor ?? []), limit + 1);
        return toPage(rows as unknown as SessionRow[], limit, {
          value: toSession,
          key: (row) => [row.updated_at, row.id, row.principal],
        });
      }),

    update: (id, { title }) =>
      write((database) => {
        const row = find(database, id);
        const sql = 'UPDATE session SET title = ? WHERE tenant = ? AND principal = ? AND id = ?';
        if (row) prepared(database, sql).run(title, tenant, row.principal, id);
        return row && toSession({ ...row, title });
      }),

    async delete(id) {
      // What was deleted is known where it is written.
      const row = await free((database) => {
        const wasOwn = wasDeletedSince(database, { tenant, principal: principal.id, id });
        return wasOwn ? own(database, id) : find(database, id);
      });
      if (row === undefined) return false;
      const session = { tenant, principal: row.principal, id };
      return deleteSession(free, session, (database) => noteSession(database, session));
    },

    deletionMark: async () => deletionMark(),

    appendTurn: (turn, { since } = {}) => {
      const note = effectNote();
      return write((database) => {
        const present = own(database, turn.sessionId);
        const place = { tenant, principal: principal.id, id: turn.sessionId };
        if (present === undefined && since !== undefined && wasDeletedSince(database, place, since))
          throw new FootnoteError(
            'not-found',
            `Session ${turn.sessionId} was deleted while this message was answered: nothing of it is kept.`,
          );
        if (present === undefined) create(database, { id: turn.sessionId, createdAt: turn.createdAt });
        const answer = runSteps(database, withoutDeleted(createDeletionGuard(database), tenant, turn.answer));
        // The count may be damaged; what stands in the session is not to be written over.
        const last = prepared(
          database,
          'SELECT max(ordinal) AS ordinal FROM turn WHERE tenant = ? AND principal = ? AND session_id = ?',
        ).get(tenant, principal.id, turn.sessionId)?.['ordinal'];
        const ordinal = (typeof last === 'number' ? last : 0) + 1;
        prepared(database, 'INSERT INTO turn VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
          tenant,
          principal.id,
          turn.sessionId,
          ordinal,
          turn.id,
          turn.answer.id,
          turn.content,
          turn.resolvedQuestion,
          packJson(answer),
          turn.createdAt,
        );
        prepared(
          database,
          'UPDATE session SET turn_count = ?, updated_at = ? WHERE tenant = ? AND principal = ? AND id = ?',
        ).run(ordinal, turn.createdAt, tenant, principal.id, turn.sessionId);
        runSteps(database, note('answer', turn.answer.id));
        return { ...turn, answer, ordinal };
      });
    },

    turns: (sessionId, limit, from = 'last') =>
      read((database) => {
        const session = { principal: principal.id, id: sessionId };
        const rows = rowsOf(database, session, { limit: Math.max(0, Math.trunc(limit)), from });
        const turns = rows.map((row) => toTurn(database, row, session.principal));
        return from === 'first' ? turns : turns.reverse();
      }),

    page: (sessionId, request) =>
      read((database) => {
        const limit = toLimit(request);
        const [before] = parseCursor(request, ['number']) ?? [];
        const session = find(database, sessionId);
        if (session === undefined) return undefined;
        const { data, ...rest } = toPage(rowsOf(database, session, { limit: limit + 1, before }), limit, {
          value: (row) => toTurn(database, row, session.principal),
          key: ({ ordinal }) => [ordinal],
        });
        return { data: request.order === 'newest' ? data : data.toReversed(), ...rest };
      }),
  };
}
