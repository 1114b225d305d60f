// The store over a record on a network: our engine over an index that follows the record's log, one for each tenant of this process. What is found is
// what was committed when the search began, whichever server committed it. Vectors are not kept there yet.
import { FootnoteError } from '../../core/errors.ts';
import { type Scope, tenantScope } from '../../core/scope.ts';
import type { PostgresRecord } from '../../db/postgres/postgres-record.ts';
import { type EngineThreads, engineThreads } from '../../engine/threads/engine-threads.ts';
import { createEngine, type Engine } from './engine.ts';
import { createFactsSelector, type FollowedFacts, followFacts } from './facts-selection.ts';
import { indexWithin } from './index-within.ts';
import { createIndexedStore, waitFor } from './indexed-store.ts';
import { type EmbeddedStore, embeddedName } from './port.ts';

interface Shadow {
  readonly engine: Engine;
  readonly facts: FollowedFacts;
}

const shadows = new WeakMap<PostgresRecord, Map<string, Shadow>>();

/** From now on the commits of this record write the entries of its embedded store. */
function joined(record: PostgresRecord): Map<string, Shadow> {
  const made = new Map<string, Shadow>();
  shadows.set(record, made);
  record.keepEntries(embeddedName, indexWithin);
  return made;
}

function shadowOf(record: PostgresRecord, tenant: string): Shadow {
  const known = shadows.get(record) ?? joined(record);
  const present = known.get(tenant);
  if (present) return present;
  const made = { engine: createEngine(tenant), facts: followFacts(record.indexLogOf(tenant)) };
  known.set(tenant, made);
  return made;
}

export interface ShadowStoreOptions {
  readonly record: PostgresRecord;
  readonly scope: Scope;
  /** Where searches run; by default the threads of the process. */
  readonly threads?: EngineThreads;
}

const noVectors = (): FootnoteError =>
  new FootnoteError(
    'unsupported',
    'The record in PostgreSQL keeps no vectors yet: search it by words (mode: lexical).',
  );

export function createShadowStore({ record, scope, threads = engineThreads }: ShadowStoreOptions): EmbeddedStore {
  const { engine, facts } = shadowOf(record, scope.tenant);
  const selector = createFactsSelector(engine, scope.principal);
  const writer = record.forScope(tenantScope(scope.tenant, embeddedName));
  return createIndexedStore({
    place: {
      threaded: engine.threaded,
      hasVectors: false,
      upkeep: { schedule: () => undefined, failure: () => undefined },
      async look(work, { filter, signal }) {
        const log = selector.needsFacts(filter) ? facts.withFacts : facts.log;
        const view = await waitFor(engine.follow(log), signal);
        return work({ view, select: (wanted) => selector.select(facts, view, wanted) });
      },
      count: () => record.indexLogOf(scope.tenant).count(),
    },
    threads,
    write: {
      async put(documents) {
        await writer.commit([{ kind: 'put-entries', store: embeddedName, documents }]);
      },
      async remove(documentIds) {
        await writer.commit([{ kind: 'delete-entries', store: embeddedName, documentIds }]);
      },
    },
    async findByVector() {
      throw noVectors();
    },
    async vectorsOf() {
      throw noVectors();
    },
  });
}
