// A language model whose calls stand in the trace: the messages and parameters that were sent, and all that came back, streamed or
// whole. Invariant: one `call` event for each call of the model, also for one that failed or was left; no key and no address is in it.
import { FootnoteError } from '../core/errors.ts';
import type { EventSink, PortCall } from '../core/events.ts';
import { recordStream, type StreamRecord } from '../trace/record-stream.ts';
import {
  type CallOptions,
  type GenerateRequest,
  type GenerateResult,
  type LanguageModel,
  modelName,
  type StreamPart,
} from './language/language-model.ts';

export interface RecordedModelOptions {
  /** Name of the step: `answer.model`, `judge.model`. */
  readonly port: string;
  /** Name and version of the prompt: `answer@1`. */
  readonly prompt: string;
  readonly sink: EventSink;
}

/** What of a result a trace keeps. */
interface ModelResponse extends Partial<GenerateResult> {
  /** Of a stream that was left or broke off: what had come by then. */
  readonly text: string;
  readonly wasLeft?: true;
}

/** The same model, recorded. Budgets, deadlines and signals pass through and are not recorded. */
export function recordedModel(model: LanguageModel, { port, prompt, sink }: RecordedModelOptions): LanguageModel {
  const { id, provider, contextTokens } = model;
  const record = (
    source: AsyncIterable<StreamPart>,
    { messages, ...parameters }: GenerateRequest,
    { signal }: CallOptions,
  ): AsyncIterable<StreamPart> => {
    const tell = ({ parts, wasLeft, error, latencyMs }: StreamRecord<StreamPart>): void => {
      const end = parts.find((part) => part.type === 'end');
      const text = parts.map((part) => (part.type === 'delta' ? part.text : '')).join('');
      const response: ModelResponse = end?.result ?? { text, ...(wasLeft && { wasLeft }) };
      const call: PortCall = {
        port,
        method: prompt,
        request: { model: modelName(model), ...parameters, messages },
        // Nothing came: the error is all there is.
        ...(!(error && text === '') && { response }),
        ...(error && { error }),
        latencyMs,
      };
      sink({ type: 'call', call });
    };
    return recordStream(source, tell, signal);
  };
  return {
    id,
    provider,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(model.after && {
      after(name: string) {
        const next = model.after?.(name);
        return next && recordedModel(next, { port, prompt, sink });
      },
    }),
    async generate(request, options) {
      const whole = async function* (): AsyncGenerator<StreamPart, void, void> {
        yield { type: 'end', result: await model.generate(request, options) };
      };
      let result: GenerateResult | undefined;
      for await (const part of record(whole(), request, options)) if (part.type === 'end') result = part.result;
      if (!result) throw new FootnoteError('internal', 'A recorded call ended without a result.');
      return result;
    },
    stream: (request, options) => record(model.stream(request, options), request, options),
  };
}
