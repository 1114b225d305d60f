// The vectors of texts by the process of a local model. Invariant: a text without a word is all zeros, and the model is not asked for it.
import type { ModelProcess } from '../../threads/model-process.ts';
import type { EmbeddedTexts, EmbedWork } from './protocol.ts';

export interface EmbeddedBatch {
  /** In the order of the texts. */
  readonly vectors: readonly Float32Array[];
  /** Texts that the model was asked for, and how many of them lost their end. */
  readonly asked: number;
  readonly truncated: number;
}

export interface EmbedTexts extends Pick<EmbedWork, 'texts' | 'prefix' | 'urgent'> {
  readonly dimensions: number;
}

/** Throws what `ModelProcess.run` throws. */
export async function embedTexts(
  process: Pick<ModelProcess<EmbedWork, EmbeddedTexts>, 'run'>,
  { texts, dimensions, ...work }: EmbedTexts,
  signal?: AbortSignal,
): Promise<EmbeddedBatch> {
  const vectors = texts.map(() => new Float32Array(dimensions));
  const spoken = texts.flatMap((text, at) => (text.trim() === '' ? [] : [{ text, at }]));
  if (spoken.length === 0) return { vectors, asked: 0, truncated: 0 };
  const embedded = await process.run({ kind: 'embed', ...work, texts: spoken.map(({ text }) => text) }, signal);
  spoken.forEach(({ at }, index) => {
    vectors[at]?.set(embedded.vectors.subarray(index * dimensions, (index + 1) * dimensions));
  });
  return { vectors, asked: spoken.length, truncated: embedded.truncated };
}
