// The vectors of one tenant in one space (one model): in the record's database as a log of blocks, one for each document, and
// removals; in memory as an index that follows what is committed. Written in the transaction of the documents themselves.

import type { DatabaseSync } from 'node:sqlite';
import { FootnoteError } from '../../core/errors.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import {
  bytesOf,
  type EmbeddedRows,
  sealBlock,
  type VectorBlock,
  type VectorSpace,
} from '../../db/repositories/vectors.ts';
import { prepared } from '../../db/sqlite/file/connection.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import { checkVectors } from '../../engine/vectors/prepare-vector.ts';
import type { StoreDocument } from '../delivered.ts';
import { createHeldVectors, type HeldVectors } from './held-vectors.ts';

export interface TenantVectors extends HeldVectors {
  /** Replaces the vectors of documents; call in the transaction that indexed their chunks, after it. */
  put(database: DatabaseSync, batch: readonly StoreDocument[]): void;
  /** Reads what was committed since the last time ahead of `sync`, in pieces. Undefined where there is nothing to wait for. */
  opening(database: SqliteRecordDatabase): Promise<void> | undefined;
  /** Brings memory up to what is committed. */
  sync(database: DatabaseSync): void;
}

function insertBlock(
  database: DatabaseSync,
  tenant: string,
  space: string,
  block: Omit<VectorBlock, 'sequence' | 'seal'>,
): void {
  const { document_id, first_row, last_row, bytes } = block;
  prepared(
    database,
    'INSERT INTO vector_block (tenant, space, document_id, first_row, last_row, seal, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ).run(tenant, space, document_id, first_row, last_row, sealBlock(tenant, space, block), bytes);
}

/** What memory would refuse must not be committed. */
function insertDocument(
  database: DatabaseSync,
  tenant: string,
  { space, document }: { readonly space: VectorSpace; readonly document: EmbeddedRows },
): void {
  const { documentId, firstRow: first_row, lastRow: last_row, vectors } = document;
  checkVectors(vectors, space.dimensions, space.metric);
  const document_id = documentId.toWellFormed();
  insertBlock(database, tenant, space.name, { document_id, first_row, last_row, bytes: bytesOf(vectors) });
}

/** The rows of a document's chunks in the index. */
const rowsOfDocument = (database: DatabaseSync, tenant: string, documentId: string) =>
  prepared(database, 'SELECT first_row, last_row FROM lexical_document WHERE tenant = ? AND document_id = ?').get(
    tenant,
    documentId.toWellFormed(),
  );

const advance = (database: DatabaseSync, tenant: string): void => {
  prepared(database, 'UPDATE vector_space SET revision = revision + 1 WHERE tenant = ?').run(tenant);
};

/** A space that the tenant has vectors of. */
export function findSpace(database: DatabaseSync, tenant: string, name: string): VectorSpace | undefined {
  const row = prepared(database, 'SELECT dimensions, metric FROM vector_space WHERE tenant = ? AND space = ?').get(
    tenant,
    name,
  );
  return row && { name, dimensions: Number(row['dimensions']), metric: row['metric'] === 'dot' ? 'dot' : 'cosine' };
}

/** The rows of chunks in the index, by id: those of a document follow each other in the order of its chunks. */
export function rowsOfChunks(
  database: DatabaseSync,
  tenant: string,
  chunkIds: readonly string[],
): ReadonlyMap<string, number> {
  const rows = prepared(
    database,
    `SELECT c.id, c.ordinal + e.first_row AS row FROM chunk AS c
     JOIN lexical_document AS e ON e.tenant = c.tenant AND e.document_id = c.document_id
     WHERE c.tenant = ? AND c.id IN (SELECT value FROM json_each(?))`,
  ).all(tenant, JSON.stringify(chunkIds));
  return new Map(rows.map((row) => [String(row['id']), Number(row['row'])]));
}

/** Takes the vectors of documents out of every space. */
export function removeVectors(database: DatabaseSync, tenant: string, documentIds: readonly string[]): void {
  const any = prepared(database, 'SELECT 1 FROM vector_space WHERE tenant = ? LIMIT 1').get(tenant);
  if (!any) return;
  const take = prepared(
    database,
    'DELETE FROM vector_block WHERE tenant = ? AND document_id = ? AND bytes IS NOT NULL RETURNING space, first_row, last_row',
  );
  for (const given of documentIds) {
    const document_id = given.toWellFormed();
    for (const row of take.all(tenant, document_id)) {
      const [first_row, last_row] = [Number(row['first_row']), Number(row['last_row'])];
      // A block that never had rows is in no memory.
      if (first_row === 0) continue;
      insertBlock(database, tenant, String(row['space']), { document_id, first_row, last_row, bytes: null });
    }
  }
  advance(database, tenant);
}

/** Vectors of documents that were written before them. Returns how many were taken. */
export function insertVectors(
  database: DatabaseSync,
  tenant: string,
  { space, batch }: { readonly space: VectorSpace; readonly batch: readonly EmbeddedRows[] },
): number {
  const { name, dimensions, metric } = space;
  const blockOf = prepared(
    database,
    'SELECT 1 FROM vector_block INDEXED BY vector_block_document WHERE tenant = ? AND document_id = ? AND space = ? AND bytes IS NOT NULL',
  );
  prepared(database, 'INSERT OR IGNORE INTO vector_space VALUES (?, ?, ?, ?, 0)').run(tenant, name, dimensions, metric);
  let written = 0;
  for (const document of batch) {
    const { documentId, firstRow, lastRow, vectors } = document;
    const rows = rowsOfDocument(database, tenant, documentId);
    // Replaced or deleted meanwhile: rows are never used twice.
    if (Number(rows?.['first_row']) !== firstRow || Number(rows?.['last_row']) !== lastRow) continue;
    if (blockOf.get(tenant, documentId.toWellFormed(), name)) continue;
    if (vectors.length !== (lastRow - firstRow + 1) * dimensions)
      throw new FootnoteError('internal', `Document ${documentId} came with ${vectors.length / dimensions} vectors.`);
    insertDocument(database, tenant, { space, document });
    written++;
  }
  if (written > 0) advance(database, tenant);
  return written;
}

/** After documents were given new rows (a rebuild of the index): their vectors go with them. */
export function renumberVectors(database: DatabaseSync, tenant: string, documentIds: readonly string[]): void {
  const find = prepared(
    database,
    `SELECT b.sequence, b.space, b.document_id, b.first_row, b.last_row, b.seal, b.bytes, e.first_row AS row
     FROM vector_block AS b JOIN lexical_document AS e ON e.tenant = b.tenant AND e.document_id = b.document_id
     WHERE b.tenant = ? AND b.document_id = ? AND b.bytes IS NOT NULL AND e.first_row <> b.first_row`,
  );
  let changed = false;
  for (const id of documentIds)
    for (const found of find.all(tenant, id.toWellFormed())) {
      const block = found as unknown as VectorBlock & { readonly space: string; readonly row: number };
      const { document_id, first_row, last_row, bytes, space } = block;
      changed = true;
      if (first_row > 0) insertBlock(database, tenant, space, { document_id, first_row, last_row, bytes: null });
      prepared(database, 'DELETE FROM vector_block WHERE sequence = ?').run(block.sequence);
      // What is damaged stays behind: under a new seal it would pass for sound.
      if (block.seal !== sealBlock(tenant, space, block)) continue;
      const last = block.row + last_row - first_row;
      insertBlock(database, tenant, space, { document_id, first_row: block.row, last_row: last, bytes });
    }
  if (changed) advance(database, tenant);
}

/** Drops blocks and removals by sequence: damaged ones, whose chunks then count as without vectors, and those that are done. */
export function dropBlocks(database: DatabaseSync, tenant: string, sequences: readonly number[]): void {
  const drop = prepared(database, 'DELETE FROM vector_block WHERE tenant = ? AND sequence = ?');
  for (const sequence of sequences) drop.run(tenant, sequence);
}

export function createTenantVectors(tenant: string, space: VectorSpace): TenantVectors {
  const { dimensions, metric, name } = space;
  const held = createHeldVectors(tenant, space);
  let revision = -1;
  let opened: Promise<void> | undefined;

  const revisionOf = (database: DatabaseSync): number | undefined => {
    const row = prepared(
      database,
      'SELECT revision, dimensions, metric FROM vector_space WHERE tenant = ? AND space = ?',
    ).get(tenant, name);
    if (!row) return undefined;
    if (row['dimensions'] !== dimensions || row['metric'] !== metric)
      throw new FootnoteError(
        'conflict',
        `The vectors of ${name} have ${String(row['dimensions'])} dimensions and are compared by ${String(row['metric'])}, not ${dimensions} and ${metric}: another model needs another name.`,
      );
    return Number(row['revision']);
  };

  /** Loads the next blocks; false when there are no more. */
  function loadSome(database: DatabaseSync): boolean {
    const sql =
      'SELECT sequence, document_id, first_row, last_row, seal, bytes FROM vector_block WHERE tenant = ? AND space = ? AND sequence > ? ORDER BY sequence';
    const blocks = prepared(database, sql).iterate(tenant, name, held.sequence());
    return held.take(blocks as unknown as Iterable<VectorBlock>);
  }

  function sync(database: DatabaseSync): void {
    const current = revisionOf(database);
    if (current === undefined || current === revision) return;
    while (loadSome(database));
    revision = current;
  }

  return {
    ...held,
    sync,
    opening(database) {
      if (opened) return opened;
      const more = database.read((connection) => {
        const current = revisionOf(connection);
        return current !== undefined && current !== revision && loadSome(connection);
      });
      if (!more) return undefined;
      opened = (async () => {
        do await nextTurn();
        while (database.read(loadSome));
      })().finally(() => {
        opened = undefined;
      });
      return opened;
    },
    put(database, batch) {
      if (revisionOf(database) === undefined)
        prepared(database, 'INSERT INTO vector_space VALUES (?, ?, ?, ?, 0)').run(tenant, name, dimensions, metric);
      for (const { document, chunks, vectors } of batch) {
        if (!vectors || chunks.length === 0) continue;
        if (vectors.length !== chunks.length * dimensions)
          throw new FootnoteError(
            'invalid-request',
            `Document ${document.id} has ${chunks.length} chunks, but ${vectors.length / dimensions} vectors of ${dimensions} dimensions.`,
          );
        // Without rows (the index waits for its rebuild) the block waits for `renumberVectors`.
        const firstRow = Number(rowsOfDocument(database, tenant, document.id)?.['first_row'] ?? 0);
        const lastRow = firstRow + chunks.length - 1;
        insertDocument(database, tenant, { space, document: { documentId: document.id, firstRow, lastRow, vectors } });
      }
      // Removals that memory has seen have done their work. What a transaction that fails forgets, the next start sees again.
      dropBlocks(database, tenant, held.seenRemovals());
      advance(database, tenant);
    },
  };
}
