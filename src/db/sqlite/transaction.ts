// What may be written in one transaction, for one scope. Invariant: what is written was checked first (hashes, offsets, who
// may change it), and a document's text, chunks, structure and file change together or not at all.
import type { DatabaseSync } from 'node:sqlite';
import type { DocumentRecord } from '../../core/document.ts';
import type { Fingerprint } from '../../core/documents/fingerprint.ts';
import { sha256 } from '../../core/ids.ts';
import { mayReadDocument, type Scope } from '../../core/scope.ts';
import { readingTables } from '../both/readings.ts';
import { toDocumentPath } from '../document-path.ts';
import {
  type DocumentRow,
  documentColumns,
  isSealed,
  toChunkRow,
  toDocument,
  toDocumentRow,
  withReading,
} from '../document-rows.ts';
import { noteDocument, noteRevision, noteSource } from '../erasure/erasure-notes.ts';
import { toInstant } from '../instant.ts';
import { packJson } from '../packed.ts';
import type { DocumentWrite, EntryChange, RecordChange } from '../repositories/changes.ts';
import { assertSound, rowsAhead } from '../sound-writes.ts';
import { printUpkeep, soundConnector } from '../source-rows.ts';
import {
  assertOwn,
  assertReadable,
  assertReplaceable,
  assertWriter,
  type Existing,
  stillHolds,
  toExisting,
  undeliverable,
} from '../write-rules.ts';
import { addTarget, dropDeliveries, queueDeletion, queueUpsert, writeDelivery } from './delivery/rows.ts';
import { forgetKeys, hasFingerprint, linkDocument } from './documents/duplicates.ts';
import { type FingerprintKeys, fingerprintKeys } from './documents/fingerprint-keys.ts';
import { prepared } from './file/connection.ts';
import { insert, orReplace, unlessThere } from './file/insert-row.ts';
import { isSqliteError } from './file/sqlite-errors.ts';

const selectDocument = `SELECT ${documentColumns} FROM document AS d WHERE d.tenant = ?`;
const byId = `${selectDocument} AND d.id = ?`;
const byUri = `${selectDocument} AND d.source = ? AND d.uri = ?`;
const anyOfSource = `${selectDocument} AND d.source = ? LIMIT 1`;

const countChange = 'INSERT INTO document_change VALUES (?, 1) ON CONFLICT DO UPDATE SET revision = revision + 1';

/** A row of this key is there. */
const constraintError = 19;

/** Changes of documents, their deliveries and sources; entries are written by the store whose they are. */
export type RowChange = Exclude<RecordChange, EntryChange>;

/** How each kind of change is made; says whether there was something to change. */
type Makers = {
  readonly [Kind in RowChange['kind']]: (change: Extract<RowChange, { readonly kind: Kind }>) => boolean;
};

/** Makes changes on a connection that is in a transaction. Throws `forbidden` for who may only read. */
export function createTransaction(
  database: DatabaseSync,
  { tenant, principal }: Scope,
): (change: RowChange) => boolean {
  assertWriter(principal);
  /** Documents that this transaction wrote: they are there, and the writer may read them. */
  const written = new Set<string>();

  const existing = (sql: string, ...parameters: string[]): Existing | undefined => {
    const row = prepared(database, sql).get(tenant, ...parameters) as DocumentRow | undefined;
    return row && toExisting(row);
  };

  let keys: FingerprintKeys | undefined;
  const link = (document: DocumentRecord, fingerprint: Fingerprint): void => {
    keys ??= fingerprintKeys(database);
    linkDocument(database, tenant, { document, fingerprint, recorded: keys });
  };

  let isCounted = false;
  /** Whatever was remembered of the documents is read anew: changed and removed ones are counted by triggers. */
  const countAdded = (): void => {
    if (!isCounted) prepared(database, countChange).run(tenant);
    isCounted = true;
  };

  let updatedLast: { readonly at: string; readonly ms: number | null } | undefined;
  /** Documents that are written together were mostly updated at the same instant. */
  const updatedMs = (at: string): number | null => {
    if (updatedLast?.at !== at) updatedLast = { at, ms: toInstant(at) ?? null };
    return updatedLast.ms;
  };

  const remove = (id: string): void => {
    forgetKeys(database, tenant, id);
    // Foreign keys remove text, chunks, fingerprint and links with the document. Deliveries outlive it: stores beside the record hold it still.
    prepared(database, 'DELETE FROM document WHERE tenant = ? AND id = ?').run(tenant, id);
  };

  /** What is left of a document whose entry was damaged so that its parts are no longer found as its own. */
  const removeParts = ({ document: { id }, chunks }: DocumentWrite): void => {
    forgetKeys(database, tenant, id);
    for (const chunk of chunks)
      prepared(database, 'DELETE FROM chunk WHERE tenant = ? AND id = ?').run(tenant, chunk.id);
    for (const table of ['chunk', 'document_body', 'fingerprint', 'duplicate_link'])
      prepared(database, `DELETE FROM ${table} WHERE tenant = ? AND document_id = ?`).run(tenant, id);
    prepared(database, 'DELETE FROM duplicate_link WHERE tenant = ? AND other_id = ?').run(tenant, id);
  };

  /** What is left of a damaged entry of this place goes: its id may be what is damaged. */
  const makeRoom = ({ document }: DocumentWrite): void => {
    const uri = document.uri.toWellFormed();
    const sameUri = existing(byUri, document.source, uri);
    assertReplaceable(principal, document, { sameId: existing(byId, document.id), sameUri });
    if (!sameUri?.isDamaged) return;
    if (sameUri.id !== document.id) dropDeliveries(database, tenant, sameUri.id);
    const sql = 'DELETE FROM document WHERE tenant = ? AND source = ? AND uri = ?';
    prepared(database, sql).run(tenant, document.source, uri);
  };

  /** A sound entry that the writer may read, if its document still has this text. */
  const readable = (id: string, textHash: string): DocumentRow | undefined => {
    const row = prepared(database, byId).get(tenant, id) as DocumentRow | undefined;
    if (row === undefined || row.text_hash !== textHash || !isSealed(row)) return undefined;
    return mayReadDocument(principal, toDocument(row)) ? row : undefined;
  };

  const putParts = (write: DocumentWrite): void => {
    try {
      insertParts(write);
    } catch (error) {
      if (!isSqliteError(error) || (error.errcode & 0xff) !== constraintError) throw error;
      // Its parts are there already: the entry to which they belonged was damaged.
      removeParts(write);
      insertParts(write);
    }
  };

  const insertParts = (write: DocumentWrite): void => {
    const { document, text, chunks, structure, file, fingerprint } = write;
    insert(database, 'document_body', {
      tenant,
      document_id: document.id.toWellFormed(),
      text,
      structure: packJson(structure),
      file: file ?? null,
      file_hash: file === undefined ? null : sha256(file),
    });
    const rows = rowsAhead(tenant, write);
    for (const [at, chunk] of chunks.entries()) insert(database, 'chunk', rows?.[at] ?? toChunkRow(tenant, chunk));
    if (fingerprint) link(document, fingerprint);
  };

  const replace = (write: DocumentWrite, row: object): void => {
    makeRoom(write);
    remove(write.document.id);
    noteRevision(database, tenant);
    insert(database, 'document', row);
    putParts(write);
  };

  const assertDeliverable = (documentId: string): void => {
    if (written.has(documentId)) return;
    const document = existing(byId, documentId);
    if (document === undefined || !mayReadDocument(principal, document)) throw undeliverable(documentId);
  };

  const makers: Makers = {
    'put-document'({ write }) {
      if (!rowsAhead(tenant, write)) assertSound(write);
      assertReadable(principal, write.document);
      const { document } = write;
      const row = {
        ...toDocumentRow(tenant, document),
        path: toDocumentPath(document.uri.toWellFormed()),
        published_ms: document.publishedAt === undefined ? null : (toInstant(document.publishedAt) ?? null),
        updated_ms: updatedMs(document.updatedAt),
        stores: write.stores ? JSON.stringify(write.stores) : null,
      };
      // A first revision is nearly always new; where it is not, who may replace what is asked before anything is.
      if (document.revision === 1 && insert(database, 'document', row, unlessThere)) putParts(write);
      else replace(write, row);
      countAdded();
      written.add(document.id);
      return true;
    },

    'delete-document'({ id }) {
      const document = existing(byId, id);
      if (document === undefined || !mayReadDocument(principal, document)) return false;
      noteDocument(database, tenant, id);
      prepared(database, 'DELETE FROM attached_file WHERE tenant = ? AND source = ? AND uri = ?').run(
        tenant,
        document.source,
        document.uri.toWellFormed(),
      );
      remove(id);
      dropDeliveries(database, tenant, id);
      written.delete(id);
      return true;
    },

    'put-fingerprint'({ documentId, textHash, fingerprint }) {
      const row = readable(documentId, textHash);
      if (row === undefined) return false;
      if (!hasFingerprint(database, tenant, documentId)) link(toDocument(row), fingerprint);
      return true;
    },

    'put-reading'({ documentId, textHash, reading }) {
      const row = readable(documentId, textHash);
      if (row === undefined) return false;
      const { seal, reading: written } = withReading(row, reading);
      const sql = 'UPDATE document SET reading = ?, seal = ? WHERE tenant = ? AND id = ?';
      prepared(database, sql).run(written, seal, tenant, documentId);
      return true;
    },

    'put-delivery'({ delivery }) {
      assertDeliverable(delivery.documentId);
      writeDelivery(database, tenant, delivery);
      return true;
    },

    'queue-delivery'({ wanted }) {
      assertDeliverable(wanted.documentId);
      queueUpsert(database, tenant, wanted);
      return true;
    },

    'withdraw-delivery'({ documentId, store }) {
      assertDeliverable(documentId);
      queueDeletion(database, tenant, documentId, store);
      return true;
    },

    'add-target'({ documentId, store }) {
      assertDeliverable(documentId);
      addTarget(database, tenant, documentId, store);
      return true;
    },

    'put-source'({ source }) {
      // Whoever says nothing of where documents come from takes nothing away.
      const name = source.name.toWellFormed();
      assertOwn(principal, source.name);
      const connector =
        source.connector === undefined
          ? soundConnector(
              prepared(database, 'SELECT connector FROM source WHERE tenant = ? AND name = ?').get(tenant, name)?.[
                'connector'
              ],
            )
          : JSON.stringify(source.connector);
      const upkeep = printUpkeep(source);
      if (upkeep !== undefined) insert(database, 'source_upkeep', { tenant, name, upkeep }, orReplace);
      else if (source.connector !== undefined)
        prepared(database, 'DELETE FROM source_upkeep WHERE tenant = ? AND name = ?').run(tenant, name);
      insert(
        database,
        'source',
        {
          tenant,
          name,
          type: source.type,
          authority: source.authority ?? null,
          ttl_seconds: source.ttlSeconds ?? null,
          connector,
        },
        orReplace,
      );
      return true;
    },

    'delete-source'({ name }) {
      assertOwn(principal, name);
      // Nobody can name them to delete them.
      prepared(database, "DELETE FROM document WHERE tenant = ? AND source = ? AND typeof(id) <> 'text'").run(
        tenant,
        name,
      );
      if (existing(anyOfSource, name) !== undefined) throw stillHolds(name);
      prepared(database, 'DELETE FROM source_upkeep WHERE tenant = ? AND name = ?').run(tenant, name.toWellFormed());
      prepared(database, 'DELETE FROM collection WHERE tenant = ? AND source = ?').run(tenant, name.toWellFormed());
      for (const table of [...readingTables, 'attached_file'])
        prepared(database, `DELETE FROM ${table} WHERE tenant = ? AND source = ?`).run(tenant, name);
      noteSource(database, tenant, name);
      return prepared(database, 'DELETE FROM source WHERE tenant = ? AND name = ?').run(tenant, name).changes === 1;
    },
  };
  return (change) => makers[change.kind](change as never);
}
