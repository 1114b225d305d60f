// Documents in a real browser against the product: from nothing to a cited answer, what becomes of each file, finding and deleting, and what a key that may
// only read is offered.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  drawPicture,
  findings,
  hasBrowser,
  openPage,
  overflow,
  root,
  type Server,
  sharedBrowser,
  startServer,
  type Watched,
  ways,
} from './harness.ts';

const pdf = join(process.env['FOOTNOTE_SHARED_DATA'] ?? '', 'documents/pdf/attention-is-all-you-need.1706.03762v7.pdf');
const hasPdf = process.env['FOOTNOTE_SHARED_DATA'] !== undefined && existsSync(pdf);

const file = (name: string, text: string, mimeType = 'text/markdown') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
});
const mill = file(
  'mill.md',
  '# The mill of Eastpoint\n\nIt stands by the lock.\n\n## Grain of the mill\n\nThe mill grinds 400 kilograms of rye a day.\n',
);
const harbour = file(
  'harbour.md',
  '# The harbour\n\n## Cranes\n\nTwelve cranes <img src=x onerror=alert(1)> load ships.\n',
);
const feedback = {
  name: 'feedback.md',
  mimeType: 'text/markdown',
  buffer: readFileSync(join(root, 'docs/feedback.md')),
};
const broken = file('broken.pdf', 'This is no PDF.', 'application/pdf');

describe.skipIf(!hasBrowser)('the documents', () => {
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
  const open = async (path: string): Promise<void> => {
    watched = await openPage(browser, server);
    ({ page } = watched);
    await page.goto(server.url + path);
  };
  const choose = async (files: readonly (typeof mill)[]): Promise<void> => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose files' }).click(),
    ]);
    await chooser.setFiles([...files]);
  };
  const states = (): Promise<string[]> =>
    page.locator('.uploads li').evaluateAll((all) => all.map((one) => one.getAttribute('data-state') ?? ''));
  const titles = (): Promise<string[]> => page.locator('.documents a').allTextContents();
  const said = (): Promise<string | null> => page.locator('#status').textContent();

  it('lead from an empty server to a cited answer in three clicks', async () => {
    await open('');
    await choose([mill]);
    const offered = page.locator('#offered button');
    await offered.first().waitFor();
    expect(await offered.allTextContents()).toEqual(['Grain of the mill?', 'The mill of Eastpoint?']);
    await offered.first().click();
    await page.locator('.turn[data-state="done"]').waitFor();
    expect(await page.locator('.answer .text').textContent()).toContain('400 kilograms of rye');
    await page.locator('.answer .text .mark').first().click();
    await page.locator('.source-text').waitFor();
    const quote = await page.evaluate(() => ([...(CSS.highlights.get('quote') ?? [])] as Range[])[0]?.toString());
    expect(quote).toContain('The mill grinds 400 kilograms of rye a day.');
  });

  it('say of each file what became of it, and of one that is refused why', async () => {
    await open('/app/documents');
    await choose([mill, broken, harbour]);
    await expect.poll(states).toEqual(['refused', 'unchanged', 'added']);
    await expect.poll(said).toBe('3 files: 1 added, 1 unchanged, 1 refused.');
    const row = page.locator('.uploads li').first();
    expect(await row.textContent()).toContain('It could not be read');
    expect(await row.textContent()).toContain('Rename or re-export it');
    const [again] = await Promise.all([
      page.waitForResponse((reply) => reply.request().method() === 'POST' && reply.url().includes('/v1/ingestions?')),
      row.getByRole('button', { name: 'Try again: broken.pdf' }).click(),
    ]);
    expect(again.status()).toBe(202);
    await expect.poll(states).toEqual(['refused', 'unchanged', 'added']);
    // What came last stands first in the list.
    await expect.poll(async () => (await titles())[0]).toBe('The harbour');
    expect(await page.locator('#holdings').textContent()).toBe('11 documents in 2 sources');
    // What was given together is one run in the list of runs, and so is what was tried again.
    const { data: runs } = (await (await fetch(`${server.url}/v1/ingestions`)).json()) as { data: object[] };
    expect(runs.slice(0, 2)).toMatchObject([
      { source: 'uploads', state: 'done', counts: { found: 1, failed: 1 } },
      { source: 'uploads', state: 'done', counts: { found: 3, done: 1, unchanged: 1, failed: 1 } },
    ]);
    await drawPicture(page, 'documents', 900);
    await page.getByRole('button', { name: 'Clear this list' }).click();
    expect(await states()).toEqual([]);
  });

  it('lead to what a file became, and fold away how it was read', async () => {
    await open('/app/documents');
    await choose([
      file('tower.md', `# The tower\n\n${'Its lamp burns oil from dusk to dawn. '.repeat(4)}${'\ufffd '.repeat(4)}\n`),
    ]);
    await expect.poll(states).toEqual(['added']);
    const row = page.locator('.uploads > li');
    expect(await row.locator('.notice').count()).toBe(0);
    await row.getByText('1 note on how it was read').click();
    await expect.poll(() => row.locator('details').innerText()).toContain('characters');
    await row.getByRole('link', { name: 'tower.md' }).click();
    await page.getByRole('heading', { name: 'The tower' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Undo: tower.md' }).click();
    await expect.poll(states).toEqual(['undone']);
  });

  it('take what is dropped, and name a source for it', async () => {
    await fetch(`${server.url}/v1/sources`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'handbook', type: 'docs' }),
    });
    await open('/app/documents');
    await page.getByLabel('Into the source').selectOption('handbook');
    await page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], 'feedback.md', { type: 'text/markdown' }));
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }, feedback.buffer.toString());
    await expect.poll(states).toEqual(['added']);
    await page.getByLabel('Source', { exact: true }).selectOption('handbook');
    expect(new URL(page.url()).search).toBe('?source=handbook');
    await expect.poll(titles).toHaveLength(1);
    await page.reload();
    await expect.poll(titles).toHaveLength(1);
    expect(await page.locator('.documents .place').textContent()).toMatch(
      /^handbook · feedback\.md · Markdown · [\d,]+ characters · read/,
    );
  });

  it('are taken away again right after they came, one or all, and come back when they are asked for', async () => {
    await open('/app/documents?source=uploads');
    await page.locator('.documents li').first().waitFor();
    const before = await titles();
    const lamps = ['North', 'South'].map((name) => file(`${name}.md`, `# ${name} lamp\n\nIt burns oil.\n`));
    await choose([...lamps, mill]);
    await expect.poll(states).toEqual(['added', 'added', 'unchanged']);
    await expect.poll(titles).toHaveLength(before.length + 2);
    expect(await page.getByRole('button', { name: 'Undo: mill.md' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo: North.md' }).click();
    await expect.poll(said).toBe('3 files: 1 added, 1 unchanged, 1 undone.');
    await expect.poll(titles).not.toContain('North lamp');
    await page.getByRole('button', { name: 'Try again: North.md' }).click();
    await expect.poll(states).toEqual(['added', 'added', 'unchanged']);
    await page.getByRole('button', { name: 'Undo all 2' }).click();
    await expect.poll(states).toEqual(['undone', 'undone', 'unchanged']);
    await expect.poll(titles).toEqual(before);
  });

  it('are opened as their text, and deleted when asked twice', async () => {
    await open('/app/documents?source=uploads');
    await page.getByRole('link', { name: 'The harbour' }).click();
    await page.locator('.source-text').waitFor();
    expect(await page.locator('.source-text').textContent()).toContain('Twelve cranes');
    await page.goBack();
    const remove = page.getByRole('button', { name: 'Delete The harbour' });
    await remove.click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await remove.evaluate((button) => document.activeElement === button)).toBe(true);
    await remove.press('Enter');
    await page.getByRole('button', { name: 'Delete it' }).press('Enter');
    await expect.poll(titles).toEqual(['The mill of Eastpoint']);
    expect(await said()).toBe('Deleted The harbour.');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('The mill of Eastpoint');
    const { data } = (await (await fetch(`${server.url}/v1/documents?source=uploads`)).json()) as { data: object[] };
    expect(data).toHaveLength(1);
  });

  it('are reached by keys, and listed page by page', async () => {
    for (let number = 0; number < 51; number += 1)
      await server.add({ name: `note-${number}.txt`, text: `Note ${number} of the lighthouse keeper.` });
    await open('');
    await page.locator('#holdings').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.locator('.documents li').nth(49).waitFor();
    expect(await titles()).toHaveLength(50);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Documents');
    expect(await page.title()).toBe('Documents – Footnote');
    await page.getByRole('button', { name: 'More documents' }).click();
    await expect.poll(async () => (await titles()).length).toBeGreaterThan(60);
    expect(await page.getByRole('button', { name: 'More documents' }).count()).toBe(0);
    // Who deletes far down stays there.
    const all = await titles();
    await page.locator('.documents button').nth(55).click();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await expect.poll(titles).toEqual(all.filter((_, at) => at !== 55));
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(all[56]);
  });

  it('tell of each source how it was read, why files failed, and read it again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'footnote-folder-'));
    writeFileSync(join(folder, 'lamp.md'), '# The lamp\n\nIt burns oil.\n');
    writeFileSync(join(folder, 'broken.pdf'), 'This is no PDF.');
    await fetch(`${server.url}/v1/sources`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'lighthouse', type: 'docs', connector: { kind: 'folder', path: folder } }),
    });
    await open('/app/documents');
    await choose([mill, broken]);
    await expect.poll(async () => (await states())[0]).toBe('refused');
    await page.getByRole('link', { name: 'All sources' }).click();
    // Files that were given here have nowhere to be read from again.
    const given = page.locator('.documents > li', { hasText: 'uploads' });
    await given.getByText('Why files failed').click();
    await expect.poll(() => given.textContent()).toMatch(/broken\.pdf.*Rename or re-export it/);
    expect(await given.getByRole('button', { name: 'Try them again' }).count()).toBe(0);
    const row = page.locator('.documents > li', { hasText: 'lighthouse' });
    await expect.poll(() => row.textContent()).toContain('0 documents · mirrors a folder');
    await row.getByRole('button', { name: 'Sync now: lighthouse' }).click();
    await expect.poll(said).toBe('lighthouse: Read: 1 new or changed, 1 failed.');
    await row.getByText('Why files failed').click();
    await row.locator('.uploads li').waitFor();
    expect(await row.textContent()).toMatch(/broken\.pdf.*Rename or re-export it/);
    rmSync(join(folder, 'broken.pdf'));
    await row.getByRole('button', { name: 'Try them again' }).click();
    await expect.poll(said).toBe('lighthouse: Read: 1 unchanged.');
    await row.getByRole('link', { name: 'lighthouse' }).click();
    await expect.poll(titles).toEqual(['The lamp']);
    rmSync(folder, { recursive: true });
  });

  it('are read from a folder after a look at what that would bring', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'footnote-folder-'));
    writeFileSync(join(folder, 'buoy.md'), '# The buoy\n\nIt rings in fog.\n');
    writeFileSync(join(folder, 'broken.pdf'), 'This is no PDF.');
    writeFileSync(join(folder, '.gitignore'), 'notes.md\n');
    writeFileSync(join(folder, 'notes.md'), 'Not for reading.');
    await open('/app/sources');
    await page.getByText('Add a folder, a site or a repository').click();
    await page.getByRole('combobox', { name: 'What', exact: true }).selectOption('folder');
    await page.getByLabel('Address or path').fill(join(folder, 'none'));
    await page.getByLabel('Call it').fill('sea-marks');
    await page.getByRole('button', { name: 'Look first', exact: true }).click();
    await page.locator('#failure').waitFor();
    await page.getByLabel('Address or path').fill(folder);
    await page.keyboard.press('Enter');
    const look = page.getByRole('region', { name: 'What reading sea-marks would bring' });
    await expect
      .poll(() => look.textContent())
      .toMatch(/2 files of [\d.,]+B: 1 new or changed, 1 not readable\..*takes about/);
    await expect.poll(said).toContain('1 new or changed, 1 not readable');
    await look.getByText('1 file cannot be read').click();
    expect(await look.locator('.failure').first().textContent()).toContain('Rename or re-export it');
    const sources = async (): Promise<string[]> =>
      ((await (await fetch(`${server.url}/v1/sources`)).json()) as { data: { name: string }[] }).data.map(
        ({ name }) => name,
      );
    expect(await sources()).not.toContain('sea-marks');
    // Another place is another look.
    await page.getByLabel('Read again every (minutes)').fill('60');
    await look.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Look first', exact: true }).click();
    await page.getByRole('button', { name: 'Read it in' }).click();
    await expect.poll(said).toBe('sea-marks: Read: 1 new or changed, 1 failed.');
    const row = page.locator('.documents > li', { hasText: 'sea-marks' });
    expect(await row.textContent()).toContain('1 document · mirrors a folder · read again every 60 minutes');
    writeFileSync(join(folder, 'bell.md'), '# The bell\n\nIt is of bronze.\n');
    await row.getByRole('button', { name: 'Look first: sea-marks' }).click();
    await expect.poll(() => look.textContent()).toContain('1 new or changed, 1 unchanged, 1 not readable');
    await look.getByRole('button', { name: 'Leave it' }).click();
    await row.getByRole('button', { name: 'Sync now: sea-marks' }).waitFor();
    rmSync(folder, { recursive: true });
  });

  it('tell what is known of one: stores, copies, pieces, answers that rest on it, and what its deletion took', async () => {
    const text = '# The dredger\n\nThe dredger Petrel clears 900 tonnes of silt a day from the channel of Eastpoint.\n';
    const id = await server.add({ name: 'dredger.md', text, mime: 'text/markdown' });
    const copy = await server.add({ name: 'copy.md', text, mime: 'text/markdown' });
    const asked = await fetch(`${server.url}/v1/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question: 'How much silt does the dredger Petrel clear a day?' }),
    });
    const { citations } = (await asked.json()) as { citations: { documentId: string }[] };
    const cited = citations[0]?.documentId ?? '';
    expect([id, copy]).toContain(cited);
    await open('');
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
    await page.goto(`${server.url}/app/documents/${cited}`);
    const facts = page.locator('#facts');
    await expect
      .poll(() => facts.locator('[aria-label="Stores that hold it"]').textContent())
      .toContain('embedded delivered');
    expect(fetched.filter((path) => path === `/v1/documents/${cited}`)).toHaveLength(1);
    expect(await facts.locator('[aria-label="Copies"]').textContent()).toContain('100%');
    await facts.getByText('1 piece', { exact: true }).click();
    await facts.getByRole('list', { name: 'Pieces' }).getByRole('link', { name: 'The dredger' }).click();
    await expect
      .poll(() => page.evaluate(() => ([...(CSS.highlights.get('quote') ?? [])] as Range[])[0]?.toString()))
      .toContain('900 tonnes');
    await facts.getByText('Answers that rest on it').click();
    const uses = facts.getByRole('list', { name: 'Answers that rest on it' });
    await expect.poll(() => uses.textContent()).toMatch(/900 tonnes of silt.*cites it/s);
    await facts.getByRole('button', { name: 'Delete this document' }).click();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await expect.poll(said).toBe('Deleted The dredger.');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('receipt');
    expect(await page.locator('#receipt').textContent()).toMatch(
      new RegExp(`The dredger \\(${cited}\\) of the source uploads, with 1 piece.*It leaves embedded`),
    );
    expect((await fetch(`${server.url}/v1/documents/${cited}`)).status).toBe(404);
    await fetch(`${server.url}/v1/documents/${cited === id ? copy : id}`, { method: 'DELETE' });
  });

  it.skipIf(!hasPdf)('offer of a PDF what it has headings for', async () => {
    await open('/app/documents');
    await choose([{ name: 'attention.pdf', mimeType: 'application/pdf', buffer: readFileSync(pdf) }]);
    const offered = page.locator('#offered button');
    await offered.first().waitFor();
    expect(await offered.count()).toBe(3);
    await offered.first().click();
    await page.locator('.turn[data-state="done"]').waitFor();
    await page.locator('.answer .text .mark').first().click();
    await page.locator('.page[data-drawn="true"]').waitFor();
    expect(await page.locator('.box').count()).toBeGreaterThan(0);
  });

  it.each(ways)('have no finding of axe, $name', async ({ options }) => {
    watched = await openPage(browser, server, { ...options, bypassCSP: true });
    ({ page } = watched);
    await page.goto(`${server.url}/app/documents`);
    await page.locator('.documents li').first().waitFor();
    await choose([feedback, broken]);
    await page.locator('#offered').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.locator('.documents button').first().click();
    await page.getByRole('dialog').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Documents' }).focus();
    await page.getByRole('button', { name: 'New session' }).click();
    await page.locator('#add').waitFor();
    // All of it in sight: half of a button under the field is no target.
    await page.setViewportSize({ width: page.viewportSize()?.width ?? 320, height: 1600 });
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    const { data } = (await (await fetch(`${server.url}/v1/documents?limit=1`)).json()) as { data: [{ id: string }] };
    await page.goto(`${server.url}/app/documents/${data[0].id}`);
    await page.locator('#facts details').first().waitFor();
    for (const fold of await page.locator('#facts summary').all()) await fold.click();
    await page.getByRole('list', { name: 'Pieces' }).locator('li').first().waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.goto(`${server.url}/app/sources`);
    await page.locator('.documents li').first().waitFor();
    await page.getByText('Add a folder, a site or a repository').click();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    expect(await page.locator('[aria-live], [role="status"], [role="alert"]').count()).toBe(1);
  });

  it('offer a key that may only read no way to add or delete', async () => {
    const secret = server.createKey('reader');
    await open('/app/documents');
    await page.getByLabel('Key', { exact: true }).fill(secret);
    await page.keyboard.press('Enter');
    await page.locator('.documents li').first().waitFor();
    await expect.poll(() => page.locator('#holdings').textContent()).toMatch(/documents in/);
    expect(await page.getByRole('button', { name: /Choose files|Delete/ }).count()).toBe(0);
    expect(await page.locator('input[type=file]').count()).toBe(0);
    await page.getByRole('button', { name: 'New session' }).click();
    await page.locator('#welcome').waitFor();
    expect(await page.locator('#add').count()).toBe(0);
  });
});
