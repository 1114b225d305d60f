// Another thread searches a snapshot while this one changes the index that it came from: hits are those of the snapshot.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { searchVectors } from '../../../src/engine/vectors/search-vectors.ts';
import { createVectorIndex } from '../../../src/engine/vectors/vector-index.ts';
import { clusteredVectors } from './reference.ts';

it('finds in another thread what the snapshot shows, while the index changes', { timeout: 60_000 }, async () => {
  const dimensions = 130;
  const rounds = 20;
  const batch = 300;
  const vectors = clusteredVectors(rounds * batch, dimensions, { seed: 9, clusters: 20 });
  const index = createVectorIndex({ dimensions, metric: 'cosine' });
  const worker = new Worker(new URL('./search-child.ts', import.meta.url));
  try {
    for (let round = 0; round < rounds; round++) {
      const add = (from: number, end: number): void =>
        index.add(
          Array.from({ length: end - from }, (_, at) => from + at),
          vectors.subarray(from * dimensions, end * dimensions),
        );
      const first = round * batch;
      add(first, first + 100);
      index.remove(first - 50, first + 10);
      const snapshot = index.snapshot();
      const selection = index.selectRows([[0, first + 60]]);
      const query = { vector: vectors.slice(0, dimensions), limit: 500, ...(round % 2 === 0 && { selection }) };
      const expected = searchVectors(snapshot, query);
      const answer = once(worker, 'message');
      worker.postMessage({ snapshot, query });
      for (let from = first + 100; from < first + batch; from++) add(from, from + 1);
      index.remove(first + 20, first + 90);
      if (round % 5 === 4) for (const _ of index.settle());
      expect((await answer)[0]).toEqual(expected);
      expect(searchVectors(snapshot, query)).toEqual(expected);
    }
  } finally {
    await worker.terminate();
  }
});
