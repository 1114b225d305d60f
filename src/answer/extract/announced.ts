// Some pieces say nothing without their neighbours: a sentence that ends in a colon needs what it announces (the command, the items of the list, the row
// that stands next), and a value needs the line above that names it. Invariant: the claim is one range of the record, and its text the pieces in order. Pure.
import type { PieceKind } from '../../text/language/regions.ts';
import { countWords } from '../../text/sentences.ts';
import type { Candidate } from './candidates.ts';
import { isAsking } from './read-along.ts';

/** A sentence that ends so needs what stands below. */
export const announces = (piece: string): boolean => /[:：]["'”’»)*_]{0,3}\s{0,4}$/u.test(piece.slice(-8));

export interface Whole {
  readonly start: number;
  /** The pieces as they stand, in order, each with where it ends. */
  readonly parts: readonly { readonly text: string; readonly end: number }[];
}

/** The piece with what it cannot do without, as much of it as `longest` words hold; most pieces stay alone. */
export function wholeOf(candidate: Candidate, candidates: readonly Candidate[], longest: number): Whole {
  const { label, kind, text, span, block } = candidate;
  const parts = [{ text, end: span.end }];
  let { start } = span;
  let words = countWords(text);
  if (label !== undefined) {
    const name = block.evidence.text.slice(label.start - block.evidence.start, label.end - block.evidence.start);
    parts.unshift({ text: name, end: label.end });
    words += countWords(name);
    start = label.start;
  }
  const isAnnouncing = kind !== 'row' && announces(text);
  if (!isAnnouncing && (label === undefined || kind !== 'item')) return { start, parts };
  let previous: PieceKind | undefined = isAnnouncing ? undefined : kind;
  for (let at = candidates.indexOf(candidate) + 1; at < candidates.length; at += 1) {
    const next = candidates[at] as Candidate;
    if (next.blockIndex !== candidate.blockIndex || next.kind === 'heading' || isAsking(next.text)) break;
    // After the first of them only more of the same list or command is meant.
    if (previous !== undefined && (next.kind !== previous || next.kind === 'sentence')) break;
    words += countWords(next.text);
    if (words > longest) break;
    parts.push({ text: next.text, end: next.span.end });
    previous = next.kind;
  }
  return { start, parts };
}
