// Addresses that nobody may ask, at every door that takes one: a single page, a list, a site, a feed, a repository, and what sites themselves
// name in redirects, sitemaps, feeds, links and robots.txt. Invariant: not one connection is made but to the site that is allowed.
import { mkdtemp, rm } from 'node:fs/promises';
import net, { type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Connector } from '../../src/core/connector.ts';
import { toFootnoteError } from '../../src/core/errors.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { openWebSite, page, type WebSite } from '../../testkit/web-site.ts';
import { hostileAddresses, hostileUrls } from '../net/hostile-addresses.ts';

let folder: string;
let site: WebSite;
let opened: OpenedFootnote;
let footnote: Footnote;
const connected: string[] = [];
/** As whole addresses; what is no address at all stays as it is. */
const forms = [
  ...hostileUrls.filter((url) => !/8\.8\.8\.8/u.test(url)),
  ...hostileAddresses
    .filter((address) => address !== '')
    .flatMap((address) => {
      const host = address.includes(':') ? `[${address}]` : address;
      return [`http://${host}/`, `https://${host}/x`, `http://${host}:8080/`, `http://user:pass@${host}/`];
    }),
].filter((url) => !/\/\/(?:\[::ffff:8\.|8\.8\.8\.8|x[:/]|08\.8)/u.test(url));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-entries-'));
  site = await openWebSite();
  opened = await openFootnote(
    loadConfig({
      folder,
      environment: {
        FOOTNOTE_DATA: join(folder, 'data'),
        WEB_ALLOW_HOSTS: site.host,
        WEB_HOST_GAP_MS: '0',
        WEB_TIMEOUT_MS: '2000',
      },
    }),
  );
  footnote = opened.forScope(localScope());
});
beforeEach(() => {
  const { connect } = net.Socket.prototype;
  // Every attempt at an address: a name that the guard refuses never becomes one.
  vi.spyOn(net.Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...given: unknown[]): Socket {
    const [first] = given.flat() as { host?: string; port?: number }[];
    const { host = '', port } = typeof first === 'object' && first !== null ? first : {};
    if (net.isIP(host) !== 0) connected.push(`${host}:${port}`);
    this.on('connectionAttempt', (address: string, to: number) => connected.push(`${address}:${to}`));
    this.on('connect', () => connected.push(`${this.remoteAddress}:${this.remotePort}`));
    return Reflect.apply(connect, this, given) as Socket;
  });
});
afterAll(async () => {
  await opened.close();
  await site.close();
  await rm(folder, { recursive: true });
});

/** Public addresses may be asked; pipes have no address. */
const outside = (): string[] =>
  connected.filter((one) => one !== site.host && !one.startsWith('8.8.8.8:') && !one.startsWith('undefined'));
const sync = async (connector: Connector) => {
  try {
    await footnote.sources.put({ name: 'hostile', type: 'web', connector });
    return await footnote.sources.sync('hostile');
  } catch (thrown) {
    return toFootnoteError(thrown);
  }
};

it(`${forms.length} addresses are asked by nobody who names one`, async () => {
  expect(forms.length).toBeGreaterThan(300);
  for (const url of forms) {
    const added = await footnote.documents.add({ url }).catch(toFootnoteError);
    expect(added, url).toMatchObject({
      code: expect.stringMatching(/^(?:forbidden|invalid-request|upstream-unavailable)$/u),
    });
  }
  const valid = forms.filter((url) => URL.parse(url)?.protocol.startsWith('http'));
  // One that holds a name or password is refused with all that are named beside it.
  const open = valid.filter((url) => URL.parse(url)?.username === '');
  expect(open.length).toBeLessThan(valid.length);
  expect(await sync({ kind: 'url', urls: valid })).toMatchObject({ code: 'invalid-request' });
  const run = await sync({ kind: 'url', urls: open });
  expect(run).toMatchObject({ counts: { done: 0, unchanged: 0 } });
  for (const url of valid.filter((_, place) => place % 8 === 0)) {
    await sync({ kind: 'sitemap', url });
    await sync({ kind: 'feed', url });
    // Before git is begun, which makes connections of its own.
    const fetched = await sync({ kind: 'git', url });
    const code = 'code' in fetched ? fetched.code : fetched.error?.code;
    expect(code, url).toMatch(/^(?:forbidden|invalid-request|upstream-unavailable)$/u);
  }
  expect(outside()).toEqual([]);
  expect((await footnote.documents.list({ limit: 5 })).data).toEqual([]);
});

it('and by nothing that a site names', async () => {
  const escapeHtml = (url: string): string =>
    url.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  site.answers.set('/robots.txt', {
    body: forms
      .slice(0, 50)
      .map((url) => `Sitemap: ${url}`)
      .join('\n'),
    type: 'text/plain',
  });
  site.answers.set(
    '/',
    page('Start', `${forms.map((url) => `<a href="${escapeHtml(url)}">x</a>`).join('')}<p>It holds.</p>`),
  );
  site.answers.set('/map.xml', {
    body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${forms.map((url) => `<url><loc>${escapeHtml(url)}</loc></url>`).join('')}</urlset>`,
    type: 'application/xml',
  });
  site.answers.set('/index.xml', {
    body: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${forms.map((url) => `<sitemap><loc>${escapeHtml(url)}</loc></sitemap>`).join('')}</sitemapindex>`,
    type: 'application/xml',
  });
  site.answers.set('/feed.xml', {
    body: `<rss version="2.0"><channel><title>x</title>${forms.map((url) => `<item><link>${escapeHtml(url)}</link></item>`).join('')}</channel></rss>`,
    type: 'application/rss+xml',
  });
  await sync({ kind: 'sitemap', url: `${site.origin}/`, maxDepth: 3 });
  await sync({ kind: 'sitemap', url: `${site.origin}/map.xml`, maxDepth: 2 });
  await sync({ kind: 'sitemap', url: `${site.origin}/index.xml` });
  await sync({ kind: 'feed', url: `${site.origin}/feed.xml` });
  const urls = forms.map((url, place) => {
    site.answers.set(`/to/${place}`, { location: url.trim().replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent) });
    return `${site.origin}/to/${place}`;
  });
  const run = await sync({ kind: 'url', urls });
  expect(run).toMatchObject({ counts: { done: 0 } });
  expect(connected).toContain(site.host);
  expect(outside()).toEqual([]);
});
