// Documents that try to run, to fetch, to pass for marks or to cover what people use: three hundred of them, and two hundred answers that quote them.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasBrowser,
  meant,
  openPage,
  overflow,
  type Server,
  sharedBrowser,
  startServer,
  type Watched,
} from './harness.ts';
import { hostileDocuments } from './hostile-documents.ts';

const documents = hostileDocuments(300);
const asked = 200;
const ofSession = 20;

interface Answered {
  readonly id: string;
  readonly abstained: boolean;
  readonly marks: readonly { readonly citation: number }[];
}

describe.skipIf(!hasBrowser)('documents that mean harm', () => {
  let browser: Browser;
  let server: Server;
  let watched: Watched;
  let page: Page;
  const sessions: { readonly id: string; readonly answers: Answered[] }[] = [];

  const post = async <Value>(path: string, body: object): Promise<Value> => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return (await reply.json()) as Value;
  };

  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer(meant)]);
    for (let at = 0; at < documents.length; at += 50) {
      const form = new FormData();
      for (const { name, mime, text } of documents.slice(at, at + 50))
        form.append('file', new Blob([text], { type: mime }), name);
      const reply = await fetch(`${server.url}/v1/documents?wait=true`, { method: 'POST', body: form });
      if (!reply.ok) throw new Error(await reply.text());
    }
    const questions = documents.slice(0, asked).map(({ question }) => question);
    const askAll = async (some: readonly string[]): Promise<void> => {
      const { id } = await post<{ id: string }>('/v1/rag/sessions', {});
      const answers: Answered[] = [];
      for (const content of some) answers.push(await post(`/v1/rag/sessions/${id}/messages`, { content }));
      sessions.push({ id, answers });
    };
    const parts = Array.from({ length: asked / ofSession }, (_, at) =>
      questions.slice(at * ofSession, (at + 1) * ofSession),
    );
    await Promise.all(
      [0, 1].map(async (half) => {
        for (const part of parts.filter((_, at) => at % 2 === half)) await askAll(part);
      }),
    );
    watched = await openPage(browser, server);
    ({ page } = watched);
    page.on('dialog', (dialog) => {
      ran.push(dialog.message());
      void dialog.dismiss();
    });
  });
  afterAll(async () => {
    await server?.close();
  });
  const ran: string[] = [];

  /** Nothing ran, nothing was fetched elsewhere, nothing stands there but elements of ours. */
  async function checkPage(): Promise<void> {
    const found = await page.evaluate(() => {
      const foreign = [...document.body.querySelectorAll('*')].filter(
        (one) =>
          one.matches('img, script, iframe, object, embed, link, style, base, math, video, audio, marquee') ||
          one.getAttributeNames().some((name) => name.startsWith('on') || name === 'srcdoc' || name === 'action'),
      );
      const links = [...document.querySelectorAll('a')].filter(({ origin }) => origin !== location.origin);
      return {
        ran: 'ran' in window,
        title: document.title,
        foreign: [...foreign, ...links].map((one) => one.outerHTML),
      };
    });
    expect(found.foreign).toEqual([]);
    expect(found.ran).toBe(false);
    expect(found.title).toMatch(/Footnote$/u);
    expect(ran).toEqual([]);
    await watched.check();
  }

  it('are cited by true marks alone, in answers whose controls are all in reach', async () => {
    let answered = 0;
    for (const { id, answers } of sessions) {
      await page.goto(`${server.url}/app/ask/${id}`);
      await page
        .locator('.turn')
        .nth(answers.length - 1)
        .waitFor();
      const shown = await page
        .locator('.turn')
        .evaluateAll((turns) =>
          turns.map((turn) => [...turn.querySelectorAll('.text .mark')].map((mark) => mark.textContent)),
        );
      for (const [at, { marks, abstained }] of answers.entries()) {
        if (!abstained) answered += 1;
        expect(shown[at]).toEqual(abstained ? [] : marks.map(({ citation }) => `[${citation}]`));
      }
      expect(await overflow(page)).toBe(0);
      // What has to be pressed can be pressed: nothing lies above it and it does not move away.
      const last = page.locator('.turn').last();
      for (const control of [
        page.getByRole('button', { name: 'Ask', exact: true }),
        page.getByRole('button', { name: 'New session' }),
        last.getByRole('button', { name: 'Thumbs up' }),
        last.getByRole('button', { name: 'Copy' }),
        last.getByRole('button', { name: 'Edit question' }),
      ])
        await control.click({ trial: true, timeout: 60_000 });
      await checkPage();
    }
    console.log(`hostile: ${answered} of ${asked} questions were answered`);
    expect(answered).toBeGreaterThan(asked * 0.9);
  });

  it('are shown as text when their sources are opened', async () => {
    for (const { id, answers } of sessions.slice(0, 2)) {
      await page.goto(`${server.url}/app/ask/${id}`);
      await page
        .locator('.turn')
        .nth(answers.length - 1)
        .waitFor();
      for (let at = 0; at < answers.length; at += 1) {
        if (answers[at]?.abstained) continue;
        const turn = page.locator('.turn').nth(at);
        const quote = await turn.locator('.citations q').first().textContent();
        await turn.locator('.text .mark').first().click();
        await page.locator('#source .source-text').waitFor();
        const highlighted = await page.evaluate(() => {
          const [range] = [...(CSS.highlights.get('quote') ?? [])] as Range[];
          return range?.toString() ?? '';
        });
        expect(highlighted.slice(0, 20)).toBe(quote?.slice(0, 20));
        expect(await overflow(page)).toBe(0);
        await page.getByRole('button', { name: 'Close the source' }).click();
      }
      await checkPage();
    }
  });

  it('are listed and found under their names, with the page in reach', async () => {
    for (const path of ['/app/documents', '/app/search?q=granary+sacks+rye', '/app/traces', '/']) {
      await page.goto(server.url + path);
      await page.waitForLoadState('networkidle');
      expect(await overflow(page), path).toBe(0);
      await page.getByRole('button', { name: 'New session' }).click({ trial: true, timeout: 60_000 });
      await checkPage();
    }
  });

  it('leave the page of a phone in reach', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const { id, answers } of sessions.slice(0, 3)) {
      await page.goto(`${server.url}/app/ask/${id}`);
      await page
        .locator('.turn')
        .nth(answers.length - 1)
        .waitFor();
      expect(await overflow(page)).toBe(0);
      await page.getByRole('button', { name: 'Ask', exact: true }).click({ trial: true, timeout: 60_000 });
    }
    await page.goto(`${server.url}/app/documents`);
    await page.waitForLoadState('networkidle');
    expect(await overflow(page)).toBe(0);
    await checkPage();
  });
});
