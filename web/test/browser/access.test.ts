// For everyone: the rules of WCAG 2.2 AA by axe in both schemes and on the narrowest screen, names by which people find things, and the pictures of the documentation.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printedPage } from './generated-pdfs.ts';
import {
  findings,
  hasBrowser,
  isDrawing,
  openPage,
  overflow,
  pictures,
  type Server,
  sharedBrowser,
  startServer,
  ways,
} from './harness.ts';

describe.skipIf(!hasBrowser)('the pages', () => {
  let browser: Browser;
  let server: Server;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer()]);
  });
  afterAll(async () => {
    await server?.close();
  });

  it.each(ways)(
    'have no finding of axe, $name: empty, with an answer, with a source, with the shortcuts',
    async ({ name, options }) => {
      // Axe is put in by the test, which the policy of the page would refuse.
      const { page, close } = await openPage(browser, server, { ...options, bypassCSP: true });
      await page.goto(server.url);
      await page.locator('#holdings').waitFor({ state: 'attached' });
      expect(await findings(page)).toEqual([]);
      await page.getByLabel('Question').fill('What does a citation point to?');
      await page.keyboard.press('Enter');
      await page.locator('.turn[data-state="done"]').waitFor();
      expect(await findings(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      if (isDrawing && name === 'phone') await draw(page, name);
      await page.locator('.text .mark').first().click();
      await page.locator('.source-text').waitFor();
      expect(await findings(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      if (isDrawing && name !== 'phone') await draw(page, name);
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      expect(await findings(page)).toEqual([]);
      await close();
    },
  );

  it('do not scroll where all is in sight', async () => {
    const { page, close } = await openPage(browser, server, { viewport: { width: 1280, height: 900 } });
    await page.goto(server.url);
    await page.locator('#holdings').waitFor({ state: 'attached' });
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
    await page.setViewportSize({ width: 375, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
    await close();
  });

  it('leave most of a phone to the answer', async () => {
    const { page, close } = await openPage(browser, server, { viewport: { width: 320, height: 640 } });
    await page.goto(server.url);
    const composer = await page.locator('form#ask').boundingBox();
    expect(composer?.height).toBeLessThan(640 * 0.2);
    await close();
  });

  it('tell readers of the screen the quote when its source opens, beside an answer and alone', async () => {
    const { page, check, close } = await openPage(browser, server);
    await page.goto(server.url);
    await page.getByLabel('Question').fill('What does a citation point to?');
    await page.keyboard.press('Enter');
    await page.locator('.turn[data-state="done"] .text .mark').first().click();
    await page.locator('.source-text').waitFor();
    const quote = await page.evaluate(() => ([...(CSS.highlights.get('quote') ?? [])] as Range[])[0]?.toString());
    expect(quote).toBeTruthy();
    const described = (on: Page): Promise<string | undefined> =>
      on.evaluate(() => {
        const id = document.activeElement?.getAttribute('aria-describedby');
        return document.getElementById(id ?? '')?.textContent ?? undefined;
      });
    // The words that answer are painted, and the passage that they stand in is told.
    expect(await described(page)).toContain(quote);
    const [own] = await Promise.all([page.waitForEvent('popup'), page.locator('#own-tab').click()]);
    await own.locator('.source-text').waitFor();
    await expect.poll(() => described(own)).toContain(quote);
    await check();
    await close();
  });

  it('keep focus out of what a source covers on a phone, and give it back', async () => {
    const { page, check, close } = await openPage(browser, server, { viewport: { width: 320, height: 640 } });
    await page.goto(server.url);
    await page.getByLabel('Question').fill('What does a citation point to?');
    await page.keyboard.press('Enter');
    await page.locator('.turn[data-state="done"] .text .mark').first().click();
    await page.locator('.source-text').waitFor();
    for (let presses = 0; presses < 25; presses += 1) {
      await page.keyboard.press('Tab');
      const where = await page.evaluate(() => {
        const focused = document.activeElement as Element;
        return focused === document.body || focused.closest('#source') !== null ? 'source' : focused.outerHTML;
      });
      expect(where).toBe('source');
    }
    await page.getByRole('button', { name: 'Close the source' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-citation'))).toBe('1');
    await check();
    await close();
  });

  it('skip to what the page is about, on each page', async () => {
    const { page, check, close } = await openPage(browser, server);
    for (const path of ['/', '/app/documents/doc_none?start=0&end=0', '/app/none']) {
      await page.goto(server.url + path);
      const target = await page.locator('.skip').getAttribute('href');
      expect(await page.locator(target ?? '').count(), path).toBe(1);
    }
    await check();
    await close();
  });

  it('have names by which people and programs find things', async () => {
    const { page, check, close } = await openPage(browser, server);
    await page.goto(server.url);
    await page.getByLabel('Question').fill('What does a citation point to?');
    await page.keyboard.press('Enter');
    await page.locator('.turn[data-state="done"]').waitFor();
    for (const name of ['Thumbs up', 'Thumbs down', 'Copy', 'Ask', 'New session', 'Shortcuts'])
      expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(1);
    const mark = page.locator('.text .mark').first();
    expect(await mark.getAttribute('aria-label')).toMatch(/^Source 1: Citations and verification, line/);
    expect(await mark.getAttribute('aria-expanded')).toBe('false');
    await mark.click();
    expect(await mark.getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator(`#${await mark.getAttribute('aria-controls')}`).count()).toBe(1);
    const live = await page.locator('[aria-live], [role="status"], [role="alert"]').count();
    expect(live).toBe(1);
    const smallest = await page
      .locator('button:visible, select:visible')
      .evaluateAll((all) =>
        Math.min(...all.flatMap((one) => [one.getBoundingClientRect().width, one.getBoundingClientRect().height])),
      );
    expect(smallest).toBeGreaterThanOrEqual(24);
    await check();
    await close();
  });

  // From here on the documents about Footnote itself answer nothing any more.
  it.each(ways)('have no finding of axe beside a page of a PDF, $name', async ({ name, options }) => {
    await server.add({ name: 'lighthouse.pdf', bytes: await printedPage(), mime: 'application/pdf' });
    const { page, close } = await openPage(browser, server, { ...options, bypassCSP: true });
    await page.goto(server.url);
    await page.getByLabel('Question').fill('When was the lighthouse of Eastpoint built?');
    await page.keyboard.press('Enter');
    await page.locator('.text .mark').first().click();
    await page.locator('#source .page[data-drawn="true"]').waitFor();
    expect(await page.locator('#source .box').count()).toBeGreaterThan(0);
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    if (isDrawing && name !== 'dark') await draw(page, `page-${name}`);
    await close();
  });
});

async function draw(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  if (!name.endsWith('phone')) await page.setViewportSize({ width: 1240, height: 560 });
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.screenshot({ path: join(pictures, `ask-${name}.png`) });
}
