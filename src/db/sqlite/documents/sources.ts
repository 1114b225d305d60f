// Reads of sources for one scope. Invariant: a source whose declaration is damaged is still there with its documents, and says that it is
// damaged; what of it cannot be read is left out, never guessed.
import { sourceTypes } from '../../../core/document.ts';
import { hasSource, type Scope } from '../../../core/scope.ts';
import type { SourceRepository } from '../../repositories/sources.ts';
import { isNumber, type SourceRow, toSource } from '../../source-rows.ts';
import { prepared, type Reader } from '../file/connection.ts';
import { accessCondition } from './filter-sql.ts';

const upkeepSql = '(SELECT u.upkeep FROM source_upkeep AS u WHERE u.tenant = s.tenant AND u.name = s.name) AS upkeep';
/** Sources of all tenants that are kept fresh. */
export const keptSourcesSql =
  'SELECT s.*, u.upkeep FROM source_upkeep AS u JOIN source AS s ON s.tenant = u.tenant AND s.name = u.name ORDER BY s.tenant, s.name';

export function createSourceRepository(scope: Scope, read: Reader): SourceRepository {
  const access = accessCondition(scope, 'd');
  return {
    get: (name) =>
      read((database) => {
        const row = prepared(
          database,
          `SELECT s.*, ${upkeepSql} FROM source AS s WHERE s.tenant = ? AND s.name = ?`,
        ).get(scope.tenant, name);
        return hasSource(scope.principal, name) ? row && toSource(row as unknown as SourceRow) : undefined;
      }),
    list: () =>
      read((database) => {
        const sql = `SELECT s.*, ${upkeepSql}, (SELECT count(*) FROM document AS d WHERE ${access.sql} AND d.source = s.name) AS documents FROM source AS s WHERE s.tenant = ? ORDER BY s.name`;
        const rows = prepared(database, sql).all(...access.parameters, scope.tenant);
        return (rows as unknown as (SourceRow & { documents: number })[])
          .filter(({ name }) => hasSource(scope.principal, name))
          .map((row) => ({ ...toSource(row), documents: row.documents }));
      }),
    kinds: () =>
      read((database) => {
        // From one source and kind to the next by the index: what it takes grows with the sources, not with the documents
        // (compared as a pair, source and kind would walk all entries of a kind).
        const sql = `WITH RECURSIVE kind (type, source) AS (
            SELECT * FROM (SELECT source_type, source FROM document WHERE tenant = ?1 ORDER BY source_type, source LIMIT 1)
            UNION ALL
            SELECT next.source_type, next.source FROM kind JOIN document AS next ON next.rowid = coalesce(
              (SELECT d.rowid FROM document AS d WHERE d.tenant = ?1 AND d.source_type = kind.type AND d.source > kind.source
                ORDER BY d.source LIMIT 1),
              (SELECT d.rowid FROM document AS d WHERE d.tenant = ?1 AND d.source_type > kind.type
                ORDER BY d.source_type, d.source LIMIT 1))
          )
          SELECT kind.source AS name, kind.type, s.authority, s.ttl_seconds AS ttl FROM kind LEFT JOIN source AS s ON s.tenant = ?1 AND s.name = kind.source`;
        const rows = prepared(database, sql).all(scope.tenant) as unknown as readonly {
          name: string;
          type: string;
          authority: number | null;
          ttl: number | null;
        }[];
        const readable = prepared(
          database,
          `SELECT 1 FROM document AS d WHERE ${access.sql} AND d.source_type = ? AND d.source = ? LIMIT 1`,
        );
        return rows.flatMap(({ name, type: given, authority, ttl }) => {
          const type = sourceTypes.find((one) => one === given);
          if (type === undefined || readable.get(...access.parameters, given, name) === undefined) return [];
          return [{ name, type, ...(isNumber(authority) && { authority }), ...(isNumber(ttl) && { ttlSeconds: ttl }) }];
        });
      }),
    besideOthers: (name, options) =>
      read((database) => {
        // One statement, because every question asks it.
        const sql = `SELECT id, chunk_count AS chunks FROM document WHERE tenant = ?1 AND source = ?2
          AND (?3 OR EXISTS (SELECT 1 FROM source WHERE tenant = ?1 AND name = ?2 AND connector IS NOT NULL))
          AND (?3 OR EXISTS (SELECT 1 FROM document WHERE tenant = ?1 AND source <> ?2)
            OR EXISTS (SELECT 1 FROM archive_turn WHERE tenant = ?1)
            OR EXISTS (SELECT 1 FROM memory_owner WHERE tenant = ?1 AND memories > 0))`;
        const rows = prepared(database, sql).all(scope.tenant, name, options ? 1 : 0) as unknown as readonly {
          id: string;
          chunks: number;
        }[];
        if (rows.length === 0) return undefined;
        return { documentIds: rows.map(({ id }) => id), chunks: rows.reduce((sum, { chunks }) => sum + chunks, 0) };
      }),
  };
}
