// The record in PostgreSQL, as far as it is there: documents with their chunks and sources, commits, sessions, and the log that an index in memory follows.
// What is missing says so by name.
import type { Scope } from '../../core/scope.ts';
import type { IndexLog, IndexWithin } from '../repositories/index-log.ts';
import type { TenantRecord } from '../tenant-record.ts';
import { createPostgresClient, type PostgresClient } from './client.ts';
import { createCommits } from './commit.ts';
import { createDocumentRepository } from './documents.ts';
import { createIndexLog } from './index-rows.ts';
import { migrate } from './migrations.ts';
import { createSessionRepository } from './sessions.ts';
import { createSourceRepository, keptSources } from './sources.ts';

export interface PostgresRecord {
  forScope(scope: Scope): Pick<TenantRecord, 'scope' | 'documents' | 'sessions' | 'commit'> & {
    readonly sources: Omit<TenantRecord['sources'], 'besideOthers'>;
  };
  keptSources(): ReturnType<typeof keptSources>;
  indexLogOf(tenant: string): IndexLog;
  /** From now on the entries of this store are written in the commits of the record. */
  keepEntries(store: string, index: IndexWithin): void;
  /** How often the database was asked. */
  readonly roundTrips: PostgresClient['roundTrips'];
  close(): Promise<void>;
}

/** Opens the record at an address, and brings its tables up to date. Throws what `migrate` throws. */
export async function openPostgresRecord(address: string): Promise<PostgresRecord> {
  const client = createPostgresClient(address);
  try {
    await migrate(client);
  } catch (error) {
    await client.close();
    throw error;
  }
  const indexes = new Map<string, IndexWithin>();
  const commitsOf = createCommits({ client, indexes });
  return {
    forScope: (scope) => ({
      scope,
      documents: createDocumentRepository(client, scope),
      sources: createSourceRepository(client, scope),
      sessions: createSessionRepository(client, scope),
      commit: commitsOf(scope),
    }),
    keptSources: () => keptSources(client),
    indexLogOf: (tenant) => createIndexLog(client, tenant),
    keepEntries: (store, index) => void indexes.set(store, index),
    roundTrips: client.roundTrips,
    close: client.close,
  };
}
