// The store inside the record's own database: our engine (docs/engine.md) over segments and vectors that live there. Every
// tenant has an index of its own, because shared document frequencies would leak; writes join the record's transaction, so that the
// two never disagree; access and filters restrict the scan itself, by rows that one query on the record yields.
import type { DatabaseSync } from 'node:sqlite';
import { FootnoteError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { Degradation } from '../../core/search.ts';
import { createRecent } from '../../core/values/recent.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import { type EngineThreads, engineThreads } from '../../engine/threads/engine-threads.ts';
import type { StorePage, StoreQuery } from '../store.ts';
import type { IndexPlace, Looked } from './index-place.ts';
import { createIndexedStore, tellState, waitFor } from './indexed-store.ts';
import { findNearest, missingVectors } from './nearest.ts';
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

/** Rows of hits that are remembered. */
const rememberedRows = 1000;

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
  /** Rows of the hits that were found last: whoever asks for vectors asks for those, and the record takes long to find them. */
  const lastRows = createRecent<string, number>(rememberedRows);

  const lookNow = (connection: DatabaseSync): Looked => {
    const view = engine.sync(connection);
    return { view, select: (filter, signal) => select(connection, filter, { view, signal }) };
  };
  const place: IndexPlace = {
    threaded: engine.threaded,
    hasVectors: true,
    upkeep,
    async look(work, { signal }) {
      await waitFor(engine.opening(database, threads), signal);
      return database.read((connection) => work(lookNow(connection)));
    },
    count: async () => database.read((connection) => engine.tenant.count(connection)),
  };

  /** Vectors of a space that the record knows. */
  function vectorsNamed(name: string | undefined): TenantVectors {
    if (name === undefined)
      throw new FootnoteError('invalid-request', 'A search by vector names the space that its vector belongs to.');
    const held = vectors?.space.name === name ? vectors : spaces.get(name);
    if (held) return held;
    const space = database.read((connection) => findSpace(connection, scope.tenant, name));
    if (space) return vectorsIn(spaces, scope.tenant, space);
    throw new FootnoteError('conflict', `There are no vectors of ${name}: they were dropped, or never made.`);
  }

  async function findByVector(query: StoreQuery, signal?: AbortSignal): Promise<StorePage> {
    const held = vectorsNamed(query.space ?? vectors?.space.name);
    const degraded: Degradation[] = [];
    await waitFor(engine.opening(database, threads), signal);
    await waitFor(held.opening(database), signal);
    const planned = database.read((connection) => {
      const looked = lookNow(connection);
      const { view } = looked;
      degraded.push(...tellState(place, looked, query));
      held.sync(connection);
      degraded.push(...missingVectors(held, view.index.count()));
      if (query.limit === 0 || held.index.count() === 0) return undefined;
      const on = { index: engine.threaded, state: view.index.state(), snapshot: held.index.snapshot() };
      return { on, selected: looked.select(query.filter, signal) };
    });
    if (!planned) return { hits: [], degraded };
    const selection = await waitFor(planned.selected, signal);
    const page = await findNearest(query, { on: planned.on, selection, vectors: held }, { threads, signal });
    return { ...page, degraded };
  }

  return createIndexedStore({
    place,
    threads,
    space: options.vectors,
    findByVector,
    told(chunkId, row) {
      if (row !== undefined) lastRows.set(chunkId, row);
    },
    write: {
      put: (documents) =>
        database.write((connection) =>
          putEntries(connection, shared, { documents, ...(options.vectors && { space: options.vectors }) }),
        ),
      remove: (documentIds) => database.write((connection) => removeEntries(connection, shared, documentIds)),
    },
    async vectorsOf(space, chunkIds, signal) {
      const held = vectorsNamed(space);
      await waitFor(held.opening(database), signal);
      return database.read((connection) => {
        held.sync(connection);
        const found = chunkIds.map((id) => {
          const row = lastRows.get(id);
          return row === undefined ? undefined : held.index.vectorOf(row);
        });
        const others = chunkIds.filter((_, at) => found[at] === undefined);
        if (others.length === 0) return found;
        const rows = rowsOfChunks(connection, scope.tenant, others);
        return chunkIds.map((id, at) => found[at] ?? held.index.vectorOf(rows.get(id) ?? -1));
      });
    },
  });
}
