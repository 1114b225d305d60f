// Settings and health in a real browser against the product: what the server tells of itself, keys whose secret is shown once, the audit log, and nothing of an
// admin's for anybody else.
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

describe.skipIf(!hasBrowser)('the settings', () => {
  let browser: Browser;
  let server: Server;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer()]);
  });
  afterAll(async () => {
    await server?.close();
  });
  afterEach(async () => {
    await watched.check();
    await watched.close();
  });
  const open = async (path: string, options: Parameters<typeof openPage>[2] = {}, secret?: string): Promise<void> => {
    watched = await openPage(browser, server, options);
    ({ page } = watched);
    if (secret) await page.addInitScript((key) => sessionStorage.setItem('footnote-key', key), secret);
    await page.goto(server.url + path);
  };
  const rows = (name: string): Promise<string[]> =>
    page.getByRole('region', { name, exact: true }).locator('tbody tr').allTextContents();

  it('are reached by keys, and tell who looks, what is on, and how stores stand', async () => {
    await open('');
    await page.locator('#holdings').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press(',');
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    expect(await page.title()).toBe('Settings – Footnote');
    await expect.poll(() => rows('You, and what is switched on')).toContain('You arethe owner of the data folder');
    await expect.poll(() => rows('Stores')).toHaveLength(1);
    expect((await rows('Stores'))[0]).toMatch(/^embeddedok\d+100\s?%/);
    await page.getByText('No language model is set up').waitFor();
    await page.getByRole('link', { name: 'the health page' }).click();
    await page.getByRole('heading', { name: 'Health', exact: true }).waitFor();
    await expect
      .poll(() => page.locator('#verdict').textContent())
      .toBe('All that this server tells of itself is well.');
    expect(await page.locator('.standing li').allTextContents()).toEqual([
      expect.stringMatching(/^Well: serverFootnote [\d.]+ answers\.$/),
      expect.stringMatching(/^Well: store embedded/),
    ]);
    await page.getByRole('button', { name: 'Look again' }).click();
    await drawPicture(page, 'health', 600);
    await expect.poll(() => page.locator('.standing li').count()).toBe(2);
  });

  it('find what was done in the audit log, and whether the log is whole', async () => {
    await fetch(`${server.url}/v1/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'a citation' }),
    });
    await open('/app/settings');
    await page.getByLabel('Operation, such as ask').fill('search');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await rows('Audit log')).length).toBe(1);
    expect((await rows('Audit log'))[0]).toContain('localsearchdone');
    expect(new URL(page.url()).search).toBe('?operation=search');
    await page.reload();
    await expect.poll(async () => (await rows('Audit log')).length).toBe(1);
    await page.getByRole('button', { name: 'Check the log' }).click();
    await expect.poll(() => page.locator('#checked').textContent()).toMatch(/^All \d+ rows are as they were written\./);
  });

  it.each(ways)('have no finding of axe, $name', async ({ options }) => {
    await open('/app/settings', { ...options, bypassCSP: true });
    await expect.poll(async () => (await rows('Audit log')).length).toBeGreaterThan(0);
    await page.getByText('Make a key').click();
    await page.getByText('Limits', { exact: true }).last().click();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.goto(`${server.url}/app/health`);
    await page.locator('.standing li').first().waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });

  it('make a first key whose secret is shown once, and revoke another when asked twice', async () => {
    await open('/app/settings');
    await page.getByText('From the first key on').waitFor();
    await page.getByText('Make a key').click();
    const make = async (name: string, role: string): Promise<string> => {
      await page.getByLabel('Name of the key').fill(name);
      await page.getByLabel('Role').selectOption(role);
      await page.getByRole('button', { name: 'Make the key' }).click();
      await expect.poll(() => page.locator('#secret').textContent()).toContain(`secret of ${name}`);
      return (await page.locator('#secret code').textContent()) ?? '';
    };
    const admin = await make('boss', 'admin');
    expect(admin).toMatch(/^fn_/);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    expect(await page.content()).not.toContain(admin);
    await page.reload();
    await page.getByLabel('Key', { exact: true }).fill(admin);
    await page.keyboard.press('Enter');
    await expect.poll(() => rows('Keys')).toEqual([expect.stringMatching(/^boss \(yours\)admin/)]);
    await page.getByText('Make a key').click();
    await page.getByLabel('Sources, with commas between').fill('handbook');
    await page.getByText('Limits', { exact: true }).last().click();
    await page.getByLabel('Requests a day', { exact: true }).fill('100');
    const guest = await make('guest', 'reader');
    await expect.poll(async () => (await rows('Keys')).length).toBe(2);
    expect((await rows('Keys'))[0]).toMatch(/^guestreadersources handbook; 100 requests a day/);
    const me = async (secret: string): Promise<number> =>
      (await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${secret}` } })).status;
    expect(await me(guest)).toBe(200);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await drawPicture(page, 'settings', 900);
    const another = page.getByRole('button', { name: 'New secret: guest' });
    await another.click();
    await page.getByRole('button', { name: 'Keep the present one' }).click();
    expect(await me(guest)).toBe(200);
    await another.click();
    await page.getByRole('button', { name: 'The present one ends now' }).click();
    await expect.poll(() => me(guest)).toBe(401);
    const next = (await page.locator('#secret code').textContent()) ?? '';
    expect(await me(next)).toBe(200);
    await page.getByRole('button', { name: 'Revoke: guest' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect(await me(next)).toBe(200);
    await page.getByRole('button', { name: 'Revoke: guest' }).click();
    await page.getByRole('button', { name: 'Revoke it' }).click();
    await expect.poll(async () => (await rows('Keys')).length).toBe(1);
    expect(await me(next)).toBe(401);
    server.useKey(admin);
  });

  it('show a reader of either tenant none of what is an admin’s, and an admin nothing of another tenant', async () => {
    const reader = server.createKey('reader', 'reader-here');
    const keys = { admin: server.createKey('admin', 'admin-there', 'elsewhere'), reader: '' };
    keys.reader = server.createKey('reader', 'reader-there', 'elsewhere');
    for (const [secret, tenant] of [
      [reader, 'default'],
      [keys.reader, 'elsewhere'],
    ] as const) {
      await open('/app/settings', {}, secret);
      await expect.poll(() => rows('You, and what is switched on')).toContain(`Tenant${tenant}`);
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.reload();
      await expect.poll(() => rows('Stores')).toHaveLength(1);
      const headings = await page.locator('h3').allTextContents();
      expect(headings).toEqual(['You, and what is switched on', 'Stores', 'Models']);
      const told = (await page.locator('main').textContent()) ?? '';
      expect(told).not.toMatch(/admin|audit|metrics|keys over/i);
      await page.goto(`${server.url}/app/health`);
      await page.locator('#verdict').waitFor();
      expect(await page.locator('main').textContent()).not.toMatch(/doctor/);
      expect(asked.filter((path) => path.startsWith('/admin'))).toEqual([]);
      await watched.check();
      await watched.close();
    }
    await open('/app/settings', {}, keys.admin);
    await expect.poll(() => rows('Keys')).toHaveLength(2);
    await expect.poll(async () => (await rows('Audit log')).length).toBeGreaterThan(0);
    expect((await rows('Audit log')).every((row) => row.includes('of elsewhere'))).toBe(true);
    expect(await page.locator('main').textContent()).not.toContain('boss');
    expect(await page.getByLabel(/^Tenant/).count()).toBe(0);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: 'Key', exact: true }).click();
    await page.getByLabel('Key', { exact: true }).fill(keys.reader);
    await page.keyboard.press('Enter');
    await expect.poll(() => rows('You, and what is switched on')).toContain('Rolereader');
    expect(await page.getByRole('heading', { name: /Keys|Audit log/ }).count()).toBe(0);
    expect(asked.filter((path) => path.startsWith('/admin'))).toEqual([]);
  });
});
