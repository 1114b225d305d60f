// What calls cost, by the operator's own price list: none ships, because a stale price is a wrong bill. Invariant: an unknown
// price is unknown, never zero; `free` is said aloud.
import { FootnoteError } from '../../core/errors.ts';

/** US dollars for a million tokens. */
export interface ModelPrice {
  readonly inputPerMillionUsd: number;
  readonly outputPerMillionUsd: number;
  readonly cachedInputPerMillionUsd: number;
}

export interface Prices {
  /** By the longest name that `provider:model` equals or continues with a date or version (`gpt-5.2` prices `gpt-5.2-2026-08-01`). */
  of(model: string): ModelPrice | undefined;
}

export interface PricedTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
}

const entryForm = /^(?<name>[a-z-]+:\S+?)\s*=\s*(?:(?<free>free)|(?<numbers>[\d.]+(?:\s*\/\s*[\d.]+){1,2}))$/u;
const example = 'openai:gpt-5.2 = 1.75 / 14 / 0.175, compatible:qwen3:8b = free';

/**
 * Reads `provider:model = input / output [/ cached input]` in US dollars for a million tokens, or `= free`; entries are separated by commas.
 * Throws `config-invalid` that names every entry it cannot read.
 */
export function parsePrices(text: string): Prices {
  const table = new Map<string, ModelPrice>();
  const mistakes: string[] = [];
  for (const entry of text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')) {
    const parts = entryForm.exec(entry)?.groups;
    const numbers = parts?.['free']
      ? [0, 0, 0]
      : (parts?.['numbers'] ?? '').split('/').map((part) => Number(part.trim()));
    const [input, output, cached = input] = numbers;
    const isRead = parts?.['name'] !== undefined && input !== undefined && output !== undefined && cached !== undefined;
    if (!isRead || !numbers.every((number) => Number.isFinite(number)) || table.has(parts['name'] as string))
      mistakes.push(entry);
    else
      table.set(parts['name'] as string, {
        inputPerMillionUsd: input,
        outputPerMillionUsd: output,
        cachedInputPerMillionUsd: cached,
      });
  }
  if (mistakes.length > 0)
    throw new FootnoteError(
      'config-invalid',
      `The prices of MODEL_PRICES cannot be read: ${mistakes.map((entry) => `"${entry}"`).join(', ')}. Write each model once, like "${example}".`,
      { details: { mistakes } },
    );
  return pricesOf(table);
}

/** Files of this machine, run by this program. */
const ownMachine: ModelPrice = { inputPerMillionUsd: 0, outputPerMillionUsd: 0, cachedInputPerMillionUsd: 0 };

/** Prices from a table of `provider:model`. */
function pricesOf(table: ReadonlyMap<string, ModelPrice>): Prices {
  return {
    of(model) {
      const exact = table.get(model) ?? (/^(?:gguf|onnx):/u.test(model) ? ownMachine : undefined);
      if (exact) return exact;
      const names = [...table.keys()].filter(
        (name) => /^[-@]v?\d/u.test(model.slice(name.length)) && model.startsWith(name),
      );
      const longest = names.sort((a, b) => b.length - a.length)[0];
      return longest === undefined ? undefined : table.get(longest);
    },
  };
}

/** US dollars. Cached input is a part of the input. */
export function costOf(price: ModelPrice, tokens: PricedTokens): number {
  const cached = Math.min(tokens.cachedInputTokens ?? 0, tokens.inputTokens);
  return (
    ((tokens.inputTokens - cached) * price.inputPerMillionUsd +
      cached * price.cachedInputPerMillionUsd +
      tokens.outputTokens * price.outputPerMillionUsd) /
    1e6
  );
}
