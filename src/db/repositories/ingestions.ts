// Runs that read documents in, and what became of each of their files.

import type { DuplicateLink } from './documents.ts';
import type { PageOf, PageRequest } from './page.ts';

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
  /** `reason`: for programs, where the code does not say it all (`password-needed`, `wrong-password`, `unknown-kind`, `no-text`, …). */
  readonly error?: { readonly code: string; readonly message: string; readonly reason?: string };
  readonly warnings?: readonly string[];
  /** Documents that say the same as this one, most similar first. Not kept with the run: looked up when it is shown. */
  readonly duplicates?: readonly DuplicateLink[];
}

/** `doubtful`: all was read, and what would have been taken away or overwritten on doubtful evidence stays; `error.reason` says why. */
export const ingestionStates = ['running', 'done', 'doubtful', 'cancelled', 'interrupted', 'failed'] as const;
/** One run of reading a source. Survives a restart: `running` at start-up means that it was interrupted. */
export interface Ingestion {
  readonly id: string;
  readonly source: string;
  readonly state: (typeof ingestionStates)[number];
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly counts: IngestionCounts;
  readonly error?: { readonly code: string; readonly message: string; readonly reason?: string };
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
