// What people say of answers, in SQLite.
import type { SQLInputValue } from 'node:sqlite';
import { type Feedback, ratings } from '../../../core/feedback.ts';
import type { Scope } from '../../../core/scope.ts';
import { parseCursor, toLimit, toPage } from '../../paging.ts';
import type { DocumentOpensRepository } from '../../repositories/document-opens.ts';
import type { FeedbackRepository } from '../../repositories/feedback.ts';
import { accessCondition } from '../documents/filter-sql.ts';
import { prepared, type Reader } from '../file/connection.ts';
import { rowReader } from '../file/row-reader.ts';
import type { Writer } from '../requests/sessions.ts';

interface Row {
  readonly id: string;
  readonly citation: number;
  readonly rating: string;
  readonly created_at: string;
}

const factsOf = rowReader<Omit<Feedback, 'rating'>>('id', 'answerId', 'principal', 'comment', 'question', 'createdAt');
const toFeedback = (row: Row): Feedback => ({
  ...factsOf(row),
  rating: ratings.find((rating) => rating === row.rating) ?? 'down',
  ...(row.citation > 0 && { citation: row.citation }),
});

const votesSql = `SELECT answer_use.chunk_id, spoken.principal, spoken.rating, spoken.question
  FROM (SELECT * FROM feedback WHERE tenant = ?1 AND citation = 0 AND question IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT ?2) AS spoken
  JOIN answer_use ON answer_use.tenant = ?1 AND answer_use.answer_id = spoken.answer_id AND answer_use.is_cited = 1
  ORDER BY spoken.created_at DESC, spoken.id DESC, answer_use.chunk_id`;

export function createFeedbackRepository(
  { tenant, principal }: Scope,
  read: Reader,
  write: Writer,
): FeedbackRepository {
  return {
    put: ({ id, answerId, principal: by, rating, comment, citation, question, createdAt }) =>
      write((database) => {
        prepared(
          database,
          'INSERT OR REPLACE INTO feedback (tenant, answer_id, principal, citation, id, rating, comment, question, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ).run(tenant, answerId, by, citation ?? 0, id, rating, comment ?? null, question ?? null, createdAt);
      }),
    votes: (limit) =>
      read((database) =>
        prepared(database, votesSql)
          .all(tenant, limit)
          .map((row) => ({
            chunkId: String(row['chunk_id']),
            principal: String(row['principal']),
            rating: row['rating'] === 'up' ? 'up' : 'down',
            question: String(row['question']),
          })),
      ),
    list: (request) =>
      read((database) => {
        const limit = toLimit(request);
        const after = parseCursor(request, ['string', 'string']);
        const conditions: readonly [string, ...SQLInputValue[]][] = [
          ['tenant = ?', tenant],
          ...(principal.role === 'admin' ? [] : [['principal = ?', principal.id] as const]).map(
            ([sql, value]): [string, SQLInputValue] => [sql, value],
          ),
          ...(request.rating === undefined ? [] : [['rating = ?', request.rating] as [string, SQLInputValue]]),
          ...(request.answerId === undefined ? [] : [['answer_id = ?', request.answerId] as [string, SQLInputValue]]),
          ...(after === undefined ? [] : [['(created_at, id) < (?, ?)', ...after] as [string, ...SQLInputValue[]]]),
        ];
        const sql = `SELECT * FROM feedback WHERE ${conditions.map(([condition]) => condition).join(' AND ')} ORDER BY created_at DESC, id DESC LIMIT ?`;
        const rows = prepared(database, sql).all(...conditions.flatMap(([, ...values]) => values), limit + 1);
        return toPage(rows as unknown as Row[], limit, {
          value: toFeedback,
          key: ({ created_at, id }) => [created_at, id],
        });
      }),
  };
}

/** Counts how often documents were opened. */
export function createDocumentOpensRepository(scope: Scope, read: Reader, write: Writer): DocumentOpensRepository {
  return {
    add: (counts, at) =>
      write((database) => {
        const sql = `INSERT INTO document_opens (tenant, document_id, opens, last_at)
          SELECT tenant, id, ?, ? FROM document WHERE tenant = ? AND id = ?
          ON CONFLICT (tenant, document_id) DO UPDATE SET opens = opens + excluded.opens, last_at = excluded.last_at`;
        for (const { documentId, opens } of counts) prepared(database, sql).run(opens, at, scope.tenant, documentId);
      }),
    most: (limit, of) =>
      read((database) => {
        const access = accessCondition(scope, 'document');
        const among = of === undefined ? '' : 'AND document.id IN (SELECT value FROM json_each(?))';
        const sql = `SELECT document_opens.document_id AS id, document_opens.opens AS opens
          FROM document_opens JOIN document ON document.tenant = document_opens.tenant AND document.id = document_opens.document_id
          WHERE ${access.sql} ${among} ORDER BY document_opens.opens DESC, document_opens.document_id LIMIT ?`;
        const asked = of === undefined ? [] : [JSON.stringify(of)];
        const rows = prepared(database, sql).all(...access.parameters, ...asked, limit);
        return rows.map(({ id, opens }) => ({ documentId: String(id), opens: Number(opens) }));
      }),
  };
}
