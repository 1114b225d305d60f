// Compares what a store beside the record holds with what it was brought, and mends what differs, both ways: documents that are missing there,
// are not as they were brought, or stand there twice are brought again; what the record knows nothing of is taken away. Invariants: what
// is on its way is no drift; nothing is written here, all goes through the queue, so that no later wish is overtaken.

import type { Chunk } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import type { StoreDrift } from '../../core/store-query.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import type { DeliveryQueue, DeliveryWish } from '../../db/repositories/delivery-queue.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { HeldDocument, Inventory } from '../../stores/held.ts';
import type { Store } from '../../stores/store.ts';

export interface ReconcilePorts {
  readonly store: Store;
  readonly queue: DeliveryQueue;
  /** Of the whole tenant. */
  readonly documents: Pick<TenantRecord['documents'], 'get' | 'chunks'>;
  /** For a store that is given vectors; undefined where a chunk has none. */
  readonly vectorsOf?: ((chunks: readonly Chunk[]) => Promise<Float32Array | undefined>) | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

const mostExamples = 20;
/** The event loop gets a turn after this many documents. */
const documentsPerTurn = 20;

/** Throws `unsupported` for a store that cannot tell what it holds, and what asking it throws. */
export async function reconcile(
  ports: ReconcilePorts,
  { dryRun, signal }: { readonly dryRun: boolean; readonly signal?: AbortSignal | undefined },
): Promise<StoreDrift> {
  const { store, queue, clock } = ports;
  const { inventory } = store;
  if (!inventory)
    throw new FootnoteError(
      'unsupported',
      `The store ${store.name} cannot tell what it holds, so nothing is compared.`,
    );
  const before = new Map((await queue.wishes(store.name)).map((wish) => [wish.documentId, wish]));
  const held = new Map((await inventory.held(signal)).map((one) => [one.documentId, one]));
  const after = await queue.wishes(store.name);
  const known = new Set([...before.keys(), ...after.map(({ documentId }) => documentId)]);
  // What was wished, or settled, meanwhile may stand there or not.
  const steady = after.filter(
    ({ documentId, change, isDelivered }) => isDelivered && isSame(before.get(documentId), { change }),
  );
  const found = { missing: [], stale: [], duplicates: [] } as Record<Difference, DeliveryWish[]>;
  for (const [at, wish] of steady.entries()) {
    if (at % documentsPerTurn === documentsPerTurn - 1) await nextTurn();
    signal?.throwIfAborted();
    const difference = await compare(ports, inventory, {
      documentId: wish.documentId,
      held: held.get(wish.documentId),
    });
    if (difference) found[difference].push(wish);
  }
  const orphans = [...held.keys()].filter((id) => !known.has(id));
  const again = [...found.missing, ...found.stale, ...found.duplicates];
  if (!dryRun && again.length + orphans.length > 0) await queue.mend(store.name, { again, orphans }, clock.now());
  return {
    checkedAt: clock.now(),
    checked: steady.length,
    missing: found.missing.length,
    stale: found.stale.length,
    duplicates: found.duplicates.length,
    orphans: orphans.length,
    examples: [...again.map(({ documentId }) => documentId), ...orphans].slice(0, mostExamples),
    isMended: !dryRun,
  };
}

type Difference = 'missing' | 'stale' | 'duplicates';

const isSame = (before: DeliveryWish | undefined, { change }: Pick<DeliveryWish, 'change'>): boolean =>
  before?.isDelivered === true && before.change === change;

async function compare(
  { documents, vectorsOf }: ReconcilePorts,
  inventory: Inventory,
  { documentId, held }: { readonly documentId: string; readonly held: HeldDocument | undefined },
): Promise<Difference | undefined> {
  const document = await documents.get(documentId);
  // It went this moment: the queue knows.
  if (!document) return undefined;
  const chunks = await documents.chunks(documentId);
  const vectors = await vectorsOf?.(chunks);
  if (vectorsOf && !vectors) return undefined;
  const hash = await inventory.hashOf({ document, chunks, ...(vectors && { vectors }) });
  if (hash === undefined) return held ? 'stale' : undefined;
  if (!held) return 'missing';
  if (held.copies > 1) return 'duplicates';
  return held.hash === hash ? undefined : 'stale';
}
