// The record of one scope: port of async repositories over the system of record. A handle is built for one scope (tenant and principal); both are enforced
// inside every query, and no method takes either.
import type { Memory } from '../core/memory.ts';
import type { Scope } from '../core/scope.ts';
import type { AnswerRepository } from './repositories/answers.ts';
import type { CommitOptions, Committed, DocumentWrite, RecordChange } from './repositories/changes.ts';
import type { DocumentOpensRepository } from './repositories/document-opens.ts';
import type { DocumentRepository } from './repositories/documents.ts';
import type { EvaluationRepository } from './repositories/evaluations.ts';
import type { FeedbackRepository } from './repositories/feedback.ts';
import type { IdempotencyRepository } from './repositories/idempotency.ts';
import type { IngestionRepository } from './repositories/ingestions.ts';
import type { MemoriesOf } from './repositories/memories.ts';
import type { ReadingRepository } from './repositories/readings.ts';
import type { SessionRepository } from './repositories/sessions.ts';
import type { SourceRepository } from './repositories/sources.ts';
import type { SpendingRepository } from './repositories/spending.ts';
import type { TraceRepository } from './repositories/traces.ts';
import type { UploadRepository } from './repositories/uploads.ts';

export interface TenantRecord {
  readonly scope: Scope;
  readonly documents: DocumentRepository;
  readonly sources: SourceRepository;
  readonly sessions: SessionRepository;
  readonly traces: TraceRepository;
  readonly answers: AnswerRepository;
  readonly feedback: FeedbackRepository;
  readonly evaluations: EvaluationRepository;
  readonly documentOpens: DocumentOpensRepository;
  readonly ingestions: IngestionRepository;
  readonly readings: ReadingRepository;
  readonly uploads: UploadRepository;
  readonly idempotency: IdempotencyRepository;
  readonly spending: SpendingRepository;
  /** Long-term memories of one user of this principal. */
  readonly memoriesOf: MemoriesOf;
  /** One memory of any user of this principal: to check what an answer cites. */
  memoryById(id: string): Promise<Memory | undefined>;
  /** A text that changes with whatever answers of the tenant rest on: documents and who may read them, sources, vectors, feedback. */
  answerBasis(): Promise<string>;
  /**
   * Makes changes in their order, all of them or none: they are durable when the promise resolves. Commits are queued; readers go on and see
   * the state before.
   */
  commit(changes: readonly RecordChange[], options?: CommitOptions): Promise<Committed>;
  /** Does beforehand what takes long and needs no transaction. What it has not seen is done in the transaction. */
  prepare(writes: readonly DocumentWrite[]): Promise<void>;
}
