// Answers as they were given, and which chunks each was composed from. Invariant: only who asked, or an admin of the tenant, reads them
// again: they quote documents that others may not see.
import type { DatabaseSync } from 'node:sqlite';
import type { Answer } from '../../../core/answer.ts';
import { FootnoteError } from '../../../core/errors.ts';
import type { Scope } from '../../../core/scope.ts';
import { notePages, withoutDeleted } from '../../erasure/erasure-notes.ts';
import { packText } from '../../packed.ts';
import { parseCursor, toLimit, toPage } from '../../paging.ts';
import type { AnswerRepository, AnswerUse } from '../../repositories/answers.ts';
import { unpackAnswer } from '../../session-rows.ts';
import { prepared, type Reader } from '../file/connection.ts';
import { isGone } from './gone-sessions.ts';
import type { Writer } from './sessions.ts';

function noteUses(database: DatabaseSync, tenant: string, { id, sources, citations }: Answer): void {
  const insert = prepared(
    database,
    'INSERT INTO answer_use VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET is_cited = max(is_cited, excluded.is_cited)',
  );
  for (const { documentId, chunkId, cited } of sources) insert.run(tenant, documentId, chunkId, id, cited ? 1 : 0);
  for (const { documentId, chunkId } of citations) insert.run(tenant, documentId, chunkId, id, 1);
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
  /** JSON. */
  readonly chunks: string;
}

const toUse = ({ answer_id, created_at, chunks }: UseRow): AnswerUse => ({
  answerId: answer_id,
  createdAt: created_at,
  chunks: (JSON.parse(chunks) as [chunkId: string, cited: number, isCurrent: number][]).map(
    ([chunkId, cited, isCurrent]) => ({ chunkId, cited: cited === 1, isCurrent: isCurrent === 1 }),
  ),
});

export function createAnswerRepository(
  scope: Scope,
  read: Reader,
  { write, free }: { readonly write: Writer; readonly free: Writer },
): AnswerRepository {
  const { tenant, principal } = scope;
  const ownerOf = (id: string) => [tenant, principal.id, principal.role === 'admin' ? 1 : 0, id] as const;
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
        noteUses(database, tenant, answer);
      });
    },
    using: ({ documentId, chunkId }, request) =>
      read((database) => {
        const limit = toLimit(request);
        const cursor = parseCursor(request, ['string', 'string']);
        const sql = `SELECT u.answer_id, a.created_at, json_group_array(json_array(u.chunk_id, u.is_cited,
            EXISTS (SELECT 1 FROM chunk AS c WHERE c.tenant = u.tenant AND c.id = u.chunk_id))) AS chunks
          FROM answer_use AS u JOIN answer AS a ON a.tenant = u.tenant AND a.id = u.answer_id
          WHERE u.tenant = ?1 AND u.document_id = ?2 AND (?3 IS NULL OR u.chunk_id = ?3) AND (a.principal = ?4 OR ?5)
            AND (?6 IS NULL OR (a.created_at, u.answer_id) < (?6, ?7))
          GROUP BY u.answer_id ORDER BY a.created_at DESC, u.answer_id DESC LIMIT ?8`;
        const [at = null, id = null] = (cursor ?? []) as readonly (string | null)[];
        const readsAll = principal.role === 'admin' ? 1 : 0;
        const rows = prepared(database, sql).all(
          tenant,
          documentId,
          chunkId ?? null,
          principal.id,
          readsAll,
          at,
          id,
          limit + 1,
        );
        return toPage(rows as unknown as UseRow[], limit, {
          value: toUse,
          key: ({ created_at, answer_id }) => [created_at, answer_id],
        });
      }),
    get: (id) =>
      read((database) => {
        const owner = ownerOf(id);
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
    delete: (id) =>
      free((database) => {
        const sql = 'SELECT rowid AS row, answer FROM answer WHERE tenant = ? AND (principal = ? OR ?) AND id = ?';
        const found = prepared(database, sql).get(...ownerOf(id)) as { row: number; answer: Uint8Array } | undefined;
        if (found === undefined) return false;
        const { sessionId, traceId = '' } = soundAnswer(found.answer, id) ?? {};
        if (sessionId !== undefined)
          throw new FootnoteError('conflict', `Answer ${id} belongs to session ${sessionId}: delete that.`);
        prepared(database, 'DELETE FROM answer WHERE rowid = ?').run(found.row);
        prepared(database, 'DELETE FROM trace WHERE tenant = ? AND id = ?').run(tenant, traceId);
        notePages(database, tenant);
        return true;
      }),
  };
}

const basisSql = `SELECT
  (SELECT revision FROM document_change WHERE tenant = ?1) AS documents,
  (SELECT json_group_array(json_array(name, type, authority)) FROM (SELECT * FROM source WHERE tenant = ?1 ORDER BY name)) AS sources,
  (SELECT json_group_array(json_array(space, state, seal)) FROM (SELECT * FROM embedding_model WHERE tenant = ?1 ORDER BY space)) AS models,
  (SELECT json_group_array(json_array(space, revision)) FROM (SELECT * FROM vector_space WHERE tenant = ?1 ORDER BY space)) AS vectors,
  (SELECT json_array(COUNT(*), MAX(created_at)) FROM feedback WHERE tenant = ?1) AS feedback,
  json_array(EXISTS (SELECT 1 FROM archive_turn WHERE tenant = ?1),
    EXISTS (SELECT 1 FROM memory_owner WHERE tenant = ?1 AND memories > 0)) AS beside`;

/** Tells what answers rest on now: each change of documents and sources counts, the model of search by meaning and how far its vectors are, and what was said of answers. */
export const createAnswerBasis =
  (tenant: string, read: Reader): (() => Promise<string>) =>
  async () =>
    JSON.stringify(await read((database) => prepared(database, basisSql).get(tenant)));
