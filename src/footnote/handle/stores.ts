// The stores of one scope, as doors may call them: what each holds, what is still to be brought to it, and its health.

import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { assertEverySource } from '../../core/scope.ts';
import type { EmbedderStatus, StoreDeliveries, StoreStatus } from '../../core/store-query.ts';
import type { DeliveryStatus } from '../../ingest/write/delivery.ts';
import type { WrittenStore } from '../../stores/embedded/port.ts';
import type { StoreHealth } from '../../stores/store.ts';
import type { StoreCalls } from '../facade/stores.ts';
import { findSetAside, type SetAside } from '../record/bundled.ts';
import { withPage } from '../sources/web.ts';
import { toDirect } from './documents.ts';
import type { HandleOptions } from './options.ts';
import type { StoreNamed } from './store-named.ts';
import { withDuplicates } from './told-duplicates.ts';

const toTold = ({ pending, failed, deletions, isPaused, held, nextAttemptMs }: DeliveryStatus): StoreDeliveries => ({
  pending,
  failed,
  deletions,
  paused: isPaused,
  ...(nextAttemptMs !== undefined && {
    nextAttemptAt: new Date(Math.max(nextAttemptMs, held?.untilMs ?? 0)).toISOString(),
  }),
  ...(held && { failure: held.reason }),
});

const withoutBundled = (health: StoreHealth, { documentIds, chunks }: SetAside): StoreHealth => ({
  ...health,
  documents: Math.max(0, health.documents - documentIds.size),
  chunks: Math.max(0, health.chunks - chunks),
});

/** How many are left to embed stays the same. */
const vectorsWithout = (vectors: EmbedderStatus, { chunks }: SetAside): EmbedderStatus => ({
  ...vectors,
  chunks: Math.max(0, vectors.chunks - chunks),
  embedded: Math.max(0, vectors.embedded - chunks),
});

const modesOf = ({ capabilities: { lexical, vector } }: WrittenStore): string[] => [
  ...(lexical ? ['embedded'] : []),
  ...(vector ? ['vector'] : []),
  'hybrid',
];

export function createStoresPart(
  options: Pick<
    HandleOptions,
    | 'record'
    | 'stores'
    | 'delivery'
    | 'reconciler'
    | 'embedders'
    | 'pipeline'
    | 'clock'
    | 'demand'
    | 'erasing'
    | 'openVisitor'
  >,
  storeNamed: StoreNamed,
): StoreCalls {
  const { record, stores, delivery, reconciler, embedders, pipeline, clock, demand, openVisitor } = options;

  /** A store beside the record that is down is told like any other state. */
  async function healthOf(store: WrittenStore): Promise<StoreHealth> {
    if (store.entries) return store.health();
    return store.health().catch((thrown: unknown) => {
      return { status: 'down', detail: toFootnoteError(thrown).message, documents: 0, chunks: 0 };
    });
  }

  /** Of a store beside the record the record knows what it took, also while it is down. */
  async function heldBy(
    { name, entries }: WrittenStore,
    aside: SetAside | undefined,
  ): Promise<{
    documents: number;
    delivered?: number;
    coverage?: number;
    deliveries?: StoreDeliveries;
  }> {
    const bundled = aside?.documentIds.size ?? 0;
    if (entries) return { documents: (await record.documents.count()).documents - bundled };
    const { tenant } = record.scope;
    const [queued, held] = await Promise.all([delivery.status(tenant, name), delivery.coverage(tenant, name)]);
    // The documents about Footnote count as taken in the queue, and stay here.
    const [documents, delivered] = [Math.max(0, held.documents - bundled), Math.max(0, held.delivered - bundled)];
    const { oldestPendingAt } = held;
    const ageMs = oldestPendingAt === undefined ? undefined : Date.parse(clock.now()) - Date.parse(oldestPendingAt);
    return {
      documents,
      delivered,
      coverage: documents === 0 ? 1 : Math.min(1, delivered / documents),
      deliveries: {
        ...toTold(queued),
        ...(ageMs !== undefined && { oldestPendingSeconds: Math.max(0, ageMs / 1000) }),
      },
    };
  }

  /** A store that answers and has nothing of what was brought to it: somebody emptied it, or it is another one. Empty where that is not so. */
  function emptied({ status, documents }: StoreHealth, name: string, brought = 0): Partial<StoreHealth> {
    if (status === 'down' || documents > 0 || brought === 0) return {};
    return {
      status: 'degraded',
      detail: `It is empty, and ${brought} document${brought === 1 ? ' was' : 's were'} brought to it. Check that the settings name the right place; "footnote stores reconcile ${name}" brings them again.`,
    };
  }

  async function setPaused(name: string, verb: 'pause' | 'resume'): Promise<StoreStatus> {
    const store = storeNamed(name);
    if (store.entries)
      throw new FootnoteError(
        'unsupported',
        `The store "${name}" changes together with the record: there is nothing to ${verb}.`,
      );
    await delivery[verb](record.scope.tenant, name);
    return statusOf(store);
  }

  /** Of those who are for some sources, the documents of these: what a store holds beyond them is not theirs to know. */
  async function ownStatusOf(store: WrittenStore): Promise<StoreStatus> {
    const [{ status }, counted] = await Promise.all([healthOf(store), record.documents.count()]);
    return { ...counted, name: store.name, status, detail: '', coverage: 1, modes: modesOf(store) };
  }

  async function statusOf(store: WrittenStore): Promise<StoreStatus> {
    if (record.scope.principal.sources !== undefined) return ownStatusOf(store);
    const aside = await findSetAside(record, { isAlone: true });
    const [counted, held] = await Promise.all([healthOf(store), heldBy(store, aside)]);
    const health = store.entries && aside ? withoutBundled(counted, aside) : counted;
    const vectors = await embedders[store.name]?.status();
    const erasing = await options.erasing?.();
    const drift = reconciler.last(record.scope.tenant, store.name);
    const newest = await delivery.newest(record.scope.tenant, store.name);
    return {
      ...health,
      ...emptied(health, store.name, held.delivered),
      name: store.name,
      coverage: held.coverage ?? (held.documents === 0 ? 1 : Math.min(1, health.documents / held.documents)),
      ...(newest && { freshnessSeconds: Math.max(0, (Date.parse(clock.now()) - Date.parse(newest)) / 1000) }),
      ...(vectors && { vectors: aside ? vectorsWithout(vectors, aside) : vectors }),
      ...(erasing && store.entries && { erasing }),
      ...(held.deliveries && { deliveries: held.deliveries }),
      ...(drift && { drift }),
      modes: modesOf(store),
    };
  }

  return {
    list: () => Promise.all(stores.map(statusOf)),
    async deliveries(name, request) {
      return record.documents.listDeliveries({ ...request, store: storeNamed(name).name });
    },
    async sync(name, signal) {
      assertEverySource(record.scope.principal);
      const { entries, prepare } = storeNamed(name);
      if (!entries || !prepare) return delivery.sync(record.scope.tenant, name, signal);
      const counts = await pipeline.bringMissing({ name, entries, prepare }, signal);
      await embedders[name]?.settle({ exact: true, ...(signal && { signal }) });
      return counts;
    },
    async reconcile(name, { dryRun = false, signal } = {}) {
      assertEverySource(record.scope.principal);
      return reconciler.run(record.scope.tenant, storeNamed(name).name, { dryRun, signal });
    },
    pause: (name) => setPaused(name, 'pause'),
    resume: (name) => setPaused(name, 'resume'),
    async add(name, document, call = {}) {
      const { name: store } = storeNamed(name);
      const within = { ...(await withPage(document, openVisitor(), call.signal)), stores: [store] };
      await demand.giveWay();
      return withDuplicates(
        await pipeline.addDocument(toDirect(within), call.signal ? { signal: call.signal } : {}),
        ({ id }) => id,
        { record, demand },
      );
    },
  };
}
