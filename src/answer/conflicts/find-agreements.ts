// Looks for which other sources say what a claim of the answer says: a statement of theirs that says the same by the fitted model of pairs and carries the
// claim. Invariants: another source is one of another name, and never a copy of what the claim cites; code agrees with nothing.
import type { Evidence } from '../../core/search.ts';
import { sayTheSame } from '../../passages/pairs/compare-pair.ts';
import { readSide } from '../../passages/pairs/read-side.ts';
import type { SpanReference, VerifiedClaim } from '../claims/draft.ts';
import { supportOf } from '../support.ts';
import { isAmong, isSameContent, type Said, saidByClaims, statementsIn } from './said.ts';

export interface FoundAgreement {
  /** Its place among the claims, from 1. */
  readonly claim: number;
  /** One for each other source that says the same. */
  readonly spans: readonly SpanReference[];
}

const mostClaims = 3;
const mostSources = 4;
/** "It is on by default." says too little to be told from what others say. */
const leastWords = 3;

/** Of the claims in their order; nothing where one source alone was found. */
export function findAgreements(claims: readonly VerifiedClaim[], evidence: readonly Evidence[]): FoundAgreement[] {
  const prose = evidence.filter(({ sourceType }) => sourceType !== 'code');
  if (new Set(prose.map(({ source }) => source)).size < 2) return [];
  const stated = saidByClaims(claims, prose).filter(({ own }) => readSide(own).words.length >= leastWords);
  const said = statementsIn(
    prose,
    stated.map(({ own }) => own),
  );
  const found: FoundAgreement[] = [];
  const heard: SpanReference[] = [];
  for (const { claim, own } of stated) {
    if (found.length >= mostClaims) break;
    // Who was said to agree with an earlier claim is not said to once more, the other way round.
    if (claim.spans.some((span) => isAmong(heard, span))) continue;
    const taken = new Set([own.evidence.source, ...own.evidence.alsoIn.map(({ source }) => source)]);
    const spans: SpanReference[] = [];
    for (const other of said) {
      if (spans.length >= mostSources) break;
      if (taken.has(other.evidence.source) || isAmong(heard, other.span) || !agree(own, other)) continue;
      heard.push(other.span);
      taken.add(other.evidence.source);
      spans.push(other.span);
    }
    if (spans.length > 0) {
      found.push({ claim: claims.indexOf(claim) + 1, spans });
      heard.push(...claim.spans);
    }
  }
  return found;
}

const agree = (own: Said, other: Said): boolean =>
  !isSameContent(own.evidence, other.evidence) &&
  sayTheSame(own, other) &&
  supportOf(own.text, other.text).verdict === 'supported';
