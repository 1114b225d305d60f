// A corpus-trained model with the sentence encoder beside it: vectors of two parts, of which each has length 1 or is all zeros, so that a query weighs them
// as it likes. Invariants: the part that is learned is as it is without the encoder; what the encoder said of a text is remembered by its hash, and said once.
import type { CorpusModel } from '../models/embedding/model.ts';
import type { ChunkEncoder, ChunkText } from '../models/encoder/encoder.ts';
import type { KeptModel, PendingRows, RememberedText, VectorKeeping } from './ports.ts';
import { type EmbeddingTarget, readBatch, type WriteBatch } from './target.ts';

/** A chunk, with the hash by which `VectorKeeping.recall` knows its text. */
export interface HashedChunk extends ChunkText {
  readonly hash: string;
}

export interface EncodedPorts {
  readonly encoder: ChunkEncoder;
  /** Chunks of a document in their order. Undefined where it is gone. */
  readonly readChunks: (documentId: string) => Promise<readonly HashedChunk[] | undefined>;
}

/** Chunks that are embedded with the encoder; of more the learned model serves alone, for they take hours: a thousand take some minutes. */
export const mostEncoded = 30_000;
/** Chunks of a batch, which a stop may cost: a second or two. */
const batchChunks = 8;
/** How chunks are cut for the encoder is a part of what is remembered of it. */
const reading = 'windows-1';

export const isEncoded = ({ facts }: Pick<KeptModel, 'facts'>): boolean => facts['encoder'] !== undefined;

/** A kept model as it was learned, without its encoder. */
export function learnedOf<Model extends Pick<KeptModel, 'space' | 'facts'>>(model: Model): Model {
  const { encoder, learned, dimensions, ...facts } = model.facts;
  if (encoder === undefined) return model;
  return { ...model, facts, space: { ...model.space, name: String(learned), dimensions: Number(dimensions) } };
}

/** Throws what opening the encoder throws. */
export async function encodedTarget(
  learned: EmbeddingTarget,
  { encoder, readChunks }: EncodedPorts,
  spaces: Pick<VectorKeeping, 'recall'>,
): Promise<EmbeddingTarget> {
  const { id, dimensions: encoded } = await encoder.about();
  const { space, facts } = learned.model;
  const { dimensions } = space;
  const memo = `${id} ${reading}`;

  /** What is encoded is remembered piece by piece: a document is a batch, however large, and a stop in it costs a piece. */
  async function encode(chunks: readonly HashedChunk[], write: WriteBatch, signal: AbortSignal) {
    const known = new Map(await spaces.recall(memo, [...new Set(chunks.map(({ hash }) => hash))]));
    const fresh: RememberedText[] = [];
    for (const chunk of chunks) {
      if (known.has(chunk.hash)) continue;
      signal.throwIfAborted();
      const vector = await encoder.encodeChunk(chunk, signal);
      known.set(chunk.hash, vector);
      fresh.push({ hash: chunk.hash, vector, space: memo });
      if (fresh.length >= batchChunks) await write([], fresh.splice(0));
    }
    return { known, fresh };
  }

  return {
    ...learned,
    model: {
      kind: 'corpus',
      space: { ...space, name: `${space.name}+${id}`, dimensions: dimensions + encoded },
      facts: { ...facts, encoder: id, learned: space.name, dimensions },
    },
    batchChunks,
    work: (batch: readonly PendingRows[], write, signal) =>
      learned.work(
        batch,
        async (parts) => {
          const read = await readBatch(batch, readChunks);
          const { known, fresh } = await encode(
            read.flatMap((chunks, at) => (parts[at] && chunks) ?? []),
            write,
            signal,
          );
          return write(
            read.map((chunks, at) => joined(parts[at], chunks, known)),
            fresh,
          );
        },
        signal,
      ),
  };

  /** The vectors of a document, end to end: what is learned of each chunk, then what the encoder said of it. */
  function joined(
    own: Float32Array | undefined,
    chunks: readonly HashedChunk[] | undefined,
    known: ReadonlyMap<string, Float32Array>,
  ): Float32Array | undefined {
    if (!own || !chunks) return undefined;
    const all = new Float32Array(chunks.length * (dimensions + encoded));
    for (const [row, { hash }] of chunks.entries()) {
      const start = row * (dimensions + encoded);
      all.set(own.subarray(row * dimensions, (row + 1) * dimensions), start);
      all.set(known.get(hash) ?? [], start + dimensions);
    }
    return all;
  }
}

/**
 * The model for queries. Their vectors have the learned part alone where the encoder says nothing in its time, cannot be run, or is another one by now:
 * they are then shorter than those of chunks.
 */
export function withEncoder(
  learned: CorpusModel,
  { space, facts }: Pick<KeptModel, 'space' | 'facts'>,
  encoder: ChunkEncoder | undefined,
): CorpusModel {
  async function said(text: string, signal: AbortSignal | undefined): Promise<ArrayLike<number>> {
    try {
      if (!encoder || (await encoder.about()).id !== facts['encoder']) return [];
      return await encoder.encodeQuery(text, signal);
    } catch (thrown) {
      if (signal?.aborted) throw thrown;
      return [];
    }
  }
  return {
    ...learned,
    id: space.name,
    dimensions: space.dimensions,
    learnedDimensions: learned.dimensions,
    async embed(texts, options) {
      const own = await learned.embed(texts, options);
      // Documents have theirs already; a few pages of a moment are told apart by what is learned.
      if (options.kind === 'document') return own;
      const beside = await Promise.all(texts.map((text) => said(text, options.signal)));
      return own.map((vector, at) => {
        const both = new Float32Array(vector.length + (beside[at]?.length ?? 0));
        both.set(vector);
        both.set(beside[at] ?? [], vector.length);
        return both;
      });
    },
  };
}
