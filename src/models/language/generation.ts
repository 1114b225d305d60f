// One call of a model as data: what is asked for, and what came of it with what it cost.

import type { FileSearch, FileSearchCall } from './file-search.ts';
import type { Message, ModelEcho, Tool, ToolCall } from './messages.ts';

/** A JSON Schema (2020-12) that the text of the answer must meet. Providers that can, enforce it; all are checked afterwards. */
export interface JsonForm {
  /** Letters, digits, `_` and `-`, at most 64: providers show it to the model. */
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface GenerateRequest {
  /** System messages first; then user and assistant in turn, a user message or the results of tools last. */
  readonly messages: readonly Message[];
  /** Longest answer, reasoning included where the provider counts it so. Longer text is cut here too, as `length`. */
  readonly maxOutputTokens: number;
  /** 0..2; left to the model when absent (models that reason refuse it). */
  readonly temperature?: number;
  readonly json?: JsonForm;
  /**
   * The one word that is asked for, out of these: a model that gives chances (`givesChances`) writes them as JSON, `{"Yes":0.83,"No":0.17}`, which add up to 1,
   * or `{}` where other words are likelier than all of these. All others write as ever.
   */
  readonly choices?: readonly string[];
  /** Absent or empty: none is offered. A model may call several at once. */
  readonly tools?: readonly Tool[];
  /** Default `auto`. `required`: it has to call one. `none`: it may not, though it sees them. */
  readonly toolChoice?: 'auto' | 'required' | 'none';
  /** In place of `tools`. Left out by providers that have none. */
  readonly fileSearch?: FileSearch;
}

/**
 * Why the text ends. `stop`: the model was done. `length`: cut at `maxOutputTokens`. `refusal`: the model declined.
 * `content-filter`: the provider withheld it. `tool-calls`: it wants tools called, offered or not. `other`: not said.
 */
export type Finish = 'stop' | 'length' | 'refusal' | 'content-filter' | 'tool-calls' | 'other';

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of `inputTokens` that the provider had cached. */
  readonly cachedInputTokens: number;
  /** Part of `outputTokens` that is not in the text. */
  readonly reasoningTokens: number;
  /** The provider did not say, or said what cannot be: counted here with another tokenizer. */
  readonly isEstimated: boolean;
}

/** One try of one model; a result lists all that it took. `code` is absent for the one that served. */
export interface ModelAttempt {
  /** `provider:model`. */
  readonly model: string;
  readonly code?: string;
  readonly latencyMs: number;
}

export interface GenerateResult {
  readonly text: string;
  readonly finish: Finish;
  /** In the order in which they were made; absent where there are none. */
  readonly toolCalls?: readonly ToolCall[];
  /** Those that it made at its provider, in their order; absent where it made none. */
  readonly fileSearches?: readonly FileSearchCall[];
  /** To be shown again with this turn, where there is something to be. */
  readonly echo?: ModelEcho;
  readonly usage: ModelUsage;
  /** `provider:model` that served, which is another than asked when that one failed. */
  readonly model: string;
  /** US dollars, of all attempts; absent where no price is known. */
  readonly costUsd?: number;
  readonly attempts: readonly ModelAttempt[];
}

/** Text as it comes, ended by exactly one `end`, whose text is all deltas joined. A stream that fails throws and has no `end`. */
export type StreamPart =
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'end'; readonly result: GenerateResult };

/** Files of this machine tell how likely a word is to come next, or a class. */
export const givesChances = ({ provider }: { readonly provider: string }): boolean =>
  provider === 'gguf' || provider === 'onnx';
