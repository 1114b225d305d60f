// How often documents were opened.
import type { DocumentOpensRepository } from '../repositories/document-opens.ts';
import { rows, runEach, type Statements } from '../statements.ts';
import type { Part } from './uploads.ts';

const addSql = `INSERT INTO document_opens (tenant, document_id, opens, last_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (tenant, document_id) DO UPDATE SET opens = document_opens.opens + excluded.opens, last_at = excluded.last_at`;

export interface OpensPorts {
  readonly statements: Statements;
  /** Asked of the tenant before a write, so that no document is deleted within it; absent where writes are one after another. */
  readonly hold?: string;
  /** Of documents `d` that the scope may read. */
  readonly access: Part;
}

/** Counts how often documents were opened. */
export function createDocumentOpensRepository(
  tenant: string,
  { statements, hold, access }: OpensPorts,
): DocumentOpensRepository {
  return {
    add: (counts, at) =>
      statements.write(function* () {
        const sum = new Map<string, number>();
        for (const { documentId, opens } of counts) sum.set(documentId, (sum.get(documentId) ?? 0) + opens);
        if (hold !== undefined) yield* rows(hold, tenant);
        const sql = 'SELECT id FROM document WHERE tenant = ? AND id = ANY(?)';
        const there = yield* rows<{ readonly id: string }>(sql, tenant, [...sum.keys()]);
        yield* runEach(
          addSql,
          there.map(({ id }) => [tenant, id, sum.get(id) ?? 0, at]),
        );
      }),
    most(limit, of) {
      const among = of === undefined ? '' : ' AND d.id = ANY(?)';
      const sql = `SELECT o.document_id AS "documentId", o.opens AS opens FROM document_opens AS o
        JOIN document AS d ON d.tenant = o.tenant AND d.id = o.document_id
        WHERE ${access.sql}${among} ORDER BY o.opens DESC, o.document_id LIMIT ?`;
      return statements.rows(sql, ...access.parameters, ...(of === undefined ? [] : [of]), limit);
    },
  };
}
