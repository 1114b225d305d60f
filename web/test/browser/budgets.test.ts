// Budgets that no busy machine excuses: what is fetched of a large book, and how much is drawn. Times and memory are measured by the bench
// (npm run bench screen).
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { largeBook, repeatBars, repeatTurns } from '../../testkit/large.ts';
import { loadEarlier } from '../../testkit/measured.ts';
import { hasBrowser, openPage, type Server, sharedBrowser, startServer } from './harness.ts';

/** A busy machine takes what it takes. */
const patienceMs = 120_000;

describe.skipIf(!hasBrowser)('the budgets', () => {
  let browser: Browser;
  let server: Server;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer()]);
  });
  afterAll(async () => {
    await server?.close();
  });
  const json = async <Value>(path: string): Promise<Value> => (await (await fetch(server.url + path)).json()) as Value;

  it('of what is fetched hold: page 300 of a book of 100 MB takes less than 5 MB', async () => {
    const bytes = largeBook(380, 260_000);
    expect(bytes.length).toBeGreaterThan(95_000_000);
    const id = await server.add({ name: 'book.pdf', bytes, mime: 'application/pdf' });
    const { text } = await json<{ text: string }>(`/v1/documents/${id}/text`);
    const words = 'voyage to island number 300';
    const start = text.indexOf(words);
    expect(start).toBeGreaterThan(0);
    const { page, check, close } = await openPage(browser, server);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    let fetched = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      fetched += encodedDataLength;
    });
    await page.goto(`${server.url}/app/documents/${id}?start=${start}&end=${start + words.length}`);
    await page.locator('.page[data-drawn="true"] .box').waitFor({ timeout: patienceMs });
    expect(await page.getByRole('img', { name: 'Page 300 as it looks' }).count()).toBe(1);
    console.log(`budgets: page 300 fetched ${(fetched / 1e6).toFixed(2)} MB`);
    expect(fetched).toBeGreaterThan(100_000);
    expect(fetched).toBeLessThan(5_000_000);
    await check();
    await close();
  });

  it('of what is held hold: of a thousand turns at most 200, and the last ones come back', async () => {
    await fetch(`${server.url}/v1/rag/sessions/long/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'What does a citation point to?' }),
    });
    const { page, check, close } = await openPage(browser, server);
    await repeatTurns(page, 1000);
    await page.goto(`${server.url}/app/ask/long`);
    await page.locator('.turn').nth(49).waitFor();
    await loadEarlier(page, 1000);
    expect(await page.locator('.turn').count()).toBe(200);
    await page.getByRole('button', { name: 'Last questions' }).click();
    await expect.poll(() => page.locator('.turn').count()).toBe(50);
    expect(await page.getByRole('button', { name: 'Last questions' }).count()).toBe(0);
    await check();
    await close();
  });

  it('of what is drawn hold: a hundred thousand bars are at most 400', async () => {
    await fetch(`${server.url}/v1/conversations/import?format=jsonl`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({
        conversation_id: 'log',
        turn_id: 'log-1',
        role: 'user',
        text: 'The lighthouse burns.',
        timestamp: '2021-01-01T00:00:00Z',
      }),
    });
    const { page, check, close } = await openPage(browser, server);
    await repeatBars(page, 100_000);
    await page.goto(`${server.url}/app/conversations?q=lighthouse`);
    await page.locator('svg .bar').first().waitFor();
    expect(await page.locator('.chart svg .bar').count()).toBeLessThanOrEqual(400);
    await check();
    await close();
  });
});
