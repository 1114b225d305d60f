// A stream that dribbles, is cut or refused: claims show as they come, one key stops, and the question is kept. In front of the product stands a server that
// holds back what the product streams until the test lets it go.
import { createServer, type Server as HttpServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasBrowser, openPage, type Server, sharedBrowser, startServer, type Watched } from './harness.ts';
import { closeContexts } from './kept-contexts.ts';

interface Held {
  readonly frames: string[];
  readonly reply: ServerResponse;
}

describe.skipIf(!hasBrowser)('an answer that comes slowly', () => {
  let browser: Browser;
  let server: Server;
  let front: HttpServer;
  let url: string;
  let watched: Watched;
  let page: Page;
  let held: Held | undefined;
  let refusal: { status: number; headers: Record<string, string>; body: string } | undefined;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer()]);
    front = createServer((asked, reply) => {
      const isQuestion = asked.method === 'POST' && asked.url?.endsWith('/messages');
      if (isQuestion && refusal) {
        asked.resume();
        reply.writeHead(refusal.status, refusal.headers).end(refusal.body);
        return;
      }
      const headers = { ...asked.headers, host: new URL(server.url).host, origin: server.url };
      const passed = request(`${server.url}${asked.url}`, { method: asked.method, headers }, (answered) => {
        reply.writeHead(answered.statusCode ?? 500, answered.headers);
        if (!isQuestion) return void answered.pipe(reply);
        let text = '';
        answered.on('data', (data) => (text += String(data)));
        answered.on('end', () => {
          reply.flushHeaders();
          held = { frames: text.split(/(?<=\n\n)/u).filter(Boolean), reply };
        });
      });
      asked.pipe(passed);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => front.once('listening', resolve));
    url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await closeContexts(url);
    front?.close();
    await server?.close();
  });
  beforeEach(async () => {
    held = undefined;
    refusal = undefined;
    watched = await openPage(browser, { ...server, url });
    ({ page } = watched);
    await page.goto(url);
    await page.getByLabel('Question').fill('What does a citation point to?');
    if (expect.getState().currentTestName?.match(/refused|pasted/u)) return;
    await page.keyboard.press('Enter');
    await expect.poll(() => held?.frames.length ?? 0, { timeout: 60_000 }).toBeGreaterThan(3);
  });
  afterEach(async () => {
    await watched.check();
    await watched.close();
  });

  /** Lets frames go, up to and with the first that holds the words. */
  const letGo = (words: string): void => {
    for (let frame = held?.frames.shift(); frame !== undefined; frame = held?.frames.shift()) {
      held?.reply.write(frame);
      if (frame.includes(words)) return;
    }
  };

  it('shows what is done, then each claim before the end, with its mark', async () => {
    letGo('"searching"');
    await expect.poll(() => page.locator('.stage summary').textContent()).toBe('Searching…');
    expect(await page.locator('#status').textContent()).toBe('Searching…');
    letGo('event: delta');
    await page.locator('.turn[data-state="running"] .text .mark').first().waitFor();
    expect(await page.locator('.turn .text').textContent()).toContain('A citation points to a span');
    // Readers of the screen are not told the text while it comes.
    expect(await page.locator('#status').textContent()).not.toContain('span');
    letGo('no such words');
    held?.reply.end();
    await page.locator('.turn[data-state="done"]').waitFor();
    expect(await page.locator('#status').textContent()).toMatch(/^Answered with 3 claims,/u);
  });

  it('is stopped by one key, and what came stays', async () => {
    letGo('event: delta');
    await page.locator('.turn[data-state="running"] .text .mark').first().waitFor();
    const closed = new Promise((resolve) => held?.reply.once('close', resolve));
    await page.keyboard.press('Escape');
    await page.locator('.turn[data-state="stopped"]').waitFor();
    await closed;
    expect(await page.locator('.turn .answer').textContent()).toContain('A citation points to');
    expect(await page.getByRole('button', { name: 'Ask', exact: true }).isEnabled()).toBe(true);
  });

  it('says that the connection was cut, and keeps the question', async () => {
    letGo('"searching"');
    held?.reply.end();
    await page.locator('.turn[data-state="failed"]').waitFor();
    expect(await page.locator('.failure').textContent()).toContain('Ask again');
    expect(await page.getByLabel('Question').inputValue()).toBe('What does a citation point to?');
  });

  it('that is cut gives back what was pasted, with its question', async () => {
    await page.getByLabel('Question').evaluate((field) => {
      const data = new DataTransfer();
      data.setData('text/plain', 'The harbour has 12 cranes. '.repeat(1000));
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await page.getByLabel('Question').press('Enter');
    await expect.poll(() => held?.frames.length ?? 0, { timeout: 60_000 }).toBeGreaterThan(3);
    expect(await page.locator('.pasted').count()).toBe(0);
    letGo('"searching"');
    held?.reply.end();
    await page.locator('.turn[data-state="failed"]').waitFor();
    expect(await page.locator('.pasted').textContent()).toContain('pasted-1.txt');
  });

  it('that is refused says why by its title, what to do, and when', async () => {
    const problem = { title: 'Too many requests', detail: 'Wait a little.', status: 429, code: 'rate-limited' };
    refusal = {
      status: 429,
      headers: { 'content-type': 'application/problem+json', 'retry-after': '5' },
      body: JSON.stringify(problem),
    };
    await page.getByLabel('Question').press('Enter');
    await page.locator('.turn[data-state="failed"]').waitFor();
    const told = (): Promise<string | null> => page.locator('.failure').textContent();
    expect(await told()).toMatch(/^Too many requests\. Wait a little\. Ask again in [345] s\.$/);
    // It counts down.
    await expect.poll(told).toMatch(/Ask again in 2 s\.$/);
    await expect.poll(told).toMatch(/Ask again now\.$/);
    expect(await page.getByLabel('Question').inputValue()).toBe('What does a citation point to?');
  });
});
