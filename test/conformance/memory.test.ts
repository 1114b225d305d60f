// The store in memory against the promises of the store port: a store outside the record, which makes its vectors itself.

import type { OpenHarness } from '../../src/stores/conformance/harness.ts';
import { createMemoryStores, type MemoryStoreOptions } from '../../testkit/memory-store.ts';
import { describeStore } from './store-suite.ts';

const openMemory =
  (options: MemoryStoreOptions): OpenHarness =>
  async () => {
    const { store } = createMemoryStores(options);
    return {
      store,
      async put(scope, writes) {
        await store(scope).upsert(writes.map(({ document, chunks }) => ({ document, chunks })));
      },
      async remove(scope, documentIds) {
        await store(scope).delete(documentIds.map((documentId) => ({ documentId })));
      },
      close: async () => undefined,
    };
  };

describeStore('memory', openMemory({}));
describeStore('memory that counts', openMemory({ counts: true }));
