// What may be written in one transaction, for one scope. Invariant: what is written was checked first (hashes, offsets, who
// may change it), and a document's text, chunks, structure and file change together or not at all.
import type { DatabaseSync } from 'node:sqlite';
import type { DocumentRecord } from '../core/document.ts';
import { FootnoteError } from '../core/errors.ts';
import { sha256 } from '../core/ids.ts';
import { hasRole, mayRead, type Scope } from '../core/scope.ts';
import { prepared } from './connection.ts';
import { toDocumentPath } from './document-path.ts';
import { type DocumentRow, documentColumns, isSealed, toChunkRow, toDocument, toDocumentRow } from './document-rows.ts';
import { toInstant } from './instant.ts';
import { packJson } from './packed.ts';
import type { DocumentWrite, RecordTransaction } from './record.ts';

type Existing = Pick<DocumentRecord, 'id' | 'source' | 'access'>;

const databases = new WeakMap<RecordTransaction, DatabaseSync>();

/** The connection of a running transaction, for stores that keep their index beside the record. Throws once it has ended. */
export function sqliteOf(transaction: RecordTransaction): DatabaseSync {
  const database = databases.get(transaction);
  if (database) return database;
  throw new FootnoteError('internal', 'This transaction is not a running one of the SQLite record.');
}

export interface OpenTransaction {
  readonly transaction: RecordTransaction;
  /** Whether it added nothing to the record, so that it may use the reserve of a full disk. */
  addedNothing(): boolean;
  /** Every later call of the transaction throws. */
  end(): void;
}

export function createTransaction(database: DatabaseSync, scope: Scope): OpenTransaction {
  const { tenant, principal } = scope;
  let open = true;
  let added = false;

  const begin = (what: 'add' | 'free'): void => {
    if (!open) throw new FootnoteError('internal', 'The transaction has ended: nothing more can be written in it.');
    if (!hasRole(principal, 'writer'))
      throw new FootnoteError('forbidden', 'This key may read only. Use a key with the role writer or admin.');
    if (what === 'add') added = true;
  };

  // A damaged entry can still be replaced or deleted, or nobody could repair it; who may read it is then not known any more.
  const existing = (where: string, ...parameters: string[]): Existing | undefined => {
    const sql = `SELECT ${documentColumns} FROM document AS d WHERE d.tenant = ? AND ${where}`;
    const row = prepared(database, sql).get(tenant, ...parameters) as DocumentRow | undefined;
    if (row === undefined) return undefined;
    return isSealed(row) ? toDocument(row) : { id: row.id, source: row.source, access: [] };
  };

  const remove = (id: string): void => {
    // Foreign keys remove text, chunks and deliveries with the document.
    prepared(database, 'DELETE FROM document WHERE tenant = ? AND id = ?').run(tenant, id);
  };

  /** Whoever writes a document can read it afterwards. */
  const assertReadable = ({ document }: DocumentWrite): void => {
    if (!mayRead(principal, document.access))
      throw new FootnoteError(
        'forbidden',
        `This key is in none of the groups that may read the document (${document.access?.join(', ') || 'nobody'}). Name one of its own groups too, or use an admin key.`,
      );
  };

  const assertReplaceable = ({ document }: DocumentWrite): void => {
    const sameId = existing('d.id = ?', document.id);
    const sameUri = existing('d.source = ? AND d.uri = ?', document.source, document.uri.toWellFormed());
    for (const other of [sameId, sameUri])
      if (other && !mayRead(principal, other.access))
        throw new FootnoteError('conflict', `A document ${document.id} exists that this key may not change.`);
    if (sameId && sameId.source !== document.source)
      throw new FootnoteError(
        'conflict',
        `Source ${sameId.source} already holds a document ${document.id}. Give the one of source ${document.source} another id.`,
      );
    if (sameUri && sameUri.id !== document.id)
      throw new FootnoteError(
        'conflict',
        `${document.uri} is already recorded in source ${document.source} as document ${sameUri.id}. Delete that one first, or write under its id.`,
      );
  };

  const transaction: RecordTransaction = {
    putDocument(write) {
      begin('add');
      assertSound(write);
      assertReadable(write);
      assertReplaceable(write);
      const { document } = write;
      // Deliveries outlive a revision: they say which one each store holds.
      const deliveries = prepared(database, 'SELECT * FROM delivery WHERE tenant = ? AND document_id = ?').all(
        tenant,
        document.id,
      );
      remove(document.id);
      insert(database, 'document', {
        ...toDocumentRow(tenant, document),
        path: toDocumentPath(document.uri.toWellFormed()),
        published_ms: document.publishedAt === undefined ? null : (toInstant(document.publishedAt) ?? null),
        updated_ms: toInstant(document.updatedAt) ?? null,
      });
      insert(database, 'document_body', {
        tenant,
        document_id: document.id.toWellFormed(),
        text: write.text,
        structure: packJson(write.structure),
        file: write.file ?? null,
        file_hash: write.file === undefined ? null : sha256(write.file),
      });
      for (const chunk of write.chunks) insert(database, 'chunk', toChunkRow(tenant, chunk));
      for (const delivery of deliveries) insert(database, 'delivery', delivery);
    },

    deleteDocument(id) {
      begin('free');
      const document = existing('d.id = ?', id);
      if (document === undefined || !mayRead(principal, document.access)) return false;
      remove(id);
      return true;
    },

    putDelivery(delivery) {
      begin('add');
      const document = existing('d.id = ?', delivery.documentId);
      if (document === undefined || !mayRead(principal, document.access))
        throw new FootnoteError('not-found', `No document ${delivery.documentId}: its delivery cannot be recorded.`);
      insert(
        database,
        'delivery',
        {
          tenant,
          document_id: delivery.documentId,
          store: delivery.store,
          status: delivery.status,
          revision: delivery.revision,
          attempts: delivery.attempts,
          last_error: delivery.lastError?.toWellFormed() ?? null,
          updated_at: delivery.updatedAt,
        },
        'INSERT OR REPLACE',
      );
    },

    hasSource: (name) =>
      prepared(database, 'SELECT 1 FROM source WHERE tenant = ? AND name = ?').get(tenant, name.toWellFormed()) !==
      undefined,

    putSource(source) {
      begin('add');
      insert(
        database,
        'source',
        {
          tenant,
          name: source.name.toWellFormed(),
          type: source.type,
          authority: source.authority ?? null,
          ttl_seconds: source.ttlSeconds ?? null,
          connector: source.connector === undefined ? null : JSON.stringify(source.connector),
        },
        'INSERT OR REPLACE',
      );
    },

    deleteSource(name) {
      begin('free');
      if (existing('d.source = ? LIMIT 1', name) !== undefined)
        throw new FootnoteError('conflict', `Source ${name} still holds documents. Remove them first.`);
      return prepared(database, 'DELETE FROM source WHERE tenant = ? AND name = ?').run(tenant, name).changes === 1;
    },
  };
  databases.set(transaction, database);
  return {
    transaction,
    addedNothing: () => !added,
    end() {
      open = false;
      databases.delete(transaction);
    },
  };
}

type Column = string | number | bigint | null | Uint8Array;

/** `table` and the names of columns come from our own code, never from a request. */
function insert(database: DatabaseSync, table: string, row: object, verb = 'INSERT'): void {
  const entries = Object.entries(row) as [string, Column][];
  const names = entries.map(([name]) => name).join(', ');
  const marks = entries.map(() => '?').join(', ');
  prepared(database, `${verb} INTO ${table} (${names}) VALUES (${marks})`).run(...entries.map(([, value]) => value));
}

/** A record that does not hold together is refused before it is written: a mistake of ours, never of a file. */
function assertSound({ document, text, chunks }: DocumentWrite): void {
  const fail = (what: string): never => {
    throw new FootnoteError('internal', `Document ${document.id} cannot be recorded: ${what}.`);
  };
  if (text.length !== document.textLength || sha256(text) !== document.textHash)
    fail('its text is not the one it names');
  if (chunks.length !== document.chunkCount) fail(`it names ${document.chunkCount} chunks and brings ${chunks.length}`);
  const wellFormed = text.isWellFormed();
  for (const chunk of chunks) {
    if (chunk.documentId !== document.id) fail(`chunk ${chunk.id} belongs to another document`);
    if (chunk.text !== text.slice(chunk.start, chunk.end)) fail(`chunk ${chunk.id} is not its span of the text`);
    if (wellFormed && !chunk.text.isWellFormed()) fail(`chunk ${chunk.id} cuts a character in two`);
    if (sha256(chunk.text) !== chunk.hash) fail(`the hash of chunk ${chunk.id} is not that of its text`);
  }
}
