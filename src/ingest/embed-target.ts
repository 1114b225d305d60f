// A model to embed with: where its vectors go, and how documents become vectors of it. Invariant: a document whose chunks are
// not what its rows say is left out, never given vectors of something else.
import { FootnoteError } from '../core/errors.ts';
import type { FixedModel } from '../models/semantics.ts';
import type { CorpusLearning, KeptModel, PendingRows, ReadChunkTexts, VectorKeeping } from './embed-ports.ts';

export interface EmbeddingTarget {
  readonly model: Omit<KeptModel, 'state'>;
  /** Of a model that is learned here. */
  readonly bytes?: Uint8Array;
  /** Chunks that one call of `embed` should be about. */
  readonly batchChunks: number;
  /** Vectors of each document end to end; undefined for one to leave out. */
  embed(batch: readonly PendingRows[], signal: AbortSignal): Promise<readonly (Float32Array | undefined)[]>;
}

/** Chunks that the thread embeds at a time: some 200 ms. */
const corpusBatch = 1000;
/** Texts that a fixed model is given at a time. */
const fixedBatch = 32;

export function corpusTarget(
  { spaces, learning }: { readonly spaces: VectorKeeping; readonly learning: CorpusLearning },
  model: Omit<KeptModel, 'state'>,
  bytes: Uint8Array,
): EmbeddingTarget {
  return {
    model,
    bytes,
    batchChunks: corpusBatch,
    async embed(batch, signal) {
      const { parts } = await spaces.indexed();
      return learning.embed(parts, { model: { space: model.space.name, bytes }, documents: batch }, signal);
    },
  };
}

/** `name` is what the settings call the model. */
export function fixedTarget(model: FixedModel, name: string, readTexts: ReadChunkTexts): EmbeddingTarget {
  const { id, dimensions, metric } = model;

  async function vectorsOf(texts: readonly string[], signal: AbortSignal): Promise<Float32Array> {
    const vectors = new Float32Array(texts.length * dimensions);
    for (let at = 0; at < texts.length; at += fixedBatch) {
      const some = texts.slice(at, at + fixedBatch);
      signal.throwIfAborted();
      const found = await model.embed(some, { kind: 'document', signal });
      if (found.length !== some.length || found.some((vector) => vector.length !== dimensions))
        throw new FootnoteError(
          'upstream-invalid',
          `The embedding model ${id} gave ${found.length} vectors of ${found[0]?.length ?? 0} dimensions for ${some.length} texts, not of ${dimensions}. Choose another model.`,
        );
      for (const [place, vector] of found.entries()) vectors.set(vector, (at + place) * dimensions);
    }
    return vectors;
  }

  return {
    model: { space: { name: id, dimensions, metric }, kind: 'fixed', facts: { source: name } },
    batchChunks: fixedBatch,
    async embed(batch, signal) {
      const texts = await Promise.all(
        batch.map(async ({ documentId, firstRow, lastRow }) => {
          const found = await readTexts(documentId);
          return found?.length === lastRow - firstRow + 1 ? found : undefined;
        }),
      );
      const all = await vectorsOf(
        texts.flatMap((some) => some ?? []),
        signal,
      );
      let from = 0;
      return texts.map((some) => {
        if (!some) return undefined;
        const to = from + some.length * dimensions;
        const vectors = all.subarray(from, to);
        from = to;
        return vectors;
      });
    },
  };
}
