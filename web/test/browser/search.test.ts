// The search in a real browser against the product: what is marked is what matched, the address holds what is asked for, and lists stand beside each other.
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  findings,
  hasBrowser,
  isDrawing,
  meant,
  openPage,
  overflow,
  pictures,
  type Server,
  sharedBrowser,
  startServer,
  type Watched,
  ways,
} from './harness.ts';

const subjects = [
  'lock',
  'wheel',
  'barn',
  'bridge',
  'weir',
  'sluice',
  'kiln',
  'orchard',
  'quay',
  'tower',
  'forge',
  'dam',
];
const places = ['Eastpoint', 'Kotor', 'Oban', 'Vardø'];
/** Enough passages that meaning is learned from them. */
const notes = places.flatMap((place, at) =>
  subjects.map((subject, number) => ({
    name: `${place}-${subject}.md`,
    text: `# The ${subject} of ${place}\n\nThe ${subject} of ${place} was rebuilt in ${1900 + at * 12 + number} after a flood. ${'It is looked after by the keeper and painted each spring. '.repeat(number)}\n`,
    mime: 'text/markdown',
  })),
);
const odd = [
  {
    name: '<img src=x onerror=alert(1)>.md',
    text: '# <b>Bold</b> harbours [2]\n\nThe harbour <script>document.title="run"</script> of **Eastpoint** is 9 metres deep [1].\n',
    mime: 'text/markdown',
  },
  { name: 'long.txt', text: `${'zalgo'.repeat(4000)} harbour ${'x'.repeat(30_000)}` },
  { name: 'ar.txt', text: 'بني الميناء القديم في عام 1931 بعد الفيضان. \u202eالميناء عميق\u202c وفيه سفن كثيرة.' },
];

interface Stores {
  readonly data: readonly { readonly vectors?: { readonly encoder?: { readonly state: string } } }[];
}

describe.skipIf(!hasBrowser)('the search', () => {
  let browser: Browser;
  let server: Server;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer(meant)]);
    for (const one of [...notes, ...odd]) await server.add(one);
    const shelf = { title: 'The shelf', text: 'The harbour has a shelf of maps.', metadata: { shelf: 7 } };
    const headers = { 'content-type': 'application/json' };
    const added = await fetch(`${server.url}/v1/documents?wait=true`, {
      method: 'POST',
      headers,
      body: JSON.stringify(shelf),
    });
    if (!added.ok) throw new Error(await added.text());
    // Meaning is learned while nobody asks.
    const learned = async (): Promise<boolean> => {
      const body = JSON.stringify({ query: 'kiln', explain: true });
      const reply = await fetch(`${server.url}/v1/search`, { method: 'POST', headers, body });
      return ((await reply.json()) as Found).results[0]?.explanation.fusion !== undefined;
    };
    await vi.waitUntil(learned, { timeout: 120_000, interval: 5000 });
    // What the encoder adds to it would change scores between two looks.
    const encoded = async (): Promise<boolean> => {
      const { data } = (await (await fetch(`${server.url}/v1/stores`)).json()) as Stores;
      return !data.some(({ vectors }) => ['waiting', 'encoding'].includes(vectors?.encoder?.state ?? ''));
    };
    await vi.waitUntil(encoded, { timeout: 120_000, interval: 1000 });
  });
  afterAll(async () => {
    await server?.close();
  });
  afterEach(async () => {
    await watched.check();
    await watched.close();
  });
  /** What the page was given, in its order. */
  let given: Found[];
  const open = async (path: string): Promise<void> => {
    watched = await openPage(browser, server);
    ({ page } = watched);
    given = [];
    page.on('response', async (reply) => {
      if (new URL(reply.url()).pathname === '/v1/search')
        given.push(
          ...(await reply.json().then(
            (one: Found) => [one],
            () => [],
          )),
        );
    });
    await page.goto(server.url + path);
  };
  /** The page may have drawn a reply before the test has read it. */
  const givenIn = (mode: string): Promise<Found> =>
    vi.waitUntil(() => given.findLast((one) => one.mode === mode), { timeout: 60_000 });
  const settled = (): Promise<void> => page.locator('#results[aria-busy="false"] h3').waitFor();
  const titles = (): Promise<string[]> => page.locator('.results h4 bdi').allTextContents();
  const query = (): URLSearchParams => new URL(page.url()).searchParams;

  it('is reached by keys, and marks the words that matched', async () => {
    await open('');
    await page.locator('#holdings').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('question');
    await page.keyboard.type('bridges rebuilt at Oban');
    await page.keyboard.press('Enter');
    await settled();
    expect(query().get('q')).toBe('bridges rebuilt at Oban');
    expect((await titles())[0]).toBe('The bridge of Oban');
    const marks = await page.locator('.results > li').first().locator('mark').allTextContents();
    expect(new Set(marks)).toEqual(new Set(['bridge', 'Oban', 'rebuilt']));
    expect(await page.title()).toBe('bridges rebuilt at Oban – Search – Footnote');
    expect(await page.locator('#status').textContent()).toBe('10 results');
  });

  it('keeps filters in the address, where back and reload find them', async () => {
    await open('/app/search?q=harbour');
    await settled();
    expect(await titles()).toContain('long');
    await page.getByText('Filters', { exact: true }).click();
    await page.getByLabel('Language').fill('ar');
    await page.getByLabel('Language').press('Tab');
    await expect.poll(() => query().get('language')).toBe('ar');
    await expect.poll(() => page.locator('#results').textContent()).toContain('Nothing matches');
    await page.goBack();
    await expect.poll(titles).toContain('long');
    expect(await page.getByLabel('Language').inputValue()).toBe('');
    await page.getByLabel('Type').selectOption('docs');
    await page.getByLabel('When').selectOption('read');
    await page.getByLabel('From').fill('2020-01-01');
    await page.getByLabel('Up to').fill('2021-01-01');
    await expect.poll(() => page.url()).toContain('time=read&from=2020-01-01&to=2021-01-01');
    await expect.poll(() => page.locator('#results').textContent()).toContain('Nothing matches');
    await page.getByLabel('Up to').fill('2100-01-01');
    await expect.poll(titles).toContain('long');
    await page.reload();
    await settled();
    expect(await titles()).toContain('long');
    expect(await page.getByLabel('From').inputValue()).toBe('2020-01-01');
    expect(await page.getByText('Filters (2)').count()).toBe(1);
    await page.getByLabel('Name').first().fill('shelf');
    await page.getByLabel('Value').first().fill('7');
    await page.getByLabel('Value').first().press('Enter');
    await expect.poll(() => query().get('field')).toBe('shelf=7');
    await expect.poll(titles).toEqual(['The shelf']);
    expect(await page.getByLabel('Name').count()).toBe(2);
    await page.getByLabel('Source').selectOption('about-footnote');
    await expect.poll(titles).toEqual([]);
  });

  it('shows of what a score is made, as bars that add up to it', async () => {
    await open('/app/search?q=kiln rebuilt after a flood');
    await settled();
    const rows = page.locator('.results > li');
    const told = await rows
      .locator('.bar')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
    expect(told[0]).toMatch(/^Score [\d.]+: words [\d.]+, meaning [\d.]+/);
    const widths = await rows.locator('.bar').evaluateAll((all) =>
      all.map((bar) => {
        const whole = bar.getBoundingClientRect();
        return [...bar.querySelectorAll('rect')].map((part) => part.getBoundingClientRect().width / whole.width);
      }),
    );
    const { results } = await givenIn('hybrid');
    const best = Math.max(...results.map(({ score }) => score));
    for (const [at, { explanation }] of results.entries()) {
      const [words = 0, meaning = 0] = widths[at] ?? [];
      const { lexical, vector } = explanation.fusion ?? {};
      // What the search gave: passages may have put a result in another place, which has its score.
      expect(words).toBeCloseTo((lexical?.contribution ?? 0) / best, 2);
      expect(meaning).toBeCloseTo((vector?.contribution ?? 0) / best, 2);
    }
    expect((widths[0]?.[0] ?? 0) + (widths[0]?.[1] ?? 0)).toBeCloseTo((results[0]?.score ?? 0) / best, 2);
    await rows.first().getByText('Why it stands here').click();
    const why = await rows.first().locator('.why').textContent();
    expect(why).toContain('BM25 over');
    expect(await rows.first().getByRole('table', { name: 'Words that it was found by' }).count()).toBe(1);
    expect(await rows.first().locator('.facts').last().textContent()).toMatch(
      /\d+ in hybrid, \d+ by words alone, \d+ by meaning alone, placed by its best passage/,
    );
  });

  it('opens a result in the source pane, by mouse and by key, and gives focus back', async () => {
    await open('/app/search?q=tower+of+Vardø');
    await settled();
    await page.locator('.results h4 button').first().click();
    await page.locator('.source-text').waitFor();
    expect(await page.locator('#source-title').textContent()).toBe('The tower of Vardø');
    const painted = (): Promise<string | undefined> =>
      page.evaluate(() => ([...(CSS.highlights.get('quote') ?? [])] as Range[])[0]?.toString());
    await expect.poll(painted).toContain('The tower of Vardø was rebuilt');
    expect(query().get('open')).toMatch(/^doc_\w+\.\d+\.\d+$/);
    await page.reload();
    await page.locator('.source-text').waitFor();
    await expect.poll(painted).toContain('The tower of Vardø was rebuilt');
    await settled();
    await page.keyboard.press('Escape');
    expect(await page.locator('#source').count()).toBe(0);
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset['place'])).toBe('1');
    await page.keyboard.press('2');
    await page.locator('#source').waitFor();
    await expect.poll(() => page.locator('#source-title').textContent()).toBe((await titles())[1] ?? '');
    await page.goBack();
    expect(await page.locator('#source').count()).toBe(0);
    await page.locator('body').press('j');
    expect(await page.evaluate(() => document.activeElement?.matches('.results > li:first-child'))).toBe(true);
  });

  it('draws two modes beside each other, with a line for whatever both found', async () => {
    await open('/app/search?q=rebuilt+sluice&mode=embedded');
    await settled();
    await page.getByLabel('Beside it').selectOption('vector');
    await page.locator('.compare').waitFor();
    expect(query().get('beside')).toBe('vector');
    const [words, meaning] = [await givenIn('embedded'), await givenIn('vector')];
    const ids = ({ results }: typeof words): string[] => results.map(({ chunkId }) => chunkId);
    const shown = (name: string): Promise<(string | null)[]> =>
      page
        .getByRole('region', { name })
        .locator('li')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-chunk')));
    expect(await shown('By embedded (words)')).toEqual(ids(words));
    expect(await shown('By vector (meaning)')).toEqual(ids(meaning));
    const both = ids(words).filter((id) => ids(meaning).includes(id));
    expect(both.length).toBeGreaterThan(0);
    const lines = page.locator('.movements path');
    const joined = await lines.evaluateAll((all) => all.map((one) => one.getAttribute('data-chunk')));
    expect(new Set(joined)).toEqual(new Set(both));
    // A line begins and ends at the middle of the rows that it joins.
    const off = await lines.evaluateAll((all) =>
      all.map((line) => {
        const { top, bottom } = line.getBoundingClientRect();
        const rows = [...document.querySelectorAll(`.column [data-chunk="${line.getAttribute('data-chunk')}"]`)];
        const middles = rows.map((row) => row.getBoundingClientRect()).map((box) => (box.top + box.bottom) / 2);
        return Math.max(Math.abs(top - Math.min(...middles)), Math.abs(bottom - Math.max(...middles)));
      }),
    );
    expect(Math.max(...off)).toBeLessThan(3);
    const right = page.getByRole('region', { name: 'By vector (meaning)' }).locator('li').first();
    const was = ids(words).indexOf(ids(meaning)[0] ?? '') + 1;
    expect(await right.locator('strong').textContent()).toBe(
      was === 0 ? 'only here' : was === 1 ? 'same place' : `up ${was - 1}`,
    );
    await page.locator('#main').getByText('Settings', { exact: true }).click();
    await page.getByLabel('Least score of the other list').fill('0.99');
    await page.getByLabel('Least score of the other list').press('Enter');
    await expect.poll(() => query().get('besideMin')).toBe('0.99');
    await page.getByLabel('Least score of the other list').fill('0,5');
    await page.getByLabel('Least score of the other list').press('Enter');
    await expect.poll(() => page.locator('#failure').textContent()).toContain('a number from 0 to 1 with a point');
    expect(query().get('besideMin')).toBe('0.99');
    await page.getByLabel('Least score of the other list').fill('.990');
    await page.getByLabel('Least score of the other list').press('Enter');
    await expect.poll(() => page.locator('#failure').count()).toBe(0);
    await expect.poll(() => page.locator('.column').last().locator('li').count()).toBeLessThan(meaning.results.length);
  });

  it('takes markup, long words and other directions for text', async () => {
    await open('/app/search?q=harbour+metres+deep');
    await settled();
    const text = await page.locator('.results > li').first().textContent();
    expect(text).toContain('<script>document.title="run"</script>');
    expect(text).toContain('Bold harbours [2]');
    expect(await page.locator('#results :is(img, script, b)').count()).toBe(0);
    expect(await overflow(page)).toBe(0);
    await page.goto(`${server.url}/app/search?q=${encodeURIComponent('الميناء')}`);
    await settled();
    const first = page.locator('.results > li').first();
    expect(await first.locator('mark').allTextContents()).toContain('الميناء');
    expect(await first.locator('.passage').evaluate((one) => getComputedStyle(one).direction)).toBe('rtl');
    expect(await first.textContent()).not.toContain('\u202e');
    await page.goto(`${server.url}/app/search?q=harbour&field=a&limit=99999&mode=none&open=x&from=soon`);
    await settled();
    expect((await titles()).length).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Whole passage' }).first().click();
    expect(await overflow(page)).toBe(0);
  });

  it.each(ways)('has no finding of axe, $name', async ({ name, options }) => {
    watched = await openPage(browser, server, { ...options, bypassCSP: true });
    ({ page } = watched);
    await page.goto(`${server.url}/app/search`);
    await page.locator('#search-form').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Search for' }).fill('the bridge after the flood');
    await page.keyboard.press('Enter');
    await settled();
    for (const summary of ['Filters', 'Settings', 'Why it stands here'])
      await page.locator('#main').getByText(summary, { exact: true }).first().click();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.getByText('Why it stands here').first().click();
    for (const summary of ['Filters', 'Settings'])
      await page.locator('#main').getByText(summary, { exact: true }).first().click();
    if (isDrawing && name === 'light') await draw('search', 640);
    await page.locator('.results h4 button').first().click();
    await page.locator('.source-text').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.goto(`${server.url}/app/search?q=the+bridge+after+the+flood&mode=embedded&beside=vector`);
    await page.locator('.compare').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    if (isDrawing && name === 'light') await draw('search-beside', 900);
    const smallest = await page
      .locator('main :is(button, select, summary):visible')
      .evaluateAll((all) => Math.min(...all.map((one) => one.getBoundingClientRect().height)));
    expect(smallest).toBeGreaterThanOrEqual(24);
    expect(await page.locator('[aria-live], [role="status"], [role="alert"]').count()).toBe(1);
  });

  it('forgets what the former key found as soon as another one is given', async () => {
    const secret = server.createKey('reader');
    await open('/app/search?q=bridge');
    await page.getByLabel('Key', { exact: true }).fill(secret);
    await page.keyboard.press('Enter');
    await settled();
    expect((await titles()).length).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Key', exact: true }).click();
    await page.getByLabel('Key', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('does not know this key').waitFor();
    expect(await titles()).toEqual([]);
  });

  const draw = async (name: string, height: number): Promise<void> => {
    await page.setViewportSize({ width: 1240, height });
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  };

  interface Part {
    readonly contribution: number;
  }
  interface Explained {
    readonly chunkId: string;
    readonly score: number;
    readonly explanation: { readonly fusion?: { readonly lexical?: Part; readonly vector?: Part } };
  }
  interface Found {
    readonly mode: string;
    readonly results: readonly Explained[];
  }
});
