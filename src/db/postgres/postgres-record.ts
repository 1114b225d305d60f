// The record in PostgreSQL: documents with their chunks and sources, commits, sessions, what requests leave behind, and the log that an index in memory
// follows. What it does not keep yet is told by name (lacking.ts).

import { archivePlace } from '../../core/archive.ts';
import { createAnswerRepository } from '../both/answers.ts';
import type { ArchivePorts } from '../both/archive/archive.ts';
import { createAuditLog } from '../both/audit.ts';
import { createDocumentOpensRepository } from '../both/document-opens.ts';
import { createEmbeddingModels } from '../both/embedding-models.ts';
import { createEvaluationRepository } from '../both/evaluations.ts';
import { createFeedbackRepository } from '../both/feedback.ts';
import { createIdempotencyRepository } from '../both/idempotency.ts';
import { createIngestionRepository } from '../both/ingestions.ts';
import { createKeyRepository } from '../both/keys.ts';
import { createMemoryById, createMemoryRepositories, memoriesHeld } from '../both/memories/memories.ts';
import type { Erasures } from '../both/noted-erasures.ts';
import { createReadingRepository } from '../both/readings.ts';
import { createTraceRepository, openTraceGroups } from '../both/traces.ts';
import { createUploadRepository } from '../both/uploads.ts';
import type { RecordDatabase } from '../record.ts';
import type { ArchiveIndexRepository } from '../repositories/archive.ts';
import type { IndexLog, IndexWithin } from '../repositories/index-log.ts';
import type { ActiveModel, EmbeddingModels } from '../repositories/vectors.ts';
import type { Leases } from '../servers/leases.ts';
import type { Servers } from '../servers/servers.ts';
import { prepareWrites } from '../sound-writes.ts';
import { createPostgresClient, type PostgresClient } from './client/client.ts';
import { createStatements } from './client/statements.ts';
import { createCommits } from './commit.ts';
import { createDeliveryQueue } from './deliveries.ts';
import { accessPart } from './document-reads.ts';
import { createDocumentRepository, type ReadFilter } from './documents.ts';
import { checkDuplicates } from './duplicates.ts';
import { createEncodedPassageRepository } from './encoded-passages.ts';
import { createSavedStatements, deletionGuard, noteMemoryOf, noteSession, saversOf } from './erased.ts';
import { createErasures } from './erasures.ts';
import { createIndexRepair, type IndexRepair } from './index-repair.ts';
import { createIndexLog } from './index-rows.ts';
import { assertWhole, migrate } from './migrations.ts';
import { createServers, type PostgresServers } from './servers.ts';
import { createSessionRepository } from './sessions.ts';
import { createFollowedArchiveIndex, noteRemoved } from './several/archive-index.ts';
import { awaitTraces } from './several/await-traces.ts';
import { createOtherServers } from './several/other-servers.ts';
import { createSharedSpending } from './several/shared-spending.ts';
import { createSourceRepository, keptSources } from './sources.ts';
import { schemaVersion } from './tables/schema.ts';
import { createStatistics } from './tables/statistics.ts';
import { holdTenantSql } from './tenant-lock.ts';
import { createTenantStates } from './tenant-states.ts';
import { openTermLists } from './term-lists.ts';
import { createTurnsFirst } from './turns-first.ts';
import { addressShown, checkDocuments, createAnswerBasis, createTraceUpkeep } from './upkeep.ts';
import { createVectorRows, type VectorRows } from './vectors.ts';

export interface PostgresRecord extends RecordDatabase {
  indexLogOf(tenant: string): IndexLog;
  /** Those of these seals that an index of a tenant names. */
  namedSegments(seals: readonly string[]): Promise<readonly string[]>;
  embeddingModelsOf(tenant: string): EmbeddingModels;
  vectorsOf(tenant: string): VectorRows;
  /** The embedding model that is active in a tenant, whichever server activated it. */
  activeModelOf(tenant: string): Promise<ActiveModel | undefined>;
  /** From now on the entries of this store are written in the commits of the record. */
  keepEntries(store: string, index: IndexWithin): void;
  /** Makes this process one of the servers of the record until it is closed. */
  readonly join: PostgresServers['join'];
  /** For a process that joined. */
  readonly leases: Leases;
  readonly servers: Servers;
  /** What the archive of a tenant takes of it. */
  archivePortsOf(tenant: string): ArchivePorts;
  /** What its index of a tenant is kept in. */
  archiveIndexOf(tenant: string): ArchiveIndexRepository;
  /** How often the database was asked. */
  readonly roundTrips: PostgresClient['roundTrips'];
  readonly repairs: IndexRepair;
  /** What is left to do of deletions. */
  readonly erasures: Erasures;
}

/** Opens the record at an address, and brings its tables up to date. Throws what `migrate` throws. */
export async function openPostgresRecord(address: string, readFilter?: ReadFilter): Promise<PostgresRecord> {
  const client = createPostgresClient(address);
  try {
    await migrate(client);
  } catch (error) {
    await client.close();
    throw error;
  }
  const servers = createServers(client);
  const states = createTenantStates(client, servers.behind);
  const indexes = new Map<string, IndexWithin>();
  const about = (what: string, tenant = '') => createStatements(client, `${what} ${tenant}`);
  const saved = (what: string, tenant: string) => createStatements(client, `${what} ${tenant}`, saversOf(tenant));
  const turnsFirst = createTurnsFirst();
  const erasures = createErasures(client, (tenant) => about('erasures', tenant));
  const memoriesIn = (tenant: string) =>
    createSavedStatements(client, { tenant, about: 'memories', told: erasures.tell });
  const commitsOf = createCommits({
    client,
    indexes,
    lock: states.lock,
    committed: states.tell,
    told: erasures.tell,
    wrote: createStatistics(client),
  });
  const guard = deletionGuard;
  const archivePortsOf = (tenant: string): ArchivePorts => ({
    statements: createSavedStatements(client, { tenant, about: 'archive', deletes: 'sessions', told: erasures.tell }),
    inOrder: 'JOIN',
    notePages: guard.notePages,
    noteConversation: (_, id) => noteMemoryOf(tenant)(archivePlace(id)),
    noteSession,
    noteRemoved,
  });
  const groups = openTraceGroups(
    (tenant) => ({ statements: saved('traces', tenant), guard }),
    () => true,
  );
  return {
    forScope(scope) {
      const { tenant } = scope;
      return {
        scope,
        documents: createDocumentRepository(client, scope, { readFilter, seen: () => states.seen(tenant) }),
        sources: createSourceRepository(client, states, scope),
        sessions: turnsFirst.sessions(createSessionRepository(client, scope, erasures.tell)),
        traces: awaitTraces(createTraceRepository(scope, { statements: saved('traces', tenant), guard, groups })),
        answers: turnsFirst.answers(createAnswerRepository(scope, saved('answers', tenant), guard)),
        feedback: createFeedbackRepository(scope, about('answers', tenant)),
        evaluations: createEvaluationRepository(scope, about('traces', tenant)),
        documentOpens: createDocumentOpensRepository(tenant, {
          statements: about('opens', tenant),
          hold: holdTenantSql,
          access: accessPart(scope),
        }),
        ingestions: createIngestionRepository(scope, saved('ingestions', tenant), {
          guard,
          access: accessPart(scope),
        }),
        readings: createReadingRepository(scope, about('readings', tenant), accessPart(scope)),
        uploads: createUploadRepository(scope, {
          statements: about('uploads', tenant),
          access: accessPart(scope),
          notePages: guard.notePages,
        }),
        idempotency: createIdempotencyRepository(scope, saved('idempotency', tenant), guard),
        spending: createSharedSpending(scope, about('spending', tenant)),
        memoriesOf: createMemoryRepositories(scope, {
          statements: memoriesIn(tenant),
          termLists: openTermLists,
          note: noteMemoryOf(tenant),
        }),
        memoryById: createMemoryById(scope, memoriesIn(tenant)),
        answerBasis: createAnswerBasis(client, states, tenant),
        commit: commitsOf(scope),
        prepare: (writes) => prepareWrites(tenant, writes),
      };
    },
    deliveriesOf: (tenant) => createDeliveryQueue(client, states, tenant),
    encodedPassagesOf: (tenant) => createEncodedPassageRepository(client, tenant),
    tenantsToDeliver: async () => [],
    keptSources: () => keptSources(client),
    keys: createKeyRepository(about('keys')),
    audit: createAuditLog(about('audit')),
    traceUpkeep: createTraceUpkeep(about('traces')),
    memoriesHeld: () => memoriesHeld(about('memories')),
    others: createOtherServers(client),
    markInterrupted: servers.closeLeft,
    async info() {
      const sql =
        "SELECT current_setting('server_version') AS version, current_setting('synchronous_commit') AS synchronous";
      const [found] = await client.rows<{ readonly version: string; readonly synchronous: string }>(sql);
      const told = { version: '', synchronous: '', ...found };
      return {
        path: addressShown(address),
        schemaVersion,
        sqliteVersion: `none: PostgreSQL ${told.version}`,
        synchronous: told.synchronous,
        journalMode: 'wal',
      };
    },
    check: async () => [...(await checkDocuments(client)), ...(await checkDuplicates(client))],
    indexLogOf: (tenant) => createIndexLog(client, states, tenant),
    async namedSegments(seals) {
      const named = await client.rows<{ readonly seal: string }>('SELECT seal FROM ix_segment WHERE seal = ANY($1)', [
        seals,
      ]);
      return named.map(({ seal }) => seal);
    },
    embeddingModelsOf: (tenant) => createEmbeddingModels(tenant, about('embedding models', tenant)),
    vectorsOf: (tenant) => createVectorRows(client, tenant),
    activeModelOf: async (tenant) => (await states.lately(tenant))?.active ?? undefined,
    archivePortsOf,
    archiveIndexOf: (tenant) => createFollowedArchiveIndex(tenant, archivePortsOf(tenant)),
    keepEntries: (store, index) => void indexes.set(store, index),
    async join(...asked) {
      await servers.join(...asked);
      // A move may have begun and ended since the tables were looked at.
      await assertWhole(client);
    },
    leases: servers,
    servers,
    roundTrips: client.roundTrips,
    repairs: createIndexRepair(client),
    erasures,
    async close() {
      states.close();
      await groups.flush();
      await servers.leave();
      await client.close();
    },
  };
}
