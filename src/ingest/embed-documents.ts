// Gives documents that lack vectors of a model theirs, page by page. Invariant: each batch is durable by itself, so stopping
// anywhere costs one batch, and going on needs nothing but what is missing.
import type { PendingRows, VectorKeeping } from './embed-ports.ts';
import type { EmbeddingTarget } from './embed-target.ts';

export interface EmbedDocumentsOptions {
  readonly spaces: VectorKeeping;
  readonly target: EmbeddingTarget;
  /** Told of chunks that have their vector by now. */
  readonly embedded: (chunks: number) => void;
  /** Called between batches. */
  readonly between?: () => Promise<void>;
}

/** Documents that are asked for at a time. */
const pageDocuments = 500;

const chunksOf = ({ firstRow, lastRow }: PendingRows): number => lastRow - firstRow + 1;

/** Resolves when nothing is missing but what cannot be embedded now. */
export async function embedDocuments(options: EmbedDocumentsOptions, signal: AbortSignal): Promise<void> {
  const { spaces, target } = options;
  const { name } = target.model.space;
  for (;;) {
    let after = '';
    let written = 0;
    for (;;) {
      const page = await spaces.missing(name, { after, limit: pageDocuments });
      for (const batch of batchesOf(page, target.batchChunks)) {
        signal.throwIfAborted();
        written += await embedBatch(options, batch, signal);
        await options.between?.();
      }
      after = page.at(-1)?.documentId ?? after;
      if (page.length < pageDocuments) break;
    }
    // What came in behind the pages is found by the next round; what no round can embed ends them.
    if (written === 0) return;
  }
}

async function embedBatch(
  { spaces, target, embedded }: EmbedDocumentsOptions,
  batch: readonly PendingRows[],
  signal: AbortSignal,
): Promise<number> {
  const vectors = await target.embed(batch, signal);
  const made = batch.flatMap((one, place) => {
    const found = vectors[place];
    return found ? [{ ...one, vectors: found }] : [];
  });
  if (made.length === 0) return 0;
  const written = await spaces.write(target.model.space.name, made);
  if (written > 0) embedded(made.reduce((sum, one) => sum + chunksOf(one), 0));
  return written;
}

/** A larger document stays whole. */
function* batchesOf(page: readonly PendingRows[], batchChunks: number): Generator<readonly PendingRows[]> {
  let batch: PendingRows[] = [];
  let chunks = 0;
  for (const one of page) {
    if (batch.length > 0 && chunks + chunksOf(one) > batchChunks) {
      yield batch;
      batch = [];
      chunks = 0;
    }
    batch.push(one);
    chunks += chunksOf(one);
  }
  if (batch.length > 0) yield batch;
}
