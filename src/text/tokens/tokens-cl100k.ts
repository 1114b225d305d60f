// Counts cl100k_base tokens, the encoding of GPT-4 and GPT-3.5: loaded when first asked for (about 15 MB), exact but for text without
// spaces, which is counted in parts and so by a token a part too many at most.
let opened: Promise<(text: string) => number> | undefined;

/** Merging is quadratic in the length of a run without spaces. */
const longRun = /\S{512}/u;
const parts = /\s*\S{1,512}|\s+$/gu;

/** The counter; special tokens are counted as the plain text that they are in a document. */
export function openCl100k(): Promise<(text: string) => number> {
  opened ??= import('gpt-tokenizer/encoding/cl100k_base').then(({ countTokens }) => {
    const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
    const count = (text: string): number => countTokens(text, asText);
    return (text) =>
      longRun.test(text) ? (text.match(parts) ?? []).reduce((total, part) => total + count(part), 0) : count(text);
  });
  return opened;
}
