// The changes of one commit, in their order: what they are about is looked up before the first of them and kept up to date here, while the tenant's
// lock is held. Invariant: what is written was checked first (hashes, offsets, who may change it).
import type { DocumentRecord } from '../../core/document.ts';
import { mayReadDocument, type Scope } from '../../core/scope.ts';
import { toDocument, withReading } from '../document-rows.ts';
import type { RecordChange } from '../repositories/changes.ts';
import type { IndexWithin, PrintedDocument } from '../repositories/index-log.ts';
import { assertSound, rowsAhead } from '../sound-writes.ts';
import { assertOwn, assertReadable, assertReplaceable, assertWriter, noIndex, undeliverable } from '../write-rules.ts';
import { createBatch } from './batch.ts';
import type { Connection } from './client/client.ts';
import { findExisting, type HeldDocument } from './document-reads.ts';
import { hasFingerprint, linkDocuments } from './duplicates.ts';
import { holdSavers } from './erased.ts';
import { putEntries, removeEntries } from './index-rows.ts';
import { deleteSource, putSource } from './sources.ts';
import type { HeldState } from './tenant-lock.ts';
import { unsupported } from './unsupported.ts';
import { putVectors } from './vectors.ts';

export interface TransactionPorts {
  readonly connection: Connection;
  readonly scope: Scope;
  readonly state: HeldState;
  /** By the name of the store. */
  readonly indexes: ReadonlyMap<string, IndexWithin>;
  /** What an index keeps of the documents of a change: made before, as it takes longer than the lock may be held. */
  readonly printed: ReadonlyMap<RecordChange, readonly PrintedDocument[]>;
}

export interface Transaction {
  /** Says whether there was something to change. */
  make(change: RecordChange): Promise<boolean>;
  /** Writes what is left. True if documents were changed. */
  end(): Promise<boolean>;
  /** As it is now; undefined where there is none. */
  existing(id: string): HeldDocument | undefined;
}

type KeptKind = Exclude<RecordChange['kind'], 'queue-delivery' | 'withdraw-delivery' | 'add-target'>;
/** How each kind of change is made that is kept by now; says whether there was something to change. */
type Makers = {
  readonly [Kind in KeptKind]: (change: Extract<RecordChange, { readonly kind: Kind }>) => Promise<boolean>;
};

const placeOf = (source: string, uri: string): string => JSON.stringify([source, uri.toWellFormed()]);

function* namedIn(changes: readonly RecordChange[]): Generator<string> {
  for (const change of changes)
    if (change.kind === 'put-document') yield change.write.document.id;
    else if (change.kind === 'delete-document') yield change.id;
    else if (change.kind === 'put-delivery') yield change.delivery.documentId;
    else if (change.kind === 'put-reading' || change.kind === 'put-fingerprint') yield change.documentId;
}

/** Documents by id and by place, as they are at this point of the commit. */
function createKnown(found: readonly HeldDocument[]) {
  const byId = new Map<string, HeldDocument>();
  const byPlace = new Map<string, HeldDocument>();
  const know = (document: HeldDocument): void => {
    byId.set(document.id, document);
    byPlace.set(placeOf(document.source, document.uri), document);
  };
  for (const document of found) know(document);
  return {
    byId: (id: string) => byId.get(id),
    byPlace: ({ source, uri }: DocumentRecord) => byPlace.get(placeOf(source, uri)),
    know,
    forget({ id, source, uri }: HeldDocument) {
      byId.delete(id);
      byPlace.delete(placeOf(source, uri));
    },
  };
}

/** Looks up what the changes are about. Throws `forbidden` for who may only read. */
export async function openTransaction(
  { connection, scope, state, indexes, printed }: TransactionPorts,
  { changes, expected }: { readonly changes: readonly RecordChange[]; readonly expected: readonly string[] },
): Promise<Transaction> {
  const { tenant, principal } = scope;
  assertWriter(principal);
  const written = changes.flatMap((change) => (change.kind === 'put-document' ? [change.write.document] : []));
  const known = createKnown(
    await findExisting(connection, tenant, {
      ids: [...new Set([...expected, ...namedIn(changes)])],
      places: written.map(({ source, uri }) => [source, uri.toWellFormed()]),
    }),
  );
  const batch = createBatch(connection, tenant, state.revision);
  let areChanged = false;
  let isDeleting = false;

  /** Those that are to go before the document can be written. */
  function replacedBy(document: DocumentRecord): readonly HeldDocument[] {
    const [sameId, sameUri] = [known.byId(document.id), known.byPlace(document)];
    assertReplaceable(principal, document, { sameId, sameUri });
    return [...new Set([sameId, sameUri])].filter((one) => one !== undefined);
  }

  let attached: Promise<boolean> | undefined;
  /** Whether files were ever attached to sources of the tenant: where none were, deletions ask for no more. */
  const hasAttached = (): Promise<boolean> => {
    const sql = 'SELECT 1 FROM attached_file WHERE tenant = $1 LIMIT 1';
    attached ??= connection.rows(sql, [tenant]).then((rows) => rows.length > 0);
    return attached;
  };

  const readable = (id: string): HeldDocument | undefined => {
    const document = known.byId(id);
    return document && mayReadDocument(principal, document) ? document : undefined;
  };

  const makers: Makers = {
    async 'put-document'({ write }) {
      const { document } = write;
      if (!rowsAhead(tenant, write)) assertSound(write);
      assertReadable(principal, document);
      if (batch.holds(document.id)) await batch.write();
      for (const other of replacedBy(document)) {
        batch.removeDocument(other.id);
        if (other.id !== document.id) batch.dropDeliveries(other.id);
        known.forget(other);
        batch.note('revision', '');
      }
      known.know({ ...document, row: batch.putDocument(write) });
      areChanged = true;
      return true;
    },

    async 'delete-document'({ id }) {
      const document = readable(id);
      if (document === undefined) return false;
      if (batch.holds(id)) await batch.write();
      batch.note('document', id, document);
      const detach = 'DELETE FROM attached_file WHERE tenant = $1 AND source = $2 AND uri = $3';
      if (await hasAttached()) await connection.rows(detach, [tenant, document.source, document.uri.toWellFormed()]);
      isDeleting = true;
      batch.removeDocument(id);
      batch.dropDeliveries(id);
      known.forget(document);
      areChanged = true;
      return true;
    },

    async 'put-reading'({ documentId, textHash, reading }) {
      const document = readable(documentId);
      if (document === undefined || document.isDamaged || document.row.text_hash !== textHash) return false;
      if (batch.holds(documentId)) await batch.write();
      const row = withReading(document.row, reading);
      const sql = 'UPDATE document SET reading = $3, seal = $4 WHERE tenant = $1 AND id = $2';
      await connection.rows(sql, [tenant, documentId, row.reading, row.seal]);
      known.know({ ...document, row });
      areChanged = true;
      return true;
    },

    async 'put-fingerprint'({ documentId, textHash, fingerprint }) {
      const document = readable(documentId);
      if (document === undefined || document.isDamaged || document.row.text_hash !== textHash) return false;
      if (batch.holds(documentId)) await batch.write();
      if (!(await hasFingerprint(connection, tenant, documentId)))
        await linkDocuments(connection, tenant, [{ document: toDocument(document.row), fingerprint }]);
      return true;
    },

    async 'put-delivery'({ delivery: { documentId, store, status, revision, attempts, lastError, updatedAt } }) {
      if (readable(documentId) === undefined) throw undeliverable(documentId);
      const last_error = lastError?.toWellFormed() ?? null;
      batch.putDelivery(documentId, { store, status, revision, attempts, last_error, updated_at: updatedAt });
      return true;
    },

    async 'put-source'({ source }) {
      assertOwn(principal, source.name);
      return putSource(connection, tenant, source);
    },

    async 'delete-source'({ name }) {
      assertOwn(principal, name);
      await batch.write();
      batch.note('source', name);
      isDeleting = true;
      return deleteSource(connection, tenant, name);
    },

    async 'put-entries'(change) {
      const index = indexOf(change.store);
      await batch.write();
      await putEntries(connection, { tenant, state, version: index.version }, printed.get(change) ?? []);
      const { space, documents } = change;
      if (space) await putVectors(connection, tenant, { space, documents });
      return true;
    },

    async 'delete-entries'({ store, documentIds }) {
      indexOf(store);
      const ids = documentIds.map((id) => id.toWellFormed());
      await removeEntries(connection, tenant, { documentIds: ids, revision: state.revision });
      return true;
    },
  };

  function indexOf(store: string): IndexWithin {
    const index = indexes.get(store);
    if (index) return index;
    throw noIndex(store);
  }

  return {
    async make(change) {
      const maker = makers[change.kind as KeptKind] as ((change: RecordChange) => Promise<boolean>) | undefined;
      if (!maker) throw unsupported(`changes of the kind ${change.kind}`);
      return maker(change);
    },
    existing: known.byId,
    async end() {
      await batch.write();
      if (isDeleting) await holdSavers(connection, tenant);
      return areChanged;
    },
  };
}
