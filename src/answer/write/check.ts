// Decides on one claim of a model: its quotes are found, widened to whole sentences and read back from the record, and the verifier says
// whether they carry it. Invariants: nothing is kept but by verify.ts; a span lies in one passage; a quote cut out of its sentence is
// judged, and cited, with the rest of the sentence, so that no negation is left behind.

import { aroundPassage, lackedCode } from '../../text/codes.ts';
import { type PieceKind, regionsOf } from '../../text/language/regions.ts';
import { isBareLink } from '../../text/pointers.ts';
import { findQuantities, type Quantity, sameAmount } from '../../text/quantities/quantities.ts';
import { countWords, segmentPieces, type TextPiece } from '../../text/sentences.ts';
import { claimTextOf } from '../claim-text.ts';
import type { SpanReader, SpanReference, UndecidedClaim, VerifiedClaim } from '../claims/draft.ts';
import type { NumberedBlock } from '../context/evidence.ts';
import type { Grading } from '../graded-claims.ts';
import { verifyDraft } from '../verify.ts';
import { findLink, toPlainClaim } from './claim-text.ts';
import type { ModelClaim } from './output.ts';
import { type LocatedQuote, locateQuote, type QuotedText, type QuotePlace, toQuotedText } from './quotes.ts';
import type { Relevance } from './relevance.ts';

/** A passage that was shown, ready to be searched for quotes. */
export interface ShownBlock extends NumberedBlock {
  readonly quoted: QuotedText;
  /** Whole sentences, rows and items, however long. */
  readonly sentences: () => readonly TextPiece[];
}

export interface CheckPorts {
  readonly readSpan: SpanReader;
  readonly relevance: Relevance;
  readonly signal?: AbortSignal;
  /** Present: claims in words of their own are graded. */
  readonly grading?: Grading | undefined;
  /** A quote is worth showing for itself, however little of the question it holds: what was said then is asked for. */
  readonly isQuoteEnough?: boolean;
  /** No quote stands in the place of a claim that does not hold: its passage is shown anyway. */
  readonly isAsWrittenOnly?: boolean;
  /** What is said of another code than the one it asks for is no answer. */
  readonly question?: string;
}

export interface CheckedClaim {
  /** As it would be shown: plain text on one line. */
  readonly text: string;
  readonly support: number;
  /** Present: the verifier let it pass. */
  readonly kept?: VerifiedClaim;
  /** Present: as it was written nothing forbids it, but rules cannot tell whether its quotes carry it. `kept` is then its quote. */
  readonly undecided?: UndecidedClaim;
  /** Kept: what was corrected on the way. Not kept: why. */
  readonly reasons: readonly string[];
  /** Where its quotes stand, for a repair. */
  readonly places: readonly QuotePlace[];
}

/** One sentence, list item or table row. */
const mostWords = 60;
const mostCharacters = 4_000;
const mostQuotes = 4;
const mostSentencesAClaim = 4;
/** A quote runs over so many sentences at most; what is longer is no quote. */
const mostSentencesAQuote = 8;
/** A quote is shown in place of the claim that paraphrased it where it holds as much of the question: at least this, and this share. */
const fallback = { leastRelevance: 0.2, share: 0.6 };
/** Refusals over a fact: the claim says something else than its quotes. All other refusals of the verifier are about wording. */
const contradiction = /^(?:number|date|name|unit|bound|negation|direction|quantifier|attribution|condition)-/u;
/** Refusals that are no judgement of words at all. */
const unfit = /^(?:look-alike|hidden-character|claim-too-long|quote-|link-|markup-|empty-|no-|span-|record-)/u;

/** Of those, what says nothing against the claim: it is long, or what it cites cannot be read. */
const unread = /^(?:claim-too-long|record-|span-unknown|text-deleted)/u;

/** A claim that was refused for it says something else than its quotes, or they stand nowhere: it is not only worded otherwise. */
export const saysOtherwise = (reason: string): boolean =>
  contradiction.test(reason) || (unfit.test(reason) && !unread.test(reason));

export function showBlocks(blocks: readonly NumberedBlock[]): ShownBlock[] {
  return blocks.map((numbered) => {
    const { text } = numbered.block.evidence;
    let sentences: readonly TextPiece[] | undefined;
    return {
      ...numbered,
      quoted: toQuotedText(numbered.id, text),
      sentences: () => (sentences ??= segmentPieces(text, { maxWords: 400 })),
    };
  });
}

const textsOf = (blocks: readonly ShownBlock[]): string[] => blocks.map(({ quoted }) => quoted.text);

/** A claim of several sentences as claims of one sentence, each with all quotes. */
export function splitClaim({ text, quotes }: ModelClaim, blocks: readonly ShownBlock[]): ModelClaim[] {
  if (text.length > mostCharacters) return [{ text: text.slice(0, mostCharacters).toWellFormed(), quotes }];
  const plain = toPlainClaim(text, textsOf(blocks)).text;
  // Rows and code are not prose: they stay whole.
  if (regionsOf(plain).some(({ kind }: { kind: PieceKind }) => kind !== 'sentence')) return [{ text, quotes }];
  const sentences = segmentPieces(plain, { maxWords: 400 });
  if (sentences.length < 2 || sentences.length > mostSentencesAClaim) return [{ text, quotes }];
  return sentences.map(({ start, end }) => ({ text: plain.slice(start, end), quotes }));
}

/** Checks one claim. Throws only what the reader throws. */
export async function checkModelClaim(
  claim: ModelClaim,
  blocks: readonly ShownBlock[],
  ports: CheckPorts,
): Promise<CheckedClaim> {
  const { text, notes } = toPlainClaim(claim.text.slice(0, mostCharacters).toWellFormed(), textsOf(blocks));
  const refuse = (reasons: readonly string[], places: readonly QuotePlace[] = [], support = 0): CheckedClaim => ({
    text: text === '' ? '(nothing)' : text,
    support,
    reasons,
    places,
  });
  if (!/[\p{L}\p{N}]/u.test(text)) return refuse(['empty-claim']);
  const words = countWords(text);
  if (words > mostWords || claim.text.length > mostCharacters) return refuse([`claim-too-long: ${words} words`]);

  const located = claim.quotes.slice(0, mostQuotes).flatMap((quote) => locateParts(quote, blocks));
  const found = located.filter((item) => item.found);
  const missing = located.flatMap((item) => (item.found ? [] : [item.reason]));
  if (found.length === 0) return refuse(missing.length > 0 ? missing : ['no-citation']);

  const said = [...notes, ...missing, ...found.flatMap((item) => item.notes)];
  let best: (Refusal & { places: readonly QuotePlace[] }) | undefined;
  const turns = Math.max(...found.map(({ places }) => places.length));
  for (let turn = 0; turn < turns; turn += 1) {
    const places = found.flatMap(({ places: all }) => all[Math.min(turn, all.length - 1)] ?? []);
    const link = findLink(
      text,
      places.flatMap((place) => sentencesAt(place, blocks).map(({ start, end }) => place.block.text.slice(start, end))),
    );
    const verdict = link === undefined ? await judge(text, places, blocks, ports) : { support: 0, reasons: [link] };
    if ('kept' in verdict)
      return {
        text,
        support: verdict.kept.support,
        kept: verdict.kept,
        reasons: [...new Set([...said, ...(verdict.kept.notes ?? [])])],
        places,
      };
    if (!best || verdict.support > best.support) best = { ...verdict, places };
  }
  if (!best) return refuse(['no-citation']);
  const reasons = [...best.reasons, ...missing];
  const open = best.undecided && missing.length === 0 && { undecided: best.undecided };
  const isOut = (reason: string): boolean =>
    unfit.test(reason) || (ports.isQuoteEnough !== true && contradiction.test(reason));
  if (ports.isAsWrittenOnly || best.reasons.some(isOut))
    return { ...refuse(reasons, best.places, best.support), ...open };
  const figure = ports.isQuoteEnough ? undefined : unquotedFigure(text, best.places, blocks);
  if (figure !== undefined) return refuse([...reasons, `number-unquoted: ${figure}`], best.places, best.support);
  const shown = await asQuoted(text, best.places, blocks, ports);
  if (!shown) return { ...refuse(reasons, best.places, best.support), ...open };
  return {
    ...open,
    text: shown.text,
    support: shown.support,
    kept: shown,
    reasons: [
      ...new Set([...said, `shown-as-quoted: instead of "${text.slice(0, 200).toWellFormed()}"`, ...best.reasons]),
    ],
    places: best.places,
  };
}

/** A figure of the claim that no sentence it cites has: these sentences do not say the same in other words. */
function unquotedFigure(
  text: string,
  places: readonly QuotePlace[],
  blocks: readonly ShownBlock[],
): string | undefined {
  const cited = places.flatMap((place) =>
    sentencesAt(place, blocks).map(({ start, end }) => place.block.text.slice(start, end)),
  );
  const amounts = cited.flatMap((sentence) => findQuantities(sentence));
  const digits = new Set(cited.flatMap((sentence) => sentence.match(/\p{Nd}+/gu) ?? []));
  const isQuoted = (one: Quantity): boolean => amounts.some((amount) => sameAmount(amount, one));
  const missing = (text.match(/\p{Nd}+/gu) ?? []).find((figure) => !digits.has(figure));
  return missing !== undefined && !findQuantities(text).some(isQuoted) ? missing : undefined;
}

export const kindOf = (reason: string): string => reason.split(':', 1)[0] ?? reason;

/** A quote that leaves words out with an ellipsis is two quotes. */
function locateParts({ id, quote }: ModelClaim['quotes'][number], blocks: readonly ShownBlock[]): LocatedQuote[] {
  const texts = blocks.map(({ quoted }) => quoted);
  const whole = locateQuote(quote, id, texts);
  if (whole.found) return [whole];
  const parts = quote.split(/(?<!\s)\s*[[(]?(?:…|\.{3,})[\])]?\s*/u).filter((part) => part !== '');
  if (parts.length < 2 || parts.length > 4) return [whole];
  const located = parts.map((part) => locateQuote(part, id, texts));
  return located.every(({ found }) => found) ? located : [whole];
}

function sentencesAt({ block, start, end }: QuotePlace, blocks: readonly ShownBlock[]): TextPiece[] {
  const shown = blocks.find(({ quoted }) => quoted === block);
  return (shown?.sentences() ?? []).filter((piece) => piece.start < end && start < piece.end);
}

function toSpan(block: QuotedText, blocks: readonly ShownBlock[], start: number, end: number): SpanReference[] {
  const evidence = blocks.find(({ quoted }) => quoted === block)?.block.evidence;
  if (!evidence) return [];
  const { documentId, chunkId } = evidence;
  return [{ documentId, chunkId, start: evidence.start + start, end: evidence.start + end }];
}

interface Refusal {
  readonly support: number;
  readonly reasons: readonly string[];
  readonly undecided?: UndecidedClaim;
}
type Verdict = { readonly kept: VerifiedClaim } | Refusal;

/** The verifier's word over the sentences one by one, then over each quote's run of sentences as one: a cut between them may be wrong. */
async function judge(
  text: string,
  places: readonly QuotePlace[],
  blocks: readonly ShownBlock[],
  ports: CheckPorts,
): Promise<Verdict> {
  const runs = places.map((place) => ({ place, pieces: sentencesAt(place, blocks) }));
  const tooLong = runs.find(({ pieces }) => pieces.length > mostSentencesAQuote);
  if (tooLong) return { support: 0, reasons: [`quote-too-long: ${tooLong.pieces.length} sentences`] };
  const single = unique(
    runs.flatMap(({ place, pieces }) => pieces.flatMap(({ start, end }) => toSpan(place.block, blocks, start, end))),
  );
  const first = await verifySpans(text, single, blocks, ports);
  if ('kept' in first || runs.every(({ pieces }) => pieces.length < 2)) return first;
  const whole = unique(
    runs.flatMap(({ place, pieces }) =>
      toSpan(place.block, blocks, pieces[0]?.start ?? place.start, pieces.at(-1)?.end ?? place.end),
    ),
  );
  const second = await verifySpans(text, whole, blocks, ports);
  if ('kept' in second) return second;
  // Quotes whole hold what stands between their sentences, too.
  const { undecided, ...rest } = second.support > first.support ? second : first;
  const best = [first.undecided, second.undecided, undecided].reduce((a, b) =>
    (b?.support ?? -1) > (a?.support ?? -1) ? b : a,
  );
  return best ? { ...rest, undecided: best } : rest;
}

function unique(spans: readonly SpanReference[]): SpanReference[] {
  const bySpan = new Map(spans.map((span) => [`${span.chunkId}\u0000${span.start}\u0000${span.end}`, span] as const));
  return [...bySpan.values()];
}

async function verifySpans(
  text: string,
  spans: readonly SpanReference[],
  blocks: readonly ShownBlock[],
  { readSpan, relevance, signal, grading, question = '' }: CheckPorts,
): Promise<Verdict> {
  const title = blocks.find(({ block }) => block.evidence.chunkId === spans[0]?.chunkId)?.block.evidence.title ?? '';
  const draft = { claims: [{ text, spans, relevance: relevance.of(text, title) }] };
  const { claims, dropped } = await verifyDraft(draft, readSpan, { grading, ...(signal && { signal }) });
  const kept = claims[0];
  const from = blocks.flatMap(({ block: { evidence } }) =>
    spans.some(({ chunkId }) => chunkId === evidence.chunkId) ? [evidence] : [],
  );
  const code = lackedCode(question, [text, ...from.flatMap(aroundPassage)]);
  if (code !== undefined) return { support: kept?.support ?? 0, reasons: [`code-missing: ${code}`] };
  if (kept) return { kept };
  const { support = 0, reasons = ['no-citation'], undecided } = dropped[0] ?? {};
  return { support, reasons, ...(undecided && { undecided }) };
}

/** The sentence among the quotes that answers best, as it stands, if it answers about as much as the claim that paraphrased it. */
async function asQuoted(
  text: string,
  places: readonly QuotePlace[],
  blocks: readonly ShownBlock[],
  ports: CheckPorts,
): Promise<VerifiedClaim | undefined> {
  const pieces = places.flatMap((place) => {
    const evidence = blocks.find(({ quoted }) => quoted === place.block)?.block.evidence;
    return sentencesAt(place, blocks).map((piece) => {
      const written = place.block.text.slice(piece.start, piece.end);
      return {
        place,
        piece,
        written,
        relevance: ports.relevance.of(written, evidence?.title ?? ''),
        title: evidence?.title ?? '',
      };
    });
  });
  const best = pieces
    .filter(
      ({ piece, written }) => piece.kind !== 'heading' && countWords(written) <= mostWords && !isBareLink(written),
    )
    .sort((a, b) => b.relevance - a.relevance)[0];
  if (!best) return undefined;
  const least = ports.isQuoteEnough
    ? 0
    : Math.max(fallback.leastRelevance, fallback.share * ports.relevance.of(text, best.title));
  if (best.relevance < least) return undefined;
  const { place, piece, written } = best;
  const shown = claimTextOf(written, place.block.text);
  if (findLink(shown, [written]) !== undefined) return undefined;
  const verdict = await verifySpans(shown, toSpan(place.block, blocks, piece.start, piece.end), blocks, ports);
  return 'kept' in verdict ? verdict.kept : undefined;
}
