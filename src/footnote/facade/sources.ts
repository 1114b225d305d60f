// What the doors may call of sources, and of the runs that read them.

import type { Source } from '../../core/document.ts';
import type { GivenFile, SaidOfDocument } from '../../core/documents/add-document.ts';
import type { IngestPreview } from '../../core/documents/preview.ts';
import type { Ingestion, IngestionFile, ParkedFile } from '../../core/documents/runs.ts';
import type { PageOf, PageRequest } from '../../db/repositories/page.ts';

export interface SyncOptions {
  readonly signal?: AbortSignal;
  /** Files that were given up after three tries are tried again. */
  readonly retry?: boolean;
  /**
   * True: every file is read, also unchanged ones and those that were given up. False: no unchanged one. Absent: unchanged ones whose reader was
   * improved since. What comes out as it is recorded stays.
   */
  readonly reread?: boolean;
  /** What the source shows now counts, also where a run found it doubtful. */
  readonly confirm?: boolean;
  /** Called whenever the counts or a file's state changed. */
  readonly onProgress?: (ingestion: Ingestion, file?: IngestionFile) => void;
}

export interface SourceCalls {
  put(source: Source): Promise<Source>;
  list(): Promise<readonly (Source & { documents: number })[]>;
  get(name: string): Promise<Source>;
  /** Ends the runs that read it and removes the source with all its documents; returns how many. Throws the reason of the signal while it waits. */
  remove(name: string, call?: Pick<SyncOptions, 'signal'>): Promise<number>;
  /** Reads the source's folder anew. Resolves when the run has ended; `conflict` if one is running. */
  sync(name: string, options?: SyncOptions): Promise<Ingestion>;
  /** Starts the same and returns at once; follow it with `ingestions.watch`. */
  startSync(name: string, options?: Pick<SyncOptions, 'retry' | 'reread' | 'confirm'>): Promise<Ingestion>;
  /** What reading the folder of a source would bring, whether the source is declared or not. Nothing is written or sent. */
  preview(source: Source, options?: Pick<SyncOptions, 'signal' | 'onProgress'>): Promise<IngestPreview>;
}

export interface IngestionCalls {
  /**
   * Begins a run that adds files, or without any the document alone, and returns at once; follow it with `watch`. What is said of the document holds
   * for each file. They are held in memory until they were read: of a run that a crash cut off (`interrupted`) its files say what was. Throws
   * `rate-limited` where too much waits.
   */
  start(document: SaidOfDocument, files: readonly GivenFile[]): Promise<Ingestion>;
  get(id: string): Promise<Ingestion>;
  files(id: string, request: PageRequest & { state?: IngestionFile['state'] }): Promise<PageOf<IngestionFile>>;
  list(request: PageRequest): Promise<PageOf<Ingestion>>;
  /** Files that were given up after three tries, by source and uri, and why. For writers. */
  parked(request: PageRequest & { readonly source?: string }): Promise<PageOf<ParkedFile>>;
  /** The present state, then each change; ends with the run. */
  watch(id: string, signal?: AbortSignal): AsyncIterable<Ingestion>;
  /** Waits for its end. Throws the reason of the signal. */
  cancel(id: string, call?: Pick<SyncOptions, 'signal'>): Promise<void>;
}
