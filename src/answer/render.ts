// Builds the text of an answer from verified claims: each claim followed by the `[n]` of its citations, which are numbered
// in order of first use and listed once per span. The stream and the final answer are made of the same parts. Invariant: what is told is inert.
import {
  type Agreement,
  answerVersion,
  type Citation,
  type Claim,
  type ClaimKind,
  type Conflict,
} from '../core/answer.ts';
import { answerPieces, isPassage } from '../core/answers/answer-text.ts';
import { toInert } from '../core/answers/inert-text.ts';
import { citedOrigin, originUrl } from '../core/answers/span-origin.ts';
import { joinMarked, type Mark, type MarkedText } from '../core/marked-text.ts';
import type { Evidence } from '../core/search.ts';
import type { PassageFacts, VerifiedSpan } from './claims/draft.ts';

/** A claim that the verifier let pass, with what the record holds at its spans. */
export interface RenderableClaim extends PassageFacts {
  readonly text: string;
  /** 0..1. */
  readonly support: number;
  readonly spans: readonly VerifiedSpan[];
  /** Default: quoted. */
  readonly kind?: ClaimKind;
  readonly derivation?: string;
  readonly judgedBy?: string;
  readonly fromQuestion?: readonly string[];
}

export interface RenderableConflict extends Pick<Conflict, 'about' | 'kind' | 'judgedBy' | 'follows'> {
  readonly positions: readonly { readonly statement: string; readonly spans: readonly VerifiedSpan[] }[];
}

export interface RenderableAgreement {
  /** The place of the claim among those of the request, from 1. */
  readonly claim: number;
  readonly spans: readonly VerifiedSpan[];
}

export interface RenderRequest {
  readonly claims: readonly RenderableClaim[];
  /** The passages that were chosen for the question, where a sentence leads to them. */
  readonly passages?: readonly RenderableClaim[];
  /** Claims that nothing confirms: they stand behind the others, and in no text. */
  readonly reworded?: readonly RenderableClaim[];
  /** What the claims were composed from: gives citations their scores and other places. */
  readonly evidence: readonly Evidence[];
  /** What the sources disagree about, each position with what the record holds at its spans. */
  readonly conflicts?: readonly RenderableConflict[];
  /** Which claims other sources say too. */
  readonly agreements?: readonly RenderableAgreement[];
  /** The claims are what comes closest, and the text opens with a sentence that says so. */
  readonly closestPassages?: boolean;
  /** Nothing is asserted for this reason: the claims are the passages that come closest. */
  readonly abstainReason?: string;
  /** Makes the address that opens a span highlighted. */
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
}

export interface RenderedPart {
  /** The text to append; parts joined are the answer. */
  readonly text: string;
  /** Of this part, at their places in the whole answer. */
  readonly marks: readonly Mark[];
  /** Citations used here for the first time. */
  readonly citations: readonly Citation[];
}

export interface RenderedAnswer {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly claims: Claim[];
  /** Absent: a model wrote the claims. */
  readonly passages?: Claim[];
  readonly citations: Citation[];
  readonly conflicts: Conflict[];
  /** Absent: none. */
  readonly agreements?: Agreement[];
  readonly parts: readonly RenderedPart[];
  /** The text opens with the sentence that says that the claims are what comes closest. */
  readonly closestPassages?: true;
}

/** Renders claims in their order, and what the sources agree and disagree about after them. Claims without a span are left out: nothing is said without a citation. */
export function renderAnswer(request: RenderRequest): RenderedAnswer {
  const citations: Citation[] = [];
  const claims: Claim[] = [];
  /** How many citations are used up to the end of each piece of the text. */
  const used: number[] = [];
  const bySpan = new Map<string, number>();
  const byChunk = new Map(request.evidence.map((item) => [item.chunkId, item] as const));
  const cite = (spans: readonly VerifiedSpan[]): number[] => {
    const indexes: number[] = [];
    for (const span of spans) {
      const key = `${span.documentId}\u0000${span.start}\u0000${span.end}`;
      let index = bySpan.get(key);
      if (index === undefined) {
        index = citations.length + 1;
        bySpan.set(key, index);
        citations.push(toCitation(index, span, byChunk.get(span.chunkId), request.spanUrl));
      }
      if (!indexes.includes(index)) indexes.push(index);
    }
    return indexes;
  };
  const places: number[] = [];
  for (const claim of request.claims) {
    places.push(0);
    if (claim.spans.length === 0 || claim.text.trim() === '') continue;
    claims.push(toClaim(claim, cite));
    places[places.length - 1] = claims.length;
    used.push(citations.length);
  }
  const agreements: Agreement[] = [];
  for (const { claim, spans } of request.agreements ?? []) {
    const place = places[claim - 1] ?? 0;
    if (place === 0 || spans.length === 0) continue;
    agreements.push({ claim: place, citations: cite(spans) });
    used.push(citations.length);
  }
  const conflicts: Conflict[] = [];
  for (const { about, kind, judgedBy, follows, positions } of claims.length === 0 ? [] : (request.conflicts ?? [])) {
    conflicts.push({
      about: toInert(about),
      ...(kind && { kind }),
      ...(judgedBy !== undefined && { judgedBy }),
      positions: positions.map(({ statement, spans }) => ({
        statement: toInert(statement),
        citations: cite(spans),
      })),
      ...(follows && { follows }),
    });
    used.push(citations.length);
  }
  // Their citations stand behind all that the text has, which is streamed before.
  const chosen = request.passages?.map((one) => toClaim(one, cite)) ?? claims.filter(isPassage);
  const unconfirmed = claims.length === 0 ? [] : (request.reworded ?? []).map((one) => toClaim(one, cite));
  const closestPassages = request.closestPassages === true && claims.length > 0;
  const { abstainReason } = request;
  const pieces = answerPieces(
    abstainReason === undefined
      ? { claims, conflicts, agreements, closestPassages, version: answerVersion }
      : { claims: [], passages: claims, conflicts, agreements, abstainReason, version: answerVersion },
  );
  const { text, marks } = joinMarked(pieces);
  return {
    text,
    marks,
    claims: [...claims, ...unconfirmed],
    ...(chosen.length > 0 && abstainReason === undefined && { passages: chosen }),
    citations,
    conflicts,
    ...(agreements.length > 0 && { agreements }),
    parts: partsOf(pieces, { marks, citations, used }),
    ...(closestPassages && { closestPassages }),
  };
}

/** Nobody cites a heading, so none brings an address into an answer. */
const isSafeHeading = (heading: string): boolean => !/\/\/|\bwww\.|\S@\S/u.test(heading);

function toClaim(claim: RenderableClaim, cite: (spans: readonly VerifiedSpan[]) => number[]): Claim {
  const { text, support, kind = 'quoted', derivation, judgedBy, fromQuestion, form, headingPath, pinpoint } = claim;
  return {
    text: toInert(text),
    citations: cite(claim.spans),
    support,
    kind,
    ...(derivation !== undefined && { derivation }),
    ...(judgedBy !== undefined && { judgedBy }),
    ...(fromQuestion && { fromQuestion: fromQuestion.map(toInert) }),
    ...(headingPath && { headingPath: headingPath.filter(isSafeHeading).map(toInert) }),
    ...(form && { form, confirmed: true }),
    ...(kind === 'reworded' && { confirmed: false }),
    ...(pinpoint && { pinpoint: { start: pinpoint.start, end: pinpoint.end } }),
  };
}

function partsOf(
  pieces: readonly MarkedText[],
  {
    marks,
    citations,
    used,
  }: { readonly marks: readonly Mark[]; readonly citations: readonly Citation[]; readonly used: readonly number[] },
): RenderedPart[] {
  let from = 0;
  return pieces.map((piece, at) => {
    const own = marks.slice(from, from + piece.marks.length);
    from += own.length;
    return { text: piece.text, marks: own, citations: citations.slice(used[at - 1] ?? 0, used[at]) };
  });
}

function toCitation(
  index: number,
  span: VerifiedSpan,
  evidence: Evidence | undefined,
  spanUrl: RenderRequest['spanUrl'],
): Citation {
  return {
    index,
    documentId: span.documentId,
    chunkId: span.chunkId,
    title: span.title,
    uri: span.uri,
    url: originUrl(span.origin) ?? spanUrl(span.documentId, span),
    source: span.source,
    ...(span.page !== undefined && { page: span.page }),
    ...(span.lines && { lines: [span.lines[0], span.lines[1]] as [number, number] }),
    ...(span.place !== undefined && { place: span.place }),
    quote: span.written ?? span.quote,
    start: span.start,
    end: span.end,
    score: evidence?.score ?? 0,
    alsoIn: evidence?.alsoIn.map((place) => ({ ...place })) ?? [],
    ...citedOrigin(span.origin),
    ...(evidence?.trust && { trust: evidence.trust }),
    ...(evidence?.retrievedAt !== undefined && { retrievedAt: evidence.retrievedAt }),
  };
}
