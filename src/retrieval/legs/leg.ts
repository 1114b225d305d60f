// The port of a leg: one list of hits that a search asks for, whoever finds them. Any number of legs is asked at the same time and
// joined (join-legs.ts); which of them a mode asks is said where they are made.
import type { SourceType } from '../../core/document.ts';
import type { Filter, Mode } from '../../core/search.ts';
import type { LegResult } from './leg-result.ts';

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
