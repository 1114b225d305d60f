// What a leg brings: its hits in their order, what they are compared with those of other legs by, and what was missing.
import type { FootnoteError } from '../../core/errors.ts';
import type { Degradation, Explanation, SearchResponse } from '../../core/search.ts';
import type { StoreHit } from '../../stores/store.ts';

/** What a likeness is worth by itself, whatever else was found. */
export interface Nearness {
  /** 0..1. */
  readonly similarity: number;
  /** What is less alike is left out unless the request says otherwise. */
  readonly least: number;
}

/** One chunk as a leg ranks it. */
export interface RankedHit {
  readonly chunkId: string;
  readonly score: number;
  readonly scores: StoreHit['scores'];
  /** Where it was found by a likeness that means something by itself. */
  readonly nearness?: Nearness;
  /** From 1, by list. */
  readonly ranks: Readonly<Record<string, number>>;
  readonly explanation?: Explanation;
  /** Names of the stores that returned it. Absent: that of its leg. */
  readonly stores?: readonly string[];
}

export interface LegResult {
  /** Best first; equal scores by chunk id. */
  readonly hits: readonly RankedHit[];
  readonly degraded: readonly Degradation[];
  /** With `explain`: what each list would have returned alone. */
  readonly legs?: Readonly<NonNullable<SearchResponse['legs']>>;
  /** What the list is called, where it is another one than the leg's own. */
  readonly name?: string;
  /** Somebody else served than whom the leg asks first, or nobody. */
  readonly usedFallback?: boolean;
  /** Nobody could be asked, which `degraded` tells: there may be hits that are not here. */
  readonly outage?: FootnoteError;
  /**
   * How much of the query the best hit answers, 0..1 and a little beyond: what lists of different kinds of source are compared by. Absent where
   * the leg cannot tell.
   */
  readonly reach?: number;
  /** How much steeper than BM25 its scores fall behind the best: shares of words were raised to this power. Default: 1. */
  readonly sharpness?: number;
  /** Something of it was kept from an earlier search: how old it is at most. */
  readonly kept?: { readonly ageMs: number; readonly isStale: boolean };
}
