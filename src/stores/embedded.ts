// The store inside the record's own database: BM25 (k1 1.2, b 0.75) by SQLite FTS5 over terms of our analyzer. Every tenant
// has an index of its own, because shared document frequencies would leak; writes join the record's transaction, so that
// the two never disagree; access and filters are conditions of the one query that ranks (https://sqlite.org/fts5.html).
import type { DatabaseSync } from 'node:sqlite';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import { sha256 } from '../core/ids.ts';
import type { Scope } from '../core/scope.ts';
import type { Explanation } from '../core/search.ts';
import { accessCondition, printFilter } from '../db/filter-sql.ts';
import { type SqliteRecordDatabase, sqliteOf } from '../db/sqlite.ts';
import { analyzeQuery, analyzeText, languageOf } from '../text/analyze.ts';
import type { Store, StoreDocument, StoreHit, StorePage, StoreQuery } from './store.ts';

export interface EmbeddedStoreOptions {
  readonly database: SqliteRecordDatabase;
  readonly scope: Scope;
}

/** Distinct terms of a query that are looked up; a pasted page would otherwise cost seconds. */
const maximumTerms = 256;

/** `entry` holds the terms, triggers keep the index and the counts of languages equal to it. */
const schema = (entry: string): string => `
CREATE TABLE IF NOT EXISTS ${entry} (
  row INTEGER PRIMARY KEY, document_id TEXT NOT NULL, chunk_id TEXT NOT NULL UNIQUE, language TEXT NOT NULL, terms TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS ${entry}_document ON ${entry} (document_id);
CREATE TABLE IF NOT EXISTS ${entry}_language (language TEXT PRIMARY KEY, chunks INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE ${entry}_index USING fts5(terms, content='${entry}', content_rowid='row', tokenize="ascii tokenchars '_.,&+#'''");
INSERT INTO ${entry}_index (${entry}_index, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER ${entry}_added AFTER INSERT ON ${entry} BEGIN
  INSERT INTO ${entry}_index (rowid, terms) VALUES (new.row, new.terms);
  INSERT INTO ${entry}_language VALUES (new.language, 1) ON CONFLICT DO UPDATE SET chunks = chunks + 1;
END;
CREATE TRIGGER ${entry}_removed AFTER DELETE ON ${entry} BEGIN
  INSERT INTO ${entry}_index (${entry}_index, rowid, terms) VALUES ('delete', old.row, old.terms);
  UPDATE ${entry}_language SET chunks = chunks - 1 WHERE language = old.language;
END;`;

const phrase = (term: string): string => `"${term.replaceAll('"', '""')}"`;

function check(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw toFootnoteError(signal.reason);
}

/** The title stands twice, once with its stop words: measured on halves of four sets, and "The Who" can be found. */
function termsOf({ document }: StoreDocument, chunk: StoreDocument['chunks'][number], language: string): string {
  const headings = chunk.headingPath.filter((heading) => heading !== document.title).join('\n');
  return [
    ...analyzeText(document.title, { language, keepStopWords: true }),
    ...analyzeText(`${document.title}\n${headings}\n${chunk.text}`, { language }),
  ].join(' ');
}

/** The lexical store over the record of `database` for one scope. Vector and hybrid search are `unsupported`. */
export function createEmbeddedStore({ database, scope }: EmbeddedStoreOptions): Store {
  const entry = `lexical_${sha256(scope.tenant).slice(0, 16)}`;
  const index = `${entry}_index`;
  const access = accessCondition(scope, 'd');
  const exists = (connection: DatabaseSync): boolean =>
    connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(index) !== undefined;

  function remove(connection: DatabaseSync, ids: readonly string[]): void {
    if (!exists(connection)) return;
    const statement = connection.prepare(`DELETE FROM ${entry} WHERE document_id = ?`);
    for (const id of ids) statement.run(id);
  }

  function put(connection: DatabaseSync, batch: readonly StoreDocument[]): void {
    if (!exists(connection)) connection.exec(schema(entry));
    remove(connection, batch.map(({ document }) => document.id));
    const insert = connection.prepare(`INSERT INTO ${entry} (document_id, chunk_id, language, terms) VALUES (?, ?, ?, ?)`);
    for (const item of batch) {
      const { id, language = languageOf(item.chunks.map((chunk) => chunk.text).join('\n').slice(0, 1000)) } = item.document;
      for (const chunk of item.chunks) insert.run(id, chunk.id, language, termsOf(item, chunk, language));
    }
  }

  function explain(connection: DatabaseSync, hit: { row: number }, terms: readonly string[]): Explanation {
    const weigh = connection.prepare(`SELECT -bm25(${index}) AS weight FROM ${index} WHERE ${index} MATCH ? AND rowid = ?`);
    const count = connection.prepare(`SELECT count(*) AS df FROM ${index} WHERE ${index} MATCH ?`);
    const stored = connection.prepare(`SELECT terms FROM ${entry} WHERE row = ?`).get(hit.row) as { terms: string };
    const words = stored.terms.split(' ');
    const found = [...new Set(terms)].flatMap((term) => {
      const row = weigh.get(phrase(term), hit.row) as { weight: number } | undefined;
      if (!row) return [];
      const { df } = count.get(phrase(term)) as { df: number };
      const times = terms.filter((other) => other === term).length;
      return [{ term, weight: row.weight * times, tf: words.filter((word) => word === term).length, df }];
    });
    return { terms: found, notes: ['BM25 by FTS5: k1 1.2, b 0.75; a term of the query counts as often as it stands there'] };
  }

  function find(connection: DatabaseSync, query: StoreQuery): StorePage {
    const { limit } = query;
    if (!Number.isInteger(limit) || limit < 0 || limit > 1000)
      throw new FootnoteError('invalid-request', `limit is ${limit}: it must be a whole number from 0 to 1000.`);
    const key = sha256(JSON.stringify([query.text, query.filter ?? null])).slice(0, 16);
    const after = query.cursor === undefined ? undefined : parseCursor(query.cursor, key);
    if (limit === 0 || !exists(connection)) return { hits: [], degraded: [] };
    const languages = connection.prepare(`SELECT language FROM ${entry}_language WHERE chunks > 0 ORDER BY chunks DESC, language`);
    const all = analyzeQuery(query.text, { languages: languages.all().map((row) => String(row['language'])) });
    const kept = new Set([...new Set(all)].slice(0, maximumTerms));
    const terms = all.filter((term) => kept.has(term));
    if (terms.length === 0) return { hits: [], degraded: [] };
    const filter = query.filter === undefined ? { sql: '1', parameters: [] } : printFilter(query.filter, 'd');
    const rows = connection
      .prepare(
        `WITH found AS MATERIALIZED (
           SELECT e.row AS row, e.chunk_id AS chunkId, e.document_id AS documentId, -bm25(${index}) AS score
           FROM ${index} CROSS JOIN ${entry} AS e ON e.row = ${index}.rowid CROSS JOIN document AS d ON d.id = e.document_id
           WHERE ${index} MATCH ? AND ${access.sql} AND ${filter.sql})
         SELECT * FROM found ${after ? 'WHERE score < ? OR (score = ? AND chunkId > ?)' : ''}
         ORDER BY score DESC, chunkId LIMIT ?`,
      )
      .all(
        terms.map(phrase).join(' OR '),
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
    const nextCursor = Buffer.from(JSON.stringify([key, last.score, last.chunkId, last.rank])).toString('base64url');
    return { hits, nextCursor, degraded: [] };
  }

  return {
    name: 'embedded',
    capabilities: { lexical: true, vector: false, hybrid: false, transactional: true, explain: true },
    async upsert(batch, signal) {
      check(signal);
      await database.write((connection) => put(connection, batch));
    },
    async delete(documentIds, signal) {
      check(signal);
      await database.write((connection) => remove(connection, documentIds));
    },
    async search(query, signal) {
      check(signal);
      if (query.mode !== 'lexical')
        throw new FootnoteError('unsupported', `The embedded store searches by words only; ${query.mode} search is not configured. Use mode embedded.`);
      return database.read((connection) => find(connection, query));
    },
    async health(signal) {
      check(signal);
      return database.read((connection) => {
        const sql = `SELECT count(DISTINCT document_id) AS documents, count(*) AS chunks FROM ${entry}`;
        const held = exists(connection) ? connection.prepare(sql).get() : undefined;
        return { status: 'ok', detail: 'SQLite FTS5', documents: Number(held?.['documents'] ?? 0), chunks: Number(held?.['chunks'] ?? 0) };
      });
    },
    within: (transaction) => ({
      upsert: (batch) => put(sqliteOf(transaction), batch),
      delete: (documentIds) => remove(sqliteOf(transaction), documentIds),
    }),
  };
}

function parseCursor(cursor: string, key: string): { score: number; chunkId: string; rank: number } {
  try {
    const [of, score, chunkId, rank] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    if (of === key && typeof score === 'number' && typeof chunkId === 'string' && typeof rank === 'number')
      return { score, chunkId, rank };
  } catch {
    // Not one of ours: said below.
  }
  throw new FootnoteError('invalid-request', 'The cursor does not belong to this query. Pass `nextCursor` of a page of the same query unchanged.');
}
