// An embedding model that gives the vectors of its script, for tests. Invariants: a call that the script does not expect fails, a step
// that was not used fails, and vectors have length 1, as the port promises.
import { FootnoteError } from '../core/errors.ts';
import type { EmbeddingModel, EmbedOptions } from '../models/embedding/model.ts';
import { createScript, type ScriptStep } from '../models/language/script.ts';

export interface EmbeddingRequest {
  readonly texts: readonly string[];
  readonly kind: EmbedOptions['kind'];
}

/** One vector for each text, of any length but zero; or what is thrown. */
export type EmbeddingReply = readonly (readonly number[])[] | FootnoteError;

export interface ScriptedEmbeddings extends EmbeddingModel {
  readonly requests: readonly EmbeddingRequest[];
  /** Throws if a call was not expected or a step not used. */
  assertFinished(): void;
}

export interface ScriptedEmbeddingsOptions {
  readonly id?: string;
  readonly dimensions: number;
}

export function createScriptedEmbeddings(
  steps: readonly ScriptStep<EmbeddingRequest, EmbeddingReply>[],
  { id = 'scripted', dimensions }: ScriptedEmbeddingsOptions,
): ScriptedEmbeddings {
  const name = 'Scripted embeddings';
  const script = createScript<EmbeddingRequest, EmbeddingReply>(steps, {
    name,
    textOf: ({ texts }) => texts.join('\n'),
  });
  return {
    id,
    kind: 'fixed',
    dimensions,
    metric: 'cosine',
    requests: script.requests,
    async embed(texts, { kind, signal }) {
      if (signal?.aborted)
        throw new FootnoteError('cancelled', 'The call of a model was cancelled.', { cause: signal.reason });
      const reply = script.next({ texts, kind });
      if (reply instanceof FootnoteError) throw reply;
      const length = ({ length: found }: readonly number[]): boolean => found === dimensions;
      if (reply.length !== texts.length || !reply.every(length)) {
        script.fail(`${reply.length} vectors for ${texts.length} texts, not all of ${dimensions} dimensions`);
        throw new FootnoteError('internal', `${name}: a step does not give one vector of ${dimensions} for each text.`);
      }
      return reply.map(toUnit);
    },
    assertFinished: script.assertFinished,
  };
}

function toUnit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => (length === 0 ? 0 : number / length));
}
