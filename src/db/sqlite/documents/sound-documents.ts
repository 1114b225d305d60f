// Which documents are as they were recorded. Invariant: one that is not never hides its neighbours, whatever the damage made of its row:
// rows that cannot be read together are read one by one.

import type { DatabaseSync } from 'node:sqlite';
import { isFootnoteError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/ids.ts';
import { nextTurn } from '../../../core/waiting/pieces.ts';
import {
  type ChunkRow,
  chunkColumns,
  type DocumentRow,
  damaged,
  documentColumns,
  isSealed,
  isText,
  toChunk,
} from '../../document-rows.ts';
import { unpackJson } from '../../packed.ts';
import type { DamagedDocument } from '../../repositories/documents.ts';
import { prepared, withLargeIntegers } from '../file/connection.ts';
import { toRecordError } from '../file/sqlite-errors.ts';
import type { SqlParameter } from './filter-sql.ts';

/** What is left of a row that cannot be read. */
type LostRow = Pick<DocumentRow, 'id' | 'source' | 'uri' | 'updated_at'> & { readonly seal: undefined };
export type FoundRow = DocumentRow | LostRow;

export const isSound = (row: FoundRow): row is DocumentRow => row.seal !== undefined && isSealed(row);

export const toDamaged = ({ id, source, uri }: FoundRow): DamagedDocument => ({
  id: String(id),
  source: String(source),
  uri: String(uri),
  detail: damaged('The entry', String(id)).message,
});

export interface DocumentQuery {
  /** Over `document AS d`. */
  readonly where: string;
  readonly order: string;
  readonly parameters: readonly SqlParameter[];
  readonly limit: number;
}

/** The rows in order. Where a page of the file is damaged, the index still tells what stood there. */
export function readDocumentRows(database: DatabaseSync, query: DocumentQuery): readonly FoundRow[] {
  const select = (columns: string): readonly unknown[] =>
    // Filters of requests are in the text: it is not kept.
    withLargeIntegers(
      database.prepare(`SELECT ${columns} FROM document AS d WHERE ${query.where} ORDER BY ${query.order} LIMIT ?`),
    ).all(...query.parameters, query.limit);
  try {
    return select(documentColumns) as readonly DocumentRow[];
  } catch (error) {
    if (toRecordError(error).code !== 'data-corrupt') throw error;
  }
  const keys = select(`d.rowid AS row, d.tenant, ${query.order.replaceAll(' DESC', '')}`) as readonly {
    readonly row: number;
    readonly tenant: string;
  }[];
  const one = prepared(database, `SELECT ${documentColumns} FROM document AS d WHERE d.rowid = ?`);
  const inIndex = (column: string, index: string): string =>
    `(SELECT ${column} FROM document INDEXED BY ${index} WHERE tenant = ?1 AND rowid = ?2) AS ${column}`;
  const lost = prepared(
    database,
    `SELECT ${inIndex('id', 'sqlite_autoindex_document_1')}, ${inIndex('source', 'sqlite_autoindex_document_2')},
     ${inIndex('uri', 'sqlite_autoindex_document_2')}, ${inIndex('updated_at', 'document_by_time')}`,
  );
  return keys.flatMap(({ row, tenant }): readonly FoundRow[] => {
    try {
      const found = one.get(row) as unknown as DocumentRow | undefined;
      if (found) return [found];
    } catch (error) {
      if (toRecordError(error).code !== 'data-corrupt') throw error;
    }
    const { id, source, uri, updated_at } = (lost.get(tenant, row) ?? {}) as Partial<DocumentRow>;
    const texts = { id: id ?? '', source: source ?? '', uri: uri ?? '', updated_at: updated_at ?? '' };
    return [{ ...texts, seal: undefined }];
  });
}

export const isFile = (file: unknown, hash: unknown): file is Uint8Array =>
  file instanceof Uint8Array && sha256(file) === hash;

interface Body {
  readonly text: unknown;
  readonly structure: unknown;
  readonly file: unknown;
  readonly file_hash: unknown;
}

/** Parts of a document that are not as they were recorded, by name; its entry must be sound. Chunks are another matter. */
export function damagedParts(database: DatabaseSync, document: DocumentRow): readonly string[] {
  const sql = 'SELECT text, structure, file, file_hash FROM document_body WHERE tenant = ? AND document_id = ?';
  const body = prepared(database, sql).get(document.tenant, document.id) as unknown as Body | undefined;
  if (body === undefined) return ['text'];
  const parts: string[] = [];
  if (!isText(body.text, document.text_hash) || body.text.length !== document.text_length) parts.push('text');
  if ((body.file ?? body.file_hash) !== null && !isFile(body.file, body.file_hash)) parts.push('file');
  try {
    unpackJson(body.structure as Uint8Array, 'The structure');
  } catch {
    parts.push('structure');
  }
  return parts;
}

/** Chunks that are checked without a turn for others: some 2 ms. */
const chunksTogether = 200;
const someChunks = `SELECT ${chunkColumns} FROM chunk AS c WHERE c.tenant = ? AND c.document_id = ? AND c.ordinal >= ? ORDER BY c.ordinal LIMIT ?`;

/** Whether everything of a document is as it was recorded. A document that is not there is sound. */
export async function isSoundDocument(
  read: <T>(work: (database: DatabaseSync) => T) => Promise<T>,
  { tenant, id }: { readonly tenant: string; readonly id: string },
): Promise<boolean> {
  try {
    const entry = await read((database) => {
      const sql = `SELECT ${documentColumns} FROM document AS d WHERE d.tenant = ? AND d.id = ?`;
      const row = prepared(database, sql).get(tenant, id) as unknown as DocumentRow | undefined;
      if (row === undefined) return undefined;
      return isSealed(row) && damagedParts(database, row).length === 0 ? row : 'damaged';
    });
    if (entry === undefined || entry === 'damaged') return entry === undefined;
    for (let from = 0; ; ) {
      const rows = await read(
        (database) => prepared(database, someChunks).all(tenant, id, from, chunksTogether) as unknown as ChunkRow[],
      );
      for (const row of rows) toChunk(row);
      from += rows.length;
      if (rows.length < chunksTogether) return from === entry.chunk_count;
      await nextTurn();
    }
  } catch (error) {
    if (isFootnoteError(error) && error.code === 'data-corrupt') return false;
    throw error;
  }
}
