// The record in PostgreSQL, as far as it is there: documents with their chunks and sources, commits, sessions, and the log that an index in memory follows.
// What is missing says so by name.
import type { Scope } from '../../core/scope.ts';
import { createAnswerRepository } from '../both/answers.ts';
import { createAuditLog } from '../both/audit.ts';
import { createEvaluationRepository } from '../both/evaluations.ts';
import { createFeedbackRepository } from '../both/feedback.ts';
import { createIdempotencyRepository } from '../both/idempotency.ts';
import { createIngestionRepository } from '../both/ingestions.ts';
import { createKeyRepository } from '../both/keys.ts';
import { createReadingRepository } from '../both/readings.ts';
import { createSpendingRepository } from '../both/spending.ts';
import { createTraceRepository, openTraceGroups } from '../both/traces.ts';
import type { KeyRepository } from '../repositories/api-keys.ts';
import type { AuditLog } from '../repositories/audit.ts';
import type { IndexLog, IndexWithin } from '../repositories/index-log.ts';
import type { TenantRecord } from '../tenant-record.ts';
import { createPostgresClient, type PostgresClient } from './client.ts';
import { createCommits } from './commit.ts';
import { createDocumentRepository } from './documents.ts';
import { deletionGuard } from './erased.ts';
import { createIndexLog } from './index-rows.ts';
import { migrate } from './migrations.ts';
import { createSessionRepository } from './sessions.ts';
import { createSourceRepository, keptSources } from './sources.ts';
import { createStatements } from './statements.ts';

export interface PostgresRecord {
  forScope(scope: Scope): Pick<
    TenantRecord,
    | 'scope'
    | 'documents'
    | 'sessions'
    | 'traces'
    | 'answers'
    | 'feedback'
    | 'evaluations'
    | 'ingestions'
    | 'readings'
    | 'idempotency'
    | 'spending'
    | 'commit'
  > & {
    readonly sources: Omit<TenantRecord['sources'], 'besideOthers'>;
  };
  readonly keys: KeyRepository;
  readonly audit: AuditLog;
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
  const about = (what: string, tenant = '') => createStatements(client, `${what} ${tenant}`);
  const guard = deletionGuard;
  const groups = openTraceGroups(
    (tenant) => ({ statements: about('traces', tenant), guard }),
    () => true,
  );
  return {
    forScope(scope) {
      const { tenant } = scope;
      return {
        scope,
        documents: createDocumentRepository(client, scope),
        sources: createSourceRepository(client, scope),
        sessions: createSessionRepository(client, scope),
        traces: createTraceRepository(scope, { statements: about('traces', tenant), guard, groups }),
        answers: createAnswerRepository(scope, about('answers', tenant), guard),
        feedback: createFeedbackRepository(scope, about('answers', tenant)),
        evaluations: createEvaluationRepository(scope, about('traces', tenant)),
        ingestions: createIngestionRepository(scope, about('ingestions', tenant)),
        readings: createReadingRepository(scope, about('readings', tenant)),
        idempotency: createIdempotencyRepository(scope, about('idempotency', tenant), guard),
        spending: createSpendingRepository(scope, about('spending', tenant)),
        commit: commitsOf(scope),
      };
    },
    keys: createKeyRepository(about('keys')),
    audit: createAuditLog(about('audit')),
    keptSources: () => keptSources(client),
    indexLogOf: (tenant) => createIndexLog(client, tenant),
    keepEntries: (store, index) => void indexes.set(store, index),
    roundTrips: client.roundTrips,
    async close() {
      await groups.flush();
      await client.close();
    },
  };
}
