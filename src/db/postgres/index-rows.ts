// The index of a tenant in PostgreSQL: what a commit writes of it, and what an index in memory follows. The commit holds the lock of its tenant, so
// that rows and revisions have no gaps and become visible in their order.

import { type DocumentRow, documentColumns, isSealed, toDocument } from '../document-rows.ts';
import {
  type IndexDelta,
  type IndexedFacts,
  type IndexLog,
  type IndexMark,
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
import type { Connection, PostgresClient } from './client/client.ts';
import { type Columns, insertRows } from './client/insert-rows.ts';
import { countUnsealed, readSealed, type TurnOverPorts, tidyIndex, turnOver } from './several/turn-over.ts';
import { type HeldState, takeRevision } from './tenant-lock.ts';
import type { TenantState, TenantStates } from './tenant-states.ts';
import { isNewer, removeVectors, vectorsSince } from './vectors.ts';

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
export function createIndexLog(client: PostgresClient, states: TenantStates, tenant: string): IndexLog {
  const turning: TurnOverPorts = {
    client,
    inCommit: (work) => takeRevision({ client, lock: states.lock, committed: states.tell }, tenant, work),
    lock: (connection) => states.lock(connection, tenant),
  };

  async function changes(
    connection: Connection,
    { since, version, row }: { readonly since: IndexMark; readonly version: number; readonly row: TenantState },
  ): Promise<IndexDelta> {
    const { documents, hasDocuments, spaces: _, active: __, ...state } = row;
    if (state.version !== version || state.revision === since.revision) return { state, documents, hasDocuments };
    const segments = await connection.rows<StoredSegment>(readSegments, [tenant]);
    const { isWhole, removalsAfter } = newSince(since, state, segments);
    const removals = await connection.rows<Removal>(readRemovals, [tenant, removalsAfter]);
    // What segments hold may still be there.
    const sealed = segments.at(-1)?.last ?? 0;
    const found = await connection.rows<LogText & { readonly row: number; readonly seal: string }>(readLog, [
      tenant,
      Math.max(sealed, isWhole ? 0 : since.row),
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
      const now = await states.now(tenant);
      if (now === undefined) return { state: undefined, documents: 0, hasDocuments: false };
      const vectorsIn = async (connection: Pick<Connection, 'rows'>, { spaces }: TenantState) => {
        const space = mark && spaces?.[mark.space];
        return space && { vectors: await vectorsSince(connection, { tenant, space }, mark) };
      };
      const { documents, hasDocuments, spaces, active: _, ...state } = now;
      const isNew = state.version === version && state.revision !== since.revision;
      const wantsFacts = factsSince !== undefined && factsSince !== state.revision;
      const space = mark && spaces?.[mark.space];
      if (!isNew && !wantsFacts && !(space && isNewer(space, mark)))
        return { state, documents, hasDocuments, ...(await vectorsIn(client, now)) };
      const read = states.read(tenant);
      return client.read(async (connection) => {
        const row = (await read(connection)) ?? now;
        return {
          ...(await changes(connection, { since, version, row })),
          ...(wantsFacts && { facts: await factsOf(connection, tenant, factsSince) }),
          ...(await vectorsIn(connection, row)),
        };
      });
    },
    async vectorsAfter(mark) {
      const space = (await states.now(tenant))?.spaces?.[mark.space];
      return space && vectorsSince(client, { tenant, space }, mark);
    },
    languages: () => states.ofCorpus(tenant, 'languages', () => client.rows<LanguageCount>(readLanguages, [tenant])),
    async count() {
      const sql = `SELECT count(*) AS documents, coalesce(sum(last_row - first_row + 1), 0) AS chunks FROM ix_document
        WHERE tenant = $1 AND last_row >= first_row`;
      const [row] = await client.rows<{ documents: number; chunks: number }>(sql, [tenant]);
      return row ?? { documents: 0, chunks: 0 };
    },
    bytesOf: (segment) => readSealed(client, tenant, segment),
    turnOver: (given) => turnOver(turning, tenant, given),
    unsealed: (most) => countUnsealed(client, tenant, most),
    tidy: () => tidyIndex(turning, tenant),
  };
}
