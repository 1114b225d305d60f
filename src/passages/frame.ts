// One reading of a question, which everything that looks for its answer shares: its terms with their weights, what kind of answer it wants, its numbers.
// The patterns of kinds are data, a table for each language. Invariant: a frame depends on the question and the statistics alone.
import { type Term, termsOf } from '../text/terms.ts';
import patterns from './patterns.json' with { type: 'json' };

/** Kinds of answers that the form of a question tells: of the eleven that were told once, the others changed no order of passages. */
type AskedKind = 'value' | 'figure' | 'time' | 'list';

/** How rare words are in the collection. */
export interface CollectionStatistics {
  readonly chunks: number;
  /** Chunks that hold each term. */
  readonly frequencies: Readonly<Record<string, number>>;
}

export interface FrameTerm {
  readonly term: string;
  /** The words that an identifier is made of. */
  readonly parts: readonly string[];
  /** The share of the question that it makes up, by its rarity; all together are 1. */
  readonly weight: number;
  /** Written with a capital, a digit or a mark of code within: a name or a code. */
  readonly isName: boolean;
}

export interface Frame {
  readonly question: string;
  /** Its own words, without the question before it. */
  readonly asked: string;
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

/** Claims of an answer to a question with one answer, and of one to a question that wants several. */
export const mostClaimsFor = ({ kinds }: Frame): number => (kinds.has('list') ? 5 : 3);

/** The question before it, in brackets at the end (agent/intent/follow-up.ts): its words count less. */
const contextOf = /\s\([^()]+\)$/u;
const contextWeight = 0.5;

/** Reads a question. */
export function readFrame(question: string, statistics?: CollectionStatistics): Frame {
  const asked = question.replace(contextOf, '');
  const found: (Omit<FrameTerm, 'weight' | 'parts'> & {
    readonly parts: string[];
    readonly rarity: number;
    readonly end: number;
  })[] = [];
  for (const term of termsOf(question)) {
    const last = found.at(-1);
    // The parts of an identifier follow it.
    if (last && term.end <= last.end && term.term !== last.term) last.parts.push(term.term);
    else if (!found.some((other) => other.term === term.term))
      found.push({
        term: term.term,
        parts: [],
        rarity: rarityOf(term.term, statistics) * (term.start < asked.length ? 1 : contextWeight),
        isName: isName(question, term),
        end: term.end,
      });
  }
  const total = found.reduce((sum, { rarity }) => sum + rarity, 0);
  return {
    question,
    asked,
    terms: found.map(({ term, parts, rarity, isName: named }) => ({
      term,
      parts,
      weight: rarity / total,
      isName: named,
    })),
    kinds: new Set(table.flatMap(({ kind, pattern }) => (pattern.test(asked) ? [kind] : []))),
  };
}

/** How far a text holds a term, 0..1: an identifier in parts counts less than whole. */
export const holds = ({ term, parts }: FrameTerm, held: ReadonlySet<string>): number =>
  held.has(term) ? 1 : parts.length > 0 && parts.every((part) => held.has(part)) ? inParts : 0;
const inParts = 0.6;

/** The share of a question that a text holds, by the weights of its terms. */
export const coverOf = (terms: readonly FrameTerm[], held: ReadonlySet<string>): number =>
  terms.reduce((sum, term) => sum + term.weight * holds(term, held), 0);

/** BM25's inverse document frequency. */
function rarityOf(term: string, statistics: CollectionStatistics | undefined): number {
  const frequency = statistics?.frequencies[term];
  if (!statistics || frequency === undefined) return usualRarity;
  const { chunks } = statistics;
  return Math.max(leastRarity, Math.log(1 + (chunks - Math.min(chunks, frequency) + 0.5) / (frequency + 0.5)));
}

/** The capital that begins a sentence, a line or what stands in brackets names nothing. */
const isName = (question: string, { start, end }: Term): boolean =>
  /\p{L}\p{Lu}|[\p{L}\p{N}][_./:\\-][\p{L}\p{N}]|\d/u.test(question.slice(start, end)) ||
  (/^\p{Lu}/u.test(question.slice(start, end)) && /[^.!?:(\n\s]\s*$/u.test(question.slice(0, start)));
