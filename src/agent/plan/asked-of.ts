// Of what a pronoun is no word: what a question asks for may hold a name that is not the one that is meant. Pure.

/** "Which Node.js versions does it support?": a name in what is asked for is not what the pronoun stands for. */
export const isAskedOf = (query: string, at: number): boolean =>
  /^(?:which|what|how (?:many|much)) [^,;:]{1,80}? (?:does|do|did|has|have|had|can|could|will|would|should) $/iu.test(
    query.slice(0, at),
  );
