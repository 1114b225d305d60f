// Says of which of several compared things a row is, where the row does not: "Kestrel: plan: Team; price: $29 per month", in a document that is called Kestrel.
// Invariant: the row is said so only where the check of claims carries it.
import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import { isSameThing } from '../../answer/support/compared/things.ts';
import { isBarRow, isTabular } from '../../answer/tables/rows.ts';
import type { SubQuery } from '../plan/plan.ts';
import { claimsThat, type Reading } from './read-claims.ts';

/** The claims in their order. Throws what the reader throws. */
export async function underTitle(
  claims: readonly VerifiedClaim[],
  { thing }: Pick<SubQuery, 'thing'>,
  reading: Reading,
): Promise<readonly VerifiedClaim[]> {
  if (!thing || thing.others.length === 0) return claims;
  const named = (text: string): boolean => text.toLowerCase().includes(thing.name.toLowerCase());
  return Promise.all(
    claims.map(async (claim) => {
      const [span, ...others] = claim.spans;
      if (!span || others.length > 0 || !isTabular(claim.text) || isBarRow(claim.text) || named(claim.text))
        return claim;
      if (!isSameThing(span.title, thing.name)) return claim;
      const [told] = await claimsThat(`${span.title}: ${claim.text}`, [span], reading);
      return told ? { ...told, relevance: claim.relevance } : claim;
    }),
  );
}
