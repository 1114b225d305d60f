// Stores of meaning, tried with words: what the checks ask of every store is said in words, so one that is given vectors is given counts of words.

import { analyzeQuery, analyzeText } from '../../text/analyze.ts';
import type { Store, StoreDocument, StorePage } from '../store.ts';

export const wordDimensions = 512;
export const wordSpace = `words@${wordDimensions}`;

export interface WordVectors {
  given(document: StoreDocument): StoreDocument;
  /** As retrieval asks it: by text, over a model. */
  over(store: Store): Store;
}

/** Asked in any language, documents are in their own: words are compared as both analyse them. */
const termsOf = (text: string): readonly string[] => analyzeText(text, { language: 'en' });
const askedTermsOf = (text: string): readonly string[] => analyzeQuery(text, { languages: ['en'] });

function withHits(page: StorePage, isHit: (hit: StorePage['hits'][number]) => boolean): StorePage {
  const hits = page.hits.filter(isHit);
  if (hits.length === page.hits.length) return page;
  const { nextCursor: _, ...rest } = page;
  return { ...rest, hits };
}

/** A place for each word, in the order in which documents bring them: words of queries alone have none. */
export function createWordVectors(): WordVectors {
  const places = new Map<string, number>();
  const vectorOf = (terms: readonly string[], isNew: boolean): Float32Array => {
    const vector = new Float32Array(wordDimensions);
    for (const term of terms) {
      if (isNew && !places.has(term) && places.size < wordDimensions) places.set(term, places.size);
      const place = places.get(term);
      if (place !== undefined) vector[place] = (vector[place] ?? 0) + 1;
    }
    return vector;
  };
  const given = (one: StoreDocument): StoreDocument => ({
    document: one.document,
    chunks: one.chunks,
    vectors: Float32Array.from(one.chunks.flatMap(({ text }) => [...vectorOf(termsOf(text), true)])),
  });
  return {
    given,
    over: (store) => ({
      ...store,
      capabilities: { ...store.capabilities, vectors: 'own' },
      upsert: (batch, signal) => store.upsert(batch.map(given), signal),
      async search(query, signal) {
        if (query.vector) return store.search({ ...query, mode: 'lexical' }, signal);
        const vector = vectorOf(askedTermsOf(query.text), false);
        const asked = { ...query, ...(query.mode === 'vector' && { vector, space: wordSpace }) };
        return withHits(await store.search(asked, signal), ({ score }) => score > 1e-9);
      },
      ...(store.inventory && {
        inventory: { held: store.inventory.held, hashOf: async (one) => store.inventory?.hashOf(given(one)) },
      }),
    }),
  };
}
