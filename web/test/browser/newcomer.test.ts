// What somebody does who has read nothing: files given before the page knows its key, more files beside an answer, a question while they are read.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  findings,
  hasBrowser,
  meant,
  openPage,
  overflow,
  type Server,
  sharedBrowser,
  startServer,
  type Watched,
  ways,
} from './harness.ts';

const mill = '# The mill\n\nThe mill of Eastpoint grinds 400 kilograms of rye a day.\n';
const crane = '# The crane\n\nThe crane of Eastpoint lifts 12 tonnes of ore an hour.\n';

describe.skipIf(!hasBrowser)('a newcomer', () => {
  let browser: Browser;
  let server: Server;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer(meant)]);
  });
  afterAll(async () => {
    await server?.close();
  });
  beforeEach(async () => {
    watched = await openPage(browser, server);
    ({ page } = watched);
  });
  afterEach(async () => {
    await watched.check();
    await watched.close();
  });

  /** Whether the page took it: else the browser would show the file in the place of the page. */
  const drop = (name: string, text: string, types = ['dragover', 'drop']): Promise<boolean> =>
    page.evaluate(
      (given) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([given.text], given.name, { type: 'text/markdown' }));
        const events = given.types.map(
          (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
        );
        return events.every((event) => !document.body.dispatchEvent(event));
      },
      { name, text, types },
    );
  const states = (): Promise<string[]> =>
    page.locator('.uploads li').evaluateAll((all) => all.map((one) => one.getAttribute('data-state') ?? ''));
  const ask = async (question: string): Promise<void> => {
    await page.getByLabel('Question').fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.turn[data-state="done"]', { hasText: question }).last().waitFor();
  };
  /** Requests of a path wait until they are let go. */
  const hold = async (path: string | RegExp): Promise<() => void> => {
    const gate = Promise.withResolvers<void>();
    await page.route(path, async (route) => {
      await gate.promise;
      await route.continue().catch(() => undefined);
    });
    return () => gate.resolve();
  };

  it.each(['', '/app/documents'])(
    'gives a file before the page knows what its key may: it waits (%s)',
    async (path) => {
      const letGo = await hold('**/v1/me');
      await page.goto(server.url + path);
      await page.locator('#holdings').waitFor();
      expect(await drop(`early${path.length}.md`, `${mill}\nNote ${path.length}.\n`)).toBe(true);
      await expect.poll(states).toEqual(['waiting']);
      letGo();
      await expect.poll(states).toEqual(['added']);
      await page.getByRole('button', { name: 'Choose files' }).waitFor();
    },
  );

  it('chooses a file while the page asks anew what its key may', async () => {
    await page.goto(`${server.url}/app/documents`);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose files' }).click(),
    ]);
    const letGo = await hold('**/v1/me');
    await page.getByRole('button', { name: 'Key', exact: true }).click();
    await page.getByLabel('Key', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Choose files' }).waitFor({ state: 'detached' });
    await chooser.setFiles([{ name: 'chosen.md', mimeType: 'text/markdown', buffer: Buffer.from(crane) }]);
    await expect.poll(states).toEqual(['waiting']);
    letGo();
    await expect.poll(states).toEqual(['added']);
  });

  it('is told that files were still being read when it was asked, and asks again by a click when they are in', async () => {
    await page.goto(server.url);
    await ask('What does the mill of Eastpoint grind a day?');
    const notes = page.locator('.turn', { hasText: 'still being read' });
    expect(await notes.count()).toBe(0);
    const letGo = await hold(/\/v1\/ingestions\?/);
    expect(await drop('sluice.md', '# The sluice\n\nThe sluice of Westpoint drains 70 litres a second.\n')).toBe(true);
    const question = 'How much does the sluice of Westpoint drain a second?';
    await ask(question);
    expect(await page.locator('.turn').last().textContent()).not.toContain('70 litres');
    expect(await notes.locator('.notice').first().textContent()).toContain(
      '1 file was still being read when this was asked: the answer may miss what stands there.',
    );
    const again = page.getByRole('button', { name: 'Ask again' });
    expect(await again.count()).toBe(0);
    letGo();
    await again.click();
    await expect.poll(() => page.locator('.turn[data-state="done"]').count()).toBe(3);
    const last = page.locator('.turn').last();
    expect(await last.locator('h2').textContent()).toBe(question);
    expect(await last.locator('.answer').textContent()).toContain('70 litres a second');
    // What was asked with all files in says nothing of them.
    expect(await notes.count()).toBe(1);
  });

  it('adds more documents on the ask page, before its first question and beside answers', async () => {
    await page.goto(server.url);
    await expect.poll(() => page.locator('#holdings').textContent()).toMatch(/in 2 sources/);
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    await ask('What does the mill of Eastpoint grind a day?');
    const count = Number(/\d+/.exec((await page.locator('#holdings').textContent()) ?? '')?.[0]);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Add files' }).click(),
    ]);
    const letGo = await hold(/\/v1\/ingestions\?/);
    const buffer = Buffer.from('# The lamp\n\nThe lamp of Northpoint burns oil.\n');
    await chooser.setFiles([{ name: 'lamp.md', mimeType: 'text/markdown', buffer }]);
    const line = page.locator('#on-the-way');
    await expect.poll(() => line.textContent()).toContain('0 of 1 file read');
    letGo();
    await expect.poll(() => line.textContent()).toContain('1 file: 1 added.');
    // Held over the page, files are told that they are taken.
    expect(await drop('bell.md', '', ['dragover'])).toBe(true);
    await page.getByText('Drop them: they are added to your documents.').waitFor();
    expect(await drop('bell.md', '# The bell\n\nThe bell of Northpoint is of bronze.\n')).toBe(true);
    await expect.poll(() => page.locator('#dropping').count()).toBe(0);
    await expect.poll(() => line.textContent()).toContain('2 files: 2 added.');
    await expect.poll(() => page.locator('#holdings').textContent()).toContain(`${count + 2} documents`);
    await ask('What is the bell of Northpoint made of?');
    expect(await page.locator('.answer').last().textContent()).toContain('bronze');
    await line.getByRole('link', { name: 'See each' }).click();
    await expect.poll(states).toEqual(['added', 'added']);
  });

  it.each(ways)('has no finding of axe beside answers, $name', async ({ options }) => {
    await watched.close();
    watched = await openPage(browser, server, { ...options, bypassCSP: true });
    ({ page } = watched);
    await page.goto(server.url);
    await ask('What does the mill of Eastpoint grind a day?');
    const letGo = await hold(/\/v1\/ingestions\?/);
    await drop('mill.md', mill);
    await page.getByRole('button', { name: 'Stop adding' }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    letGo();
    await page.getByRole('button', { name: 'Clear' }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });

  // The last: from now on the server asks for a key.
  it('gives a file before the key that is asked for', async () => {
    const secret = server.createKey('writer');
    await page.goto(server.url);
    await page.getByLabel('Key', { exact: true }).waitFor();
    expect(await drop('harbour.md', '# The harbour\n\nIt has three piers.\n')).toBe(true);
    await expect.poll(states).toEqual(['waiting']);
    await page.getByLabel('Key', { exact: true }).fill(secret);
    await page.keyboard.press('Enter');
    await expect.poll(states).toEqual(['added']);
  });
});
