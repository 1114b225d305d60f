// Reading again what has not changed, after an upgrade that mended a parser: what comes out otherwise is written, all else stays as it is.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { zipFile } from '../../../packages/readers/testkit/zip-file.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { cutFile } from '../../../src/ingest/read/cut.ts';
import type { CuttingPool } from '../../../src/ingest/read/parse.ts';
import { type FolderRun, openFolderRun, realParsers } from '../../../testkit/folder-run.ts';

let place: FolderRun;
/** Names of files that the newer parser reads otherwise: as text, or only with other headings. */
let mended: Map<string, 'text' | 'headings'>;
/** Names of files that the parser of now cannot read. */
let broken: Set<string>;
/** Names of files that were parsed. */
let asked: string[];

const parsers: CuttingPool = {
  ...realParsers,
  async cut(input, plan) {
    asked.push(input.name);
    if (broken.has(input.name)) throw new FootnoteError('invalid-media', `${input.name} made its parser stop.`);
    const what = mended.get(input.name);
    const text = Buffer.from(input.bytes).toString();
    const cut = await cutFile(
      what === 'text' ? { ...input, bytes: Buffer.from(text.replace('teh', 'the')) } : input,
      plan,
    );
    return what === 'headings' ? { ...cut, headings: cut.headings.map((one) => ({ ...one, title: 'Mended' })) } : cut;
  },
  async readLines(job) {
    asked.push('lines');
    const reply = await realParsers.readLines(job);
    if (!mended.has('lines')) return reply;
    return reply.map((line) =>
      'cut' in line && line.cut && line.lineNumber === 1 ? { ...line, cut: { ...line.cut, language: 'cy' } } : line,
    );
  },
};

beforeEach(async () => {
  [mended, broken, asked] = [new Map(), new Set(), []];
  place = await openFolderRun(parsers);
});
afterEach(() => place.close());

const zipOf = (files: Record<string, string>): Buffer =>
  zipFile(Object.entries(files).map(([name, content]) => ({ name, content })));

const revisions = async (): Promise<Record<string, number>> => {
  const { data } = await place.record.documents.list({ limit: 1000 });
  return Object.fromEntries(data.map(({ uri, revision }) => [uri, revision]));
};
const states = (files: ReadonlyMap<string, { readonly state: string }>): Record<string, string> =>
  Object.fromEntries([...files].map(([uri, { state }]) => [uri, state]));

const mail = (text: string): string =>
  `From: a@example.org\nTo: b@example.org\nSubject: Plan\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\n${text}\n--x\nContent-Type: text/plain; name=inner.txt\nContent-Disposition: attachment; filename=inner.txt\n\nteh attachment\n--x--\n`;

async function fill(): Promise<void> {
  await place.write('a.md', '# One\n\nteh cat sat.\n');
  await place.write('page.html', '<title>P</title><h1>Old</h1><p>Some words of a page.</p>');
  await place.write('rows.csv', 'name,price\nanvil,40\nbellows,12.50\n');
  await place.write('mail.eml', mail('See the file.'));
  await place.write('box.zip', zipOf({ 'in/one.md': '# In\n\nteh dog ran.\n', 'two.txt': 'Second text.' }));
  await place.write('data.jsonl', '{"id":"x","text":"teh first line"}\n{"id":"y","text":"the second line"}\n');
}

it('leaves everything as it is where the same comes out', async () => {
  await fill();
  const first = await place.sync();
  const before = await revisions();
  expect(Object.keys(before).length).toBe(9);
  asked = [];
  const { run, files } = await place.sync({ reread: true });
  expect(new Set(asked)).toEqual(
    new Set(['a.md', 'page.html', 'rows.csv', 'mail.eml', 'inner.txt', 'one.md', 'two.txt', 'lines']),
  );
  expect(run.counts).toMatchObject({ found: first.run.counts.found, done: 0, unchanged: first.run.counts.done });
  expect(run.counts.chunks).toBe(0);
  expect(new Set([...files.values()].map(({ state }) => state))).toEqual(new Set(['unchanged']));
  expect(await revisions()).toEqual(before);
});

it('writes what comes out otherwise, in text or in structure, also inside of archives, mails and lines', async () => {
  await fill();
  await place.sync();
  for (const name of ['a.md', 'one.md', 'inner.txt', 'lines']) mended.set(name, 'text');
  mended.set('page.html', 'headings');
  expect((await place.sync()).run.counts).toMatchObject({ done: 0, failed: 0 });
  const { files } = await place.sync({ reread: true });
  expect(states(files)).toEqual({
    'a.md': 'done',
    'page.html': 'done',
    'rows.csv': 'unchanged',
    'mail.eml': 'unchanged',
    'mail.eml/attachments/inner.txt': 'done',
    'box.zip': 'done',
    'box.zip/in/one.md': 'done',
    'box.zip/two.txt': 'unchanged',
    'data.jsonl': 'done',
  });
  const now = await revisions();
  expect(now).toMatchObject({
    'a.md': 2,
    'page.html': 2,
    'rows.csv': 1,
    'mail.eml': 1,
    'mail.eml/attachments/inner.txt': 2,
  });
  expect(now).toMatchObject({ 'box.zip/in/one.md': 2, 'box.zip/two.txt': 1 });
  expect(Object.entries(now).flatMap(([uri, revision]) => (uri.startsWith('data.jsonl') ? [revision] : []))).toEqual([
    2, 1,
  ]);
  const { data } = await place.record.documents.list({ limit: 100 });
  const inner = data.find(({ uri }) => uri === 'box.zip/in/one.md');
  expect(await place.record.documents.text(inner?.id ?? '')).toContain('the dog ran');
  // Once more, and nothing is left to do.
  expect((await place.sync({ reread: true })).run.counts).toMatchObject({ done: 0 });
});

it('keeps what a parser cannot read any more, and tries what was given up', async () => {
  await place.write('a.md', '# One\n\nteh cat sat.\n');
  await place.write('bad.md', 'never read');
  broken.add('bad.md');
  for (let round = 0; round < 4; round += 1) await place.sync();
  broken = new Set(['a.md']);
  const { files } = await place.sync({ reread: true });
  expect(states(files)).toEqual({ 'a.md': 'failed', 'bad.md': 'done' });
  expect(await revisions()).toEqual({ 'a.md': 1, 'bad.md': 1 });
});

it('does the same for a file that is handed over', async () => {
  const add = (reread: boolean) =>
    place.pipeline.addDocument({
      bytes: Buffer.from('teh cat'),
      name: 'c.txt',
      source: 'uploads',
      ...(reread && { reread }),
    });
  expect(await add(false)).toMatchObject([{ status: 'created' }]);
  expect(await add(true)).toMatchObject([{ status: 'unchanged' }]);
  mended.set('c.txt', 'text');
  expect(await add(false)).toMatchObject([{ status: 'unchanged' }]);
  expect(await add(true)).toMatchObject([{ status: 'updated' }]);
  const archive = (reread: boolean) =>
    place.pipeline.addDocument({
      bytes: zipOf({ 'd.txt': 'teh dog', 'e.jsonl': '{"text":"teh line"}\n{"text":"other"}\n' }),
      name: 'z.zip',
      source: 'uploads',
      ...(reread && { reread }),
    });
  await archive(false);
  expect((await archive(true)).map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  mended.set('d.txt', 'text').set('lines', 'text');
  expect((await archive(false)).map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  expect((await archive(true)).map(({ status }) => status)).toEqual(['updated', 'updated', 'unchanged']);
});
