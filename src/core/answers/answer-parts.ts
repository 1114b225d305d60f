// What an answer says of the parts of a question that nothing answered. Invariant: the sentence follows from the parts alone, so that whoever
// checks an answer can tell it from words that nobody cited.
import type { Answer, AnswerPart } from '../answer.ts';

const end = (why: string): string => why.replace(/(?<![.\s])[.\s]+$/u, '');
/** No document has an address that stands in the question alone, and a client would make a link of it. */
const withoutAddresses = (question: string): string =>
  question.replace(/\S+/gu, (word) => (word.includes('//') || word.includes('www.') ? '…' : word));
const quoted = (question: string, why?: string): string =>
  `"${withoutAddresses(question)}"${why === undefined ? '' : ` (${end(why)})`}`;

/** Empty where every part is answered. Where none is, the answer abstains as a whole. */
export function missingNotice(parts: readonly AnswerPart[] | undefined): string {
  const missing = (parts ?? []).filter(({ claims }) => claims.length === 0);
  const near = (parts ?? []).filter((part) => part.claims.length > 0 && part.missing !== undefined);
  const asked = missing.map(({ question, missing: why }) => quoted(question, why));
  const answered =
    missing.length === 0 || missing.length === parts?.length
      ? ''
      : `\n\nNot answered by these documents: ${asked.join('; ')}.`;
  const outright =
    near.length === 0
      ? ''
      : `\n\nNot said outright by these documents, what is cited only comes closest: ${near.map(({ question }) => quoted(question)).join('; ')}.`;
  return `${answered}${outright}`;
}

/** Why the parts are not those of the answer: each says which claims answer it, and those are there. */
export const partReasons = ({ parts = [], claims }: Pick<Answer, 'parts' | 'claims'>): string[] =>
  parts
    .filter((part) => part.claims.some((place) => place > claims.length))
    .map(({ question }) => `part-without-claim: ${question.slice(0, 60)}`);
