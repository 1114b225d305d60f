// One reading of a question, which everything that looks for its answer shares: its terms with their weights, what kind of answer it wants, its numbers.
// The patterns of kinds are data, a table for each language. Invariant: a frame depends on the question and the statistics alone.
import { type Term, termsOf } from '../text/terms.ts';
import patterns from './patterns.json' with { type: 'json' };

/** Kinds of answers that the form of a question tells. */
export const askedKinds = ['definition', 'value', 'time', 'person', 'place', 'way', 'reason', 'list', 'code', 'yes-no'] as const;
export type AskedKind = (typeof askedKinds)[number];

/** How rare words are in the collection. */
export interface CollectionStatistics {
  readonly chunks: number;
  /** Chunks that hold each term. */
  readonly frequencies: Readonly<Record<string, number>>;
}

export interface FrameTerm {
  readonly term: string;
  /** The share of the question that it makes up, by its rarity; all together are 1. */
  readonly weight: number;
  /** Written with a capital, a digit or a mark of code within: a name or a code. */
  readonly isName: boolean;
}

export interface Frame {
  readonly question: string;
  readonly terms: readonly FrameTerm[];
  readonly kinds: ReadonlySet<AskedKind>;
}

interface KindPattern {
  readonly kind: AskedKind;
  readonly pattern: RegExp;
}

const table: readonly KindPattern[] = Object.values(patterns).flatMap((kinds) =>
  Object.entries(kinds).map(([kind, pattern]) => ({ kind: kind as AskedKind, pattern: new RegExp(pattern, 'iu') })),
);

/** A word that stands in nearly every chunk still says a little. */
const leastRarity = 0.2;
/** The rarity of a word where nothing is known of the collection. */
const usualRarity = 2;

/** Reads a question. */
export function readFrame(question: string, statistics?: CollectionStatistics): Frame {
  const found = new Map<string, { readonly rarity: number; readonly isName: boolean }>();
  for (const term of termsOf(question))
    if (!found.has(term.term))
      found.set(term.term, { rarity: rarityOf(term.term, statistics), isName: isName(question, term) });
  const total = [...found.values()].reduce((sum, { rarity }) => sum + rarity, 0);
  return {
    question,
    terms: [...found].map(([term, { rarity, isName: named }]) => ({ term, weight: rarity / total, isName: named })),
    kinds: new Set(table.flatMap(({ kind, pattern }) => (pattern.test(question) ? [kind] : []))),
  };
}

/** BM25's inverse document frequency. */
function rarityOf(term: string, statistics: CollectionStatistics | undefined): number {
  const frequency = statistics?.frequencies[term];
  if (!statistics || frequency === undefined) return usualRarity;
  const { chunks } = statistics;
  return Math.max(leastRarity, Math.log(1 + (chunks - Math.min(chunks, frequency) + 0.5) / (frequency + 0.5)));
}

const isName = (question: string, { start, end }: Term): boolean =>
  /\p{L}\p{Lu}|[\p{L}\p{N}][_./:\\-][\p{L}\p{N}]|\d/u.test(question.slice(start, end)) ||
  (start > 0 && /^\p{Lu}/u.test(question.slice(start, end)));
