// The store over a record on a network: our engine over an index that follows the record's log, one for each tenant of this process. What is found is
// what was committed when the search began, whichever server committed it.
import { type Scope, tenantScope } from '../../../core/scope.ts';
import type { PostgresRecord } from '../../../db/postgres/postgres-record.ts';
import { type EngineThreads, engineThreads } from '../../../engine/threads/engine-threads.ts';
import { createEngine, type Engine, type EngineView } from '../engine.ts';
import type { HeldVectors } from '../held-vectors.ts';
import { indexWithin } from '../index-within.ts';
import { createIndexedStore, waitFor } from '../indexed-store.ts';
import { type EmbeddedStore, embeddedName } from '../port.ts';
import type { VectorSpace } from '../vector-keeping.ts';
import { createFactsSelector, type FollowedFacts, followFacts } from './facts-selection.ts';
import { type FollowedVectors, followVectors } from './followed-vectors.ts';

export interface Shadow {
  readonly engine: Engine;
  readonly facts: FollowedFacts;
  /** Brings the index to what is committed, and the vectors of a space where one is named. Whoever looks at them does so in the turn in which this resolves. */
  follow(options?: {
    readonly needsFacts?: boolean;
    readonly space?: string | undefined;
  }): Promise<{ readonly view: EngineView; readonly vectors: HeldVectors | undefined }>;
  /** Lets go of the vectors of a space. */
  forget(space: string): void;
}

const shadows = new WeakMap<PostgresRecord, Map<string, Shadow>>();

/** From now on the commits of this record write the entries of its embedded store. */
function joined(record: PostgresRecord): Map<string, Shadow> {
  const made = new Map<string, Shadow>();
  shadows.set(record, made);
  record.keepEntries(embeddedName, indexWithin);
  return made;
}

/** One for each tenant of an open record, whoever asks. */
export function shadowOf(record: PostgresRecord, tenant: string): Shadow {
  const known = shadows.get(record) ?? joined(record);
  const present = known.get(tenant);
  if (present) return present;
  const engine = createEngine(tenant);
  const log = record.indexLogOf(tenant);
  const facts = followFacts(log);
  const spaces = new Map<string, FollowedVectors>();
  const vectorsOf = (name: string): FollowedVectors => {
    const held = spaces.get(name) ?? followVectors(tenant, name, log);
    spaces.set(name, held);
    return held;
  };
  const made: Shadow = {
    engine,
    facts,
    async follow({ needsFacts = false, space } = {}) {
      const followed = needsFacts ? facts.withFacts : facts.log;
      const vectors = space === undefined ? undefined : vectorsOf(space);
      const view = await engine.follow(vectors?.through(followed) ?? followed);
      return { view, vectors: vectors?.held() };
    },
    forget: (space) => void spaces.delete(space),
  };
  known.set(tenant, made);
  return made;
}

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
  const { engine, facts } = shadow;
  const selector = createFactsSelector(engine, scope.principal);
  const writer = record.forScope(tenantScope(scope.tenant, embeddedName));
  return createIndexedStore({
    place: {
      threaded: engine.threaded,
      upkeep: { schedule: () => undefined, failure: () => undefined },
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
