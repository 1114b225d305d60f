// Where others find the server: links that open wherever it moved, a prefix that a proxy strips or not, and whom it takes for its owner.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import type { SearchResponse } from '../../src/core/search.ts';
import { startHttpServer } from '../../src/http/server.ts';
import { openFootnote } from '../../testkit/open-footnote.ts';
import { serveOpened } from '../../testkit/serve-opened.ts';
import { createFakeApp, fakeAppOptions, parseFrames } from './fake-app.ts';

let folder: string;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-public-'));
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await rm(folder, { recursive: true });
});

async function open(publicUrl?: string) {
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), FOOTNOTE_PUBLIC_URL: publicUrl };
  const config = loadConfig({ folder, environment });
  const opened = await openFootnote(config);
  const server = await serveOpened(opened, {
    publicUrl: config.publicUrl,
  });
  opened.setAddress(server.url);
  const close = async () => {
    await server.close({ deadlineMs: 100 });
    await opened.close();
  };
  ends.push(close);
  const call = async (path: string, body?: unknown) => {
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const reply = await fetch(server.url + path, body === undefined ? {} : json);
    expect(reply.status, path).toBeLessThan(300);
    return reply;
  };
  return {
    server,
    call,
    async close() {
      ends.pop();
      await close();
    },
  };
}

const text = 'The lock of the mill was rebuilt in 1931.\n\nThe miller was Ada Brook.';
const citationsOf = (answer: Answer) => answer.citations.map(({ url }) => url);

describe('FOOTNOTE_PUBLIC_URL', () => {
  it('begins every link that leaves, also of answers that were saved before the server moved', async () => {
    const first = await open();
    await first.call('/v1/documents', { text, uri: 'mill.md' });
    const session = (await (await first.call('/v1/rag/sessions', {})).json()) as { id: string };
    const content = 'When was the lock rebuilt?';
    const messages = `/v1/rag/sessions/${session.id}/messages`;
    const before = (await (await first.call(messages, { content })).json()) as Answer;
    expect(citationsOf(before).length).toBeGreaterThan(0);
    for (const url of citationsOf(before)) expect(url.startsWith(`${first.server.url}/v1/documents/`)).toBe(true);
    const report = await (await first.call(`/v1/answers/${before.id}/report`)).text();
    await first.close();

    const home = 'https://kb.example.org/deep/footnote';
    const second = await open(`${home}/`);
    const turns = (await (await second.call(messages)).json()) as { data: { answer: Answer }[] };
    const asked = (await (await second.call('/v1/ask', { question: content })).json()) as Answer;
    const frames = parseFrames(await (await second.call('/v1/ask', { question: content, stream: true })).text());
    const streamed = frames.flatMap(({ data }) =>
      data.type === 'citation' ? [data['citation'] as { url: string }] : [],
    );
    const done = frames.at(-1)?.data['answer'] as Answer;
    const found = (await (await second.call('/v1/search', { query: 'lock rebuilt' })).json()) as SearchResponse;
    const reported = await (
      await fetch(`${second.server.url}/v1/answers/${before.id}/report`, { headers: { accept: 'application/json' } })
    ).json();
    const links = [
      ...turns.data.flatMap(({ answer }) => citationsOf(answer)),
      ...citationsOf(asked),
      ...streamed.map(({ url }) => url),
      ...citationsOf(done),
      ...found.results.map(({ url }) => url),
      ...citationsOf((reported as { answer: Answer }).answer),
    ];
    expect(streamed.length).toBeGreaterThan(0);
    expect(links.length).toBeGreaterThan(5);
    for (const url of links) {
      expect(url.startsWith(`${home}/v1/documents/`), url).toBe(true);
      // A proxy may strip the prefix, or may not.
      const path = url.slice('https://kb.example.org'.length);
      for (const one of [path, path.slice('/deep/footnote'.length)]) {
        const view = await (await second.call(one)).text();
        expect(view).toContain('<mark');
        const style = /<link rel="stylesheet" href="([^"]+)"/u.exec(view)?.[1] ?? '';
        expect((await fetch(new URL(style, second.server.url + one))).status).toBe(200);
      }
    }
    // What was exported before still stands.
    expect(await (await second.call('/v1/answers/report/verify', { page: report })).json()).toMatchObject({ ok: true });
    const verified = (await (await second.call('/v1/answers/verify', turns.data[0]?.answer)).json()) as { ok: boolean };
    expect(verified.ok).toBe(true);
  });

  it('is told of a report whose links lead elsewhere', async () => {
    const { call, server } = await open('https://kb.example.org');
    await call('/v1/documents', { text, uri: 'mill.md' });
    const { id } = (await (await call('/v1/ask', { question: 'When was the lock rebuilt?' })).json()) as Answer;
    const report = await (await call(`/v1/answers/${id}/report`)).text();
    const forged = report.replaceAll('https://kb.example.org', 'https://kb.example.net');
    expect(forged).not.toBe(report);
    expect(await (await call('/v1/answers/report/verify', { page: report })).json()).toMatchObject({ ok: true });
    const check = (await (await call('/v1/answers/report/verify', { page: forged })).json()) as { reasons: string[] };
    expect(check.reasons).toEqual([
      'Its links lead to https://kb.example.net, which is not the address of this server.',
    ]);
    expect(server.url).not.toContain('kb');
  });

  it('allows its host, and its own pages behind a proxy that names another', async () => {
    const { app } = createFakeApp({ keys: true, publicUrl: 'https://KB.example.org:8443/docs' });
    ends.push(() => app.close());
    const statusOf = async (headers: Record<string, string>, url = '/v1/documents') =>
      (await app.inject({ url, headers: { authorization: 'Bearer reader-key', ...headers } })).statusCode;
    for (const host of ['kb.example.org', 'kb.example.org:8443', '127.0.0.1'])
      expect(await statusOf({ host }), host).toBe(200);
    expect(await statusOf({ host: 'kb.example.net' })).toBe(403);
    const same = { host: '127.0.0.1:4180', 'sec-fetch-site': 'same-origin' };
    expect(await statusOf({ ...same, origin: 'https://kb.example.org:8443' })).toBe(200);
    expect(await statusOf({ ...same, origin: 'https://kb.example.org' })).toBe(403);
    for (const url of ['/docs/v1/documents', '/docs/v1/documents?limit=1', '/docs', '/docs/', '/docs?x'])
      expect(await statusOf({}, url), url).toBe(200);
    for (const url of ['/docsv1/documents', '/docs/docs/v1/documents', '/doc/v1/documents'])
      expect(await statusOf({}, url), url).toBe(404);
    const admin = { authorization: 'Bearer admin-key' };
    const connector = { kind: 'folder', path: '/etc' };
    const payload = { name: 'etc', type: 'docs', connector };
    await app.inject({ method: 'POST', url: '/docs/v1/sources', payload, headers: admin });
    const synced = await app.inject({ method: 'POST', url: '/docs/v1/sources/etc/sync', headers: admin });
    expect(synced.headers['location']).toMatch(/^\/docs\/v1\/ingestions\//u);
    expect((await app.inject({ url: String(synced.headers['location']), headers: admin })).statusCode).toBe(200);
    const script = /src="(\/docs\/assets\/ask-[\w-]+\.js)"/u.exec((await app.inject('/docs')).body)?.[1] ?? '';
    expect((await app.inject(script)).statusCode).toBe(200);
  });

  it.each([
    'ftp://example.org',
    'example.org',
    'https://example.org/?a=b',
    'https://example.org/#x',
    'https://ada:pass@example.org',
    'https://example.org/v1',
    'https://example.org/assets/x',
    'https://example.org/a//b',
    'https://example.org/a%2fb',
    'https://example.org/"x',
  ])('is refused where it is %s', (value) => {
    const read = () => loadConfig({ folder, environment: { FOOTNOTE_PUBLIC_URL: value } });
    expect(read).toThrow(/FOOTNOTE_PUBLIC_URL (?:must|may)/u);
    expect(read).not.toThrow(/pass@/u);
  });

  it('with any prefix leads to the same answers as without', async () => {
    const names = fc.array(fc.stringMatching(/^[a-z0-9_~][\w.~-]{0,8}$/u), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(names, async (parts) => {
        const path = `/${parts.join('/')}`;
        let publicUrl: string | undefined;
        try {
          ({ publicUrl } = loadConfig({ folder, environment: { FOOTNOTE_PUBLIC_URL: `https://kb.example${path}` } }));
        } catch {
          return;
        }
        const { app } = createFakeApp({ publicUrl });
        try {
          for (const url of ['/healthz', '/v1/documents', '/assets/view.css', '/app/ask/x', '/chat'])
            expect((await app.inject(path + url)).statusCode, path + url).toBe((await app.inject(url)).statusCode);
        } finally {
          await app.close();
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('a server without keys', () => {
  it('takes any key of a program on this machine, and says once that nobody looked at it', async () => {
    let keys = false;
    const told: number[] = [];
    const { options } = fakeAppOptions({ unchecked: () => void told.push(1) });
    const server = await startHttpServer({ ...options, hasKeys: async () => keys, host: '127.0.0.1', port: 0 });
    ends.push(() => server.close({ deadlineMs: 100 }));
    const statusOf = async (headers: Record<string, string>) =>
      (await fetch(`${server.url}/admin/keys`, { headers })).status;
    expect(await statusOf({})).toBe(200);
    expect(told).toHaveLength(0);
    const given = [
      { authorization: 'Bearer sk-anything' },
      { 'api-key': 'anything' },
      { 'x-api-key': 'anything' },
      { authorization: 'Bearer owner-secret' },
    ];
    for (const headers of given) expect(await statusOf(headers)).toBe(200);
    expect(told).toHaveLength(1);
    keys = true;
    for (const headers of given.slice(0, 3)) expect(await statusOf(headers)).toBe(401);
    for (const name of ['api-key', 'x-api-key']) expect(await statusOf({ [name]: 'admin-key' })).toBe(200);
    expect(await statusOf({ authorization: 'Bearer unknown', 'api-key': 'admin-key' })).toBe(401);
  });

  it('takes nobody for its owner who comes through a proxy or by the name that others know it by', async () => {
    const { app } = createFakeApp({ publicUrl: 'https://kb.example.org' });
    ends.push(() => app.close());
    const replyTo = (headers: Record<string, string>) => app.inject({ url: '/v1/documents', headers });
    for (const headers of [
      { host: 'kb.example.org' },
      { host: '127.0.0.1', 'x-forwarded-for': '203.0.113.9' },
      { host: '127.0.0.1', 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
      { host: '127.0.0.1', 'x-real-ip': '203.0.113.9' },
      { host: '127.0.0.1', forwarded: 'for=203.0.113.9' },
      { host: '127.0.0.1', origin: 'https://kb.example.org', 'sec-fetch-site': 'same-origin' },
    ])
      for (const key of [{}, { authorization: 'Bearer any' }]) {
        const reply = await replyTo({ ...headers, ...key });
        expect(reply.statusCode, JSON.stringify(headers)).toBe(401);
        expect(reply.json<{ detail: string }>().detail).toContain('No key exists yet');
      }
    expect((await replyTo({ 'x-forwarded-for': '127.0.0.1, ::1' })).statusCode).toBe(200);
  });
});
