// The store in PostgreSQL for tests, over a server of their own: each store stands in a schema of its own, or in a database of its own where the test
// is about that. Without pgvector (.ci/pgvector builds it) what needs vectors says so and is skipped.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  openPostgresStores,
  type PostgresStoreOptions,
  type PostgresStores,
} from '../../src/stores/postgres/postgres-store.ts';
import { openPostgresServer, type PostgresServer } from './server.ts';

export interface StorePlace {
  readonly server: PostgresServer;
  /** Of a database that all stores share. */
  readonly address: string;
  /** In a schema of its own unless one is named. */
  open(options?: Partial<PostgresStoreOptions>): PostgresStores;
  close(): void;
}

/** Whether a server of these programs has pgvector. */
export function hasVectors(programs: string | undefined): boolean {
  const config = join(programs ?? '', 'pg_config');
  if (programs === undefined || !existsSync(config)) return false;
  const shared = execFileSync(config, ['--sharedir'], { encoding: 'utf8' }).trim();
  return existsSync(join(shared, 'extension', 'vector.control'));
}

export async function openStorePlace(programs: string): Promise<StorePlace> {
  const server = await openPostgresServer(programs);
  const address = await server.createDatabase();
  const opened: PostgresStores[] = [];
  return {
    server,
    address,
    open(options = {}) {
      const stores = openPostgresStores({ address, schema: `store ${opened.length}`, ...options });
      opened.push(stores);
      return stores;
    },
    close() {
      for (const stores of opened) stores.close();
      server.remove();
    },
  };
}
