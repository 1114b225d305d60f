// Of whom, or of which document, a part asks: the names in it. Pure.
import { termSet } from '../../answer/question/terms.ts';
import { findNames } from '../../text/words/names.ts';

const legalForm = /^(?:inc|corp|corporation|company|ltd|llc|plc|co|gmbh|ag|com|the|s)$/iu;
/** A filing's form or a time is nobody. */
const noOwner =
  /^(?:fy|fiscal|q[1-4]|h[12]|january|february|march|april|may|june|july|august|september|october|november|december)$/iu;
const words = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The terms of all names in a question; its first word may be written as one and is none. */
export const namedTerms = (question: string): ReadonlySet<string> =>
  termSet(
    findNames(question)
      .filter(({ initial }) => !initial)
      .map(({ text }) => text)
      .join(' '),
  );

/** The words of all names in a question, in small letters. */
export const ownersIn = (question: string): readonly string[] =>
  findNames(question)
    .filter(({ initial }) => !initial)
    .flatMap((name) => name.words.flatMap(words))
    .filter((word) => word.length > 1 && /\p{L}/u.test(word) && !legalForm.test(word) && !noOwner.test(word));
