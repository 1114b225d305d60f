// What somebody looks for stands in sight without a turn of the wheel: the answer to a follow-up, the words of a source, and what leads through it.
import { PDFDocument, StandardFonts } from 'pdf-lib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, meant, openPage, type Server, sharedBrowser, startServer, type Watched } from './harness.ts';

/** Passages that fill a window each. */
const mill = ['wheel', 'lock', 'grain', 'miller']
  .map(
    (name) =>
      `## The ${name}\n\n${`Of the ${name} of the mill of Eastpoint the chronicle tells at length and in order. `.repeat(12)}\n`,
  )
  .join('\n');

/** As high as paper, with its words in the lower half. */
async function paper(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of [
    'The keeper of Northpoint is Ada Frost.',
    'The lamp of Northpoint burns 12 litres of oil a night.',
  ])
    document.addPage([595, 842]).drawText(text, { x: 60, y: 200, size: 12, font });
  return document.save();
}

const windows = [
  { name: 'a desk', viewport: { width: 1280, height: 800 } },
  { name: 'a phone', viewport: { width: 390, height: 844 } },
];

describe.skipIf(!hasBrowser)('in sight', () => {
  let browser: Browser;
  let server: Server;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer(meant)]);
    await server.add({ name: 'mill.md', text: `# The mill\n\n${mill}`, mime: 'text/markdown' });
    await server.add({ name: 'lamp.pdf', bytes: await paper(), mime: 'application/pdf' });
  });
  afterAll(async () => {
    await server?.close();
  });
  afterEach(async () => {
    await watched.check();
    await watched.close();
  });

  const open = async (viewport: { width: number; height: number }): Promise<void> => {
    watched = await openPage(browser, server, { viewport });
    ({ page } = watched);
    await page.goto(server.url);
  };
  const done = (): Promise<number> => page.locator('.turn[data-state="done"]').count();
  const ask = async (question: string): Promise<void> => {
    const before = await done();
    await page.getByLabel('Question').fill(question);
    await page.keyboard.press('Enter');
    await expect.poll(done).toBe(before + 1);
  };
  /** Where the first element stands in the window, from 0 at its top to 1. */
  const place = (selector: string): Promise<readonly [number, number]> =>
    page.evaluate((wanted) => {
      const { top, bottom } = [...document.querySelectorAll(wanted)].at(-1)?.getBoundingClientRect() ?? new DOMRect();
      return [top / innerHeight, bottom / innerHeight] as const;
    }, selector);

  it.each(windows)('stands a follow-up with the beginning of its answer, on $name', async ({ viewport }) => {
    await open(viewport);
    for (const name of ['wheel', 'lock', 'grain']) {
      await ask(`What does the chronicle tell of the ${name} of the mill?`);
      const [top, bottom] = await place('.turn h2');
      expect(top).toBeGreaterThanOrEqual(0);
      expect(bottom).toBeLessThan(0.35);
      const [answerTop] = await place('.turn .answer');
      const [composer] = await place('#ask');
      expect(composer - answerTop).toBeGreaterThan(0.4);
    }
  });

  it('stays what somebody scrolled to while an answer comes', async () => {
    // A profile of its own: in one that had other tabs of the page the wheel is not heard at once.
    await open({ width: 1280, height: 810 });
    await ask('What does the chronicle tell of the wheel of the mill?');
    await ask('What does the chronicle tell of the lock of the mill?');
    const gate = Promise.withResolvers<void>();
    await page.route('**/messages', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.getByLabel('Question').fill('What does the chronicle tell of the grain of the mill?');
    await page.keyboard.press('Enter');
    await page.locator('.turn[data-state="running"]').waitFor();
    const before = await page.evaluate(() => scrollY);
    // At once, while the page still brings the question into sight.
    await page.mouse.move(600, 300);
    await page.mouse.wheel(0, -500);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(before - 500);
    gate.resolve();
    await expect.poll(done).toBe(3);
    expect(await page.evaluate(() => scrollY)).toBe(before - 500);
  });

  it.each(windows)('stand what leads through a source, and its words below, on $name', async ({ viewport }) => {
    await open(viewport);
    await ask('How much oil does the lamp of Northpoint burn a night?');
    await page.locator('.answer .text .mark').first().click();
    await page.locator('#source .page[data-drawn="true"]').waitFor();
    const [, head] = await place('#source-title');
    const [top, steps] = await place('[aria-label="Next page"]');
    const [words, end] = await place('.box:not(.around)');
    expect(head).toBeGreaterThan(0);
    expect(top).toBeGreaterThan(head);
    expect(words).toBeGreaterThan(steps);
    expect(end).toBeLessThanOrEqual(1);
    for (const name of ['Close the source', 'Previous page', 'Next page'])
      expect(
        await page.getByRole('button', { name }).evaluate((button) => {
          const { left, top: y, width, height } = button.getBoundingClientRect();
          return button.contains(document.elementFromPoint(left + width / 2, y + height / 2));
        }),
      ).toBe(true);
    // It leads on from there.
    await page.getByRole('button', { name: 'Previous page' }).click();
    await page.getByText('Page 1 of 2').waitFor();
    await page.locator('#source .page[data-drawn="true"]').waitFor();
    expect((await place('[aria-label="Next page"]'))[0]).toBe(top);
  });
});
