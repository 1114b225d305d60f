// Sources of the web end to end: addresses, sites and feeds are read, cited by their address, read again without a byte of what did not change,
// and a document goes only when its site says that the page is gone.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zipFile } from '../../packages/readers/testkit/zip-file.ts';
import { loadConfig } from '../../src/config.ts';
import type { Connector } from '../../src/core/connector.ts';
import type { IngestionFile } from '../../src/core/documents/runs.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { openWebSite, page, type WebSite } from '../../testkit/web-site.ts';

let folder: string;
let site: WebSite;
let opened: OpenedFootnote;
let footnote: Footnote;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-web-'));
  site = await openWebSite();
  opened = await openFootnote(
    loadConfig({
      folder,
      environment: { FOOTNOTE_DATA: join(folder, 'data'), WEB_ALLOW_HOSTS: site.host, WEB_HOST_GAP_MS: '0' },
    }),
  );
  footnote = opened.forScope(localScope());
});
afterEach(async () => {
  await opened.close();
  await site.close();
  await rm(folder, { recursive: true });
});

const at = (path: string): string => `${site.origin}${path}`;
const set = (answers: Parameters<typeof openWebSite>[0] = {}): void => {
  for (const [path, answer] of Object.entries(answers)) site.answers.set(path, answer);
};
const uris = async (): Promise<string[]> =>
  (await footnote.documents.list({ limit: 100 })).data.map(({ uri }) => uri.replace(site.origin, '')).sort();

async function sync(connector: Connector, name = 'web') {
  await footnote.sources.put({ name, type: 'web', connector });
  const files: IngestionFile[] = [];
  site.asked.length = 0;
  const run = await footnote.sources.sync(name, {
    onProgress: (_, file) => void (file && file.state !== 'pending' && files.push(file)),
  });
  const sent = site.asked
    .filter(({ sentBytes, path }) => sentBytes > 0 && path !== '/robots.txt')
    .map(({ path }) => path);
  return { ...run, files, sent };
}

const pump = page('Pump', '<p>The pump of basin four moves 90 litres a minute.</p>');
const valve = page('Valve', '<p>The valve of basin four closes at 6 bar.</p>');

describe('addresses', () => {
  it('are read, cited by address, and not sent again while they do not change', async () => {
    set({ '/pump.html': pump, '/valve.html': valve });
    const connector: Connector = { kind: 'url', urls: [at('/pump.html'), at('/valve.html#part')] };
    const first = await sync(connector);
    expect(first).toMatchObject({ state: 'done', counts: { found: 2, done: 2, failed: 0 } });
    const answer = await footnote.ask({ question: 'How many litres a minute does the pump move?' });
    expect(answer.citations[0]).toMatchObject({ uri: at('/pump.html'), title: 'Pump' });
    expect(answer.citations[0]?.quote).toContain('90 litres');
    const document = await footnote.documents.get(answer.citations[0]?.documentId ?? '');
    expect(document).toMatchObject({ sourceType: 'web', metadata: { retrievedAt: expect.stringMatching(/^\d{4}-/) } });
    expect(answer.citations[0]?.retrievedAt).toBe(document?.metadata['retrievedAt']);
    expect(answer.citations[0]?.trust).toBeUndefined();

    const second = await sync(connector);
    expect(second).toMatchObject({ counts: { unchanged: 2, done: 0, deleted: 0 }, sent: [] });
    expect(site.asked.map(({ status }) => status)).toEqual([304, 304]);

    set({ '/valve.html': page('Valve', '<p>The valve of basin four closes at 7 bar.</p>') });
    expect(await sync(connector)).toMatchObject({ counts: { unchanged: 1, done: 1 }, sent: ['/valve.html'] });
  });

  it('that are gone take their documents along, and those that fail do not', async () => {
    set({ '/pump.html': pump, '/valve.html': valve });
    const connector: Connector = { kind: 'url', urls: [at('/pump.html'), at('/valve.html')] };
    await sync(connector);
    for (const status of [500, 503, 403, 401, 451, 418]) {
      set({ '/pump.html': status });
      const run = await sync(connector);
      expect(run, String(status)).toMatchObject({ counts: { failed: 1, unchanged: 1, deleted: 0 } });
      expect(run.files.find(({ state }) => state === 'failed')?.error?.message).toContain(`HTTP ${status}`);
    }
    set({ '/pump.html': { location: 'http://10.0.0.1/' } });
    expect((await sync(connector)).counts).toMatchObject({ failed: 1, deleted: 0 });
    expect(await uris()).toEqual(['/pump.html', '/valve.html']);
    set({ '/pump.html': 404 });
    expect((await sync(connector)).counts).toMatchObject({ failed: 0, deleted: 1 });
    expect(await uris()).toEqual(['/valve.html']);
    const again = await sync(connector);
    expect(again.counts).toMatchObject({ failed: 1, deleted: 0 });
    expect(again.files.find(({ state }) => state === 'failed')?.error).toMatchObject({ code: 'not-found' });
    set({ '/pump.html': pump, '/valve.html': 410 });
    expect((await sync(connector)).counts).toMatchObject({ done: 1, deleted: 1 });
    expect(await uris()).toEqual(['/pump.html']);
  });

  it('that are one page are one document', async () => {
    set({
      '/pump.html': page('Pump', '<p>The pump moves 90 litres.</p>', `<link rel="canonical" href="/pump.html">`),
      '/old': { location: '/pump.html', status: 301 },
      '/older': { location: '/old', status: 302 },
    });
    const connector: Connector = { kind: 'url', urls: [at('/older'), at('/old'), at('/pump.html?utm_source=x')] };
    set({ '/pump.html?utm_source=x': 500 });
    await sync(connector);
    expect(await uris()).toEqual(['/pump.html']);
    expect(await sync(connector)).toMatchObject({ sent: [], counts: { failed: 0, deleted: 0 } });
    expect(await uris()).toEqual(['/pump.html']);
  });

  it('are read one by one, too, and again only when they changed', async () => {
    set({ '/pump.html': pump, '/notes': { body: 'The ferry leaves at nine.', type: 'text/plain; charset=utf-8' } });
    const [added] = await footnote.documents.add({ url: at('/pump.html') });
    expect(added).toMatchObject({ uri: at('/pump.html'), status: 'created' });
    expect(await footnote.documents.get(added?.id ?? '')).toMatchObject({
      source: 'web',
      sourceType: 'web',
      title: 'Pump',
    });
    expect((await footnote.documents.add({ url: at('/pump.html') }))[0]).toMatchObject({ status: 'unchanged' });
    expect((await footnote.documents.add({ url: at('/notes'), source: 'notes' }))[0]).toMatchObject({
      status: 'created',
    });
    await expect(footnote.documents.add({ url: at('/none') })).rejects.toMatchObject({ code: 'not-found' });
    await expect(footnote.documents.add({ url: 'http://127.0.0.1:1/' })).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('bring a document for each line of a feed of lines', async () => {
    const lines = ['{"id":"a","text":"The heron weighs 2 kilograms."}', '{"id":"b","text":"The owl hunts at night."}'];
    set({ '/birds.jsonl': { body: lines.join('\n'), type: 'application/x-ndjson' } });
    const connector: Connector = { kind: 'url', urls: [at('/birds.jsonl')] };
    expect((await sync(connector)).counts).toMatchObject({ done: 1 });
    expect((await footnote.documents.list({ limit: 10 })).data).toHaveLength(2);
    // Which lines changed is seen by their hashes: the file itself is sent.
    expect(await sync(connector)).toMatchObject({ sent: ['/birds.jsonl'], counts: { unchanged: 1, deleted: 0 } });
    set({ '/birds.jsonl': { body: lines[0] as string, type: 'application/x-ndjson' } });
    await sync(connector);
    expect((await footnote.documents.list({ limit: 10 })).data).toHaveLength(1);
  });
});

const sitemapOf = (paths: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">${paths
    .map(
      (path) =>
        `<url><image:image><image:loc>${at('/picture.png')}</image:loc></image:image><loc>${at(path)}</loc></url>`,
    )
    .join('')}</urlset>`;

describe('a site', () => {
  it('is what its sitemaps name, as robots.txt allows', async () => {
    set({
      '/robots.txt': { body: `User-agent: *\nDisallow: /secret\nSitemap: ${at('/maps.xml')}`, type: 'text/plain' },
      '/maps.xml': {
        body: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${at('/a.xml.gz')}</loc></sitemap><sitemap><loc>${at('/b.xml')}</loc></sitemap></sitemapindex>`,
        type: 'application/xml',
      },
      '/a.xml.gz': {
        body: gzipSync(sitemapOf(['/pump.html', '/secret/x.html', 'https://elsewhere.example/y'])),
        type: 'application/gzip',
      },
      '/b.xml': { body: sitemapOf(['/valve.html', '/gone.html']), type: 'application/xml' },
      '/pump.html': pump,
      '/valve.html': valve,
      '/secret/x.html': page('Secret', '<p>The secret is kept.</p>'),
    });
    const connector: Connector = { kind: 'sitemap', url: at('/') };
    const run = await sync(connector);
    expect(run.counts).toMatchObject({ done: 2, failed: 1 });
    expect(await uris()).toEqual(['/pump.html', '/valve.html']);
    expect(site.asked.map(({ path }) => path)).not.toContain('/secret/x.html');
    const maps = ['/maps.xml', '/a.xml.gz', '/b.xml', '/gone.html'];
    expect((await sync(connector)).sent.filter((path) => !maps.includes(path))).toEqual([]);

    // What an unreadable part of the index names is not gone.
    set({ '/b.xml': 500 });
    expect((await sync(connector)).counts).toMatchObject({ deleted: 0 });
    set({ '/b.xml': { body: sitemapOf([]), type: 'application/xml' } });
    expect((await sync(connector)).counts).toMatchObject({ deleted: 1 });
    expect(await uris()).toEqual(['/pump.html']);
  });

  it('loses nothing that stands behind what is read of its sitemaps, and says that it was cut', async () => {
    const map = (paths: readonly string[]) => ({ body: sitemapOf(paths), type: 'application/xml' });
    const index = (paths: readonly string[]) => ({
      body: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<sitemap><loc>${at(path)}</loc></sitemap>`).join('')}</sitemapindex>`,
      type: 'application/xml',
    });
    const crane = page('Crane', '<p>The crane of basin four lifts 3 tonnes.</p>');
    const unwanted = ['/shop/a', '/shop/b', '/shop/c', '/shop/d'];
    set({
      '/sitemap.xml': index(['/a.xml', '/b.xml']),
      '/a.xml': map(unwanted),
      '/b.xml': map(['/pump.html', '/valve.html']),
    });
    set({ '/pump.html': pump, '/valve.html': valve, '/crane.html': crane });
    const connector: Connector = { kind: 'sitemap', url: at('/sitemap.xml'), maxPages: 2, exclude: ['shop/**'] };
    // What is not wanted takes no room.
    expect((await sync(connector)).counts).toMatchObject({ done: 2, failed: 0 });
    set({
      '/b.xml': map(['/crane.html', '/pump.html']),
      '/sitemap.xml': index(['/b.xml', '/c.xml']),
      '/c.xml': map(['/valve.html']),
    });
    const run = await sync(connector);
    expect(run.counts).toMatchObject({ done: 1, failed: 1, deleted: 0 });
    expect(run.files.find(({ state }) => state === 'failed')?.error?.message).toContain('more than 2 pages');
    expect(await uris()).toEqual(['/crane.html', '/pump.html', '/valve.html']);
  });

  it('is what its pages lead to where it has no sitemap', async () => {
    const linked = (title: string, ...paths: string[]) =>
      page(title, `<p>The ${title} holds.</p>${paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')}`);
    set({
      '/docs/': linked(
        'Start',
        'a.html',
        '/other/z.html',
        'https://elsewhere.example/',
        'a.html#part',
        'mailto:x@y.example',
      ),
      '/docs/a.html': linked('Alpha', 'b.html', '/docs/'),
      '/docs/b.html': linked('Beta', 'c.html'),
      '/docs/c.html': linked('Gamma', 'd.html'),
      '/docs/d.html': linked('Delta'),
      '/other/z.html': linked('Zeta'),
    });
    const connector: Connector = { kind: 'sitemap', url: at('/docs/') };
    expect((await sync(connector)).counts).toMatchObject({ done: 4, failed: 0 });
    expect(await uris()).toEqual(['/docs/', '/docs/a.html', '/docs/b.html', '/docs/c.html']);
    expect(await sync(connector)).toMatchObject({ sent: ['/sitemap.xml'], counts: { unchanged: 4, deleted: 0 } });
    expect((await sync({ ...connector, maxDepth: 4 })).counts).toMatchObject({ done: 1, unchanged: 4 });
    // A page in the middle that fails takes nothing along; one that is gone takes what only it led to.
    set({ '/docs/a.html': 500 });
    expect((await sync(connector)).counts).toMatchObject({ deleted: 0, failed: 1 });
    set({ '/docs/a.html': 404 });
    await sync(connector);
    // Most of the site at once is doubtful.
    expect(await uris()).toHaveLength(5);
    await footnote.sources.sync('web', { confirm: true });
    expect(await uris()).toEqual(['/docs/']);
    set({ '/docs/': linked('Start', ...Array.from({ length: 9 }, (_, index) => `n${index}.html`)) });
    const few = await sync({ ...connector, maxPages: 3 });
    expect(few.files.find(({ error }) => error?.code === 'too-large')?.error?.message).toMatch(/more than 3 pages/u);
  });

  it('that keeps programs away is not read', async () => {
    set({ '/robots.txt': { body: 'User-agent: footnote\nDisallow: /', type: 'text/plain' }, '/': pump });
    const run = await sync({ kind: 'sitemap', url: at('/') });
    expect(run).toMatchObject({ state: 'failed', error: { code: 'forbidden' } });
    expect(site.asked.map(({ path }) => path)).toEqual(['/robots.txt']);
    set({ '/robots.txt': 500 });
    expect(await sync({ kind: 'sitemap', url: at('/') })).toMatchObject({
      state: 'failed',
      error: { code: 'upstream-unavailable', message: expect.stringContaining('HTTP 500') },
    });
  });
});

describe('a feed', () => {
  const feedOf = (...paths: string[]): string =>
    `<rss version="2.0"><channel><title>News</title>${paths
      .map(
        (path) =>
          `<item><title>About ${path}</title><link>${at(path)}</link><pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate></item>`,
      )
      .join('')}</channel></rss>`;
  const atom = (path: string): string =>
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>New</title><link rel="alternate" href="${path}"/><updated>2026-11-03T00:00:00Z</updated></entry></feed>`;

  it('brings what its entries lead to, and keeps what it no longer names', async () => {
    set({
      '/feed.xml': { body: feedOf('/pump.html'), type: 'application/rss+xml' },
      '/pump.html': pump,
      '/valve.html': valve,
    });
    const connector: Connector = { kind: 'feed', url: at('/feed.xml') };
    expect((await sync(connector)).counts).toMatchObject({ done: 1 });
    const [document] = (await footnote.documents.list({ limit: 1 })).data;
    expect(document).toMatchObject({ title: 'About /pump.html', publishedAt: '2026-11-02T10:00:00.000Z' });
    set({ '/feed.xml': { body: atom('/valve.html'), type: 'application/atom+xml' } });
    expect(await sync(connector)).toMatchObject({
      counts: { done: 1, unchanged: 1, deleted: 0 },
      sent: ['/feed.xml', '/valve.html'],
    });
    set({ '/pump.html': 410 });
    expect((await sync(connector)).counts).toMatchObject({ unchanged: 1, deleted: 1 });
    set({ '/feed.xml': 500 });
    expect(await sync(connector)).toMatchObject({ state: 'failed', counts: { deleted: 0 } });
    expect(await uris()).toEqual(['/valve.html']);
  });

  it('keeps the pages of a site whose robots.txt fails for a moment, and says what it left out', async () => {
    set({
      '/feed.xml': { body: feedOf('/pump.html', '/valve.html'), type: 'application/rss+xml' },
      '/pump.html': pump,
      '/valve.html': valve,
    });
    const connector: Connector = { kind: 'feed', url: at('/feed.xml') };
    expect((await sync(connector)).counts).toMatchObject({ done: 2 });
    set({ '/robots.txt': 503 });
    expect((await sync(connector)).counts).toMatchObject({ failed: 2, deleted: 0 });
    expect(await uris()).toEqual(['/pump.html', '/valve.html']);
    set({ '/robots.txt': 404 });
    const run = await sync({ ...connector, maxPages: 1 });
    expect(run.counts).toMatchObject({ unchanged: 2, deleted: 0, failed: 1 });
    expect(run.files.find(({ state }) => state === 'failed')?.error?.message).toContain('more than 1 pages');
  });

  it('asks for no address of what came out of a file', async () => {
    const packed = zipFile([{ name: 'one.md', content: '# One\n\nThe winch is green.' }]);
    set({
      '/feed.xml': { body: feedOf('/pack.zip', '/lines.jsonl'), type: 'application/rss+xml' },
      '/pack.zip': { body: packed, type: 'application/zip' },
      '/lines.jsonl': { body: '{"text":"The buoy is red."}', type: 'application/x-ndjson' },
      '/pack.zip/one.md': pump,
    });
    const connector: Connector = { kind: 'feed', url: at('/feed.xml') };
    await sync(connector);
    const before = await uris();
    expect(before).toContain('/pack.zip/one.md');
    expect(before).toHaveLength(2);
    await sync(connector);
    expect(site.asked.map(({ path }) => path)).not.toContain('/pack.zip/one.md');
    expect(await uris()).toEqual(before);
    expect((await footnote.search({ query: 'winch' })).results[0]?.uri).toBe(at('/pack.zip/one.md'));
  });
});
