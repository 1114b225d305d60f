// What one store is asked and what it answers: the words that retrieval and every store share. Invariant: equal scores are ordered
// by chunk id, ascending, so that the same corpus and query give the same ranking.
import type { Degradation, Explanation, Filter } from './search.ts';

export const storeModes = ['lexical', 'vector', 'hybrid'] as const;
export type StoreMode = (typeof storeModes)[number];

export interface StoreQuery {
  /** Empty where only a vector is given. A store that makes vectors itself is asked by text in every mode. */
  readonly text: string;
  readonly mode: StoreMode;
  /** What mode `vector` searches by, for a store that is given vectors, and the space that it belongs to. */
  readonly vector?: Float32Array;
  readonly space?: string;
  /**
   * Texts searched along with the query's own words in mode `lexical`: each word counts as if the query held it `weight` times
   * (a finite number, not negative; an own word is 1), added to what the query's own words count. Plain text: nothing in it is
   * an operator, required, excluded, guessed at, or wanted near another word. None and an empty list are the same query.
   */
  readonly also?: readonly { readonly text: string; readonly weight: number }[];
  /** Hits wanted, 0..1000. */
  readonly limit: number;
  readonly cursor?: string;
  readonly filter?: Filter;
  /**
   * `own`: words are weighed by how rare they are among what the filter leaves, as if the store held nothing else. A store that keeps no
   * statistics of parts weighs them as ever.
   */
  readonly statistics?: 'own';
  readonly explain?: boolean;
  /** How many chunks match in all is wanted too: `total` of the page, from a store that counts. */
  readonly count?: boolean;
}

/** Text as a store that cuts documents by itself found it; where it stands in the canonical text, if the store knows. */
export interface StorePassage {
  readonly text: string;
  readonly start?: number;
  readonly end?: number;
}

/** One chunk found. */
export interface StoreHit {
  /** Our chunk; where there is a `passage`, what the store itself calls the piece that it found. */
  readonly chunkId: string;
  readonly documentId: string;
  readonly score: number;
  readonly scores: { readonly bm25?: number; readonly vector?: number };
  /** From 1. */
  readonly rank: number;
  readonly explanation?: Explanation;
  /** Present where the store cannot know our chunks. */
  readonly passage?: StorePassage;
}

export interface StorePage {
  readonly hits: readonly StoreHit[];
  readonly nextCursor?: string;
  /** Chunks that match in all, where that was asked and the store counts. */
  readonly total?: number;
  /**
   * What a chunk would score that is made of the query's own words, as rare as they are in what was searched: by it scores of parts that were
   * weighed by their own statistics compare. Absent where the store does not know.
   */
  readonly ceiling?: number;
  /** It was kept from an earlier search: how old it is. */
  readonly kept?: { readonly ageMs: number; readonly isStale: boolean };
  readonly degraded: readonly Degradation[];
}

export interface StoreHealth {
  readonly status: 'ok' | 'degraded' | 'down';
  readonly detail: string;
  readonly documents: number;
  readonly chunks: number;
}
