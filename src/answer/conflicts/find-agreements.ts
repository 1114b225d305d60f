// Looks for which other sources say what a claim of the answer says: a sentence of theirs that carries the claim by the rules that carry its own
// quote. Invariants: another source is one of another name, and never a copy of what the claim cites; what says little ("It is on by default.") or is code
// agrees with nothing, as words alone do not tell what it speaks of.
import type { Evidence } from '../../core/search.ts';
import { segmentPieces } from '../../text/sentences.ts';
import type { SpanReference, VerifiedClaim } from '../claims/draft.ts';
import { supportOf } from '../support.ts';
import { contradictionOf, isStatement, readStatement, type Statement } from './contradiction.ts';
import { beginningsOf } from './meeting.ts';
import { areOfOthers, asWritten } from './said.ts';

export interface FoundAgreement {
  /** Its place among the claims, from 1. */
  readonly claim: number;
  /** One for each other source that says the same. */
  readonly spans: readonly SpanReference[];
}

const mostClaims = 3;
const mostSources = 4;
/** Sentences that are held against claims by all rules. */
const mostReadings = 60;
const mostWords = 60;
/** Words and figures that say something. */
const leastSaid = 3;
/** Of the beginnings of a claim's words, at least so many are in a sentence that says the same. */
const leastShared = 0.6;
const pointing = /^(?:it|its|this|that|these|those|they|their|he|she|his|her|there|here)\b/iu;

/** Of the claims in their order; nothing where one source alone was found. */
export function findAgreements(claims: readonly VerifiedClaim[], evidence: readonly Evidence[]): FoundAgreement[] {
  if (new Set(evidence.map(({ source }) => source)).size < 2) return [];
  const byChunk = new Map(evidence.map((item) => [item.chunkId, item] as const));
  const found: FoundAgreement[] = [];
  const heard: SpanReference[] = [];
  let readings = 0;
  for (const [at, claim] of claims.entries()) {
    if (found.length >= mostClaims || readings >= mostReadings) break;
    const homes = claim.spans.map(({ chunkId }) => byChunk.get(chunkId));
    const written = asWritten(claim);
    const own = readStatement(written);
    if (homes.length === 0 || !homes.every(isProse) || !saysEnough(own)) continue;
    // Who was said to agree with an earlier claim is not said to once more, the other way round.
    if (claim.spans.some((span) => isHeard(heard, span))) continue;
    const taken = new Set(
      homes.flatMap((home) => (home ? [home.source, ...home.alsoIn.map(({ source }) => source)] : [])),
    );
    const { words } = beginningsOf(written);
    const isOther = (other: { readonly text: string; readonly evidence: Evidence }): boolean =>
      homes.every((home) => home !== undefined && areOfOthers({ text: written, evidence: home }, other));
    const spans: SpanReference[] = [];
    for (const item of evidence) {
      if (spans.length >= mostSources || readings >= mostReadings) break;
      if (taken.has(item.source) || !isProse(item)) continue;
      for (const { start, end, kind } of segmentPieces(item.text, { maxWords: mostWords })) {
        if (kind === 'heading' || readings >= mostReadings) continue;
        const text = item.text.slice(start, end);
        if (!meets(words, beginningsOf(text).all)) continue;
        readings += 1;
        if (!saysTheSame(written, text, own) || isOther({ text, evidence: item })) continue;
        const { documentId, chunkId } = item;
        const span = { documentId, chunkId, start: item.start + start, end: item.start + end };
        if (isHeard(heard, span)) continue;
        heard.push(span);
        taken.add(item.source);
        spans.push(span);
        break;
      }
    }
    if (spans.length > 0) {
      found.push({ claim: at + 1, spans });
      heard.push(...claim.spans);
    }
  }
  return found;
}

const isHeard = (heard: readonly SpanReference[], { documentId, start, end }: SpanReference): boolean =>
  heard.some((one) => one.documentId === documentId && one.start < end && start < one.end);

const isProse = (item: Evidence | undefined): boolean => item !== undefined && item.sourceType !== 'code';

const saysEnough = (own: Statement): boolean =>
  isStatement(own) &&
  !pointing.test(own.text) &&
  own.tokens.filter(({ content, type }) => content && type !== 'mark').length >= leastSaid;

function meets(words: readonly string[], others: ReadonlySet<string>): boolean {
  const shared = words.filter((word) => others.has(word)).length;
  return shared > 0 && shared >= leastShared * words.length;
}

function saysTheSame(claim: string, text: string, own: Statement): boolean {
  const other = readStatement(text);
  if (!isStatement(other) || contradictionOf(own, other) !== undefined) return false;
  return supportOf(claim, text).verdict === 'supported';
}
