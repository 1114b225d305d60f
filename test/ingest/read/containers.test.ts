import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openArchive } from '@footnote/readers/registry/archive-files';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockedZip } from '../../../packages/readers/testkit/locked-zips.ts';
import { agileOf } from '../../../packages/readers/testkit/office-seal.ts';
import { zipFile } from '../../../packages/readers/testkit/zip-file.ts';
import type { FolderConnector as Connector } from '../../../src/core/connector.ts';
import type { Ingestion, IngestionFile } from '../../../src/core/documents/runs.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { randomIds, systemClock } from '../../../src/core/ids.ts';
import { localScope } from '../../../src/core/scope.ts';
import type { RecordDatabase } from '../../../src/db/record.ts';
import { openSqliteRecord } from '../../../src/db/sqlite/sqlite.ts';
import type { TenantRecord } from '../../../src/db/tenant-record.ts';
import { openFolder } from '../../../src/ingest/connectors/folder.ts';
import { neverRead } from '../../../src/ingest/connectors/walk.ts';
import { createPipeline, type Pipeline } from '../../../src/ingest/pipeline.ts';
import { cutFile } from '../../../src/ingest/read/cut.ts';
import type { CuttingPool } from '../../../src/ingest/read/parse.ts';
import { givenPasswords } from '../../../src/ingest/read/passwords.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { realParsers, startIngestion } from '../../../testkit/folder-run.ts';

let folder = '';
let docs = '';
let database: RecordDatabase;
let record: TenantRecord;
let pipeline: Pipeline;
/** What the parsers were asked for. */
let asked: string[];
/** Names of files that kill their parser. */
let poison: Set<string>;
/** Archives that are taken apart at the same time. */
let opening: { now: number; most: number };
/** Attachments, by the name of the file that has them. */
let attached: Record<string, { name: string; bytes: Uint8Array }[]>;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The real parsers in this process; some files are poisonous or have attachments. */
function pool(): CuttingPool {
  return {
    ...realParsers,
    async cut(input, plan) {
      asked.push(input.name);
      if (poison.has(input.name)) throw new FootnoteError('invalid-media', `${input.name} made its parser stop.`);
      const cut = await cutFile(input, plan);
      const attachments = attached[input.name];
      return attachments ? { ...cut, attachments } : cut;
    },
    async *unpack(input, limits) {
      asked.push(input.name);
      opening = { now: opening.now + 1, most: Math.max(opening.most, opening.now + 1) };
      for await (const file of openArchive(input, limits, neverRead)) yield [file];
      opening.now -= 1;
    },
  };
}

beforeEach(async () => {
  opening = { now: 0, most: 0 };
  folder = await mkdtemp(join(tmpdir(), 'footnote-containers-'));
  docs = join(folder, 'docs');
  await mkdir(docs);
  const opened = openSqliteRecord({ folder: join(folder, 'data') });
  database = opened;
  record = opened.forScope(localScope());
  [asked, poison, attached] = [[], new Set(), {}];
  pipeline = createPipeline({
    record,
    stores: [createEmbeddedStore({ database: opened, scope: localScope() })],
    parsers: pool(),
    clock: systemClock,
    ids: randomIds,
    connectors: { open: openFolder },
    chunking: { maxTokens: 1000, overlapTokens: 100, minTokens: 100 },
    maxFileBytes: 1_000_000,
  });
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function sync(
  retry = false,
  confirm = false,
): Promise<{ run: Ingestion; files: Record<string, IngestionFile['state']>; all: readonly IngestionFile[] }> {
  asked = [];
  const connector: Connector = { kind: 'folder', path: docs };
  const source = { name: 'docs', type: 'docs' as const, connector };
  await record.commit([{ kind: 'put-source', source }]);
  const ingestion = await startIngestion(record, source.name);
  const run = await pipeline.syncSource({ source, connector, ingestion, retry, confirm });
  const all = (await record.ingestions.files(ingestion.id, { limit: 1000 })).data;
  return { run, all, files: Object.fromEntries(all.map(({ uri, state }) => [uri, state])) };
}

async function uris(source = 'docs'): Promise<string[]> {
  const found: string[] = [];
  for await (const { uri } of record.documents.listUris(source)) found.push(uri);
  return found.sort();
}

const put = (name: string, content: Uint8Array | string): Promise<void> => writeFile(join(docs, name), content);

describe('archives in a folder', () => {
  it('become a document for each file, archives in archives included, and say where it came from', async () => {
    const inner = zipFile([{ name: 'deep.md', content: '# Deep' }]);
    await put(
      'x.zip',
      zipFile([
        { name: 'a/one.md', content: '# One' },
        { name: 'inner.zip', content: inner },
      ]),
    );
    await put('notes.txt.gz', gzipSync('Notes.'));
    const { run, files } = await sync();
    expect(run).toMatchObject({ state: 'done', counts: { found: 6, done: 6, failed: 0 } });
    expect(files).toMatchObject({ 'x.zip': 'done', 'x.zip/a/one.md': 'done', 'x.zip/inner.zip/deep.md': 'done' });
    expect(await uris()).toEqual(['notes.txt.gz/notes.txt', 'x.zip/a/one.md', 'x.zip/inner.zip/deep.md']);
    const deep = await record.documents.findByUri('docs', 'x.zip/inner.zip/deep.md');
    expect(deep).toMatchObject({ title: 'Deep', metadata: { container: 'x.zip', archive: 'x.zip/inner.zip' } });
  });

  it('cost nothing while they do not change, and only what changed when they do', async () => {
    const two = { name: 'two.md', content: '# Two' };
    await put('x.zip', zipFile([{ name: 'one.md', content: '# One' }, two]));
    await sync();
    const again = await sync();
    expect(asked).toEqual([]);
    expect(again.files).toEqual({
      'x.zip': 'unchanged',
      'x.zip/one.md': 'unchanged',
      'x.zip/two.md': 'unchanged',
    });
    await put('x.zip', zipFile([two, { name: 'three.md', content: '# Three' }]));
    const changed = await sync();
    expect(asked).toEqual(['x.zip', 'three.md']);
    expect(changed.files).toEqual({
      'x.zip': 'done',
      'x.zip/two.md': 'unchanged',
      'x.zip/three.md': 'done',
      'x.zip/one.md': 'deleted',
    });
    await rm(join(docs, 'x.zip'));
    await sync(false, true);
    expect(await uris()).toEqual([]);
    expect(await record.readings.containers('docs')).toEqual([]);
  });

  it('say of each file that is not read why, and keep what was there when an archive is damaged', async () => {
    const sound = zipFile([
      { name: 'good.md', content: '# Good' },
      { name: '../out.md', content: 'x' },
      { name: 'image.bin', content: Buffer.from([0, 1, 2, 0, 255]) },
      { name: 'none.md', content: '' },
    ]);
    await put('x.zip', sound);
    const { all, run } = await sync();
    expect(run.counts).toMatchObject({ found: 5, done: 2, failed: 3 });
    expect(all.find(({ uri }) => uri === 'x.zip')?.warnings).toEqual(['3 of 4 files in it could not be read.']);
    const messages = all.flatMap(({ error }) => (error ? [error.message] : []));
    expect(messages.toSorted()).toEqual([
      expect.stringContaining('leads out'),
      expect.stringContaining('binary data'),
      expect.stringContaining('none.md is empty'),
    ]);
    await put('x.zip', sound.subarray(0, 40));
    expect((await sync()).files).toMatchObject({ 'x.zip': 'failed' });
    expect(await uris()).toEqual(['x.zip/good.md']);
  });

  it('open three deep and no deeper', async () => {
    let bytesOf = zipFile([{ name: 'core.md', content: '# Core' }]);
    for (const level of [4, 3, 2])
      bytesOf = zipFile([
        { name: `l${level}.zip`, content: bytesOf },
        { name: `${level}.md`, content: `# ${level}` },
      ]);
    await put('l1.zip', bytesOf);
    const { all } = await sync();
    expect(await uris()).toEqual(['l1.zip/2.md', 'l1.zip/l2.zip/3.md', 'l1.zip/l2.zip/l3.zip/4.md']);
    expect(all.find(({ state }) => state === 'failed')).toMatchObject({
      uri: 'l1.zip/l2.zip/l3.zip/l4.zip',
      error: { code: 'too-large', message: expect.stringContaining('3 deep') },
    });
  });

  it('are found under the name of an office file, and office files under the name of an archive', async () => {
    await put('x.docx', zipFile([{ name: 'one.md', content: '# One' }]));
    await put('y.zip', '# Not an archive');
    const { files } = await sync();
    expect(files).toMatchObject({ 'x.docx': 'done', 'x.docx/one.md': 'done', 'y.zip': 'failed' });
  });

  it('bring again what was deleted out of one that lies in another', async () => {
    const inner = zipFile([
      { name: 'deep.md', content: '# Deep' },
      { name: 'other.md', content: '# Other' },
    ]);
    await put('x.zip', zipFile([{ name: 'inner.zip', content: inner }]));
    await sync();
    const deep = await record.documents.findByUri('docs', 'x.zip/inner.zip/deep.md');
    expect(await pipeline.deleteDocument(deep?.id ?? '')).toBe(true);
    expect(await uris()).toEqual(['x.zip/inner.zip/other.md']);
    await sync();
    expect(await uris()).toEqual(['x.zip/inner.zip/deep.md', 'x.zip/inner.zip/other.md']);
  });

  it('are given up where they are a document outside and an archive inside: a file changes its route once', async () => {
    const plain = zipFile([{ name: 'one.md', content: '# One' }]);
    const sealed = agileOf(plain, 'VelvetSweatshop', { hash: 'sha512', keyBits: 256, spins: 10 });
    await put('a.xlsx', sealed);
    await put(
      'b.zip',
      zipFile([
        { name: 'inner.docx', content: Buffer.from(sealed) },
        { name: 'two.md', content: '# Two' },
      ]),
    );
    expect((await sync()).files).toMatchObject({
      'a.xlsx': 'failed',
      'b.zip/inner.docx': 'failed',
      'b.zip/two.md': 'done',
    });
    expect((await sync()).files).toMatchObject({ 'a.xlsx': 'parked', 'b.zip/inner.docx': 'parked' });
    const add = pipeline.addDocument({ bytes: sealed, name: 'c.xlsx' });
    await expect(add).rejects.toMatchObject({ code: 'invalid-media' });
    const locked = agileOf(plain, 'secret', { hash: 'sha512', keyBits: 256, spins: 10 });
    const opened = pipeline.addDocument({ bytes: locked, name: 'd.docx', password: 'secret' });
    await expect(opened).rejects.toThrow('encrypted as an office document');
  });

  it('give each line of JSONL inside a uri of its own below the archive', async () => {
    await put(
      'x.zip',
      zipFile([
        { name: 'l.jsonl', content: '{"id":"a","uri":"https://x.org/a","text":"Text."}\n{"id":"b","text":"B."}' },
      ]),
    );
    await sync();
    expect(await uris()).toEqual(['x.zip/l.jsonl#a', 'x.zip/l.jsonl#b']);
    await sync();
    expect(await uris()).toHaveLength(2);
  });
});

const allUnchanged = Object.fromEntries(
  [
    '',
    '/attachments/more.zip',
    '/attachments/more.zip/in.md',
    '/attachments/report (2).md',
    '/attachments/report.md',
  ].map((path) => [`mail.md${path}`, 'unchanged']),
);

describe('attachments', () => {
  beforeEach(async () => {
    attached['mail.md'] = [
      { name: 'report.md', bytes: bytes('# Report') },
      { name: '../../report.md', bytes: bytes('# Other report') },
      { name: 'more.zip', bytes: zipFile([{ name: 'in.md', content: '# In' }]) },
    ];
    await put('mail.md', '# Mail');
  });

  it('become documents of their own that name their mail', async () => {
    const { files, run } = await sync();
    expect(run.counts).toMatchObject({ found: 5, done: 5 });
    expect(Object.keys(files).toSorted()).toEqual([
      'mail.md',
      'mail.md/attachments/more.zip',
      'mail.md/attachments/more.zip/in.md',
      'mail.md/attachments/report (2).md',
      'mail.md/attachments/report.md',
    ]);
    expect(await record.documents.findByUri('docs', 'mail.md/attachments/report.md')).toMatchObject({
      metadata: { container: 'mail.md', attachedTo: 'mail.md' },
    });
    expect((await sync()).files).toEqual(allUnchanged);
    expect(asked).toEqual([]);
  });

  it('go when they are no longer attached, and with their mail', async () => {
    await sync();
    attached['mail.md'] = [{ name: 'report.md', bytes: bytes('# Report') }];
    await put('mail.md', '# Mail, second');
    await sync();
    expect(await uris()).toEqual(['mail.md', 'mail.md/attachments/report.md']);
    attached['mail.md'] = [];
    await put('mail.md', '# Mail, third');
    await sync();
    expect(await uris()).toEqual(['mail.md']);
    expect((await sync()).files).toEqual({ 'mail.md': 'unchanged' });
    expect(asked).toEqual([]);
  });

  it('are read again as long as one of them failed, three times', async () => {
    poison.add('report.md');
    const states: unknown[] = [];
    for (let run = 1; run <= 6; run++) {
      const { files } = await sync();
      states.push([
        files['mail.md'],
        files['mail.md/attachments/report.md'],
        asked.filter((one) => one === 'report.md').length,
      ]);
    }
    expect(states).toEqual([
      ['done', 'failed', 1],
      ['unchanged', 'failed', 1],
      ['unchanged', 'failed', 1],
      ['unchanged', 'parked', 0],
      ['unchanged', 'parked', 0],
      ['unchanged', 'parked', 0],
    ]);
    expect(asked).toEqual([]);
    poison.clear();
    expect((await sync(true)).files).toMatchObject({ 'mail.md/attachments/report.md': 'done' });
    expect((await sync(true)).files).toEqual(allUnchanged);
  });
});

describe('files that kill their parser', () => {
  it('are parked after three tries by their content, listed, and tried again when they change or are asked for', async () => {
    poison.add('bad.md').add('copy.md');
    await put('bad.md', '# Bad');
    const states: unknown[] = [];
    for (let run = 1; run <= 4; run++) states.push([(await sync()).files['bad.md'], asked.length]);
    expect(states).toEqual([
      ['failed', 1],
      ['failed', 1],
      ['failed', 1],
      ['parked', 0],
    ]);
    const parked = async (): Promise<readonly unknown[]> =>
      (await record.readings.failures({ minTries: 3 })).data.map(({ uri, tries }) => [uri, tries]);
    expect(await parked()).toEqual([['bad.md', 3]]);
    // The same bytes elsewhere are the same poison; under another kind of name they are another file.
    await put('copy.md', '# Bad');
    await put('copy.txt', '# Bad');
    expect((await sync()).files).toMatchObject({ 'copy.md': 'parked', 'copy.txt': 'done' });
    expect(asked).toEqual(['copy.txt']);
    expect(await parked()).toEqual([
      ['bad.md', 3],
      ['copy.md', 3],
    ]);
    await put('bad.md', '# Bad, changed');
    expect((await sync()).files).toMatchObject({ 'bad.md': 'failed' });
    poison.clear();
    expect((await sync(true)).files).toMatchObject({ 'bad.md': 'done', 'copy.md': 'done' });
    expect(await parked()).toEqual([]);
  });

  it('are forgotten when they are gone', async () => {
    poison.add('bad.md');
    await put('bad.md', '# Bad');
    await sync();
    await rm(join(docs, 'bad.md'));
    await sync();
    expect((await record.readings.failures({})).data).toEqual([]);
  });

  it('are refused at once when they are sent again, unless with a password or when asked for', async () => {
    poison.add('bad.md');
    const add = (more: object = {}) => pipeline.addDocument({ bytes: bytes('# Bad'), name: 'bad.md', ...more });
    for (let run = 1; run <= 3; run++) await expect(add()).rejects.toMatchObject({ code: 'invalid-media' });
    expect(asked).toHaveLength(3);
    await expect(add()).rejects.toMatchObject({
      message: expect.stringContaining('Parked'),
      details: { parked: true },
    });
    expect(asked).toHaveLength(3);
    await expect(add({ password: 'p' })).rejects.toMatchObject({ code: 'invalid-media' });
    await expect(add({ retry: true })).rejects.toMatchObject({ code: 'invalid-media' });
    expect(asked).toHaveLength(5);
    poison.clear();
    expect(await add({ retry: true })).toMatchObject([{ status: 'created' }]);
    expect(await add()).toMatchObject([{ status: 'unchanged' }]);
  });
});

describe('archives that are handed over', () => {
  const add = (members: Parameters<typeof zipFile>[0]) =>
    pipeline.addDocument({ bytes: zipFile(members), name: 'x.zip', access: ['team'], category: 'c' });

  it('go to the source that is named, and open with the password that comes with them', async () => {
    const more = { name: 'locked.zip', source: 'papers' };
    await expect(pipeline.addDocument({ bytes: lockedZip('classic'), ...more })).rejects.toMatchObject({
      details: { reason: 'password-needed' },
    });
    await expect(pipeline.addDocument({ bytes: lockedZip('aes'), ...more, password: 'x' })).rejects.toMatchObject({
      details: { reason: 'wrong-password' },
    });
    const added = await pipeline.addDocument({ bytes: lockedZip('classic'), ...more, password: 'sesame' });
    expect(added.map(({ uri }) => uri).sort()).toEqual(['locked.zip/minutes.md', 'locked.zip/vault.txt']);
    expect(await record.documents.get(added[0]?.id ?? '')).toMatchObject({ source: 'papers' });
    const passwords = givenPasswords(['other', 'sesame']);
    const whole = await pipeline.addDocument({ bytes: lockedZip('mixed'), name: 'w.zip', passwords });
    expect(whole).toHaveLength(3);
    expect(whole[0]?.warnings).toEqual([]);
    const half = await pipeline.addDocument({ bytes: lockedZip('mixed'), name: 'm.zip', password: 'sesame' });
    expect(half[0]?.warnings).toEqual([expect.stringMatching(/^m\.zip\/minutes\.md: .*password given does not open/)]);
  });

  it('bring their files with the facts of the archive, and take away what a new version lacks', async () => {
    const [one, two] = [
      { name: 'one.md', content: '# One' },
      { name: 'two.md', content: '# Two' },
    ];
    const results = await add([one, two, { name: '../no.md', content: 'x' }]);
    expect(results).toMatchObject([
      { uri: 'x.zip/one.md', status: 'created', warnings: [expect.stringContaining('leads out')] },
      { uri: 'x.zip/two.md', status: 'created' },
    ]);
    expect(await record.documents.get(results[0]?.id ?? '')).toMatchObject({ access: ['team'], category: 'c' });
    expect(await add([two])).toMatchObject([{ uri: 'x.zip/two.md', status: 'unchanged' }]);
    expect(await uris('uploads')).toEqual(['x.zip/two.md']);
    await expect(add([{ name: '../no.md', content: 'x' }])).rejects.toMatchObject({ code: 'invalid-media' });
  });

  it('leave what the last of them held, where several of one name are sent at once', async () => {
    const file = (name: string) => ({ name: `${name}.md`, content: `# The ${name}` });
    await add([file('one')]);
    const versions = [
      [file('one'), file('two')],
      [file('three'), file('four')],
      [file('five'), file('one')],
    ];
    await Promise.all(versions.map((files) => add(files)));
    expect(await uris('uploads')).toEqual(['x.zip/five.md', 'x.zip/one.md']);
  });

  it('are opened two at a time where they lie in no other', async () => {
    const adding = Array.from({ length: 6 }, (_, at) => {
      const bytes = zipFile([{ name: 'a.md', content: `Text ${at}.` }]);
      return pipeline.addDocument({ bytes, name: `${at}.zip` });
    });
    expect((await Promise.all(adding)).flat()).toHaveLength(6);
    expect(opening.most).toBe(2);
  });

  it('are opened one at a time where they lie in one archive, each in the process that this takes', async () => {
    const inner = (at: number) => ({ name: `${at}.zip`, content: zipFile([{ name: 'a.md', content: `Text ${at}.` }]) });
    const outer = zipFile(Array.from({ length: 12 }, (_, at) => inner(at)));
    const results = await pipeline.addDocument({ bytes: outer, name: 'many.zip', uri: 'many.zip' });
    expect(results.map(({ uri }) => uri)).toEqual(Array.from({ length: 12 }, (_, at) => `many.zip/${at}.zip/a.md`));
    expect(opening.most).toBeLessThanOrEqual(2);
  });

  it('are deleted file by file, and a mail with what is attached to it', async () => {
    attached['mail.md'] = [{ name: 'a.md', bytes: bytes('# A') }];
    const [mail] = await pipeline.addDocument({ bytes: bytes('# Mail'), name: 'mail.md', source: 's' });
    await pipeline.addDocument({ text: 'Page below, of its own.', uri: 'mail.md/page', source: 's' });
    const again = await pipeline.addDocument({ bytes: bytes('# Mail'), name: 'mail.md', source: 's' });
    expect(again.map(({ uri, status }) => [uri, status])).toEqual([
      ['mail.md', 'unchanged'],
      ['mail.md/attachments/a.md', 'unchanged'],
    ]);
    expect(await uris('s')).toHaveLength(3);
    expect(await pipeline.deleteDocument(mail?.id ?? '')).toBe(true);
    expect(await uris('s')).toEqual(['mail.md/page']);
    const anew = await pipeline.addDocument({ bytes: bytes('# Mail'), name: 'mail.md', source: 's' });
    expect(anew).toMatchObject([{ status: 'created' }, { uri: 'mail.md/attachments/a.md', status: 'created' }]);
  });
});

describe('a document that says of itself that it came out of a container', () => {
  /** Every way in which a document is handed over with metadata. */
  const ways: [string, (uri: string, claimed: string) => Parameters<Pipeline['addDocument']>[0]][] = [
    ['in the metadata of a request', (uri, container) => ({ text: 'By hand.', uri, metadata: { container } })],
    [
      'in the head of its file',
      (uri, container) => ({
        bytes: bytes(`---\ncontainer: ${container}\n---\n\nBy hand.\n`),
        name: 'note.md',
        uri,
      }),
    ],
    [
      'in the metadata of a collection',
      (uri, container) => ({
        bytes: bytes(`{"id":"1","uri":"${uri}","text":"By hand."}\n{"id":"2","text":"More."}\n`),
        name: 'lines.jsonl',
        metadata: { container },
      }),
    ],
    [
      'in a line',
      (uri, container) => ({
        bytes: bytes(
          `{"id":"1","uri":"${uri}","text":"By hand.","container":"${container}","metadata":{"container":"${container}"}}\n{"id":"2","text":"More."}\n`,
        ),
        name: 'lines.jsonl',
      }),
    ],
  ];
  const zip = (...names: string[]) => zipFile(names.map((name) => ({ name, content: `# ${name}` })));
  const addZip = (content: Uint8Array) => pipeline.addDocument({ bytes: content, name: 'x.zip' });

  it.each(ways)('%s is told, and stays when the container changes or goes', async (_, document) => {
    await addZip(zip('a.md', 'b.md'));
    const added = await pipeline.addDocument(document('x.zip/by-hand', 'x.zip'));
    expect(added.flatMap(({ warnings }) => warnings)).toContainEqual(expect.stringContaining('"container"'));
    const mine = await record.documents.findByUri('uploads', 'x.zip/by-hand');
    expect(mine?.metadata).not.toHaveProperty('container');
    await addZip(zip('a.md'));
    const all = await uris('uploads');
    expect(all).toContain('x.zip/by-hand');
    expect(all).toContain('x.zip/a.md');
    expect(all).not.toContain('x.zip/b.md');
    // Sent again it is the same, and nothing is read.
    asked = [];
    const again = await pipeline.addDocument(document('x.zip/by-hand', 'x.zip'));
    expect(again.map(({ status }) => status)).toEqual(again.map(() => 'unchanged'));
  });

  it('takes nothing with it when it goes', async () => {
    await addZip(zip('2019/a.md', '2019/b.md'));
    attached['mail.md'] = [{ name: 'report.md', bytes: bytes('# Report') }];
    const [mail] = await pipeline.addDocument({
      bytes: bytes('# Mail'),
      name: 'mail.md',
      uri: 'x.zip/2019',
      metadata: { container: 'x.zip' },
    });
    expect(await pipeline.deleteDocument(mail?.id ?? '')).toBe(true);
    expect(await uris('uploads')).toEqual(['x.zip/2019/a.md', 'x.zip/2019/b.md']);
    expect(await record.readings.container('uploads', 'x.zip')).toMatchObject({ isComplete: true });
  });

  it('keeps the name of a container from lines inside one', async () => {
    const line = (id: string) => `{"id":"${id}","text":"Line ${id}.","metadata":{"container":"other"}}\n`;
    await addZip(zipFile([{ name: 'lines.jsonl', content: line('1') + line('2') }]));
    const first = await record.documents.findByUri('uploads', 'x.zip/lines.jsonl#1');
    expect(first?.metadata).toEqual({ container: 'x.zip', archive: 'x.zip' });
    await addZip(zip('a.md'));
    expect(await uris('uploads')).toEqual(['x.zip/a.md']);
  });

  it('is read anew where an earlier build believed it', async () => {
    const [added] = await pipeline.addDocument({ text: 'By hand.', uri: 'x.zip/by-hand' });
    const document = await record.documents.get(added?.id ?? '');
    const chunks = await record.documents.chunks(added?.id ?? '');
    if (document === undefined) throw new Error('It is there.');
    await record.commit([
      {
        kind: 'put-document',
        write: {
          document: { ...document, revision: 2, metadata: { container: 'x.zip' } },
          text: 'By hand.',
          chunks,
          structure: { pages: [], headings: [], words: [] },
        } as never,
      },
    ]);
    expect(
      (await pipeline.addDocument({ text: 'By hand.', uri: 'x.zip/by-hand' })).map(({ status }) => status),
    ).toEqual(['updated']);
    expect((await record.documents.get(added?.id ?? ''))?.metadata).toEqual({});
  });
});
