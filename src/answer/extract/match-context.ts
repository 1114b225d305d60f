// Matches the passages of a context with one question: what each of their pieces holds of it and asks of it, which is the field that it wants, and how rare
// its words are among them. Invariant: whatever is told of a piece stands in it or in what it names.
import type { SourceSpan } from '../../core/document.ts';
import type { PieceKind } from '../../text/language/regions.ts';
import type { Context, ContextBlock } from '../claims/draft.ts';
import { createMatcher, type Matcher, withPartsOfNames } from '../question/matching.ts';
import type { Question } from '../question/question.ts';
import { isNamed, isSought, type SoughtFields, soughtFields } from '../question/sought-fields.ts';
import { type AskedDate, askedDates, datedTerms } from '../question/talk.ts';
import { termsOf } from '../question/terms.ts';
import { type PassagePiece, passagePieces } from './passage-pieces.ts';
import { bestOf, isAboutAsking, isAsking } from './read-along.ts';
import { passageTerms } from './readings.ts';
import { asWritten, type WrittenName, writtenNames } from './written-names.ts';

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

/** What is read of a block whatever is asked. */
function readBlock(
  { text, title, headingPath, uri, above, askedAbove = headingPath.at(-1) ?? '' }: ContextBlock['evidence'],
  language: string,
) {
  const names = [title.replaceAll('_', ' '), mailOf(uri), ...headingPath].join(' ');
  const wordsOf = (written: string): readonly string[] => termsOf(written, language).map(({ term }) => term);
  return {
    names,
    words: passageTerms(text, language),
    pieces: passagePieces(text, language),
    title: wordsOf(names),
    above: above === undefined ? undefined : wordsOf(above),
    askedAbove: isAsking(askedAbove) ? wordsOf(askedAbove) : undefined,
  };
}

/** The pieces of a context with what each holds of the question, and how rare the question's words are among them. */
export function matchContext(question: Question, context: Context, language: string) {
  const read = context.blocks.map((block) => ({ block, ...readBlock(block.evidence, language) }));
  const vocabulary = new Set<string>();
  for (const { words, title, above = [], askedAbove = [] } of read) {
    for (const { term } of words) vocabulary.add(term);
    for (const terms of [title, above, askedAbove]) for (const term of terms) vocabulary.add(term);
  }
  const wanted = question.terms.map((term) => term.term);
  const match = withPartsOfNames(createMatcher(wanted, vocabulary, language), question.terms);
  const asks: Asks = {
    match,
    names: writtenNames(question, language),
    tellsAsking: isAboutAsking(question.text),
    dates: askedDates(question),
    sought: soughtFields(question.text, question.terms, language),
    language,
  };
  const blocks = read.map(({ block, names, pieces, title, above, askedAbove }) => ({
    block,
    pieces: withLabels(
      pieces.map((piece) => withFields(withDates(matchPiece(piece, asks), asks.dates), piece.fields, asks)),
      pieces,
      asks,
    ),
    title: asWritten(match(title).matches, names, asks.names),
    above: above && match(above).matches,
    askedAbove: askedAbove && match(askedAbove).matches,
  }));
  const local = localRarity(
    question,
    blocks.flatMap((block) => block.pieces),
  );
  return { wanted, match, blocks, local, weights: normalised(local) };
}

/** What a question wants of pieces. */
interface Asks {
  readonly match: Matcher;
  /** Those that a piece may hold by another word of their family. */
  readonly names: readonly WrittenName[];
  /** It is about what was asked. */
  readonly tellsAsking: boolean;
  readonly dates: readonly AskedDate[];
  readonly sought: SoughtFields;
  readonly language: string;
}

/** Who is spoken to is at hand, but seldom who it is about. */
const addressLikeness = 0.4;

function matchPiece({ own, about, asking }: PassagePiece, { match, names, tellsAsking }: Asks): Piece {
  const all = match(own.terms);
  const told = tellsAsking ? undefined : asking;
  const said = told?.rest ? match(told.rest) : about ? match(about) : all;
  return {
    ...own,
    places: said.places,
    matches: asWritten(
      about
        ? bestOf(
            said.matches,
            all.matches.map((found) => found * addressLikeness),
          )
        : said.matches,
      own.text,
      names,
    ),
    ...(told && { asked: match(told.asked).matches }),
  };
}

/** Rows and messages write days in figures. */
function withDates(piece: Piece, dates: readonly AskedDate[]): Piece {
  const dated = datedTerms(piece.text, dates);
  if (dated.length === 0) return piece;
  return { ...piece, matches: piece.matches.map((match, index) => (dated.includes(index) ? 1 : match)) };
}

/** The words of the question that the name of a field says count as said. */
function withFields(piece: Piece, names: readonly string[], { sought, language }: Asks): Piece {
  if (names.some((name) => isSought(name, sought)))
    return { ...piece, matches: bestOf(piece.matches, saidBy(sought)), isSought: true };
  // Of several fields each row of a table has the same.
  const [name] = names;
  return name !== undefined && names.length === 1 && isNamed(name, sought, language)
    ? { ...piece, isSought: true }
    : piece;
}

const saidBy = ({ said }: SoughtFields): readonly number[] => said.map((isSaid) => (isSaid ? 1 : 0));

/** A line above that the question names tells what the value below it is. */
function withLabels(
  pieces: readonly Piece[],
  read: readonly PassagePiece[],
  { sought, language }: Asks,
): readonly Piece[] {
  return pieces.map((piece, at) => {
    const label = pieces[at - 1];
    if (label === undefined || read[at]?.mayHaveLabel !== true) return piece;
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
