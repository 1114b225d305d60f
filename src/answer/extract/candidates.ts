// Turns a context into candidates for claims: every sentence, list item and table row of its chunks, each with the
// features that say how far it answers the question. All features lie in 0..1 and are explained at `Features`.
import type { SourceSpan } from '../../core/document.ts';
import type { Evidence } from '../../core/search.ts';
import { declarationTest } from '../../text/declarations.ts';
import { definedIn, isDefinition } from '../../text/definitions.ts';
import { guessLanguage } from '../../text/language/language.ts';
import type { PieceKind } from '../../text/language/regions.ts';
import type { Context, ContextBlock } from '../claims/draft.ts';
import type { Question } from '../question/question.ts';
import { isOfRegionAlone, typeFit } from '../question/typed-spans.ts';
import { explainsSubject } from '../tables/glossary.ts';
import { headersOf } from './joined-pieces.ts';
import { idf, matchContext, normalised, type Piece, unseen } from './match-context.ts';
import { bestOf, isAsking, readAlong } from './read-along.ts';
import { passageLanguage, unknownLanguage } from './readings.ts';

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
  /** 1 where a field has the name that the question wants. */
  readonly sought: number;
  /** 1 where the passage is in another language than the question, as far as both can be told. */
  readonly foreign: number;
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
  /** The head of a message, where the question is not about the message; a short field of a long record. */
  readonly isAside?: true;
  /** Names the columns of a table. */
  readonly isHeader?: true;
  /** The line that names the value. */
  readonly label?: SourceSpan;
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

export interface CandidateOptions {
  /** Language that question and context are read in. */
  readonly language: string;
  readonly statistics?: CollectionStatistics | undefined;
}

/** `weights` of the candidates, without the candidates. */
export function weightsOf(question: Question, context: Context, language: string): CandidateSet['weights'] {
  return matchContext(question, context, language).weights;
}

/** Builds the candidates of a context; linear in its length. */
// oxlint-disable-next-line complexity, max-lines-per-function -- The pieces of all blocks are measured against one set of terms.
export function candidatesOf(question: Question, context: Context, options: CandidateOptions): CandidateSet {
  const { language, statistics } = options;
  const { wanted, match, blocks, local, weights } = matchContext(question, context, language);
  const global = collectionRarity(question, local, statistics);
  const shareBy =
    (rarity: readonly number[]) =>
    (matches: readonly number[]): number =>
      matches.reduce((sum, match, index) => sum + match * (rarity[index] ?? 0), 0);
  const share = shareBy(weights);
  // In settings "which version of chrono" is told by the line of chrono, not by the one of another's version.
  const shareOfEntry = shareBy(normalised(weights.map((weight, index) => weight * (question.emphasis[index] ?? 1))));
  const best = Math.max(...context.blocks.map((block) => block.evidence.score), Number.MIN_VALUE);
  const candidates: Candidate[] = [];
  const asksOfMessage = messageWords.test(question.text);
  const spoken = guessLanguage(question.text, [unknownLanguage]);
  const defined = question.type === 'definition' ? definedIn(question.text) : undefined;
  const declared = declarationTest(question.text);
  for (const [blockIndex, { block, pieces: plain, title, ...above }] of blocks.entries()) {
    const isCode = block.evidence.sourceType === 'code';
    const headers = headersOf(plain, block.evidence.text);
    const headings = new Set(headers.values());
    const isForeign =
      spoken !== unknownLanguage && ![spoken, unknownLanguage].includes(passageLanguage(block.evidence.text));
    const along = readAlong(plain, { text: block.evidence.text, headers, title, ...above, asksOfMessage, share });
    const pieces = plain.map((piece) => {
      const others = along.get(piece);
      return others ? { ...piece, matches: bestOf(piece.matches, others) } : piece;
    });
    const chunkMatches = wanted.map((_, index) => Math.max(0, ...pieces.map((piece) => piece.matches[index] ?? 0)));
    const chunk = share(chunkMatches);
    for (const [pieceIndex, piece] of pieces.entries()) {
      // What stands in another row is not said of this one.
      const neighbour = (other: Piece | undefined): readonly number[] | undefined =>
        (piece.kind === 'row' && (other?.kind === 'row' || piece.isRecord)) ||
        (piece.kind === 'entry' && !isAsked(other)) ||
        (isField(piece) && isField(other))
          ? undefined
          : other?.matches;
      const beyond = (other: readonly number[] | undefined): number =>
        other ? share(other.map((match, index) => Math.max(0, match - (piece.matches[index] ?? 0)))) : 0;
      const isGlossed = piece.kind === 'row' && defined !== undefined && explainsSubject(piece.text, defined);
      const fit = isGlossed ? 1 : typeFit(question, piece.text);
      const isAside = piece.isMessageHead === true && !asksOfMessage;
      const declares = declared?.(piece.text, isCode) === true;
      candidates.push({
        ...(isAside && { isAside }),
        ...(headings.has(plain[pieceIndex] ?? piece) && { isHeader: true as const }),
        ...(piece.label && { label: shifted(piece.label, block.evidence.start) }),
        block,
        blockIndex,
        pieceIndex,
        span: shifted(piece, block.evidence.start),
        text: piece.text,
        kind: piece.kind,
        matches: piece.matches,
        terms: new Set(piece.terms),
        features: {
          coverage: piece.kind === 'entry' ? shareOfEntry(piece.matches) : share(piece.matches),
          before: beyond(neighbour(pieces[pieceIndex - 1])),
          after: beyond(neighbour(pieces[pieceIndex + 1])),
          titled: beyond(title),
          chunk,
          score: Math.max(0, block.evidence.score / best),
          rank: 1 / (blockIndex + 1),
          fit,
          order: orderOf(piece.places),
          density: densityOf(piece.places),
          length: Math.min(1, Math.log1p(piece.terms.length) / Math.log(31)),
          marginal:
            isAside || (question.type === 'place' && isOfRegionAlone(question.text, piece.text))
              ? 1
              : declares || isGlossed
                ? 0
                : marginalOf(plain[pieceIndex] ?? piece, headings),
          echo:
            question.type !== 'yes-no' &&
            piece.terms.every((term) => labels.has(term) || match([term]).matches.includes(1))
              ? 1
              : 0,
          opening: 1 / (pieceIndex + 1),
          sought:
            !isAside &&
            (declares || isGlossed || piece.isSought || (defined !== undefined && isDefinition(defined, piece.text)))
              ? 1
              : 0,
          foreign: isForeign ? 1 : 0,
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

/** The store that answers by words of the scale that confidence was fitted on. */
const ownStore = 'embedded';

/**
 * Confidence was fitted on scores by words, and joined ones lie on another scale: there a block counts what its words score, as much
 * of it as its passage kept, and a block found by our meaning alone nothing. One that only another store found, by a model of its own, counts
 * what its place in the joined list is worth: as large a share of the best score by words as of the best joined one.
 */
function scoresByWords(context: Context): CandidateSet['blockScores'] {
  const found = context.blocks.map(({ evidence }) => ({ evidence, bm25: ownWords(evidence) }));
  const bestByWords = Math.max(0, ...found.map(({ bm25 }) => bm25 ?? 0));
  const bestJoined = Math.max(0, ...found.map(({ evidence }) => evidence.scores.fused));
  const byWords = found.some(({ bm25 }) => bm25 !== undefined);
  return found.map(({ evidence: { documentId, score, scores, ranks, stores }, bm25 }) => {
    if ((ranks['hybrid'] ?? ranks['federated']) === undefined || !byWords) return { documentId, score, bm25 };
    const kept = scores.fused > 0 ? score / scores.fused : 0;
    const elsewhere = isElsewhere(stores) && bestJoined > 0 ? (bestByWords * scores.fused) / bestJoined : 0;
    return { documentId, score: (bm25 ?? elsewhere) * kept, bm25 };
  });
}

const isElsewhere = (stores: readonly string[]): boolean => stores.some((name) => name !== ownStore);

/** Scores by words of other stores lie on other scales. */
const ownWords = ({ scores, ranks, stores }: Evidence): number | undefined =>
  isElsewhere(stores) && ranks[ownStore] === undefined ? undefined : scores.bm25;

const shifted = ({ start, end }: SourceSpan, by: number): SourceSpan => ({ start: start + by, end: end + by });

/** Words that stand before names and numbers, as search spells them: with what was asked for alone they tell nothing. */
const labels: ReadonlySet<string> = new Set(
  'name number no nr id titl type kind code ref refer subject nummer bezeichnung titel betreff'.split(' '),
);

/** Words of questions about a message itself. */
const messageWords =
  /\b(?:sen[dt]s?|sender|senders|wr[io]te|written|wrote|e-?mail(?:ed|s)?|mails?|messages?|letters?|received?|recipients?|repl(?:y|ied)|from whom|to whom|attach\p{L}*|subject|geschickt|gesendet|geschrieben|schrieb|nachricht|absender|empfänger)\b/iu;

/** One of several lines such as "Due date: 16 March": it says nothing of the others. */
const isField = (piece: Piece | undefined): boolean =>
  piece !== undefined &&
  piece.text.length <= longestField &&
  /^[^:|.!?]{1,40}:\s\S/u.test(piece.text) &&
  !isAsking(piece.text);
const longestField = 60;

/** A message that asks belongs to the one that follows it; other entries say nothing of each other. */
const isAsked = (piece: Piece | undefined): boolean => piece?.kind === 'entry' && isAsking(piece.text);

function marginalOf(piece: Piece, headings: ReadonlySet<Piece>): number {
  if (piece.isSought && !headings.has(piece)) return 0;
  if (piece.kind === 'sentence' || piece.kind === 'item' || piece.kind === 'entry') return 0;
  if (piece.kind !== 'row') return 1;
  return headings.has(piece) ? 1 : 0.3;
}

/** A word that stands in nearly every chunk still says a little. */
const leastRarity = 0.2;

/** Rarity over the chunks of the whole collection, where that is known. */
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
  let [found, first, last] = [0, Number.POSITIVE_INFINITY, -1];
  for (const place of places) {
    if (place < 0) continue;
    found += 1;
    first = Math.min(first, place);
    last = Math.max(last, place);
  }
  return found < 2 ? 0 : Math.min(1, found / (last - first + 1));
}
