// Looks for what the evidence says against the claims of an answer: statements of other documents, or other claims, that tell another value of the same
// thing by the fitted model of pairs (src/passages/pairs). Invariants: each position stands word for word in a document, which the caller reads back from the record; nothing is
// said of a claim that was not released.

import type { Conflict, ConflictKind } from '../../core/answer.ts';
import type { Evidence } from '../../core/search.ts';
import { comparePair } from '../../passages/pairs/compare-pair.ts';
import type { SpanReference, VerifiedClaim } from '../claims/draft.ts';
import { conflictOf, followed, isAmong, type Said, saidByClaims, statementsIn } from './said.ts';

export interface Position {
  readonly statement: string;
  readonly spans: readonly SpanReference[];
}

export interface FoundConflict {
  readonly kind: ConflictKind;
  readonly about: string;
  /** That of the answer first. */
  readonly positions: readonly Position[];
  readonly follows?: NonNullable<Conflict['follows']>;
  /** Of kind `judged`, `provider:model` that said so. */
  readonly judgedBy?: string;
}

const mostConflicts = 3;
export const mostPositions = 3;

/** Conflicts of the claims with each other and with the evidence, in the order of the claims. */
export function findConflicts(claims: readonly VerifiedClaim[], evidence: readonly Evidence[]): FoundConflict[] {
  const stated = saidByClaims(claims, evidence);
  const said = statementsIn(
    evidence,
    stated.map(({ own }) => own),
  );
  const found: FoundConflict[] = [];
  // A claim is a passage, and what is said elsewhere a part of one.
  const taken: SpanReference[] = [];
  for (const { claim, own } of stated) {
    if (found.length >= mostConflicts) break;
    if (isAmong(taken, own.span)) continue;
    const against = said.flatMap((other) => {
      const conflict = conflictOf(own, other);
      return conflict ? [{ other, conflict }] : [];
    });
    const [first] = against;
    if (!first || against.some(({ other }) => isAmong(taken, other.span))) continue;
    const sides = toSides(
      own,
      against.map(({ other }) => other),
    );
    taken.push(...sides.flat().map(({ span }) => span));
    const { kind, about } = first.conflict;
    found.push({ kind, about, ...positionsOf(claim, sides) });
  }
  return found;
}

/** The claims with that in front which the answer follows, where another one contradicts the first: a reader takes what comes first for the answer. */
export function followedFirst(
  claims: readonly VerifiedClaim[],
  evidence: readonly Evidence[],
): readonly VerifiedClaim[] {
  if (claims.length < 2) return claims;
  const [first, ...others] = saidByClaims(claims, evidence);
  if (!first || first.claim !== claims[0]) return claims;
  const against = others.filter(({ own }) => conflictOf(first.own, own));
  if (against.length === 0) return claims;
  const sides = toSides(
    first.own,
    against.map(({ own }) => own),
  );
  const [best] = sides[(followed(sides)?.position ?? 1) - 1] ?? [];
  const lead = against.find(({ own }) => own === best)?.claim;
  return lead ? [lead, ...claims.filter((claim) => claim !== lead)] : claims;
}

/** What each side says, that of the claim first, and whom the answer follows. */
export function positionsOf(
  claim: VerifiedClaim,
  sides: readonly (readonly Said[])[],
): Pick<FoundConflict, 'positions' | 'follows'> {
  const follows = followed(sides);
  const positions = sides.map(
    (side): Position => ({
      statement: (side[0] as Said).written,
      spans: side === sides[0] ? [...claim.spans] : side.slice(0, 2).map((one) => one.span),
    }),
  );
  return { positions, ...(follows && { follows }) };
}

/** What contradicts the claim, by what does not contradict each other; each document once on a side. */
function toSides(own: Said, against: readonly Said[]): readonly (readonly Said[])[] {
  const sides: Said[][] = [[own]];
  for (const one of against) {
    const side = sides.slice(1).find(([other]) => other && comparePair(other, one)?.kind === undefined);
    if (side === undefined) {
      if (sides.length < mostPositions) sides.push([one]);
    } else if (!side.some(({ evidence }) => evidence.documentId === one.evidence.documentId)) side.push(one);
  }
  return sides;
}
