// What of a claim is compared with other sources: of a passage the part that answers, since the rest of it says other things. Invariant: it stands in
// the claim.
import type { Claim } from '../../core/answer.ts';

/** A passage without a part that answers states nothing in particular. */
export function statementOf<Stated extends Pick<Claim, 'text' | 'form' | 'pinpoint'>>(claim: Stated): Stated {
  const { form, text, pinpoint } = claim;
  if (form === undefined || form === 'sentence') return claim;
  return { ...claim, text: pinpoint ? text.slice(pinpoint.start, pinpoint.end).replaceAll(/\s+/gu, ' ').trim() : '' };
}
