// Turns a context into candidates for claims: every sentence, list item and table row of its chunks, each with the
// features that say how far it answers the question. All features lie in 0..1 and are explained at `Features`.
import type { SourceSpan } from '../core/document.ts';
import type { Evidence } from '../core/search.ts';
import type { PieceKind } from '../text/regions.ts';
import type { Context, ContextBlock } from './draft.ts';
import { createMatcher } from './matching.ts';
import type { Question } from './question.ts';
import { passageTerms, piecesOf } from './readings.ts';
import { termsOf } from './terms.ts';
import { typeFit } from './typed-spans.ts';

/** How rare terms are in the whole collection. Without it rarity is judged within the context alone. */
export interface CollectionStatistics {
  readonly chunks: number;
  /** Chunks that hold each term (as the search spells it); a term that is missing is judged within the context. */
  readonly frequencies: Readonly<Record<string, number>>;
}

export interface Features {
  /** Share of the question's terms found in the piece, each weighted by its rarity. */
  readonly coverage: number;
  /** The same in the sentence before, counting only what the piece itself lacks. */
  readonly before: number;
  readonly after: number;
  /** What title and headings add to the piece. */
  readonly titled: number;
  /** Share found anywhere in the chunk. */
  readonly chunk: number;
  /** Retrieval score relative to the best. */
  readonly score: number;
  /** 1 / rank of the chunk. */
  readonly rank: number;
  /** Does the piece hold a value of the kind asked for? */
  readonly fit: number;
  /** Share of neighbouring question terms that stand close together in the piece in the same order. */
  readonly order: number;
  /** How densely the found terms stand together. */
  readonly density: number;
  /** Content words, log scaled, 30 = 1. */
  readonly length: number;
  /** Heading, column names or code rather than prose; table rows a little. */
  readonly marginal: number;
  /** 1 where the piece has no word beyond the question's: an echo answers nothing but yes or no. */
  readonly echo: number;
  /** Position in the document's chunk: 1 for the first piece. */
  readonly opening: number;
}

export interface Candidate {
  readonly block: ContextBlock;
  readonly blockIndex: number;
  readonly pieceIndex: number;
  /** Offsets in the document. */
  readonly span: SourceSpan;
  readonly text: string;
  readonly kind: PieceKind;
  /** Match of each question term, 0..1, in the order of `question.terms`. */
  readonly matches: readonly number[];
  readonly terms: ReadonlySet<string>;
  readonly features: Features;
}

export interface CandidateSet {
  readonly candidates: readonly Candidate[];
  /** Rarity of each question term, in the order of `question.terms`; sums to 1 unless there are none. */
  readonly weights: readonly number[];
  /**
   * Rarity in the whole collection, as far as known, times how much each term matters (`question.emphasis`); sums to 1.
   * For judging whether the evidence answers, not for ranking.
   */
  readonly needs: readonly number[];
  /** Sum of the terms' rarities in the collection, as in BM25's idf; undefined without statistics. */
  readonly rarity: number | undefined;
  /** Match of each question term in title and headings, for each block. */
  readonly titles: readonly (readonly number[])[];
  readonly blockScores: readonly {
    readonly documentId: string;
    /** What the question's words score there; the retrieval score where no block was found by words. */
    readonly score: number;
    readonly bm25: number | undefined;
  }[];
}

interface Piece extends SourceSpan {
  readonly kind: PieceKind;
  readonly text: string;
  readonly terms: readonly string[];
  readonly matches: readonly number[];
  /** For each question term the index of the content word that matched best, or -1. */
  readonly places: readonly number[];
}

export interface CandidateOptions {
  /** Language that question and context are read in. */
  readonly language: string;
  readonly statistics?: CollectionStatistics | undefined;
}

/** What is read of a passage whatever is asked. */
function readEvidence({ text, title, headingPath }: Evidence, language: string) {
  return {
    words: passageTerms(text, language),
    pieces: piecesOf(text, language),
    title: termsOf(`${title.replaceAll('_', ' ')} ${headingPath.join(' ')}`, language).map(({ term }) => term),
  };
}

/** The pieces of a context with what each holds of the question, and how rare the question's words are among them. */
function matchContext(question: Question, context: Context, language: string) {
  const read = context.blocks.map((block) => ({ block, ...readEvidence(block.evidence, language) }));
  const vocabulary = new Set([
    ...read.flatMap(({ words }) => words.map(({ term }) => term)),
    ...read.flatMap(({ title }) => title),
  ]);
  const wanted = question.terms.map((term) => term.term);
  const match = createMatcher(wanted, vocabulary, language);
  const blocks = read.map(({ block, words, pieces: spans, title }) => {
    const { evidence } = block;
    let word = 0;
    const pieces = spans.map((span): Piece => {
      const terms: string[] = [];
      for (let next = words[word]; next && next.start < span.end; next = words[word]) {
        if (next.start >= span.start) terms.push(next.term);
        word += 1;
      }
      return { ...span, text: evidence.text.slice(span.start, span.end), terms, ...match(terms) };
    });
    return { block, pieces, title: match(title).matches };
  });
  const local = localRarity(
    question,
    blocks.flatMap((block) => block.pieces),
  );
  return { wanted, match, blocks, local, weights: normalised(local) };
}

/** `weights` of the candidates, without the candidates. */
export function weightsOf(question: Question, context: Context, language: string): CandidateSet['weights'] {
  return matchContext(question, context, language).weights;
}

/** Builds the candidates of a context; linear in its length. */
export function candidatesOf(question: Question, context: Context, options: CandidateOptions): CandidateSet {
  const { language, statistics } = options;
  const { wanted, match, blocks, local, weights } = matchContext(question, context, language);
  const global = collectionRarity(question, local, statistics);
  const share = (matches: readonly number[]): number =>
    matches.reduce((sum, match, index) => sum + match * (weights[index] ?? 0), 0);
  const best = Math.max(...context.blocks.map((block) => block.evidence.score), Number.MIN_VALUE);
  const candidates: Candidate[] = [];
  for (const [blockIndex, { block, pieces: plain, title }] of blocks.entries()) {
    const headers = headersOf(plain);
    const headings = new Set(headers.values());
    // A table row is read together with its column names.
    const pieces = plain.map((piece) => {
      const header = headers.get(piece);
      const matches = piece.matches.map((match, index) => Math.max(match, header?.matches[index] ?? 0));
      return header ? { ...piece, matches } : piece;
    });
    const chunkMatches = wanted.map((_, index) => Math.max(0, ...pieces.map((piece) => piece.matches[index] ?? 0)));
    const chunk = share(chunkMatches);
    for (const [pieceIndex, piece] of pieces.entries()) {
      const beyond = (other: readonly number[] | undefined): number =>
        other ? share(other.map((match, index) => Math.max(0, match - (piece.matches[index] ?? 0)))) : 0;
      candidates.push({
        block,
        blockIndex,
        pieceIndex,
        span: { start: block.evidence.start + piece.start, end: block.evidence.start + piece.end },
        text: piece.text,
        kind: piece.kind,
        matches: piece.matches,
        terms: new Set(piece.terms),
        features: {
          coverage: share(piece.matches),
          before: beyond(pieces[pieceIndex - 1]?.matches),
          after: beyond(pieces[pieceIndex + 1]?.matches),
          titled: beyond(title),
          chunk,
          score: Math.max(0, block.evidence.score / best),
          rank: 1 / (blockIndex + 1),
          fit: typeFit(question, piece.text),
          order: orderOf(piece.places),
          density: densityOf(piece.places),
          length: Math.min(1, Math.log1p(piece.terms.length) / Math.log(31)),
          marginal: marginalOf(piece, headings),
          echo: question.type !== 'yes-no' && piece.terms.every((term) => match([term]).matches.includes(1)) ? 1 : 0,
          opening: 1 / (pieceIndex + 1),
        },
      });
    }
  }
  return {
    candidates,
    weights,
    needs: normalised(global.map((weight, index) => weight * (question.emphasis[index] ?? 1))),
    rarity: statistics && global.reduce((sum, weight) => sum + weight, 0),
    titles: blocks.map((block) => block.title),
    blockScores: scoresByWords(context),
  };
}

/**
 * Confidence was fitted on scores by words, and joined ones lie on another scale: there a block counts what its words score, as much
 * of it as its passage kept, and a block found by meaning alone nothing.
 */
function scoresByWords(context: Context): CandidateSet['blockScores'] {
  const found = context.blocks.map(({ evidence }) => evidence);
  const byWords = found.some(({ scores }) => scores.bm25 !== undefined);
  return found.map(({ documentId, score, scores, ranks }) => {
    const joined = ranks['hybrid'] !== undefined && byWords;
    const kept = scores.fused > 0 ? score / scores.fused : 0;
    return { documentId, score: joined ? (scores.bm25 ?? 0) * kept : score, bm25: scores.bm25 };
  });
}

/** For each row of a table the row of column names above it: a first row without digits, told apart from the data. */
function headersOf(pieces: readonly Piece[]): ReadonlyMap<Piece, Piece> {
  const headers = new Map<Piece, Piece>();
  let header: Piece | undefined;
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind !== 'row') header = undefined;
    else if (header) headers.set(piece, header);
    else if (pieces[index + 1]?.kind === 'row' && !/\d/.test(piece.text)) header = piece;
  }
  return headers;
}

function marginalOf(piece: Piece, headings: ReadonlySet<Piece>): number {
  if (piece.kind === 'sentence' || piece.kind === 'item') return 0;
  if (piece.kind !== 'row') return 1;
  return headings.has(piece) ? 1 : 0.3;
}

const idf = (total: number, having: number): number => Math.log(1 + (total - having + 0.5) / (having + 0.5));
/** A word that stands in nearly every chunk still says a little. */
const leastRarity = 0.2;
/** A word that stands nowhere is rarer than one that stands once. */
const unseen = 0.3;

/** Rarity of each question term as in BM25's idf, over the pieces of the context. */
function localRarity(question: Question, pieces: readonly Piece[]): number[] {
  return question.terms.map((_, index) =>
    idf(pieces.length, pieces.filter((piece) => (piece.matches[index] ?? 0) >= 1).length),
  );
}

/** The same over the chunks of the whole collection, where that is known. */
function collectionRarity(
  question: Question,
  local: readonly number[],
  statistics: CollectionStatistics | undefined,
): number[] {
  return question.terms.map(({ term }, index) => {
    const frequency = statistics?.frequencies[term];
    if (!statistics || frequency === undefined) return local[index] ?? 0;
    return Math.max(leastRarity, idf(statistics.chunks, Math.min(statistics.chunks, frequency || unseen)));
  });
}

function normalised(raw: readonly number[]): number[] {
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return total > 0 ? raw.map((weight) => weight / total) : [...raw];
}

function orderOf(places: readonly number[]): number {
  let pairs = 0;
  let kept = 0;
  for (let index = 0; index + 1 < places.length; index += 1) {
    const first = places[index] ?? -1;
    const second = places[index + 1] ?? -1;
    pairs += 1;
    if (first >= 0 && second > first && second - first <= 3) kept += 1;
  }
  return pairs === 0 ? 0 : kept / pairs;
}

function densityOf(places: readonly number[]): number {
  const found = places.filter((place) => place >= 0).sort((a, b) => a - b);
  const first = found[0];
  const last = found.at(-1);
  if (first === undefined || last === undefined || found.length < 2) return 0;
  return Math.min(1, found.length / (last - first + 1));
}
