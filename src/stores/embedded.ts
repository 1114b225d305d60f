// The store inside the record's own database: BM25 (k1 1.2, b 0.75) by SQLite FTS5 over terms of our analyzer. Every tenant
// has an index of its own, because shared document frequencies would leak; writes join the record's transaction, so that
// the two never disagree; access and filters are conditions of the one query that ranks (https://sqlite.org/fts5.html).
import type { DatabaseSync } from 'node:sqlite';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { Scope } from '../core/scope.ts';
import type { Explanation } from '../core/search.ts';
import { accessCondition, printFilter } from '../db/filter-sql.ts';
import { type SqliteRecordDatabase, sqliteOf } from '../db/sqlite.ts';
import { analyzeQuery } from '../text/analyze.ts';
import { parseCursor, printCursor } from './cursor.ts';
import { countTerms, createTenantIndex, phrase } from './embedded-index.ts';
import type { Store, StoreHit, StorePage, StoreQuery } from './store.ts';

export interface EmbeddedStoreOptions {
  readonly database: SqliteRecordDatabase;
  readonly scope: Scope;
}

function check(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  const error = toFootnoteError(signal.reason);
  throw error.code === 'internal'
    ? new FootnoteError('cancelled', 'The request was cancelled.', { cause: error })
    : error;
}

/** The lexical store over the record of `database` for one scope. Vector and hybrid search are `unsupported`. */
export function createEmbeddedStore({ database, scope }: EmbeddedStoreOptions): Store {
  const tenant = createTenantIndex(scope.tenant);
  const { entry, index } = tenant;
  const access = accessCondition(scope, 'd');

  function explain(connection: DatabaseSync, hit: { row: number }, terms: ReadonlyMap<string, number>): Explanation {
    // A bound number arrives as REAL, and FTS5 takes a REAL rowid for no condition at all.
    const weigh = connection.prepare(
      `SELECT -bm25(${index}) AS weight FROM ${index} WHERE ${index} MATCH ? AND rowid = CAST(? AS INTEGER)`,
    );
    const count = connection.prepare(`SELECT count(*) AS df FROM ${index} WHERE ${index} MATCH ?`);
    const stored = connection.prepare(`SELECT terms FROM ${entry} WHERE row = ?`).get(hit.row) as { terms: string };
    const words = stored.terms.split(' ');
    const found = [...terms].flatMap(([term, times]) => {
      const row = weigh.get(phrase(term), hit.row) as { weight: number } | undefined;
      if (!row) return [];
      const { df } = count.get(phrase(term)) as { df: number };
      return [{ term, weight: row.weight * times, tf: words.filter((word) => word === term).length, df }];
    });
    return {
      terms: found,
      notes: ['BM25 by FTS5: k1 1.2, b 0.75; a term of the query counts as often as it stands there'],
    };
  }

  function find(connection: DatabaseSync, query: StoreQuery): StorePage {
    const { limit } = query;
    if (!Number.isInteger(limit) || limit < 0 || limit > 1000)
      throw new FootnoteError('invalid-request', `limit is ${limit}: it must be a whole number from 0 to 1000.`);
    const after = parseCursor(query);
    if (limit === 0 || !tenant.exists(connection)) return { hits: [], degraded: [] };
    const terms = countTerms(analyzeQuery(query.text, { languages: tenant.languages(connection) }));
    if (terms.size === 0) return { hits: [], degraded: [] };
    const filter = query.filter === undefined ? { sql: '1', parameters: [] } : printFilter(query.filter, 'd');
    const rows = connection
      .prepare(
        // Term by term: one expression of many terms costs their number squared. MATERIALIZED keeps bm25 beside its MATCH.
        `WITH posting AS MATERIALIZED (
           SELECT ${index}.rowid AS row, -bm25(${index}) * (term.value ->> 1) AS weight
           FROM json_each(?) AS term CROSS JOIN ${index} WHERE ${index} MATCH (term.value ->> 0)),
         ranked AS MATERIALIZED (SELECT row, sum(weight) AS score FROM posting GROUP BY row)
         SELECT e.row AS row, e.chunk_id AS chunkId, e.document_id AS documentId, score
         FROM ranked CROSS JOIN ${entry} AS e ON e.row = ranked.row CROSS JOIN document AS d ON d.id = e.document_id
         WHERE ${access.sql} AND ${filter.sql} ${after ? 'AND (score < ? OR (score = ? AND e.chunk_id > ?))' : ''}
         ORDER BY score DESC, e.chunk_id LIMIT ?`,
      )
      .all(
        JSON.stringify([...terms].map(([term, times]) => [phrase(term), times])),
        ...access.parameters,
        ...filter.parameters,
        ...(after ? [after.score, after.score, after.chunkId] : []),
        limit + 1,
      ) as unknown as readonly { row: number; chunkId: string; documentId: string; score: number }[];
    const hits: StoreHit[] = rows.slice(0, limit).map((row, place) => ({
      chunkId: row.chunkId,
      documentId: row.documentId,
      score: row.score,
      scores: { bm25: row.score },
      rank: (after?.rank ?? 0) + place + 1,
      ...(query.explain ? { explanation: explain(connection, row, terms) } : {}),
    }));
    const last = hits.at(-1);
    if (rows.length <= limit || !last) return { hits, degraded: [] };
    return { hits, nextCursor: printCursor(query, last), degraded: [] };
  }

  return {
    name: 'embedded',
    capabilities: { lexical: true, vector: false, hybrid: false, transactional: true, explain: true },
    async upsert(batch, signal) {
      check(signal);
      await database.write((connection) => tenant.put(connection, batch));
    },
    async delete(documentIds, signal) {
      check(signal);
      await database.write((connection) => tenant.remove(connection, documentIds));
    },
    async search(query, signal) {
      check(signal);
      if (query.mode !== 'lexical')
        throw new FootnoteError(
          'unsupported',
          `The embedded store searches by words only; ${query.mode} search is not configured. Use mode embedded.`,
        );
      return database.read((connection) => find(connection, query));
    },
    async statistics(text, signal) {
      check(signal);
      return database.read((connection) => {
        const languages = tenant.exists(connection) ? tenant.languages(connection) : [];
        const terms = countTerms(analyzeQuery(text, { languages })).keys();
        // What a caller may not read must not show in numbers either; who may read everything is counted faster.
        return tenant.statistics(connection, terms, scope.principal.role === 'admin' ? undefined : access);
      });
    },
    async health(signal) {
      check(signal);
      return database.read((connection) => {
        const sql = `SELECT count(DISTINCT document_id) AS documents, count(*) AS chunks FROM ${entry}`;
        const held = tenant.exists(connection) ? connection.prepare(sql).get() : undefined;
        return {
          status: 'ok',
          detail: 'SQLite FTS5',
          documents: Number(held?.['documents'] ?? 0),
          chunks: Number(held?.['chunks'] ?? 0),
        };
      });
    },
    within: (transaction) => ({
      upsert: (batch) => tenant.put(sqliteOf(transaction), batch),
      delete: (documentIds) => tenant.remove(sqliteOf(transaction), documentIds),
    }),
  };
}
