// "Which company built it?" wants the name of one: a sentence that names none is no answer. Rules over capitals. Pure.

export const asksName =
  /^(?:(?:by|for|from|to|with|in|at) )?(?:which|what) (?:compan(?:y|ies)|firms?|contractors?|suppliers?|vendors?|makers?|manufacturers?|publishers?|organi[sz]ations?|agenc(?:y|ies)|club|band|label|studio|network|author|artist|actor|actress|director|person|architect|player|president|minister|king|queen|country|countries|city|cities|town|village|river|island) (?!(?:is|are|was|were) (?:it|this|that|he|she)\b)/iu;
/** With a capital at the beginning alone these are no names. */
const plain =
  /^(?:the|an?|it|its|he|she|they|we|you|i|his|her|their|our|this|that|these|those|there|in|on|at|of|for|from|to|with|by|as|after|before|since|until|during|when|where|while|if|all|both|each|every|some|many|most|no|not|one|two|three|who|which|what|how|why|but|and|or|yes|please|however|although|because|also|then|now|here)$/iu;

/** A word with a capital that the question does not hold. */
export function givesName(question: string, text: string): boolean {
  const known = new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  return (text.match(/\p{Lu}[\p{L}\p{N}]*/gu) ?? []).some(
    (word) => !plain.test(word) && !known.has(word.toLowerCase()),
  );
}
