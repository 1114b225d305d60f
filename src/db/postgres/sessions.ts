// Sessions and their turns in PostgreSQL. Invariants: they belong to the principal who asked; a turn takes its place in the conversation while the row
// of its session is locked, so that two servers never give the same; a session that was deleted while a message was answered stays deleted.
import type { Turn } from '../../core/conversation.ts';
import { FootnoteError, isFootnoteError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { withoutDeleted } from '../both/deletions.ts';
import { effectNote } from '../both/effects.ts';
import { removeSaidIn } from '../both/memories/rows.ts';
import { packJson } from '../packed.ts';
import { parseCursor, toLimit, toPage } from '../paging.ts';
import type { SessionRepository } from '../repositories/sessions.ts';
import { type SessionRow, type TurnRow, toSession, toStandIn, unpackAnswer } from '../session-rows.ts';
import type { Connection, PostgresClient, Value } from './client/client.ts';
import { runSteps } from './client/statements.ts';
import { deletionGuard, holdSavers, noteMemoryOf, noteSession, raiseDeletions, saversOf } from './erased.ts';

/** Titles of sessions that nobody named are not kept: what is deleted of a turn is gone from them, too. */
const sessionColumns = `s.*, (SELECT t.content FROM turn AS t WHERE t.tenant = s.tenant AND t.principal = s.principal
  AND t.session_id = s.id ORDER BY t.ordinal LIMIT 1) AS first_question`;

/** Places where memories were said that are looked at together. */
const saidTogether = 500;

/** `told`: called when a session was deleted. */
export function createSessionRepository(
  client: PostgresClient,
  { tenant, principal }: Scope,
  told: () => void = () => undefined,
): SessionRepository {
  const isAdmin = principal.role === 'admin';

  /** The principal's own session of this id; for an admin also another's, the oldest first. */
  const findSql = `SELECT ${sessionColumns} FROM session AS s WHERE s.tenant = $1 AND s.id = $2 AND (s.principal = $3 OR $4)
    ORDER BY s.principal = $3 DESC, s.created_at, s.principal LIMIT 1`;
  const find = async (connection: Pick<Connection, 'rows'>, id: string): Promise<SessionRow | undefined> =>
    (await connection.rows<SessionRow>(findSql, [tenant, id, principal.id, isAdmin]))[0];

  const insertSql = `INSERT INTO session (tenant, principal, id, title, created_at, updated_at, turn_count)
    VALUES ($1, $2, $3, $4, $5, $5, 0) ON CONFLICT DO NOTHING RETURNING *`;
  const insert = async (connection: Connection, session: { id: string; title?: string; createdAt: string }) => {
    const values = [tenant, principal.id, session.id, session.title ?? null, session.createdAt];
    return (await connection.rows<SessionRow>(insertSql, values))[0];
  };

  const toTurn = (row: TurnRow): Turn => {
    const answer = (() => {
      try {
        return unpackAnswer(row.answer, row.id);
      } catch (error) {
        if (!isFootnoteError(error)) throw error;
        return toStandIn(row, error);
      }
    })();
    return {
      id: row.id,
      sessionId: row.session_id,
      ordinal: row.ordinal,
      content: row.content,
      resolvedQuestion: row.resolved_question,
      answer,
      createdAt: row.created_at,
    };
  };

  /** Newest first, unless they are the first. */
  const rowsOf = (
    connection: Pick<Connection, 'rows'>,
    session: Pick<SessionRow, 'principal' | 'id'>,
    { limit, before, from }: { readonly limit: number; readonly before?: Value; readonly from?: 'first' | 'last' },
  ): Promise<readonly TurnRow[]> =>
    connection.rows(
      `SELECT * FROM turn WHERE tenant = $1 AND principal = $2 AND session_id = $3 AND ($4::bigint IS NULL OR ordinal < $4)
       ORDER BY ordinal ${from === 'first' ? 'ASC' : 'DESC'} LIMIT $5`,
      [tenant, session.principal, session.id, before ?? null, limit],
    );

  /** Locks the row of the session; false where it was deleted after the mark. */
  async function hold(
    connection: Connection,
    { id, createdAt, since }: { id: string; createdAt: string; since?: string },
  ) {
    const sql = 'SELECT 1 FROM session WHERE tenant = $1 AND principal = $2 AND id = $3 FOR UPDATE';
    const key = [tenant, principal.id, id];
    const gone = 'SELECT 1 FROM deleted_session WHERE tenant = $1 AND principal = $2 AND id = $3 AND seq > $4';
    // No session is deleted meanwhile: this transaction holds off whoever deletes (erased.ts).
    if (since !== undefined && (await connection.rows(gone, [...key, Number(since)])).length > 0) return false;
    while ((await connection.rows(sql, key)).length === 0) await insert(connection, { id, createdAt });
    return true;
  }

  const saving = <T>(work: (connection: Connection) => Promise<T>): Promise<T> =>
    client.write(work, { shares: saversOf(tenant) });

  return {
    async create(session) {
      const note = effectNote();
      const made = await client.write(async (connection) => {
        const row = await insert(connection, session);
        if (row) await runSteps(connection, note('session', session.id));
        return row;
      });
      if (made) return toSession(made);
      throw new FootnoteError('conflict', `Session ${session.id} exists already. Choose another id or none.`);
    },

    async get(id) {
      const row = await find(client, id);
      return row && toSession(row);
    },

    async list(request) {
      const limit = toLimit(request);
      const cursor = parseCursor(request, ['string', 'string', 'string']) ?? [null, null, null];
      const sql = `SELECT ${sessionColumns} FROM session AS s WHERE s.tenant = $1 AND (s.principal = $2 OR $3)
        AND ($4::text IS NULL OR (s.updated_at, s.id, s.principal) < ($4, $5, $6))
        ORDER BY s.updated_at DESC, s.id DESC, s.principal DESC LIMIT $7`;
      const rows = await client.rows<SessionRow>(sql, [tenant, principal.id, isAdmin, ...cursor, limit + 1]);
      return toPage(rows, limit, {
        value: toSession,
        key: (row) => [row.updated_at, row.id, row.principal],
      });
    },

    update: (id, { title }) =>
      client.write(async (connection) => {
        const row = await find(connection, id);
        const sql = 'UPDATE session SET title = $4 WHERE tenant = $1 AND principal = $2 AND id = $3';
        if (row) await connection.rows(sql, [tenant, row.principal, id, title]);
        return row && toSession({ ...row, title });
      }),

    async delete(id) {
      const isDeleted = await client.write(async (connection) => {
        const wasOwn = 'SELECT 1 FROM deleted_session WHERE tenant = $1 AND principal = $2 AND id = $3';
        const isRepeated = (await connection.rows(wasOwn, [tenant, principal.id, id])).length > 0;
        const row = await find(connection, id);
        if (row === undefined || (isRepeated && row.principal !== principal.id)) return false;
        const key = [tenant, row.principal, id];
        // In the order in which all lock: the tenant before its sessions.
        await runSteps(connection, raiseDeletions(tenant));
        const lock = 'SELECT 1 FROM session WHERE tenant = $1 AND principal = $2 AND id = $3 FOR UPDATE';
        await holdSavers(connection, tenant);
        if ((await connection.rows(lock, key)).length === 0) return false;
        const turns = 'FROM turn WHERE tenant = $1 AND principal = $2 AND session_id = $3';
        await connection.rows(
          `DELETE FROM answer WHERE tenant = $1 AND principal = $2 AND id IN (SELECT answer_id ${turns})`,
          key,
        );
        await connection.rows(`DELETE ${turns}`, key);
        await connection.rows('DELETE FROM trace WHERE tenant = $1 AND principal = $2 AND session_id = $3', key);
        await connection.rows('DELETE FROM session WHERE tenant = $1 AND principal = $2 AND id = $3', key);
        const session = { tenant, principal: row.principal, id };
        while (await runSteps(connection, removeSaidIn(session, saidTogether, noteMemoryOf(tenant))));
        await runSteps(connection, noteSession(session));
        return true;
      });
      if (isDeleted) told();
      return isDeleted;
    },

    async deletionMark() {
      const [row] = await client.rows<{ readonly seq: number }>(
        'SELECT deletion_seq AS seq FROM tenant_state WHERE tenant = $1',
        [tenant],
      );
      return String(row?.seq ?? 0);
    },

    appendTurn: (turn, { since } = {}) =>
      saving(async (connection) => {
        const { sessionId: id, createdAt } = turn;
        if (!(await hold(connection, { id, createdAt, ...(since !== undefined && { since }) })))
          throw new FootnoteError(
            'not-found',
            `Session ${id} was deleted while this message was answered: nothing of it is kept.`,
          );
        const answer = await runSteps(connection, withoutDeleted(deletionGuard, tenant, turn.answer));
        const [added] = await connection.rows<{ readonly ordinal: number }>(
          `INSERT INTO turn (tenant, principal, session_id, ordinal, id, answer_id, content, resolved_question, answer, created_at)
           SELECT $1::text, $2::text, $3::text, coalesce(max(ordinal), 0) + 1, $4, $5, $6, $7, $8, $9 FROM turn
           WHERE tenant = $1 AND principal = $2 AND session_id = $3 RETURNING ordinal`,
          [
            tenant,
            principal.id,
            id,
            turn.id,
            turn.answer.id,
            turn.content.toWellFormed(),
            turn.resolvedQuestion.toWellFormed(),
            packJson(answer),
            createdAt,
          ],
        );
        const ordinal = added?.ordinal ?? 1;
        await connection.rows(
          'UPDATE session SET turn_count = $4, updated_at = $5 WHERE tenant = $1 AND principal = $2 AND id = $3',
          [tenant, principal.id, id, ordinal, createdAt],
        );
        await runSteps(connection, effectNote()('answer', turn.answer.id));
        return { ...turn, answer, ordinal };
      }),

    async turns(id, limit, from = 'last') {
      const rows = await rowsOf(
        client,
        { principal: principal.id, id },
        { limit: Math.max(0, Math.trunc(limit)), from },
      );
      return from === 'first' ? rows.map(toTurn) : rows.map(toTurn).reverse();
    },

    async page(sessionId, request) {
      const limit = toLimit(request);
      const [before] = parseCursor(request, ['number']) ?? [];
      return client.read(async (connection) => {
        const session = await find(connection, sessionId);
        if (session === undefined) return undefined;
        const rows = await rowsOf(connection, session, {
          limit: limit + 1,
          ...(before !== undefined && { before }),
        });
        const { data, ...rest } = toPage(rows, limit, { value: toTurn, key: ({ ordinal }) => [ordinal] });
        return { data: request.order === 'newest' ? data : data.toReversed(), ...rest };
      });
    },
  };
}
