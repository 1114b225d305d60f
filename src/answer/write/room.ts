// How much of its passages a model can take: instructions, question, form, passages and answer together fit its window, counted as it
// counts or with a margin where that is not known. Invariant: what providers reported and refused only ever makes the room smaller. Pure.
import { z } from 'zod';
import type { Calibration } from '../../models/embedding/calibrated-model.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import type { Message } from '../../models/language/messages.ts';
import { countPromptTokens } from '../../models/language/model-usage.ts';
import type { Tokenizer } from '../../models/language/tokenizer-of.ts';
import { modelAnswerSchema } from './output.ts';

export interface RoomRequest {
  readonly model: Pick<LanguageModel, 'contextTokens'>;
  readonly tokenizer: Tokenizer;
  readonly calibration: Calibration;
  /** The prompt without passages. */
  readonly frame: readonly Message[];
  /** Text like that which will be sent: its script says how far a count may be off. */
  readonly sample: string;
  /** As configured, for passages. */
  readonly contextTokens: number;
  /** As configured, for the answer. */
  readonly maxOutputTokens: number;
}

export interface Room {
  /** Tokens of passages, by the tokenizer's count. Negative: not even the instructions fit. */
  readonly budgetTokens: number;
  /** Longest answer: a quarter of a small window. */
  readonly outputTokens: number;
  /** Of instructions, question and form. */
  readonly frameTokens: number;
  /** The model's window; undefined where nobody said. */
  readonly windowTokens: number | undefined;
  /** By how much the model's own count may be larger. */
  readonly margin: number;
}

const form = z.toJSONSchema(modelAnswerSchema, { io: 'input' });
/** What providers put around a request that asks for JSON; not published, OpenAI's are below 100. */
const aroundTokens = 100;

export function roomFor(request: RoomRequest): Room {
  const { model, tokenizer, calibration, frame, sample, contextTokens, maxOutputTokens } = request;
  const windowTokens = Math.min(model.contextTokens ?? Infinity, calibration.toldTokens() ?? Infinity);
  const margin = Math.max(tokenizer.margin(sample), calibration.ratio());
  const outputTokens = Math.min(maxOutputTokens, Math.floor(windowTokens / 4));
  const json = { name: 'answer', schema: form };
  const frameTokens = countPromptTokens({ messages: frame, json }, tokenizer.count) + aroundTokens;
  return {
    budgetTokens: Math.min(contextTokens, Math.floor((windowTokens - outputTokens) / margin) - frameTokens),
    outputTokens,
    frameTokens,
    windowTokens: Number.isFinite(windowTokens) ? windowTokens : undefined,
    margin,
  };
}

/**
 * Tokens for passages after a provider found `usedTokens` of them too many: less by what it said to be over, and a tenth; half where it
 * did not say.
 */
export function shrunkBudget(usedTokens: number, { lastRefusal }: Pick<Calibration, 'lastRefusal'>): number {
  const told = lastRefusal();
  if (!told) return Math.floor(usedTokens / 2);
  return Math.floor(usedTokens - 1.1 * (told.askedTokens - told.limitTokens));
}
