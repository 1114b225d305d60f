import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openArchive } from '@footnote/readers/registry/archive-files';
import { parseFile } from '@footnote/readers/registry/registry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FolderConnector as Connector } from '../../../src/core/connector.ts';
import type { Source } from '../../../src/core/document.ts';
import type { Ingestion, IngestionFile } from '../../../src/core/documents/runs.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { chunkIdOf, randomIds, systemClock } from '../../../src/core/ids.ts';
import { localScope } from '../../../src/core/scope.ts';
import type { RecordDatabase } from '../../../src/db/record.ts';
import { openSqliteRecord } from '../../../src/db/sqlite/sqlite.ts';
import type { TenantRecord } from '../../../src/db/tenant-record.ts';
import { openFolder } from '../../../src/ingest/connectors/folder.ts';
import { neverRead } from '../../../src/ingest/connectors/walk.ts';
import { createPipeline, type Pipeline } from '../../../src/ingest/pipeline.ts';
import { cutFile, readLines } from '../../../src/ingest/read/cut.ts';
import type { CuttingPool } from '../../../src/ingest/read/parse.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import type { Store } from '../../../src/stores/store.ts';
import { startIngestion } from '../../../testkit/folder-run.ts';
import { createMemoryStores } from '../../../testkit/memory-store.ts';

let folder = '';
let docs = '';
let database: RecordDatabase;
let record: TenantRecord;
let store: Store;
let parsed: string[];
let pipeline: Pipeline;
let damage: (sql: string) => Promise<void>;

/** The real parsers, in this process, counting what they are asked for. */
function countingPool(): CuttingPool {
  return {
    async parse(input, options) {
      options?.signal?.throwIfAborted();
      parsed.push(input.name);
      return parseFile(input);
    },
    async cut(input, plan, signal) {
      signal?.throwIfAborted();
      parsed.push(input.name);
      return cutFile(input, plan);
    },
    async readLines(job, signal) {
      signal?.throwIfAborted();
      const reply = readLines(job);
      for (const record of reply) if ('cut' in record) parsed.push(`${job.fileUri}:${record.lineNumber}`);
      return reply;
    },
    async *unpack(input, limits, signal) {
      for await (const file of openArchive(input, limits, neverRead)) {
        signal?.throwIfAborted();
        yield [file];
      }
    },
    close: async () => undefined,
  };
}

function build(extra: readonly Store[] = [], parsers = countingPool(), onChange?: () => void): Pipeline {
  return createPipeline({
    record,
    stores: [store, ...extra],
    parsers,
    clock: systemClock,
    ids: randomIds,
    connectors: { open: openFolder },
    chunking: { maxTokens: 1000, overlapTokens: 100, minTokens: 100 },
    maxFileBytes: 1_000_000,
    ...(onChange && { onChange }),
  });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-pipeline-'));
  docs = join(folder, 'docs');
  await mkdir(docs);
  const opened = openSqliteRecord({ folder: join(folder, 'data') });
  database = opened;
  damage = (sql) => opened.write((connection) => connection.exec(sql));
  record = opened.forScope(localScope());
  store = createEmbeddedStore({ database: opened, scope: localScope() });
  parsed = [];
  pipeline = build();
});
afterEach(async () => {
  await database.close();
  await chmod(docs, 0o755).catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
});

const source: Source = { name: 'docs', type: 'docs' };

async function sync(
  options: {
    connector?: Partial<Connector>;
    signal?: AbortSignal;
    onProgress?: (run: Ingestion, file?: IngestionFile) => void;
  } = {},
): Promise<{ run: Ingestion; files: readonly IngestionFile[] }> {
  const connector: Connector = { kind: 'folder', path: docs, ...options.connector };
  await record.commit([{ kind: 'put-source', source: { ...source, connector } }]);
  const ingestion = await startIngestion(record, source.name);
  const { signal, onProgress } = options;
  const run = await pipeline.syncSource({
    source,
    connector,
    ingestion,
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  return { run, files: (await record.ingestions.files(ingestion.id, { limit: 1000 })).data };
}

async function uris(name = 'docs'): Promise<string[]> {
  const found: string[] = [];
  for await (const { uri } of record.documents.listUris(name)) found.push(uri);
  return found.sort();
}

async function hits(text: string): Promise<readonly string[]> {
  const page = await store.search({ text, mode: 'lexical', limit: 10 });
  return page.hits.map((hit) => hit.documentId);
}

const write = async (name: string, text: string | Uint8Array): Promise<void> => {
  await mkdir(join(docs, name, '..'), { recursive: true });
  await writeFile(join(docs, name), text);
};

describe('onChange', () => {
  it('is called once documents are committed or deleted, and not for what is unchanged', async () => {
    const seen: number[] = [];
    const counts: Promise<void>[] = [];
    const watched = build([], undefined, () => {
      counts.push(record.documents.count().then(({ documents }) => void seen.push(documents)));
    });
    const [added] = await watched.addDocument({ text: 'The heron stands in the reeds.', uri: 'a' });
    await watched.addDocument({ text: 'The heron stands in the reeds.', uri: 'a' });
    await watched.deleteDocument(added!.id);
    await Promise.all(counts);
    expect(seen).toEqual([1, 0]);
  });
});

describe('addDocument', () => {
  it('is searchable and durable when it resolves', async () => {
    const [added] = await pipeline.addDocument({ text: 'The heron stands in the reeds.', title: 'Herons' });
    expect(added).toMatchObject({
      status: 'created',
      chunks: 1,
      deliveries: [{ store: 'embedded', status: 'delivered' }],
    });
    expect(await hits('heron')).toEqual([added!.id]);
    expect(await record.documents.get(added!.id)).toMatchObject({ source: 'uploads', title: 'Herons', revision: 1 });
    expect((await record.sources.get('uploads'))?.type).toBe('docs');
  });

  it('replaces the version before when source and uri are the same', async () => {
    const [first] = await pipeline.addDocument({ text: 'Alpha is the old word.', uri: 'a' });
    const [second] = await pipeline.addDocument({ text: 'Beta is the new word.', uri: 'a' });
    expect(second).toMatchObject({ id: first!.id, status: 'updated' });
    expect((await record.documents.get(first!.id))?.revision).toBe(2);
    expect(await hits('alpha')).toEqual([]);
    expect(await hits('beta')).toEqual([first!.id]);
  });

  it('does nothing when nothing changed, and something when only a fact did', async () => {
    const text = 'The same words again.';
    await pipeline.addDocument({ text, uri: 'a', category: 'x', metadata: { n: 1 } });
    const before = parsed.length;
    expect((await pipeline.addDocument({ text, uri: 'a', category: 'x', metadata: { n: 1 } }))[0]?.status).toBe(
      'unchanged',
    );
    expect(parsed.length).toBe(before);
    expect((await pipeline.addDocument({ text, uri: 'a', category: 'y', metadata: { n: 1 } }))[0]?.status).toBe(
      'updated',
    );
    expect((await pipeline.addDocument({ text, uri: 'a', category: 'y', metadata: { n: 2 } }))[0]?.status).toBe(
      'updated',
    );
  });

  it('gives two callers that send the same uri at once two revisions of one document', async () => {
    const added = await Promise.all(
      Array.from({ length: 5 }, (_, number) =>
        pipeline.addDocument({ text: `Version number ${number}.`, uri: 'same' }),
      ),
    );
    expect(new Set(added.map(([one]) => one!.id)).size).toBe(1);
    expect((await record.documents.get(added[0]![0]!.id))?.revision).toBe(5);
    expect((await record.documents.count()).documents).toBe(1);
  });

  it('takes a document for each line of JSONL with text', async () => {
    const lines = [
      { _id: 'd1', title: 'One', text: 'First line here.', metadata: { year: 1999 } },
      { _id: 'd2', text: 'Second line here.', publishedAt: '2020-02-03' },
    ];
    const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
    const added = await pipeline.addDocument({ bytes, name: 'all.jsonl', source: 'set' });
    expect(added.map((one) => [one.id, one.uri])).toEqual([
      ['d1', 'all.jsonl#d1'],
      ['d2', 'all.jsonl#d2'],
    ]);
    expect(await record.documents.get('d1')).toMatchObject({ title: 'One', metadata: { year: 1999 } });
    expect(await record.documents.get('d2')).toMatchObject({ publishedAt: '2020-02-03' });
    expect((await pipeline.addDocument({ bytes, name: 'all.jsonl', source: 'set' })).map((one) => one.status)).toEqual([
      'unchanged',
      'unchanged',
    ]);
  });

  it('never lets a line take the id of a document of another source', async () => {
    const bytes = Buffer.from(JSON.stringify({ id: 'd1', text: 'Mine.' }));
    await pipeline.addDocument({ bytes, name: 'a.jsonl', source: 'one' });
    const [other] = await pipeline.addDocument({ bytes, name: 'a.jsonl', source: 'two' });
    expect(other!.id).toMatch(/^doc_/);
    expect((await record.documents.get('d1'))?.source).toBe('one');
  });

  it('takes the good lines of JSONL and names the bad ones', async () => {
    const bytes = Buffer.from(
      '{"id":"a","text":"Good."}\nnot json\n{"id":"a","text":"Again."}\n{"id":"c","text":"Fine."}',
    );
    const added = await pipeline.addDocument({ bytes, name: 'x.jsonl' });
    expect(added.map((one) => one.id)).toEqual(['a', 'c']);
    expect(added[0]!.warnings.join('\n')).toMatch(/Line 2[\s\S]*Line 3 repeats/);
  });

  it('writes a line anew whose recorded document is damaged, under its id, with the lines beside it', async () => {
    const lines = (word: string): Uint8Array =>
      Buffer.from(
        Array.from({ length: 9 }, (_, at) => JSON.stringify({ id: `n${at}`, text: `${word} ${at}.` })).join('\n'),
      );
    await pipeline.addDocument({ bytes: lines('First'), name: 'x.jsonl' });
    await damage("UPDATE document SET title = 'other' WHERE id = 'n4'");
    const added = await pipeline.addDocument({ bytes: lines('Second'), name: 'x.jsonl' });
    expect(added.map(({ id }) => id)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8']);
    expect(added[0]!.warnings).toEqual([]);
    expect(await record.documents.text('n4')).toBe('Second 4.');
    // Unchanged bytes are no reason to leave a damaged text as it is.
    await damage("UPDATE chunk SET text = 'other' WHERE document_id = 'n5'");
    const again = await pipeline.addDocument({ bytes: lines('Second'), name: 'x.jsonl' });
    expect(again.map(({ status }) => status)).toEqual(again.map(({ id }) => (id === 'n5' ? 'updated' : 'unchanged')));
    expect((await record.documents.chunks('n5'))[0]?.text).toBe('Second 5.');
  });

  it('refuses what is empty, too large, binary, or bound for a mirrored source', async () => {
    await expect(pipeline.addDocument({})).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(pipeline.addDocument({ text: '   ' })).rejects.toMatchObject({ code: 'invalid-media' });
    await expect(pipeline.addDocument({ text: 'x'.repeat(1_000_001) })).rejects.toMatchObject({ code: 'too-large' });
    const bytes = new Uint8Array(2000).map((_, index) => (index * 7) % 256);
    await expect(pipeline.addDocument({ bytes, name: 'a.bin' })).rejects.toMatchObject({ code: 'unsupported-media' });
    await sync();
    await expect(pipeline.addDocument({ text: 'Hello.', source: 'docs' })).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('syncSource', () => {
  it('reads new files, skips unchanged ones without parsing, replaces changed ones, removes vanished ones', async () => {
    await write('a.md', '# Alpha\n\nThe first page.');
    await write('sub/b.txt', 'The second page.');
    await write('c.txt', 'The third page.');
    const first = await sync();
    expect(first.run).toMatchObject({
      state: 'done',
      counts: { found: 3, done: 3, unchanged: 0, failed: 0, deleted: 0 },
    });
    expect(await uris()).toEqual(['a.md', 'c.txt', 'sub/b.txt']);

    parsed = [];
    expect((await sync()).run.counts).toMatchObject({ done: 0, unchanged: 3 });
    expect(parsed).toEqual([]);

    await write('c.txt', 'The third page, rewritten.');
    await rm(join(docs, 'sub'), { recursive: true });
    const third = await sync();
    expect(third.run.counts).toMatchObject({ done: 1, unchanged: 1, deleted: 1 });
    expect(parsed).toEqual(['c.txt']);
    expect(await uris()).toEqual(['a.md', 'c.txt']);
    expect(await hits('second')).toEqual([]);
    expect(await hits('rewritten')).toHaveLength(1);
  });

  it('goes on past a bad file, says what was wrong, and keeps the version that could be read', async () => {
    await write('good.txt', 'A good page.');
    await write('turns-bad.txt', 'Readable at first.');
    await sync();
    await write('turns-bad.txt', new Uint8Array([0, 1, 2, 3, 0, 255]));
    await write('image.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]));
    await write('empty.txt', '');
    const { run, files } = await sync();
    expect(run).toMatchObject({ state: 'done', counts: { found: 4, unchanged: 1, failed: 3 } });
    const faults = files.filter((file) => file.state === 'failed').map((file) => [file.uri, file.error?.code]);
    expect(Object.fromEntries(faults)).toEqual({
      'empty.txt': 'invalid-media',
      'image.png': 'invalid-media',
      'turns-bad.txt': 'unsupported-media',
    });
    expect(await uris()).toEqual(['good.txt', 'turns-bad.txt']);
  });

  it('fails without deleting anything when the folder is not there', async () => {
    await write('a.txt', 'A page.');
    await sync();
    const { run } = await sync({ connector: { path: join(folder, 'gone') } });
    expect(run).toMatchObject({ state: 'failed', error: { code: 'not-found' } });
    expect(await uris()).toEqual(['a.txt']);
  });

  it.skipIf(process.getuid?.() === 0)('never takes for gone what it was not allowed to look at', async () => {
    await write('locked/a.txt', 'A page.');
    await sync();
    await chmod(join(docs, 'locked'), 0);
    const { run } = await sync();
    await chmod(join(docs, 'locked'), 0o755);
    expect(run.counts).toMatchObject({ failed: 1, deleted: 0 });
    expect(await uris()).toEqual(['locked/a.txt']);
  });

  it('mirrors a JSONL file line by line', async () => {
    const line = (id: string, text: string): string => JSON.stringify({ id, text });
    await write('set.jsonl', [line('a', 'First.'), line('b', 'Second.'), line('c', 'Third.')].join('\n'));
    expect((await sync()).run.counts).toMatchObject({ found: 1, done: 1, chunks: 3 });
    await write('set.jsonl', [line('a', 'First.'), line('b', 'Second, changed.')].join('\n'));
    expect((await sync()).run.counts).toMatchObject({ done: 1, chunks: 1, deleted: 1 });
    expect(await uris()).toEqual(['set.jsonl#a', 'set.jsonl#b']);
    expect((await record.documents.get('a'))?.revision).toBe(1);
    expect((await record.documents.get('b'))?.revision).toBe(2);
    await write('set.jsonl', gzipSync('{"id":"a","text":"First."}').subarray(0, 20));
    const broken = await sync();
    expect(broken.run.counts).toMatchObject({ failed: 1, deleted: 0 });
    expect(await uris()).toEqual(['set.jsonl#a', 'set.jsonl#b']);
  });

  it('cuts only the changed lines of a JSONL file that was read before', async () => {
    const line = (id: string, text: string): string => JSON.stringify({ id, text });
    const first = Array.from({ length: 450 }, (_, number) => line(`n${number}`, `This is number ${number}.`));
    await write('set.jsonl', first.join('\n'));
    expect((await sync()).run.counts).toMatchObject({ done: 1, chunks: 450 });
    parsed = [];
    expect((await sync()).run.counts).toMatchObject({ unchanged: 1, chunks: 0 });
    expect(parsed).toEqual([]);
    const second = first.with(7, line('n7', 'Changed.')).with(444, line('n444', 'Changed too.'));
    await write('set.jsonl', second.join('\n'));
    expect((await sync()).run.counts).toMatchObject({ done: 1, chunks: 2 });
    expect(parsed).toEqual(['set.jsonl:8', 'set.jsonl:445']);
    expect(await hits('changed')).toHaveLength(2);
    expect(await database.check()).toEqual([]);
  });

  it('gives lines that want one id documents of their own, and chunks the ids of their document', async () => {
    const lines = [
      { id: 'a', uri: 'http://one', text: 'First.' },
      { id: 'a', uri: 'http://two', text: 'Second.' },
      { id: 'no good id', text: 'Third.' },
    ];
    await write('set.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    await sync();
    const page = await record.documents.list({ limit: 10 });
    expect(page.data.map(({ uri }) => uri)).toEqual(['http://one', 'http://two', 'set.jsonl#no good id']);
    expect(page.data.map(({ id }) => (id === 'a' ? id : 'doc'))).toEqual(['a', 'doc', 'doc']);
    for (const { id, textHash } of page.data)
      for (const chunk of await record.documents.chunks(id)) expect(chunk.id).toBe(chunkIdOf(id, textHash, chunk));
  });

  it('can be cancelled at any time and goes on where it was', async () => {
    for (let number = 0; number < 40; number += 1) await write(`page-${number}.txt`, `This is page number ${number}.`);
    const controller = new AbortController();
    const pool = countingPool();
    pipeline = build([], {
      ...pool,
      cut: async (input, plan, signal) => {
        if (parsed.length === 20) await new Promise((resolve) => setTimeout(resolve, 150));
        if (parsed.length >= 20) controller.abort(new FootnoteError('cancelled', 'Enough.'));
        return pool.cut(input, plan, signal);
      },
    });
    const { run } = await sync({ signal: controller.signal });
    expect(run.state).toBe('cancelled');
    const kept = (await record.documents.count()).documents;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(40);
    parsed = [];
    pipeline = build();
    const rest = await sync();
    expect(rest.run).toMatchObject({ state: 'done', counts: { unchanged: kept, done: 40 - kept } });
    expect(parsed).toHaveLength(40 - kept);
    expect(await database.check()).toEqual([]);
  });

  it('writes many documents in few commits', async () => {
    for (let number = 0; number < 60; number += 1) await write(`page-${number}.txt`, `This is page number ${number}.`);
    let commits = 0;
    const inner = record;
    record = {
      ...inner,
      commit: (...given) => {
        commits += 1;
        return inner.commit(...given);
      },
    };
    pipeline = build();
    await sync();
    expect((await record.documents.count()).documents).toBe(60);
    expect(commits).toBeLessThan(30);
  });

  it('ends as failed, with what was written kept, when the disk is full', async () => {
    for (let number = 0; number < 10; number += 1) await write(`page-${number}.txt`, `This is page number ${number}.`);
    const connector: Connector = { kind: 'folder', path: docs };
    await record.commit([{ kind: 'put-source', source: { ...source, connector } }]);
    const sound = record;
    record = { ...sound, commit: () => Promise.reject(new FootnoteError('storage-full', 'The disk is full.')) };
    pipeline = build();
    const ingestion: Ingestion = {
      id: 'ing_full',
      source: 'docs',
      state: 'running',
      startedAt: systemClock.now(),
      counts: { found: 0, done: 0, unchanged: 0, failed: 0, deleted: 0, chunks: 0 },
    };
    const run = await pipeline.syncSource({ source, connector, ingestion });
    expect(run).toMatchObject({ state: 'failed', error: { code: 'storage-full' } });
    expect((await sound.documents.count()).documents).toBe(0);
  });

  it('queues documents for a store beside the record, and what is deleted, without asking the store', async () => {
    const outside: Store = {
      ...createMemoryStores({ name: 'outside' }).store(localScope()),
      upsert: () => Promise.reject(new Error('asked')),
      delete: () => Promise.reject(new Error('asked')),
    };
    pipeline = build([outside]);
    const queue = database.deliveriesOf('default');
    await write('a.txt', 'A page.');
    expect((await sync()).run.state).toBe('done');
    const [id] = await hits('page');
    expect(await record.documents.deliveries(id!)).toMatchObject([
      { store: 'embedded', status: 'delivered', attempts: 1 },
      { store: 'outside', status: 'pending', attempts: 0 },
    ]);
    expect(await queue.counts('outside')).toMatchObject({ pending: 1, deletions: 0 });
    expect(await pipeline.deleteDocument(id!)).toBe(true);
    expect(await queue.counts('outside')).toMatchObject({ pending: 0, deletions: 1 });
    expect((await record.documents.listDeliveries({ store: 'outside' })).data).toEqual([]);
  });

  it('brings an unchanged document to a store that it was not meant for until now', async () => {
    pipeline = build([createMemoryStores({ name: 'outside' }).store(localScope())]);
    await pipeline.addDocument({ text: 'Another sheet.', uri: 'other' });
    const text = 'A page of its own.';
    const [added] = await pipeline.addDocument({ text, uri: 'own', stores: ['outside'] });
    expect(added?.deliveries).toEqual([{ store: 'outside', status: 'pending' }]);
    expect(await hits('page')).toEqual([]);
    expect(await record.documents.undelivered('embedded', undefined, 10)).toEqual([]);
    const [again] = await pipeline.addDocument({ text, uri: 'own', stores: ['embedded'] });
    expect(again).toMatchObject({ status: 'unchanged' });
    expect(await hits('page')).toEqual([added?.id]);
    expect(await record.documents.undelivered('embedded', undefined, 10)).toEqual([]);
  });

  it('does not read a folder into a source whose documents were added by hand', async () => {
    await write('a.txt', 'A page.');
    await pipeline.addDocument({ text: 'By hand.', source: 'docs', uri: 'mine' });
    const { run } = await sync();
    expect(run).toMatchObject({ state: 'failed', error: { code: 'conflict' } });
    expect(await uris()).toEqual(['mine']);
  });

  it('does not follow links out of the folder', async () => {
    await writeFile(join(folder, 'secret.txt'), 'A secret.');
    await write('a.txt', 'A page.');
    await symlink(join(folder, 'secret.txt'), join(docs, 'link.txt'));
    await sync();
    expect(await uris()).toEqual(['a.txt']);
  });

  it('removes a source with all its documents', async () => {
    await write('a.txt', 'A page.');
    await write('b.txt', 'Another page.');
    await sync();
    expect(await pipeline.removeSource('docs')).toBe(2);
    expect(await record.sources.get('docs')).toBeUndefined();
    expect(await hits('page')).toEqual([]);
  });
});
