// The record's part of runs that read documents in (core/documents/runs.ts).

import type { Ingestion, IngestionFile } from '../../core/documents/runs.ts';
import type { PageOf, PageRequest } from './page.ts';

/** `access`: of a file that no document tells it of, whoever may see its name; absent: whoever sees the run. */
export type RecordedFile = IngestionFile & { readonly access?: readonly string[] };

export interface IngestionRepository {
  put(ingestion: Ingestion): Promise<void>;
  get(id: string): Promise<Ingestion | undefined>;
  list(request: PageRequest): Promise<PageOf<Ingestion>>;
  /** Records the outcome of files (idempotent by uri). */
  putFiles(id: string, files: readonly RecordedFile[]): Promise<void>;
  /** Without those of documents that the caller may not read. */
  files(id: string, request: PageRequest & { state?: IngestionFile['state'] }): Promise<PageOf<IngestionFile>>;
}
