// The record's part of runs that read documents in (core/documents/runs.ts).

import type { Ingestion, IngestionFile } from '../../core/documents/runs.ts';
import type { PageOf, PageRequest } from './page.ts';

export interface IngestionRepository {
  put(ingestion: Ingestion): Promise<void>;
  get(id: string): Promise<Ingestion | undefined>;
  list(request: PageRequest): Promise<PageOf<Ingestion>>;
  /** Records the outcome of files (idempotent by uri). */
  putFiles(id: string, files: readonly IngestionFile[]): Promise<void>;
  files(id: string, request: PageRequest & { state?: IngestionFile['state'] }): Promise<PageOf<IngestionFile>>;
}
