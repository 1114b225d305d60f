// Pages of real PDFs: drawn, with boxes that hold exactly the words of the quote, wherever pdf.js finds words of its own.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdfOf } from '../../../testkit/pdf-of.ts';
import { drawnGlyphs, openPdf } from './drawn-glyphs.ts';
import {
  hasBrowser,
  openPage,
  overflow,
  type Server,
  sharedBrowser,
  startServer,
  type Watched,
  wordsUnderBoxes,
} from './harness.ts';
import { pdfWith, pictures } from './pictures-in-pdf.ts';

const folder = join(process.env['FOOTNOTE_SHARED_DATA'] ?? '', 'documents/pdf');
const hasDocuments = process.env['FOOTNOTE_SHARED_DATA'] !== undefined && existsSync(folder);

/** A file, and words of it that stand together. */
const cases = [
  ['attention-is-all-you-need.1706.03762v7.pdf', 'scaled dot-product'],
  ['tracemonkey.pdf', 'Dynamic languages such as JavaScript'],
  ['multicolumn.pdf', ''],
  ['german-umlaut-r.pdf', ''],
  ['habibi.pdf', ''],
  ['rotation.pdf', ''],
  ['french_diacritics.pdf', ''],
  ['markitdown-test.pdf', ''],
] as const;

describe.skipIf(!hasBrowser || !hasDocuments)('a page of a PDF', () => {
  let browser: Browser;
  let server: Server;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer()]);
    watched = await openPage(browser, server);
    ({ page } = watched);
  });
  afterAll(async () => {
    await server?.close();
  });

  const json = async <Value>(path: string): Promise<Value> => (await (await fetch(server.url + path)).json()) as Value;

  /** Dark pixels of the page. */
  const ink = (): Promise<number> =>
    page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      return [...data].filter((value, at) => at % 4 === 0 && value < 128).length;
    });

  it.each(cases)('of %s boxes the words and nothing else', async (name, words) => {
    const id = await server.add({ name, bytes: readFileSync(join(folder, name)), mime: 'application/pdf' });
    const { text } = await json<{ text: string }>(`/v1/documents/${id}/text`);
    const span = spanOf(text, words);
    await page.goto(`${server.url}/app/documents/${id}?start=${span.start}&end=${span.end}`);
    await page.locator('.page[data-drawn="true"]').waitFor();
    expect(await ink()).toBeGreaterThan(50);
    expect(await page.locator('.box').count()).toBeGreaterThan(0);
    // Each box lies on ink of the page as pdf.js drew it.
    const inked = await page.evaluate(() => {
      const canvas = document.querySelector('canvas') as HTMLCanvasElement;
      const ground = canvas.getBoundingClientRect();
      const scale = canvas.width / ground.width;
      return [...document.querySelectorAll('.box')].map((box) => {
        const { left, top, width, height } = box.getBoundingClientRect();
        const at = [(left - ground.left) * scale, (top - ground.top) * scale, width * scale, height * scale] as const;
        const { data } = canvas.getContext('2d')?.getImageData(...at) ?? { data: [] };
        return [...data].filter((value, place) => place % 4 < 3 && value < 160).length / (at[2] * at[3] * 3);
      });
    });
    for (const share of inked) expect(share).toBeGreaterThan(0.02);
    // The words whose centres lie under the boxes are the words of the quote.
    const under = await wordsUnderBoxes(page);
    const quote = text.slice(span.start, span.end);
    expect(under.join(' ').split(/\s+/).sort()).toEqual(quote.split(/\s+/).sort());
    expect(await page.locator('.words').textContent()).toContain(quote.split(/\s+/)[0]);
    await watched.check();
  });

  it.each(pictures)('shows a picture in $format, by the decoder that the worker loads', async (picture) => {
    const id = await server.add({ name: 'scan.pdf', bytes: pdfWith(picture), mime: 'application/pdf' });
    const decoder = page.waitForResponse((reply) => reply.url().includes('/assets/pdf/wasm/'));
    await page.goto(`${server.url}/app/documents/${id}?start=0&end=0`);
    await page.locator('.page[data-drawn="true"]').waitFor();
    expect((await decoder).status()).toBe(200);
    // Half of the page is the picture.
    const share = await page.locator('canvas').evaluate((canvas: HTMLCanvasElement, grey) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      return [...data].filter((value, at) => at % 4 === 0 && Math.abs(value - grey) < 8).length / (data.length / 4);
    }, picture.grey);
    expect(share).toBeGreaterThan(0.4);
    await watched.check();
  });

  it('is shown as text, with the reason, where the reader of PDF cannot be loaded', async () => {
    const id = await server.add({ name: 'scan.pdf', bytes: pdfWith(pictures[0]), mime: 'application/pdf' });
    await page.goto(server.url);
    await page.route('**/pdf.worker*', (route) => route.fulfill({ status: 429 }));
    await page.goto(`${server.url}/app/documents/${id}?start=0&end=4`);
    await page.locator('.source-text').waitFor();
    expect(await page.locator('.notice').textContent()).toContain('The page cannot be drawn. The text is shown');
    await page.unroute('**/pdf.worker*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.page[data-drawn="true"]').waitFor();
    await watched.check();
  });

  it.each(['90ms_rksj_h_sample.pdf', 'noembed-sjis.pdf'])('reads the map of characters that %s names', async (name) => {
    const id = await server.add({ name, bytes: readFileSync(join(folder, name)), mime: 'application/pdf' });
    const map = page.waitForResponse((reply) => reply.url().includes('/assets/pdf/cmaps/90ms-RKSJ'));
    await page.goto(`${server.url}/app/documents/${id}?start=0&end=0`);
    await page.locator('.page[data-drawn="true"]').waitFor();
    expect((await map).status()).toBe(200);
    expect(await ink()).toBeGreaterThan(50);
    await watched.check();
  });

  it('of a citation opens in a tab of its own, with the same boxes', async () => {
    await server.add({ name: cases[0][0], bytes: readFileSync(join(folder, cases[0][0])), mime: 'application/pdf' });
    await page.goto(server.url);
    await page.getByLabel('Question').fill('What is scaled dot-product attention?');
    await page.keyboard.press('Enter');
    await page.locator('.turn[data-state="done"] .text .mark').first().click();
    await page.locator('#source .page[data-drawn="true"]').waitFor();
    const places = (on: Page) =>
      on.locator('.box').evaluateAll((all) => all.map((box) => ({ ...(box as HTMLElement).dataset })));
    const [own] = await Promise.all([page.waitForEvent('popup'), page.locator('#own-tab').click()]);
    await own.locator('.page[data-drawn="true"]').waitFor();
    expect(new URL(own.url()).pathname).toMatch(/^\/app\/documents\//u);
    expect(await places(own)).toEqual(await places(page));
    expect(await places(own)).not.toEqual([]);
    await own.close();
  });

  it('tells the words that answer from their passage, within two pixels at each zoom', async () => {
    const bytes = readFileSync(join(folder, cases[0][0]));
    const id = await server.add({ name: cases[0][0], bytes, mime: 'application/pdf' });
    const { text } = await json<{ text: string }>(`/v1/documents/${id}/text`);
    const passage = spanOf(text, 'The two most commonly used attention functions');
    const words = spanOf(text, 'additive attention [2],');
    const at = `start=${passage.start}&end=${words.end + 60}&words=${words.start}-${words.end}`;
    await page.goto(`${server.url}/app/documents/${id}?${at}`);
    await page.locator('.page[data-drawn="true"]').waitFor();
    expect(await page.locator('.box.around').count()).toBe(2);
    const number = Number(/^Page (\d+) of/.exec((await page.getByText(/^Page \d+ of/).textContent()) ?? '')?.[1]);
    const glyphs = await drawnGlyphs(await openPdf(bytes), number);
    const widths: number[] = [];
    const steps = ['-75', '-50', '0100', '+125', '+150', '+200', '+300', '+400'].map((step) => [
      step[0],
      step.slice(1),
    ]);
    for (const [key = '', share] of steps) {
      await page.keyboard.press(key);
      await page.locator('#zoom-fit', { hasText: `${share}` }).waitFor();
      await page.locator('.page[data-drawn="true"]').waitFor();
      const { width, height, box } = await page.evaluate(() => {
        const canvas = document.querySelector('canvas') as HTMLCanvasElement;
        const ground = canvas.getBoundingClientRect();
        const { left, right, top, bottom } =
          document.querySelector('.box:not(.around)')?.getBoundingClientRect() ?? ground;
        const { width, height } = ground;
        const box = {
          left: left - ground.left,
          right: right - ground.left,
          top: top - ground.top,
          bottom: bottom - ground.top,
        };
        return { width, height, box };
      });
      const under = glyphs.filter(({ left, right, top, bottom }) => {
        const [x, y] = [((left + right) / 2) * width, ((top + bottom) / 2) * height];
        return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
      });
      expect(under.map((glyph) => glyph.text).join('')).toBe('additiveattention[2],');
      expect(Math.abs(Math.min(...under.map(({ left }) => left * width)) - box.left)).toBeLessThan(2);
      expect(Math.abs(Math.max(...under.map(({ right }) => right * width)) - box.right)).toBeLessThan(2);
      // What is drawn is as fine as it is shown.
      const drawnWidth = () => page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.width);
      await expect.poll(drawnWidth, { timeout: 60_000 }).toBeGreaterThan(0.95 * width);
      widths.push(width);
    }
    const [, half = 0, whole = 0, ...larger] = widths;
    expect([half / whole, ...larger.map((width) => width / whole)].map((share) => Math.round(share * 20) / 20)).toEqual(
      [0.5, 1.25, 1.5, 2, 3, 4],
    );
    await page.keyboard.press('0');
    await watched.check();
  });

  it('is drawn when it is asked for again, after a part of its file could not be had', async () => {
    const id = await server.add({ name: 'scan.pdf', bytes: pdfWith(pictures[0]), mime: 'application/pdf' });
    await page.route('**/file', (route) => route.fulfill({ status: 429, body: '{}' }));
    await page.goto(`${server.url}/app/documents/${id}?start=0&end=4`);
    await page.locator('.source-text').waitFor();
    expect(await page.locator('.notice').textContent()).toMatch(/The server refused\. .*429.* The text is shown/u);
    await page.unroute('**/file');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.page[data-drawn="true"]').waitFor();
    expect(await page.locator('.notice').count()).toBe(0);
    await watched.check();
  });

  it('is not boxed where no words stand, which is said in words for people', async () => {
    const name = cases[0][0];
    const id = await server.add({ name, bytes: readFileSync(join(folder, name)), mime: 'application/pdf' });
    const { text } = await json<{ text: string }>(`/v1/documents/${id}/text`);
    const start = text.indexOf('\n');
    await page.goto(`${server.url}/app/documents/${id}?start=${start}&end=${start + 1}`);
    await page.locator('.source-text').waitFor();
    const said = await page.locator('.notice').textContent();
    expect(said?.trim()).toBe('It is not recorded where these words stand on a page. The text is shown instead.');
    expect(await page.locator('.box').count()).toBe(0);
    await watched.check();
  });

  it('turns, and says what it is', async () => {
    const id = await server.add({
      name: 'attention.pdf',
      bytes: readFileSync(join(folder, cases[0][0])),
      mime: 'application/pdf',
    });
    await page.goto(`${server.url}/app/documents/${id}?start=0&end=0`);
    await page.locator('.page[data-drawn="true"]').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('img', { name: 'Page 2 as it looks' }).waitFor();
    await page.locator('.page[data-drawn="true"]').waitFor();
    expect(await page.locator('.box').count()).toBe(0);
    await page.getByRole('button', { name: 'As text' }).click();
    await page.locator('.source-text').waitFor();
    await watched.check();
  });

  it('that holds most of a quote is shown first, and the others are named', async () => {
    const lines = ['Of the keeper.', 'She climbs 214 steps every evening to the lamp.'];
    const id = await server.add({ name: 'keeper.pdf', bytes: await pdfOf(lines), mime: 'application/pdf' });
    const { text } = await json<{ text: string }>(`/v1/documents/${id}/text`);
    const at = `start=${text.indexOf('Of the keeper.')}&end=${text.indexOf('lamp.') + 5}`;
    await page.goto(`${server.url}/app/documents/${id}?${at}`);
    await page.getByRole('img', { name: 'Page 2 as it looks' }).waitFor();
    await page.getByRole('button', { name: 'Quoted on page 1 too' }).click();
    await page.getByRole('img', { name: 'Page 1 as it looks' }).waitFor();
    await page.locator('.page[data-drawn="true"]').waitFor();
    expect(await page.locator('.box').count()).toBe(1);
    await watched.check();
  });

  it('is drawn so large on a phone that its quoted lines can be read, until somebody chooses', async () => {
    const bytes = readFileSync(join(folder, cases[0][0]));
    const id = await server.add({ name: cases[0][0], bytes, mime: 'application/pdf' });
    const { text } = await json<{ text: string }>(`/v1/documents/${id}/text`);
    const { start, end } = spanOf(text, cases[0][1]);
    const phone = await openPage(browser, server, { viewport: { width: 375, height: 740 } });
    await phone.page.goto(`${server.url}/app/documents/${id}?start=${start}&end=${end}`);
    const drawn = phone.page.locator('.page[data-drawn="true"]');
    await drawn.waitFor();
    const height = (): Promise<number> =>
      phone.page.locator('.box').evaluate((box) => box.getBoundingClientRect().height);
    expect(await height()).toBeGreaterThan(8);
    expect(await overflow(phone.page)).toBe(0);
    const inSight = await phone.page.locator('.box').evaluate((box) => {
      const { left, right } = box.getBoundingClientRect();
      return left >= 0 && right <= innerWidth;
    });
    expect(inSight).toBe(true);
    await phone.page.keyboard.press('0');
    await expect.poll(height).toBeLessThan(8);
    await phone.check();
    await phone.close();
  });

  it('is fetched in parts: a page in the middle of a book needs no more than a part of the file', async () => {
    const bytes = readFileSync(join(folder, 'freeculture.pdf'));
    const id = await server.add({ name: 'freeculture.pdf', bytes, mime: 'application/pdf' });
    const { textLength } = await json<{ textLength: number }>(`/v1/documents/${id}`);
    const fetched: number[] = [];
    page.on('response', (reply) => {
      if (reply.url().endsWith('/file'))
        fetched.push(reply.status() === 206 ? Number(reply.headers()['content-length']) : 0);
    });
    const start = Math.floor(textLength / 2);
    await page.goto(`${server.url}/app/documents/${id}?start=${start}&end=${start + 40}`);
    await page.locator('.page[data-drawn="true"]').waitFor();
    const sum = fetched.reduce((total, one) => total + one, 0);
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThan(bytes.length / 2);
    await watched.check();
  });

  it('is not boxed where the record has no words on a page: the text is shown, and why', async () => {
    const id = await server
      .add({ name: 'fake.pdf', bytes: readFileSync(join(folder, 'empty.pdf')), mime: 'application/pdf' })
      .catch(() => undefined);
    if (id === undefined) return;
    await page.goto(`${server.url}/app/documents/${id}?start=0&end=0`);
    await page.locator('.source-text, .notice').first().waitFor();
    expect(await page.locator('.box').count()).toBe(0);
  });
});

/** The words where they stand, else some from the middle of the text; whole words. */
function spanOf(text: string, words: string): { start: number; end: number } {
  const found = words ? text.toLowerCase().indexOf(words.toLowerCase()) : -1;
  if (found >= 0) return { start: found, end: found + words.length };
  const all = [...text.matchAll(/\S+/gu)];
  const first = Math.floor(all.length / 3);
  const [from, to] = [all[first], all[Math.min(all.length - 1, first + 5)]];
  return { start: from?.index ?? 0, end: (to?.index ?? 0) + (to?.[0].length ?? 0) };
}
