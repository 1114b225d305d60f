// A thread that searches the snapshots posted to it (threads.test.ts).
import { parentPort } from 'node:worker_threads';
import { searchVectors, type VectorQuery } from '../../../src/engine/vectors/search-vectors.ts';
import type { VectorSnapshot } from '../../../src/engine/vectors/vector-snapshot.ts';

parentPort?.on('message', ({ snapshot, query }: { snapshot: VectorSnapshot; query: VectorQuery }) => {
  parentPort?.postMessage(searchVectors(snapshot, query));
});
