// Duplicates as the record keeps them: the fingerprint of each text, the hashes by which others find it, and the links, written both
// ways with the document and gone with it. Invariant: a row that is not as it was sealed is as good as absent, and no link shows a
// document that the caller may not read.
import type { DatabaseSync } from 'node:sqlite';
import {
  type DuplicateKind,
  duplicateOf,
  type Fingerprint,
  keysOf,
  soughtKeysOf,
  type VersionFacts,
} from '../core/fingerprint.ts';
import { sha256 } from '../core/ids.ts';
import type { Scope } from '../core/scope.ts';
import { prepared } from './connection.ts';
import { accessCondition } from './filter-sql.ts';
import type { DocumentRepository, DuplicateLink } from './record.ts';

/** Documents that are found by one hash; what more texts than that share says little of any of them. */
const documentsPerKey = 32;
/** Texts that are compared with a new one, best first. */
const mostCandidates = 64;
/** Links of a document that are written with it; later copies link to it in turn. */
const mostLinks = 32;
const mostShown = 100;

interface FingerprintRow {
  readonly row: number;
  readonly tenant: string;
  readonly document_id: string;
  readonly words_hash: string;
  readonly runs: number;
  readonly sketch: Uint8Array;
  readonly seal: string;
}

interface LinkRow {
  readonly tenant: string;
  readonly document_id: string;
  readonly other_id: string;
  readonly kind: string;
  readonly similarity: number;
  readonly seal: string;
}

const sealOfFingerprint = (row: Omit<FingerprintRow, 'row' | 'seal'>): string =>
  sha256(JSON.stringify([row.tenant, row.document_id, row.words_hash, row.runs, sha256(row.sketch)]));

const sealOfLink = (row: Omit<LinkRow, 'seal'>): string =>
  sha256(JSON.stringify([row.tenant, row.document_id, row.other_id, row.kind, row.similarity]));

/** Eight bytes a hash, little-endian as on every platform that Node runs on. */
const toBlob = (sketch: Float64Array): Uint8Array =>
  new Uint8Array(sketch.buffer, sketch.byteOffset, sketch.byteLength);

function toFingerprint(row: FingerprintRow): Fingerprint | undefined {
  if (row.sketch.byteLength % 8 !== 0 || sealOfFingerprint(row) !== row.seal) return undefined;
  const sketch = new Float64Array(row.sketch.slice().buffer);
  return { wordsHash: row.words_hash, runs: row.runs, sketch };
}

export interface LinkedDocument extends VersionFacts {
  readonly id: string;
}

/** Records the fingerprint of a document that has none, and links the document with those that say nearly the same. */
export function linkDocument(
  database: DatabaseSync,
  tenant: string,
  { document, fingerprint }: { readonly document: LinkedDocument; readonly fingerprint: Fingerprint },
): void {
  const found = foundByKey(database, tenant, fingerprint);
  const links = candidatesOf(database, tenant, { ...found, wordsHash: fingerprint.wordsHash }).flatMap((row) => {
    const other = toFingerprint(row);
    const facts = { uri: row.uri, title: row.title, version: row.version ?? undefined };
    const duplicate = other && duplicateOf({ ...document, ...fingerprint }, { ...facts, ...other });
    return duplicate ? [{ id: row.document_id, ...duplicate }] : [];
  });
  links.sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1));
  for (const { id, kind, similarity } of links.slice(0, mostLinks)) {
    insertLink(database, { tenant, document_id: document.id, other_id: id, kind, similarity });
    insertLink(database, { tenant, document_id: id, other_id: document.id, kind, similarity });
  }
  const { wordsHash, runs, sketch } = fingerprint;
  const row = { tenant, document_id: document.id, words_hash: wordsHash, runs, sketch: toBlob(sketch) };
  const { lastInsertRowid } = prepared(
    database,
    'INSERT INTO fingerprint (tenant, document_id, words_hash, runs, sketch, seal) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(tenant, document.id, wordsHash, runs, row.sketch, sealOfFingerprint(row));
  const insertKey = prepared(database, 'INSERT INTO fingerprint_key (tenant, key, fingerprint) VALUES (?, ?, ?)');
  for (const key of keysOf(fingerprint))
    if ((found.perKey.get(key) ?? 0) < documentsPerKey) insertKey.run(tenant, key, lastInsertRowid);
}

/** Removes the hashes by which a document is found; its fingerprint and links go with its row. */
export function forgetKeys(database: DatabaseSync, tenant: string, documentId: string): void {
  const row = prepared(database, 'SELECT * FROM fingerprint WHERE tenant = ? AND document_id = ?').get(
    tenant,
    documentId,
  ) as unknown as FingerprintRow | undefined;
  const fingerprint = row && toFingerprint(row);
  if (row === undefined || fingerprint === undefined) return;
  const remove = prepared(database, 'DELETE FROM fingerprint_key WHERE tenant = ? AND key = ? AND fingerprint = ?');
  for (const key of keysOf(fingerprint)) remove.run(tenant, key, row.row);
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

function foundByKey(database: DatabaseSync, tenant: string, fingerprint: Fingerprint): FoundByKey {
  // CROSS JOIN fixes the order: one look into the index for each hash.
  const sql =
    'SELECT k.key, k.fingerprint FROM json_each(?) AS sought CROSS JOIN fingerprint_key AS k ON k.tenant = ? AND k.key = sought.value';
  const rows = prepared(database, sql).all(JSON.stringify(soughtKeysOf(fingerprint)), tenant);
  const perKey = new Map<number, number>();
  const shared = new Map<number, number>();
  for (const { key, fingerprint: row } of rows as unknown as { key: number; fingerprint: number }[]) {
    perKey.set(key, (perKey.get(key) ?? 0) + 1);
    shared.set(row, (shared.get(row) ?? 0) + 1);
  }
  return { perKey, shared };
}

type CandidateRow = FingerprintRow & { readonly uri: string; readonly title: string; readonly version: string | null };

function candidatesOf(
  database: DatabaseSync,
  tenant: string,
  { wordsHash, shared }: Pick<FoundByKey, 'shared'> & Pick<Fingerprint, 'wordsHash'>,
): readonly CandidateRow[] {
  const columns = 'f.*, d.uri, d.title, d.version';
  const join = 'JOIN document AS d ON d.tenant = f.tenant AND d.id = f.document_id';
  const equal = prepared(
    database,
    `SELECT ${columns} FROM fingerprint AS f ${join} WHERE f.tenant = ? AND f.words_hash = ? LIMIT ${documentsPerKey}`,
  ).all(tenant, wordsHash) as unknown as CandidateRow[];
  const known = new Set(equal.map(({ row }) => row));
  const rows = [...shared].filter(([row]) => !known.has(row));
  rows.sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  const one = prepared(database, `SELECT ${columns} FROM fingerprint AS f ${join} WHERE f.row = ? AND f.tenant = ?`);
  const near = rows
    .slice(0, mostCandidates)
    .flatMap(([row]) => (one.get(row, tenant) as unknown as CandidateRow | undefined) ?? []);
  return [...equal, ...near];
}

function insertLink(database: DatabaseSync, row: Omit<LinkRow, 'seal'>): void {
  const sql =
    'INSERT OR REPLACE INTO duplicate_link (tenant, document_id, other_id, kind, similarity, seal) VALUES (?, ?, ?, ?, ?, ?)';
  const { tenant, document_id, other_id, kind, similarity } = row;
  prepared(database, sql).run(tenant, document_id, other_id, kind, similarity, sealOfLink(row));
}

type Duplicates = Pick<DocumentRepository, 'duplicates' | 'duplicatesAmong' | 'withoutFingerprint'>;

export function createDuplicateReads(
  scope: Scope,
  read: <T>(work: (database: DatabaseSync) => T) => Promise<T>,
): Duplicates {
  const { tenant } = scope;
  const access = accessCondition(scope, 'd');
  const mine = accessCondition(scope, 'mine');
  return {
    duplicates: (documentId) =>
      read((database) => {
        const sql = `SELECT l.*, d.title, d.uri FROM document AS mine CROSS JOIN duplicate_link AS l ON l.tenant = mine.tenant AND l.document_id = mine.id CROSS JOIN document AS d ON d.tenant = l.tenant AND d.id = l.other_id WHERE ${mine.sql} AND mine.id = ? AND ${access.sql} ORDER BY l.similarity DESC, l.other_id LIMIT ${mostShown}`;
        const rows = prepared(database, sql).all(...mine.parameters, documentId, ...access.parameters);
        return (rows as unknown as (LinkRow & { title: string; uri: string })[]).flatMap((row): DuplicateLink[] =>
          sealOfLink(row) === row.seal
            ? [
                {
                  documentId: row.other_id,
                  title: row.title,
                  uri: row.uri,
                  kind: row.kind as DuplicateKind,
                  similarity: row.similarity,
                },
              ]
            : [],
        );
      }),

    duplicatesAmong: (documentIds) =>
      read((database) => {
        const list = JSON.stringify(documentIds);
        const sql =
          'SELECT l.* FROM json_each(?) AS wanted CROSS JOIN duplicate_link AS l ON l.tenant = ? AND l.document_id = wanted.value';
        const wanted = new Set(documentIds);
        const rows = prepared(database, sql).all(list, tenant) as unknown as LinkRow[];
        return rows
          .filter((row) => wanted.has(row.other_id) && sealOfLink(row) === row.seal)
          .map((row) => [row.document_id, row.other_id] as const);
      }),

    withoutFingerprint: (source, after, limit) =>
      read((database) => {
        const sql = `SELECT d.id FROM document AS d LEFT JOIN fingerprint AS f ON f.tenant = d.tenant AND f.document_id = d.id WHERE ${access.sql} AND d.source = ? AND d.id > ? AND f.row IS NULL ORDER BY d.id LIMIT ?`;
        const rows = prepared(database, sql).all(...access.parameters, source, after ?? '', limit);
        return (rows as unknown as { id: string }[]).map(({ id }) => id);
      }),
  };
}

/** What is wrong with fingerprints and links, in words; empty: sound. */
export function checkDuplicates(database: DatabaseSync): readonly string[] {
  const problems: string[] = [];
  for (const row of prepared(database, 'SELECT * FROM fingerprint').iterate() as unknown as Iterable<FingerprintRow>)
    if (toFingerprint(row) === undefined)
      problems.push(`The fingerprint of document ${row.document_id} is not what was recorded.`);
  for (const row of prepared(database, 'SELECT * FROM duplicate_link').iterate() as unknown as Iterable<LinkRow>)
    if (sealOfLink(row) !== row.seal)
      problems.push(
        `The link of document ${row.document_id} with its duplicate ${row.other_id} is not what was recorded.`,
      );
  return problems;
}
