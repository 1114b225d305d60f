// A language model whose calls stand in the trace: the messages and parameters that were sent, and all that came back, streamed or
// whole. Invariant: one `call` event for each call of the model, also for one that failed or was left; no key and no address is in it.
import { untapedDeadline } from '../../core/deadline.ts';
import { FootnoteError } from '../../core/errors.ts';
import { recordStream, type StreamRecord } from '../../trace/record-stream.ts';
import { type Recording, recordCall } from '../../trace/recorder.ts';
import { untaped } from '../../trace/tape.ts';
import type { CallOptions } from './call-options.ts';
import type { GenerateRequest, GenerateResult, StreamPart } from './generation.ts';
import type { LanguageModel } from './language-model.ts';
import { modelName } from './model-name.ts';

export interface RecordedAs {
  /** Name of the step: `answer.model`, `judge.model`. */
  readonly port: string;
  /** Name and version of the prompt: `answer@1`. */
  readonly prompt: string;
}

/** Given to who makes prompts by itself: hands back the model, recorded. */
export type ModelRecorder = (model: LanguageModel, as: RecordedAs) => LanguageModel;

/** What of a result a trace keeps. */
interface ModelResponse extends Partial<GenerateResult> {
  /** Of a stream that was left or broke off: what had come by then. */
  readonly text: string;
  readonly wasLeft?: true;
  /** Of a stream: the length of each piece of text and the microseconds since the piece before it, in turn. */
  readonly pieces?: readonly number[];
}

/** How a text came, so that a replay can let it come like that. */
function piecesOf({ parts, atMs }: Pick<StreamRecord<StreamPart>, 'parts' | 'atMs'>): readonly number[] {
  const pieces: number[] = [];
  let last = 0;
  for (const [place, part] of parts.entries()) {
    if (part.type !== 'delta') continue;
    const at = Math.round((atMs[place] ?? 0) * 1000);
    pieces.push(part.text.length, at - last);
    last = at;
  }
  return pieces;
}

const beneath = (options: CallOptions): CallOptions => ({ ...options, deadline: untapedDeadline(options.deadline) });

/** The same model, recorded. Budgets, deadlines and signals pass through and are not recorded. */
export function recordedModel(model: LanguageModel, as: RecordedAs, recording: Recording): LanguageModel {
  const { port, prompt } = as;
  const { id, provider, contextTokens, temperature } = model;
  const asked = (request: GenerateRequest): GenerateRequest =>
    temperature === undefined ? request : { temperature, ...request };
  const record = (
    source: AsyncIterable<StreamPart>,
    { messages, ...parameters }: GenerateRequest,
    { signal }: CallOptions,
  ): AsyncIterable<StreamPart> => {
    const request = { model: modelName(model), ...parameters, messages };
    const ended = recordCall({ port, method: prompt, request }, recording);
    const tell = ({ parts, atMs, wasLeft, error, latencyMs, endedMs }: StreamRecord<StreamPart>): void => {
      const end = parts.find((part) => part.type === 'end');
      const text = parts.map((part) => (part.type === 'delta' ? part.text : '')).join('');
      const pieces = piecesOf({ parts, atMs });
      const said: ModelResponse = end?.result ?? { text, ...(wasLeft && { wasLeft }) };
      const response = pieces.length > 0 ? { ...said, pieces } : said;
      // Where nothing came the error is all there is.
      ended({ ...(!(error && text === '') && { response }), error, latencyMs, endedMs });
    };
    return recordStream(source, tell, { clock: untaped(recording.clock), signal });
  };
  return {
    id,
    provider,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(model.after && {
      after(name: string) {
        const next = model.after?.(name);
        return next && recordedModel(next, as, recording);
      },
    }),
    async generate(given, options) {
      const request = asked(given);
      const whole = async function* (): AsyncGenerator<StreamPart, void, void> {
        yield { type: 'end', result: await model.generate(request, beneath(options)) };
      };
      let result: GenerateResult | undefined;
      for await (const part of record(whole(), request, options)) if (part.type === 'end') result = part.result;
      if (!result) throw new FootnoteError('internal', 'A recorded call ended without a result.');
      return result;
    },
    stream(given, options) {
      const request = asked(given);
      return record(model.stream(request, beneath(options)), request, options);
    },
  };
}
