// What readers of the screen are given on each page: roles and names as Chromium tells them, held as a snapshot, so that no change of them goes unseen.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openPage, type Server, sharedBrowser, startServer } from './harness.ts';

/** What differs from one run, and from one machine, to the next. */
const steady = (tree: string): string =>
  withoutDated(tree)
    .replace(/\b(?:doc|ans|trc|trace|ses|sess|conv|run|key|mem|rag|ing)_[\w-]+/gu, 'ID')
    .replace(/\/url: .*/gu, '/url: …')
    .replace(/(?<!level=)\b\d+(?:[.,]\d+)*/gu, '0')
    .replace(/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b/gu, 'Month')
    .replace(/\b[AP]M\b/gu, 'PM');

/** Rows of a log are as many as requests came before. */
function withoutDated(tree: string): string {
  let depth: number | undefined;
  return tree
    .split('\n')
    .filter((line) => {
      const own = line.search(/\S/u);
      if (depth !== undefined && own > depth) return false;
      depth = /^\s*- row "\d+\/\d+\/\d+/u.test(line) ? own : undefined;
      return depth === undefined;
    })
    .join('\n');
}

/** All but that of health, which is about the machine. */
const pages = [
  ['traces', '/app/traces'],
  ['ask', '/'],
  // What comes with the program is read at once, and stands in no order of its own.
  ['documents', '/app/documents?source=uploads'],
  ['sources', '/app/sources'],
  ['conversations', '/app/conversations'],
  ['evals', '/app/evals'],
  ['memory', '/app/memory'],
  ['settings', '/app/settings'],
  ['unknown', '/app/none'],
  ['search', '/app/search?q=citation'],
] as const;

describe.skipIf(!hasBrowser)('names and roles', () => {
  let browser: Browser;
  let server: Server;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer()]);
    await server.add({
      name: 'mill.md',
      text: '# The mill\n\nThe citation of the mill is from 1931.',
      mime: 'text/markdown',
    });
    await fetch(`${server.url}/v1/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'mill' }),
    });
  });
  afterAll(async () => {
    await server?.close();
  });

  it.each(pages)('of %s are as they were', async (name, path) => {
    const { page, check, close } = await openPage(browser, server);
    await page.goto(server.url + path);
    await page.waitForLoadState('networkidle');
    await expect.poll(() => page.getByText(/^(?:Opening|Looking|Loading|Searching)…$/u).count()).toBe(0);
    await expect(steady(await page.locator('body').ariaSnapshot())).toMatchFileSnapshot(`names/${name}.txt`);
    await check();
    await close();
  });

  it('of an answer and its source are as they were', async () => {
    const { page, check, close } = await openPage(browser, server);
    await page.goto(server.url);
    await page.getByLabel('Question').fill('What does a citation point to?');
    await page.keyboard.press('Enter');
    await page.locator('.turn[data-state="done"] .text .mark').first().click();
    await page.locator('#source .source-text').waitFor();
    await page.locator('#sessions a').first().waitFor({ state: 'attached' });
    await expect(steady(await page.locator('body').ariaSnapshot())).toMatchFileSnapshot('names/answer.txt');
    await check();
    await close();
  });
});
