// Duplicates in PostgreSQL: fingerprints of texts, the hashes by which they are found, and links. Those of a commit are looked up together while the
// tenant is locked. Invariant: no link shows a document that the caller may not read.
import { documentsPerKey, type Fingerprint, keysOf, soughtKeysOf } from '../../core/documents/fingerprint.ts';
import type { DuplicateLink } from '../../core/documents/runs.ts';
import { createRecent } from '../../core/values/recent.ts';
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
} from '../duplicate-rows.ts';
import type { DocumentRepository } from '../repositories/documents.ts';
import type { Connection, PostgresClient } from './client/client.ts';
import { type Columns, insertRows } from './client/insert-rows.ts';
import type { Condition } from './document-reads.ts';

export interface TextToLink {
  readonly document: LinkedDocument;
  readonly fingerprint: Fingerprint;
}

const fingerprintColumns: Columns = {
  tenant: 'text',
  row: 'bigint',
  document_id: 'text',
  words_hash: 'text',
  runs: 'bigint',
  sketch: 'bytea',
  seal: 'text',
};
const keyColumns: Columns = { tenant: 'text', key: 'bigint', row: 'bigint', document_id: 'text' };
const linkColumns: Columns = {
  tenant: 'text',
  document_id: 'text',
  other_id: 'text',
  kind: 'text',
  similarity: 'double precision',
  seal: 'text',
};
const replacedLink = `ON CONFLICT (tenant, document_id, other_id) DO UPDATE SET kind = excluded.kind, similarity = excluded.similarity,
  seal = excluded.seal`;

/** By key, oldest first; and under no key the last row there is. */
const keysSql = `SELECT k.key, f.row FROM unnest($2::bigint[]) AS k (key) CROSS JOIN LATERAL (
    SELECT row FROM fingerprint_key WHERE tenant = $1 AND key = k.key ORDER BY row LIMIT ${documentsPerKey}) AS f
  UNION ALL SELECT NULL, max(row) FROM fingerprint WHERE tenant = $1 ORDER BY 2`;
const wordsSql = 'SELECT row FROM fingerprint WHERE tenant = $1 AND words_hash = $2 ORDER BY row LIMIT $3';
const candidatesSql = `SELECT f.*, d.uri, d.title, d.version FROM fingerprint AS f
  JOIN document AS d ON d.tenant = f.tenant AND d.id = f.document_id WHERE f.tenant = $1 AND f.row = ANY($2)`;

async function foundByKey(connection: Pick<Connection, 'rows'>, tenant: string, texts: readonly TextToLink[]) {
  const sought = new Set(texts.flatMap(({ fingerprint }) => soughtKeysOf(fingerprint)));
  type Row = { readonly key: number | null; readonly row: number | null };
  const rows = await connection.rows<Row>(keysSql, [tenant, [...sought]]);
  const perKey = new Map<number, number[]>();
  let last = 0;
  for (const { key, row } of rows) {
    if (key === null) last = row ?? 0;
    else if (row !== null) perKey.set(key, [...(perKey.get(key) ?? []), row]);
  }
  return { perKey, last };
}

/** How many of its hashes each text shares with one, by row. */
function sharedWith(fingerprint: Fingerprint, perKey: ReadonlyMap<number, readonly number[]>): Map<number, number> {
  const shared = new Map<number, number>();
  for (const key of soughtKeysOf(fingerprint))
    for (const row of perKey.get(key) ?? []) shared.set(row, (shared.get(row) ?? 0) + 1);
  return shared;
}

async function copiesOf(
  connection: Pick<Connection, 'rows'>,
  tenant: string,
  { wordsHash, limit }: { readonly wordsHash: string; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await connection.rows<{ readonly row: number }>(wordsSql, [tenant, wordsHash, limit]);
  return rows.map(({ row }) => row);
}

async function readCandidates(
  connection: Pick<Connection, 'rows'>,
  tenant: string,
  rows: readonly number[],
): Promise<ReadonlyMap<number, CandidateRow>> {
  if (rows.length === 0) return new Map();
  const found = await connection.rows<CandidateRow>(candidatesSql, [tenant, rows]);
  return new Map(found.map((row) => [row.row, row]));
}

/** Records the fingerprints of documents that have none, and links each with those before it that say nearly the same. */
export async function linkDocuments(
  connection: Connection,
  tenant: string,
  texts: readonly TextToLink[],
): Promise<void> {
  if (texts.length === 0) return;
  const { perKey, last } = await foundByKey(connection, tenant, texts);
  const own = new Map<number, CandidateRow>();
  const keys: { readonly tenant: string; readonly key: number; readonly row: number; readonly document_id: string }[] =
    [];
  const wanted: { readonly text: TextToLink; readonly rows: readonly number[] }[] = [];
  let row = last;
  for (const text of texts) {
    const { document, fingerprint } = text;
    const shared = sharedWith(fingerprint, perKey);
    // Copies share the most, but are told from others by their words: they are looked up only where they would take the places of others.
    const isMany = shared.size > mostCandidates;
    const asked = { wordsHash: fingerprint.wordsHash, limit: mostCandidates };
    const copies = new Set(isMany ? await copiesOf(connection, tenant, asked) : []);
    const isCopy = (one: number): boolean => copies.has(one) || own.get(one)?.words_hash === fingerprint.wordsHash;
    wanted.push({ text, rows: mostAlike(shared, isCopy) });
    row += 1;
    const { id: document_id, uri, title, version = null } = document;
    const { wordsHash: words_hash, runs, sketch } = fingerprint;
    const facts = { tenant, document_id, words_hash, runs, sketch: toBlob(sketch) };
    own.set(row, { row, ...facts, seal: sealOfFingerprint(facts), uri, title, version });
    for (const key of keysOf(fingerprint)) {
      const held = perKey.get(key) ?? [];
      if (held.length >= documentsPerKey) continue;
      perKey.set(key, [...held, row]);
      keys.push({ tenant, key, row, document_id });
    }
  }
  const others = new Set(wanted.flatMap(({ rows }) => rows.filter((one) => !own.has(one))));
  const recorded = await readCandidates(connection, tenant, [...others]);
  const links = wanted.flatMap(({ text, rows }) => {
    const near = rows
      .flatMap((one) => own.get(one) ?? recorded.get(one) ?? [])
      .filter(({ words_hash }) => words_hash !== text.fingerprint.wordsHash);
    return linksOf(text, near).flatMap(({ id, kind, similarity }) =>
      [
        [text.document.id, id],
        [id, text.document.id],
      ].map(([document_id = '', other_id = '']) => ({ tenant, document_id, other_id, kind, similarity })),
    );
  });
  const fingerprints = Array.from(own.values(), ({ uri: _, title: __, version: ___, ...facts }) => facts);
  await insertRows(connection, { table: 'fingerprint', columns: fingerprintColumns }, fingerprints);
  await insertRows(connection, { table: 'fingerprint_key', columns: keyColumns }, keys);
  const once = new Map(links.map((link) => [JSON.stringify([link.document_id, link.other_id]), link]));
  await insertRows(
    connection,
    { table: 'duplicate_link', columns: linkColumns, suffix: replacedLink },
    Array.from(once.values(), (link) => ({ ...link, seal: sealOfLink(link) })),
  );
}

export async function hasFingerprint(connection: Connection, tenant: string, documentId: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM fingerprint WHERE tenant = $1 AND document_id = $2';
  return (await connection.rows(sql, [tenant, documentId])).length > 0;
}

type Duplicates = Pick<
  DocumentRepository,
  'duplicates' | 'similar' | 'withDuplicates' | 'duplicatesAmong' | 'withoutFingerprint'
>;

/** Whether a document of the tenant `$1` has links or copies. */
export const isLinkedSql = (
  id: string,
): string => `(EXISTS (SELECT 1 FROM duplicate_link AS l WHERE l.tenant = $1 AND l.document_id = ${id})
  OR EXISTS (SELECT 1 FROM fingerprint AS f JOIN fingerprint AS g ON g.tenant = f.tenant AND g.words_hash = f.words_hash
    WHERE f.tenant = $1 AND f.document_id = ${id} AND f.runs > 0 AND g.row <> f.row))`;
const withDuplicatesSql = `SELECT w.id FROM unnest($2::text[]) AS w (id) WHERE ${isLinkedSql('w.id')}`;

/** Whether documents have links or copies, as they were read with their passages: a search asks for both. */
export interface KnownLinks {
  /** Called before they are read: notes them as of then. */
  noting(): (documentId: string, isLinked: boolean) => void;
  /** Undefined where it was not read, or something was committed since. */
  of(documentId: string): boolean | undefined;
}

const mostKnown = 2000;

/** `seen`: the revision of the corpus that is known of: what was read under it is no older. */
export function createKnownLinks(seen: () => number): KnownLinks {
  const known = createRecent<string, { readonly revision: number; readonly isLinked: boolean }>(mostKnown);
  return {
    noting() {
      const revision = seen();
      return (documentId, isLinked) => known.set(documentId, { revision, isLinked });
    },
    of(documentId) {
      const one = known.get(documentId);
      return one !== undefined && one.revision >= 0 && one.revision === seen() ? one.isLinked : undefined;
    },
  };
}

/** `access`: of documents `d` that the caller may read. */
export function createDuplicateReads(
  client: PostgresClient,
  tenant: string,
  { access, known: links }: { readonly access: Condition; readonly known: KnownLinks },
): Duplicates {
  const next = access.values.length + 1;
  type Named = { readonly title: string; readonly uri: string };

  async function copiesFor(own: FingerprintRow, limit: number): Promise<readonly DuplicateLink[]> {
    if (own.runs === 0 || toFingerprint(own) === undefined) return [];
    const sql = `SELECT f.*, d.title, d.uri FROM fingerprint AS f JOIN document AS d ON d.tenant = f.tenant AND d.id = f.document_id
      WHERE ${access.sql} AND f.words_hash = $${next} AND f.document_id <> $${next + 1} ORDER BY f.row LIMIT $${next + 2}`;
    const values = [...access.values, own.words_hash, own.document_id, limit];
    return toCopies(await client.rows<FingerprintRow & Named>(sql, values));
  }

  return {
    async duplicates(documentId, limit = mostShown) {
      const ownSql = `SELECT d.id, f.* FROM document AS d LEFT JOIN fingerprint AS f ON f.tenant = d.tenant AND f.document_id = d.id
        WHERE ${access.sql} AND d.id = $${next}`;
      type Own = Omit<FingerprintRow, 'row'> & { readonly row: number | null };
      const [own] = await client.rows<Own>(ownSql, [...access.values, documentId]);
      if (own === undefined) return [];
      const sql = `SELECT l.*, d.title, d.uri FROM duplicate_link AS l JOIN document AS d ON d.tenant = l.tenant AND d.id = l.other_id
        WHERE ${access.sql} AND l.document_id = $${next} ORDER BY l.similarity DESC, l.other_id LIMIT $${next + 1}`;
      const linked = await client.rows<LinkRow & Named>(sql, [...access.values, documentId, limit]);
      const copies = own.row === null ? [] : await copiesFor({ ...own, row: own.row }, limit);
      return shownLinks(copies, linked, limit);
    },

    async similar(document, fingerprint) {
      const text = { document, fingerprint };
      const { perKey } = await foundByKey(client, tenant, [text]);
      const equal = await copiesOf(client, tenant, { wordsHash: fingerprint.wordsHash, limit: mostCandidates });
      const copies = new Set(equal);
      const near = mostAlike(sharedWith(fingerprint, perKey), (row) => copies.has(row));
      const places = [...equal.slice(0, documentsPerKey), ...near];
      const rows = await readCandidates(client, tenant, places);
      const links = linksOf(
        text,
        places.flatMap((row) => rows.get(row) ?? []),
      );
      if (links.length === 0) return [];
      const sql = `SELECT d.id, d.title, d.uri FROM document AS d WHERE ${access.sql} AND d.id = ANY($${next})`;
      const found = await client.rows<Named & { readonly id: string }>(sql, [
        ...access.values,
        links.map(({ id }) => id),
      ]);
      const named = new Map(found.map((row) => [row.id, row]));
      return links.flatMap(({ id, ...link }) => {
        const row = named.get(id);
        return row ? [{ documentId: id, title: row.title, uri: row.uri, ...link }] : [];
      });
    },

    async withDuplicates(documentIds) {
      const others = documentIds.filter((id) => links.of(id) === undefined);
      if (others.length === 0) return documentIds.filter((id) => links.of(id));
      const rows = await client.rows<{ readonly id: string }>(withDuplicatesSql, [tenant, documentIds]);
      return rows.map(({ id }) => id);
    },

    async duplicatesAmong(documentIds) {
      const linksSql =
        'SELECT * FROM duplicate_link WHERE tenant = $1 AND document_id = ANY($2) AND other_id = ANY($2)';
      const links = (await client.rows<LinkRow>(linksSql, [tenant, documentIds]))
        .filter((row) => sealOfLink(row) === row.seal)
        .map((row) => [row.document_id, row.other_id] as const);
      const textsSql = 'SELECT * FROM fingerprint WHERE tenant = $1 AND document_id = ANY($2) AND runs > 0';
      const texts = await client.rows<FingerprintRow>(textsSql, [tenant, documentIds]);
      const copies = [...Map.groupBy(texts, (row) => row.words_hash).values()].flatMap((some) => {
        return pairsAmong(some.filter((row) => toFingerprint(row) !== undefined).map((row) => row.document_id));
      });
      return [...links, ...copies];
    },

    async withoutFingerprint(source, after, limit) {
      const sql = `SELECT d.id FROM document AS d LEFT JOIN fingerprint AS f ON f.tenant = d.tenant AND f.document_id = d.id
        WHERE ${access.sql} AND d.source = $${next} AND d.id > $${next + 1} AND f.row IS NULL ORDER BY d.id LIMIT $${next + 2}`;
      const rows = await client.rows<{ readonly id: string }>(sql, [...access.values, source, after ?? '', limit]);
      return rows.map(({ id }) => id);
    },
  };
}

const readTogether = 500;
const textsSql =
  'SELECT * FROM fingerprint WHERE (tenant, document_id) > ($1, $2) ORDER BY tenant, document_id LIMIT $3';
const linksSql = `SELECT * FROM duplicate_link WHERE (tenant, document_id, other_id) > ($1, $2, $3)
  ORDER BY tenant, document_id, other_id LIMIT $4`;

async function* eachRow<Row>(
  client: PostgresClient,
  sql: string,
  keyOf: (row: Row | undefined) => readonly string[],
): AsyncGenerator<Row> {
  for (let last: Row | undefined; ; ) {
    const rows = await client.rows<Row>(sql, [...keyOf(last), readTogether]);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < readTogether) return;
  }
}

/** Fingerprints and links that are not as they were sealed, by their documents. */
export async function* unsoundRows(client: PostgresClient) {
  const textKey = (row?: FingerprintRow) => [row?.tenant ?? '', row?.document_id ?? ''];
  for await (const row of eachRow(client, textsSql, textKey)) {
    const faults = faultsOfFingerprint(row);
    if (faults.length > 0) yield { tenant: row.tenant, documentId: row.document_id, faults };
  }
  const linkKey = (row?: LinkRow) => [row?.tenant ?? '', row?.document_id ?? '', row?.other_id ?? ''];
  for await (const row of eachRow(client, linksSql, linkKey)) {
    const faults = faultsOfLink(row);
    if (faults.length > 0) yield { tenant: row.tenant, documentId: row.document_id, faults };
  }
}

/** What is wrong with fingerprints and links, in words; empty: sound. */
export async function checkDuplicates(client: PostgresClient): Promise<readonly string[]> {
  const problems: string[] = [];
  for await (const { faults } of unsoundRows(client)) problems.push(...faults);
  return problems;
}
