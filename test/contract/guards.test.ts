// Small doors that stood open: streams of revoked keys, folders taken from sources, names with zeros, several hosts, paths in problems,
// characters that turn the order of what is read.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Source } from '../../src/core/document.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import type { Scope } from '../../src/core/scope.ts';
import { startHttpServer } from '../../src/http/server.ts';
import { recordForEachTest, scopeOf } from '../../testkit/record-fixture.ts';
import { createFakeApp, type FakeAppOptions, fakeAppOptions, multipart, parseFrames } from './fake-app.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function application(options: FakeAppOptions = {}) {
  const created = createFakeApp(options);
  ends.push(() => created.app.close());
  return created;
}
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

describe('a key that is revoked', () => {
  it('loses the stream that is open, and no other key does', async () => {
    const made = new Map<string, Scope>();
    const { system, options } = fakeAppOptions({
      keys: true,
      authenticate: async (secret) => made.get(secret),
    });
    const server = await startHttpServer({ ...options, host: '127.0.0.1', port: 0 });
    ends.push(() => server.close({ deadlineMs: 100 }));
    const send = (method: string, path: string, secret: string, body?: unknown) =>
      fetch(server.url + path, {
        method,
        headers: { ...bearer(secret), ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const open: (() => void)[] = [];
    const aborted: unknown[] = [];
    system.answerWith = (_request, { onEvent, signal }, honest) => {
      onEvent?.({ type: 'status', stage: 'understanding' });
      return new Promise((resolve, reject) => {
        open.push(() => resolve(honest()));
        signal?.addEventListener('abort', () => {
          aborted.push(signal.reason);
          reject(signal.reason as Error);
        });
      });
    };
    const ids: string[] = [];
    const replies: Promise<string>[] = [];
    for (const name of ['leaves', 'stays']) {
      const reply = await send('POST', '/admin/keys', 'owner-secret', { name, role: 'reader' });
      const { key, secret } = (await reply.json()) as { key: { id: string; tenant: string }; secret: string };
      made.set(secret, { tenant: key.tenant, principal: { id: `key:${key.id}`, role: 'reader', groups: [] } });
      ids.push(key.id);
      const stream = await send('POST', '/v1/ask', secret, { question: 'When?', stream: true });
      replies.push(stream.text());
    }
    expect((await send('DELETE', `/admin/keys/${ids[0]}`, 'owner-secret')).status).toBe(204);
    // It ends by itself: nothing else happens meanwhile.
    const last = parseFrames((await replies[0]) ?? '').at(-1);
    expect(last?.data).toMatchObject({ type: 'error', problem: { code: 'unauthenticated', status: 401 } });
    expect(aborted).toMatchObject([{ code: 'unauthenticated' }]);
    for (const finish of open) finish();
    expect(parseFrames((await replies[1]) ?? '').at(-1)?.data.type).toBe('done');
  });
});

describe('a source', () => {
  const place = recordForEachTest();

  it('keeps its folder when somebody says nothing of it', async () => {
    const connector = { kind: 'folder' as const, path: '/somewhere', exclude: ['*.tmp'] };
    const put = (source: Source) => place.tenant.commit([{ kind: 'put-source', source }]);
    await put({ name: 'notes', type: 'docs', connector });
    await put({ name: 'notes', type: 'guide', authority: 2 });
    expect(await place.tenant.sources.get('notes')).toEqual({ name: 'notes', type: 'guide', authority: 2, connector });
    await put({ name: 'notes', type: 'docs', connector: { kind: 'folder', path: '/elsewhere' } });
    expect((await place.tenant.sources.get('notes'))?.connector).toMatchObject({ path: '/elsewhere' });
    const other = place.record.forScope(scopeOf('other'));
    await other.commit([{ kind: 'put-source', source: { name: 'notes', type: 'docs' } }]);
    expect(await other.sources.get('notes')).toEqual({ name: 'notes', type: 'docs' });
  });

  it.each([
    { path: '/tmp/a\u0000b' },
    { path: '/tmp/\ud800' },
    { path: '/tmp', passwordFile: 'p\u0000' },
    { path: '/tmp', include: ['a'.repeat(501)] },
    { path: '/tmp', include: ['a\u0000b'] },
    { path: '/tmp', exclude: Array.from({ length: 101 }, () => 'a') },
  ])('with a path or globs that nobody has is refused: %#', async (connector) => {
    const { app } = application();
    const payload = { name: 'n', type: 'docs', connector: { kind: 'folder', ...connector } };
    for (const url of ['/v1/sources', '/v1/sources/preview'])
      expect((await app.inject({ method: 'POST', url, payload })).statusCode).toBe(400);
  });

  it('is sent no document under a path that nobody has', async () => {
    const { app } = application();
    const payload = { text: 'Words.', uri: 'a\u0000b.txt' };
    for (const url of ['/v1/documents', '/v1/documents/preview'])
      expect((await app.inject({ method: 'POST', url, payload })).statusCode).toBe(400);
  });
});

describe('a request', () => {
  it('with two Host headers is refused, whatever they say', async () => {
    const server = await startHttpServer({ ...fakeAppOptions().options, host: '127.0.0.1', port: 0 });
    ends.push(() => server.close());
    for (const hosts of ['Host: localhost\r\nHost: localhost', 'host: localhost\r\nHOST: evil.example']) {
      const socket = connect(server.port, '127.0.0.1');
      let reply = '';
      socket.setEncoding('utf8').on('data', (text: string) => {
        reply += text;
      });
      socket.write(`GET /v1/documents HTTP/1.1\r\n${hosts}\r\nconnection: close\r\n\r\n`);
      await once(socket, 'close');
      expect(reply).toMatch(/^HTTP\/1\.1 400 /u);
      expect(reply).toContain('more than one Host header');
    }
  });
});

describe('a problem', () => {
  it('names paths of the server to its owner alone, streamed or not', async () => {
    const { app, system } = application({ keys: true, serverPaths: ['/opt/my data'] });
    system.answerWith = async (request, { onEvent }) => {
      if (request.question.startsWith('late')) onEvent?.({ type: 'status', stage: 'understanding' });
      throw new FootnoteError('storage-full', '/opt/my data/record.sqlite: The disk is full. Free /var/lib/x too.');
    };
    for (const [secret, isShown] of [
      ['owner-secret', true],
      ['admin-key', false],
      ['reader-key', false],
    ] as const)
      for (const payload of [{ question: 'soon?' }, { question: 'late?', stream: true }]) {
        const { body } = await app.inject({ method: 'POST', url: '/v1/ask', payload, headers: bearer(secret) });
        expect(body).toContain('The disk is full');
        for (const path of ['/opt/my data', 'record.sqlite', '/var/lib']) expect(body.includes(path)).toBe(isShown);
      }
    const fault = new FootnoteError('unsupported-media', '/opt/my data/x.bin cannot be read.');
    const forScope = system.forScope;
    system.forScope = (scope) => {
      const { documents, sources, ...rest } = forScope(scope);
      const error = { code: fault.code, message: fault.message };
      return {
        ...rest,
        documents: {
          ...documents,
          async add(document, options) {
            if (document.name === 'x.bin') throw fault;
            return documents.add(document, options);
          },
        },
        sources: {
          ...sources,
          async preview(source, options) {
            const looked = await sources.preview(source, options);
            if (source.name === 'broken') throw fault;
            return { ...looked, files: [{ uri: 'x.bin', state: 'failed', error }] };
          },
        },
      };
    };
    const files = multipart(['a.md', 'x.bin'].map((file) => ({ file, bytes: 'Text.' })));
    const look = (name: string) => ({ name, type: 'docs', connector: { kind: 'folder', path: '/x' } });
    const streamed = { accept: 'text/event-stream' };
    for (const [secret, isShown] of [
      ['owner-secret', true],
      ['admin-key', false],
    ] as const)
      for (const { headers = {}, ...sent } of [
        { url: '/v1/documents', ...files },
        { url: '/v1/sources/preview', payload: look('whole') },
        { url: '/v1/sources/preview', payload: look('whole'), headers: streamed },
        { url: '/v1/sources/preview', payload: look('broken'), headers: streamed },
      ]) {
        const { body } = await app.inject({ method: 'POST', ...sent, headers: { ...headers, ...bearer(secret) } });
        expect(body).toContain('cannot be read');
        expect(body.includes('/opt/my data'), sent.url).toBe(isShown);
      }
  });
});

describe('characters that turn the order of what is read', () => {
  it('turn nothing in the view, and are still in what is copied', async () => {
    const { app } = application();
    const controls = [...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'];
    const text = `It ${controls.join('x')} was paid.`;
    const payload = { text, uri: 'turned.md', title: `A${controls.join('')}B` };
    const added = await app.inject({ method: 'POST', url: '/v1/documents', payload });
    const id = added.json<{ documents: { id: string }[] }>().documents[0]?.id ?? '';
    const { body } = await app.inject({
      url: `/v1/documents/${id}/view?start=0&end=${text.length}`,
      headers: { accept: 'text/html' },
    });
    for (const control of controls) {
      const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      expect(body.includes(control), code).toBe(false);
      expect(body).toContain(`<bdi class="control" data-label="U+${code}">&#x${code};</bdi>`);
    }
  });
});
