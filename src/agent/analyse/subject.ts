// Tells of each sentence of what was found which of the things of an analysis it is about: by its own words, else by the sentence before it in its
// paragraph, else by the nearest head over it that names one. Invariant: a sentence that names another thing is never the subject's alone. Pure.

import type { Evidence } from '../../core/search.ts';
import { segmentPieces, type TextPiece } from '../../text/sentences.ts';
import { termSet } from '../../text/terms.ts';

export interface Thing {
  readonly name: string;
  /** Others that are set beside it. */
  readonly others: readonly string[];
}

/** `own`: it is about the thing. `beside`: it names the thing and another. `other`: it is about something else. */
export type Standing = 'own' | 'beside' | 'other';

export interface Saying extends TextPiece {
  readonly standing: Standing;
  /** Where a quote of it begins: with the sentence before it where only that names the thing. */
  readonly from: number;
  /** The headings that stand over it. */
  readonly heads: readonly string[];
}

/** Sentences, items and rows of one piece of evidence that are about the thing, or name it beside another, in their order. */
export type ReadAbout = (evidence: Evidence) => readonly Saying[];

/** A title names its thing before the first mark: "Acme Robotics: annual report". */
const nameOfTitle = (title: string): string => (title.split(/[:|–—(]| - |\.\p{L}{2,5}$/u, 1)[0] ?? '').trim();

const spaced = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;

/** Thing without a capital in its name, such as a market, are told by all of their words, in any order. */
function createNames(name: string): (text: string) => boolean {
  if (/\p{Lu}|[^\p{Script=Latin}\P{L}]/u.test(name)) return (text) => spaced(text).includes(spaced(name));
  const wanted = termSet(name);
  return (text) => wanted.isSubsetOf(termSet(text));
}

/** `found`: all that was found; its titles tell what other things are called. */
export function createReadAbout({ name, others }: Thing, found: readonly Evidence[]): ReadAbout {
  const isNamed = createNames(name);
  const own = spaced(name);
  const titles = found
    .map(({ title }) => spaced(nameOfTitle(title)))
    .filter((title) => !isNamed(title) || (title.startsWith(own) && title !== own));
  const apart = [...new Set([...others.map(spaced), ...titles])].filter((one) => one.trim() !== '');
  /** Undefined: it names none of them. */
  const read = (text: string): Standing | undefined => {
    // "Acme Foods" does not name "Acme".
    const rest = apart.reduce((left, one) => left.replaceAll(one, ' | '), spaced(text));
    const hasOther = rest.includes('|');
    if (!isNamed(hasOther ? rest : text)) return hasOther ? 'other' : undefined;
    return hasOther ? 'beside' : 'own';
  };
  return ({ text, title, headingPath }) => {
    const pieces = segmentPieces(text);
    // A chunk with headings holds several sections; its path names one of them.
    let heads = pieces.some(({ kind }) => kind === 'heading') ? headingPath.slice(0, 1) : headingPath;
    const groundNow = (): Standing | undefined => [title, ...heads].toReversed().flatMap((head) => read(head) ?? [])[0];
    const sayings: Saying[] = [];
    let before:
      | { readonly piece: TextPiece; readonly standing: Standing | undefined; readonly isNamed: boolean }
      | undefined;
    for (const piece of pieces) {
      const said = text.slice(piece.start, piece.end);
      if (piece.kind === 'heading') heads = [...headingPath.slice(0, 1), said];
      if (piece.kind === 'heading' || piece.kind === 'code') {
        before = undefined;
        continue;
      }
      const isApart =
        piece.kind !== 'sentence' || !before || /\n\s*\n/u.test(text.slice(before.piece.end, piece.start));
      const named = read(said);
      const goesOn = isApart || before?.standing === undefined ? groundNow() : before.standing;
      const standing = named ?? (goesOn === 'beside' ? 'other' : goesOn);
      const from = !named && !isApart && before?.isNamed ? before.piece.start : piece.start;
      if (standing === 'own' || standing === 'beside') sayings.push({ ...piece, standing, from, heads });
      before = { piece, standing, isNamed: named === 'own' };
    }
    return sayings;
  };
}
