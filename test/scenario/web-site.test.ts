// A whole site, read twice: the second time it sends no page again, and a question is answered from it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { openWebSite, page } from '../../testkit/web-site.ts';

const pages = process.env['FOOTNOTE_TEST_LONG'] ? 2000 : 200;

it(`${pages} pages are sent once`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-site-'));
  const site = await openWebSite();
  for (let number = 0; number < pages; number += 1) {
    const next = `<a href="/docs/page-${number * 2 + 1}.html">on</a> <a href="/docs/page-${number * 2 + 2}.html">further</a>`;
    site.answers.set(
      `/docs/page-${number}.html`,
      page(
        `Station ${number}`,
        `<p>Station ${number} stands ${number * 3 + 7} metres above the river.</p><p>${next}</p>`,
      ),
    );
  }
  site.answers.set('/sitemap.xml', {
    body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${Array.from({ length: pages }, (_, number) => `<url><loc>${site.origin}/docs/page-${number}.html</loc></url>`).join('')}</urlset>`,
    type: 'application/xml',
  });
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), WEB_ALLOW_HOSTS: site.host, WEB_HOST_GAP_MS: '0' };
  const opened = await openFootnote(loadConfig({ folder, environment }));
  try {
    const footnote = opened.forScope(localScope());
    const connector = { kind: 'sitemap', url: `${site.origin}/sitemap.xml` } as const;
    await footnote.sources.put({ name: 'stations', type: 'docs', connector });
    const first = await footnote.sources.sync('stations');
    expect(first).toMatchObject({ state: 'done', counts: { found: pages, done: pages, failed: 0 } });
    const number = pages - 3;
    const answer = await footnote.ask({ question: `How many metres above the river does station ${number} stand?` });
    expect(answer.citations[0]).toMatchObject({ uri: `${site.origin}/docs/page-${number}.html` });
    expect(answer.answer).toContain(`${number * 3 + 7} metres`);

    site.asked.length = 0;
    const second = await footnote.sources.sync('stations');
    expect(second).toMatchObject({ state: 'done', counts: { unchanged: pages, done: 0, failed: 0, deleted: 0 } });
    const bodies = site.asked.filter(({ path, sentBytes }) => path.startsWith('/docs/') && sentBytes > 0);
    expect(bodies).toEqual([]);
    expect(site.asked.filter(({ status }) => status === 304)).toHaveLength(pages);
  } finally {
    await opened.close();
    await site.close();
    await rm(folder, { recursive: true });
  }
});
