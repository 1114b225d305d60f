// Uploads, collections and attached files as the record keeps them: whose they are, in which order, and what goes with what. Run over each
// database by test/db.
import { expect, it } from 'vitest';
import type { AttachedFile, Upload } from '../../src/db/repositories/uploads.ts';
import { putAll } from '../record-changes.ts';
import { createWrite, scopeOf } from '../record-fixture.ts';
import type { SuitePlace } from './place.ts';

const upload = (id: string, more: Partial<Upload> = {}): Upload => ({
  id,
  name: `${id}.txt`,
  mime: 'text/plain',
  purpose: 'assistants',
  size: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...more,
});
const attached = (fileId: string, more: Partial<AttachedFile> = {}): AttachedFile => ({
  source: 'guide',
  uri: `${fileId}/${fileId}.txt`,
  fileId,
  runId: 'run',
  createdAt: '2026-01-02T00:00:00.000Z',
  state: 'pending',
  facts: {},
  ...more,
});
const bytes = new TextEncoder().encode('abc');
const both = { limit: 10, descending: false };

export interface UploadPlace extends SuitePlace {
  reopen(): Promise<void>;
  markInterrupted(): Promise<unknown>;
  /** Bytes in a statement. */
  bytes(hex: string): string;
}

export function uploadSuite(place: UploadPlace): void {
  const ada = () => place.forScope(scopeOf('default', 'ada', 'writer')).uploads;
  const bob = () => place.forScope(scopeOf('default', 'bob', 'writer')).uploads;

  it('keeps uploads to who made them and admins, by time, and whole', async () => {
    await ada().put(upload('a'), bytes);
    await ada().put(upload('b', { createdAt: '2026-01-02T00:00:00.000Z', purpose: 'user_data' }), bytes);
    await bob().put(upload('c'), bytes);
    const idsOf = async (uploads: ReturnType<typeof ada>, more: object = {}) =>
      (await uploads.list({ ...both, ...more })).map(({ id }) => id);
    expect([await idsOf(ada()), await idsOf(bob()), await idsOf(place.tenant.uploads)]).toEqual([
      ['a', 'b'],
      ['c'],
      ['a', 'c', 'b'],
    ]);
    expect(await idsOf(ada(), { purpose: 'user_data' })).toEqual(['b']);
    expect(await idsOf(ada(), { descending: true, limit: 1 })).toEqual(['b']);
    expect(await idsOf(ada(), { after: { at: '2026-01-01T00:00:00.000Z', id: 'a' } })).toEqual(['b']);
    expect(await bob().get('a')).toBeUndefined();
    expect(await bob().bytes('a')).toBeUndefined();
    expect(await bob().delete('a')).toBe(false);
    expect(await ada().bytes('a')).toEqual(bytes);
    await place.reopen();
    await place.run(`UPDATE upload SET bytes = ${place.bytes('616264')} WHERE id = 'a'`);
    await expect(ada().bytes('a')).rejects.toMatchObject({ code: 'data-corrupt' });
    expect(await ada().delete('a')).toBe(true);
    expect(await ada().get('a')).toBeUndefined();
  });

  it('lists and counts documents that may be read, and files that are none, each once', async () => {
    const at = (id: string, more: object = {}) =>
      createWrite(`otter ${id}`, { id, source: 'guide', uri: `${id}.md`, ...more });
    const reread = at('again', { uri: 'file-r/file-r.txt' });
    await place.tenant.commit(putAll([at('open'), at('closed', { access: ['bob'] }), reread]));
    await ada().putAttached([
      attached('file-f', { state: 'failed', facts: { error: { code: 'invalid-media', message: 'Broken.' } } }),
      attached('file-r'),
      attached('file-z', { state: 'done', runId: 'other' }),
    ]);
    const source = 'guide';
    expect(await ada().counts({ source })).toMatchObject({ pending: 1, done: 2, failed: 1, cancelled: 0 });
    expect(await bob().counts({ source })).toMatchObject({ pending: 1, done: 3, failed: 1 });
    expect(await ada().counts({ source, runId: 'run' })).toMatchObject({ pending: 1, done: 0, failed: 1 });
    const names = async (more: object = {}, of: object = {}) =>
      (await ada().files({ source, ...of }, { ...both, ...more })).map(({ id }) => id).toSorted();
    expect(await names()).toEqual(['file-f', 'file-r', 'file-z', 'open']);
    expect(await names({ state: 'done' })).toEqual(['file-z', 'open']);
    expect(await names({ state: 'failed' })).toEqual(['file-f']);
    expect(await names({}, { runId: 'other' })).toEqual(['file-z']);
    const settled = attached('file-r', { state: 'done', documentId: 'again' });
    expect(await ada().settle(settled)).toBe(true);
    expect(await names()).toEqual(['again', 'file-f', 'file-z', 'open']);
    expect(await ada().settle({ ...settled, runId: 'an earlier run' })).toBe(false);
    await place.tenant.commit([{ kind: 'delete-document', id: 'again' }]);
    expect(await ada().attached({ fileId: 'file-r' })).toEqual([]);
  });

  it('tells which files are attached for the first time', async () => {
    const put = (...ids: readonly string[]) => ada().putAttached(ids.map((id) => attached(id)));
    expect([...(await put('file-a', 'file-a', 'file-b'))].toSorted()).toEqual(['file-a', 'file-b']);
    expect(await ada().putAttached([{ ...attached('file-a'), source: 'other' }, attached('file-c')])).toEqual(
      new Set(['file-c']),
    );
  });

  it('says after a crash that what was being read was not, and forgets all with the source', async () => {
    await place.tenant.commit([{ kind: 'put-source', source: { name: 'guide', type: 'docs' } }]);
    await ada().putAttached([attached('file-p', { facts: { attributes: { floor: 2 } } })]);
    await ada().putCollection({
      source: 'guide',
      isOwn: true,
      createdAt: '2026-01-01T00:00:00.000Z',
      facts: { name: 'G' },
    });
    await bob().putCollection({
      source: 'guide',
      isOwn: true,
      createdAt: '2027-01-01T00:00:00.000Z',
      facts: { name: 'H' },
    });
    await place.reopen();
    await place.markInterrupted();
    expect(await ada().attached({ fileId: 'file-p', source: 'guide' })).toMatchObject([
      { state: 'failed', facts: { attributes: { floor: 2 }, error: { code: 'internal' } } },
    ]);
    const made = { source: 'guide', createdAt: '2026-01-01T00:00:00.000Z', facts: { name: 'H' } };
    expect([await ada().collections(), await bob().collections()]).toEqual([
      [{ ...made, isOwn: true }],
      [{ ...made, isOwn: false }],
    ]);
    await place.tenant.commit([{ kind: 'delete-source', name: 'guide' }]);
    expect([await ada().collections(), await ada().attached({ fileId: 'file-p' })]).toEqual([[], []]);
  });

  it('counts how often documents were opened, and tells those that may be read', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const write = (id: string, more: object = {}) => createWrite(`otter ${id}`, { id, uri: `${id}.md`, ...more });
    await place.tenant.commit(putAll([write('a'), write('b'), write('c', { access: ['bob'] })]));
    const { documentOpens } = place.tenant;
    const opened = (documentId: string, opens: number) => ({ documentId, opens });
    await documentOpens.add([opened('a', 1), opened('gone', 9)], at);
    await documentOpens.add([opened('b', 2), opened('c', 3), opened('a', 4)], at);
    const all = [opened('a', 5), opened('c', 3), opened('b', 2)];
    expect(await documentOpens.most(5)).toEqual(all);
    expect(await documentOpens.most(1, ['b', 'c'])).toEqual([all[1]]);
    const others = place.forScope(scopeOf('default', 'ada', 'reader')).documentOpens;
    expect(await others.most(5)).toEqual([all[0], all[2]]);
    await place.tenant.commit([{ kind: 'delete-document', id: 'a' }]);
    expect(await documentOpens.most(5)).toEqual([all[1], all[2]]);
  });
}
