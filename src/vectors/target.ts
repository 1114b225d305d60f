// A model to embed with: where its vectors go, and how documents become vectors of it. Invariant: a document whose chunks are
// not what its rows say is left out, never given vectors of something else.
import { FootnoteError } from '../core/errors.ts';
import type { FixedModel } from '../models/embedding/semantics.ts';
import type { CorpusLearning, KeptModel, PendingRows, ReadChunkTexts, RememberedText, VectorKeeping } from './ports.ts';

/** Writes the vectors of each document of a batch, end to end; undefined for one to leave out. Returns how many were written. */
export type WriteBatch = (
  vectors: readonly (Float32Array | undefined)[],
  texts?: readonly RememberedText[],
) => Promise<number>;

export interface EmbeddingTarget {
  readonly model: Omit<KeptModel, 'state'>;
  /** Of a model that is learned here. */
  readonly bytes?: Uint8Array;
  /** Chunks that one batch should be about. */
  readonly batchChunks: number;
  /** Batches that should be worked on at once. */
  readonly batchesAtOnce: number;
  /** Makes the vectors of a batch and writes them. Returns what `write` returned. */
  work(batch: readonly PendingRows[], write: WriteBatch, signal: AbortSignal): Promise<number>;
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
    batchesAtOnce: 1,
    async work(batch, write, signal) {
      const { parts } = await spaces.indexed();
      const given = { model: { space: model.space.name, bytes }, documents: batch };
      return write(await learning.embed(parts, given, signal));
    },
  };
}

/** Texts of each document; undefined where it is gone or has other chunks by now. */
export function readBatch<Text>(
  batch: readonly PendingRows[],
  readTexts: (documentId: string) => Promise<readonly Text[] | undefined>,
): Promise<readonly (readonly Text[] | undefined)[]> {
  return Promise.all(
    batch.map(async ({ documentId, firstRow, lastRow }) => {
      const found = await readTexts(documentId);
      return found?.length === lastRow - firstRow + 1 ? found : undefined;
    }),
  );
}

/** Throws `upstream-invalid` where a model gave something else than one vector of its dimensions for each text. */
export function assertVectors({ id, dimensions }: FixedModel, found: readonly Float32Array[], texts: number): void {
  if (found.length === texts && found.every((vector) => vector.length === dimensions)) return;
  throw new FootnoteError(
    'upstream-invalid',
    `The embedding model ${id} gave ${found.length} vectors of ${found[0]?.length ?? 0} dimensions for ${texts} texts, not of ${dimensions}. Choose another model.`,
  );
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
      assertVectors(model, found, some.length);
      for (const [place, vector] of found.entries()) vectors.set(vector, (at + place) * dimensions);
    }
    return vectors;
  }

  return {
    model: { space: { name: id, dimensions, metric }, kind: 'fixed', facts: { source: name } },
    batchChunks: fixedBatch,
    batchesAtOnce: 1,
    async work(batch, write, signal) {
      const texts = await readBatch(batch, readTexts);
      const all = await vectorsOf(
        texts.flatMap((some) => some ?? []),
        signal,
      );
      let from = 0;
      const documents = texts.map((some) => {
        if (!some) return undefined;
        const to = from + some.length * dimensions;
        const vectors = all.subarray(from, to);
        from = to;
        return vectors;
      });
      return write(documents);
    },
  };
}
