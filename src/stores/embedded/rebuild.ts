// Takes damaged parts out of a tenant's index and puts in what the record has and the index has not. In steps of bounded
// length, each a transaction that leaves both in agreement, so that a kill between them loses nothing and searches go on.
import type { DatabaseSync } from 'node:sqlite';
import { isFootnoteError } from '../../core/errors.ts';
import {
  type ChunkRow,
  chunkColumns,
  type DocumentRow,
  documentColumns,
  toChunk,
  toDocument,
} from '../../db/document-rows.ts';
import type { RowRange } from '../../db/repositories/index-log.ts';
import { isMeantFor } from '../../db/sqlite/delivery/rows.ts';
import { prepared } from '../../db/sqlite/file/connection.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import type { EngineThreads } from '../../engine/threads/engine-threads.ts';
import type { StoreDocument } from '../delivered.ts';
import { embeddedName } from './port.ts';
import { prepareDocuments } from './prepare.ts';
import { indexVersion, type TenantIndex } from './tenant-index.ts';
import { renumberVectors } from './vectors.ts';

/** Chunks that one transaction of a rebuild indexes. */
const rebuildChunks = 200;
/** Documents that one transaction takes out. */
const removedTogether = 500;

export interface Rebuild {
  /** Takes what was damaged out of the index; what is missing then is told by `rebuildSome`. */
  repair(damage: readonly RowRange[] | 'all'): Promise<void>;
  /** Indexes the next documents that the record has and the index has not. False when there are none. */
  rebuildSome(): Promise<boolean>;
}

type HeldRow = DocumentRow & { readonly held: number };

export function createRebuild(database: SqliteRecordDatabase, tenant: TenantIndex, threads: EngineThreads): Rebuild {
  const name = tenant.tenant;

  /** Removes the documents of a range, some at a time; the segments that held them come last. */
  async function takeOut({ first, last }: RowRange): Promise<void> {
    for (let more = true; more; )
      more = await database.write((connection) => {
        const documents = prepared(
          connection,
          'SELECT document_id FROM lexical_document WHERE tenant = ? AND first_row <= ? AND last_row >= ? LIMIT ?',
        ).all(name, last, first, removedTogether);
        tenant.remove(
          connection,
          documents.map((row) => String(row['document_id'])),
        );
        if (documents.length === removedTogether) return true;
        for (const table of ['segment', 'removed'])
          prepared(
            connection,
            `DELETE FROM lexical_${table} WHERE tenant = ? AND first_row >= ? AND last_row <= ?`,
          ).run(name, first, last);
        prepared(connection, 'DELETE FROM lexical_log WHERE tenant = ? AND row BETWEEN ? AND ?').run(name, first, last);
        prepared(
          connection,
          "UPDATE lexical_state SET revision = revision + 1, purged = revision, rebuild_after = '' WHERE tenant = ?",
        ).run(name);
        return false;
      });
  }

  /** Empties the index, some documents at a time; until the last step it counts as one of another version. */
  async function wipe(version: number): Promise<void> {
    await database.write((connection) => {
      const sql = 'UPDATE lexical_state SET version = 0, revision = revision + 1 WHERE tenant = ? AND version = ?';
      prepared(connection, sql).run(name, version);
    });
    for (let more = true; more; )
      more = await database.write((connection) => {
        // Somebody else has ended it meanwhile, and new entries were written since.
        if (tenant.state(connection)?.version !== 0) return false;
        const removed = prepared(
          connection,
          `DELETE FROM lexical_document WHERE tenant = ?1 AND document_id IN
           (SELECT document_id FROM lexical_document WHERE tenant = ?1 LIMIT ?2)`,
        ).run(name, removedTogether).changes;
        const rows = prepared(
          connection,
          `DELETE FROM lexical_log WHERE tenant = ?1 AND row IN
           (SELECT row FROM lexical_log WHERE tenant = ?1 ORDER BY row LIMIT ?2)`,
        ).run(name, removedTogether).changes;
        if (Number(removed) + Number(rows) > 0) return true;
        for (const table of ['language', 'removed', 'segment'])
          prepared(connection, `DELETE FROM lexical_${table} WHERE tenant = ?`).run(name);
        const next = tenant.state(connection);
        const revision = (next?.revision ?? 0) + 1;
        // Rows go on from where they were, so that nothing in memory can be taken for something new.
        prepared(connection, 'INSERT OR REPLACE INTO lexical_state VALUES (?, ?, ?, ?, ?, ?)').run(
          name,
          indexVersion,
          revision,
          revision,
          next?.nextRow ?? 1,
          '',
        );
        return false;
      });
  }

  const rowsAfter = (connection: DatabaseSync, after: string): readonly HeldRow[] =>
    prepared(
      connection,
      `SELECT ${documentColumns}, EXISTS (SELECT 1 FROM lexical_document AS e WHERE e.tenant = d.tenant AND e.document_id = d.id) AS held
       FROM document AS d WHERE d.tenant = ? AND d.id > ? AND ${isMeantFor} ORDER BY d.id LIMIT 50`,
    ).all(name, after, embeddedName) as unknown as readonly HeldRow[];

  return {
    async repair(damage) {
      if (damage === 'all') await wipe(indexVersion);
      else for (const range of damage) await takeOut(range);
    },
    async rebuildSome() {
      const state = database.read((connection) => tenant.state(connection));
      if (!state) {
        // In one transaction, which looks once more: a commit may have begun the index since, and what it wrote stays.
        await database.write((connection) => tenant.begin(connection));
        return true;
      }
      if (state.version !== indexVersion) {
        await wipe(state.version);
        return true;
      }
      const { rebuildAfter } = state;
      if (rebuildAfter === null) return false;
      const read = database.read((connection) => readSome(connection, name, rowsAfter(connection, rebuildAfter)));
      await prepareDocuments([...read.documents.values()], threads);
      await database.write((connection) => {
        // Somebody else may have rebuilt, replaced or deleted meanwhile: only what is still as it was read is put in.
        if (tenant.state(connection)?.rebuildAfter !== rebuildAfter) return;
        const batch = rowsAfter(connection, rebuildAfter).flatMap((row) => {
          const document = read.documents.get(JSON.stringify(row));
          return document ? [document] : [];
        });
        const last = batch.length === read.documents.size ? read.last : rebuildAfter;
        tenant.put(connection, batch);
        renumberVectors(
          connection,
          name,
          batch.map(({ document }) => document.id),
        );
        prepared(
          connection,
          'UPDATE lexical_state SET revision = revision + 1, rebuild_after = ? WHERE tenant = ?',
        ).run(last, name);
      });
      return true;
    },
  };
}

/** The documents of the first rows that the index lacks, by their rows, and the last id looked at: null at the end. */
function readSome(connection: DatabaseSync, tenant: string, rows: readonly HeldRow[]) {
  const documents = new Map<string, StoreDocument>();
  let chunks = 0;
  let last: string | null = null;
  for (const row of rows) {
    if (chunks >= rebuildChunks) break;
    last = row.id;
    const document = row.held === 1 ? undefined : readDocument(connection, tenant, row);
    if (!document) continue;
    documents.set(JSON.stringify(row), document);
    chunks += document.chunks.length;
  }
  return { documents, last };
}

/** The document with its chunks; undefined where either is damaged, which the record reports by itself. */
function readDocument(connection: DatabaseSync, tenant: string, row: DocumentRow): StoreDocument | undefined {
  try {
    const chunks = prepared(
      connection,
      `SELECT ${chunkColumns} FROM chunk AS c WHERE c.tenant = ? AND c.document_id = ? ORDER BY c.ordinal`,
    ).all(tenant, row.id) as unknown as readonly ChunkRow[];
    return { document: toDocument(row), chunks: chunks.map(toChunk) };
  } catch (error) {
    if (isFootnoteError(error) && error.code === 'data-corrupt') return undefined;
    throw error;
  }
}
