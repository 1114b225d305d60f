// Runs the checks of the store port against an adapter, then against the same adapter broken in known ways: a check that
// passes on a broken store proves nothing.
import { afterEach, describe, expect, it } from 'vitest';
import { hasRole, type Scope } from '../../src/core/scope.ts';
import type { Store } from '../../src/stores/store.ts';
import { scopeOf } from '../../testkit/record-fixture.ts';
import { type StoreCheck, storeChecks } from './store-checks.ts';
import { admin, type OpenHarness, type StoreHarness } from './store-harness.ts';

/** A seeded bug: what it breaks, and the check that must see it. */
interface Mutant {
  readonly name: string;
  readonly seenBy: RegExp;
  breakStore(store: Store, harness: StoreHarness, scope: Scope): Store;
}

const mutants: readonly Mutant[] = [
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
    breakStore: (store, harness, scope) =>
      hasRole(scope.principal, 'admin') ? store : harness.store(scopeOf(scope.tenant, 'local', 'admin')),
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

export function describeStore(name: string, open: OpenHarness): void {
  describe(`store ${name}`, () => {
    let harness: StoreHarness | undefined;
    afterEach(async () => {
      await harness?.close();
      harness = undefined;
    });

    const applies = ({ needs }: StoreCheck, { putAndFail, store }: StoreHarness): boolean =>
      needs === undefined || (needs === 'transaction' ? putAndFail !== undefined : store(admin).capabilities[needs]);

    for (const check of storeChecks) {
      it(check.name, async (test) => {
        harness = await open();
        if (!applies(check, harness)) test.skip(`The store lacks what this needs: ${check.needs}.`);
        await check.run(harness);
      });
    }

    for (const mutant of mutants) {
      it(`a store that ${mutant.name} fails`, async (test) => {
        const sound = await open();
        harness = sound;
        const broken: StoreHarness = {
          ...sound,
          store: (scope) => mutant.breakStore(sound.store(scope), sound, scope),
        };
        const check = storeChecks.find((one) => mutant.seenBy.test(one.name));
        expect(check).toBeDefined();
        if (check && !applies(check, sound)) test.skip(`The store lacks what this needs: ${check.needs}.`);
        await expect(check?.run(broken)).rejects.toThrow();
      });
    }
  });
}
