// Reads the passages of a context for one question: their pieces, what each holds of the question, what it asks itself, which field it is, and how rare
// the question's words are among them. Invariant: whatever is told of a piece stands in it or in what it names.
import type { SourceSpan } from '../core/document.ts';
import { beginsEntry } from '../text/log-entries.ts';
import type { PieceKind } from '../text/regions.ts';
import type { Context, ContextBlock } from './draft.ts';
import { createMatcher, type Matcher } from './matching.ts';
import type { Question } from './question.ts';
import { bestOf, isAboutAsking, isAsking } from './read-along.ts';
import { passageTerms, piecesOf } from './readings.ts';
import { fieldNamesOf, isNamed, isSought, type SoughtFields, soughtFields } from './sought-fields.ts';
import { joinRecords } from './table-pieces.ts';
import { type AskedDate, askedDates, datedTerms, isAddress } from './talk.ts';
import { type Term, termsOf } from './terms.ts';

export interface Piece extends SourceSpan {
  readonly kind: PieceKind;
  readonly text: string;
  readonly terms: readonly string[];
  readonly matches: readonly number[];
  /** For each question term the index of the content word that matched best, or -1. */
  readonly places: readonly number[];
  readonly isRecord?: true;
  readonly isMessageHead?: true;
  /** Where the record begins that this is a part of. */
  readonly recordAt?: number;
  readonly asked?: readonly number[];
  readonly isSought?: true;
  /** The line above that names the value. */
  readonly label?: SourceSpan;
}

/** The name of the mail that an attachment came with: "the terms of the quotation" stand in quotation.eml/attachments/terms.txt. */
function mailOf(uri: string): string {
  const end = uri.lastIndexOf('/attachments/');
  return end < 0 ? '' : uri.slice(uri.lastIndexOf('/', end - 1) + 1, end).replace(/\.[^.]{1,8}$/u, '');
}

/** What is read of a passage whatever is asked. */
function readEvidence(
  { text, title, headingPath, uri, above, askedAbove = headingPath.at(-1) ?? '' }: ContextBlock['evidence'],
  language: string,
) {
  const names = [title.replaceAll('_', ' '), mailOf(uri), ...headingPath];
  const wordsOf = (written: string): readonly string[] => termsOf(written, language).map(({ term }) => term);
  return {
    words: passageTerms(text, language),
    pieces: joinRecords(text, piecesOf(text, language)),
    title: wordsOf(names.join(' ')),
    above: above === undefined ? undefined : wordsOf(above),
    askedAbove: isAsking(askedAbove) ? wordsOf(askedAbove) : undefined,
  };
}

/** The pieces of a context with what each holds of the question, and how rare the question's words are among them. */
export function matchContext(question: Question, context: Context, language: string) {
  const read = context.blocks.map((block) => ({ block, ...readEvidence(block.evidence, language) }));
  const vocabulary = new Set(
    read.flatMap(({ words, title, above = [], askedAbove = [] }) => [
      ...words.map(({ term }) => term),
      ...title,
      ...above,
      ...askedAbove,
    ]),
  );
  const wanted = question.terms.map((term) => term.term);
  const match = createMatcher(wanted, vocabulary, language);
  const tellsAsking = isAboutAsking(question.text);
  const dates = askedDates(question);
  const sought = soughtFields(question.text, question.terms, language);
  const blocks = read.map(({ block, words, pieces: spans, title, above, askedAbove }) => {
    const { evidence } = block;
    let word = 0;
    const pieces = spans.map((span): Piece => {
      const held: Term[] = [];
      for (let next = words[word]; next && next.start < span.end; next = words[word]) {
        if (next.start >= span.start) held.push(next);
        word += 1;
      }
      const text = evidence.text.slice(span.start, span.end);
      const isTalk = span.kind === 'entry' || span.isRecord === true || span.recordAt !== undefined;
      const about = isTalk
        ? held.filter(({ start, end }) => !isAddress(text, start - span.start, end - span.start))
        : held;
      const terms = held.map(({ term }) => term);
      const all = match(terms);
      const said = {
        ...(about.length === held.length ? all : match(about.map(({ term }) => term))),
        ...(tellsAsking ? {} : askedIn({ ...span, text }, about, match)),
      };
      const matches = bestOf(
        said.matches,
        about.length === held.length ? [] : all.matches.map((found) => found * addressLikeness),
      );
      return withFields(withDates({ ...span, text, terms, ...said, matches }, dates), sought, language);
    });
    return {
      block,
      pieces: withLabels(withEntries(pieces), evidence.text, { sought, language }),
      title: match(title).matches,
      above: above && match(above).matches,
      askedAbove: askedAbove && match(askedAbove).matches,
    };
  });
  const local = localRarity(
    question,
    blocks.flatMap((block) => block.pieces),
  );
  return { wanted, match, blocks, local, weights: normalised(local) };
}

/** A sentence that asks; the question mark of an address is none. */
const askingSentence = /[^.!?？؟…\n]{1,300}[?？؟]+(?=["'”’»)]{0,3}(?:\s|$))/gu;

/** What asks in a piece is not said by it: of a message that says something and asks, only the rest counts. */
function askedIn(
  { kind, isRecord, text, start }: Pick<Piece, 'kind' | 'isRecord' | 'text' | 'start'>,
  held: readonly Term[],
  match: Matcher,
): Partial<Piece> {
  if (!/[?？؟]/u.test(text)) return {};
  const asking = [...text.matchAll(askingSentence)].map(({ index, 0: { length } }) => ({
    from: start + index,
    to: start + index + length,
  }));
  if (asking.length === 0) return {};
  const asks = (term: Term): boolean => asking.some(({ from, to }) => term.start >= from && term.start < to);
  const of = (terms: readonly Term[]) => match(terms.map(({ term }) => term));
  const asked = of(held.filter(asks)).matches;
  return kind === 'entry' || isRecord ? { asked, ...of(held.filter((term) => !asks(term))) } : { asked };
}

/** Who is spoken to is at hand, but seldom who it is about. */
const addressLikeness = 0.4;

/** A long entry is read sentence by sentence: who writes it stands before the first. */
function withEntries(pieces: readonly Piece[]): readonly Piece[] {
  let opening: number | undefined;
  return pieces.map((piece, at) => {
    const begins = piece.kind === 'entry' && beginsEntry(piece.text);
    if (begins) opening = piece.start;
    // Settings are entries without a stamp.
    else if (piece.kind !== 'entry') opening = undefined;
    const next = pieces[at + 1];
    const isAlone = begins && (next?.kind !== 'entry' || beginsEntry(next.text));
    return isAlone || opening === undefined ? piece : { ...piece, recordAt: opening };
  });
}

/** Rows and messages write days in figures. */
function withDates(piece: Piece, dates: readonly AskedDate[]): Piece {
  const dated = new Set(datedTerms(piece.text, dates));
  if (dated.size === 0) return piece;
  return { ...piece, matches: piece.matches.map((match, index) => (dated.has(index) ? 1 : match)) };
}

/** The words of the question that the name of a field says count as said. */
function withFields(piece: Piece, sought: SoughtFields, language: string): Piece {
  if (piece.kind === 'heading' || piece.kind === 'code' || piece.kind === 'entry') return piece;
  const names = fieldNamesOf(piece.text);
  if (names.some((name) => isSought(name, sought)))
    return { ...piece, matches: bestOf(piece.matches, saidBy(sought)), isSought: true };
  // Of several fields each row of a table has the same.
  const [name] = names;
  return name !== undefined && names.length === 1 && isNamed(name, sought, language)
    ? { ...piece, isSought: true }
    : piece;
}

const saidBy = ({ said }: SoughtFields): readonly number[] => said.map((isSaid) => (isSaid ? 1 : 0));

const longestLabel = 40;
const longestValue = 160;
const ended = /[.!?…。！？]["'”’»)]{0,3}$/u;

/** Lists of facts that are written name under name, each with its value below: a short line that the question names, and a short one that is no sentence. */
function withLabels(
  pieces: readonly Piece[],
  text: string,
  { sought, language }: { readonly sought: SoughtFields; readonly language: string },
): readonly Piece[] {
  return pieces.map((piece, at) => {
    const label = pieces[at - 1];
    const isValue =
      label !== undefined &&
      (piece.kind === 'sentence' || piece.kind === 'item') &&
      (label.kind === 'sentence' || label.kind === 'heading') &&
      label.text.length <= longestLabel &&
      piece.text.length <= longestValue &&
      /^\p{Lu}/u.test(label.text) &&
      !/[:\d]|[.!?…;,。！？]$/u.test(label.text) &&
      !ended.test(piece.text) &&
      text.slice(label.end, piece.start).includes('\n');
    if (!isValue) return piece;
    const answers = isSought(label.text, sought);
    if (!answers && !isNamed(label.text, sought, language)) return piece;
    return {
      ...piece,
      matches: bestOf(bestOf(piece.matches, label.matches), answers ? saidBy(sought) : []),
      isSought: true,
      label: { start: label.start, end: label.end },
    };
  });
}

export const idf = (total: number, having: number): number => Math.log(1 + (total - having + 0.5) / (having + 0.5));
/** A word that stands nowhere is rarer than one that stands once. */
export const unseen = 0.3;

/** Rarity of each question term as in BM25's idf, over the pieces of the context. */
function localRarity(question: Question, pieces: readonly Piece[]): number[] {
  return question.terms.map((_, index) =>
    idf(pieces.length, pieces.filter((piece) => (piece.matches[index] ?? 0) >= 1).length),
  );
}

export function normalised(raw: readonly number[]): number[] {
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return total > 0 ? raw.map((weight) => weight / total) : [...raw];
}
