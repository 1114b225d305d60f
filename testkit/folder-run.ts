// A folder, a record and a pipeline with the real parsers in this process, for tests of what runs over a folder do.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openArchive } from '@footnote/readers/registry/archive-files';
import { parseFile } from '@footnote/readers/registry/registry';
import type { FolderConnector as Connector } from '../src/core/connector.ts';
import type { Source } from '../src/core/document.ts';
import type { Ingestion, IngestionFile } from '../src/core/documents/runs.ts';
import { randomIds, systemClock } from '../src/core/ids.ts';
import { localScope } from '../src/core/scope.ts';
import { openSqliteRecord } from '../src/db/sqlite/sqlite.ts';
import type { TenantRecord } from '../src/db/tenant-record.ts';
import { openFolder } from '../src/ingest/connectors/folder.ts';
import { neverRead } from '../src/ingest/connectors/walk.ts';
import { createPipeline, type Pipeline, type PipelineOptions } from '../src/ingest/pipeline.ts';
import { cutFile, readLines } from '../src/ingest/read/cut.ts';
import type { CuttingPool } from '../src/ingest/read/parse.ts';
import { createEmbeddedStore } from '../src/stores/embedded/embedded-store.ts';
import type { Store } from '../src/stores/store.ts';

export const realParsers: CuttingPool = {
  parse: (input) => parseFile(input),
  cut: (input, plan) => cutFile(input, plan),
  readLines: async (job) => readLines(job),
  async *unpack(input, limits) {
    for await (const file of openArchive(input, limits, neverRead)) yield [file];
  },
  close: async () => undefined,
};

/** A run that begins now and has done nothing yet, recorded. */
export async function startIngestion(record: TenantRecord, source: string): Promise<Ingestion> {
  const ingestion: Ingestion = {
    id: randomIds.next('ing'),
    source,
    state: 'running',
    startedAt: systemClock.now(),
    counts: { found: 0, done: 0, unchanged: 0, failed: 0, deleted: 0, chunks: 0 },
  };
  await record.ingestions.put(ingestion);
  return ingestion;
}

export interface FolderRun {
  /** Where the files of the source `docs` lie. */
  readonly docs: string;
  readonly record: TenantRecord;
  readonly store: Store;
  readonly pipeline: Pipeline;
  readonly ports: Omit<Parameters<typeof createPipeline>[0], 'stores'>;
  write(path: string, content: string | Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
  /** Reads the folder; `files` by their uri. */
  sync(options?: {
    readonly connector?: Partial<Connector>;
    readonly retry?: boolean;
    readonly reread?: boolean;
    readonly confirm?: boolean;
  }): Promise<{ readonly run: Ingestion; readonly files: ReadonlyMap<string, IngestionFile> }>;
  /** Uris of the source's documents, sorted. */
  uris(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openFolderRun(
  parsers: CuttingPool = realParsers,
  more: Pick<PipelineOptions, 'editionOf'> = {},
): Promise<FolderRun> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-folder-'));
  const docs = join(folder, 'docs');
  await mkdir(docs);
  const database = openSqliteRecord({ folder: join(folder, 'data') });
  const record = database.forScope(localScope());
  const store = createEmbeddedStore({ database, scope: localScope() });
  const ports = {
    record,
    parsers,
    clock: systemClock,
    ids: randomIds,
    connectors: { open: openFolder },
    chunking: { maxTokens: 1000, overlapTokens: 100, minTokens: 100 },
    maxFileBytes: 1_000_000,
    ...more,
  };
  const pipeline = createPipeline({ ...ports, stores: [store] });
  return {
    docs,
    record,
    store,
    pipeline,
    ports,
    async write(path, content) {
      await mkdir(dirname(join(docs, path)), { recursive: true });
      await writeFile(join(docs, path), content);
    },
    remove: (path) => rm(join(docs, path), { recursive: true }),
    async sync({ connector: said, retry = false, reread, confirm } = {}) {
      const connector: Connector = { kind: 'folder', path: docs, ...said };
      const source: Source = { name: 'docs', type: 'docs', connector };
      await record.commit([{ kind: 'put-source', source }]);
      const ingestion = await startIngestion(record, source.name);
      const run = await pipeline.syncSource({ source, connector, ingestion, retry, reread, confirm });
      const { data } = await record.ingestions.files(run.id, { limit: 1000 });
      return { run, files: new Map(data.map((file) => [file.uri, file])) };
    },
    async uris() {
      const found: string[] = [];
      for await (const { uri } of record.documents.listUris('docs')) found.push(uri);
      return found.sort();
    },
    async close() {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
