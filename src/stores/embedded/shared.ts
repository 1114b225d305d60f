// What all handles of a tenant's embedded store share: one engine, its upkeep and its vectors for each open record, whoever asks.
import type { DatabaseSync } from 'node:sqlite';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import type { StoreDocument } from '../delivered.ts';
import { createEngine, type Engine } from './engine.ts';
import { embeddedName } from './port.ts';
import { createUpkeep, type Upkeep } from './upkeep.ts';
import type { VectorSpace } from './vector-keeping.ts';
import { createTenantVectors, removeVectors, type TenantVectors } from './vectors.ts';

export interface SharedEngine {
  readonly engine: Engine;
  readonly upkeep: Upkeep;
  /** By name of the space. */
  readonly spaces: Map<string, TenantVectors>;
}

/** One engine for each tenant of an open record, whoever asks. */
const engines = new WeakMap<SqliteRecordDatabase, Map<string, SharedEngine>>();

/** From now on the commits of this record write the entries of its embedded store. */
function joined(database: SqliteRecordDatabase): Map<string, SharedEngine> {
  const made = new Map<string, SharedEngine>();
  engines.set(database, made);
  database.keepEntries(embeddedName, (connection, tenant, change) => {
    const shared = engineOf(database, tenant);
    shared.upkeep.schedule();
    if (change.kind === 'put-entries') putEntries(connection, shared, change);
    else removeEntries(connection, shared, change.documentIds);
  });
  return made;
}

/** Replaces all chunks of each document. */
export function putEntries(
  connection: DatabaseSync,
  { engine: { tenant }, spaces }: SharedEngine,
  { documents, space }: { readonly documents: readonly StoreDocument[]; readonly space?: VectorSpace },
): void {
  removeVectors(
    connection,
    tenant.tenant,
    documents.map(({ document }) => document.id),
  );
  tenant.put(connection, documents);
  if (space) vectorsIn(spaces, tenant.tenant, space).put(connection, documents);
}

export function removeEntries(
  connection: DatabaseSync,
  { engine: { tenant } }: SharedEngine,
  documentIds: readonly string[],
): void {
  removeVectors(connection, tenant.tenant, documentIds);
  tenant.remove(connection, documentIds);
}

export function engineOf(database: SqliteRecordDatabase, tenant: string): SharedEngine {
  const known = engines.get(database) ?? joined(database);
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
