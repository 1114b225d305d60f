// Answers as they were given, and which chunks each was composed from. Invariant: only who asked, or an admin of the tenant, reads them
// again: they quote documents that others may not see.
import type { Answer } from '../../core/answer.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { packText } from '../packed.ts';
import { parseCursor, toLimit, toPage } from '../paging.ts';
import type { AnswerRepository, AnswerUse } from '../repositories/answers.ts';
import { unpackAnswer } from '../session-rows.ts';
import { first, rows, run, runEach, type Statements } from '../statements.ts';
import { type DeletionGuard, withoutDeleted } from './deletions.ts';
import { effectNote } from './effects.ts';
import { erasedReply } from './erased-texts.ts';

const useSql = 'INSERT INTO answer_use (tenant, document_id, chunk_id, answer_id, is_cited) VALUES (?, ?, ?, ?, ?)';

/** The chunks that it was composed from, once each, and whether it cites them. */
function usesOf(tenant: string, { id, sources, citations }: Answer) {
  const places = [...sources, ...citations.map(({ documentId, chunkId }) => ({ documentId, chunkId, cited: true }))];
  const uses = new Map<string, [string, string, string, string, number]>();
  for (const { documentId, chunkId, cited } of places) {
    const key = JSON.stringify([documentId, chunkId]);
    uses.set(key, [tenant, documentId, chunkId, id, cited || uses.get(key)?.[4] === 1 ? 1 : 0]);
  }
  return [...uses.values()];
}

function soundAnswer(bytes: Uint8Array, id: string): Answer | undefined {
  try {
    return unpackAnswer(bytes, id);
  } catch {
    return undefined;
  }
}

interface UseRow {
  readonly answer_id: string;
  readonly created_at: string;
}
interface ChunkRow {
  readonly answer_id: string;
  readonly chunk_id: string;
  readonly is_cited: number;
  readonly is_current: number;
}

const chunksSql = `SELECT u.answer_id, u.chunk_id, u.is_cited, CASE WHEN EXISTS (SELECT 1 FROM chunk AS c WHERE c.tenant = u.tenant AND c.id = u.chunk_id)
  THEN 1 ELSE 0 END AS is_current FROM answer_use AS u WHERE u.tenant = ? AND u.document_id = ? AND u.answer_id = ANY(?)`;

export function createAnswerRepository(scope: Scope, statements: Statements, guard: DeletionGuard) {
  const { tenant, principal } = scope;
  const owner = [tenant, principal.id, principal.role === 'admin' ? 1 : 0] as const;
  const isMine = 'tenant = ? AND (principal = ? OR ? = 1)';
  return {
    async save(answer: Answer, createdAt: string, since?: string) {
      const packed = packText(JSON.stringify(answer), 'fast');
      const note = effectNote();
      await statements.write(function* () {
        // The turn is asked for before: where the session is gone by now, nothing of the message is kept.
        if (yield* guard.isGone(scope, answer.sessionId, since)) return;
        const left = yield* withoutDeleted(guard, tenant, answer);
        yield* run(
          'INSERT INTO answer (tenant, id, principal, created_at, answer) VALUES (?, ?, ?, ?, ?)',
          tenant,
          answer.id,
          principal.id,
          createdAt,
          left === answer ? packed : packText(JSON.stringify(left), 'fast'),
        );
        yield* runEach(useSql, usesOf(tenant, answer));
        yield* note('answer', answer.id);
      });
    },
    using: ({ documentId, chunkId }, request) =>
      statements.read(function* () {
        const limit = toLimit(request);
        const cursor = parseCursor(request, ['string', 'string']);
        const ofChunk = chunkId === undefined ? '' : ' AND u.chunk_id = ?';
        const sql = `SELECT u.answer_id, a.created_at FROM answer_use AS u JOIN answer AS a ON a.tenant = u.tenant AND a.id = u.answer_id
          WHERE u.tenant = ? AND (a.principal = ? OR ? = 1) AND u.document_id = ?${ofChunk}${cursor ? ' AND (a.created_at, u.answer_id) < (?, ?)' : ''}
          GROUP BY u.answer_id, a.created_at ORDER BY a.created_at DESC, u.answer_id DESC LIMIT ?`;
        const chunk = chunkId === undefined ? [] : [chunkId];
        const found = yield* rows<UseRow>(sql, ...owner, documentId, ...chunk, ...(cursor ?? []), limit + 1);
        const ids = found.map(({ answer_id }) => answer_id);
        const chunks = yield* rows<ChunkRow>(
          `${chunksSql}${ofChunk} ORDER BY u.chunk_id`,
          tenant,
          documentId,
          ids,
          ...chunk,
        );
        const byAnswer = Map.groupBy(chunks, ({ answer_id }) => answer_id);
        return toPage(found, limit, {
          value: ({ answer_id, created_at }): AnswerUse => ({
            answerId: answer_id,
            createdAt: created_at,
            chunks: (byAnswer.get(answer_id) ?? []).map((one) => ({
              chunkId: one.chunk_id,
              cited: one.is_cited === 1,
              isCurrent: one.is_current === 1,
            })),
          }),
          key: ({ created_at, answer_id }) => [created_at, answer_id],
        });
      }),
    get: (id) =>
      statements.read(function* () {
        type Row = { readonly answer: Uint8Array };
        const row = yield* first<Row>(`SELECT answer FROM answer WHERE ${isMine} AND id = ?`, ...owner, id);
        if (row === undefined) return undefined;
        try {
          return unpackAnswer(row.answer, id);
        } catch (error) {
          // An answer of a session is kept with its turn as well.
          const copy = yield* first<Row>(`SELECT answer FROM turn WHERE ${isMine} AND answer_id = ?`, ...owner, id);
          if (copy === undefined) throw error;
          return unpackAnswer(copy.answer, id);
        }
      }),
    delete: (id) =>
      statements.free(function* () {
        const sql = `SELECT principal, answer FROM answer WHERE ${isMine} AND id = ?`;
        const found = yield* first<{ readonly principal: string; readonly answer: Uint8Array }>(sql, ...owner, id);
        if (found === undefined) return false;
        const { sessionId, traceId = '' } = soundAnswer(found.answer, id) ?? {};
        if (sessionId !== undefined)
          throw new FootnoteError('conflict', `Answer ${id} belongs to session ${sessionId}: delete that.`);
        yield* run('DELETE FROM answer WHERE tenant = ? AND id = ?', tenant, id);
        yield* run('DELETE FROM trace WHERE tenant = ? AND id = ?', tenant, traceId);
        // Of every route that answers, and responses that are kept: each holds the answer as it is printed.
        const { status, body } = erasedReply();
        const erase =
          'UPDATE idempotency SET status = ?, body = ? WHERE tenant = ? AND principal = ? AND instr(body, ?) > 0';
        yield* run(erase, status, body, tenant, found.principal, `"id":${JSON.stringify(id)}`);
        yield* guard.notePages(tenant);
        return true;
      }),
  } satisfies AnswerRepository;
}
