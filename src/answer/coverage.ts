// Measures how much of what a question asks the evidence covers: the signals from which confidence and abstention are
// decided. Every signal lies in 0..1, higher is better, and none depends on the size of the collection.
import type { CandidateSet } from './candidates.ts';
import type { Question } from './question.ts';
import type { RankedCandidate } from './rank.ts';

export interface AnswerSignals {
  /** Rarity-weighted share of the question's terms in the best piece. */
  readonly piece: number;
  /** The same in the best piece together with its title, headings and the sentence before. */
  readonly window: number;
  /** The same in the best piece's chunk with title. */
  readonly chunk: number;
  /** The same anywhere in the context. */
  readonly context: number;
  /** Share of the words of the question's names that the window holds; all words' share where it names nothing. */
  readonly names: number;
  /** Share of the words of the question's names found anywhere in the context; 1 where it names nothing. */
  readonly subject: number;
  /** Share of the question's numbers that the chunk holds; 1 where it has none. */
  readonly numbers: number;
  /** Share of the question's words outside names (what is said of them) that the window holds. */
  readonly predicate: number;
  /** Does the best piece hold a value of the kind asked for? Headings and lines of code count for nothing. */
  readonly fit: number;
  /** Do neighbouring question terms stand together? */
  readonly order: number;
  /**
   * How far the best chunk's retrieval score stands above the next document's, times `chunk`: where hardly anything
   * matches, standing alone says nothing.
   */
  readonly lead: number;
  /** Share of terms (unweighted) matched in the window. */
  readonly plain: number;
  /** Length of the question in content words, 12 or more = 1. */
  readonly length: number;
}

/** Signals of the best candidate against the rest; undefined where there is no candidate. */
export function signalsOf(
  question: Question,
  set: CandidateSet,
  ranked: readonly RankedCandidate[],
): AnswerSignals | undefined {
  const best = ranked[0]?.candidate;
  if (!best) return undefined;
  const share = (matches: readonly number[]): number =>
    matches.reduce((sum, match, index) => sum + match * (set.needs[index] ?? 0), 0);
  const union = (lists: readonly (readonly number[])[]): number[] =>
    set.needs.map((_, index) => Math.max(0, ...lists.map((list) => list[index] ?? 0)));
  const mates = set.candidates.filter((candidate) => candidate.blockIndex === best.blockIndex);
  const before = mates.find((candidate) => candidate.pieceIndex === best.pieceIndex - 1);
  const title = set.titles[best.blockIndex] ?? [];
  const window = union([best.matches, before?.matches ?? [], title]);
  const chunk = union([...mates.map((mate) => mate.matches), title]);
  const context = union([...set.candidates.map((candidate) => candidate.matches), ...set.titles]);
  const rival = set.blockScores.find((block) => block.documentId !== best.block.evidence.documentId)?.score ?? 0;
  const top = best.block.evidence.score;
  const plain = window.length > 0 ? window.reduce((sum, match) => sum + match, 0) / window.length : 0;
  return {
    piece: share(best.matches),
    window: share(window),
    chunk: share(chunk),
    context: share(context),
    names: shareOf(question, window, (index) => question.named[index] === true) ?? plain,
    subject: shareOf(question, context, (index) => question.named[index] === true) ?? 1,
    numbers: shareOf(question, chunk, (index) => /^\d/.test(question.terms[index]?.term ?? '')) ?? 1,
    predicate:
      shareOf(
        question,
        window,
        (index) => question.named[index] !== true && !/^\d/.test(question.terms[index]?.term ?? ''),
      ) ?? plain,
    fit: best.features.fit * (1 - best.features.marginal),
    order: best.features.order,
    lead: top > 0 ? Math.max(0, 1 - Math.max(0, rival) / top) * share(chunk) : 0,
    plain,
    length: Math.min(1, question.terms.length / 12),
  };
}

function shareOf(
  question: Question,
  matches: readonly number[],
  counts: (index: number) => boolean,
): number | undefined {
  const chosen = question.terms.map((_, index) => index).filter(counts);
  if (chosen.length === 0) return undefined;
  return chosen.reduce((sum, index) => sum + (matches[index] ?? 0), 0) / chosen.length;
}
