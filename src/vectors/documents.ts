// Gives documents that lack vectors of a model theirs, page by page, as many batches at once as the model wants. Invariant: each
// batch is durable by itself, so stopping anywhere costs what is under way, and going on needs nothing but what is missing.
import type { PendingRows, VectorKeeping } from './ports.ts';
import type { EmbeddingTarget } from './target.ts';

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
  // What came in behind the pages is found by the next round; what no round can embed ends them.
  while ((await embedRound(options, signal)) > 0);
}

/** Returns how many documents were written. The first failure ends what else is under way, and is thrown when all have ended. */
async function embedRound(options: EmbedDocumentsOptions, signal: AbortSignal): Promise<number> {
  const { spaces, target } = options;
  const failing = new AbortController();
  const both = AbortSignal.any([signal, failing.signal]);
  const running = new Set<Promise<void>>();
  let written = 0;

  function begin(batch: readonly PendingRows[]): void {
    const one = embedBatch(options, batch, both)
      .then((count) => {
        written += count;
      })
      .catch((error: unknown) => failing.abort(error))
      .finally(() => running.delete(one));
    running.add(one);
  }

  try {
    let after = '';
    for (;;) {
      const page = await spaces.missing(target.model.space.name, { after, limit: pageDocuments });
      for (const batch of batchesOf(page, target.batchChunks)) {
        while (running.size >= target.batchesAtOnce) await Promise.race(running);
        both.throwIfAborted();
        await options.between?.();
        begin(batch);
      }
      after = page.at(-1)?.documentId ?? after;
      if (page.length < pageDocuments) break;
    }
  } catch (error) {
    failing.abort(error);
  }
  await Promise.all(running);
  if (failing.signal.aborted) throw failing.signal.reason;
  signal.throwIfAborted();
  return written;
}

async function embedBatch(
  { spaces, target, embedded }: EmbedDocumentsOptions,
  batch: readonly PendingRows[],
  signal: AbortSignal,
): Promise<number> {
  return target.work(
    batch,
    async (vectors, texts) => {
      const made = batch.flatMap((one, place) => {
        const found = vectors[place];
        return found ? [{ ...one, vectors: found }] : [];
      });
      if (made.length === 0 && !texts?.length) return 0;
      const written = await spaces.write(target.model.space.name, made, texts);
      if (written > 0) embedded(made.reduce((sum, one) => sum + chunksOf(one), 0));
      return written;
    },
    signal,
  );
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
