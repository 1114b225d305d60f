// After an upgrade: files that did not change, but were read wrongly then, are read again from the command line, without and with a server.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256 } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  await mkdir(join(place.folder, 'notes'));
  await writeFile(join(place.folder, 'notes/heron.txt'), 'The grey heron weighs 2 kilograms.\n');
  await writeFile(join(place.folder, 'notes/owl.txt'), 'The barn owl hunts at night.\n');
  await writeFile(join(place.folder, 'stork.txt'), 'The white stork nests on roofs.\n');
}, 60_000);
afterAll(() => place.remove());

/** Leaves a document in the record as a worse parser would have read the same bytes: of the edition of now, or of an earlier one. */
async function misread(uri: string, reading?: string): Promise<void> {
  const database = openSqliteRecord({ folder: join(place.folder, '.footnote') });
  const record = database.forScope(localScope());
  const { data } = await record.documents.list({ limit: 100 });
  const document = data.find((one) => one.uri.endsWith(uri));
  if (document === undefined) throw new Error(`There is no ${uri}.`);
  const text = 'Gibberish.';
  const chunks = (await record.documents.chunks(document.id)).map((chunk) => ({
    ...chunk,
    start: 0,
    end: text.length,
    text,
    hash: sha256(text),
  }));
  const structure = await record.documents.structure(document.id);
  await record.commit([
    {
      kind: 'put-document',
      write: {
        document: {
          ...document,
          revision: document.revision + 1,
          textHash: sha256(text),
          textLength: text.length,
          ...(reading !== undefined && { reading }),
        },
        text,
        chunks,
        structure: structure ?? { pages: [], headings: [], words: [] },
      },
    },
  ]);
  await database.close();
}

const textOf = async (uri: string): Promise<string> => {
  const { data } = (await place.run(['documents', 'list', '--json'])).json();
  const { id } = data.find((one: { uri: string }) => one.uri.endsWith(uri));
  return (await place.run(['documents', 'show', id, '--text'])).out.trim();
};

it('reads them again on the folder itself', async () => {
  expect((await place.run(['ingest', 'notes', 'stork.txt'])).code).toBe(0);
  await misread('heron.txt');
  await misread('stork.txt');
  expect((await place.run(['sync'])).out).toMatch(/^notes: 0 files read \(0 chunks\), 2 unchanged\n/);
  expect(await textOf('heron.txt')).toBe('Gibberish.');
  expect((await place.run(['sync', '--reread'])).out).toMatch(/^notes: 1 file read \(1 chunk\), 1 unchanged\n/);
  expect(await textOf('heron.txt')).toBe('The grey heron weighs 2 kilograms.');
  expect((await place.run(['ingest', 'stork.txt'])).out).toContain('unchanged');
  expect((await place.run(['ingest', 'stork.txt', '--reread'])).out).toContain('updated');
  expect(await textOf('stork.txt')).toBe('The white stork nests on roofs.');
  const looked = await place.run(['sync', '--reread', '--dry-run']);
  expect(looked.code).not.toBe(0);
  expect(looked.err).toContain('--reread');
}, 120_000);

it('reads again by itself what an earlier edition of its reader read, says so, and foretells it', async () => {
  const told = '1 unchanged file was read again: this version reads it better';
  await misread('heron.txt', 'text/plain 0');
  await misread('stork.txt', 'text/plain 0');
  expect((await place.run(['sync', '--dry-run'])).out).toContain('1 unchanged file would be read again');
  const kept = await place.run(['sync', '--no-reread']);
  expect(kept.out).toContain('1 document stays as an earlier version read it: --reread reads all files again');
  expect((await place.run(['ingest', 'stork.txt', '--no-reread'])).out).toContain('unchanged');
  expect(await textOf('heron.txt')).toBe('Gibberish.');
  expect((await place.run(['sync'])).out).toContain(told);
  expect((await place.run(['ingest', 'stork.txt'])).out).toContain('updated');
  for (const uri of ['heron.txt', 'stork.txt']) expect(await textOf(uri)).not.toBe('Gibberish.');
  expect((await place.run(['sync'])).out).not.toContain('read again');

  await misread('heron.txt', 'text/plain 0');
  const { stop } = await place.serve();
  expect((await place.run(['sync', '--no-reread'])).out).toContain('stays as an earlier version read it');
  expect((await place.run(['sync'])).out).toContain(told);
  const { data } = (await place.run(['documents', 'list', '--json'])).json();
  expect(data[0]).toMatchObject({ reading: 'text/plain 2' });
  await stop();
}, 180_000);

it('reads them again through a server', async () => {
  await misread('heron.txt');
  await misread('stork.txt');
  const { stop } = await place.serve();
  expect((await place.run(['sync', 'notes'])).out).toContain('2 unchanged');
  expect((await place.run(['sync', 'notes', '--reread'])).out).toContain('1 file read (1 chunk), 1 unchanged');
  expect((await place.run(['ingest', 'stork.txt', '--reread'])).out).toContain('updated');
  expect(await textOf('heron.txt')).toBe('The grey heron weighs 2 kilograms.');
  await stop();
}, 120_000);
