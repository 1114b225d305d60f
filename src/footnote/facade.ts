// What the doors may call. The facade of one scope in this process and the HTTP client of a running server implement the
// same interface, so that a command behaves the same either way.
import type { StoreStatus } from '../core/store-query.ts';

export type { StoreDeliveries, StoreStatus } from '../core/store-query.ts';

import type { RequestCall } from '../agent/run.ts';
import type { Answer, AskRequest } from '../core/answer.ts';
import type { AnalysisRequest } from '../core/answers/analysis-request.ts';
import type { SearchRequest, SearchResponse } from '../core/search.ts';
import type { Servers } from '../db/servers/servers.ts';
import type { Answers } from './facade/answers.ts';
import type { AuditCalls } from './facade/audit.ts';
import type { ConversationCalls } from './facade/conversations.ts';
import type { DocumentCalls } from './facade/documents.ts';
import type { Evals } from './facade/evals.ts';
import type { FeedbackPart, Recommend } from './facade/feedback.ts';
import type { Memories } from './facade/memories.ts';
import type { SessionCalls } from './facade/sessions.ts';
import type { IngestionCalls, SourceCalls } from './facade/sources.ts';
import type { StoreCalls } from './facade/stores.ts';
import type { Traces } from './facade/traces.ts';
import type { UploadCalls } from './facade/uploads.ts';
import type { UsageReport, UsageRequest } from './facade/usage.ts';
import type { ModelsHealth } from './roles/model-health.ts';

export type { AddDocument } from '../core/documents/add-document.ts';
export type { ParkedFile } from '../core/documents/runs.ts';
export type { PageOf } from '../db/repositories/page.ts';
export type { AddedDocument, DocumentDetail, DocumentFile } from './facade/documents.ts';
export type { SyncOptions } from './facade/sources.ts';
export type { UsageReport, UsageRequest } from './facade/usage.ts';
export type { RequestCall as CallOptions };

/** Everything one caller can do. All methods throw FootnoteError only. */
export interface Footnote {
  readonly documents: DocumentCalls;
  readonly sources: SourceCalls;
  /** Absent where a server is asked: its doors alone take such files. */
  readonly uploads?: UploadCalls;
  readonly ingestions: IngestionCalls;
  readonly stores: StoreCalls;
  search(request: SearchRequest, options?: RequestCall): Promise<SearchResponse>;
  ask(request: AskRequest, options?: RequestCall): Promise<Answer>;
  /** What documents say of a subject, by sections: competitors, strengths and weaknesses, a market. */
  analyse(request: AnalysisRequest, options?: RequestCall): Promise<Answer>;
  readonly sessions: SessionCalls;
  /** What is remembered of the caller, beyond sessions. */
  readonly memories: Memories;
  /** Past conversations that were brought in from elsewhere. */
  readonly conversations: ConversationCalls;
  /** What models cost. Throws `invalid-request` for days that do not exist. */
  usage(request?: UsageRequest): Promise<UsageReport>;
  readonly feedback: FeedbackPart;
  /** What to read next. Throws `not-found` for a current document that is not there. */
  readonly recommend: Recommend;
  readonly traces: Traces;
  readonly answers: Answers;
  /** What judges said of answers while the server ran. */
  readonly evals: Evals;
  readonly audit: AuditCalls;
  readonly servers: Pick<Servers, 'list'>;
}

export interface Health {
  readonly status: 'ok' | 'degraded' | 'down';
  readonly version: string;
  readonly record: {
    readonly path: string;
    readonly schemaVersion: number;
    readonly sqliteVersion: string;
    readonly synchronous: string;
  };
  readonly stores: readonly StoreStatus[];
  /** As calls have shown; nothing is called for it. */
  readonly models?: ModelsHealth;
}
