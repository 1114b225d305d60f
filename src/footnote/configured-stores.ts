// The stores of this process: the one inside the record, and those beside it that the configuration names, each opened for the scope that asks.
// What is delivered to them goes in the scope of the whole tenant, which is nobody's key.

import type { Clock } from '../core/ids.ts';
import type { Scope } from '../core/scope.ts';
import type { RecordDatabase } from '../db/record.ts';
import { createDelivery, type Delivery } from '../ingest/write/delivery.ts';
import type { Store } from '../stores/store.ts';
import type { AskedStore } from './request-legs.ts';

/** A store beside the record. */
export interface ConfiguredStore {
  readonly name: string;
  open(scope: Scope): Store;
  /** When a search asks it. Absent: it is delivered to and never asked. */
  readonly asked?: Omit<AskedStore, 'searcher'>;
}

const wholeTenant = (tenant: string): Scope => ({
  tenant,
  principal: { id: 'delivery', role: 'admin', groups: [] },
});

/** One queue and worker for all stores of all tenants. */
export function createStoreDelivery(
  beside: readonly ConfiguredStore[],
  { database, clock }: { readonly database: RecordDatabase; readonly clock: Clock },
): Delivery {
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
    tenants: () => database.tenantsToDeliver(),
    clock,
  });
}

export interface OpenedStores {
  /** Beside the record, for one scope. */
  readonly stores: readonly Store[];
  /** Those that searches ask. */
  readonly asked: readonly AskedStore[];
}

export function openBeside(beside: readonly ConfiguredStore[], scope: Scope): OpenedStores {
  const opened = beside.map((configured) => ({ configured, store: configured.open(scope) }));
  return {
    stores: opened.map(({ store }) => store),
    asked: opened.flatMap(({ configured: { asked }, store }) => (asked ? [{ ...asked, searcher: store }] : [])),
  };
}
