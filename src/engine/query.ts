// A lexical query, already analysed: the engine never sees text, only terms, phrases of terms and sets of slots.
import type { Bitmap } from './bitmap.ts';
import type { Phrase } from './phrases.ts';

/** Two terms that stand side by side in the query. */
export type TermPair = readonly [first: string, second: string];

export interface LexicalTerm {
  readonly term: string;
  /** How much it counts: occurrences in the query, less for a guess. */
  readonly weight: number;
}

export interface LexicalQuery {
  readonly terms: readonly LexicalTerm[];
  /** Phrases that an entry must hold, and those it must not. */
  readonly required?: readonly Phrase[];
  readonly excluded?: readonly Phrase[];
  readonly limit: number;
  /** Only what comes after this hit in the ranking. */
  readonly after?: LexicalPlace;
  /** Whose nearness in an entry adds to its score. */
  readonly pairs?: readonly TermPair[];
  /** Asked now and then; true ends the search with `cancelled`. */
  readonly cancelled?: () => boolean;
  /** Only entries of these rows; a set made by `selectRows` of this index since its last change. */
  readonly selection?: Selection;
  /** What terms are weighed by, where that is not the whole index (`countOwn`); it holds each term of `terms` and `pairs`. */
  readonly own?: OwnStatistics;
}

/** Of the entries that a selection leaves. */
export interface OwnStatistics {
  readonly entries: number;
  readonly averageLength: number;
  /** Of them, how many hold each term. */
  readonly frequencies: Readonly<Record<string, number>>;
}

/** A hit's place in the ranking; `rank` from 1. */
export interface LexicalPlace {
  readonly score: number;
  readonly key: string;
  readonly rank: number;
}

/** Slots by segment, in the order of the index's segments. */
export type Selection = readonly Bitmap[];
