// The store over a record on a network: our engine over an index that follows the record's log, one for each tenant of this process. What is found is
// what was committed when the search began, whichever server committed it.
import { type Scope, tenantScope } from '../../../core/scope.ts';
import type { PostgresRecord } from '../../../db/postgres/postgres-record.ts';
import { type EngineThreads, engineThreads } from '../../../engine/threads/engine-threads.ts';
import { createIndexedStore, waitFor } from '../indexed-store.ts';
import { type EmbeddedStore, embeddedName } from '../port.ts';
import type { VectorSpace } from '../vector-keeping.ts';
import { createFactsSelector } from './facts-selection.ts';
import { shadowOf } from './shadows.ts';

export interface ShadowStoreOptions {
  readonly record: PostgresRecord;
  readonly scope: Scope;
  /** What the vectors are that documents bring with them, and queries that name no space. */
  readonly vectors?: VectorSpace;
  /** Where searches run; by default the threads of the process. */
  readonly threads?: EngineThreads;
}

export function createShadowStore({
  record,
  scope,
  vectors: space,
  threads = engineThreads,
}: ShadowStoreOptions): EmbeddedStore {
  const shadow = shadowOf(record, scope.tenant);
  const { engine, facts, upkeep } = shadow;
  const selector = createFactsSelector(engine, scope.principal);
  const writer = record.forScope(tenantScope(scope.tenant, embeddedName));
  return createIndexedStore({
    place: {
      threaded: engine.threaded,
      // What is written is looked at when it was committed.
      upkeep: { schedule: () => undefined, failure: upkeep.failure },
      async look(work, { filter, signal, space: wanted }) {
        const needsFacts = selector.needsFacts(filter);
        const { view, vectors } = await waitFor(shadow.follow({ needsFacts, space: wanted }), signal);
        return work({ view, vectors, select: (given) => selector.select(facts, view, given) });
      },
      rowsOf: (chunkIds) => record.vectorsOf(scope.tenant).rowsOf(chunkIds),
      count: () => record.indexLogOf(scope.tenant).count(),
    },
    threads,
    space,
    write: {
      async put(documents) {
        await writer.commit([{ kind: 'put-entries', store: embeddedName, documents, ...(space && { space }) }]);
      },
      async remove(documentIds) {
        await writer.commit([{ kind: 'delete-entries', store: embeddedName, documentIds }]);
      },
    },
  });
}
