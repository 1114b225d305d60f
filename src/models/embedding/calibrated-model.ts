// A language model that remembers how its own counts differ from ours. Invariants: what it remembers only ever makes room smaller; it is
// kept in memory, for as long as the model is open; calls and results pass through unchanged.
import { isFootnoteError } from '../../core/errors.ts';
import type { GenerateRequest, GenerateResult, StreamPart } from '../language/generation.ts';
import type { LanguageModel } from '../language/language-model.ts';
import type { LengthRefusal } from '../language/length-refusal.ts';
import { modelName } from '../language/model-name.ts';

export interface Calibration {
  /** Reported over counted tokens of what was sent: a running value, at least 1. */
  readonly ratio: () => number;
  /** The smallest window that a refusal named; undefined: none was refused. */
  readonly toldTokens: () => number | undefined;
  /** What the last refusal for length said. */
  readonly lastRefusal: () => LengthRefusal | undefined;
}

export interface CalibratedModel extends LanguageModel {
  readonly calibration: Calibration;
}

interface Memory {
  ratio: number;
  toldTokens: number | undefined;
}

/** A report larger than so many times our count is no matter of tokenizers. */
const largestRatio = 4;
/** Below, what providers put around messages is most of it. */
const leastTokens = 200;
/** A larger ratio counts at once, a smaller one is approached by this share a call. */
const approach = 0.1;

const memories = new WeakMap<LanguageModel, Memory>();

/** `count`: our tokens of a whole request. The memory is that of `model`, however often it is wrapped. */
export function calibratedModel(model: LanguageModel, count: (request: GenerateRequest) => number): CalibratedModel {
  const memory = memories.get(model) ?? { ratio: 1, toldTokens: undefined };
  memories.set(model, memory);
  let lastRefusal: LengthRefusal | undefined;
  const learn = (request: GenerateRequest, { usage, model: served }: GenerateResult): void => {
    // Another model of the list may have served, which counts in its own way.
    if (usage.isEstimated || served !== modelName(model)) return;
    const counted = count(request);
    if (counted < leastTokens) return;
    const ratio = Math.min(largestRatio, Math.max(1, usage.inputTokens / counted));
    memory.ratio = ratio > memory.ratio ? ratio : memory.ratio + approach * (ratio - memory.ratio);
  };
  const refused = (thrown: unknown): void => {
    if (!isFootnoteError(thrown) || thrown.code !== 'too-large') return;
    const { limitTokens, askedTokens } = thrown.details;
    lastRefusal = undefined;
    if (typeof limitTokens !== 'number' || typeof askedTokens !== 'number') return;
    lastRefusal = { limitTokens, askedTokens };
    memory.toldTokens = Math.min(memory.toldTokens ?? limitTokens, limitTokens);
  };
  const { id, provider, contextTokens, temperature } = model;
  return {
    id,
    provider,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    // What is remembered is of the first of a list alone.
    ...(model.after && { after: (name: string) => model.after?.(name) }),
    calibration: {
      ratio: () => memory.ratio,
      toldTokens: () => memory.toldTokens,
      lastRefusal: () => lastRefusal,
    },
    async generate(request, options) {
      try {
        const result = await model.generate(request, options);
        learn(request, result);
        return result;
      } catch (thrown) {
        refused(thrown);
        throw thrown;
      }
    },
    async *stream(request, options): AsyncGenerator<StreamPart, void, void> {
      try {
        for await (const part of model.stream(request, options)) {
          if (part.type === 'end') learn(request, part.result);
          yield part;
        }
      } catch (thrown) {
        refused(thrown);
        throw thrown;
      }
    },
  };
}
