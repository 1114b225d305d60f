// Our vector index as bench/vectors/vectors.ts measures it: as a search takes it by default, with every vector scored, and the way of
// large sets with a number of candidates that is given, which small sets never take by themselves.
import { localScope } from '../../src/core/scope.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { createLexicalIndex } from '../../src/engine/lexical.ts';
import { partOf, slotOf } from '../../src/engine/references.ts';
import { closeEngineThreads, engineThreads } from '../../src/engine/threads/engine-threads.ts';
import { createThreadedIndex, type ThreadedIndex } from '../../src/engine/threads/pool.ts';
import type { ThreadedVectorQuery } from '../../src/engine/threads/vector-work.ts';
import { vectorKernel } from '../../src/engine/vectors/kernel.ts';
import { findNearestBits } from '../../src/engine/vectors/nearest-bits.ts';
import { searchVectors, type VectorHit } from '../../src/engine/vectors/search-vectors.ts';
import { createVectorIndex, type VectorIndex } from '../../src/engine/vectors/vector-index.ts';
import { livingBits, selectVectorRows } from '../../src/engine/vectors/vector-selection.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import { settleEmbeddedStore } from '../../src/stores/embedded/shared.ts';
import type { StoreHit } from '../../src/stores/store.ts';
import { putAll } from '../../testkit/record-changes.ts';
import { toWrite } from '../engine/engine-writes.ts';
import { filterStep, type MeasuredVectors, type VectorSettings, vectorHits } from './vectors-port.ts';

type Search = (index: VectorIndex, query: Float32Array) => Promise<readonly VectorHit[]> | readonly VectorHit[];

const noEntries = createLexicalIndex().state();
const numbers = new WeakMap<VectorIndex, ThreadedIndex>();

/** As the store searches: on a worker thread, called from this one. No words, so equal scores are ordered by row. */
async function searchThreaded(index: VectorIndex, query: ThreadedVectorQuery): Promise<readonly VectorHit[]> {
  const number = numbers.get(index) ?? createThreadedIndex();
  numbers.set(index, number);
  const on = { index: number, state: noEntries, snapshot: index.snapshot() };
  const { rows, scores } = await engineThreads.nearest(on, query);
  return Array.from(rows, (row, at) => ({ row, score: scores[at] ?? 0, part: 0, slot: 0 }));
}

function openIndex(
  { dimensions, count }: Pick<VectorSettings, 'dimensions' | 'count'>,
  searchIndex: Search,
  exact: boolean,
): MeasuredVectors {
  const index = createVectorIndex({ dimensions, metric: 'cosine' });
  const some = Array.from(
    { length: Math.ceil(count / filterStep) },
    (_, at) => [at * filterStep, at * filterStep] as const,
  );
  let selection: ReturnType<VectorIndex['selectRows']> | undefined;
  return {
    async add(first, vectors) {
      index.add(
        Float64Array.from({ length: vectors.length / dimensions }, (_, at) => first + at),
        vectors,
      );
    },
    async finish() {
      for (const _step of index.settle());
    },
    search: async (query) => searchIndex(index, query),
    numberOf: (hit) => (hit as VectorHit).row,
    // The rows of a filter are kept between searches, as the store keeps them.
    searchSome: async (vector) => {
      selection ??= index.selectRows(some);
      return searchThreaded(index, { vector, limit: vectorHits, exact, selection });
    },
    close: () => closeEngineThreads(),
  };
}

/** The whole way: documents of one short chunk and their vectors written durably, searched through the store. */
function openVectorStore({ folder, dimensions }: VectorSettings): MeasuredVectors {
  const scope = localScope();
  const vectors = { name: 'bench', dimensions, metric: 'cosine' } as const;
  let database = openSqliteRecord({ folder });
  let store = createEmbeddedStore({ database, scope, vectors });
  const filter = { op: 'eq', field: 'metadata.some', value: true } as const;
  const search = async (vector: Float32Array, some = false) => {
    const query = { text: '', mode: 'vector', vector, limit: vectorHits, ...(some && { filter }) } as const;
    return (await store.search(query)).hits;
  };
  return {
    async add(first, given) {
      const writes = Array.from({ length: given.length / dimensions }, (_, at) => {
        const number = first + at;
        const write = toWrite(number, `chunk ${number}`);
        const document = { ...write.document, metadata: { some: number % filterStep === 0 } };
        return { ...write, document, vectors: given.slice(at * dimensions, (at + 1) * dimensions) };
      });
      for (let from = 0; from < writes.length; from += 500) {
        const batch = writes.slice(from, from + 500);
        await database.forScope(scope).commit(putAll(batch, store));
      }
    },
    finish: () => settleEmbeddedStore(database, scope.tenant),
    search,
    numberOf: (hit) => Number((hit as StoreHit).documentId.slice(1)),
    searchSome: (vector) => search(vector, true),
    async restart(vector) {
      await database.close();
      const startedAt = performance.now();
      database = openSqliteRecord({ folder });
      store = createEmbeddedStore({ database, scope, vectors });
      await search(vector);
      return performance.now() - startedAt;
    },
    async close() {
      await database.close();
      await closeEngineThreads();
    },
  };
}

/** The best of `candidates` vectors that are nearest by their bits. */
export function openApproximate(
  settings: Pick<VectorSettings, 'dimensions' | 'count'>,
  candidates: number,
): MeasuredVectors {
  const search: Search = (index, query) => {
    const snapshot = index.snapshot();
    const living = snapshot.parts.map((part) => livingBits(part, undefined));
    const padded = new Float32Array(snapshot.shape.stride);
    padded.set(query);
    const before = (left: number, right: number): boolean => left < right;
    const task = { snapshot, living, query: padded, wanted: candidates, before };
    const nearest = findNearestBits(task, vectorKernel(), () => undefined);
    const ranges = Array.from(nearest, (reference) => {
      const row = snapshot.parts[partOf(reference)]?.rows[slotOf(reference)] ?? -1;
      return [row, row] as const;
    });
    const selection = selectVectorRows(snapshot, ranges);
    return searchVectors(snapshot, { vector: query, limit: vectorHits, exact: true, selection });
  };
  return openIndex(settings, search, true);
}

export const ownVectors = {
  footnote: async (settings: VectorSettings) =>
    openIndex(settings, (index, vector) => searchThreaded(index, { vector, limit: vectorHits }), false),
  'footnote exact': async (settings: VectorSettings) =>
    openIndex(settings, (index, vector) => searchThreaded(index, { vector, limit: vectorHits, exact: true }), true),
  'footnote store': async (settings: VectorSettings) => openVectorStore(settings),
} as const;
