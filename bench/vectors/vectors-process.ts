// One vector index in a process of its own, asked by bench/vectors/vectors.ts: takes the synthetic vectors, answers rounds of queries,
// and says what it found. Usage: vectors-process.ts <index> <folder> <count> <dimensions>.

import { memoryMb, queriesWithin, timeEach } from '../../testkit/engine-timing.ts';
import { folderBytes } from '../engine/engine-port.ts';
import { answerCalls } from '../engine/engine-turns.ts';
import { createVectorCorpus } from './vectors-corpus.ts';
import { ownVectors } from './vectors-own.ts';
import { peerVectors } from './vectors-peers.ts';
import type { MeasuredVectors, VectorSettings } from './vectors-port.ts';

export const measuredVectors: Readonly<Record<string, (settings: VectorSettings) => Promise<MeasuredVectors>>> = {
  ...ownVectors,
  ...peerVectors,
};

export interface BuiltVectors {
  readonly vectorsPerSecond: number;
  /** Resident memory that the index added, after a collection. */
  readonly addedMb: number;
  readonly diskMb: number;
}

export const vectorSeed = 1;
const trialQueries = 10;

function answerFor(name: string, settings: VectorSettings): void {
  const open = measuredVectors[name];
  if (!open) throw new Error(`No index ${name}; there are ${Object.keys(measuredVectors).join(', ')}.`);
  const corpus = createVectorCorpus({ seed: vectorSeed, ...settings });
  const asked = (count: number): Float32Array[] => Array.from({ length: count }, (_, at) => corpus.query(at));
  let index: MeasuredVectors | undefined;
  const built = (): MeasuredVectors => {
    if (!index) throw new Error('Build first.');
    return index;
  };
  answerCalls({
    async build(): Promise<BuiltVectors> {
      const before = memoryMb();
      let startedAt = performance.now();
      index = await open(settings);
      let spentMs = performance.now() - startedAt;
      for (const { first, vectors } of corpus.batches()) {
        startedAt = performance.now();
        await index.add(first, vectors);
        spentMs += performance.now() - startedAt;
      }
      startedAt = performance.now();
      await index.finish();
      spentMs += performance.now() - startedAt;
      return {
        vectorsPerSecond: (settings.count / spentMs) * 1000,
        addedMb: memoryMb() - before,
        diskMb: folderBytes(settings.folder) / 1e6,
      };
    },
    /** Warms up, and says how many queries a round of this index may have. */
    async warm({ most }: { most: number }) {
      const trial = await timeEach(asked(trialQueries), built().search);
      const count = queriesWithin(trial.reduce((sum, ms) => sum + ms, 0) / trial.length, {
        budgetMs: 10_000,
        least: 40,
        most,
      });
      await timeEach(asked(count), built().search);
      return count;
    },
    /** Milliseconds of each query, in order; the last ones are asked before as well: others had the caches. */
    async round({ count }: { count: number }) {
      const queries = asked(count);
      await timeEach(queries.slice(-trialQueries), built().search);
      return timeEach(queries, built().search);
    },
    /** As a round, under the filter; null where filters are not measured. */
    async filteredRound({ count }: { count: number }) {
      const { searchSome } = built();
      if (!searchSome) return null;
      const queries = asked(count);
      await timeEach(queries.slice(-trialQueries), searchSome);
      return timeEach(queries, searchSome);
    },
    /** Numbers of the best ten of each query. */
    async found({ count, filtered }: { count: number; filtered: boolean }) {
      const { search, searchSome, numberOf } = built();
      const ask = filtered ? searchSome : search;
      if (!ask) return null;
      const numbers: number[][] = [];
      for (const query of asked(count))
        numbers.push(
          Array.from(await ask(query))
            .slice(0, 10)
            .map(numberOf),
        );
      return numbers;
    },
    restart: async () => (await built().restart?.(corpus.query(0))) ?? null,
    memory: () => memoryMb(),
    async close() {
      await index?.close();
      index = undefined;
    },
  });
}

if (import.meta.main) {
  const [name = '', folder = '', count = '0', dimensions = '0'] = process.argv.slice(2);
  answerFor(name, { folder, count: Number(count), dimensions: Number(dimensions) });
}
