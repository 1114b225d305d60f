// A model of the AI SDK (`LanguageModelV4`) behind our port: one attempt for each call. Invariants: the SDK's own retries are
// never used, its errors never pass, text is no longer than was asked for, and whoever leaves a stream closes its socket.

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { FootnoteError } from '../../../core/errors.ts';
import { joinedAbort } from '../../../core/signals/joined-abort.ts';
import type { CallOptions } from '../call-options.ts';
import type { Finish, GenerateRequest, GenerateResult, StreamPart } from '../generation.ts';
import type { LanguageModel } from '../language-model.ts';
import { toUsage } from '../model-usage.ts';
import { createOutputLimit } from '../output-limit.ts';
import { isContentFilter, type ProviderFacts, toModelError } from './errors.ts';
import { createTurnReader, type TurnParts, toolOptions, toPrompt } from './tool-calls.ts';

/** What every provider's adapter takes. The key stays in the closures of the SDK: it is in no field of the model. */
export interface ProviderAccess {
  readonly apiKey: string;
  /** With its path, such as `https://api.openai.com/v1`. */
  readonly address: string;
  /** `createEgress().fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** Names of the settings, for messages. */
  readonly keySetting: string;
  readonly addressSetting: string;
}

/** Of one model, where the operator or a table knows. */
export interface ModelFacts {
  readonly contextTokens?: number;
}

export interface SdkModelOptions extends ModelFacts {
  readonly facts: ProviderFacts;
  readonly model: LanguageModelV4;
  /** What the provider needs beside the request. */
  readonly settings: (request: GenerateRequest) => Pick<LanguageModelV4CallOptions, 'providerOptions' | 'tools'>;
}

export function fromAiSdk({ facts, model, settings, contextTokens }: SdkModelOptions): LanguageModel {
  const name = `${facts.provider}:${facts.model}`;

  const finished = (end: {
    request: GenerateRequest;
    text: string;
    reason: LanguageModelV4FinishReason;
    usage: LanguageModelV4Usage | undefined;
    isCut: boolean;
    turn?: TurnParts;
    startedAt: number;
  }): GenerateResult => {
    const { request, text, reason, usage, isCut, turn = {}, startedAt } = end;
    return {
      text,
      finish: isCut ? 'length' : toFinish(reason),
      ...turn,
      usage: toUsage(
        {
          input: usage?.inputTokens?.total,
          output: usage?.outputTokens?.total,
          cachedInput: usage?.inputTokens?.cacheRead,
          reasoning: usage?.outputTokens?.reasoning,
        },
        request,
        text + (turn.toolCalls ?? []).map((made) => made.name + made.arguments).join(''),
      ),
      model: name,
      attempts: [{ model: name, latencyMs: performance.now() - startedAt }],
    };
  };
  const withheld = (request: GenerateRequest, startedAt: number): GenerateResult =>
    finished({
      request,
      text: '',
      reason: { unified: 'content-filter', raw: 'content_filter' },
      usage: undefined,
      isCut: false,
      startedAt,
    });

  return {
    id: facts.model,
    provider: facts.provider,
    ...(contextTokens === undefined ? {} : { contextTokens }),

    async generate(request, options) {
      const startedAt = performance.now();
      const call = begin(options);
      try {
        const result = await model.doGenerate({
          ...toCall(request, name),
          ...settings(request),
          abortSignal: call.signal,
        });
        if (result.finishReason.unified === 'error')
          throw new FootnoteError('upstream-invalid', 'It ended with an error.');
        const text = result.content.filter(isAnswer).map(textOf).join('').toWellFormed();
        const within = createOutputLimit(request.maxOutputTokens).take(text);
        const reader = createTurnReader(name);
        for (const part of result.content) reader.take(part);
        return finished({
          request,
          text: within,
          reason: result.finishReason,
          usage: result.usage,
          isCut: within.length < text.length,
          turn: reader.end(),
          startedAt,
        });
      } catch (error) {
        call.check();
        if (isContentFilter(error)) return withheld(request, startedAt);
        throw toModelError(error, facts);
      } finally {
        call.end();
      }
    },

    // oxlint-disable-next-line complexity -- Each kind of message that a provider sends is a case.
    async *stream(request, options): AsyncGenerator<StreamPart, void, void> {
      const startedAt = performance.now();
      const call = begin(options);
      let text = '';
      let isRead = false;
      try {
        const result = await model.doStream({
          ...toCall(request, name),
          ...settings(request),
          abortSignal: call.signal,
        });
        const limit = createOutputLimit(request.maxOutputTokens);
        const asides = new Set<string>();
        const reader = createTurnReader(name);
        let end: Extract<LanguageModelV4StreamPart, { type: 'finish' }> | undefined;
        let isCut = false;
        for await (const part of result.stream) {
          if (part.type === 'error') throw part.error;
          if (part.type === 'finish') end = part;
          reader.take(part);
          if (part.type === 'text-start' && !isAnswer({ ...part, type: 'text', text: '' })) asides.add(part.id);
          if (part.type === 'reasoning-delta' || part.type === 'text-delta' || part.type === 'tool-input-delta')
            options.heard?.();
          if (part.type !== 'text-delta' || part.delta === '' || asides.has(part.id)) continue;
          const delta = limit.take(part.delta);
          isCut = delta.length < part.delta.length;
          text += delta;
          if (delta !== '') yield { type: 'delta', text: delta };
          if (isCut) break;
        }
        isRead = !isCut;
        if (
          !isCut &&
          (end === undefined || end.finishReason.unified === 'interrupted' || end.finishReason.unified === 'error')
        )
          throw new FootnoteError('upstream-unavailable', 'Its answer broke off before the end.');
        const reason = end?.finishReason ?? { unified: 'length' as const, raw: undefined };
        yield {
          type: 'end',
          result: finished({ request, text, reason, usage: end?.usage, isCut, turn: reader.end(), startedAt }),
        };
      } catch (error) {
        call.check();
        if (text === '' && isContentFilter(error)) yield { type: 'end', result: withheld(request, startedAt) };
        else throw toModelError(error, facts);
      } finally {
        // What was read to its end has closed its socket.
        if (isRead) call.end();
        else call.leave();
      }
    },
  };
}

/** Why a stream that nobody reads on is ended: one object, because an error with its stack costs more than the rest of leaving. */
const leftStream = new FootnoteError('cancelled', 'The stream of a model was left.');

interface BegunCall {
  readonly signal: AbortSignal;
  /** Throws if the caller ended it. */
  check(): void;
  /** Ends the call at the provider. */
  leave(): void;
  end(): void;
}

/** The signal of one call, and who ended it. */
function begin({ deadline, signal }: CallOptions): BegunCall {
  const check = (): void => {
    if (signal?.aborted)
      throw new FootnoteError('cancelled', 'The call of a model was cancelled.', { cause: signal.reason });
    deadline.check();
  };
  check();
  const ends = joinedAbort([deadline.signal, ...(signal ? [signal] : [])]);
  return { signal: ends.signal, check, leave: () => ends.abort(leftStream), end: ends.release };
}

function toCall(request: GenerateRequest, name: string): LanguageModelV4CallOptions {
  const { messages, maxOutputTokens, temperature, json } = request;
  return {
    prompt: toPrompt(messages, name),
    maxOutputTokens,
    ...toolOptions(request, isStrictSchema),
    ...(temperature === undefined ? {} : { temperature }),
    ...(json === undefined ? {} : { responseFormat: { type: 'json', name: json.name, schema: json.schema } }),
  };
}

type TextContent = Extract<LanguageModelV4Content, { type: 'text' }>;

/** Models that think aloud (`phase: commentary` of OpenAI) say things beside the answer. */
function isAnswer(part: LanguageModelV4Content): part is TextContent {
  return (
    part.type === 'text' && !Object.values(part.providerMetadata ?? {}).some((facts) => facts['phase'] === 'commentary')
  );
}
const textOf = (part: TextContent): string => part.text;

/** The SDK calls a refusal `content-filter`; only what a provider's filter withheld keeps that reason as it was sent. */
function toFinish({ unified, raw }: LanguageModelV4FinishReason): Finish {
  switch (unified) {
    case 'stop':
    case 'length':
    case 'tool-calls':
      return unified;
    case 'content-filter':
      return raw === 'content_filter' ? 'content-filter' : 'refusal';
    default:
      return 'other';
  }
}

/**
 * Whether OpenAI's strict mode takes a schema: every object closed and every property required ("Structured outputs",
 * platform.openai.com/docs). Others are sent as a wish, and checked here in any case.
 */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  if (typeof schema !== 'object' || schema === null) return true;
  const { type, properties, required, additionalProperties } = schema as Record<string, unknown>;
  if (type === 'object') {
    const names = Object.keys((properties as object | undefined) ?? {});
    const needed = new Set(Array.isArray(required) ? required : []);
    if (additionalProperties !== false || !names.every((name) => needed.has(name))) return false;
  }
  return Object.values(schema).every(isStrictSchema);
}
