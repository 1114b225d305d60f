// The stores of this process: the one inside the record, and those beside it that the configuration names, each opened for the scope that asks.
// What is delivered to them goes in the scope of the whole tenant, which is nobody's key.

import type { Config } from '../config.ts';
import type { Chunk } from '../core/document.ts';
import { FootnoteError } from '../core/errors.ts';
import type { Clock } from '../core/ids.ts';
import { type Principal, type Scope, tenantScope } from '../core/scope.ts';
import { allOf, type Filter } from '../core/search.ts';
import type { StoreDrift } from '../core/store-query.ts';
import { defined } from '../core/values/defined.ts';
import type { RecordDatabase } from '../db/record.ts';
import type { TenantRecord } from '../db/tenant-record.ts';
import { createDelivery, type Delivery, type DeliveryVectors } from '../ingest/write/delivery.ts';
import { reconcile } from '../ingest/write/reconcile.ts';
import { createCircuit } from '../models/calls/circuit.ts';
import type { Store } from '../stores/store.ts';
import { guardSearcher } from './beside/guarded-searcher.ts';
import type { KeepSearches } from './beside/kept-searches.ts';
import { staysHere, tellUndelivered } from './beside/undelivered.ts';
import { orderOfStores } from './beside/vector-store.ts';
import type { StoreReconciler } from './facade/stores.ts';
import type { AskedStore } from './requests/request-legs.ts';

/** A store beside the record. */
export interface ConfiguredStore {
  readonly name: string;
  open(scope: Scope): Store;
  /** When a search asks it. Absent: it is delivered to and never asked. */
  readonly asked?: Omit<AskedStore, 'searcher'>;
}

export const wholeTenant = (tenant: string): Scope => tenantScope(tenant, 'delivery');

export interface StoreDeliveryOptions {
  readonly database: RecordDatabase;
  readonly clock: Clock;
  /** For stores that are given vectors. */
  readonly vectors?: DeliveryVectors | undefined;
}

/** One queue and worker for all stores of all tenants. */
export async function createStoreDelivery(
  beside: readonly ConfiguredStore[],
  { database, clock, vectors }: StoreDeliveryOptions,
): Promise<Delivery> {
  const stores = new Map(beside.map((store) => [store.name, store]));
  return createDelivery({
    names: [...stores.keys()],
    storeOf(tenant, name) {
      const store = stores.get(name);
      if (!store) throw new Error(`There is no store ${name}.`);
      return store.open(wholeTenant(tenant));
    },
    queueOf: (tenant) => database.deliveriesOf(tenant),
    documentsOf: (tenant) => database.forScope(wholeTenant(tenant)).documents,
    // With vectors of another model than before everything is due.
    tenants: beside.length === 0 ? [] : await database.tenantsToDeliver(vectors ? 'all' : 'due'),
    clock,
    vectors,
  });
}

export function createStoreReconciler(
  beside: readonly ConfiguredStore[],
  { database, clock, vectors, delivery }: StoreDeliveryOptions & { readonly delivery: Pick<Delivery, 'sync'> },
): StoreReconciler {
  const found = new Map<string, StoreDrift>();
  const keyOf = (tenant: string, name: string): string => JSON.stringify([tenant, name]);

  async function vectorsOf(tenant: string, store: Store, signal: AbortSignal) {
    if (!vectors || store.capabilities.vectors !== 'given') return undefined;
    const space = await vectors.settle(tenant, signal);
    return (chunks: readonly Chunk[]) => vectors.of({ tenant, space }, chunks, signal);
  }

  return {
    async run(tenant, name, { dryRun, signal = new AbortController().signal }) {
      const configured = beside.find((one) => one.name === name);
      if (!configured)
        throw new FootnoteError('unsupported', `The store "${name}" is in step with the record by itself.`);
      const scope = wholeTenant(tenant);
      const store = configured.open(scope);
      try {
        const drift = await reconcile(
          {
            store,
            queue: database.deliveriesOf(tenant),
            documents: database.forScope(scope).documents,
            vectorsOf: await vectorsOf(tenant, store, signal),
            clock,
          },
          { dryRun, signal },
        );
        found.set(keyOf(tenant, name), drift);
        const counts = dryRun ? { delivered: 0, failed: 0 } : await delivery.sync(tenant, name, signal);
        return { ...drift, ...counts };
      } finally {
        await store.close();
      }
    },
    last: (tenant, name) => found.get(keyOf(tenant, name)),
  };
}

/** The store as a principal sees it that is for some sources alone: whatever is searched, they are in its query. */
function withinSources(store: Store, { sources }: Principal): Store {
  if (sources === undefined) return store;
  const own = (filter: Filter | undefined) => allOf([{ op: 'in', field: 'source', values: [...sources] }, filter]);
  const { hostedSearch, hostedHits } = store;
  return {
    ...store,
    search: (query, signal) => store.search(defined({ ...query, filter: own(query.filter) }), signal),
    ...(hostedSearch && { hostedSearch: (filter, signal) => hostedSearch.call(store, own(filter), signal) }),
    ...(hostedHits && {
      hostedHits: (pieces, query, signal) =>
        hostedHits.call(store, pieces, defined({ ...query, filter: own(query.filter) }), signal),
    }),
  };
}

export interface OpenedStores {
  /** Beside the record, for one scope. */
  readonly stores: readonly Store[];
  /** Those that searches ask, the first first. */
  readonly asked: readonly AskedStore[];
}

export interface OpenBesideOptions {
  readonly vectorStore: Config['stores']['vector'];
  readonly elapsedMs: () => number;
  readonly queueOf: RecordDatabase['deliveriesOf'];
  /** What stores answered serves again. Absent: they are asked each time. */
  readonly keep?: KeepSearches | undefined;
}

/**
 * Opens the stores beside the record for one scope after another. Throws `config-invalid` where `vectorStore` names one that is not there.
 */
export function createOpenBeside(
  beside: readonly ConfiguredStore[],
  { vectorStore, elapsedMs, queueOf, keep }: OpenBesideOptions,
): (scope: Scope, record: Pick<TenantRecord, 'answerBasis' | 'sources'>) => OpenedStores {
  const searchable = beside.filter(({ asked }) => asked).map(({ name }) => name);
  const order = orderOfStores(searchable, vectorStore);
  const guarded = order.flatMap((name) => {
    const asked = beside.find((one) => one.name === name)?.asked;
    return asked ? [{ name, asked, circuit: createCircuit({ elapsedMs }) }] : [];
  });
  return (scope, record) => {
    /** What is here, and what of it is still to be brought there. */
    const version = async (name: string): Promise<string> =>
      JSON.stringify([await record.answerBasis(), await queueOf(scope.tenant).counts(name)]);
    const opened = new Map(
      beside.map((configured) => [configured.name, withinSources(configured.open(scope), scope.principal)]),
    );
    const asked = guarded.flatMap(({ name, circuit, asked: when }) => {
      const store = opened.get(name);
      if (!store) return [];
      const searcher = guardSearcher(store, { circuit, elapsedMs });
      const asking = keep ? keep(searcher, { scope, version, sources: record.sources.kinds }) : searcher;
      const lacks = () => queueOf(scope.tenant).lacks(name, staysHere);
      return [{ ...when, searcher: tellUndelivered(asking, lacks) }];
    });
    return { stores: [...opened.values()], asked };
  };
}
