// The port of a leg: one list of hits that a search asks for, whoever finds them. Any number of legs is asked at the same time and
// joined (join-legs.ts); which of them a mode asks is said where they are made.
import type { SourceType } from '../../core/document.ts';
import type { FootnoteError } from '../../core/errors.ts';
import type { Degradation, Explanation, Filter, Mode, SearchResponse } from '../../core/search.ts';
import type { StoreHit } from '../../stores/store.ts';

export interface LegQuery {
  readonly text: string;
  readonly mode: Mode;
  readonly filter?: Filter | undefined;
  /** Hits wanted, 1..1000. */
  readonly limit: number;
  /** Hits without which the search is poorer; what is behind them is only looked at, and missed by nobody. Default: `limit`. */
  readonly needed?: number;
  readonly explain: boolean;
  /** The kind of source that is searched by itself: words are weighed by how rare they are in it. Default: everything at once. */
  readonly sourceType?: SourceType | undefined;
}

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

export interface Leg {
  /** Names its list in ranks and explanations. */
  readonly name: string;
  readonly kind: 'lexical' | 'vector' | 'hybrid';
  /** The store that its hits are from. */
  readonly store: string;
  readonly modes: readonly Mode[];
  /** It knows documents of this source alone: left out where a request names others. */
  readonly source?: string;
  /** It finds documents of this kind alone, and is asked where that kind is searched. */
  readonly sourceType?: SourceType;
  /** It is asked only where the question needs its kind, or what is near says too little. */
  readonly isLast?: true;
  /** Throws FootnoteError: the other legs serve then. */
  search(query: LegQuery, signal?: AbortSignal): Promise<LegResult>;
}
