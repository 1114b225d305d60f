// Somebody who has never seen it drops ten files in and checks every sentence of what is answered on the page that it stands on; then whoever runs the
// server finds the answer that was none and what took the time.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  hasBrowser,
  openPage,
  type Server,
  sharedBrowser,
  startServer,
  type Watched,
  wordsUnderBoxes,
} from './harness.ts';
import { deskFiles } from './kinds-of-pages.ts';

const unanswered = 'Who painted the ceiling of the observatory in Quito?';

describe.skipIf(!hasBrowser)('ten files of ten kinds', () => {
  let browser: Browser;
  let server: Server;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer()]);
    watched = await openPage(browser, server);
    ({ page } = watched);
    await page.addInitScript(() => {
      const state = window as unknown as { clicks: number };
      state.clicks = 0;
      addEventListener('click', ({ isTrusted }) => (state.clicks += isTrusted ? 1 : 0), true);
    });
  });
  afterAll(async () => {
    await watched?.close();
    await server?.close();
  });
  afterEach(() => watched.check());

  const clicks = (): Promise<number> => page.evaluate(() => (window as unknown as { clicks: number }).clicks);
  const answered = async (): Promise<void> => {
    await page.locator('.turn').last().and(page.locator('[data-state="done"]')).waitFor();
  };

  /** Opens each mark of the newest answer; the words that are boxed then, by mark. */
  async function openMarks(): Promise<string[]> {
    const { data } = (await (await fetch(`${server.url}/v1/rag/sessions`)).json()) as { data: { id: string }[] };
    const turns = (await (
      await fetch(`${server.url}/v1/rag/sessions/${data[0]?.id}/messages?order=newest&limit=1`)
    ).json()) as { data: { answer: { citations: { start: number; quote: string }[] } }[] };
    const { citations } = turns.data[0]?.answer ?? { citations: [] };
    const marks = page.locator('.turn').last().locator('.text .mark');
    const count = await marks.count();
    expect(count).toBeGreaterThan(0);
    const opened: string[] = [];
    for (let at = 0; at < count; at++) {
      const number = Number(/\d+/.exec((await marks.nth(at).textContent()) ?? '')?.[0]);
      const { start, quote } = citations[number - 1] ?? { start: -1, quote: '' };
      await marks.nth(at).click();
      await page.locator(`.page[data-drawn="true"] .box[data-start="${start}"]`).first().waitFor({ state: 'attached' });
      const under = (await wordsUnderBoxes(page)).join(' ').split(/\s+/).sort();
      const plain = quote.replaceAll(' | ', ' ').split(/\s+/).sort();
      expect(under).toEqual(plain);
      opened.push(quote);
    }
    return opened;
  }

  it('are dropped, offer a question, and its answer is checked on its page with at most four clicks', async () => {
    await page.goto(server.url);
    const files = await Promise.all(
      deskFiles.map(async ({ name, bytes }) => ({ name, base64: Buffer.from(await bytes()).toString('base64') })),
    );
    await page.evaluate(async (given) => {
      const dataTransfer = new DataTransfer();
      for (const { name, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], name, { type: 'application/pdf' }));
      }
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }, files);
    const offered = page.locator('#offered button');
    await offered.first().waitFor();
    const states = await page
      .locator('.uploads li')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-state')));
    expect(states).toEqual(deskFiles.map(() => 'added'));
    // What is stamped on pages is offered nowhere.
    expect((await offered.allTextContents()).join(' ')).not.toMatch(/draft|confidential/i);
    await offered.first().click();
    await answered();
    await openMarks();
    expect(await clicks()).toBeLessThanOrEqual(4);
  });

  it.each(deskFiles.map(({ name, question, fact }) => ({ name, question, fact })))(
    'are asked each for what it alone tells: $name',
    async ({ question, fact }) => {
      const before = await clicks();
      await page.getByLabel('Question').fill(question);
      await page.getByLabel('Question').press('Enter');
      await page.locator('.turn', { hasText: question }).waitFor();
      await answered();
      const opened = await openMarks();
      expect(opened.join(' ')).toContain(fact);
      // A click for each mark and no other.
      expect((await clicks()) - before).toBe(opened.length);
    },
  );

  it('leave a question without an answer, which whoever runs the server finds, and what took the time', async () => {
    // In a session of its own: behind others so short a question may go on with the one before.
    await page.goto(server.url);
    await page.getByLabel('Question').fill(unanswered);
    await page.getByLabel('Question').press('Enter');
    await page.locator('.turn', { hasText: unanswered }).waitFor();
    await answered();
    await page.goto(`${server.url}/app/traces`);
    const found = page.locator('.traces li a');
    await page.getByLabel('Doubt').selectOption({ label: 'no answer' });
    await expect.poll(() => found.allTextContents()).toEqual([unanswered]);
    await page.getByLabel('Doubt').selectOption({ label: 'all' });
    await page.getByLabel('First').selectOption({ label: 'the slowest' });
    await expect.poll(() => found.count()).toBeGreaterThan(deskFiles.length);
    const before = await clicks();
    await found.first().click();
    await page.locator('.strip').waitFor();
    expect(await clicks()).toBe(before + 1);
    // What took most of the time stands in sight, and is the first of the list of where it went.
    const [most = ''] = await page.locator('.spent li').allTextContents();
    const strip = (await page.locator('.strip').textContent()) ?? '';
    const told = /Most of it(?<what>.+?)\s*[(\d]/.exec(strip)?.groups?.['what'];
    expect(told).toBeTruthy();
    expect(most).toContain(told);
  });
});
