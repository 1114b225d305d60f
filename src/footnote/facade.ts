// What the doors may call. The facade of one scope in this process and the HTTP client of a running server implement the
// same interface, so that a command behaves the same either way.
import type { RequestCall } from '../agent/run.ts';
import type { Answer, AskRequest, MessageRequest } from '../core/answer.ts';
import type { AnalysisRequest } from '../core/answers/analysis-request.ts';
import type { Session, Turn } from '../core/conversation.ts';
import type {
  Chunk,
  Delivery,
  DeliveryStatus,
  DocumentRecord,
  Metadata,
  Source,
  SourceType,
} from '../core/document.ts';
import type { Filter, SearchRequest, SearchResponse } from '../core/search.ts';
import type { SpendingTotals, UsageGroup, UsageRow } from '../core/spending.ts';
import type {
  DocumentPage,
  DocumentStructure,
  DuplicateLink,
  Ingestion,
  IngestionFile,
  PageOf,
  PageRequest,
} from '../db/record.ts';
import type { IngestPreview } from '../ingest/preview.ts';
import type { StoreDrift } from '../ingest/write/reconcile.ts';
import type { BudgetStanding } from '../models/money/spending-ledger.ts';
import type { StoreHealth } from '../stores/store.ts';
import type { EmbedderStatus } from '../vectors/embedder.ts';
import type { ReconcileReport } from './configured-stores.ts';
import type { Answers } from './facade/answers.ts';
import type { ConversationCalls } from './facade/conversations.ts';
import type { Evals } from './facade/evals.ts';
import type { FeedbackPart, Recommend } from './facade/feedback.ts';
import type { Memories } from './facade/memories.ts';
import type { Traces } from './facade/traces.ts';
import type { DocumentView, ViewRange } from './record/document-view.ts';
import type { ErasureStatus } from './record/erasing.ts';
import type { ModelsHealth } from './roles/model-health.ts';

/** A document handed over directly: text, the bytes of a file (then the parser decides), or the address of a page, which is visited. */
export interface AddDocument {
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly url?: string;
  /** File name of `bytes`. */
  readonly name?: string;
  readonly title?: string;
  readonly mime?: string;
  /** Identity within the source; a new version replaces the old one. Default: derived from the name or the content. */
  readonly uri?: string;
  /** Name of the source; created with type `docs` when it does not exist. Default `uploads`. */
  readonly source?: string;
  readonly sourceType?: SourceType;
  readonly category?: string;
  readonly version?: string;
  readonly publishedAt?: string;
  readonly metadata?: Metadata;
  readonly access?: readonly string[];
  readonly stores?: readonly string[];
  readonly password?: string;
  /** Tried in turn where it, or a file inside it, asks for one; at most 100. */
  readonly passwords?: readonly string[];
  /** Read it even if it was given up after three tries. */
  readonly retry?: boolean;
  /**
   * Read it although its bytes have not changed, with all that is inside it, or never; absent: where its reader was improved since. What comes
   * out as it is recorded stays.
   */
  readonly reread?: boolean;
}

/** JSONL with a document per line yields several results. */
export interface AddedDocument {
  readonly id: string;
  readonly uri: string;
  readonly status: 'created' | 'updated' | 'unchanged';
  readonly chunks: number;
  readonly warnings: readonly string[];
  readonly deliveries: readonly { store: string; status: DeliveryStatus }[];
  /** Other documents that say the same, most similar first, at most 5; absent where there are none. */
  readonly duplicates?: readonly DuplicateLink[];
}

export interface DocumentDetail extends DocumentRecord {
  readonly deliveries: readonly Delivery[];
  /** Documents that say the same or nearly the same, most similar first, at most 100. */
  readonly duplicates: readonly DuplicateLink[];
}

/** What is still to be brought to a store beside the record, or taken away from it. */
export interface StoreDeliveries {
  readonly pending: number;
  /** Tried in vain; most are tried again. */
  readonly failed: number;
  /** Documents that are gone here and not there yet. */
  readonly deletions: number;
  readonly paused: boolean;
  /** Since the document was recorded that waits longest to be brought. */
  readonly oldestPendingSeconds?: number;
  readonly nextAttemptAt?: string;
  /** Why the store takes nothing now. */
  readonly failure?: string;
}

export interface StoreStatus extends StoreHealth {
  readonly name: string;
  /** Share of the record's documents that this store holds, 0..1. */
  readonly coverage: number;
  /** Seconds since the newest delivery, if there was one. */
  readonly freshnessSeconds?: number;
  /** Where this process keeps the store's vectors: how far they are. */
  readonly vectors?: EmbedderStatus;
  /** What of deletions is still to be taken out of saved answers, traces, the index and the file; absent where nothing is. */
  readonly erasing?: ErasureStatus;
  /** Of a store beside the record. */
  readonly deliveries?: StoreDeliveries;
  /** How it differed from the record when this process compared them last. */
  readonly drift?: StoreDrift;
  readonly modes: readonly string[];
}

/** A file that is not read again until it changes, or until somebody asks for it. */
export interface ParkedFile {
  readonly source: string;
  readonly uri: string;
  readonly tries: number;
  readonly error: { readonly code: string; readonly message: string };
  readonly failedAt: string;
}

export interface SyncOptions {
  readonly signal?: AbortSignal;
  /** Files that were given up after three tries are tried again. */
  readonly retry?: boolean;
  /**
   * True: every file is read, also unchanged ones and those that were given up. False: no unchanged one. Absent: unchanged ones whose reader was
   * improved since. What comes out as it is recorded stays.
   */
  readonly reread?: boolean;
  /** Called whenever the counts or a file's state changed. */
  readonly onProgress?: (ingestion: Ingestion, file?: IngestionFile) => void;
}

export type { RequestCall as CallOptions };

/** Days are UTC and inclusive. */
export interface UsageRequest {
  /** `2026-11-22`; default: 29 days before `to`. */
  readonly from?: string;
  /** Default: today. */
  readonly to?: string;
  /** What rows are told apart by; default `day`. */
  readonly by?: UsageGroup;
}

/** What models cost: of the tenant for an admin, else of the caller. */
export interface UsageReport {
  readonly from: string;
  readonly to: string;
  readonly by: UsageGroup;
  /** Days in order; others by cost, at most 1,000. */
  readonly data: readonly UsageRow[];
  /** Rows beyond those. */
  readonly omitted: number;
  readonly total: SpendingTotals;
  /** Limits of today and how much of them is spent; none where none is set. */
  readonly budgets: readonly BudgetStanding[];
}

/** Everything one caller can do. All methods throw FootnoteError only. */
export interface Footnote {
  readonly documents: {
    /** Parses, chunks, records and delivers; searchable when the promise resolves. */
    add(document: AddDocument, options?: RequestCall): Promise<readonly AddedDocument[]>;
    /** What adding it would bring. Nothing is written, and nothing is sent to a provider. */
    preview(document: AddDocument, options?: RequestCall): Promise<IngestPreview>;
    get(id: string): Promise<DocumentDetail>;
    list(request: PageRequest & { readonly filter?: Filter }, options?: RequestCall): Promise<DocumentPage>;
    delete(id: string): Promise<void>;
    /** `start..end` of the canonical text; the whole by default. */
    text(id: string, range?: { start?: number; end?: number }): Promise<{ text: string; start: number; end: number }>;
    file(id: string): Promise<{ bytes: Uint8Array; mime: string; name: string }>;
    chunks(id: string): Promise<readonly Chunk[]>;
    structure(id: string): Promise<DocumentStructure>;
    /**
     * A part of a long document as the JSON of the HTTP API, in UTF-8: made elsewhere, so that nobody waits for it. Undefined for a short one, and
     * absent where nothing is made elsewhere.
     */
    print?(
      id: string,
      part: 'text' | 'chunks' | 'structure',
      range?: { start?: number; end?: number },
    ): Promise<Uint8Array | undefined>;
    /** The same for a span in its surroundings. */
    view?(id: string, range: ViewRange): Promise<DocumentView | undefined>;
  };
  readonly sources: {
    put(source: Source): Promise<Source>;
    list(): Promise<readonly (Source & { documents: number })[]>;
    get(name: string): Promise<Source>;
    /** Removes the source with all its documents; returns how many. */
    remove(name: string): Promise<number>;
    /** Reads the source's folder anew. Resolves when the run has ended; `conflict` if one is running. */
    sync(name: string, options?: SyncOptions): Promise<Ingestion>;
    /** Starts the same and returns at once; follow it with `ingestions.watch`. */
    startSync(name: string, options?: Pick<SyncOptions, 'retry' | 'reread'>): Promise<Ingestion>;
    /** What reading the folder of a source would bring, whether the source is declared or not. Nothing is written or sent. */
    preview(source: Source, options?: Pick<SyncOptions, 'signal' | 'onProgress'>): Promise<IngestPreview>;
  };
  readonly ingestions: {
    get(id: string): Promise<Ingestion>;
    files(id: string, request: PageRequest & { state?: IngestionFile['state'] }): Promise<PageOf<IngestionFile>>;
    list(request: PageRequest): Promise<PageOf<Ingestion>>;
    /** Files that were given up after three tries, by source and uri, and why. For writers. */
    parked(request: PageRequest & { readonly source?: string }): Promise<PageOf<ParkedFile>>;
    /** The present state, then each change; ends with the run. */
    watch(id: string, signal?: AbortSignal): AsyncIterable<Ingestion>;
    cancel(id: string): Promise<void>;
  };
  readonly stores: {
    list(): Promise<readonly StoreStatus[]>;
    deliveries(store: string, request: PageRequest & { status?: DeliveryStatus }): Promise<PageOf<Delivery>>;
    /**
     * Retries what is missing; returns how many documents were delivered. For a store whose vectors this process keeps, it resolves
     * when every chunk has its vector of the model that this corpus gives.
     */
    sync(store: string, signal?: AbortSignal): Promise<{ delivered: number; failed: number }>;
    /** Compares what a store beside the record holds with the record, and mends what differs unless `dryRun`. */
    reconcile(
      store: string,
      options?: { readonly dryRun?: boolean; readonly signal?: AbortSignal },
    ): Promise<ReconcileReport>;
    /** Nothing is brought to a store beside the record, or taken away from it, until it is resumed, also over restarts. */
    pause(store: string): Promise<StoreStatus>;
    resume(store: string): Promise<StoreStatus>;
    /** Delivers one recorded document to this store again (contract: POST /v1/stores/{store}/documents). */
    add(store: string, document: AddDocument, options?: RequestCall): Promise<readonly AddedDocument[]>;
  };
  search(request: SearchRequest, options?: RequestCall): Promise<SearchResponse>;
  ask(request: AskRequest, options?: RequestCall): Promise<Answer>;
  /** What documents say of a subject, by sections: competitors, strengths and weaknesses, a market. */
  analyse(request: AnalysisRequest, options?: RequestCall): Promise<Answer>;
  readonly sessions: {
    create(session: { title?: string }): Promise<Session>;
    get(id: string): Promise<Session>;
    list(request: PageRequest): Promise<PageOf<Session>>;
    delete(id: string): Promise<void>;
    /** Oldest first. */
    turns(id: string, limit?: number): Promise<readonly Turn[]>;
    /** An unknown session id is created. */
    send(sessionId: string, request: MessageRequest, options?: RequestCall): Promise<Answer>;
  };
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
