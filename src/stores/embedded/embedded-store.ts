// The store inside the record's own database: our engine (docs/engine.md) over segments and vectors that live there. Every
// tenant has an index of its own, because shared document frequencies would leak; writes join the record's transaction, so that the
// two never disagree; access and filters restrict the scan itself, by rows that one query on the record yields.
import type { Scope } from '../../core/scope.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import { type EngineThreads, engineThreads } from '../../engine/threads/engine-threads.ts';
import { noVectorsOf } from './held-vectors.ts';
import type { IndexPlace } from './index-place.ts';
import { createIndexedStore, waitFor } from './indexed-store.ts';
import type { EmbeddedStore } from './port.ts';
import { createSelector } from './selection.ts';
import { engineOf, putEntries, removeEntries, vectorsIn } from './shared.ts';
import type { VectorSpace } from './vector-keeping.ts';
import { findSpace, rowsOfChunks, type TenantVectors } from './vectors.ts';

export interface EmbeddedStoreOptions {
  readonly database: SqliteRecordDatabase;
  readonly scope: Scope;
  /** What the vectors are that documents bring with them, and queries that name no space. */
  readonly vectors?: VectorSpace;
  /** Where searches run; by default the threads of the process. */
  readonly threads?: EngineThreads;
}

/** The store over the record of `database` for one scope. */
export function createEmbeddedStore({
  database,
  scope,
  threads = engineThreads,
  ...options
}: EmbeddedStoreOptions): EmbeddedStore {
  const shared = engineOf(database, scope.tenant);
  const { engine, upkeep, spaces } = shared;
  const vectors = options.vectors && vectorsIn(spaces, scope.tenant, options.vectors);
  const { select } = createSelector(database, engine, scope);

  /** Vectors of a space that the record knows. */
  function vectorsNamed(name: string): TenantVectors {
    const held = vectors?.space.name === name ? vectors : spaces.get(name);
    if (held) return held;
    const space = database.read((connection) => findSpace(connection, scope.tenant, name));
    if (space) return vectorsIn(spaces, scope.tenant, space);
    throw noVectorsOf(name);
  }

  const place: IndexPlace = {
    threaded: engine.threaded,
    upkeep,
    async look(work, { signal, space }) {
      const held = space === undefined ? undefined : vectorsNamed(space);
      await waitFor(engine.opening(database, threads), signal);
      if (held) await waitFor(held.opening(database), signal);
      return database.read((connection) => {
        const view = engine.sync(connection);
        held?.sync(connection);
        return work({
          view,
          vectors: held,
          select: (filter, signal) => select(connection, filter, { view, signal }),
        });
      });
    },
    rowsOf: async (chunkIds) => database.read((connection) => rowsOfChunks(connection, scope.tenant, chunkIds)),
    count: async () => database.read((connection) => engine.tenant.count(connection)),
  };

  return createIndexedStore({
    place,
    threads,
    space: options.vectors,
    write: {
      put: (documents) =>
        database.write((connection) =>
          putEntries(connection, shared, { documents, ...(options.vectors && { space: options.vectors }) }),
        ),
      remove: (documentIds) => database.write((connection) => removeEntries(connection, shared, documentIds)),
    },
  });
}
