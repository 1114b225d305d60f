// A language model that says what its script says, for tests and replays. Invariants: a call that the script does not expect fails,
// and so does a script with steps left, even where the caller swallowed the failure.
import { FootnoteError } from '../../core/errors.ts';
import type { CallOptions } from './call-options.ts';
import type { Finish, GenerateRequest, GenerateResult, ModelUsage, StreamPart } from './generation.ts';
import type { LanguageModel } from './language-model.ts';
import type { ToolCall } from './messages.ts';
import { toUsage } from './model-usage.ts';
import { createScript, type ScriptStep } from './script.ts';

export interface ScriptedReply {
  readonly text?: string;
  readonly finish?: Finish;
  /** Tools that the model calls; an id is made for those without one. */
  readonly toolCalls?: readonly (Omit<ToolCall, 'id'> & { readonly id?: string })[];
  readonly usage?: Partial<ModelUsage>;
  /** How the text comes when it is streamed; the text in pieces of 7 characters otherwise. */
  readonly deltas?: readonly string[];
  /** Thrown: by `generate` at once, by `stream` after the deltas. */
  readonly error?: FootnoteError;
}

export type ScriptedStep = ScriptStep<GenerateRequest, string | ScriptedReply>;

export interface ScriptedModel extends LanguageModel {
  /** What was asked, in order. */
  readonly requests: readonly GenerateRequest[];
  /** Throws if a call was not expected or a step not used. */
  assertFinished(): void;
}

export interface ScriptedModelOptions {
  readonly id?: string;
  /** Default `scripted`. */
  readonly provider?: string;
  readonly contextTokens?: number;
}

export function createScriptedModel(steps: readonly ScriptedStep[], options: ScriptedModelOptions = {}): ScriptedModel {
  const { id = 'script', provider = 'scripted', contextTokens } = options;
  const script = createScript<GenerateRequest, string | ScriptedReply>(steps, {
    name: 'Scripted model',
    textOf: ({ messages }) => messages.map(({ content }) => content).join('\n'),
  });

  const next = (request: GenerateRequest, { deadline, signal }: CallOptions): ScriptedReply => {
    if (signal?.aborted)
      throw new FootnoteError('cancelled', 'The call of a model was cancelled.', { cause: signal.reason });
    deadline.check();
    const reply = script.next(request);
    return typeof reply === 'string' ? { text: reply } : reply;
  };
  const finished = (request: GenerateRequest, reply: ScriptedReply): GenerateResult => {
    const text = reply.text ?? reply.deltas?.join('') ?? '';
    const turn = script.requests.length;
    const calls = (reply.toolCalls ?? []).map((call, at) => ({ id: `call_${turn}_${at + 1}`, ...call }));
    return {
      text,
      finish: reply.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
      ...(calls.length > 0 && { toolCalls: calls }),
      usage: { ...toUsage({}, request, text), isEstimated: false, ...reply.usage },
      model: `${provider}:${id}`,
      attempts: [{ model: `${provider}:${id}`, latencyMs: 0 }],
    };
  };

  return {
    id,
    provider,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    requests: script.requests,
    async generate(request, options) {
      const reply = next(request, options);
      if (reply.error) throw reply.error;
      return finished(request, reply);
    },
    async *stream(request, options): AsyncGenerator<StreamPart, void, void> {
      const reply = next(request, options);
      for (const text of reply.deltas ?? (reply.text ?? '').match(/[\s\S]{1,7}/gu) ?? []) {
        options.deadline.check();
        yield { type: 'delta', text };
      }
      if (reply.error) throw reply.error;
      yield { type: 'end', result: finished(request, reply) };
    },
    assertFinished: script.assertFinished,
  };
}
