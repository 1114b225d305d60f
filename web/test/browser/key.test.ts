// A server with keys: the page asks for one where the API refuses, repeats what was asked, and keeps the key in its tab alone.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openPage, type Server, sharedBrowser, startServer } from './harness.ts';

describe.skipIf(!hasBrowser)('a server with keys', () => {
  let browser: Browser;
  let server: Server;
  let secret: string;
  let id: string;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer()]);
    id = await server.add({ name: 'lock.txt', text: 'The lock of the canal was rebuilt in 1931.' });
    await server.add({
      name: 'Hafen – Pläne.html',
      text: '<h1>Harbour</h1><p>The basin of the harbour is 9 metres deep.</p>',
      mime: 'text/html',
    });
    secret = server.createKey('reader');
  });
  afterAll(async () => {
    await server?.close();
  });

  it('is asked again with the key, which stands in no address, cookie or lasting store', async () => {
    const { page, check, close } = await openPage(browser, server);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(server.url);
    const dialog = page.getByRole('dialog', { name: 'API key' });
    await dialog.waitFor();
    await page.getByLabel('Key', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await expect.poll(() => dialog.textContent()).toContain('does not know this key');
    await page.getByLabel('Key', { exact: true }).fill(secret);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#holdings').textContent()).toMatch(/documents in/);
    await page.getByLabel('Question').fill('When was the lock of the canal rebuilt?');
    await page.keyboard.press('Enter');
    await page.locator('.answer .text .mark').first().click();
    await page.locator('.source-text').waitFor();
    expect(asked.filter((url) => url.includes(secret))).toEqual([]);
    expect(await page.evaluate(() => document.cookie + JSON.stringify({ ...localStorage }))).toBe('{}');
    await check();
    await close();
  });

  it('keeps what was asked while the key is typed', async () => {
    const { page, close } = await openPage(browser, server);
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Question').fill('When was the lock of the canal rebuilt?');
    await page.keyboard.press('Enter');
    await page.getByLabel('Key', { exact: true }).fill(secret);
    await page.keyboard.press('Enter');
    await page.locator('.turn[data-state="done"]').waitFor();
    expect(await page.locator('.answer').textContent()).toContain('1931');
    await close();
  });

  it('asks once a page, however late it refuses', async () => {
    const { page, check, close } = await openPage(browser, server);
    const held = Promise.withResolvers<void>();
    await page.route('**/v1/me', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(server.url);
    const dialog = page.getByRole('dialog', { name: 'API key' });
    await page.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    const late = page.waitForResponse('**/v1/me');
    held.resolve();
    expect((await late).status()).toBe(401);
    await page.waitForLoadState('networkidle');
    expect(await dialog.count()).toBe(0);
    // Another page may be worth a key.
    await page.getByRole('link', { name: 'Documents' }).click();
    await dialog.waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await check();
    await close();
  });

  it('forgets what the former key was shown as soon as another one is given', async () => {
    const other = server.createKey('reader', 'other');
    const { page, check, close } = await openPage(browser, server);
    await page.goto(server.url);
    const give = async (key: string): Promise<void> => {
      await page.getByLabel('Key', { exact: true }).fill(key);
      await page.keyboard.press('Enter');
    };
    await give(secret);
    await page.getByLabel('Question').fill('When was the lock of the canal rebuilt?');
    await page.keyboard.press('Enter');
    await page.locator('.answer .text .mark').first().click();
    await page.locator('.source-text').waitFor();
    await page.locator('#sessions a').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Key', exact: true }).click();
    await give(other);
    await page.locator('#welcome').waitFor();
    expect(await page.locator('.turn, .source-text, #sessions a').count()).toBe(0);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
    expect(await page.locator('.turn').count()).toBe(0);
    expect(await page.locator('.failure').count()).toBe(1);
    await check();
    await close();
  });

  it('opens a session and a document again when a key is given after all', async () => {
    const { page, close } = await openPage(browser, server);
    const asKey = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const created = await fetch(`${server.url}/v1/rag/sessions`, { method: 'POST', headers: asKey, body: '{}' });
    const session = ((await created.json()) as { id: string }).id;
    const body = JSON.stringify({ content: 'When was the lock of the canal rebuilt?' });
    await fetch(`${server.url}/v1/rag/sessions/${session}/messages`, { method: 'POST', headers: asKey, body });
    for (const [path, shown] of [
      [`/app/ask/${session}`, '.turn'],
      [`/app/documents/${id}?start=4&end=8`, '.source-text'],
    ] as const) {
      await page.goto(server.url + path);
      await page.evaluate(() => sessionStorage.clear());
      await page.reload();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Key', exact: true }).click();
      await page.getByLabel('Key', { exact: true }).fill(secret);
      await page.keyboard.press('Enter');
      await page.locator(shown).waitFor();
      expect(await page.locator(shown).count()).toBe(1);
    }
    await close();
  });

  it('is not asked for again in the tabs that an answer opens, and a file keeps its name', async () => {
    const { page, check, close } = await openPage(browser, server);
    await page.goto(server.url);
    await page.getByLabel('Key', { exact: true }).fill(secret);
    await page.keyboard.press('Enter');
    await page.getByLabel('Question').fill('How deep is the basin of the harbour?');
    await page.keyboard.press('Enter');
    await page.locator('.answer .text .mark').first().click();
    await page.locator('.source-text').waitFor();
    const opened = async (name: string, shown: string): Promise<string | null> => {
      const link = page.getByRole('link', { name });
      const [tab] = await Promise.all([page.waitForEvent('popup'), link.click()]);
      await tab.locator(shown).waitFor();
      const saved = await tab.locator(shown).getAttribute('download');
      expect(await tab.getByLabel('Key', { exact: true }).count()).toBe(0);
      await tab.close();
      return saved;
    };
    await opened('Own tab', '.source-text');
    await opened('Evidence report', 'h1:text("How deep is the basin of the harbour?")');
    expect(await opened('Original file', 'a[download]')).toBe('Hafen – Pläne.html');
    await check();
    await close();
  });

  it('that cannot be reached is said to be, and the question stays until it can', async () => {
    const { page, close } = await openPage(browser, server);
    await page.goto(server.url);
    await page.getByLabel('Key', { exact: true }).fill(secret);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#holdings').textContent()).toMatch(/documents in/);
    await page.context().setOffline(true);
    await page.getByLabel('Question').fill('When was the lock of the canal rebuilt?');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.turn .failure').textContent()).toContain('This machine is offline');
    expect(await page.getByLabel('Question').inputValue()).toBe('When was the lock of the canal rebuilt?');
    await page.context().setOffline(false);
    await page.getByLabel('Question').press('Enter');
    await expect.poll(() => page.locator('.turn').last().textContent()).toContain('1931');
    await close();
  });

  it('is asked for by a link of another program, which then opens the passage in the pages', async () => {
    const { page, close } = await openPage(browser, server);
    await page.goto(`${server.url}/v1/documents/${id}/view?start=4&end=8`);
    await page.getByLabel('API key').fill(secret);
    await page.keyboard.press('Enter');
    await page.locator('.source-text').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/documents/${id}`);
    expect(await page.getByLabel('Key', { exact: true }).count()).toBe(0);
    expect(await page.evaluate(() => ([...(CSS.highlights.get('quote') ?? [])] as Range[])[0]?.toString())).toBe(
      'lock',
    );
    await close();
  });

  it('is asked for once where links of other programs open a tab each, and no script keeps it', async () => {
    const { page, close } = await openPage(browser, server);
    const link = (start: number): string => `${server.url}/v1/documents/${id}/view?start=${start}&end=${start + 4}`;
    await page.goto(link(4));
    await page.getByLabel('API key').fill(secret);
    await page.getByLabel('Stay logged in').check();
    await page.keyboard.press('Enter');
    await page.locator('.source-text').waitFor();
    expect(await page.evaluate(() => document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage }))).toBe(
      '{}',
    );
    // From a page of another site, where browsers do not send what they are logged in with.
    await page.goto(`${server.url.replace('127.0.0.1', 'localhost')}/healthz`);
    const opened = async (): Promise<Page> => {
      const popup = page.context().waitForEvent('page');
      await page.evaluate((address) => {
        const a = Object.assign(document.createElement('a'), { href: address, target: '_blank', rel: 'noopener' });
        document.body.append(a);
        a.click();
      }, link(8));
      return popup;
    };
    const tab = await opened();
    await tab.locator('.source-text').waitFor();
    expect(await tab.evaluate(() => ([...(CSS.highlights.get('quote') ?? [])] as Range[])[0]?.toString())).toBe(' of ');
    // Whoever gives no key is nobody from then on, in new tabs too.
    await tab.getByRole('button', { name: 'Key', exact: true }).click();
    await tab.getByRole('button', { name: 'Use this key' }).click();
    await expect.poll(async () => (await page.context().cookies()).length).toBe(0);
    const later = await opened();
    await later.getByLabel('API key').waitFor();
    expect(await later.content()).not.toContain('1931');
    await close();
  });

  it('says nothing of a document to whoever has no key, and opens a link with one', async () => {
    const { page, check, close } = await openPage(browser, server);
    await page.goto(`${server.url}/app/documents/${id}?start=4&end=8`);
    await page.getByRole('dialog').waitFor();
    expect(await page.content()).not.toContain('1931');
    await page.getByLabel('Key', { exact: true }).fill(secret);
    await page.keyboard.press('Enter');
    await page.locator('.source-text').waitFor();
    expect(await page.evaluate(() => ([...(CSS.highlights.get('quote') ?? [])] as Range[])[0]?.toString())).toBe(
      'lock',
    );
    await check();
    await close();
  });
});
