// The sentence that tells where sources agree: made of the entry and the claims alone, so that whoever checks the answer can make it again and
// compare. It repeats no claim: marks name who says it. Pure.
import type { Agreement, Claim } from '../answer.ts';

const marks = (citations: readonly number[]): string => citations.map((index) => `[${index}]`).join('');

export function agreementNote({ claim, citations }: Agreement, claims: readonly Pick<Claim, 'citations'>[]): string {
  const says = citations.length === 1 ? 'says' : 'say';
  return `The sources agree: ${marks(citations)} ${says} the same as ${marks(claims[claim - 1]?.citations ?? [])}.`;
}

/** All of them as they stand behind the claims of an answer; empty where there is none. */
export const agreementText = (agreements: readonly Agreement[], claims: readonly Pick<Claim, 'citations'>[]): string =>
  agreements.map((one, at) => `${at === 0 ? '\n\n' : '\n'}${agreementNote(one, claims)}`).join('');
