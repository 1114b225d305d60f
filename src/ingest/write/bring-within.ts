// Brings recorded documents to a store within the record that misses them: one that was meant for others alone until now, or whose entry was
// lost. Idempotent; each is written in a transaction of its own.
import type { DocumentRecord } from '../../core/document.ts';
import { type FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import type { RecordChange } from '../../db/repositories/changes.ts';
import { isUnmet } from '../../db/repositories/changes.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { JoinsRecord } from '../../stores/embedded/port.ts';

export interface BringPorts {
  readonly record: TenantRecord;
  readonly clock: Clock;
}

/** A store within the record. */
export type StoreWithin = JoinsRecord & { readonly name: string };

/** Documents that are looked up together. */
const lookedUpTogether = 500;

/** Returns why it could not be written, if so. A document that is gone counts as brought. Throws `cancelled` when the signal aborts. */
export async function bringDocument(
  { record, clock }: BringPorts,
  { store, documentId }: { readonly store: StoreWithin; readonly documentId: string },
  signal?: AbortSignal,
): Promise<FootnoteError | undefined> {
  try {
    await onPresent(record, documentId, async (document) => {
      const entry = { document, chunks: await record.documents.chunks(document.id) };
      await store.prepare([entry], signal);
      const { id, revision } = document;
      const delivery = { documentId: id, store: store.name, revision, updatedAt: clock.now() };
      return [
        store.entries.put([entry]),
        { kind: 'add-target', documentId: id, store: store.name },
        { kind: 'put-delivery', delivery: { ...delivery, status: 'delivered', attempts: 1 } },
      ];
    });
    return undefined;
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    if (error.code === 'cancelled') throw error;
    return error;
  }
}

/** Of a store beside the record: the worker brings the document there (delivery.ts). */
export async function queueDocument({ record, clock }: BringPorts, documentId: string, store: string): Promise<void> {
  await onPresent(record, documentId, async ({ revision }) => [
    { kind: 'add-target', documentId, store },
    { kind: 'queue-delivery', wanted: { documentId, store, revision, updatedAt: clock.now() } },
  ]);
}

/** A document that is written all the time is left as it is after so many: whoever writes it brings it, too. */
const tries = 5;

/** Commits what was made of a document as it is now: made anew where it was written meanwhile, and not at all where it is gone. */
async function onPresent(
  record: TenantRecord,
  documentId: string,
  changesFor: (document: DocumentRecord) => Promise<readonly RecordChange[]>,
): Promise<void> {
  for (let left = tries - 1; ; left -= 1) {
    const document = await record.documents.get(documentId);
    if (document === undefined) return;
    const { id, revision } = document;
    try {
      await record.commit(await changesFor(document), { expect: [{ kind: 'document', id, revision }] });
      return;
    } catch (thrown) {
      if (!isUnmet(thrown) || left === 0) throw thrown;
    }
  }
}

/** Brings what is meant for the store and not in it. Throws `cancelled` when the signal aborts. */
export async function bringMissing(
  ports: BringPorts,
  store: StoreWithin,
  signal?: AbortSignal,
): Promise<{ delivered: number; failed: number }> {
  let [delivered, failed] = [0, 0];
  let after: string | undefined;
  for (;;) {
    const ids = await ports.record.documents.undelivered(store.name, after, lookedUpTogether);
    for (const documentId of ids) {
      signal?.throwIfAborted();
      if (await bringDocument(ports, { store, documentId }, signal)) failed += 1;
      else delivered += 1;
    }
    after = ids.at(-1);
    if (ids.length < lookedUpTogether) return { delivered, failed };
  }
}
