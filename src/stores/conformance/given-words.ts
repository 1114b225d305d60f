// Stores of meaning, tried with words: what the checks ask of every store is said in words, so one that is given vectors is given counts of words,
// and one that finds whatever is nearest shows only what shares a word with the query.

import { analyzeQuery, analyzeText } from '../../text/analyze.ts';
import type { StoreDocument } from '../delivered.ts';
import type { Store, StorePage } from '../store.ts';

export const wordDimensions = 512;
export const wordSpace = `words@${wordDimensions}`;

export interface WordVectors {
  given(document: StoreDocument): StoreDocument;
  /** Given them with its documents, and asked as it is. */
  filling(store: Store): Store;
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
  const filling = (store: Store): Store => ({
    ...store,
    upsert: (batch, signal) => store.upsert(batch.map(given), signal),
    ...(store.inventory && {
      inventory: { held: store.inventory.held, hashOf: async (one) => store.inventory?.hashOf(given(one)) },
    }),
  });
  return {
    given,
    filling,
    over: (store) => ({
      ...filling(store),
      capabilities: { ...store.capabilities, vectors: 'own' },
      async search(query, signal) {
        if (query.vector) return store.search({ ...query, mode: 'lexical' }, signal);
        const vector = vectorOf(askedTermsOf(query.text), false);
        const asked = { ...query, ...(query.mode === 'vector' && { vector, space: wordSpace }) };
        return withHits(await store.search(asked, signal), ({ score }) => score > 1e-9);
      },
    }),
  };
}

/** One that is asked by text and answers with whatever is nearest: hits without a word of the query are left out. */
export function withSharedWords(store: Store): Store {
  if (store.capabilities.lexical || store.capabilities.vectors !== 'own') return store;
  return {
    ...store,
    async search(query, signal) {
      const page = await store.search(query, signal);
      const asked = new Set(askedTermsOf(query.text));
      return withHits(page, ({ passage }) => !passage || termsOf(passage.text).some((term) => asked.has(term)));
    },
  };
}
