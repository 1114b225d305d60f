// What a call took, in tokens. Invariant: what a provider reports counts only where it can be true; otherwise it is counted here,
// with o200k_base, and marked as an estimate.
import { countTokens } from '../../text/tokens/tokens.ts';
import type { GenerateRequest, ModelUsage } from './generation.ts';
import type { Message } from './messages.ts';

/** What providers report; any of it may be missing, or nonsense. */
export interface ReportedUsage {
  readonly input?: unknown;
  readonly output?: unknown;
  readonly cachedInput?: unknown;
  readonly reasoning?: unknown;
}

/** Tokens that a message costs beside its text (OpenAI cookbook, "How to count tokens": 3 a message, 3 for the answer). */
const framing = 3;

/** Tokens of a request, or of a text; without a tokenizer by o200k_base, which is not every model's own (tokenizer-of.ts). */
export function countPromptTokens(
  request: Pick<GenerateRequest, 'messages' | 'json' | 'tools'> | string,
  count: (text: string) => number = countTokens,
): number {
  if (typeof request === 'string') return count(request);
  const messages = request.messages.reduce(
    (total, message) => total + count(message.content) + callTokens(message, count) + framing,
    framing,
  );
  const tools = request.tools?.length ? count(JSON.stringify(request.tools)) : 0;
  return messages + tools + (request.json ? count(JSON.stringify(request.json.schema)) : 0);
}

function callTokens(message: Message, count: (text: string) => number): number {
  const calls = message.role === 'tool' ? [] : (message.toolCalls ?? []);
  return calls.reduce((total, { name, arguments: written }) => total + count(`${name} ${written}`) + framing, 0);
}

const largest = 1e8;
/**
 * More than so many times what is counted here, or was allowed, and so many more, is a mistake or a lie: it would use up a budget, or a
 * day's, at once. Reasoning can pass what was allowed at servers that count it apart.
 */
const beyond = { share: 8, tokens: 4_096 };
const asCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largest ? value : undefined;

const mostOf = (expected: number): number => expected * beyond.share + beyond.tokens;

/**
 * What a provider reports as input, where that can be true of what was counted here. Small reports are believed uncounted: counting
 * takes time.
 */
export function believedInput(reported: unknown, counted: () => number): number | undefined {
  const input = asCount(reported);
  if (input === undefined || input === 0) return undefined;
  return input <= beyond.tokens || input <= mostOf(counted()) ? input : undefined;
}

/**
 * Total. A report of fewer than a quarter of the tokens that we count in the text is not believed: tokenizers do not differ so much. Nor
 * is one of far more than there can be.
 */
export function toUsage(reported: ReportedUsage, request: GenerateRequest, text: string): ModelUsage {
  const output = asCount(reported.output);
  const input = believedInput(reported.input, () => countPromptTokens(request));
  const seen = output === undefined || output * 2 < text.length ? countTokens(text) : 0;
  const isOutputKnown = output !== undefined && output >= seen / 4 && output <= mostOf(request.maxOutputTokens);
  const inputTokens = input ?? countPromptTokens(request);
  const outputTokens = isOutputKnown ? output : seen;
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens: Math.min(asCount(reported.cachedInput) ?? 0, inputTokens),
    reasoningTokens: Math.min(asCount(reported.reasoning) ?? 0, outputTokens),
    isEstimated: !isOutputKnown || input === undefined,
  };
}
