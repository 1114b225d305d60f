// A person who opens a link without a key is asked for one by a page that tells nothing of what is there; programs still get a problem.
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { routePolicy } from '../../src/http/policy/policy.ts';
import { readText } from '../source-files.ts';
import { createFakeApp } from './fake-app.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
function application(publicUrl?: string) {
  const created = createFakeApp({ keys: true, publicUrl });
  ends.push(() => created.app.close());
  return created;
}

const ofBrowser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const navigation = {
  ...ofBrowser,
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-site': 'cross-site',
};

describe('a person without a key', () => {
  it('gets one and the same page wherever a link leads, and whatever is there', async () => {
    const { app } = application();
    const added = await app.inject({
      method: 'POST',
      url: '/v1/documents',
      payload: { text: 'Secret words.', uri: 'a.md' },
      headers: { authorization: 'Bearer writer-key' },
    });
    const { id } = added.json<{ documents: [{ id: string }] }>().documents[0];
    const links = [
      `/v1/documents/${id}/view?start=0&end=6`,
      `/v1/documents/${id}/view?start=90&end=6`,
      '/v1/documents/doc_none/view?start=0&end=6',
      `/v1/answers/${id}/report`,
      '/v1/memories/mem_1',
      '/v1/turns/t1?conversation_id=c',
      '/v1/rag/sessions/s1/messages#t1',
    ];
    const pages = await Promise.all(links.map((url) => app.inject({ url, headers: navigation })));
    for (const page of pages) {
      expect(page.statusCode).toBe(401);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.headers['cache-control']).toBe('no-store');
      expect(page.body).toBe(pages[0]?.body);
      expect(page.body).toContain('type="password"');
      const headersOf = ({ headers }: typeof page) => ({ ...headers, date: '', 'x-request-id': '' });
      expect(headersOf(page)).toEqual(headersOf(pages[0] as typeof page));
      expect(String(page.headers['content-security-policy'])).not.toContain('unsafe');
    }
    expect((await app.inject({ url: '/', headers: navigation })).statusCode).toBe(200);
  });

  it('gets it from every address that needs a key', async () => {
    const { app } = application();
    for (const [route, access] of Object.entries(routePolicy)) {
      const [method, path = ''] = route.split(' ');
      if (method !== 'GET' || access === 'open') continue;
      const url = path.replaceAll(/:\w+/gu, 'x');
      for (const headers of [{ ...navigation, 'sec-fetch-site': 'none' }, ofBrowser]) {
        const reply = await app.inject({ url, headers });
        expect(reply.statusCode, url).toBe(401);
        expect(reply.body, url).toContain('id="key-form"');
      }
    }
    expect((await app.inject({ url: '/nothing/here', headers: ofBrowser })).body).toContain('id="key-form"');
  });

  it('is no program: those get a problem', async () => {
    const { app } = application();
    const url = '/v1/documents/doc_none/view';
    for (const headers of [
      {},
      { accept: '*/*' },
      { accept: 'application/json, text/html' },
      { accept: 'application/json' },
      { accept: 'text/html', 'sec-fetch-mode': 'cors' },
      { ...navigation, authorization: 'Bearer wrong' },
      { ...ofBrowser, 'x-api-key': 'wrong' },
    ]) {
      const reply = await app.inject({ url, headers: headers as Record<string, string> });
      expect(reply.statusCode, JSON.stringify(headers)).toBe(401);
      expect(reply.json()).toMatchObject({ code: 'unauthenticated' });
    }
    const posted = await app.inject({ method: 'POST', url: '/v1/ask', payload: {}, headers: ofBrowser });
    expect(posted.json()).toMatchObject({ code: 'unauthenticated' });
  });

  it('is served its files below a prefix, with nothing from elsewhere and nothing inline', async () => {
    const { app } = application('https://kb.example.org/docs');
    const { body } = await app.inject({ url: '/docs/v1/documents/x/view', headers: navigation });
    const files = [...body.matchAll(/(?:src|href)="([^"]+)"/gu)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      expect(file).toMatch(/^\/docs\/assets\//u);
      expect((await app.inject(file)).statusCode).toBe(200);
    }
    expect(body).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]+src=)/u);
  });

  it('has a script that keeps the key in its tab and never in an address, and shows only pages of ours as pages', () => {
    const script = readText('web/src/key/key.ts');
    expect(script).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|eval\(|localStorage|cookie|import\(/u);
    const pattern = /const isOwnPage = (\/.*\/)\.test/u.exec(script)?.[1] ?? '';
    const isPage = (path: string): boolean => runInNewContext(`${pattern}.test(path)`, { path }) as boolean;
    for (const path of ['/v1/documents/doc_1/view', '/docs/v1/answers/ans_1/report']) expect(isPage(path)).toBe(true);
    for (const path of ['/v1/documents/doc_1/file', '/v1/documents/doc_1/text', '/v1/documents/a/b/view/c'])
      expect(isPage(path)).toBe(false);
  });
});
