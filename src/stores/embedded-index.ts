// The index of one tenant as the embedded store keeps it: a table of analysed chunks, and an FTS5 index over their terms
// that triggers keep equal to it within the same transaction. Terms are stored so that a deletion takes every one of them
// out of the index at once (contentless tables leave them in old segments).
import type { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../core/ids.ts';
import type { SqlCondition } from '../db/filter-sql.ts';
import { analyzeText } from '../text/analyze.ts';
import { guessLanguage } from '../text/language.ts';
import type { StoreDocument, StoreStatistics } from './store.ts';

/** These signs stand inside numbers and identifiers. Other ASCII signs part terms; everything else belongs to them. */
const tokenizer = "ascii tokenchars '_.,&+#'";

const schema = (entry: string): string => `
CREATE TABLE ${entry} (
  row INTEGER PRIMARY KEY, document_id TEXT NOT NULL, chunk_id TEXT NOT NULL UNIQUE, language TEXT NOT NULL, terms TEXT NOT NULL
) STRICT;
CREATE INDEX ${entry}_document ON ${entry} (document_id);
CREATE TABLE ${entry}_language (language TEXT PRIMARY KEY, chunks INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE ${entry}_index USING fts5(terms, content='${entry}', content_rowid='row', tokenize="${tokenizer}");
INSERT INTO ${entry}_index (${entry}_index, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER ${entry}_added AFTER INSERT ON ${entry} BEGIN
  INSERT INTO ${entry}_index (rowid, terms) VALUES (new.row, new.terms);
  INSERT INTO ${entry}_language VALUES (new.language, 1) ON CONFLICT DO UPDATE SET chunks = chunks + 1;
END;
CREATE TRIGGER ${entry}_removed AFTER DELETE ON ${entry} BEGIN
  INSERT INTO ${entry}_index (${entry}_index, rowid, terms) VALUES ('delete', old.row, old.terms);
  UPDATE ${entry}_language SET chunks = chunks - 1 WHERE language = old.language;
END;`;

/** Handle on the index of a tenant. Its tables carry a name of its own, so that no statement reaches another's. */
export interface TenantIndex {
  /** Table of chunks: `row`, `document_id`, `chunk_id`, `language`, `terms` (parted by spaces). */
  readonly entry: string;
  /** FTS5 table over `terms`; its rowid is `row`. */
  readonly index: string;
  exists(database: DatabaseSync): boolean;
  /** Replaces all chunks of each document; runs in the caller's transaction. */
  put(database: DatabaseSync, batch: readonly StoreDocument[]): void;
  remove(database: DatabaseSync, documentIds: readonly string[]): void;
  /** Languages of the chunks, most frequent first. */
  languages(database: DatabaseSync): string[];
  /** Number of chunks, and how many hold each term; with a condition on `document AS d` only of those documents. */
  statistics(database: DatabaseSync, terms: Iterable<string>, access?: SqlCondition): StoreStatistics;
}

/** Distinct terms of a query that are looked up; a pasted page would otherwise cost seconds. */
const maximumTerms = 128;

/** How often each term stands in the query. */
export function countTerms(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms)
    if (counts.has(term) || counts.size < maximumTerms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** A term as FTS5 looks it up. */
export const phrase = (term: string): string => `"${term.replaceAll('"', '""')}"`;

export function createTenantIndex(tenant: string): TenantIndex {
  const entry = `lexical_${sha256(tenant).slice(0, 16)}`;
  const index = `${entry}_index`;

  const exists = (database: DatabaseSync): boolean =>
    database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(index) !== undefined;

  function remove(database: DatabaseSync, documentIds: readonly string[]): void {
    if (!exists(database)) return;
    const statement = database.prepare(`DELETE FROM ${entry} WHERE document_id = ?`);
    for (const id of documentIds) statement.run(id);
  }

  function put(database: DatabaseSync, batch: readonly StoreDocument[]): void {
    if (!exists(database)) database.exec(schema(entry));
    const ids = batch.map(({ document }) => document.id);
    remove(database, ids);
    const insert = database.prepare(
      `INSERT INTO ${entry} (document_id, chunk_id, language, terms) VALUES (?, ?, ?, ?)`,
    );
    for (const { document, chunks } of batch) {
      // `en-US` is English: callers name languages in more ways than one.
      const named = document.language?.toLowerCase().split(/[-_]/u)[0];
      const language = named || guessLanguage(chunks[0]?.text ?? document.title);
      for (const chunk of chunks)
        insert.run(document.id, chunk.id, language, toTerms(document.title, chunk, language).join(' '));
    }
  }

  function statistics(database: DatabaseSync, terms: Iterable<string>, access?: SqlCondition): StoreStatistics {
    if (!exists(database)) return { chunks: 0, frequencies: {} };
    const readable = access
      ? `CROSS JOIN ${entry} AS e ON e.row = ${index}.rowid CROSS JOIN document AS d ON d.id = e.document_id`
      : '';
    const allowed = access?.parameters ?? [];
    const count = database.prepare(
      `SELECT count(*) AS held FROM ${index} ${readable} WHERE ${index} MATCH ? AND ${access?.sql ?? '1'}`,
    );
    const total = access
      ? `SELECT count(*) AS chunks FROM ${entry} AS e CROSS JOIN document AS d ON d.id = e.document_id WHERE ${access.sql}`
      : `SELECT coalesce(sum(chunks), 0) AS chunks FROM ${entry}_language`;
    const frequencies = [...terms].map(
      (term) => [term, Number(count.get(phrase(term), ...allowed)?.['held'])] as const,
    );
    return {
      chunks: Number(database.prepare(total).get(...allowed)?.['chunks']),
      frequencies: Object.fromEntries(frequencies),
    };
  }

  return {
    entry,
    index,
    exists,
    put,
    remove,
    statistics,
    languages: (database) =>
      database
        .prepare(`SELECT language FROM ${entry}_language WHERE chunks > 0 ORDER BY chunks DESC, language`)
        .all()
        .map((row) => String(row['language'])),
  };
}

/** The title counts twice (measured), once with its stop words, so that a title of nothing else can be found. */
function toTerms(title: string, chunk: StoreDocument['chunks'][number], language: string): string[] {
  const headings = chunk.headingPath.filter((heading) => heading !== title).join('\n');
  return [
    ...analyzeText(title, { language, keepStopWords: true }),
    ...analyzeText(`${title}\n${headings}\n${chunk.text}`, { language }),
  ];
}
