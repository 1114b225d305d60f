// The index of a tenant in PostgreSQL: what a commit writes of it, and what an index in memory follows. The commit holds the lock of its tenant, so
// that rows and revisions have no gaps and become visible in their order.

import { type DocumentRow, documentColumns, isSealed, toDocument } from '../document-rows.ts';
import {
  bytesIn,
  type IndexDelta,
  type IndexedFacts,
  type IndexLog,
  type IndexMark,
  type IndexState,
  type LanguageCount,
  type LogRow,
  type LogText,
  newSince,
  type PrintedDocument,
  type Removal,
  type StoredSegment,
  sealRemoval,
  sealRow,
} from '../repositories/index-log.ts';
import type { Connection, PostgresClient } from './client.ts';
import { type Columns, insertRows } from './insert-rows.ts';
import type { HeldState } from './tenant-lock.ts';
import { isNewer, removeVectors, type SpaceRow, vectorsSince } from './vectors.ts';

const logColumns: Columns = {
  tenant: 'text',
  row: 'bigint',
  document_id: 'text',
  chunk_id: 'text',
  terms: 'text',
  seal: 'text',
};
const entryColumns: Columns = {
  tenant: 'text',
  document_id: 'text',
  first_row: 'bigint',
  last_row: 'bigint',
  language: 'text',
  revision: 'bigint',
};
const removedColumns: Columns = {
  tenant: 'text',
  revision: 'bigint',
  first_row: 'bigint',
  last_row: 'bigint',
  seal: 'text',
};

const countLanguages = `INSERT INTO ix_language (tenant, language, chunks)
  SELECT $1, language, sum(chunks) FROM unnest($2::text[], $3::bigint[]) AS given (language, chunks) GROUP BY language
  ON CONFLICT (tenant, language) DO UPDATE SET chunks = ix_language.chunks + excluded.chunks`;

/** Takes documents out of the index; whether there were any. */
export async function removeEntries(
  connection: Connection,
  tenant: string,
  { documentIds, revision }: { readonly documentIds: readonly string[]; readonly revision: number },
): Promise<boolean> {
  const held = await connection.rows<{ first: number; last: number; language: string }>(
    'DELETE FROM ix_document WHERE tenant = $1 AND document_id = ANY($2) RETURNING first_row AS first, last_row AS last, language',
    [tenant, documentIds],
  );
  const ranges = held.filter(({ first, last }) => last >= first);
  if (ranges.length > 0) {
    await removeVectors(connection, tenant, documentIds);
    await connection.rows(
      'DELETE FROM ix_log AS l USING unnest($2::bigint[], $3::bigint[]) AS r (first, last) WHERE l.tenant = $1 AND l.row BETWEEN r.first AND r.last',
      [tenant, ranges.map(({ first }) => first), ranges.map(({ last }) => last)],
    );
    await insertRows(
      connection,
      { table: 'ix_removed', columns: removedColumns },
      ranges.map(({ first, last }) => ({
        tenant,
        revision,
        first_row: first,
        last_row: last,
        seal: sealRemoval(tenant, { revision, first, last }),
      })),
    );
    await connection.rows(countLanguages, [
      tenant,
      ranges.map(({ language }) => language),
      ranges.map(({ first, last }) => first - last - 1),
    ]);
  }
  return held.length > 0;
}

/** Replaces all entries of each document. Rows are taken from the state. An index of another version is left to its rebuild. */
export async function putEntries(
  connection: Connection,
  { tenant, state, version }: { readonly tenant: string; readonly state: HeldState; readonly version: number },
  documents: readonly PrintedDocument[],
): Promise<void> {
  const documentIds = documents.map(({ documentId }) => documentId);
  if (state.version === 0) {
    // Whatever else the record holds is still to be indexed.
    const others = 'SELECT 1 FROM document WHERE tenant = $1 AND id <> ALL($2) LIMIT 1';
    state.rebuildAfter = (await connection.rows(others, [tenant, documentIds])).length > 0 ? '' : null;
    state.version = version;
  }
  if (state.version !== version) return;
  await removeEntries(connection, tenant, { documentIds, revision: state.revision });
  const log: Record<string, string | number>[] = [];
  const held = documents.map(({ documentId, language, chunks }) => {
    const first = state.nextRow;
    for (const { chunkId, terms } of chunks) {
      const row = state.nextRow++;
      const seal = sealRow(tenant, row, { documentId, chunkId, terms });
      log.push({ tenant, row, document_id: documentId, chunk_id: chunkId, terms, seal });
    }
    return {
      tenant,
      document_id: documentId,
      first_row: first,
      last_row: state.nextRow - 1,
      language,
      revision: state.revision,
    };
  });
  await insertRows(connection, { table: 'ix_log', columns: logColumns }, log);
  await insertRows(connection, { table: 'ix_document', columns: entryColumns }, held);
  await connection.rows(countLanguages, [
    tenant,
    documents.map(({ language }) => language),
    documents.map(({ chunks }) => chunks.length),
  ]);
}

type StateRow = IndexState & {
  readonly documents: number;
  readonly hasDocuments: boolean;
  readonly space: SpaceRow | null;
};

/** Of a space too, where one is named: its numbers come as one value. */
const readState = `SELECT index_version AS version, t.revision, purged, next_row AS "nextRow", rebuild_after AS "rebuildAfter",
  documents_rev AS documents, EXISTS (SELECT 1 FROM document WHERE tenant = $1) AS "hasDocuments",
  (SELECT json_build_object('born', v.born, 'dimensions', v.dimensions, 'metric', v.metric, 'revision', v.revision)
   FROM vector_space AS v WHERE v.tenant = $1 AND v.space = $2) AS space
  FROM tenant_state AS t WHERE t.tenant = $1`;
const readSegments =
  'SELECT first_row AS first, last_row AS last, seal, parts FROM ix_segment WHERE tenant = $1 ORDER BY first_row';
const readRemovals =
  'SELECT revision, first_row AS first, last_row AS last, seal FROM ix_removed WHERE tenant = $1 AND revision > $2';
const readLog =
  'SELECT row, document_id AS "documentId", chunk_id AS "chunkId", terms, seal FROM ix_log WHERE tenant = $1 AND row > $2 ORDER BY row';
const readLanguages =
  'SELECT language, chunks FROM ix_language WHERE tenant = $1 AND chunks > 0 ORDER BY chunks DESC, language';
const readFacts = `SELECT x.first_row AS "firstRow", x.last_row AS "lastRow", ${documentColumns} FROM document AS d
  JOIN ix_document AS x ON x.tenant = d.tenant AND x.document_id = d.id WHERE d.tenant = $1 AND d.id IN (
    SELECT id FROM document WHERE tenant = $1 AND changed > $2
    UNION SELECT document_id FROM ix_document WHERE tenant = $1 AND revision > $2)`;

async function factsOf(connection: Connection, tenant: string, since: number): Promise<readonly IndexedFacts[]> {
  type Row = DocumentRow & { readonly firstRow: number; readonly lastRow: number };
  const rows = await connection.rows<Row>(readFacts, [tenant, since]);
  return rows.filter(isSealed).map((row) => ({ first: row.firstRow, last: row.lastRow, document: toDocument(row) }));
}

/** A search asks for the state alone; what else there is of one moment is read only where something came. */
export function createIndexLog(client: PostgresClient, tenant: string): IndexLog {
  async function changes(
    connection: Connection,
    { since, version, row }: { readonly since: IndexMark; readonly version: number; readonly row: StateRow },
  ): Promise<IndexDelta> {
    const { documents, hasDocuments, space: _, ...state } = row;
    if (state.version !== version || state.revision === since.revision) return { state, documents, hasDocuments };
    const segments = await connection.rows<StoredSegment>(readSegments, [tenant]);
    const { isWhole, removalsAfter } = newSince(since, state, segments);
    const removals = await connection.rows<Removal>(readRemovals, [tenant, removalsAfter]);
    const found = await connection.rows<LogText & { readonly row: number; readonly seal: string }>(readLog, [
      tenant,
      isWhole ? 0 : since.row,
    ]);
    const rows = found.map((one): LogRow => ({ row: one.row, seal: one.seal, read: () => one }));
    const languages = await connection.rows<LanguageCount>(readLanguages, [tenant]);
    return {
      state,
      documents,
      hasDocuments,
      changes: {
        isWhole,
        segments,
        rowsAfter: (after) => rows.filter(({ row: at }) => at > after),
        removals,
        languages,
      },
    };
  }

  return {
    async changes(since, version, { facts: factsSince, vectors: mark } = {}) {
      const name = mark?.space ?? '';
      const [now] = await client.rows<StateRow>(readState, [tenant, name]);
      if (now === undefined) return { state: undefined, documents: 0, hasDocuments: false };
      const { documents, hasDocuments, space, ...state } = now;
      const isNew = state.version === version && state.revision !== since.revision;
      const wantsFacts = factsSince !== undefined && factsSince !== state.revision;
      const hasVectors = mark !== undefined && space !== null && isNewer(space, mark);
      if (!isNew && !wantsFacts && !hasVectors)
        return {
          state,
          documents,
          hasDocuments,
          ...(mark && space && { vectors: await vectorsSince(client, { tenant, space }, mark) }),
        };
      return client.read(async (connection) => {
        const [row = now] = await connection.rows<StateRow>(readState, [tenant, name]);
        const delta = await changes(connection, { since, version, row });
        return {
          ...delta,
          ...(wantsFacts && { facts: await factsOf(connection, tenant, factsSince) }),
          ...(mark && row.space && { vectors: await vectorsSince(connection, { tenant, space: row.space }, mark) }),
        };
      });
    },
    async vectorsAfter(mark) {
      const [row] = await client.rows<StateRow>(readState, [tenant, mark.space]);
      return row?.space ? vectorsSince(client, { tenant, space: row.space }, mark) : undefined;
    },
    async count() {
      const sql = `SELECT count(*) AS documents, coalesce(sum(last_row - first_row + 1), 0) AS chunks FROM ix_document
        WHERE tenant = $1 AND last_row >= first_row`;
      const [row] = await client.rows<{ documents: number; chunks: number }>(sql, [tenant]);
      return row ?? { documents: 0, chunks: 0 };
    },
    async bytesOf(segment) {
      const parts = await client.rows<{ readonly bytes: Uint8Array }>(
        'SELECT bytes FROM ix_part WHERE tenant = $1 AND seal = $2 ORDER BY ordinal',
        [tenant, segment.seal],
      );
      return bytesIn(
        tenant,
        segment,
        parts.map(({ bytes }) => bytes),
      );
    },
  };
}
