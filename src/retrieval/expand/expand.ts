// Widens a query by texts that are searched along with its own words, each way switchable and off unless it was shown to help
// (docs/expansion.md). Invariant: the query's own words keep their weight, and what was added is told.
import type { Filter } from '../../core/search.ts';
import type { StoreHit } from '../../stores/store.ts';
import { otherNames, shortFormsOf } from './acronyms.ts';
import { type FeedbackParameters, feedbackTexts } from './feedback.ts';
import { type PassageReading, readBest } from './reading.ts';
import { reformulate } from './reformulate.ts';

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

/** What a query is widened by: names that the corpus defines, words of its best passages, other ways to put it. */
export type ExpansionName = 'acronyms' | 'feedback' | 'multi-query';

export interface ExpansionParameters {
  /** Passages that definitions are read from, of the query and of its short forms each. */
  readonly definitionHits: number;
  /** Of all words of another name together, each having its part: else a long form would outweigh the short one asked for. */
  readonly acronymWeight: number;
  readonly feedback: FeedbackParameters;
  readonly reformulationWeight: number;
}

/** Chosen on the odd-numbered queries of the tuning sets (bench/retrieval/expansion.ts). */
const defaultExpansion: ExpansionParameters = {
  definitionHits: 10,
  acronymWeight: 0.4,
  feedback: { hits: 5, terms: 10, share: 0.3 },
  reformulationWeight: 0.2,
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
  const { definitionHits, acronymWeight, feedback, reformulationWeight } = { ...defaultExpansion, ...parameters };
  const chosen = new Set(expansion);
  const learning = chosen.has('acronyms') || chosen.has('feedback');

  return {
    async expand(query, { filter, found, signal }) {
      const also: WeightedText[] = [];
      const notes: string[] = [];
      const reading = { store, documents, filter };
      const limit = Math.max(chosen.has('acronyms') ? definitionHits : 0, chosen.has('feedback') ? feedback.hits : 0);
      const best = learning ? await readBest(reading, { text: query, limit, found }, signal) : [];

      if (chosen.has('acronyms')) {
        const short = shortFormsOf(query);
        const alone =
          short.length === 0 ? [] : await readBest(reading, { text: short.join(' '), limit: definitionHits }, signal);
        for (const { asked, name, terms, documents: count } of otherNames(query, [
          ...best.slice(0, definitionHits),
          ...alone,
        ])) {
          also.push({ text: name, weight: acronymWeight / terms });
          notes.push(`“${asked}” is “${name}” too, says ${count === 1 ? 'a document' : `${count} documents`}`);
        }
      }
      if (chosen.has('feedback')) {
        const words = feedbackTexts(query, best, feedback);
        also.push(...words);
        if (words.length > 0) notes.push(`words of the best passages: ${words.map((word) => word.text).join(', ')}`);
      }
      if (chosen.has('multi-query')) {
        const variants = reformulate(query, reformulationWeight, best[0]?.language);
        also.push(...variants);
        if (variants.length > 0)
          notes.push(`asked in other words too: ${variants.map(({ text }) => `“${text}”`).join(', ')}`);
      }
      return { also, notes };
    },
  };
}
