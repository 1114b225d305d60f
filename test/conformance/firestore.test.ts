// Firestore against the promises of the store port, over a stand-in: with its own nearest neighbours, and without. It is given vectors, which a
// fixed model makes in retrieval; here a model counts words, and a chunk that shares none with the query is no hit.
import { createWordVectors, wordDimensions, wordSpace } from '../../src/stores/conformance/given-words.ts';
import type { OpenHarness } from '../../src/stores/conformance/harness.ts';
import { openFirestoreStores } from '../../src/stores/firestore/firestore-store.ts';
import { type FirestoreOptions, openFirestoreRest } from '../../testkit/firestore-rest.ts';
import { describeStore } from './store-suite.ts';

const openFirestore =
  (options: FirestoreOptions): OpenHarness =>
  async () => {
    const service = await openFirestoreRest(options);
    const stores = openFirestoreStores({
      projectId: 'demo',
      emulatorHost: service.host,
      vectors: { space: wordSpace, dimensions: wordDimensions },
      callTimeoutMs: 60_000,
    });
    const { given, over } = createWordVectors();
    return {
      store: (scope) => over(stores.store(scope)),
      async put(scope, documents) {
        for (const { error } of await stores.store(scope).upsert(documents.map(given))) if (error) throw error;
      },
      async remove(scope, documentIds) {
        await stores.store(scope).delete(documentIds.map((documentId) => ({ documentId })));
      },
      async close() {
        stores.close();
        await service.close();
      },
    };
  };

describeStore('firestore', openFirestore({}));
describeStore('firestore without an index of vectors', openFirestore({ neighbours: 'no-index' }));
describeStore('firestore that ignores vectors', openFirestore({ neighbours: 'ignored' }));
