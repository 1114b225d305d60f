// The gate of the product: nothing is cited that the record does not hold at that very place for this caller, and no claim
// passes that its quotes do not support. Two layers, reported apart: the mechanical one (span, text, provenance) is exact;
// the support of claim by quote (support.ts) is a measured judgement (docs/verification.md).

import { type Answer, answerSchema, type Citation, type Claim } from '../core/answer.ts';
import { citedOrigin } from '../core/answers/span-origin.ts';
import { turnPath } from '../core/archive.ts';
import { sessionTurnPath } from '../core/conversation.ts';
import { FootnoteError, isFootnoteError } from '../core/errors.ts';
import { inPieces } from '../core/waiting/pieces.ts';
import type {
  ClaimVerdict,
  Draft,
  DraftClaim,
  DroppedClaim,
  SpanReader,
  SpanReference,
  UndecidedClaim,
  VerifiedClaim,
  VerifiedDraft,
  VerifiedSpan,
} from './claims/draft.ts';
import { keptPassage, passageReasons } from './claims/passage-check.ts';
import { type Grading, graded, vetoesOfClaim } from './graded-claims.ts';
import { noteReasons } from './note-reasons.ts';
import { derivationOf } from './support/derived.ts';
import { readByColumns } from './support/rows.ts';
import { supportOf } from './support.ts';
import { wholeReasons } from './whole-answer.ts';

export interface CitationCheck {
  readonly index: number;
  readonly ok: boolean;
  readonly reasons: readonly string[];
}

export interface ClaimCheck {
  readonly text: string;
  readonly ok: boolean;
  readonly support: number;
  /** Of a judged claim that holds as well: `recorded-as-judged`, which no rule checks again. */
  readonly reasons: readonly string[];
}

export interface AnswerCheck {
  readonly answerId: string;
  readonly ok: boolean;
  readonly citations: readonly CitationCheck[];
  readonly claims: readonly ClaimCheck[];
  /** What is wrong with the answer as a whole. */
  readonly reasons: readonly string[];
}

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  /** Present: claims in words of their own are graded, and those that nothing forbids are handed back with their spans and their grade. */
  readonly grading?: Grading | undefined;
}

/** Where `supported` begins. */
const leastSupport = 0.5;

interface SpanCheck {
  readonly span?: VerifiedSpan;
  readonly reasons: readonly string[];
}

/** Reads one span from the record; a span that is malformed, unknown or damaged gives reasons instead. */
async function readChecked(reference: SpanReference, reader: SpanReader, signal?: AbortSignal): Promise<SpanCheck> {
  const { start, end } = reference;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end <= start)
    return { reasons: [`span-invalid: ${start}..${end}`] };
  let span: VerifiedSpan | undefined;
  try {
    span = await reader({ documentId: reference.documentId, chunkId: reference.chunkId, start, end }, signal);
  } catch (error) {
    if (isFootnoteError(error) && error.code === 'data-corrupt')
      return { reasons: [`record-corrupt: ${reference.documentId}`] };
    throw error;
  }
  if (!span) return { reasons: [`span-unknown: ${reference.chunkId} at ${start}..${end}`] };
  // The reader is a port: what it hands back must be what was asked for.
  const same =
    span.documentId === reference.documentId &&
    span.chunkId === reference.chunkId &&
    span.start === start &&
    span.end === end;
  if (!same || span.quote.length !== end - start)
    return { reasons: [`span-unknown: ${reference.chunkId} at ${start}..${end}`] };
  if (span.written !== undefined && span.quote.trim() === '')
    return { reasons: [`text-deleted: all of ${start}..${end} is struck out`] };
  return { span, reasons: [] };
}

/**
 * The mechanical check of one citation: its span exists for this caller in the document's present revision, its quote is
 * the record's text there, character for character, and page, lines, title, uri and source are the record's.
 */
export async function verifyCitation(
  citation: Citation,
  reader: SpanReader,
  signal?: AbortSignal,
): Promise<CitationCheck> {
  const { check } = await checkCitation(citation, reader, signal);
  return check;
}

async function checkCitation(
  citation: Citation,
  reader: SpanReader,
  signal?: AbortSignal,
): Promise<{ check: CitationCheck; span?: VerifiedSpan }> {
  const { span, reasons } = await readChecked(citation, reader, signal);
  if (!span) return { check: { index: citation.index, ok: false, reasons } };
  const found: string[] = [];
  const written = span.written ?? span.quote;
  if (citation.quote !== written) found.push(`quote-differs: ${firstDifference(citation.quote, written)}`);
  for (const field of ['title', 'uri', 'source'] as const)
    if (citation[field] !== span[field]) found.push(`${field}-differs: ${citation[field]} is ${span[field]}`);
  const { memoryId, conversationId } = citedOrigin(span.origin);
  if (citation.memoryId !== memoryId)
    found.push(`memory-differs: ${citation.memoryId ?? 'none'} is ${memoryId ?? 'none'}`);
  if (citation.conversationId !== conversationId)
    found.push(`conversation-differs: ${citation.conversationId ?? 'none'} is ${conversationId ?? 'none'}`);
  if (!opensSpan(citation)) found.push(`url-differs: ${citation.url.slice(0, 80)} does not open the span`);
  if (citation.page !== span.page) found.push(`page-differs: ${citation.page ?? 'none'} is ${span.page ?? 'none'}`);
  // Older versions named no place where documents are cited by heading: what is not said is not wrong.
  if (citation.place !== undefined && citation.place !== span.place)
    found.push(`place-differs: ${citation.place} is ${span.place ?? 'none'}`);
  const lines = (range: readonly [number, number] | undefined): string => (range ? range.join('-') : 'none');
  if (lines(citation.lines) !== lines(span.lines))
    found.push(`lines-differs: ${lines(citation.lines)} is ${lines(span.lines)}`);
  return { check: { index: citation.index, ok: found.length === 0, reasons: found }, span };
}

function pathOf({ uri, documentId, memoryId, conversationId, turnId, start, end }: Citation): string {
  if (memoryId !== undefined) return `/v1/memories/${encodeURIComponent(memoryId)}`;
  if (conversationId !== undefined) return turnPath({ conversationId, turnId: turnId ?? '' });
  if (turnId !== undefined && turnId === documentId) return sessionTurnPath(uri.replace(/^session:/u, ''), turnId);
  return `/v1/documents/${encodeURIComponent(documentId)}/view?start=${start}&end=${end}`;
}

/** The link of a citation opens this very span: its host is the server's business, its path and offsets are not. */
function opensSpan(citation: Citation): boolean {
  const { url } = citation;
  const path = pathOf(citation);
  const at = url.indexOf(path.slice(0, path.indexOf('/', '/v1/'.length) + 1));
  return at >= 0 && url.slice(at) === path && /^(?:https?:\/\/[^/?#@\s]+(?:\/[^?#@\s]*)?)?$/iu.test(url.slice(0, at));
}

function firstDifference(claimed: string, actual: string): string {
  let at = 0;
  while (at < claimed.length && claimed[at] === actual[at]) at += 1;
  return `from character ${at}`;
}

/**
 * Checks every claim of a draft. Kept claims come with the spans that carry them, read from the record; the others come
 * with the reasons. A claim that several spans carry only together keeps them all; otherwise only spans that carry it alone.
 */
export async function verifyDraft(
  draft: Draft,
  reader: SpanReader,
  options: VerifyOptions = {},
): Promise<VerifiedDraft> {
  const claims: VerifiedClaim[] = [];
  const dropped: DroppedClaim[] = [];
  for (const claim of draft.claims) {
    options.signal?.throwIfAborted();
    const verdict = await verifyClaim(claim, reader, options);
    if (verdict.kept) claims.push(verdict.kept);
    else {
      const { support, reasons, undecided } = verdict;
      dropped.push({ text: claim.text, support, reasons, ...(undecided && { undecided }) });
    }
  }
  return { claims, dropped };
}

async function verifyClaim(
  claim: DraftClaim,
  reader: SpanReader,
  options: VerifyOptions,
): Promise<{ kept?: VerifiedClaim; support: number; reasons: readonly string[]; undecided?: UndecidedClaim }> {
  const spans: VerifiedSpan[] = [];
  const problems: string[] = [];
  for (const reference of claim.spans) {
    const { span, reasons } = await readChecked(reference, reader, options.signal);
    if (span) spans.push(span);
    else problems.push(...reasons);
  }
  if (spans.length === 0) return { support: 0, reasons: problems.length > 0 ? problems : ['no-citation'] };
  if (claim.form !== undefined) return keptPassage(claim, spans);
  const judged = judge(claim.text, spans);
  const { support, kind, derivation } = judged;
  if (support < leastSupport) {
    const reasons = [...judged.reasons, ...problems];
    if (!options.grading || problems.length > 0) return { support, reasons };
    return graded(claim, { support, reasons, spans: judged.spans }, options.grading);
  }
  return {
    kept: {
      ...claim,
      support,
      spans: judged.spans,
      ...(kind !== 'quoted' && { kind }),
      ...(derivation !== undefined && { derivation }),
      ...(judged.reasons.length > 0 && { notes: judged.reasons }),
    },
    support: judged.support,
    reasons: problems,
  };
}

interface Judgement {
  readonly support: number;
  readonly reasons: readonly string[];
  readonly spans: readonly VerifiedSpan[];
  readonly kind: 'quoted' | 'derived';
  readonly derivation?: string;
}

type Others = ReturnType<typeof inPieces>;
interface Alone {
  readonly span: VerifiedSpan;
  readonly verdict: ClaimVerdict;
}

function judgeAlone(text: string, span: VerifiedSpan): Alone {
  const { quote, title, columns } = span;
  return { span, verdict: supportOf(text, quote, { context: title, ...(columns && { columns }) }) };
}

const judge = (text: string, spans: readonly VerifiedSpan[]): Judgement =>
  judgeTogether(
    text,
    spans.map((span) => judgeAlone(text, span)),
  );

/** The same, with turns for others between; a span that is named again says the same again. */
async function judgeInPieces(text: string, spans: readonly VerifiedSpan[], others: Others): Promise<Judgement> {
  const alone: Alone[] = [];
  for (const span of new Set(spans)) {
    alone.push(judgeAlone(text, span));
    await others();
  }
  return judgeTogether(text, alone);
}

/** Of a claim with a figure that was computed from its quote. */
const derivedSupport = 0.9;

/** The best support that the spans give, alone or together, and the spans it takes. */
function judgeTogether(text: string, alone: readonly Alone[]): Judgement {
  const spans = alone.map(({ span }) => span);
  const carrying = alone.filter(({ verdict }) => verdict.verdict === 'supported');
  if (carrying.length > 0) {
    const support = Math.max(...carrying.map(({ verdict }) => verdict.support));
    const notes = carrying.flatMap(({ verdict }) =>
      verdict.reasons.filter((reason) => reason.startsWith(readByColumns)),
    );
    const spans = carrying.map(({ span }) => span);
    return { support, reasons: [...new Set(notes)], spans, kind: 'quoted' };
  }
  for (const { span, verdict } of alone) {
    const derivation = derivationOf(text, span, verdict.reasons);
    if (derivation !== undefined)
      return { support: derivedSupport, reasons: [], spans: [span], kind: 'derived', derivation };
  }
  const best = alone.reduce((a, b) => (b.verdict.support > a.verdict.support ? b : a));
  const refused: Judgement = { support: best.verdict.support, reasons: best.verdict.reasons, spans, kind: 'quoted' };
  if (spans.length === 1) return refused;
  // Two blank lines: what stands in one span is no heading of the next.
  const together = supportOf(text, spans.map((span) => span.quote).join('\n\n\n'), {
    context: spans.map((span) => span.title).join('. '),
  });
  return together.verdict === 'supported' ? { support: together.support, reasons: [], spans, kind: 'quoted' } : refused;
}

/** What a claim says of how it is supported, and what the check finds; the judge's word alone is not asked for again. */
function kindReasons({ kind, derivation }: Claim, found: Judgement): string[] {
  if (kind === undefined || kind === 'judged' || kind === 'reworded') return [];
  if (kind !== found.kind) return [`kind-differs: ${kind} is ${found.kind}`];
  return derivation === found.derivation
    ? []
    : [`derivation-differs: ${derivation ?? 'none'} is ${found.derivation ?? 'none'}`];
}

/**
 * Re-checks a saved answer against the record as it is now: the schema, every citation, every claim against the quotes it
 * cites, and that the text of the answer is its claims with their `[n]` marks and nothing else. Throws `invalid-request`
 * if what is handed over is not an Answer.
 */
export async function verifyAnswer(
  answer: Answer,
  reader: SpanReader,
  options: VerifyOptions = {},
): Promise<AnswerCheck> {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new FootnoteError(
      'invalid-request',
      `This is not an Answer: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'not valid'}. Hand over the JSON of an answer as it was returned.`,
      {
        details: { path: issue?.path.map(String) ?? [] },
      },
    );
  }
  const { data } = parsed;
  // How much there is to check is the caller's choice.
  const others = inPieces();
  const spans = new Map<number, VerifiedSpan>();
  const bad = new Set<number>();
  const citations: CitationCheck[] = [];
  for (const citation of data.citations) {
    await others();
    options.signal?.throwIfAborted();
    const { check, span } = await checkCitation(citation, reader, options.signal);
    citations.push(check);
    if (!check.ok) bad.add(citation.index);
    else if (span) spans.set(citation.index, span);
  }
  const known = new Set(data.citations.map(({ index }) => index));
  const checkClaim = async (claim: Answer['claims'][number]): Promise<ClaimCheck> => {
    const reasons: string[] = [];
    for (const index of claim.citations) {
      if (!known.has(index)) reasons.push(`citation-unknown: [${index}]`);
      else if (bad.has(index)) reasons.push(`citation-fails: [${index}]`);
    }
    const carried = claim.citations.flatMap((index) => spans.get(index) ?? []);
    if (carried.length === 0)
      return { text: claim.text, ok: false, support: 0, reasons: reasons.length > 0 ? reasons : ['no-citation'] };
    if (claim.form !== undefined) {
      reasons.push(...passageReasons(claim, carried));
      return { text: claim.text, ok: reasons.length === 0, support: reasons.length === 0 ? 1 : 0, reasons };
    }
    const judged = await judgeInPieces(claim.text, carried, others);
    const { support } = judged;
    if (support >= leastSupport) reasons.push(...kindReasons(claim, judged));
    else if (claim.kind === 'judged' || claim.kind === 'reworded') {
      reasons.push(...vetoesOfClaim(claim.text, judged, claim.fromQuestion?.join(' ') ?? ''));
      if (reasons.length === 0) {
        const by = claim.judgedBy ?? 'a model that is not named';
        const recorded =
          claim.kind === 'judged' ? `recorded-as-judged: by ${by}` : 'recorded-as-reworded: not confirmed';
        return { text: claim.text, ok: true, support: claim.support, reasons: [recorded] };
      }
    } else reasons.push(...judged.reasons);
    return { text: claim.text, ok: reasons.length === 0 && support >= leastSupport, support, reasons };
  };
  const claims: ClaimCheck[] = [];
  for (const claim of [...data.claims, ...(data.passages ?? [])]) {
    await others();
    options.signal?.throwIfAborted();
    claims.push(await checkClaim(claim));
  }
  const reasons = [
    ...(await wholeReasons(data, others)),
    ...(await noteReasons(data, spans, async (statement, cited) => {
      await others();
      return (await judgeInPieces(statement, cited, others)).support >= leastSupport;
    })),
  ];
  const ok = reasons.length === 0 && citations.every((check) => check.ok) && claims.every((check) => check.ok);
  return { answerId: data.id, ok, citations, claims, reasons };
}
