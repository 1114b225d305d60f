// What a model writes when Footnote asks it, for scripts: answers with quotes.

export interface WrittenClaim {
  readonly text: string;
  /** Copied from the passage. */
  readonly quote: string;
  /** Number of the passage as the model is shown it, from 1 (default). */
  readonly passage?: number;
}

/** The answer of a model that makes these claims; with none it says that the passages do not answer the question. */
export function answerOf(claims: readonly WrittenClaim[]): string {
  return JSON.stringify({
    claims: claims.map(({ text, quote, passage = 1 }) => ({ text, quotes: [{ id: passage, quote }] })),
    insufficient: claims.length === 0,
  });
}
