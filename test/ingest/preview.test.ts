// A preview foretells what the real run then does, and leaves no trace.

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Source } from '../../src/core/document.ts';
import type { Ingestion, IngestionFile } from '../../src/core/documents/runs.ts';
import { randomIds, systemClock } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import type { RecordDatabase } from '../../src/db/record.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import type { TenantRecord } from '../../src/db/tenant-record.ts';
import { openFolder } from '../../src/ingest/connectors/folder.ts';
import { createPipeline } from '../../src/ingest/pipeline.ts';
import { createPreviews, type Previews } from '../../src/ingest/preview.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import type { EmbedNeed } from '../../src/vectors/estimate.ts';
import { realParsers, startIngestion } from '../../testkit/folder-run.ts';

let folder = '';
let docs = '';
let database: RecordDatabase;
let record: TenantRecord;
let previews: Previews;
let planned: string[];
let source: Source;

const ports = () => ({
  record,
  parsers: realParsers,
  clock: systemClock,
  ids: randomIds,
  connectors: { open: openFolder },
  chunking: { maxTokens: 1000, overlapTokens: 100, minTokens: 100 },
  maxFileBytes: 100_000,
});

const need: EmbedNeed = {
  setting: 'fake:model',
  texts: 3,
  truncated: 0,
  tokens: 30,
  calls: 1,
  costUsd: 0.5,
  seconds: 1,
  rate: { textsPerSecond: 3, from: 'assumed' },
};

/** Every row of every table. */
function contents(): Record<string, string> {
  const opened = new DatabaseSync(join(folder, 'data', 'record.sqlite'), { readOnly: true });
  const tables = opened
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  const rows = tables.map(({ name }) => {
    const all = opened.prepare(`SELECT * FROM "${String(name)}"`).all();
    return [String(name), JSON.stringify(all)] as const;
  });
  opened.close();
  return Object.fromEntries(rows);
}

async function read(): Promise<{ run: Ingestion; files: Map<string, IngestionFile> }> {
  await record.commit([{ kind: 'put-source', source }]);
  const { scope } = record;
  const store = createEmbeddedStore({ database: database as ReturnType<typeof openSqliteRecord>, scope });
  const files = new Map<string, IngestionFile>();
  const ingestion = await startIngestion(record, source.name);
  const run = await createPipeline({ ...ports(), stores: [store] }).syncSource({
    source,
    connector: source.connector as NonNullable<Source['connector']>,
    ingestion,
    onProgress: (_, file) => file && files.set(file.uri, file),
  });
  return { run, files };
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-preview-'));
  docs = join(folder, 'docs');
  await mkdir(join(docs, 'drafts'), { recursive: true });
  await writeFile(join(docs, 'heron.md'), '# Heron\n\nThe heron weighs two kilograms.\n');
  await writeFile(join(docs, 'owl.txt'), 'The owl hunts at night.\n');
  await writeFile(join(docs, 'birds.jsonl'), '{"text":"The crane calls."}\n{"text":"The kite circles."}\n{\n');
  await writeFile(join(docs, 'owls.txt.gz'), gzipSync('The tawny owl calls in autumn.\n'));
  await writeFile(join(docs, 'broken.pdf'), '%PDF-1.7\nnothing');
  await writeFile(
    join(docs, 'noise.bin'),
    new Uint8Array(2000).map((_, at) => (at * 97) % 251),
  );
  await writeFile(join(docs, 'huge.txt'), 'x'.repeat(100_001));
  await writeFile(join(docs, '.gitignore'), 'drafts\n');
  await writeFile(join(docs, 'drafts', 'stork.md'), 'Not ready.');
  await writeFile(join(docs, 'left-out.log'), 'no');
  await mkdir(join(docs, '.git'));
  await symlink('/etc/hostname', join(docs, 'link.txt'));
  source = { name: 'docs', type: 'docs', connector: { kind: 'folder', path: docs, exclude: ['*.log'] } };
  const opened = openSqliteRecord({ folder: join(folder, 'data') });
  database = opened;
  record = opened.forScope(localScope());
  planned = [];
  const openEmbedPlan = async () => ({
    add: async (texts: readonly string[]) => void planned.push(...texts),
    need: () => need,
  });
  previews = createPreviews({ ...ports(), openEmbedPlan });
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** What of a preview's files the real run says too. */
const told = (files: Iterable<IngestionFile & { bytes?: number }>): IngestionFile[] =>
  [...files].map(({ bytes: _, ...file }) => file).sort((a, b) => (a.uri < b.uri ? -1 : 1));

describe('a preview of a folder', () => {
  it('foretells every outcome of the run that follows, again after changes', async () => {
    const first = await previews.folder(source);
    const { run, files } = await read();
    expect(first.counts).toEqual(run.counts);
    expect(told(first.files)).toEqual(told(files.values()));
    expect(files.get('heron.md')).toMatchObject({ state: 'done', change: 'added', kind: 'Markdown', chunks: 1 });

    await writeFile(join(docs, 'heron.md'), '# Heron\n\nIt weighs three kilograms.\n');
    await rm(join(docs, 'owl.txt'));
    const second = await previews.folder(source);
    const again = await read();
    expect(second.counts).toEqual(again.run.counts);
    expect(told(second.files)).toEqual(told(again.files.values()));
    const states = new Map(second.files.map(({ uri, state, change }) => [uri, change ?? state]));
    expect(states.get('heron.md')).toBe('changed');
    expect(states.get('owl.txt')).toBe('deleted');
    expect(states.get('birds.jsonl')).toBe('unchanged');
  });

  it('writes nothing, neither in an empty record nor over a full one', async () => {
    const before = contents();
    expect(Object.keys(before).length).toBeGreaterThan(5);
    await previews.folder(source);
    expect(contents()).toEqual(before);
    await read();
    await writeFile(join(docs, 'heron.md'), 'Another heron.\n');
    await writeFile(join(docs, 'worse.pdf'), '%PDF-1.7\nnothing else');
    await rm(join(docs, 'owls.txt.gz'));
    const after = contents();
    const preview = await previews.folder(source);
    expect(preview.counts).toMatchObject({ done: 1, failed: 4, deleted: 1 });
    expect(contents()).toEqual(after);
  });

  it('counts bytes, tokens and kinds, names what is left out and why, and what vectors would take', async () => {
    const preview = await previews.folder(source);
    expect(preview.kinds).toEqual([
      { kind: 'plain text', files: 2, bytes: 24, chunks: 2 },
      { kind: 'GZIP', files: 1, bytes: expect.any(Number), chunks: 0 },
      { kind: 'JSONL', files: 1, bytes: 59, chunks: 2 },
      { kind: 'Markdown', files: 1, bytes: 41, chunks: 1 },
    ]);
    expect(preview.skipped).toEqual([
      { path: 'drafts', reason: 'gitignore' },
      { path: 'left-out.log', reason: 'exclude' },
      { path: 'link.txt', reason: 'link' },
    ]);
    expect(preview.bytes).toBeGreaterThan(100_000);
    expect(preview.tokens).toBeGreaterThan(25);
    expect(preview.tokens).toBeLessThan(100);
    expect(preview.embedding).toEqual(need);
    expect(planned.sort()[0]).toBe('Heron\n# Heron\n\nThe heron weighs two kilograms.');
    expect(planned).toHaveLength(5);
    expect(preview.time.from).toBe('assumed');
    expect(preview.files.slice(0, 3).map(({ uri, error }) => [uri, error?.code])).toEqual([
      ['broken.pdf', 'invalid-media'],
      ['huge.txt', 'too-large'],
      ['noise.bin', 'unsupported-media'],
    ]);
  });

  it('ends as the run would: no folder, a cancelled look', async () => {
    const gone: Source = { ...source, connector: { kind: 'folder', path: join(folder, 'nowhere') } };
    await expect(previews.folder(gone)).rejects.toMatchObject({ code: 'not-found' });
    const stop = new AbortController();
    const looking = previews.folder(source, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(looking).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('a preview of a document', () => {
  it('says whether it is new, changed, the same or unreadable', async () => {
    const pipeline = createPipeline({ ...ports(), stores: [] });
    const document = { text: 'The wren sings.', uri: 'wren', source: 'files' };
    expect((await previews.document(document)).files).toMatchObject([{ uri: 'wren', change: 'added', bytes: 15 }]);
    await pipeline.addDocument(document);
    const full = contents();
    expect((await previews.document(document)).counts).toMatchObject({ unchanged: 1, chunks: 0 });
    expect((await previews.document({ ...document, text: 'It sings.' })).files[0]?.change).toBe('changed');
    const broken = await previews.document({ bytes: Buffer.from('%PDF-1.7\nno'), name: 'no.pdf' });
    expect(broken).toMatchObject({
      counts: { failed: 1 },
      files: [{ state: 'failed', error: { code: 'invalid-media' } }],
    });
    expect(contents()).toEqual(full);
  });
});
