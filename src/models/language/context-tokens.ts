// Reads how much models take in, as the operator says: `openai:gpt-5.2 = 400000, compatible:qwen3 = 32768`. No table ships: sizes
// change with every model, and a wrong one cuts what is read or lets a provider refuse it.
import { FootnoteError } from '../../core/errors.ts';

const entryForm = /^(?<name>[a-z-]+:\S+?)\s*=\s*(?<tokens>\d{1,9})$/u;
/** Smaller windows hold no instructions. */
const leastTokens = 256;

/** Input and output together, by `provider:model`. Throws `config-invalid` with every entry that cannot be read. */
export function parseContextTokens(text: string): Readonly<Record<string, number>> {
  const sizes: Record<string, number> = {};
  const mistakes: string[] = [];
  for (const entry of text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')) {
    const { name, tokens } = entryForm.exec(entry)?.groups ?? {};
    if (name === undefined || Number(tokens) < leastTokens || name in sizes) mistakes.push(entry);
    else sizes[name] = Number(tokens);
  }
  if (mistakes.length > 0)
    throw new FootnoteError(
      'config-invalid',
      `MODEL_CONTEXT_TOKENS cannot be read: ${mistakes.map((entry) => `"${entry}"`).join(', ')}. Write each model once, with at least ${leastTokens} tokens, like "openai:gpt-5.2 = 400000, compatible:qwen3 = 32768".`,
      { details: { mistakes } },
    );
  return sizes;
}
