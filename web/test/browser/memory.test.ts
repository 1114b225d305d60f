// What is remembered, in a real browser against the product: written down, edited, forgotten, erased, and never another's.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  drawPicture,
  findings,
  hasBrowser,
  openPage,
  overflow,
  type Server,
  sharedBrowser,
  startServer,
  type Watched,
  ways,
} from './harness.ts';

const remember = async (server: Server, body: object, secret?: string): Promise<void> => {
  const reply = await fetch(`${server.url}/v1/memories`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(secret && { authorization: `Bearer ${secret}` }) },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(await reply.text());
};

describe.skipIf(!hasBrowser)('the memory', () => {
  let browser: Browser;
  let server: Server;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer()]);
    await remember(server, { text: 'I prefer short answers.', type: 'preference', tags: ['style'] });
    await remember(server, { text: 'We deploy <b>by merging</b> to main.', type: 'procedural' });
    await remember(server, { text: 'Ada takes her tea without sugar.', user: 'ada' });
  });
  afterAll(async () => {
    await server?.close();
  });
  afterEach(async () => {
    await watched.check();
    await watched.close();
  });
  const open = async (path: string, options: Parameters<typeof openPage>[2] = {}): Promise<void> => {
    watched = await openPage(browser, server, options);
    ({ page } = watched);
    await page.goto(server.url + path);
  };
  const texts = (): Promise<string[]> => page.locator('.documents li > div > p:first-child').allTextContents();
  const said = (): Promise<string | null> => page.locator('#status').textContent();

  it('is reached by keys, and is told apart by kind, tag and person in its address', async () => {
    await open('');
    await page.locator('#holdings').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.getByRole('heading', { name: 'Memory', exact: true }).waitFor();
    expect(await page.title()).toBe('Memory – Footnote');
    await expect.poll(texts).toEqual(['We deploy <b>by merging</b> to main.', 'I prefer short answers.']);
    expect(await page.locator('#stats').textContent()).toBe('2 that hold');
    await drawPicture(page, 'memory', 640);
    await page.getByLabel('Kind').selectOption('preference');
    await expect.poll(texts).toEqual(['I prefer short answers.']);
    expect(new URL(page.url()).search).toBe('?type=preference');
    await page.goBack();
    await expect.poll(texts).toHaveLength(2);
    await page.getByLabel('Tag').fill('style');
    await page.keyboard.press('Enter');
    await expect.poll(texts).toEqual(['I prefer short answers.']);
    await page.goto(`${server.url}/app/memory?user=ada`);
    await expect.poll(texts).toEqual(['Ada takes her tea without sugar.']);
  });

  it('is written down, edited, forgotten and erased, each when it was asked for', async () => {
    await open('/app/memory');
    await page.getByRole('button', { name: 'Remember something' }).click();
    await page.getByLabel('In your words').fill('We use Postgres for billing.');
    await page.getByLabel('Tags, with commas between').fill('billing, databases,billing');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(texts).toHaveLength(3);
    expect(await page.locator('.documents .place').first().textContent()).toMatch(
      /^what is so · billing, databases · /,
    );
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('list-title');
    await page.getByRole('button', { name: 'Edit: We use Postgres for billing.' }).click();
    expect(await page.getByLabel('In your words').inputValue()).toBe('We use Postgres for billing.');
    await page.getByLabel('In your words').fill('We use Postgres 18 for billing.');
    await page.getByRole('dialog').getByLabel('Kind').selectOption('procedural');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(texts).toContain('We use Postgres 18 for billing.');
    await page.getByRole('button', { name: 'Edit: We use Postgres 18' }).click();
    expect(await page.getByRole('dialog').getByLabel('Kind').inputValue()).toBe('procedural');
    expect(await page.getByLabel('Tags, with commas between').inputValue()).toBe('billing, databases');
    await page.getByRole('button', { name: 'Cancel' }).click();
    const forget = page.getByRole('button', { name: 'Forget: We use Postgres 18 for billing.' });
    await forget.click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect(await texts()).toHaveLength(3);
    await forget.click();
    await page.getByRole('button', { name: 'Forget it' }).click();
    await expect.poll(texts).toHaveLength(2);
    await page.goto(`${server.url}/app/memory?user=ada`);
    await page.getByRole('button', { name: 'Erase everything' }).click();
    await page.getByRole('button', { name: 'Erase all of it' }).click();
    await page.getByText('Nothing is remembered here.').waitFor();
    expect(await said()).toBe('Erased one memory.');
    await page.goto(`${server.url}/app/memory`);
    await expect.poll(texts).toHaveLength(2);
  });

  it('says why something is not remembered', async () => {
    await open('/app/memory');
    await page.getByRole('button', { name: 'Remember something' }).click();
    await page.getByLabel('In your words').fill('My password is hunter2-Correct-Horse.');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('.failure').waitFor();
    expect(await dialog.locator('.failure').textContent()).toMatch(/secret|password/i);
    expect(await page.getByLabel('In your words').inputValue()).toContain('hunter2');
  });

  it.each(ways)('has no finding of axe, $name', async ({ options }) => {
    await remember(server, { text: 'We use Postgres for billing.', tags: ['billing', 'databases'] });
    await open('/app/memory', { ...options, bypassCSP: true });
    await page.locator('.documents li').first().waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.getByRole('button', { name: 'Remember something' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: /^Forget/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('is that of the key alone: no other key, role or tenant is shown any of it', async () => {
    const own = server.createKey('reader', 'own');
    const others = [
      server.createKey('admin', 'admin'),
      server.createKey('reader', 'stranger', 'other'),
      server.createKey('admin', 'other-admin', 'other'),
    ];
    await remember(server, { text: 'I keep bees behind the house.' }, own);
    const as = async (secret: string): Promise<void> => {
      watched = await openPage(browser, server);
      ({ page } = watched);
      await page.addInitScript((key) => sessionStorage.setItem('footnote-key', key), secret);
      await page.goto(`${server.url}/app/memory`);
    };
    for (const secret of others) {
      await as(secret);
      await page.getByText('Nothing is remembered here.').waitFor();
      expect(await page.locator('#stats').textContent()).toBe('0 that hold');
      expect(await page.getByRole('button', { name: 'Erase everything' }).count()).toBe(0);
      await watched.check();
      await watched.close();
    }
    await as(own);
    await expect.poll(texts).toEqual(['I keep bees behind the house.']);
  });
});
