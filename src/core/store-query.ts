// What one store is asked and what it answers: the words that retrieval and every store share. Invariant: equal scores are ordered
// by chunk id, ascending, so that the same corpus and query give the same ranking.
import { z } from 'zod';
import type { DeepReadonly } from './metadata.ts';
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

const storeHealthSchema = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  detail: z.string(),
  documents: z.int(),
  chunks: z.int(),
});
export type StoreHealth = Readonly<z.output<typeof storeHealthSchema>>;

const driftSchema = z.object({
  checkedAt: z.string(),
  /** Documents that were compared. */
  checked: z.int(),
  missing: z.int(),
  stale: z.int(),
  duplicates: z.int(),
  orphans: z.int(),
  examples: z.array(z.string()).describe('Ids of some of the documents'),
  /** False: it was only looked at. */
  isMended: z.boolean(),
});
/** What comparing a store with the record found. */
export type StoreDrift = DeepReadonly<z.output<typeof driftSchema>>;

export const storeReconcileSchema = driftSchema
  .extend({
    delivered: z.int(),
    /** What the store still lacks. */
    failed: z.int(),
  })
  .meta({ id: 'StoreReconcile' });
/** What bringing it in order did. */
export type ReconcileReport = DeepReadonly<z.output<typeof storeReconcileSchema>>;

export const storeStatusSchema = storeHealthSchema
  .extend({
    name: z.string(),
    /** Share of the record's documents that this store holds, 0..1. */
    coverage: z.number(),
    /** Seconds since the newest delivery, if there was one. */
    freshnessSeconds: z.number().exactOptional(),
    /** Where this process keeps the store's vectors: how far they are. */
    vectors: z
      .object({
        /** `off`: no model is configured; `waiting`: too few chunks. */
        state: z.enum(['off', 'waiting', 'training', 'embedding', 'ready', 'failed']),
        model: z.string().exactOptional(),
        chunks: z.int(),
        /** Chunks with a vector of the model that is being built, else of the one in use. */
        embedded: z.int(),
        /** Why the last attempt failed; searches go on with what there is. */
        failure: z.string().exactOptional(),
        encoder: z
          .object({
            state: z.enum(['waiting', 'encoding', 'ready', 'too-many', 'unavailable']),
            /** Chunks whose vector holds what it says. */
            embedded: z.int(),
          })
          .describe(
            'The sentence encoder beside the model that is learned: searches use it once it is ready; `too-many`: encoding so many chunks would take this machine too long',
          )
          .exactOptional(),
      })
      .exactOptional(),
    erasing: z
      .object({
        documents: z.int(),
        sessions: z.int(),
        /** When the first of them was deleted. */
        since: z.string(),
        /** Why the last attempt failed; there will be another. */
        failure: z.string().exactOptional(),
      })
      .describe('Deletions whose words are still being taken out of what else is kept; absent where nothing is left')
      .exactOptional(),
    deliveries: z
      .object({
        pending: z.int(),
        /** Tried in vain; most are tried again. */
        failed: z.int(),
        /** Documents that are gone here and not there yet. */
        deletions: z.int(),
        paused: z.boolean(),
        /** Since the document was recorded that waits longest to be brought. */
        oldestPendingSeconds: z.number().exactOptional(),
        nextAttemptAt: z.string().exactOptional(),
        /** Why the store takes nothing now. */
        failure: z.string().exactOptional(),
      })
      .describe('What is still to be brought to a store beside the record, or taken away from it')
      .exactOptional(),
    drift: driftSchema
      .describe('How the store differed from the record when they were compared last; absent until then')
      .exactOptional(),
    modes: z.array(z.string()),
  })
  .meta({ id: 'StoreStatus' });
export type StoreStatus = DeepReadonly<z.output<typeof storeStatusSchema>>;
export type EmbedderStatus = NonNullable<StoreStatus['vectors']>;
export type ErasureStatus = NonNullable<StoreStatus['erasing']>;
export type StoreDeliveries = NonNullable<StoreStatus['deliveries']>;
