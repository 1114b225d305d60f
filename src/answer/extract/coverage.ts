// Measures how much of what a question asks the evidence covers: the signals from which confidence and abstention are
// decided. Every signal lies in 0..1, higher is better, and none depends on the size of the collection.

import type { Question } from '../question/question.ts';
import { type Agreement, agreementOf } from './agreement.ts';
import type { CandidateSet } from './candidates.ts';
import type { RankedCandidate } from './rank.ts';

export interface AnswerSignals {
  /** Rarity-weighted share of the question's terms in the piece that holds most of them. */
  readonly piece: number;
  /** The same in a piece together with its title, headings and the sentence before. */
  readonly window: number;
  /** The same in a chunk with title. */
  readonly chunk: number;
  /** Share of the words of the question's names that the best piece's window holds; all words' share where it names nothing. */
  readonly names: number;
  /** Share of the words of the question's names found anywhere in the context; 1 where it names nothing. */
  readonly subject: number;
  /** Share of the question's numbers that the best piece's chunk holds; 1 where it has none. */
  readonly numbers: number;
  /** Does the best piece hold a value of the kind asked for? Headings and lines of code count for nothing. */
  readonly fit: number;
  /**
   * How far the best chunk's retrieval score stands above the next document's, times its coverage: where hardly anything
   * matches, standing alone says nothing.
   */
  readonly lead: number;
  /** The best BM25 score as a share of the most that the question could score; half of `chunk` where either is unknown. */
  readonly strength: number;
  /** Length of the question in content words, 12 or more = 1. */
  readonly length: number;
}

export interface Judgement {
  readonly signals: AnswerSignals;
  readonly agreement: Agreement;
}

/** A term scores at most its rarity times k1 + 1. */
const saturation = 2.2;

/** Signals of the candidates, best first; undefined where there is none. */
export function signalsOf(
  question: Question,
  set: CandidateSet,
  ranked: readonly RankedCandidate[],
): Judgement | undefined {
  const best = ranked[0]?.candidate;
  if (!best) return undefined;
  const share = (matches: readonly number[]): number =>
    Math.min(
      1,
      matches.reduce((sum, match, index) => sum + match * (set.needs[index] ?? 0), 0),
    );
  const chunks = set.titles.map((title) => [...title]);
  let bestWindow: readonly number[] = [];
  let window = 0;
  let piece = 0;
  for (const [place, candidate] of set.candidates.entries()) {
    const { blockIndex, matches } = candidate;
    const chunk = chunks[blockIndex];
    if (chunk) for (const [index, match] of matches.entries()) chunk[index] = Math.max(chunk[index] ?? 0, match);
    const previous = set.candidates[place - 1];
    const before = previous?.blockIndex === blockIndex ? previous.matches : undefined;
    const title = set.titles[blockIndex];
    const around = matches.map((match, index) => Math.max(match, before?.[index] ?? 0, title?.[index] ?? 0));
    if (candidate === best) bestWindow = around;
    window = Math.max(window, share(around));
    piece = Math.max(piece, share(matches));
  }
  const coverage = chunks.map(share);
  const context = set.needs.map((_, index) => Math.max(0, ...chunks.map((chunk) => chunk[index] ?? 0)));
  const top = set.blockScores[best.blockIndex]?.score ?? 0;
  const rival = set.blockScores.find((block) => block.documentId !== best.block.evidence.documentId)?.score ?? 0;
  const bm25 = Math.max(0, ...set.blockScores.map((block) => block.bm25 ?? 0));
  const chunk = Math.max(0, ...coverage);
  const own = chunks[best.blockIndex] ?? [];
  const named = (index: number): boolean => question.named[index] === true;
  return {
    signals: {
      piece,
      window,
      chunk,
      names:
        shareOf(question, bestWindow, named) ??
        bestWindow.reduce((sum, match) => sum + match, 0) / Math.max(1, bestWindow.length),
      subject: shareOf(question, context, named) ?? 1,
      numbers: shareOf(question, own, (index) => /^\d/.test(question.terms[index]?.term ?? '')) ?? 1,
      fit: best.features.fit * (1 - best.features.marginal),
      lead: top > 0 ? Math.max(0, 1 - Math.max(0, rival) / top) * (coverage[best.blockIndex] ?? 0) : 0,
      strength: set.rarity && bm25 > 0 ? Math.min(1, bm25 / (saturation * set.rarity)) : chunk / 2,
      length: Math.min(1, question.terms.length / 12),
    },
    agreement: agreementOf(question, ranked, coverage),
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
