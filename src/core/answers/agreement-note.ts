// The sentence that tells where sources agree: made of the entry and the claims alone, so that whoever checks the answer can make it again and
// compare. It repeats no claim: marks name who says it. Pure.
import type { Agreement, Claim } from '../answer.ts';
import { type MarkedText, marked, marksOf } from '../marked-text.ts';

export function agreementNote(
  { claim, citations }: Agreement,
  claims: readonly Pick<Claim, 'citations'>[],
): MarkedText {
  const says = citations.length === 1 ? 'says' : 'say';
  const others = marksOf(claims[claim - 1]?.citations ?? []);
  return marked`The sources agree: ${marksOf(citations)} ${says} the same as ${others}.`;
}
