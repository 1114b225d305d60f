// What every database of the record has to do with documents, sources and deliveries: what a commit refuses, what a revision replaces, what a list
// pages through. Run over each adapter by test/db.
import { expect, it } from 'vitest';
import type { Connector } from '../../src/core/connector.ts';
import type { Delivery } from '../../src/core/document.ts';
import { sha256 } from '../../src/core/ids.ts';
import { type DocumentWrite, isUnmet, type RecordChange } from '../../src/db/repositories/changes.ts';
import type { PageOf } from '../../src/db/repositories/page.ts';
import type { TenantRecord } from '../../src/db/tenant-record.ts';
import { deleteAll, putAll } from '../record-changes.ts';
import { createWrite, scopeOf } from '../record-fixture.ts';
import type { SuitePlace } from './place.ts';

const delivery = (documentId: string, store = 'embedded'): Delivery => ({
  documentId,
  store,
  status: 'delivered',
  revision: 1,
  attempts: 1,
  updatedAt: '2026-01-01T00:00:00.000Z',
});

async function everything<T>(list: (cursor?: string) => Promise<PageOf<T>>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor);
    all.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

export function documentSuite(place: SuitePlace): void {
  const put = (write: DocumentWrite, handle: Pick<TenantRecord, 'commit'> = place.tenant): Promise<unknown> =>
    handle.commit([{ kind: 'put-document', write }]);

  it('a revision replaces text, chunks, structure and file, and keeps the deliveries', async () => {
    const first = createWrite(`first ${'x '.repeat(500)}`, { id: 'd', uri: 'd.md', file: new Uint8Array([1, 2, 3]) });
    await put(first);
    await place.tenant.commit([{ kind: 'put-delivery', delivery: delivery('d') }]);
    const second = createWrite('second', { id: 'd', uri: 'd.md', revision: 2 });
    await put(second);
    expect(await place.tenant.documents.text('d')).toBe('second');
    expect(await place.tenant.documents.file('d')).toBeUndefined();
    expect(await place.tenant.documents.chunks('d')).toEqual(second.chunks);
    expect(await place.tenant.documents.chunksById(first.chunks.map(({ id }) => id))).toEqual([]);
    expect(await place.tenant.documents.deliveries('d')).toEqual([delivery('d')]);
    expect((await place.tenant.commit([{ kind: 'delete-document', id: 'd' }])).applied).toEqual([true]);
    expect((await place.tenant.commit([{ kind: 'delete-document', id: 'd' }])).applied).toEqual([false]);
    expect(await place.tenant.documents.count()).toEqual({ documents: 0, chunks: 0 });
    expect((await place.tenant.documents.listDeliveries({})).data).toEqual([]);
    for (const table of ['document', 'document_body', 'chunk', 'delivery'])
      expect(await place.run(`SELECT 1 FROM ${table}`), table).toEqual([]);
  });

  it('keeps where headings stand in a chunk', async () => {
    const write = createWrite('Fees\n\nThey are due in May.', { id: 'd' });
    const headings = [
      { start: 0, end: 0, level: 1, title: 'Members' },
      { start: 0, end: 4, level: 2 },
    ];
    const chunks = write.chunks.map((chunk) => ({ ...chunk, headings }));
    await put({ ...write, chunks });
    expect(await place.tenant.documents.chunks('d')).toEqual(chunks);
    const [found] = await place.tenant.documents.chunksById(chunks.map(({ id }) => id));
    expect(found?.chunk.headings).toEqual(headings);
    expect(await place.run("SELECT 1 FROM chunk WHERE headings LIKE '%Members%'")).toHaveLength(1);
  });

  it('refuses what does not hold together', async () => {
    const write = createWrite('some text that is long enough', { id: 'd' });
    const [chunk] = write.chunks;
    if (!chunk) throw new Error('no chunk');
    const broken: [DocumentWrite, RegExp][] = [
      [{ ...write, text: 'another text' }, /not the one it names/],
      [{ ...write, chunks: [] }, /names 1 chunks and brings 0/],
      [{ ...write, chunks: [{ ...chunk, documentId: 'x' }] }, /belongs to another document/],
      [{ ...write, chunks: [{ ...chunk, end: 5 }] }, /is not its span/],
      [{ ...write, chunks: [{ ...chunk, hash: '0'.repeat(64) }] }, /the hash of chunk/],
    ];
    for (const [one, message] of broken) await expect(put(one)).rejects.toThrow(message);
    const emoji = createWrite('\u{1F600}', { id: 'e' });
    const half = { ...emoji.chunks[0], end: 1, text: '\ud83d', hash: 'x' } as DocumentWrite['chunks'][number];
    await expect(put({ ...emoji, chunks: [half] })).rejects.toThrow(/cuts a character in two/);
    expect((await place.tenant.documents.count()).documents).toBe(0);
  });

  it('keeps one document per source and uri, and one source per id', async () => {
    await put(createWrite('a', { id: 'a', source: 's', uri: 'a.md' }));
    await expect(put(createWrite('b', { id: 'b', source: 's', uri: 'a.md' }))).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(put(createWrite('c', { id: 'a', source: 'other', uri: 'c.md' }))).rejects.toMatchObject({
      code: 'conflict',
    });
    await put(createWrite('moved', { id: 'a', source: 's', uri: 'b.md' }));
    expect((await place.tenant.documents.list({})).data.map(({ uri }) => uri)).toEqual(['b.md']);
  });

  it('lets readers read only, and nobody change what they may not read', async () => {
    await put(createWrite('secret', { id: 'd', uri: 'd.md', access: ['board'] }));
    const writer = place.forScope(scopeOf('default', 'key:w', 'writer'));
    const reader = place.forScope(scopeOf('default', 'key:r', 'reader', ['board']));
    expect(await reader.documents.text('d')).toBe('secret');
    await expect(put(createWrite('mine', { id: 'x' }), reader)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await writer.documents.get('d')).toBeUndefined();
    expect((await writer.commit([{ kind: 'delete-document', id: 'd' }])).applied).toEqual([false]);
    await expect(put(createWrite('mine', { id: 'd', uri: 'd.md' }), writer)).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(writer.commit([{ kind: 'put-delivery', delivery: delivery('d') }])).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(await place.tenant.documents.text('d')).toBe('secret');
  });

  it('pages through everything once, in order, with writes in between', async () => {
    for (let n = 0; n < 25; n += 1)
      await put(createWrite(`text ${n}`, { id: `d${n}`, uri: `${String(n).padStart(2, '0')}.md` }));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await place.tenant.documents.list({ limit: 4, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.data.map(({ uri }) => uri));
      cursor = page.nextCursor;
      await place.tenant.commit([{ kind: 'delete-document', id: 'd0' }]);
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `${String(n).padStart(2, '0')}.md`));
    for (const limit of [0, 1001, 1.5, Number.NaN])
      await expect(place.tenant.documents.list({ limit })).rejects.toMatchObject({ code: 'invalid-request' });
    for (const bad of ['x', Buffer.from('[1]').toString('base64url'), Buffer.from('{}').toString('base64url')])
      await expect(place.tenant.documents.list({ cursor: bad })).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('lists what was read last first, page by page', async () => {
    const at = (n: number): string => `2026-01-01T00:00:${String(n).padStart(2, '0')}.000Z`;
    const of = (n: number) => ({ id: `d${n}`, source: n % 3 === 0 ? 'thirds' : 'others', uri: `${9 - n}.md` });
    // Two of each moment; the one of the larger id is first.
    const write = (n: number) => createWrite(`text ${n}`, { ...of(n), updatedAt: at(Math.floor(n / 2)) });
    await place.tenant.commit(putAll([3, 0, 7, 1, 5, 2, 6, 4].map(write)));
    const listed = async (limit: number): Promise<string[]> => {
      const all = await everything((cursor) =>
        place.tenant.documents.list({ sort: 'newest', limit, ...(cursor && { cursor }) }),
      );
      return all.map(({ id }) => id);
    };
    for (const limit of [1, 3, 50])
      expect(await listed(limit)).toEqual(['d7', 'd6', 'd5', 'd4', 'd3', 'd2', 'd1', 'd0']);
    await put(createWrite('again', { ...of(2), updatedAt: at(30), revision: 2 }));
    expect(await listed(50)).toEqual(['d2', 'd7', 'd6', 'd5', 'd4', 'd3', 'd1', 'd0']);
    const { nextCursor = '' } = await place.tenant.documents.list({ sort: 'newest', limit: 1 });
    const { nextCursor: other = '' } = await place.tenant.documents.list({ limit: 1 });
    for (const request of [{ cursor: nextCursor }, { sort: 'newest' as const, cursor: other }])
      await expect(place.tenant.documents.list(request)).rejects.toMatchObject({ code: 'invalid-request' });
    await place.tenant.commit([{ kind: 'put-document', write: createWrite('board', { ...of(9), access: ['board'] }) }]);
    const reader = place.forScope(scopeOf('default', 'key:r', 'reader'));
    expect((await reader.documents.list({ sort: 'newest' })).data).toHaveLength(8);
  });

  it('keeps documents of addresses that are long, in their order', async () => {
    const long = Array.from({ length: 125 }, (_, n) => sha256(String(n))).join('');
    const uris = [long, `${long}/a`, `${long}/b`, `${long.slice(0, 300)}g`];
    await place.tenant.commit(
      putAll(uris.map((uri, n) => createWrite(`text ${n}`, { id: `d${n}`, source: 's', uri }))),
    );
    await put(createWrite('again', { id: 'd1', source: 's', uri: uris[1] as string, revision: 2 }));
    expect((await place.tenant.documents.findByUri('s', uris[1] as string))?.revision).toBe(2);
    const found = await place.tenant.documents.findByUris('s', [long, `${long}/c`]);
    expect([...found.sound.keys()]).toEqual([long]);
    await expect(put(createWrite('x', { id: 'x', source: 's', uri: long }))).rejects.toMatchObject({
      code: 'conflict',
    });
    const paged = await everything((cursor) => place.tenant.documents.list({ limit: 1, ...(cursor && { cursor }) }));
    const listed: string[] = [];
    for await (const { uri } of place.tenant.documents.listUris('s')) listed.push(uri);
    expect([paged.map(({ uri }) => uri), listed]).toEqual([uris, uris]);
  });

  it('lists uris of one source for sync, more than fit in one batch', async () => {
    const metadata = { sourceModifiedAt: '2026-01-01' };
    const many = Array.from({ length: 1203 }, (_, n) =>
      createWrite(`t${n}`, { id: `d${n}`, source: 's', uri: `${n}.md`, metadata }),
    );
    await place.tenant.commit(putAll([...many, createWrite('elsewhere', { id: 'x', source: 'other' })]));
    const uris = new Set<string>();
    for await (const { uri, sourceModifiedAt } of place.tenant.documents.listUris('s')) {
      uris.add(uri);
      expect(sourceModifiedAt).toBe('2026-01-01');
    }
    expect(uris.size).toBe(1203);
  });

  it('keeps sources with the number of their documents, and deliveries by store and status', async () => {
    const connector: Connector = { kind: 'folder', path: '/n', include: ['**/*.md'] };
    await place.tenant.commit([
      { kind: 'put-source', source: { name: 'notes', type: 'docs', connector, authority: 0.5 } },
      { kind: 'put-source', source: { name: 'empty', type: 'web', ttlSeconds: 60 } },
      ...['a', 'b', 'c'].flatMap((id): RecordChange[] => [
        { kind: 'put-document', write: createWrite(id, { id }) },
        { kind: 'put-delivery', delivery: delivery(id) },
        { kind: 'put-delivery', delivery: { ...delivery(id, 'remote'), status: 'failed', lastError: 'down' } },
      ]),
    ]);
    expect((await place.tenant.sources.list()).map(({ name, documents }) => [name, documents])).toEqual([
      ['empty', 0],
      ['notes', 3],
    ]);
    expect(await place.tenant.sources.get('notes')).toEqual({
      name: 'notes',
      type: 'docs',
      connector: { kind: 'folder', path: '/n', include: ['**/*.md'] },
      authority: 0.5,
    });
    const failed = await everything((cursor) =>
      place.tenant.documents.listDeliveries({
        limit: 2,
        store: 'remote',
        status: 'failed',
        ...(cursor === undefined ? {} : { cursor }),
      }),
    );
    expect(failed.map(({ documentId }) => documentId)).toEqual(['a', 'b', 'c']);
    await expect(place.tenant.commit([{ kind: 'delete-source', name: 'notes' }])).rejects.toMatchObject({
      code: 'conflict',
    });
    await place.tenant.commit(deleteAll(['a', 'b', 'c']));
    expect((await place.tenant.commit([{ kind: 'delete-source', name: 'notes' }])).applied).toEqual([true]);
    expect(await place.tenant.sources.get('notes')).toBeUndefined();
  });

  it('tells of sources that hold documents what was declared for them', async () => {
    const declared = { name: 'news', authority: 0.5, ttlSeconds: 60 };
    await place.tenant.commit([
      { kind: 'put-source', source: { ...declared, type: 'web' } },
      { kind: 'put-source', source: { name: 'empty', type: 'web', ttlSeconds: 60 } },
      ...putAll([
        createWrite('a', { id: 'a', source: 'news', sourceType: 'web' }),
        createWrite('b', { id: 'b', source: 'undeclared', sourceType: 'docs' }),
      ]),
    ]);
    const kinds = (await place.tenant.sources.kinds()).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(kinds).toEqual([
      { ...declared, type: 'web' },
      { name: 'undeclared', type: 'docs' },
    ]);
  });

  it('takes texts and metadata that UTF-8 cannot hold, with the same offsets', async () => {
    const write = createWrite('broken \ud800 surrogate and a NUL \u0000 here', {
      id: 'd',
      metadata: { bad: '\udc00', 'k\ud800': 1 },
    });
    await put(write);
    const text = await place.tenant.documents.text('d');
    expect(text).toBe(write.text.toWellFormed());
    expect(text?.length).toBe(write.text.length);
    expect((await place.tenant.documents.get('d'))?.metadata).toEqual({ bad: '\ufffd', 'k\ufffd': 1 });
    expect(await place.check()).toEqual([]);
  });

  it('lets a damaged document be found by sync, replaced and deleted, and serves none of it', async () => {
    for (const id of ['a', 'b']) await put(createWrite(`text of ${id}`, { id, source: 's', uri: `${id}.md` }));
    await place.run("UPDATE document SET title = 'forged'");
    await place.run('UPDATE document SET access = \'["bob"]\'');
    const bob = place.forScope(scopeOf('default', 'bob', 'writer'));
    for (const handle of [place.tenant, bob])
      for (const read of ['get', 'text', 'chunks'] as const)
        await expect(handle.documents[read]('a'), read).rejects.toMatchObject({ code: 'data-corrupt' });
    const damaged = ['a', 'b'].map((id) => expect.objectContaining({ id, source: 's', uri: `${id}.md` }));
    expect(await place.tenant.documents.list({})).toEqual({ data: [], damaged });
    // Who may know of them is not known any more.
    expect(await bob.documents.list({})).toEqual({ data: [] });
    expect(await place.tenant.documents.findByUris('s', ['a.md', 'c.md'])).toEqual({
      sound: new Map(),
      damaged: new Map([['a.md', 'a']]),
    });
    expect([await place.tenant.documents.isSound('a'), await place.tenant.documents.isSound('none')]).toEqual([
      false,
      true,
    ]);
    const hashes: string[] = [];
    for await (const { contentHash } of place.tenant.documents.listUris('s')) hashes.push(contentHash);
    expect(hashes).toEqual(['damaged', 'damaged']);
    expect(await place.check()).toHaveLength(2);
    await expect(put(createWrite('mine', { id: 'a', source: 's', uri: 'a.md' }), bob)).rejects.toMatchObject({
      code: 'conflict',
    });
    await put(createWrite('text of a', { id: 'a', source: 's', uri: 'a.md' }));
    expect((await place.tenant.commit([{ kind: 'delete-document', id: 'b' }])).applied).toEqual([true]);
    expect(await place.tenant.documents.text('a')).toBe('text of a');
    expect(await place.check()).toEqual([]);
  });

  it('makes all changes of a commit or none, and only where what was read before is still so', async () => {
    const [one, two] = [createWrite('one', { id: 'one' }), createWrite('two', { id: 'two' })];
    const failing: RecordChange = { kind: 'put-delivery', delivery: delivery('doc_of_nobody') };
    await expect(place.tenant.commit([...putAll([one, two]), failing])).rejects.toMatchObject({ code: 'not-found' });
    expect((await place.tenant.documents.count()).documents).toBe(0);
    const change: RecordChange = { kind: 'put-document', write: one };
    await place.tenant.commit([change], { expect: [{ kind: 'document', id: 'one', revision: 'none' }] });
    for (const expected of [
      { kind: 'document', id: 'one', revision: 'none' },
      { kind: 'document', id: 'one', revision: 2 },
      { kind: 'source', name: 'nowhere' },
    ] as const) {
      const failed: unknown = await place.tenant.commit([change], { expect: [expected] }).catch((error) => error);
      expect(isUnmet(failed), JSON.stringify(expected)).toBe(true);
    }
    await place.tenant.commit([{ kind: 'put-source', source: { name: 'notes', type: 'docs' } }]);
    await place.tenant.commit([change], {
      expect: [
        { kind: 'source', name: 'notes' },
        { kind: 'document', id: 'one', revision: 1 },
      ],
    });
  });

  it('makes changes of one document in their order, however often it is named', async () => {
    const of = (text: string) =>
      ({ kind: 'put-document', write: createWrite(text, { id: 'd', uri: 'd.md' }) }) as const;
    await place.tenant.commit([of('first'), { kind: 'put-delivery', delivery: delivery('d') }, of('second')]);
    expect(await place.tenant.documents.text('d')).toBe('second');
    const { applied } = await place.tenant.commit([
      { kind: 'delete-document', id: 'd' },
      { kind: 'delete-document', id: 'd' },
      of('third'),
      { kind: 'put-delivery', delivery: { ...delivery('d'), status: 'failed', lastError: 'down' } },
      { kind: 'put-delivery', delivery: delivery('d', 'other') },
    ]);
    expect(applied).toEqual([true, false, true, true, true]);
    expect(await place.tenant.documents.text('d')).toBe('third');
    expect((await place.tenant.documents.deliveries('d')).map(({ store, status }) => [store, status])).toEqual([
      ['embedded', 'failed'],
      ['other', 'delivered'],
    ]);
  });

  it('gives chunks in the order asked, with their documents and hashes, to who may read them', async () => {
    const [open, secret] = [
      createWrite('open '.repeat(200), { id: 'open' }),
      createWrite('secret '.repeat(100), { id: 'secret', access: ['board'] }),
    ];
    await place.tenant.commit(putAll([open, secret]));
    const ids = [...open.chunks, ...secret.chunks].map(({ id }) => id).toReversed();
    const reader = place.forScope(scopeOf('default', 'key:r', 'reader'));
    const found = await place.tenant.documents.chunksById([...ids, 'chk_of_nobody']);
    expect(found.map(({ chunk }) => chunk.id)).toEqual(ids);
    expect(found.at(-1)).toEqual({ chunk: open.chunks[0], document: open.document });
    expect((await reader.documents.chunksById(ids)).map(({ document }) => document.id)).toEqual(
      open.chunks.map(() => 'open'),
    );
    expect(await reader.documents.hashes(ids)).toEqual(
      open.chunks.toReversed().map(({ id, hash }) => ({ chunkId: id, documentId: 'open', hash })),
    );
    expect(await reader.documents.knownIds(['open', 'secret', 'none'])).toEqual(new Set(['open']));
    expect((await place.forScope(scopeOf('other')).documents.chunksById(ids)).length).toBe(0);
  });

  it('notes another reading of a text that is still the same', async () => {
    const write = createWrite('text', { id: 'd' });
    await put(write);
    const reading = { kind: 'put-reading', documentId: 'd', reading: 'markdown-2' } as const;
    const { applied } = await place.tenant.commit([
      { ...reading, textHash: write.document.textHash },
      { ...reading, textHash: '0'.repeat(64) },
    ]);
    expect(applied).toEqual([true, false]);
    expect(await place.tenant.documents.get('d')).toEqual({ ...write.document, reading: 'markdown-2' });
  });
}
