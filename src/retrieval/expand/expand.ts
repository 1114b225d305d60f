// Widens a query by texts that are searched along with its own words, and off unless it was shown to help
// (docs/expansion.md). Invariant: the query's own words keep their weight, and what was added is told.
import type { Filter } from '../../core/search.ts';
import type { StoreHit } from '../../stores/store.ts';
import { otherNames, shortFormsOf } from './acronyms.ts';
import { type PassageReading, readBest } from './reading.ts';

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

export interface ExpandOptions {
  readonly filter?: Filter | undefined;
  /** What the query finds under this filter, best first, where it was searched already: it is not searched again. */
  readonly found?: readonly StoreHit[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Expander {
  expand(query: string, options: ExpandOptions): Promise<ExpandedQuery>;
}

/** A query is widened by other names that the corpus defines. */
export type ExpansionName = 'acronyms';

export interface ExpansionParameters {
  /** Passages that definitions are read from, of the query and of its short forms each. */
  readonly definitionHits: number;
  /** Of all words of another name together, each having its part: else a long form would outweigh the short one asked for. */
  readonly acronymWeight: number;
}

/** Chosen on the odd-numbered queries of the tuning sets (bench/retrieval/expansion.ts). */
const defaultExpansion: ExpansionParameters = {
  definitionHits: 10,
  acronymWeight: 0.4,
};

export interface ExpanderOptions extends Omit<PassageReading, 'filter'> {
  readonly expansion: readonly ExpansionName[];
  readonly parameters?: Partial<ExpansionParameters>;
}

/**
 * An expander over one scope's store and record. It searches at most twice (once for what is `found` already) and reads at most 20
 * passages for a query, and not at all where no way is chosen that learns from them. Throws what the store throws; `cancelled` when the
 * signal aborts.
 */
export function createExpander({ store, documents, expansion, parameters }: ExpanderOptions): Expander {
  const { definitionHits, acronymWeight } = { ...defaultExpansion, ...parameters };
  const chosen = new Set(expansion);

  return {
    async expand(query, { filter, found, signal }) {
      const also: WeightedText[] = [];
      const notes: string[] = [];
      const reading = { store, documents, filter };

      if (chosen.has('acronyms')) {
        const best = await readBest(reading, { text: query, limit: definitionHits, found }, signal);
        const short = shortFormsOf(query);
        const alone =
          short.length === 0 ? [] : await readBest(reading, { text: short.join(' '), limit: definitionHits }, signal);
        for (const { asked, name, terms, documents: count } of otherNames(query, [...best, ...alone])) {
          also.push({ text: name, weight: acronymWeight / terms });
          notes.push(`“${asked}” is “${name}” too, says ${count === 1 ? 'a document' : `${count} documents`}`);
        }
      }
      return { also, notes };
    },
  };
}
