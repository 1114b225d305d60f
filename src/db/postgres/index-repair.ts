// What a repair does to the index of a tenant in PostgreSQL, and to the rows that link its documents. Whatever it takes out is out for each index in
// memory, too: its next look loads everything again.
import { type PrintedDocument, sealRow } from '../repositories/index-log.ts';
import type { Connection, PostgresClient } from './client/client.ts';
import { unsoundRows } from './duplicates.ts';
import { lockTenant } from './tenant-lock.ts';
import { removeVectors } from './vectors.ts';

/** A document that has chunks, as its entry says. */
export interface SealedDocument {
  readonly documentId: string;
  readonly first: number;
  /** Those that segments hold. */
  readonly rows: number;
  /** Of all of it. */
  readonly chunks: number;
  readonly chunkIds: readonly string[];
}

export interface IndexRepair {
  tenants(): Promise<readonly string[]>;
  /** The next documents whose entries segments hold, and the last row that one holds. */
  sealed(
    tenant: string,
    after: string,
  ): Promise<{ readonly sealedTo: number; readonly documents: readonly SealedDocument[] }>;
  /** Takes out what belongs to no document; everything, where the index is of another version, or its segments are not sound: then it says so. */
  begin(tenant: string, version: number, areSegmentsSound: boolean): Promise<boolean>;
  /** The next documents that are meant for a store. */
  documents(tenant: string, store: string, after: string): Promise<readonly string[]>;
  /** Those of them that the index does not hold as they are printed, beside what segments hold; their vectors are taken out. */
  wrong(tenant: string, printed: readonly PrintedDocument[]): Promise<readonly string[]>;
  end(tenant: string): Promise<void>;
  /** Drops links and fingerprints that are not as they were sealed: the sources whose documents are to be compared again. */
  dropDamagedLinks(): Promise<readonly { readonly tenant: string; readonly source: string }[]>;
}

const together = 100;
const tables = ['vector_block', 'ix_document', 'ix_log', 'ix_removed', 'ix_segment', 'ix_part', 'ix_language'];
const ownerless = `DELETE FROM ix_document AS e WHERE e.tenant = $1
  AND NOT EXISTS (SELECT 1 FROM document AS d WHERE d.tenant = e.tenant AND d.id = e.document_id)`;
const rowless = `DELETE FROM ix_log AS l WHERE l.tenant = $1 AND NOT EXISTS (SELECT 1 FROM ix_document AS e
  WHERE e.tenant = l.tenant AND e.document_id = l.document_id AND l.row BETWEEN e.first_row AND e.last_row)`;
const spacesAnew = 'UPDATE vector_space SET revision = 0, born = gen_random_uuid() WHERE tenant = $1';
const reload = 'UPDATE tenant_state SET revision = revision + 1, purged = revision + 1 WHERE tenant = $1';
const countSql = `INSERT INTO ix_language (tenant, language, chunks) SELECT tenant, language, sum(last_row - first_row + 1) FROM ix_document
  WHERE tenant = $1 AND last_row >= first_row GROUP BY tenant, language`;
const sealedToSql = '(SELECT coalesce(max(last_row), 0) FROM ix_segment WHERE tenant = $1)';
/** The rest of a document in which the last segment ends stands in the log. */
const sealedSql = `SELECT document_id AS "documentId", first_row AS first, least(last_row, ${sealedToSql}) - first_row + 1 AS rows,
  last_row - first_row + 1 AS chunks,
  ARRAY(SELECT id::text FROM chunk AS c WHERE c.tenant = e.tenant AND c.document_id = e.document_id ORDER BY ordinal) AS "chunkIds"
  FROM ix_document AS e WHERE tenant = $1 AND document_id > $2 AND last_row >= first_row AND first_row <= ${sealedToSql}
  ORDER BY document_id LIMIT ${together}`;
const heldSql = `SELECT e.document_id AS "documentId", e.first_row AS first, e.last_row AS last, ${sealedToSql} AS "sealedTo", l.row, l.chunk_id AS "chunkId", l.terms, l.seal
  FROM ix_document AS e LEFT JOIN ix_log AS l ON l.tenant = e.tenant AND l.row BETWEEN e.first_row AND e.last_row
  WHERE e.tenant = $1 AND e.document_id = ANY($2) ORDER BY l.row`;

interface Held {
  readonly documentId: string;
  readonly first: number;
  readonly last: number;
  readonly sealedTo: number;
  readonly row: number | null;
  readonly chunkId: string;
  readonly terms: string;
  readonly seal: string;
}

function isHeld(tenant: string, { documentId, chunks }: PrintedDocument, held: readonly Held[] = []): boolean {
  const [entry] = held;
  if (entry?.last !== (entry?.first ?? 0) + chunks.length - 1) return false;
  // Rows that segments hold may still be there, or not.
  const logged = new Map(held.map((one) => [one.row, one]));
  return chunks.every((chunk, at) => {
    if (entry.first + at <= entry.sealedTo) return true;
    const found = logged.get(entry.first + at);
    if (found?.row !== entry.first + at) return false;
    const isPrinted = found.chunkId === chunk.chunkId && found.terms === chunk.terms;
    return isPrinted && found.seal === sealRow(tenant, found.row, { documentId, ...chunk });
  });
}

export function createIndexRepair(client: PostgresClient): IndexRepair {
  const locked = <T>(tenant: string, work: (connection: Connection, version: number) => Promise<T>): Promise<T> =>
    client.write(async (connection) => work(connection, (await lockTenant(connection, tenant)).version));
  return {
    tenants: async () =>
      (await client.rows<{ readonly tenant: string }>('SELECT tenant FROM tenant_state ORDER BY tenant')).map(
        (row) => row.tenant,
      ),
    async sealed(tenant, after) {
      const [{ sealedTo } = { sealedTo: 0 }] = await client.rows<{ readonly sealedTo: number }>(
        `SELECT ${sealedToSql} AS "sealedTo"`,
        [tenant],
      );
      return { sealedTo, documents: await client.rows<SealedDocument>(sealedSql, [tenant, after]) };
    },
    begin: (tenant, version, areSegmentsSound) =>
      locked(tenant, async (connection, found) => {
        const isAnew = found !== version || !areSegmentsSound;
        if (isAnew) {
          for (const table of tables) await connection.rows(`DELETE FROM ${table} WHERE tenant = $1`, [tenant]);
          // Vectors are of rows, and are made or remembered anew.
          await connection.rows(spacesAnew, [tenant]);
        }
        let removed = 0;
        for (const sql of [ownerless, rowless]) removed += (await connection.ask(sql, [tenant])).changes;
        if (isAnew || removed > 0) await connection.rows(reload, [tenant]);
        const begun = "UPDATE tenant_state SET index_version = $2, rebuild_after = '' WHERE tenant = $1";
        await connection.rows(begun, [tenant, version]);
        return isAnew || removed > 0;
      }),
    async documents(tenant, store, after) {
      const sql = `SELECT id FROM document WHERE tenant = $1 AND id > $2 AND (stores IS NULL OR $3 = ANY(stores)) ORDER BY id LIMIT ${together}`;
      return (await client.rows<{ readonly id: string }>(sql, [tenant, after, store])).map(({ id }) => id);
    },
    async wrong(tenant, printed) {
      const rows = await client.rows<Held>(heldSql, [tenant, printed.map(({ documentId }) => documentId)]);
      const held = Map.groupBy(rows, (row) => row.documentId);
      const found = printed.filter((one) => !isHeld(tenant, one, held.get(one.documentId)));
      const ids = found.map(({ documentId }) => documentId);
      if (ids.length > 0) await locked(tenant, (connection) => removeVectors(connection, tenant, ids));
      return ids;
    },
    end: (tenant) =>
      locked(tenant, async (connection) => {
        await connection.rows('DELETE FROM ix_language WHERE tenant = $1', [tenant]);
        await connection.rows(countSql, [tenant]);
        await connection.rows('UPDATE tenant_state SET rebuild_after = NULL WHERE tenant = $1', [tenant]);
      }),
    async dropDamagedLinks() {
      const dropped = new Map<string, { readonly tenant: string; readonly source: string }>();
      for await (const { tenant, documentId } of unsoundRows(client)) {
        const sql = `WITH links AS (DELETE FROM duplicate_link WHERE tenant = $1 AND $2 IN (document_id, other_id)),
          texts AS (DELETE FROM fingerprint WHERE tenant = $1 AND document_id = $2),
          keys AS (DELETE FROM fingerprint_key WHERE tenant = $1 AND document_id = $2)
          SELECT source FROM document WHERE tenant = $1 AND id = $2`;
        await locked(tenant, async (connection) => {
          for (const { source } of await connection.rows<{ readonly source: string }>(sql, [tenant, documentId]))
            dropped.set(JSON.stringify([tenant, source]), { tenant, source });
        });
      }
      return [...dropped.values()];
    },
  };
}
