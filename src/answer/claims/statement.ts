// What of a claim is compared with other sources: of a passage the part that answers, since the rest of it says other things. Invariant: it stands in
// the claim.
import type { Claim } from '../../core/answer.ts';
import { withSingleBlanks } from '../../text/one-line.ts';
import { countWords } from '../../text/sentences.ts';

/** A passage of more words without a part that answers states nothing in particular. */
const mostWords = 60;

export function statementOf<Stated extends Pick<Claim, 'text' | 'form' | 'pinpoint'>>(claim: Stated): Stated {
  const { form, text, pinpoint } = claim;
  if (form === undefined || form === 'sentence') return claim;
  const part = pinpoint ? text.slice(pinpoint.start, pinpoint.end) : countWords(text) <= mostWords ? text : '';
  return { ...claim, text: withSingleBlanks(part) };
}
