// The port of language models: messages and tools in, text and calls of tools out, with what it cost. Invariants: only FootnoteError is thrown; a refusal, a
// cut or a filtered answer is a result and not an error; no call outlives its deadline or its signal.
import type { ModelBudget } from '../../core/budget.ts';
import type { Deadline } from '../../core/deadline.ts';

export interface SpokenMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Tools that the assistant called; each is answered by a message of role `tool` before anything else is said. */
  readonly toolCalls?: readonly ToolCall[];
  /** `GenerateResult.echo` of the turn that is shown again. */
  readonly echo?: ModelEcho;
}

/** What a tool handed back for one call. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly content: string;
  readonly callId: string;
  /** Name of the tool that was called. */
  readonly tool: string;
}

export type Message = SpokenMessage | ToolMessage;

/** A tool that a model may call. */
export interface Tool {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  readonly description: string;
  /** A JSON Schema (2020-12) of an object. Providers that can, enforce it; `readToolCall` (tools/read-call.ts) checks all. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Files at the provider that its model may search by itself while it answers, as often and in what words it likes. */
export interface FileSearch {
  /** What the provider calls the stores that they stand in. */
  readonly storeIds: readonly string[];
  /** In the provider's dialect: the model can neither see nor change it. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** Pieces of one search, 1..50. */
  readonly most: number;
}

/** A piece of a file that such a search found. Nothing of it was checked. */
export interface FilePiece {
  readonly fileId: string;
  readonly score: number;
  readonly text: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** One search that a model made at its provider. */
export interface FileSearchCall {
  readonly queries: readonly string[];
  /** Absent: the provider does not say what it found. */
  readonly pieces?: readonly FilePiece[];
}

/** A tool that a model wants called. Nothing of it was checked: name and arguments are what the model wrote. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, or what a broken model takes for it. */
  readonly arguments: string;
}

/** What a provider wants back with a turn of its model, such as encrypted reasoning. Only the model that said it is shown it again. */
export interface ModelEcho {
  /** `provider:model`. */
  readonly model: string;
  readonly parts: readonly unknown[];
}

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
  /** Absent or empty: none is offered. A model may call several at once. */
  readonly tools?: readonly Tool[];
  /** Default `auto`. `required`: it has to call one. `none`: it may not, though it sees them. */
  readonly toolChoice?: 'auto' | 'required' | 'none';
  /** In place of `tools`. Left out by providers that have none. */
  readonly fileSearch?: FileSearch;
}

/** How long silence is waited for. */
export interface Patience {
  /**
   * Until the first words of a model, or the whole of an answer that does not stream. Default: an equal share of the time for each
   * model of the list, and half of one for what the caller does without them.
   */
  readonly firstTokenMs?: number | undefined;
  /** Between two pieces of an answer that has begun; at most half of what was left when it was asked for. */
  readonly idleMs?: number | undefined;
}

export interface CallOptions {
  readonly deadline: Deadline;
  /**
   * Reserved before each attempt, settled after it; what it cannot pay throws `quota-exceeded` unsent. Kept by `createModelChain`: a
   * model alone makes its one attempt without looking at it.
   */
  readonly budget?: ModelBudget;
  /** Ends the call earlier than the deadline: the client of one stream went away. */
  readonly signal?: AbortSignal;
  /** How long silence is waited for. Kept by `createModelChain`. Default: as long as the deadline allows. */
  readonly patience?: Patience;
  /** Called by streams of a model that is at work and says nothing yet: it reasons. */
  readonly heard?: () => void;
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

export interface LanguageModel {
  /** As the provider names it. */
  readonly id: string;
  readonly provider: string;
  /** Longest input and output together; absent where nobody said. */
  readonly contextTokens?: number;
  /** Of calls that name none; kept by `recordedModel`, so that traces have it. */
  readonly temperature?: number;
  /**
   * Throws `config-invalid` (key, model name), `rate-limited` and `upstream-unavailable` (`details.retryAfterMs` when told),
   * `quota-exceeded`, `upstream-invalid`, `too-large` (more than the model reads), `deadline-exceeded`, `cancelled`.
   */
  generate(request: GenerateRequest, options: CallOptions): Promise<GenerateResult>;
  /** Throws like `generate`, while it is iterated. Leaving the loop early ends the call at the provider. */
  stream(request: GenerateRequest, options: CallOptions): AsyncIterable<StreamPart>;
  /** Of a list: what stands behind the model of this name (`provider:model`), for callers who could not use its answer. */
  after?(name: string): LanguageModel | undefined;
}

/** How models are named in settings, results and prices. */
export const modelName = ({ provider, id }: Pick<LanguageModel, 'provider' | 'id'>): string => `${provider}:${id}`;

/** The same model, and those behind it, at this temperature where a call names none. */
export function withTemperature(model: LanguageModel, temperature: number): LanguageModel {
  return {
    ...model,
    temperature,
    ...(model.after && {
      after(name: string) {
        const next = model.after?.(name);
        return next && withTemperature(next, temperature);
      },
    }),
  };
}
