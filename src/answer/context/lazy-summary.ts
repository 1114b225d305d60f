// Stands for a chunk that there is no room for: the one sentence of it that speaks most of the question, as it stands, so that a quote of
// it is a span of the document. After query-biased extractive summaries (Tombros & Sanderson 1998). Pure.
import type { Evidence } from '../../core/search.ts';
import { partOf } from './evidence.ts';
import { passageTermSet, readPieces } from './readings.ts';

export interface Summarizer {
  /** The same evidence narrowed to its sentence; undefined where none speaks of the question or none is short enough. */
  summarize(evidence: Evidence): Evidence | undefined;
}

export interface SummarizerOptions {
  /** Longest sentence. */
  readonly characters: number;
}

/** A sentence is a chunk's for what it says of the question, each word weighted by its rarity among the chunks (read when first needed). */
export function createSummarizer(
  question: string,
  evidence: readonly Evidence[],
  { characters }: SummarizerOptions,
): Summarizer {
  let weights: ReadonlyMap<string, number> | undefined;
  return {
    summarize(item) {
      weights ??= rarity(
        passageTermSet(question),
        evidence.map(({ text }) => passageTermSet(text)),
      );
      let best: { start: number; end: number; weight: number } | undefined;
      for (const { kind, start, end, terms } of readPieces(item.text)) {
        if (kind === 'heading' || end - start > characters) continue;
        let weight = 0;
        for (const term of terms) weight += weights.get(term) ?? 0;
        if (weight > (best?.weight ?? 0)) best = { start, end, weight };
      }
      return best && partOf(item, best);
    },
  };
}

/** Inverse document frequency of each wanted term over the chunks. */
function rarity(wanted: ReadonlySet<string>, chunks: readonly ReadonlySet<string>[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const term of wanted) {
    const holding = chunks.filter((terms) => terms.has(term)).length;
    weights.set(term, Math.log(1 + (chunks.length - holding + 0.5) / (holding + 0.5)));
  }
  return weights;
}
