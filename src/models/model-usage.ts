// What a call took, in tokens. Invariant: what a provider reports counts only where it can be true; otherwise it is counted here,
// with o200k_base, and marked as an estimate.
import { countTokens } from '../text/tokens.ts';
import type { GenerateRequest, ModelUsage } from './language-model.ts';

/** What providers report; any of it may be missing, or nonsense. */
export interface ReportedUsage {
  readonly input?: unknown;
  readonly output?: unknown;
  readonly cachedInput?: unknown;
  readonly reasoning?: unknown;
}

/** Tokens that a message costs beside its text (OpenAI cookbook, "How to count tokens": 3 a message, 3 for the answer). */
const framing = 3;

/** Tokens of a request, or of a text, by o200k_base: right for OpenAI, within about a fifth for the others. */
export function countPromptTokens(request: GenerateRequest | string): number {
  if (typeof request === 'string') return countTokens(request);
  const messages = request.messages.reduce((total, message) => total + countTokens(message.content) + framing, framing);
  return messages + (request.json ? countTokens(JSON.stringify(request.json.schema)) : 0);
}

const largest = 1e8;
const asCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largest ? value : undefined;

/** Total. A report of fewer than a quarter of the tokens that we count in the text is not believed: tokenizers do not differ so much. */
export function toUsage(reported: ReportedUsage, request: GenerateRequest, text: string): ModelUsage {
  const output = asCount(reported.output);
  const input = asCount(reported.input);
  const seen = output === undefined || output * 2 < text.length ? countTokens(text) : 0;
  const isOutputKnown = output !== undefined && output >= seen / 4;
  const isInputKnown = input !== undefined && input > 0;
  const inputTokens = isInputKnown ? input : countPromptTokens(request);
  const outputTokens = isOutputKnown ? output : seen;
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens: Math.min(asCount(reported.cachedInput) ?? 0, inputTokens),
    reasoningTokens: Math.min(asCount(reported.reasoning) ?? 0, outputTokens),
    isEstimated: !isOutputKnown || !isInputKnown,
  };
}
