// The port of language models: messages and tools in, text and calls of tools out, with what it cost. Invariants: only FootnoteError is thrown; a refusal, a
// cut or a filtered answer is a result and not an error; no call outlives its deadline or its signal.
import type { CallOptions } from './call-options.ts';
import type { GenerateRequest, GenerateResult, StreamPart } from './generation.ts';

export interface LanguageModel {
  /** As the provider names it. */
  readonly id: string;
  readonly provider: string;
  /** Longest input and output together; absent where nobody said. */
  readonly contextTokens?: number;
  /**
   * From this chance of "Yes" on its word holds that passages carry a statement, as `footnote models test` measured it; absent: it is not asked. Only models
   * that give chances have one.
   */
  readonly leastYes?: number;
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
