// An operator who is told that an answer was slow, or wrong, and finds out why: from the list of traces, knowing the question alone.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startFakeOpenAI } from '../../../src/testing/fake-openai.ts';
import { answerOf } from '../../../src/testing/model-replies.ts';
import { hasBrowser, openPage, type Server, sharedBrowser, startServer, type Watched } from './harness.ts';

const slow = 'When was the harbour rebuilt?';
const wrong = 'How much rye does the mill grind a day?';
const documents = [
  { name: 'harbour.md', text: '# The harbour\n\nThe harbour was rebuilt in 1931 by Ada Frost.\n' },
  { name: 'mill.md', text: '# The mill\n\nThe mill grinds 400 kilograms of rye a day.\n' },
];

describe.skipIf(!hasBrowser)('an operator', () => {
  let browser: Browser;
  let server: Server;
  let closeModel: () => Promise<unknown>;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    const model = await startFakeOpenAI(({ prompt }) =>
      prompt.includes(slow)
        ? {
            text: answerOf([{ text: 'The harbour was rebuilt in 1931.', quote: 'The harbour was rebuilt in 1931' }]),
            delayMs: 3000,
          }
        : answerOf([{ text: 'The mill grinds 900 kilograms of rye a day.', quote: '400 kilograms of rye a day' }]),
    );
    closeModel = () => model.close();
    [browser, server] = await Promise.all([sharedBrowser(), startServer(model.environment)]);
    for (const one of documents) await server.add({ ...one, mime: 'text/markdown' });
    for (const question of [slow, wrong]) {
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`${server.url}/v1/ask`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ question }),
      });
      expect(reply.status).toBe(200);
    }
    watched = await openPage(browser, server);
    ({ page } = watched);
  });
  afterAll(async () => {
    await watched?.close();
    await server?.close();
    await closeModel?.();
  });
  afterEach(() => watched.check());

  /** The trace of a question, reached as somebody does who knows nothing but it; what stands in sight then. */
  async function reach(question: string): Promise<void> {
    await page.goto(`${server.url}/app/traces`);
    await page.getByRole('link', { name: question }).click();
    await page.locator('.strip').waitFor();
    expect(await page.locator('main h2').textContent()).toBe(question);
  }
  const inSight = (text: string): Promise<boolean> =>
    page
      .locator('main')
      .getByText(text)
      .first()
      .evaluate((one) => one.getBoundingClientRect().bottom < innerHeight);

  it('finds the answer that was none by its doubt, and the slow one as the first', async () => {
    await page.goto(`${server.url}/app/traces`);
    const found = page.locator('.traces li a');
    await page.getByLabel('Doubt').selectOption({ label: 'no answer' });
    await expect.poll(() => found.allTextContents()).toEqual([wrong]);
    expect(await page.locator('.traces li .doubt').textContent()).toContain('no answer');
    await page.getByLabel('Doubt').selectOption({ label: 'all' });
    await expect.poll(() => found.allTextContents()).toEqual([wrong, slow]);
    await page.getByLabel('First').selectOption({ label: 'the slowest' });
    await expect.poll(() => found.allTextContents()).toEqual([slow, wrong]);
    expect(new URL(page.url()).search).toBe('?sort=slowest');
  });

  it('sees that a model was slow, and its call where it began', async () => {
    await reach(slow);
    expect(await page.locator('.strip').textContent()).toContain('Most of ita model: answer.model.answer');
    expect(await page.locator('.spent li').first().textContent()).toContain('a model: answer.model.answer');
    await page.getByRole('combobox', { name: 'Steps' }).selectOption('long');
    const stage = page.locator('.tree > li', { has: page.locator('strong', { hasText: 'Write' }) });
    await expect
      .poll(() => stage.locator('summary').allTextContents())
      .toEqual([expect.stringMatching(/answer\.model/)]);
  });

  it('sees what was answered, and that a claim of the model went against its passage', async () => {
    await reach(wrong);
    expect(await inSight('The documents do not seem to say')).toBe(true);
    expect(await inSight('number-changed: 400 kilograms → 900 kilograms')).toBe(true);
    const said = await page.locator('.findings li').allTextContents();
    expect(new Set(said).size).toBe(said.length);
    await page.getByRole('link', { name: 'The mill' }).last().click();
    await page.locator('.source-text').waitFor();
    expect(await page.locator('.source-text').textContent()).toContain('The mill grinds 400 kilograms');
  });
});
