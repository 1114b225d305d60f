// Rows of a commit that go out together, a statement for each table: first what is removed, then documents with their parts, then deliveries and
// notes. Whoever changes a document that is in a batch already writes that first.
import type { DocumentRecord } from '../../core/document.ts';
import { sha256 } from '../../core/ids.ts';
import { toDocumentPath } from '../document-path.ts';
import { type DocumentRow, toChunkRow, toDocumentRow } from '../document-rows.ts';
import { toInstant } from '../instant.ts';
import { packJson } from '../packed.ts';
import type { DocumentWrite } from '../repositories/changes.ts';
import { rowsAhead } from '../sound-writes.ts';
import type { Connection } from './client/client.ts';
import { type InsertedRow, insertRows } from './client/insert-rows.ts';
import { encodeText } from './client/text.ts';
import { linkDocuments, type TextToLink } from './duplicates.ts';
import { bodyColumns, chunkTypes, deliveryColumns, documentTypes, erasureColumns } from './table-columns.ts';

export interface Batch {
  /** Whether rows of this document are in it. */
  holds(documentId: string): boolean;
  removeDocument(id: string): void;
  dropDeliveries(documentId: string): void;
  /** The row as it is written. */
  putDocument(write: DocumentWrite): DocumentRow;
  putDelivery(documentId: string, row: InsertedRow & { readonly store: string }): void;
  /** Of what was deleted, for whoever takes it out of all else. */
  note(kind: string, id: string, at?: Partial<Pick<DocumentRecord, 'source' | 'uri'>>): void;
  write(): Promise<void>;
}

const replacedDelivery = `ON CONFLICT (tenant, document_id, store) DO UPDATE SET status = excluded.status, revision = excluded.revision,
  attempts = excluded.attempts, last_error = excluded.last_error, updated_at = excluded.updated_at`;
const replacedNote = `ON CONFLICT (tenant, kind, id, principal) DO UPDATE SET source = excluded.source, uri = excluded.uri,
  noted_at = excluded.noted_at, at = excluded.at, settled = false`;

/** Tables that hold documents, and by which column. */
const documentTables = [
  ['fingerprint', 'document_id'],
  ['fingerprint_key', 'document_id'],
  ['duplicate_link', 'document_id'],
  ['duplicate_link', 'other_id'],
  ['chunk', 'document_id'],
  ['document_body', 'document_id'],
  ['document_opens', 'document_id'],
  ['document', 'id'],
] as const;

/** All of them in one request. */
const removeSql = `WITH ${documentTables
  .map(([table, column]) => `${table}_by_${column} AS (DELETE FROM ${table} WHERE tenant = $1 AND ${column} = ANY($2))`)
  .join(', ')} SELECT 1`;

const printedNames = (names: readonly string[] | undefined): string | null =>
  names ? JSON.stringify(names.map((name) => encodeText(name.toWellFormed()))) : null;

interface Waiting {
  readonly named: Set<string>;
  readonly removed: Set<string>;
  readonly dropped: Set<string>;
  readonly documents: InsertedRow[];
  readonly bodies: InsertedRow[];
  readonly chunks: InsertedRow[];
  readonly texts: TextToLink[];
  readonly deliveries: Map<string, InsertedRow>;
  readonly notes: Map<string, InsertedRow>;
}

const nothing = (): Waiting => ({
  named: new Set(),
  removed: new Set(),
  dropped: new Set(),
  documents: [],
  bodies: [],
  chunks: [],
  texts: [],
  deliveries: new Map(),
  notes: new Map(),
});

export function createBatch(connection: Connection, tenant: string, revision: number): Batch {
  let waiting = nothing();
  return {
    holds: (documentId) => waiting.named.has(documentId),
    removeDocument(id) {
      waiting.named.add(id);
      waiting.removed.add(id);
    },
    dropDeliveries: (documentId) => void waiting.dropped.add(documentId),
    putDocument(write) {
      const { document, text, structure, file } = write;
      const row = toDocumentRow(tenant, document);
      waiting.named.add(document.id);
      waiting.documents.push({
        ...row,
        uri_hash: sha256(row.uri),
        changed: revision,
        path: toDocumentPath(document.uri.toWellFormed()),
        published_ms: document.publishedAt === undefined ? null : (toInstant(document.publishedAt) ?? null),
        updated_ms: toInstant(document.updatedAt) ?? null,
        stores: printedNames(write.stores),
        readers: printedNames(document.access),
      });
      waiting.bodies.push({
        tenant,
        document_id: document.id.toWellFormed(),
        text: Buffer.from(text),
        structure: packJson(structure),
        file: file ?? null,
        file_hash: file === undefined ? null : sha256(file),
      });
      if (write.fingerprint) waiting.texts.push({ document, fingerprint: write.fingerprint });
      const ahead = rowsAhead(tenant, write);
      for (const [at, chunk] of write.chunks.entries())
        waiting.chunks.push({ ...(ahead?.[at] ?? toChunkRow(tenant, chunk)) });
      return row;
    },
    putDelivery(documentId, row) {
      waiting.named.add(documentId);
      waiting.deliveries.set(`${documentId}\n${row.store}`, { tenant, document_id: documentId, ...row });
    },
    note(kind, id, at = {}) {
      const { source = null, uri = null } = at;
      const row = { tenant, kind, id, principal: '', source, uri, noted_at: new Date().toISOString() };
      waiting.notes.set(`${kind} ${id}`, row);
    },
    async write() {
      const { removed, dropped, documents, bodies, chunks, texts, deliveries, notes } = waiting;
      waiting = nothing();
      if (removed.size > 0) await connection.rows(removeSql, [tenant, [...removed]]);
      if (dropped.size > 0)
        await connection.rows('DELETE FROM delivery WHERE tenant = $1 AND document_id = ANY($2)', [
          tenant,
          [...dropped],
        ]);
      await insertRows(connection, { table: 'document', columns: documentTypes }, documents);
      await insertRows(connection, { table: 'document_body', columns: bodyColumns }, bodies);
      await insertRows(connection, { table: 'chunk', columns: chunkTypes }, chunks);
      await linkDocuments(connection, tenant, texts);
      const delivered = { table: 'delivery', columns: deliveryColumns, suffix: replacedDelivery };
      await insertRows(connection, delivered, [...deliveries.values()]);
      await insertRows(connection, { table: 'erasure', columns: erasureColumns, suffix: replacedNote }, [
        ...notes.values(),
      ]);
    },
  };
}
