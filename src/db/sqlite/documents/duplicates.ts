// Duplicates as the record keeps them: the fingerprint of each text, the hashes by which others find it, and links between texts that
// resemble each other, written both ways with the document and gone with it; copies word for word need none, their words tell. Invariant:
// a row that is not as it was sealed is as good as absent, and no link shows a document that the caller may not read.

import type { DatabaseSync } from 'node:sqlite';
import { documentsPerKey, type Fingerprint, keysOf, soughtKeysOf } from '../../../core/documents/fingerprint.ts';
import type { DuplicateLink } from '../../../core/documents/runs.ts';
import type { Scope } from '../../../core/scope.ts';
import {
  type CandidateRow,
  type FingerprintRow,
  faultsOfFingerprint,
  faultsOfLink,
  type LinkedDocument,
  type LinkRow,
  linksOf,
  mostAlike,
  mostCandidates,
  mostShown,
  pairsAmong,
  sealOfFingerprint,
  sealOfLink,
  shownLinks,
  toBlob,
  toCopies,
  toFingerprint,
} from '../../duplicate-rows.ts';
import type { DocumentRepository } from '../../repositories/documents.ts';
import { prepared } from '../file/connection.ts';
import { accessCondition } from './filter-sql.ts';
import { type FingerprintKeys, fingerprintKeys, removeKeys } from './fingerprint-keys.ts';

interface ToLink {
  readonly document: LinkedDocument;
  readonly fingerprint: Fingerprint;
  /** As the transaction found them. */
  readonly recorded: FingerprintKeys;
}

/** Records the fingerprint of a document that has none, and links the document with those that say nearly the same. */
export function linkDocument(
  database: DatabaseSync,
  tenant: string,
  { document, fingerprint, recorded }: ToLink,
): void {
  const found = foundByKey(recorded, tenant, fingerprint);
  // Thousands of copies of one text would be linked with dozens of them each.
  const near = candidatesOf(database, tenant, { ...found, wordsHash: fingerprint.wordsHash }).near();
  for (const { id, kind, similarity } of linksOf({ document, fingerprint }, near)) {
    insertLink(database, { tenant, document_id: document.id, other_id: id, kind, similarity });
    insertLink(database, { tenant, document_id: id, other_id: document.id, kind, similarity });
  }
  const { wordsHash, runs, sketch } = fingerprint;
  const row = { tenant, document_id: document.id, words_hash: wordsHash, runs, sketch: toBlob(sketch) };
  const { lastInsertRowid } = prepared(
    database,
    'INSERT INTO fingerprint (tenant, document_id, words_hash, runs, sketch, seal) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(tenant, document.id, wordsHash, runs, row.sketch, sealOfFingerprint(row));
  const keys = keysOf(fingerprint).filter((key) => (found.perKey.get(key) ?? 0) < documentsPerKey);
  recorded.add(Number(lastInsertRowid), { tenant, keys });
}

/** Removes the hashes by which a document is found; its fingerprint and links go with its row. */
export function forgetKeys(database: DatabaseSync, tenant: string, documentId: string): void {
  const row = prepared(database, 'SELECT * FROM fingerprint WHERE tenant = ? AND document_id = ?').get(
    tenant,
    documentId,
  ) as unknown as FingerprintRow | undefined;
  const fingerprint = row && toFingerprint(row);
  if (row === undefined || fingerprint === undefined) return;
  removeKeys(database, row.row, { tenant, keys: keysOf(fingerprint) });
}

export function hasFingerprint(database: DatabaseSync, tenant: string, documentId: string): boolean {
  const sql = 'SELECT 1 FROM fingerprint WHERE tenant = ? AND document_id = ?';
  return prepared(database, sql).get(tenant, documentId) !== undefined;
}

interface FoundByKey {
  /** Documents that have each of the new text's hashes. */
  readonly perKey: ReadonlyMap<number, number>;
  /** Hashes that each recorded text shares with it, by the row of its fingerprint. */
  readonly shared: ReadonlyMap<number, number>;
}

/** The index holds the beginning of the hash alone: that of another text with the same one is seen in its row. */
const isOfWords = 'substr(words_hash, 1, 12) = substr(?2, 1, 12) AND words_hash = ?2';
const rowsOfWords = `SELECT json_group_array(row) AS list FROM (SELECT row FROM fingerprint WHERE tenant = ?1 AND ${isOfWords} ORDER BY row LIMIT ?3)`;

const listOf = (row: Record<string, unknown> | undefined): readonly number[] =>
  typeof row?.['list'] === 'string' ? (JSON.parse(row['list']) as number[]) : [];

function foundByKey(recorded: FingerprintKeys, tenant: string, fingerprint: Fingerprint): FoundByKey {
  const sought = soughtKeysOf(fingerprint);
  if (sought.length === 0) return { perKey: new Map(), shared: new Map() };
  const perKey = new Map<number, number>();
  const shared = new Map<number, number>();
  for (const [key, rows] of recorded.find(tenant, sought)) {
    perKey.set(key, rows.length);
    for (const row of rows) shared.set(row, (shared.get(row) ?? 0) + 1);
  }
  return { perKey, shared };
}

interface Candidates {
  /** With the same words, oldest first. */
  equal(): readonly CandidateRow[];
  /** With other words that are nearly the same. */
  near(): readonly CandidateRow[];
}

function candidatesOf(
  database: DatabaseSync,
  tenant: string,
  { wordsHash, shared }: Pick<FoundByKey, 'shared'> & Pick<Fingerprint, 'wordsHash'>,
): Candidates {
  const sql = `SELECT f.*, d.uri, d.title, d.version FROM fingerprint AS f JOIN document AS d ON d.tenant = f.tenant AND d.id = f.document_id WHERE f.row = ? AND f.tenant = ?`;
  const one = prepared(database, sql);
  const rowsOf = (rows: readonly number[]): readonly CandidateRow[] =>
    rows.flatMap((row) => (one.get(row, tenant) as unknown as CandidateRow | undefined) ?? []);
  const equal = (limit: number): readonly number[] =>
    listOf(prepared(database, rowsOfWords).get(tenant, wordsHash, limit));
  return {
    equal: () => rowsOf(equal(documentsPerKey)),
    near() {
      if (shared.size === 0) return [];
      // Copies share the most, but are told from others by their rows, too: they are looked up only where they would take the places of others.
      const copies = new Set(shared.size > mostCandidates ? equal(mostCandidates) : []);
      return rowsOf(mostAlike(shared, (row) => copies.has(row))).filter((row) => row.words_hash !== wordsHash);
    },
  };
}

function insertLink(database: DatabaseSync, row: Omit<LinkRow, 'seal'>): void {
  const sql =
    'INSERT OR REPLACE INTO duplicate_link (tenant, document_id, other_id, kind, similarity, seal) VALUES (?, ?, ?, ?, ?, ?)';
  const { tenant, document_id, other_id, kind, similarity } = row;
  prepared(database, sql).run(tenant, document_id, other_id, kind, similarity, sealOfLink(row));
}

type Duplicates = Pick<
  DocumentRepository,
  'duplicates' | 'similar' | 'withDuplicates' | 'duplicatesAmong' | 'withoutFingerprint'
>;

// Copies are looked for in the index alone: most documents have none, and a row of theirs would be a page of the file each.
const withDuplicatesSql = `SELECT wanted.value AS id FROM json_each(?1) AS wanted
  WHERE EXISTS (SELECT 1 FROM duplicate_link AS l WHERE l.tenant = ?2 AND l.document_id = wanted.value)
  OR EXISTS (SELECT 1 FROM fingerprint AS f CROSS JOIN fingerprint AS g
      ON g.tenant = f.tenant AND substr(g.words_hash, 1, 12) = substr(f.words_hash, 1, 12)
    WHERE f.tenant = ?2 AND f.document_id = wanted.value AND f.runs > 0 AND g.row <> f.row AND g.words_hash = f.words_hash)`;

export function createDuplicateReads(
  scope: Scope,
  read: <T>(work: (database: DatabaseSync) => T) => Promise<T>,
): Duplicates {
  const { tenant } = scope;
  const access = accessCondition(scope, 'd');
  const mine = accessCondition(scope, 'mine');

  /** Oldest first. */
  const copiesOf = (database: DatabaseSync, documentId: string, limit: number): readonly DuplicateLink[] => {
    const own = prepared(
      database,
      `SELECT f.* FROM document AS mine CROSS JOIN fingerprint AS f ON f.tenant = mine.tenant AND f.document_id = mine.id WHERE ${mine.sql} AND mine.id = ?`,
    ).get(...mine.parameters, documentId) as unknown as FingerprintRow | undefined;
    if (own === undefined || own.runs === 0 || toFingerprint(own) === undefined) return [];
    const copies = prepared(
      database,
      `SELECT f.*, d.title, d.uri FROM fingerprint AS f CROSS JOIN document AS d ON d.tenant = f.tenant AND d.id = f.document_id WHERE f.tenant = ?1 AND ${isOfWords} AND f.document_id <> ?3 AND ${access.sql} ORDER BY f.row LIMIT ?`,
    ).all(tenant, own.words_hash, documentId, ...access.parameters, limit) as unknown as CandidateRow[];
    return toCopies(copies);
  };

  /** Every pair in both directions. */
  const copiesAmong = (database: DatabaseSync, list: string): readonly (readonly [string, string])[] => {
    const sql =
      'SELECT f.row, f.document_id, f.words_hash FROM json_each(?) AS wanted CROSS JOIN fingerprint AS f ON f.tenant = ? AND f.document_id = wanted.value WHERE f.runs > 0';
    const rows = prepared(database, sql).all(list, tenant) as unknown as FingerprintRow[];
    const sealed = prepared(database, 'SELECT * FROM fingerprint WHERE row = ?');
    return [...Map.groupBy(rows, (row) => row.words_hash).values()].flatMap((copies) => {
      if (copies.length < 2) return [];
      const ids = copies
        .filter(({ row }) => toFingerprint(sealed.get(row) as unknown as FingerprintRow) !== undefined)
        .map((row) => row.document_id);
      return pairsAmong(ids);
    });
  };

  return {
    duplicates: (documentId, limit = mostShown) =>
      read((database) => {
        const from = `FROM document AS mine CROSS JOIN duplicate_link AS l ON l.tenant = mine.tenant AND l.document_id = mine.id CROSS JOIN document AS d ON d.tenant = l.tenant AND d.id = l.other_id WHERE ${mine.sql} AND mine.id = ? AND ${access.sql} ORDER BY l.similarity DESC, l.other_id LIMIT ?`;
        const parameters = [...mine.parameters, documentId, ...access.parameters, limit];
        const linked = prepared(database, `SELECT l.*, d.title, d.uri ${from}`).all(...parameters);
        const copies = copiesOf(database, documentId, limit);
        return shownLinks(copies, linked as unknown as (LinkRow & { title: string; uri: string })[], limit);
      }),

    similar: (document, fingerprint) =>
      read((database) => {
        const found = foundByKey(fingerprintKeys(database), tenant, fingerprint);
        const one = prepared(database, `SELECT d.title, d.uri FROM document AS d WHERE ${access.sql} AND d.id = ?`);
        const candidates = candidatesOf(database, tenant, { ...found, wordsHash: fingerprint.wordsHash });
        const all = [...candidates.equal(), ...candidates.near()];
        return linksOf({ document, fingerprint }, all).flatMap(({ id, ...link }) => {
          const row = one.get(...access.parameters, id) as { title: string; uri: string } | undefined;
          return row ? [{ documentId: id, title: row.title, uri: row.uri, ...link }] : [];
        });
      }),

    withDuplicates: (documentIds) =>
      read((database) => {
        const rows = prepared(database, withDuplicatesSql).all(JSON.stringify(documentIds), tenant);
        return rows.map(({ id }) => String(id));
      }),

    duplicatesAmong: (documentIds) =>
      read((database) => {
        const list = JSON.stringify(documentIds);
        const sql =
          'SELECT l.* FROM json_each(?) AS wanted CROSS JOIN duplicate_link AS l ON l.tenant = ? AND l.document_id = wanted.value';
        const wanted = new Set(documentIds);
        const rows = prepared(database, sql).all(list, tenant) as unknown as LinkRow[];
        const links = rows
          .filter((row) => wanted.has(row.other_id) && sealOfLink(row) === row.seal)
          .map((row) => [row.document_id, row.other_id] as const);
        return [...links, ...copiesAmong(database, list)];
      }),

    withoutFingerprint: (source, after, limit) =>
      read((database) => {
        const sql = `SELECT d.id FROM document AS d LEFT JOIN fingerprint AS f ON f.tenant = d.tenant AND f.document_id = d.id WHERE ${access.sql} AND d.source = ? AND d.id > ? AND f.row IS NULL ORDER BY d.id LIMIT ?`;
        const rows = prepared(database, sql).all(...access.parameters, source, after ?? '', limit);
        return (rows as unknown as { id: string }[]).map(({ id }) => id);
      }),
  };
}

/** Removes damaged links; returns the documents whose fingerprints are damaged. */
export function damagedFingerprints(
  database: DatabaseSync,
): readonly { readonly tenant: string; readonly documentId: string }[] {
  const links = prepared(database, 'SELECT * FROM duplicate_link').all() as unknown as LinkRow[];
  for (const row of links)
    if (sealOfLink(row) !== row.seal)
      prepared(database, 'DELETE FROM duplicate_link WHERE tenant = ? AND document_id = ? AND other_id = ?').run(
        row.tenant,
        row.document_id,
        row.other_id,
      );
  const rows = prepared(database, 'SELECT * FROM fingerprint').all() as unknown as FingerprintRow[];
  return rows
    .filter((row) => toFingerprint(row) === undefined)
    .map((row) => ({ tenant: row.tenant, documentId: row.document_id }));
}

/** What is wrong with fingerprints and links, in words; empty: sound. */
export function checkDuplicates(database: DatabaseSync): readonly string[] {
  const problems: string[] = [];
  for (const row of prepared(database, 'SELECT * FROM fingerprint').iterate() as unknown as Iterable<FingerprintRow>)
    problems.push(...faultsOfFingerprint(row));
  for (const row of prepared(database, 'SELECT * FROM duplicate_link').iterate() as unknown as Iterable<LinkRow>)
    problems.push(...faultsOfLink(row));
  return problems;
}
