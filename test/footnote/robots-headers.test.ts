// What a page asks of programs counts alike in its header and in its tag, whatever named the page: one that asks not to be kept is not, and is
// taken away when it begins to ask.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Connector } from '../../src/core/connector.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { openWebSite, page, type SiteAnswer, type SitePage, type WebSite } from '../../testkit/web-site.ts';

let folder: string;
let site: WebSite;
let opened: OpenedFootnote;
let footnote: Footnote;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-robots-'));
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

const set = (answers: Record<string, SiteAnswer>): void => {
  for (const [path, answer] of Object.entries(answers)) site.answers.set(path, answer);
};
const uris = async (): Promise<string[]> =>
  (await footnote.documents.list({ limit: 100 })).data.map(({ uri }) => uri.replace(site.origin, '')).sort();
async function sync(connector: Connector) {
  await footnote.sources.put({ name: 'read', type: 'docs', connector });
  return footnote.sources.sync('read');
}

const facts = [
  'The winch needs 24 volts.',
  'The bosun is Nils Aker.',
  'The crane lifts eleven tonnes.',
  'The vault opens at noon.',
];
const paths = facts.map((_, number) => `/dock/${number}`);
const own = (number: number, head = ''): SitePage => page(`Page ${number}`, `<p>${facts[number]}</p>`, head);
const withHeader =
  (number: number, said: string | string[]): SiteAnswer =>
  (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'x-robots-tag': said })
      .end(own(number).body);
const tag = (said: string, name = 'robots'): string => `<meta name="${name}" content="${said}">`;

const listings: readonly [string, () => Record<string, SiteAnswer>, () => Connector][] = [
  [
    'a sitemap',
    () => ({
      '/sitemap.xml': {
        body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>${site.origin}${path}</loc></url>`).join('')}</urlset>`,
        type: 'application/xml',
      },
    }),
    () => ({ kind: 'sitemap', url: `${site.origin}/dock/` }),
  ],
  [
    'links',
    () => ({ '/dock/': page('Dock', paths.map((path) => `<p><a href="${path}">${path}</a></p>`).join('')) }),
    () => ({ kind: 'sitemap', url: `${site.origin}/dock/` }),
  ],
  [
    'a feed',
    () => ({
      '/feed': {
        body: `<rss version="2.0"><channel><title>F</title>${paths.map((path) => `<item><link>${site.origin}${path}</link></item>`).join('')}</channel></rss>`,
        type: 'application/rss+xml',
      },
    }),
    () => ({ kind: 'feed', url: `${site.origin}/feed` }),
  ],
];
const asked: readonly [string, SiteAnswer][] = [
  ['noindex', withHeader(3, 'noindex')],
  ['NONE', withHeader(3, 'NONE')],
  ['for us', withHeader(3, 'otherbot: nofollow, footnote: noindex')],
  ['several headers', withHeader(3, ['otherbot: nofollow', 'noindex'])],
  ['a day that has passed', withHeader(3, 'unavailable_after: 25 Jun 2020 15:00:00 UTC')],
  ['a tag', own(3, tag('noindex, follow'))],
  ['a tag for us', own(3, tag('none', 'footnote'))],
];
const kept = paths.slice(0, 3);

it.each(listings)('pages that %s names', async (_, listing, connector) => {
  set({ ...listing(), ...Object.fromEntries(paths.map((path, number) => [path, own(number)])) });
  const names = async () => (await uris()).filter((uri) => uri !== '/dock/');
  await sync(connector());
  expect(await names()).toEqual(paths);
  for (const [how, answer] of asked) {
    set({ '/dock/3': answer });
    expect(await sync(connector()), how).toMatchObject({ state: 'done', counts: { deleted: 1, failed: 0 } });
    expect(await names(), how).toEqual(kept);
    expect(await sync(connector()), how).toMatchObject({ state: 'done', counts: { deleted: 0, failed: 0, done: 0 } });
    set({ '/dock/3': own(3) });
    await sync(connector());
    expect(await names(), how).toEqual(paths);
  }
  for (const said of [
    'otherbot: noindex',
    'max-image-preview:none',
    'unavailable_after: 1 Jan 2099 00:00:00 UTC',
    'nofollow',
  ]) {
    set({ '/dock/3': withHeader(3, said) });
    await sync(connector());
    expect(await names(), said).toEqual(paths);
  }
});

it('whole sites that still show their texts are certain, and addresses of a list were named by a person', async () => {
  const [[, listing, connector] = [], ,] = listings;
  set({ ...listing?.(), ...Object.fromEntries(paths.map((path, number) => [path, own(number)])) });
  await sync(connector?.() ?? { kind: 'url', urls: [] });
  set(Object.fromEntries(paths.map((path, number) => [path, withHeader(number, 'noindex')])));
  expect(await sync(connector?.() ?? { kind: 'url', urls: [] })).toMatchObject({
    state: 'done',
    counts: { deleted: 4 },
  });
  await sync({ kind: 'url', urls: paths.map((path) => `${site.origin}${path}`) });
  expect(await uris()).toEqual(paths);
});

it('a page that is as it was, and begins to ask, goes too', async () => {
  let said = '';
  const bodies = Object.fromEntries(
    paths.map((path, number): [string, SiteAnswer] => [
      path,
      (request, response) => {
        const status = request.headers['if-none-match'] === '"1"' ? 304 : 200;
        const asks = number === 3 && said !== '' ? { 'x-robots-tag': said } : {};
        response.writeHead(status, { 'content-type': 'text/html', etag: '"1"', ...asks });
        response.end(status === 304 ? undefined : own(number).body);
      },
    ]),
  );
  const [[, listing, connector] = []] = listings;
  set({ ...listing?.(), ...bodies });
  const run = () => sync(connector?.() ?? { kind: 'url', urls: [] });
  await run();
  expect((await run()).counts).toMatchObject({ unchanged: 4 });
  said = 'noindex';
  expect(await run()).toMatchObject({ state: 'done', counts: { deleted: 1 } });
  expect(await uris()).toEqual(kept);
  said = '';
  await run();
  expect(await uris()).toEqual(paths);
});

it('links are not followed from a page whose header says so', async () => {
  set({
    '/dock/': (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': 'nofollow' })
        .end('<p>Dock</p><a href="/dock/0">0</a>'),
    '/dock/0': own(0),
  });
  await sync({ kind: 'sitemap', url: `${site.origin}/dock/` });
  expect(await uris()).toEqual(['/dock/']);
});
