// How often documents were opened, in SQLite.
import type { Scope } from '../../../core/scope.ts';
import type { DocumentOpensRepository } from '../../repositories/document-opens.ts';
import { prepared, type Reader } from '../file/connection.ts';
import type { Writer } from '../requests/sessions.ts';
import { accessCondition } from './filter-sql.ts';

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
