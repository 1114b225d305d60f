// Documents, sources, stores and ingestions over HTTP.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AddedDocument } from '../../src/footnote/facade.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { turnsWhile } from '../../testkit/event-loop-turns.ts';
import { createFakeApp, multipart, parseFrames } from './fake-app.ts';
import type { FakeSystem } from './fake-footnote.ts';

let app: HttpApp;
let system: FakeSystem;
beforeEach(() => {
  ({ app, system } = createFakeApp());
});
afterEach(() => app.close());

interface Added {
  documents: { id: string; status: string; deliveries: { store: string; status: string }[] }[];
  failed?: { name: string; code: string }[];
}

async function add(payload: Record<string, unknown>): Promise<string> {
  const reply = await app.inject({ method: 'POST', url: '/v1/documents', payload });
  expect(reply.statusCode).toBe(202);
  return reply.json<Added>().documents[0]?.id ?? '';
}

describe('previews', () => {
  it('are of a folder or of one document, and of folders only for admins', async () => {
    const { app: guarded } = createFakeApp({ keys: true });
    const payload = { name: 'docs', type: 'docs', connector: { kind: 'folder', path: '/srv/docs' } };
    const ask = (key: string, body: object, url = '/v1/sources/preview') =>
      guarded.inject({ method: 'POST', url, payload: body, headers: { authorization: `Bearer ${key}` } });
    expect((await ask('writer-key', payload)).statusCode).toBe(403);
    expect((await ask('admin-key', payload)).json()).toMatchObject({ source: 'docs', files: [] });
    expect((await ask('admin-key', { name: 'docs', type: 'docs' })).json()).toMatchObject({ code: 'unsupported' });
    expect((await ask('reader-key', { text: 'One.' }, '/v1/documents/preview')).statusCode).toBe(403);
    const one = await ask('writer-key', { text: 'One.', uri: 'a' }, '/v1/documents/preview');
    expect(one.json()).toMatchObject({ files: [{ uri: 'a', change: 'added', bytes: 4 }] });
    expect((await ask('writer-key', { uri: 'a' }, '/v1/documents/preview')).json()).toMatchObject({
      code: 'invalid-request',
    });
    await guarded.close();
  });
});

describe('documents', () => {
  it('are taken as JSON, shown, listed by page and source, and removed', async () => {
    const id = await add({ text: 'First text.', uri: 'a.md', source: 'notes', metadata: { team: 'blue' } });
    await add({ text: 'Second text.', uri: 'b.md', source: 'other' });
    expect((await app.inject(`/v1/documents/${id}`)).json()).toMatchObject({
      id,
      chunks: 1,
      metadata: { team: 'blue' },
      deliveries: [{ store: 'embedded', status: 'delivered' }],
    });
    const first = (await app.inject('/v1/documents?limit=1')).json<{ data: { id: string }[]; nextCursor: string }>();
    const second = (await app.inject(`/v1/documents?limit=1&cursor=${first.nextCursor}`)).json<{
      data: { id: string }[];
    }>();
    expect(first.data).toHaveLength(1);
    expect(second.data[0]?.id).not.toBe(first.data[0]?.id);
    expect(second).not.toHaveProperty('nextCursor');
    expect((await app.inject('/v1/documents?source=notes')).json()).toMatchObject({ data: [{ id }] });
    expect((await app.inject({ method: 'DELETE', url: `/v1/documents/${id}` })).statusCode).toBe(204);
    expect((await app.inject(`/v1/documents/${id}`)).statusCode).toBe(404);
  });

  it('report new, changed and unchanged revisions, with and without waiting', async () => {
    const post = async (text: string, query = '') => {
      const reply = await app.inject({ method: 'POST', url: `/v1/documents${query}`, payload: { text, uri: 'a' } });
      return reply.json<Added>().documents[0]?.status;
    };
    expect([await post('one'), await post('one', '?wait=true'), await post('two')]).toEqual([
      'created',
      'unchanged',
      'updated',
    ]);
  });

  it('give their text by range, their bytes, chunks and structure', async () => {
    const id = await add({ text: 'Größe 🙂 end', uri: 'ü"b.md' });
    expect((await app.inject(`/v1/documents/${id}/text?start=6&end=8`)).json()).toEqual({
      text: '🙂',
      start: 6,
      end: 8,
    });
    expect((await app.inject(`/v1/documents/${id}/text`)).json()).toMatchObject({ start: 0, end: 12 });
    const file = await app.inject(`/v1/documents/${id}/file`);
    expect(file.body).toBe('Größe 🙂 end');
    expect(file.headers['content-disposition']).toBe(`attachment; filename="__b.md"; filename*=UTF-8''%C3%BC%22b.md`);
    expect(file.headers['x-content-type-options']).toBe('nosniff');
    expect((await app.inject(`/v1/documents/${id}/chunks`)).json()).toMatchObject({ data: [{ documentId: id }] });
    expect((await app.inject(`/v1/documents/${id}/structure`)).json()).toEqual({ pages: [], headings: [], words: [] });
  });

  it('are taken with passwords as a list, which no error repeats', async () => {
    const send = (value: string) =>
      app.inject({
        method: 'POST',
        url: '/v1/documents',
        ...multipart([
          { field: 'passwords', value },
          { file: 'one.md', bytes: 'Memo one.' },
        ]),
      });
    expect((await send('["open, sesame", "[2]"]')).statusCode).toBe(202);
    for (const wrong of [
      'open-sesame',
      '["open-sesame", 1]',
      '{"open-sesame": 1}',
      `["${'open-sesame'.repeat(100)}"]`,
    ]) {
      const refused = await send(wrong);
      expect(refused.json()).toMatchObject({
        code: 'invalid-request',
        detail: expect.stringMatching(/^body\.passwords/),
      });
      expect(refused.body, wrong).not.toContain('sesame');
    }
  });

  it('are taken as an upload of several files, of which a bad one does not stop the rest', async () => {
    const reply = await app.inject({
      method: 'POST',
      url: '/v1/documents',
      ...multipart([
        { field: 'source', value: 'inbox' },
        { field: 'metadata', value: '{"kind":"memo"}' },
        { field: 'access', value: 'alice, bob' },
        { file: '../../etc/one.md', bytes: 'Memo one.' },
        { file: 'bad.xyz', mime: 'application/x-unknown', bytes: '\u0000x' },
        { file: 'two.md', bytes: 'Memo two.' },
      ]),
    });
    expect(reply.statusCode).toBe(202);
    const { documents, failed } = reply.json<Added>();
    expect(documents).toHaveLength(2);
    expect(failed).toMatchObject([{ name: 'bad.xyz', code: 'unsupported-media' }]);
    const detail = (await app.inject(`/v1/documents/${documents[0]?.id}`)).json();
    expect(detail).toMatchObject({
      uri: 'one.md',
      source: 'inbox',
      metadata: { kind: 'memo' },
      access: ['alice', 'bob'],
    });
  });
});

describe('a reply with thousands of documents', () => {
  const many = Array.from({ length: 5000 }, (_, at) => ({
    id: `doc_${at}`,
    uri: `all.zip/"${at}".txt`,
    status: 'created' as const,
    chunks: at,
    warnings: [],
    deliveries: [{ store: 'embedded', status: 'delivered' as const }],
    inside: 'left out by the contract',
  }));
  const bring = (documents: readonly AddedDocument[]): void => {
    const { forScope } = system;
    system.forScope = (scope) => {
      const footnote = forScope(scope);
      const add = async () => documents;
      return {
        ...footnote,
        documents: { ...footnote.documents, add },
        stores: { ...footnote.stores, add },
      };
    };
  };
  const send = (headers: Record<string, string> = {}, url = '/v1/documents') =>
    app.inject({ method: 'POST', url, payload: { text: 'One.' }, headers });

  it.each(['/v1/documents', '/v1/stores/embedded/documents'])(
    'is what the contract says, and lets others have their turn: %s',
    async (url) => {
      bring(many);
      const { value: reply, turns } = await turnsWhile(() => send({}, url));
      expect(reply.statusCode).toBe(202);
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(reply.json()).toEqual({ documents: many.map(({ inside: _, ...one }) => one) });
      // At most 200 are printed in one go.
      expect(turns).toBeGreaterThanOrEqual(25);
      const again = { 'idempotency-key': 'once' };
      expect((await send(again, url)).body).toBe(reply.body);
      expect((await send(again, url)).body).toBe(reply.body);
    },
  );

  it('is refused where one of them does not fit the contract', async () => {
    bring(many.map((one, at) => (at === 4321 ? { ...one, chunks: 0.5 } : one)));
    expect((await send()).statusCode).toBe(500);
  });
});

describe('sources and ingestions', () => {
  beforeEach(async () => {
    const payload = { name: 'docs here', type: 'docs', connector: { kind: 'folder', path: '/srv/docs' } };
    expect((await app.inject({ method: 'POST', url: '/v1/sources', payload })).statusCode).toBe(201);
  });
  const sync = async (): Promise<string> => {
    const reply = await app.inject({ method: 'POST', url: '/v1/sources/docs%20here/sync' });
    expect(reply.statusCode).toBe(202);
    return reply.json<{ id: string }>().id;
  };

  it('declare, show, list and remove a source', async () => {
    const source = { name: 'docs here', type: 'docs', connector: { kind: 'folder', path: '/srv/docs' } };
    expect((await app.inject('/v1/sources/docs%20here')).json()).toEqual(source);
    expect((await app.inject('/v1/sources')).json()).toEqual({ data: [{ ...source, documents: 0 }] });
    const removed = await app.inject({ method: 'DELETE', url: '/v1/sources/docs%20here' });
    expect(removed.json()).toEqual({ removedDocuments: 0 });
  });

  it('sync, show counts and files with their errors, and cancel', async () => {
    const id = await sync();
    expect((await app.inject(`/v1/ingestions/${id}`)).json()).toMatchObject({
      state: 'running',
      counts: { found: 2 },
      files: [{ state: 'done' }, { state: 'failed', error: { code: 'invalid-media' } }],
    });
    expect((await app.inject(`/v1/ingestions/${id}/files?state=failed`)).json()).toMatchObject({
      data: [{ uri: 'b.pdf' }],
    });
    expect((await app.inject('/v1/ingestions')).json()).toMatchObject({ data: [{ id }] });
    expect((await app.inject({ method: 'DELETE', url: `/v1/ingestions/${id}` })).statusCode).toBe(204);
    expect((await app.inject(`/v1/ingestions/${id}`)).json()).toMatchObject({ state: 'cancelled' });
  });

  it('stream progress until the run ends', async () => {
    const id = await sync();
    const watching = app.inject({ url: `/v1/ingestions/${id}`, headers: { accept: 'text/event-stream' } });
    await new Promise(setImmediate);
    system.advance(id, { counts: { found: 2, done: 1, unchanged: 0, failed: 0, deleted: 0, chunks: 4 } });
    await new Promise(setImmediate);
    system.advance(id, { state: 'done' });
    const frames = parseFrames((await watching).body);
    expect(frames.at(0)?.data).toMatchObject({ type: 'progress', ingestion: { id, state: 'running' } });
    expect(frames.at(-1)?.data).toMatchObject({ type: 'done', ingestion: { state: 'done', counts: { chunks: 4 } } });
    expect(frames.filter((frame) => frame.event === 'done')).toHaveLength(1);
  });
});

describe('stores', () => {
  it('show health and deliveries, take a document for one store, and sync', async () => {
    const taken = await app.inject({
      method: 'POST',
      url: '/v1/stores/embedded/documents',
      payload: { text: 'x', uri: 'x' },
    });
    expect(taken.statusCode).toBe(202);
    expect((await app.inject('/v1/stores')).json()).toMatchObject({
      data: [{ name: 'embedded', coverage: 1, documents: 1 }],
    });
    const deliveries = await app.inject('/v1/stores/embedded/deliveries?status=delivered');
    expect(deliveries.json()).toMatchObject({ data: [{ store: 'embedded', status: 'delivered' }] });
    const synced = await app.inject({ method: 'POST', url: '/v1/stores/embedded/sync' });
    expect(synced.json()).toEqual({ delivered: 0, failed: 0 });
  });
});
