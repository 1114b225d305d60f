// What an answer says of the parts of a question that nothing answered. Invariant: the sentence follows from the parts alone, so that whoever
// checks an answer can tell it from words that nobody cited.
import type { Answer, AnswerPart } from '../answer.ts';

/** Empty where every part is answered, or none is: then the answer abstains as a whole. */
export function missingNotice(parts: readonly AnswerPart[] | undefined): string {
  const missing = (parts ?? []).filter(({ claims }) => claims.length === 0);
  if (missing.length === 0 || missing.length === parts?.length) return '';
  const asked = missing.map(
    ({ question, missing: why }) =>
      `"${question}"${why === undefined ? '' : ` (${why.replace(/(?<![.\s])[.\s]+$/u, '')})`}`,
  );
  return `\n\nNot answered by these documents: ${asked.join('; ')}.`;
}

/** Why the parts are not those of the answer: each says which claims answer it, and those are there. */
export const partReasons = ({ parts = [], claims }: Pick<Answer, 'parts' | 'claims'>): string[] =>
  parts
    .filter((part) => part.claims.some((place) => place > claims.length))
    .map(({ question }) => `part-without-claim: ${question.slice(0, 60)}`);
