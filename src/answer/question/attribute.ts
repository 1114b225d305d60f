// Which attribute of a thing a question asks for: "mayor" in "Who is the mayor of Seville?", "length" in "What is the Heron's length?". English. Pure.

/** Where words stand in a question. */
export interface WordSpan {
  readonly start: number;
  readonly end: number;
}

const forms: readonly RegExp[] = [
  /^\W{0,4}(?:what|which|who)\s{1,4}(?:is|was|are|were)\s{1,4}the\s{1,4}((?:[\p{L}-]{1,40}\s{1,4}){0,3}?[\p{L}-]{1,40})\s{1,4}(?:of|for|in|at|on)\s/diu,
  /^\W{0,4}(?:what|which|who)\s{1,4}(?:is|was|are|were)\s{1,4}[^?]{1,80}['’]s?\s{1,4}((?:[\p{L}-]{1,40}\s{1,4}){0,2}[\p{L}-]{1,40})\s{0,4}\?{0,3}\s{0,4}$/diu,
];
/** Words that say of what kind the answer is and stand in no column's name. */
const kinds = /\b(?:names?|numbers?|amounts?|values?|dates?|years?|times?|types?|kinds?|titles?|totals?)\b/iu;

/** Where the words stand that name the attribute; undefined where the question names none. */
export function attributeAsked(question: string): WordSpan | undefined {
  for (const form of forms) {
    const [start, end] = form.exec(question)?.indices?.[1] ?? [];
    if (start !== undefined && end !== undefined)
      return kinds.test(question.slice(start, end)) ? undefined : { start, end };
  }
  return undefined;
}
