// A site of many pages, read twice: the second time no body is sent that did not change, one that changed is, and what is gone goes. 2,000 pages in the
// long suite.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { localScope } from '../../../src/core/scope.ts';
import { openFootnote } from '../../../testkit/open-footnote.ts';
import { openWebSite, page } from '../../../testkit/web-site.ts';

const pages = process.env['FOOTNOTE_TEST_LONG'] ? 2_000 : 60;

it(`sends no unchanged body of ${pages} pages twice`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-site-'));
  const site = await openWebSite();
  const opened = await openFootnote(
    loadConfig({
      folder,
      environment: { FOOTNOTE_DATA: join(folder, 'data'), WEB_ALLOW_HOSTS: site.host, WEB_HOST_GAP_MS: '0' },
    }),
  );
  try {
    const footnote = opened.forScope(localScope());
    const paths = Array.from({ length: pages }, (_, at) => `/p${at}.html`);
    const list = (some: readonly string[]) => ({
      type: 'application/xml',
      body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${some.map((path) => `<url><loc>${site.origin}${path}</loc></url>`).join('')}</urlset>`,
    });
    for (const [at, path] of paths.entries())
      site.answers.set(path, page(`Pump ${at}`, `<p>Pump ${at} moves ${at + 7} litres a minute.</p>`));
    site.answers.set('/sitemap.xml', list(paths));
    await footnote.sources.put({
      name: 'site',
      type: 'web',
      connector: { kind: 'sitemap', url: `${site.origin}/sitemap.xml` },
    });
    const bodies = (): string[] =>
      site.asked.flatMap(({ path, status }) => (status === 200 && path.startsWith('/p') ? [path] : []));
    const first = await footnote.sources.sync('site');
    expect(first).toMatchObject({ state: 'done', counts: { done: pages, failed: 0 } });
    expect(bodies()).toHaveLength(pages);

    site.asked.length = 0;
    await footnote.sources.sync('site');
    expect(bodies()).toEqual([]);
    expect(site.asked.filter(({ status }) => status === 304).length).toBeGreaterThanOrEqual(pages);

    site.asked.length = 0;
    site.answers.set('/p3.html', page('Pump 3', '<p>Pump 3 moves 99 litres a minute.</p>'));
    site.answers.set('/p5.html', 404);
    site.answers.set('/sitemap.xml', list(paths.filter((path) => path !== '/p5.html')));
    await footnote.sources.sync('site');
    expect(bodies()).toEqual(['/p3.html']);
    expect((await footnote.sources.list()).find(({ name }) => name === 'site')?.documents).toBe(pages - 1);
  } finally {
    await opened.close();
    await site.close();
    await rm(folder, { recursive: true });
  }
}, 600_000);
