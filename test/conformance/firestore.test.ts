// Firestore against the promises of the store port, over a stand-in: with its own nearest neighbours, and without. It is given vectors, which a
// fixed model makes in retrieval; here a model counts words, and a chunk that shares none with the query is no hit.
import type { DocumentWrite } from '../../src/db/record.ts';
import { openFirestoreStores } from '../../src/stores/firestore/firestore-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { analyzeQuery, analyzeText } from '../../src/text/analyze.ts';
import { type FirestoreOptions, openFirestoreRest } from '../../testkit/firestore-rest.ts';
import type { OpenHarness } from './store-harness.ts';
import { describeStore } from './store-suite.ts';

const dimensions = 512;
const space = 'words@512';

const openFirestore =
  (options: FirestoreOptions): OpenHarness =>
  async () => {
    const service = await openFirestoreRest(options);
    const stores = openFirestoreStores({
      projectId: 'demo',
      emulatorHost: service.host,
      vectors: { space, dimensions },
      callTimeoutMs: 60_000,
    });
    const places = new Map<string, number>();
    const vectorOf = (terms: readonly string[], isNew: boolean): Float32Array => {
      const vector = new Float32Array(dimensions);
      for (const term of terms) {
        if (isNew && !places.has(term) && places.size < dimensions) places.set(term, places.size);
        const place = places.get(term);
        if (place !== undefined) vector[place] = (vector[place] ?? 0) + 1;
      }
      return vector;
    };
    const given = ({ document, chunks }: Pick<DocumentWrite, 'document' | 'chunks'>) => {
      const all = chunks.flatMap(({ text }) => [...vectorOf(analyzeText(text, { language: 'en' }), true)]);
      return { document, chunks, vectors: Float32Array.from(all) };
    };
    /** As retrieval asks it: by text, over a model. */
    const withModel = (store: Store): Store => ({
      ...store,
      capabilities: { ...store.capabilities, vectors: 'own' },
      upsert: (batch, signal) => store.upsert(batch.map(given), signal),
      async search(query, signal) {
        if (query.vector) return store.search({ ...query, mode: 'lexical' }, signal);
        const vector = vectorOf(analyzeQuery(query.text, { languages: ['en'] }), false);
        const page = await store.search({ ...query, ...(query.mode === 'vector' && { vector, space }) }, signal);
        const hits = page.hits.filter(({ score }) => score > 1e-9);
        const { nextCursor: _, ...rest } = page;
        return hits.length === page.hits.length ? page : { ...rest, hits };
      },
    });
    return {
      store: (scope) => withModel(stores.store(scope)),
      async put(scope, writes) {
        for (const { error } of await stores.store(scope).upsert(writes.map(given))) if (error) throw error;
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
