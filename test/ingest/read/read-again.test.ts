// After an upgrade whose readers are better: just those unchanged documents are read again that an earlier edition of their reader read, in
// every place where documents come from, and nothing that is recorded is lost by it.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { zipFile } from '../../../packages/readers/testkit/zip-file.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { createPreviews } from '../../../src/ingest/preview.ts';
import { cutFile } from '../../../src/ingest/read/cut.ts';
import type { CutDocument, CuttingPool } from '../../../src/ingest/read/parse.ts';
import { currentEdition } from '../../../src/ingest/read/reading-editions.ts';
import { type FolderRun, openFolderRun, realParsers } from '../../../testkit/folder-run.ts';

let place: FolderRun;
/** Editions of readers above the first, as an upgrade raises them. */
let raised: Map<string, number>;
/** Whether the better reader of Markdown mends a word. */
let mends: boolean;
/** Names of files that the better reader refuses. */
let refused: Set<string>;
/** Names of files that were read. */
let asked: string[];

/** Of the reader of Markdown. */
const edition = currentEdition('text/markdown');
const editionOf = (kind: string): number => raised.get(kind) ?? currentEdition(kind);
const read = <Cut extends Pick<CutDocument, 'reading'>>(cut: Cut): Cut => {
  const [kind = ''] = cut.reading.split(' ');
  return { ...cut, reading: `${kind} ${editionOf(kind)}` };
};

const parsers: CuttingPool = {
  ...realParsers,
  async cut(input, plan) {
    asked.push(input.name);
    if (refused.has(input.name)) throw new FootnoteError('invalid-media', `${input.name} is not understood.`);
    const isMended = mends && input.name.endsWith('.md');
    const bytes = isMended ? Buffer.from(Buffer.from(input.bytes).toString().replace('teh', 'the')) : input.bytes;
    return read(await cutFile({ ...input, bytes }, plan));
  },
  async readLines(job) {
    const reply = await realParsers.readLines(job);
    if (job.chunking) asked.push(`lines ${job.only?.join() ?? 'all'}`);
    return reply.map((line) => ('cut' in line && line.cut ? { ...line, cut: read(line.cut) } : line));
  },
};

beforeEach(async () => {
  [raised, mends, refused, asked] = [new Map(), false, new Set(), []];
  place = await openFolderRun(parsers, { editionOf });
});
afterEach(() => place.close());

const mail = `From: a@example.org\nTo: b@example.org\nSubject: Plan\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nSee the file.\n--x\nContent-Type: text/markdown; name=inner.md\nContent-Disposition: attachment; filename=inner.md\n\nteh attachment\n--x--\n`;

async function fill(): Promise<void> {
  await place.write('a.md', '# One\n\nteh cat sat.\n');
  await place.write('b.md', '# Two\n\nthe dog ran.\n');
  await place.write('c.txt', 'A plain text of some words.');
  await place.write('mail.eml', mail);
  await place.write(
    'box.zip',
    zipFile([
      { name: 'in/one.md', content: '# In\n\nteh dog ran.\n' },
      { name: 'two.txt', content: 'Second text.' },
    ]),
  );
  await place.write('data.jsonl', '{"id":"x","text":"the first line"}\n{"id":"y","text":"the second line"}\n');
}

const facts = async (): Promise<Record<string, { revision: number; reading: string | undefined; id: string }>> => {
  const { data } = await place.record.documents.list({ limit: 100 });
  return Object.fromEntries(data.map(({ uri, revision, reading, id }) => [uri, { revision, reading, id }]));
};
const chunkIds = async (id: string): Promise<readonly string[]> =>
  (await place.record.documents.chunks(id)).map((chunk) => chunk.id);

it('reads again what an earlier edition read, and only that, in folders, archives and mails', async () => {
  await fill();
  const first = await place.sync();
  expect(first.run.counts).not.toHaveProperty('readBefore');
  const before = await facts();
  expect(before['a.md']).toMatchObject({ revision: 1, reading: `text/markdown ${edition}` });
  expect((await place.sync()).run.counts).toMatchObject({ done: 0 });
  const chunksBefore = await chunkIds(before['b.md']?.id ?? '');

  raised.set('text/markdown', edition + 1);
  [mends, asked] = [true, []];
  const preview = await createPreviews({ ...place.ports, openEmbedPlan: async () => undefined }).folder({
    name: 'docs',
    type: 'docs',
    connector: { kind: 'folder', path: place.docs },
  });
  expect(preview.counts).toMatchObject({ readAgain: 4, done: 4 });
  expect(await facts()).toEqual(before);

  asked = [];
  const { run, files } = await place.sync();
  expect(asked.toSorted()).toEqual(['a.md', 'b.md', 'inner.md', 'mail.eml', 'one.md']);
  expect(run.counts).toMatchObject({ readAgain: 4, failed: 0, found: first.run.counts.found });
  expect(files.get('a.md')).toMatchObject({ state: 'done', change: 'changed' });
  expect(files.get('b.md')).toMatchObject({ state: 'unchanged' });
  const after = await facts();
  for (const uri of ['a.md', 'mail.eml/attachments/inner.md', 'box.zip/in/one.md'])
    expect(after[uri]).toEqual({ ...before[uri], revision: 2, reading: `text/markdown ${edition + 1}` });
  expect(after['b.md']).toEqual({ ...before['b.md'], reading: `text/markdown ${edition + 1}` });
  expect(await chunkIds(after['b.md']?.id ?? '')).toEqual(chunksBefore);
  for (const uri of ['c.txt', 'mail.eml', 'box.zip/two.txt']) expect(after[uri]).toEqual(before[uri]);

  // Nothing is left to do.
  asked = [];
  const again = await place.sync();
  expect(asked).toEqual([]);
  expect(again.run.counts).toMatchObject({ done: 0 });
  expect(again.run.counts).not.toHaveProperty('readAgain');
});

it('reads the lines of a file again whose reader was improved', async () => {
  await fill();
  await place.sync();
  raised.set('application/jsonl', 4);
  asked = [];
  const { run } = await place.sync();
  expect(asked).toEqual(['lines 1,2']);
  expect(run.counts).toMatchObject({ readAgain: 1, done: 0 });
  asked = [];
  await place.sync();
  expect(asked).toEqual([]);
});

it('leaves them as they are where one asks for it, and says how many', async () => {
  await fill();
  await place.sync();
  raised.set('text/markdown', edition + 1);
  [mends, asked] = [true, []];
  const { run } = await place.sync({ reread: false });
  expect(asked).toEqual([]);
  expect(run.counts).toMatchObject({ done: 0, readBefore: 4 });
  expect(run.counts).not.toHaveProperty('readAgain');
  // The archive was not taken for settled meanwhile.
  expect((await place.sync()).run.counts).toMatchObject({ readAgain: 4 });
});

it('keeps what was read before where the better reader refuses it, and says so', async () => {
  await fill();
  await place.sync();
  const before = await facts();
  raised.set('text/markdown', edition + 1);
  refused.add('a.md').add('one.md');
  for (let round = 1; round <= 5; round += 1) {
    const { run, files } = await place.sync();
    expect(run.counts).toMatchObject({ failed: 0, readBefore: 2 });
    for (const uri of ['a.md', 'box.zip/in/one.md']) {
      expect(files.get(uri)).toMatchObject({ state: 'unchanged', documentId: before[uri]?.id });
      expect(files.get(uri)?.warnings?.[0]).toContain('what was read before stays: ');
    }
  }
  // Given up after three tries: read no more.
  expect(asked.filter((name) => name === 'a.md').length).toBe(1 + 3);
  expect((await facts())['a.md']).toEqual(before['a.md']);
});

it('does not know who read what was recorded before editions were kept, and reads it again where one asks for all', async () => {
  await fill();
  await place.sync();
  // As they were recorded then.
  for (const { id } of Object.values(await facts())) {
    const [document, text, structure, chunks] = await Promise.all([
      place.record.documents.get(id),
      place.record.documents.text(id),
      place.record.documents.structure(id),
      place.record.documents.chunks(id),
    ]);
    if (!document || text === undefined || !structure) throw new Error('It was there.');
    const { reading: _, ...old } = document;
    await place.record.commit([{ kind: 'put-document', write: { document: old, text, structure, chunks } }]);
  }
  raised.set('text/markdown', edition + 1);
  asked = [];
  const { run } = await place.sync();
  // Their texts are looked at to link those that say the same; their files are not.
  expect(new Set(asked)).toEqual(new Set(['text.txt']));
  const all = Object.keys(await facts()).length;
  expect(run.counts).toMatchObject({ readBefore: all });
  const full = await place.sync({ reread: true });
  expect(full.run.counts).toMatchObject({ done: 0, failed: 0 });
  expect(full.run.counts).not.toHaveProperty('readBefore');
  expect((await facts())['a.md']?.reading).toBe(`text/markdown ${edition + 1}`);
});

it('does the same for a file that is handed over, and for what is in it', async () => {
  const add = (reread?: boolean) =>
    place.pipeline.addDocument({
      bytes: Buffer.from(mail),
      name: 'mail.eml',
      source: 'uploads',
      ...(reread !== undefined && { reread }),
    });
  await add();
  raised.set('text/markdown', edition + 1);
  [mends, asked] = [true, []];
  expect((await add(false)).map(({ status }) => status)).toEqual(['unchanged', 'unchanged']);
  expect(asked).toEqual([]);
  expect((await add()).map(({ status }) => status)).toEqual(['unchanged', 'updated']);
  asked = [];
  expect((await add()).map(({ status }) => status)).toEqual(['unchanged', 'unchanged']);
  expect(asked).toEqual([]);
  expect((await facts())['mail.eml/attachments/inner.md']?.reading).toBe(`text/markdown ${edition + 1}`);
});

it('keeps what was read before of a file that is handed over, where the better reader refuses it, and says so', async () => {
  const add = async () => {
    const whole = { bytes: Buffer.from(mail), name: 'mail.eml', source: 'uploads' };
    const alone = { bytes: Buffer.from('# A\n\nteh cat.\n'), name: 'a.md', source: 'uploads' };
    return [...(await place.pipeline.addDocument(whole)), ...(await place.pipeline.addDocument(alone))];
  };
  await add();
  const before = await facts();
  raised.set('text/markdown', edition + 1);
  refused.add('a.md').add('inner.md');
  for (let round = 1; round <= 5; round += 1) {
    const [own, ...refusedOnes] = await add();
    expect(own).toMatchObject({ uri: 'mail.eml', status: 'unchanged', warnings: [] });
    expect(refusedOnes.map(({ uri, status }) => [uri, status])).toEqual([
      ['mail.eml/attachments/inner.md', 'unchanged'],
      ['a.md', 'unchanged'],
    ]);
    for (const { warnings } of refusedOnes) expect(warnings.at(-1)).toContain('what was read before stays: ');
  }
  // Given up after three tries: read no more.
  expect(asked.filter((name) => name === 'a.md').length).toBe(1 + 3);
  expect(await facts()).toEqual(before);
});

it('notes an edition only where the text is still the one that was read', async () => {
  await place.pipeline.addDocument({ text: 'Some words.', name: 'a.txt', source: 'uploads' });
  const [{ id, textHash } = { id: '', textHash: '' }] = (await place.record.documents.list({ limit: 1 })).data;
  const note = (hash: string) =>
    place.record.commit([{ kind: 'put-reading', documentId: id, textHash: hash, reading: 'text/plain 9' }]);
  expect((await note('other')).applied).toEqual([false]);
  expect((await place.record.documents.get(id))?.reading).toBe('text/plain 2');
  expect((await note(textHash)).applied).toEqual([true]);
  // Its seal holds: what is read is checked against it.
  expect((await place.record.documents.get(id))?.reading).toBe('text/plain 9');
});
