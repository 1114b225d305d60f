// What the record keeps in memory of documents is never served once they are replaced, deleted or forbidden, whoever did it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DocumentWrite } from '../../src/db/repositories/changes.ts';
import type { TenantRecord } from '../../src/db/tenant-record.ts';
import { failing } from '../../testkit/record-changes.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../testkit/record-fixture.ts';

const place = recordForEachTest();
let admin: TenantRecord;
let reader: TenantRecord;
beforeEach(async () => {
  admin = place.tenant;
  reader = place.record.forScope(scopeOf('default', 'key:r', 'reader', ['staff']));
  await put(first);
});

const first = createWrite('The lighthouse is 40 metres tall.', { id: 'd', uri: 'd.md' });
const chunkIds = first.chunks.map(({ id }) => id);
const put = (write: DocumentWrite, handle = admin): Promise<unknown> =>
  handle.commit([{ kind: 'put-document', write }]);

const textsOf = async (handle: TenantRecord): Promise<string[]> =>
  (await handle.documents.chunksById(chunkIds)).map(({ chunk }) => chunk.text);

/** Reads until what is there is kept, and says so. */
async function warm(handle: TenantRecord): Promise<void> {
  const [once] = await handle.documents.chunksById(chunkIds);
  const [twice] = await handle.documents.chunksById(chunkIds);
  expect(twice).toBe(once);
  expect(once?.chunk.text).toBe(first.text);
  expect(await handle.documents.text('d')).toBe(first.text);
}

describe('rows that are kept', () => {
  it('are gone with their document', async () => {
    await warm(reader);
    await admin.commit([{ kind: 'delete-document', id: 'd' }]);
    for (const handle of [reader, admin]) {
      expect(await textsOf(handle)).toEqual([]);
      expect(await handle.documents.text('d')).toBeUndefined();
    }
  });

  it('are those of the new revision', async () => {
    await warm(reader);
    const text = 'The lighthouse is 41 metres tall.';
    const second = createWrite(text, { id: 'd', uri: 'd.md', revision: 2, title: 'New' });
    await put(second);
    expect(await textsOf(reader)).toEqual([]);
    expect(await reader.documents.text('d')).toBe(text);
    const [row] = await reader.documents.chunksById(second.chunks.map(({ id }) => id));
    expect(row).toMatchObject({ chunk: { text }, document: { title: 'New', revision: 2 } });
  });

  it('know of a new title though the text, and so the id of the chunk, is the same', async () => {
    await warm(reader);
    await put(createWrite(first.text, { id: 'd', uri: 'd.md', revision: 2, title: 'New' }));
    expect((await reader.documents.chunksById(chunkIds))[0]?.document).toMatchObject({ title: 'New', revision: 2 });
  });

  it('are not given to whom a change of access shuts out, and are to whom it lets in', async () => {
    await warm(reader);
    await put(createWrite(first.text, { id: 'd', uri: 'd.md', revision: 2, access: ['board'] }));
    expect(await textsOf(admin)).toEqual([first.text]);
    expect(await textsOf(reader)).toEqual([]);
    expect(await reader.documents.text('d')).toBeUndefined();
    await put(createWrite(first.text, { id: 'd', uri: 'd.md', revision: 3, access: ['staff'] }));
    expect(await textsOf(reader)).toEqual([first.text]);
    expect(await reader.documents.text('d')).toBe(first.text);
  });

  it('are given only to who may read them, whoever read them first', async () => {
    await put(createWrite(first.text, { id: 'd', uri: 'd.md', revision: 2, access: ['board'] }));
    await warm(admin);
    expect(await admin.documents.hashes(chunkIds)).toHaveLength(1);
    expect(await textsOf(reader)).toEqual([]);
    expect(await reader.documents.hashes(chunkIds)).toEqual([]);
    expect(await reader.documents.text('d')).toBeUndefined();
    const board = place.record.forScope(scopeOf('default', 'key:b', 'reader', ['board']));
    expect(await textsOf(board)).toEqual([first.text]);
    for (const _ of ['read', 'kept'])
      expect(await board.documents.hashes(chunkIds)).toEqual([
        { chunkId: chunkIds[0], documentId: 'd', hash: first.chunks[0]?.hash },
      ]);
    expect(await board.documents.text('d')).toBe(first.text);
    const elsewhere = place.record.forScope(scopeOf('other'));
    expect(await textsOf(elsewhere)).toEqual([]);
    expect(await elsewhere.documents.text('d')).toBeUndefined();
  });

  it('outlive a transaction that was rolled back, and what is no document', async () => {
    await warm(reader);
    const [before] = await reader.documents.chunksById(chunkIds);
    await expect(admin.commit([{ kind: 'delete-document', id: 'd' }, failing])).rejects.toThrow();
    await admin.sessions.create({ id: 's', createdAt: '2026-01-01T00:00:00.000Z' });
    expect((await reader.documents.chunksById(chunkIds))[0]).toBe(before);
  });

  it('are in the order asked, each as often as asked, some kept and some not', async () => {
    const writes = Array.from({ length: 6 }, (_, at) => createWrite(`Text ${at}.`, { id: `e${at}`, uri: `e${at}.md` }));
    for (const write of writes) await put(write);
    const ids = writes.map(({ chunks }) => chunks[0]?.id ?? '');
    const asked = [ids[4], 'chk_unknown', ids[1], ids[4], ids[0]].map((id) => id ?? '');
    await reader.documents.chunksById([ids[1] ?? '', ids[5] ?? '']);
    const found = (await reader.documents.chunksById(asked)).map(({ chunk }) => chunk.text);
    expect(found).toEqual(['Text 4.', 'Text 1.', 'Text 4.', 'Text 0.']);
  });

  it('are gone when another process deletes their document', async () => {
    await warm(reader);
    const script = `
      const { openSqliteRecord } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/db/sqlite/sqlite.ts'))});
      const { localScope } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/core/scope.ts'))});
      const record = openSqliteRecord({ folder: process.argv[1] });
      await record.forScope(localScope()).commit([{ kind: 'delete-document', id: 'd' }]);
      await record.close();`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, place.folder]);
    expect(stderr.toString()).toBe('');
    expect(status).toBe(0);
    expect(await textsOf(reader)).toEqual([]);
    expect(await reader.documents.text('d')).toBeUndefined();
  });
});

describe('places that are kept', () => {
  const pages = [{ number: 1, start: 0, end: first.text.length, width: 100, height: 100, label: 'i' }];
  const structured = (revision: number, access?: readonly string[]): DocumentWrite => ({
    ...createWrite(first.text, { id: 'd', uri: 'd.md', revision, ...(access && { access }) }),
    structure: { pages, headings: [], words: [], places: [{ label: `slide ${revision}`, start: 0, end: 3 }] },
  });
  const labelsOf = async (handle: TenantRecord): Promise<string[] | undefined> =>
    (await handle.documents.places('d'))?.places.map(({ label }) => label);

  it('are those of the revision that is there, for who may read it', async () => {
    expect(await reader.documents.places('d')).toMatchObject({ pages: [], places: [] });
    await put(structured(2));
    expect(await labelsOf(reader)).toEqual(['slide 2']);
    const kept = await reader.documents.places('d');
    expect(await reader.documents.places('d')).toBe(kept);
    expect(kept?.pages).toEqual(pages);
    await put(structured(3, ['board']));
    expect(await labelsOf(admin)).toEqual(['slide 3']);
    expect(await labelsOf(reader)).toBeUndefined();
    await admin.commit([{ kind: 'delete-document', id: 'd' }]);
    expect(await labelsOf(admin)).toBeUndefined();
  });
});
