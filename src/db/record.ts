// The record: port of async repositories over the system of record. A handle is built for one scope (tenant and
// principal); both are enforced inside every query, and no method takes either. Writes happen in one transaction at a time.
import type { Answer } from '../core/answer.ts';
import type { Session, Turn } from '../core/conversation.ts';
import type { Chunk, Delivery, DeliveryStatus, DocumentRecord, Source } from '../core/document.ts';
import type { DuplicateKind, Fingerprint, VersionFacts } from '../core/documents/fingerprint.ts';
import type { Memory } from '../core/memory.ts';
import type { Scope } from '../core/scope.ts';
import type { Filter } from '../core/search.ts';
import type { KeyRepository } from './api-keys.ts';
import type { CommitOptions, Committed, DocumentStructure, DocumentWrite, RecordChange } from './changes.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DocumentOpensRepository } from './document-opens.ts';
import type { EvaluationRepository } from './evaluations.ts';
import type { FeedbackRepository } from './feedback.ts';
import type { MemoriesOf } from './memories.ts';
import type { PageOf, PageRequest } from './page.ts';
import type { SourceRepository } from './sources.ts';
import type { SpendingRepository } from './spending.ts';
import type { TraceRepository, TraceUpkeep } from './traces.ts';

export type {
  CommitOptions,
  Committed,
  DocumentStructure,
  DocumentWrite,
  EntryChange,
  Expectation,
  RecordChange,
} from './changes.ts';
export type {
  DeliveryAttempt,
  DeliveryCounts,
  DeliveryCoverage,
  DeliveryQueue,
  DeliveryWish,
  DueDelivery,
} from './delivery-queue.ts';
export type { PageOf, PageRequest } from './page.ts';
export type { SourceKind, SourceRepository } from './sources.ts';
export type { SavedTrace, TraceFilter, TraceRepository, TraceSummary, TraceUpkeep } from './traces.ts';

/** Another document that says the same or nearly the same. */
export interface DuplicateLink {
  readonly documentId: string;
  readonly title: string;
  readonly uri: string;
  readonly kind: DuplicateKind;
  /** Share of the shorter text's runs of five words that stand in the other one, 0..1. */
  readonly similarity: number;
}

/** An entry that is not as it was recorded: nothing of it can be trusted, so nothing of it is served. */
export interface DamagedDocument {
  readonly id: string;
  readonly source: string;
  readonly uri: string;
  /** What is wrong and what to do. */
  readonly detail: string;
}

export interface DocumentPage extends PageOf<DocumentRecord> {
  /** Damaged entries that stand among those of the page, for admins: who else may read them is not known any more. */
  readonly damaged?: readonly DamagedDocument[];
}

export interface ChunkHash {
  readonly chunkId: string;
  readonly documentId: string;
  /** Of the text of the chunk. */
  readonly hash: string;
}

export interface DocumentRepository {
  /** Throws `data-corrupt` for a damaged one, as all that reads one document does. */
  get(id: string): Promise<DocumentRecord | undefined>;
  findByUri(source: string, uri: string): Promise<DocumentRecord | undefined>;
  /** Those that there are of many, by the uri that was asked for; of damaged ones the id alone. */
  findByUris(
    source: string,
    uris: readonly string[],
  ): Promise<{ readonly sound: ReadonlyMap<string, DocumentRecord>; readonly damaged: ReadonlyMap<string, string> }>;
  /** Whether everything of a document (text, structure, file, chunks) is as it was recorded. */
  isSound(id: string): Promise<boolean>;
  /** Which of these ids are those of documents. */
  knownIds(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** `signal` ends a search for documents that few or none of a large collection are. */
  list(request: PageRequest & { readonly filter?: Filter; readonly signal?: AbortSignal }): Promise<DocumentPage>;
  /** Ids, uris, content hashes (`damaged` of a damaged entry) and readings of one source, for incremental sync. */
  listUris(
    source: string,
  ): AsyncIterable<{ id: string; uri: string; contentHash: string; sourceModifiedAt?: string; reading?: string }>;
  /** Sound documents that came out of a file of the source, however deep, in batches; `container`: the outermost of the files around it, or it. */
  inside(file: {
    readonly source: string;
    readonly uri: string;
    readonly container: string;
  }): AsyncIterable<readonly DocumentRecord[]>;
  count(): Promise<{ documents: number; chunks: number }>;
  /** The canonical text, checked against its hash. Throws `data-corrupt` if it does not match. */
  text(id: string): Promise<string | undefined>;
  file(id: string): Promise<Uint8Array | undefined>;
  structure(id: string): Promise<DocumentStructure | undefined>;
  /** What of the structure says where a span stands; cheap to ask again, however many words the pages have. */
  places(id: string): Promise<Required<Pick<DocumentStructure, 'pages' | 'places'>> | undefined>;
  chunks(documentId: string): Promise<readonly Chunk[]>;
  /** Chunks with their documents, in the order asked; unknown and unreadable ones are left out; each text is checked against its hash (`data-corrupt`). */
  chunksById(ids: readonly string[]): Promise<readonly { chunk: Chunk; document: DocumentRecord }[]>;
  /** The hashes of those that may be read, in the order asked. Rows are not checked: they say which chunks are worth reading. */
  hashes(chunkIds: readonly string[]): Promise<readonly ChunkHash[]>;
  /** Documents that say nearly the same, most similar first; at most `limit` (100), and only those that the caller may read. */
  duplicates(documentId: string, limit?: number): Promise<readonly DuplicateLink[]>;
  /** Recorded documents that a text would be linked with, were it written under this id: most similar first. Nothing is written. */
  similar(
    document: VersionFacts & { readonly id: string },
    fingerprint: Fingerprint,
  ): Promise<readonly DuplicateLink[]>;
  /** Which of these documents say the same, or nearly, as any other; cheaper than asking with which. */
  withDuplicates(documentIds: readonly string[]): Promise<readonly string[]>;
  /** Which of these documents are linked as duplicates with which others of them: every pair in both directions. */
  duplicatesAmong(documentIds: readonly string[]): Promise<readonly (readonly [id: string, otherId: string])[]>;
  /** Ids of documents of a source that were recorded before fingerprints were, in order after `after`. */
  withoutFingerprint(source: string, after: string | undefined, limit: number): Promise<readonly string[]>;
  deliveries(documentId: string): Promise<readonly Delivery[]>;
  /** Documents that are meant for a store and of which it was not given this revision, in order of their ids after `after`. */
  undelivered(store: string, after: string | undefined, limit: number): Promise<readonly string[]>;
  listDeliveries(request: PageRequest & { store?: string; status?: DeliveryStatus }): Promise<PageOf<Delivery>>;
}

export interface SessionRepository {
  create(session: { id: string; title?: string; createdAt: string }): Promise<Session>;
  get(id: string): Promise<Session | undefined>;
  list(request: PageRequest): Promise<PageOf<Session>>;
  delete(id: string): Promise<boolean>;
  /** How many sessions were deleted until now: what a message that begins now gives to `appendTurn`. */
  deletions(): number;
  /** Appends a turn; the session is created when it does not exist. Throws `not-found` if it was deleted after the `since`th deletion. */
  appendTurn(turn: Omit<Turn, 'ordinal'>, options?: { readonly since?: number }): Promise<Turn>;
  /** The last `limit` turns, oldest first. */
  turns(sessionId: string, limit: number): Promise<readonly Turn[]>;
}

export interface AnswerRepository {
  save(answer: Answer, createdAt: string): Promise<void>;
  get(id: string): Promise<Answer | undefined>;
  /** Answers that were composed from a document, or from a chunk of it, newest first, whether the document is there or not. */
  using(
    place: { readonly documentId: string; readonly chunkId?: string },
    request: PageRequest,
  ): Promise<PageOf<AnswerUse>>;
}

/** An answer and what of one document it was composed from. */
export interface AnswerUse {
  readonly answerId: string;
  readonly createdAt: string;
  readonly chunks: readonly {
    readonly chunkId: string;
    readonly cited: boolean;
    /** The chunk stands in the record as it was then; otherwise its document was changed or deleted since. */
    readonly isCurrent: boolean;
  }[];
}

export const fileStates = ['pending', 'done', 'unchanged', 'failed', 'parked', 'deleted'] as const;
export interface IngestionFile {
  readonly uri: string;
  readonly state: (typeof fileStates)[number];
  /** Of a document that was read: whether it was there before. */
  readonly change?: 'added' | 'changed';
  /** What it turned out to be, as people call it: `PDF`. */
  readonly kind?: string;
  readonly documentId?: string;
  readonly chunks?: number;
  /** `reason`: for programs, where the code does not say it all (`password-needed`, `wrong-password`, `unknown-kind`, …). */
  readonly error?: { readonly code: string; readonly message: string; readonly reason?: string };
  readonly warnings?: readonly string[];
  /** Documents that say the same as this one, most similar first. Not kept with the run: looked up when it is shown. */
  readonly duplicates?: readonly DuplicateLink[];
}

export const ingestionStates = ['running', 'done', 'cancelled', 'interrupted', 'failed'] as const;
/** One run of reading a source. Survives a restart: `running` at start-up means that it was interrupted. */
export interface Ingestion {
  readonly id: string;
  readonly source: string;
  readonly state: (typeof ingestionStates)[number];
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly counts: IngestionCounts;
  readonly error?: { readonly code: string; readonly message: string };
}
export interface IngestionCounts {
  readonly found: number;
  readonly done: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly deleted: number;
  readonly chunks: number;
  /** Unchanged files that were read again because what reads them was improved; absent where there are none. */
  readonly readAgain?: number;
  /** Documents that stay as an earlier edition of their reader read them, or one that is not known; absent where there are none. */
  readonly readBefore?: number;
}

export interface IngestionRepository {
  put(ingestion: Ingestion): Promise<void>;
  get(id: string): Promise<Ingestion | undefined>;
  list(request: PageRequest): Promise<PageOf<Ingestion>>;
  /** Records the outcome of files (idempotent by uri). */
  putFiles(id: string, files: readonly IngestionFile[]): Promise<void>;
  files(id: string, request: PageRequest & { state?: IngestionFile['state'] }): Promise<PageOf<IngestionFile>>;
}

/** Which file, in which form: the same bytes under another kind of name are another file. */
export interface FileIdentity {
  readonly source: string;
  readonly uri: string;
  readonly contentHash: string;
  /** What its name says that it is: the extension. */
  readonly kind: string;
  /** Which readers looked at it: newer ones may know better. */
  readonly readers: string;
}

/** A file that could not be read, and how often that was tried. */
export interface ReadingFailure extends FileIdentity {
  readonly tries: number;
  readonly error: { readonly code: string; readonly message: string };
  readonly failedAt: string;
}

/** A file that holds others, as it was when they were last taken out. */
export interface ContainerState {
  readonly source: string;
  readonly uri: string;
  readonly contentHash: string;
  readonly readers: string;
  /** Each of them is a document, or is not tried again. */
  readonly isComplete: boolean;
}

/** What reading files taught. Names files, so readers (the role) do not see it; goes with its source. */
export interface ReadingRepository {
  /** Of this file, or of one with the same bytes and kind elsewhere: the one that was tried most often. */
  failure(file: FileIdentity): Promise<ReadingFailure | undefined>;
  putFailure(failure: ReadingFailure): Promise<void>;
  /** Those tried at least `minTries` times, by source and uri. `at`: of one uri, and of uris that go on from it. */
  failures(
    request: PageRequest & { readonly source?: string; readonly at?: string; readonly minTries?: number },
  ): Promise<PageOf<ReadingFailure>>;
  container(source: string, uri: string): Promise<ContainerState | undefined>;
  containers(source: string): Promise<readonly ContainerState[]>;
  putContainer(state: ContainerState): Promise<void>;
  /** Which versions of the items of a source were read last. */
  items(source: string): Promise<readonly ReadItem[]>;
  putItems(source: string, items: readonly ReadItem[]): Promise<void>;
  /** Forgets what is known of these files. */
  forget(source: string, uris: readonly string[]): Promise<void>;
}

/** An item of a source as it was read last. */
export interface ReadItem {
  readonly uri: string;
  /** As its connector tells versions apart. */
  readonly version: string;
  /** SHA-256 of its bytes then. */
  readonly contentHash: string;
}

export interface StoredResponse {
  readonly requestHash: string;
  readonly status: number;
  readonly body: string;
}

/** Idempotency-Key (kept 24 h). `begin` claims a key; `running` means that the first request has not ended. */
export interface IdempotencyRepository {
  begin(route: string, key: string, requestHash: string): Promise<'new' | 'running' | StoredResponse>;
  finish(route: string, key: string, response: StoredResponse): Promise<void>;
  /** Forgets a claim whose request failed before it had an effect. */
  release(route: string, key: string): Promise<void>;
}

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

export interface RecordDatabase {
  forScope(scope: Scope): TenantRecord;
  /** What is to be delivered in a tenant, whoever may read it. */
  deliveriesOf(tenant: string): DeliveryQueue;
  /** Tenants in which something is to be delivered; `all`: or was. */
  tenantsToDeliver(which?: 'due' | 'all'): readonly string[];
  /** Sources of any tenant with a schedule or a watch. */
  keptSources(): readonly { readonly tenant: string; readonly source: Source }[];
  readonly keys: KeyRepository;
  /** Of the traces of all tenants. */
  readonly traceUpkeep: TraceUpkeep;
  /** Memories that hold, of everybody. */
  memoriesHeld(): Promise<number>;
  /** Ingestions of any tenant that were running when the process last ended are marked `interrupted`; returns how many. */
  markInterrupted(): Promise<number>;
  info(): { path: string; schemaVersion: number; sqliteVersion: string; synchronous: string; journalMode: string };
  /** `PRAGMA integrity_check` and the hashes of every text and chunk. Empty: sound. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}
