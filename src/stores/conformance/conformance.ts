// The promises of the store port, each as a check that a broken store fails: one list for every adapter. The tests of this repository run it over
// each of theirs, `footnote-server/testing` gives it to whoever writes another, and `footnote doctor --live` runs it against services.
import { hasRole, type Scope } from '../../core/scope.ts';
import type { Store } from '../store.ts';
import { scopeChecks } from './checks-of-scopes.ts';
import { searchChecks } from './checks-of-searches.ts';
import { writeChecks } from './checks-of-writes.ts';
import { admin, type OpenHarness, type StoreCheck, type StoreHarness } from './harness.ts';

export const storeChecks: readonly StoreCheck[] = [...searchChecks, ...writeChecks, ...scopeChecks];

export interface CheckOutcome {
  readonly name: string;
  readonly state: 'kept' | 'broken' | 'left-out';
  /** What was found instead, or what the store lacks. */
  readonly detail?: string;
}

/** Whether a check is for this store: what it is excused from follows from what it says of itself, never from its name. */
export function isFor({ needs }: StoreCheck, { putAndFail, store }: StoreHarness): boolean {
  if (needs === undefined || needs === 'exact-statistics') return true;
  return needs === 'transaction' ? putAndFail !== undefined : store(admin).capabilities[needs];
}

export interface CheckOptions {
  /** What no service promises: `exact-statistics`. */
  readonly without?: readonly NonNullable<StoreCheck['needs']>[];
  readonly signal?: AbortSignal;
  readonly onOutcome?: (outcome: CheckOutcome) => void;
}

/** Runs every check over a backend of its own. Stops with what the signal says; a check that fails is an outcome. */
export async function checkStore(
  open: OpenHarness,
  { without = [], signal, onOutcome }: CheckOptions = {},
): Promise<readonly CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  for (const check of storeChecks) {
    signal?.throwIfAborted();
    const outcome = await outcomeOf(check, { open, without });
    signal?.throwIfAborted();
    outcomes.push(outcome);
    onOutcome?.(outcome);
  }
  return outcomes;
}

async function outcomeOf(
  check: StoreCheck,
  { open, without }: { readonly open: OpenHarness; readonly without: NonNullable<CheckOptions['without']> },
): Promise<CheckOutcome> {
  const { name, needs } = check;
  const harness = await open();
  try {
    if ((needs && without.includes(needs)) || !isFor(check, harness))
      return { name, state: 'left-out', detail: `The store does not offer what this needs: ${needs}.` };
    await check.run(harness);
    return { name, state: 'kept' };
  } catch (thrown) {
    return { name, state: 'broken', detail: thrown instanceof Error ? thrown.message : String(thrown) };
  } finally {
    await harness.close();
  }
}

/** A seeded bug: what it breaks, and the check that must see it. A check that passes on a broken store proves nothing. */
export interface BrokenStore {
  readonly name: string;
  readonly seenBy: RegExp;
  breakStore(store: Store, harness: StoreHarness, scope: Scope): Store;
}

export const brokenStores: readonly BrokenStore[] = [
  {
    name: 'ignores the filter',
    seenBy: /applies every kind of filter/u,
    breakStore: (store) => ({ ...store, search: ({ filter: _, ...query }, signal) => store.search(query, signal) }),
  },
  {
    name: 'filters after the cut',
    seenBy: /filters before it cuts/u,
    breakStore: (store) => ({
      ...store,
      async search(query, signal) {
        const { filter: _, ...unfiltered } = query;
        const cut = await store.search(unfiltered, signal);
        const allowed = await store.search({ ...query, limit: 1000 }, signal);
        const ids = new Set(allowed.hits.map((hit) => hit.chunkId));
        return { ...cut, hits: cut.hits.filter((hit) => ids.has(hit.chunkId)) };
      },
    }),
  },
  {
    name: 'searches as admin whoever asks',
    seenBy: /access list/u,
    breakStore: (store, harness, { principal, tenant }) =>
      hasRole(principal, 'admin') ? store : harness.store({ tenant, principal: admin.principal }),
  },
  {
    name: 'keeps all tenants in one index',
    seenBy: /keeps tenants apart/u,
    breakStore: (_store, harness) => harness.store(admin),
  },
  {
    name: 'orders equal scores by the order of writing',
    seenBy: /orders equal scores/u,
    breakStore: (store) => ({
      ...store,
      async search(query, signal) {
        const page = await store.search(query, signal);
        return { ...page, hits: [...page.hits].sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? 1 : -1)) };
      },
    }),
  },
  {
    name: 'counts the page instead of all matches',
    seenBy: /counts every match/u,
    breakStore: (store) => ({
      ...store,
      async search(query, signal) {
        const page = await store.search(query, signal);
        return query.count ? { ...page, total: page.hits.length } : page;
      },
    }),
  },
  {
    name: 'says nothing of the documents that it took',
    seenBy: /upsert is idempotent/u,
    breakStore: (store) => ({
      ...store,
      async upsert(batch, signal) {
        await store.upsert(batch, signal);
        return [];
      },
    }),
  },
  {
    name: 'forgets to delete',
    seenBy: /delete takes documents away/u,
    breakStore: (store) => ({
      ...store,
      delete: async (batch) => batch.map(({ documentId }) => ({ documentId })),
      health: async () => ({ ...(await store.health()), documents: 3, chunks: 3 }),
    }),
  },
];
