// What all handles of a tenant's embedded store share: one engine, its upkeep and its vectors for each open record, whoever asks.
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import { createEngine, type Engine } from './engine.ts';
import { createUpkeep, type Upkeep } from './upkeep.ts';
import type { VectorSpace } from './vector-keeping.ts';
import { createTenantVectors, type TenantVectors } from './vectors.ts';

export interface SharedEngine {
  readonly engine: Engine;
  readonly upkeep: Upkeep;
  /** By name of the space. */
  readonly spaces: Map<string, TenantVectors>;
}

/** One engine for each tenant of an open record, whoever asks. */
const engines = new WeakMap<SqliteRecordDatabase, Map<string, SharedEngine>>();

export function engineOf(database: SqliteRecordDatabase, tenant: string): SharedEngine {
  const known = engines.get(database) ?? new Map<string, SharedEngine>();
  engines.set(database, known);
  const present = known.get(tenant);
  if (present) return present;
  const engine = createEngine(tenant);
  const spaces: SharedEngine['spaces'] = new Map();
  const made = { engine, spaces, upkeep: createUpkeep(database, engine, { spaces: () => spaces.values() }) };
  known.set(tenant, made);
  // Opens the index before it is asked for, and clears up what was deleted before the last end.
  made.upkeep.schedule(openingMs);
  return made;
}

/** For tests and measurements: waits until the index of a tenant is sealed, merged and complete. */
export function settleEmbeddedStore(database: SqliteRecordDatabase, tenant: string): Promise<void> {
  return engineOf(database, tenant).upkeep.settle();
}

const openingMs = 2000;

export function vectorsIn(spaces: SharedEngine['spaces'], tenant: string, space: VectorSpace): TenantVectors {
  const present = spaces.get(space.name);
  if (present?.space.dimensions === space.dimensions && present.space.metric === space.metric) return present;
  const made = createTenantVectors(tenant, space);
  spaces.set(space.name, made);
  return made;
}
