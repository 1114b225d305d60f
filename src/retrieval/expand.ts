// Widens a query by texts that are searched along with its own words, each way switchable and off unless it was shown to help
// (docs/retrieval.md). Invariant: the query's own words keep their weight, and what was added is told.
import type { Filter } from '../core/search.ts';

export interface WeightedText {
  readonly text: string;
  /** Of the query's own words: 1. */
  readonly weight: number;
}

export interface ExpandedQuery {
  readonly also: readonly WeightedText[];
  /** For people: what was added and why. */
  readonly notes: readonly string[];
}

export interface Expander {
  expand(
    query: string,
    options: { readonly filter?: Filter | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<ExpandedQuery>;
}
