// Traces in a real browser against the product: from an answer to why it is as it is, and what was recorded of slow and failing models, taken in from files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  findings,
  hasBrowser,
  isDrawing,
  meant,
  openPage,
  overflow,
  pictures,
  root,
  type Server,
  sharedBrowser,
  startServer,
  type Watched,
  ways,
} from './harness.ts';

interface Recorded {
  readonly trace: { readonly id: string; readonly kind: string; readonly totalMs: number; readonly status?: string };
  readonly events: readonly {
    readonly atMs: number;
    readonly event: { readonly type: string; readonly call?: { readonly latencyMs: number } };
  }[];
}

/** Recorded from the product with models that answer, fall silent, or break off. */
const golden = join(root, 'test/replay/fixtures/golden');
const release = readdirSync(golden, { withFileTypes: true }).find((one) => one.isDirectory())?.name ?? '';
const fileOf = (name: string): string => join(golden, release, `${name}.json`);
const recorded = (name: string): readonly Recorded[] =>
  (JSON.parse(readFileSync(fileOf(name), 'utf8')) as { traces: Recorded[] }).traces;

const imported = ['prose', 'silent', 'model', 'chat'];
/** One is left by who asked; whether others reach their deadline depends on the machine that recorded them. */
const failed = imported.flatMap(recorded).filter(({ trace }) => trace.status !== 'done');

const question = 'When was the lock of Eastpoint rebuilt?';
const documents = [
  {
    name: 'lock.md',
    text: '# The lock of Eastpoint\n\nThe lock of Eastpoint was rebuilt in 1931 by Ada Frost.\n',
    mime: 'text/markdown',
  },
  { name: 'mill.md', text: '# The mill\n\nThe mill grinds 400 kilograms of rye a day.\n', mime: 'text/markdown' },
  { name: '<b>&.txt', text: `<img src=x onerror=alert(1)> ${'long'.repeat(3000)} [2]` },
];

describe.skipIf(!hasBrowser)('traces', () => {
  let browser: Browser;
  let server: Server;
  let watched: Watched;
  let page: Page;
  const post = async (path: string, body: unknown): Promise<Record<string, string>> => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(await reply.text());
    return (await reply.json()) as Record<string, string>;
  };
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer(meant)]);
    for (const one of documents) await server.add(one);
    for (const name of imported) await post('/admin/traces/import', JSON.parse(readFileSync(fileOf(name), 'utf8')));
  });
  afterAll(async () => {
    await server?.close();
  });
  afterEach(async () => {
    await watched.check();
    await watched.close();
  });
  const open = async (path: string): Promise<void> => {
    watched = await openPage(browser, server, {
      permissions: ['clipboard-read', 'clipboard-write'],
      acceptDownloads: true,
    });
    ({ page } = watched);
    await page.goto(server.url + path);
  };
  const rows = () => page.locator('.traces > li');
  const said = (): Promise<string | null> => page.locator('#status').textContent();

  it('lead from an answer to what was done for it', async () => {
    await open('');
    await page.getByLabel('Question').fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.turn[data-state="done"]').waitFor();
    await page.getByRole('link', { name: 'Trace', exact: true }).click();
    await page.locator('.strip').waitFor();
    expect(await page.locator('main h2').textContent()).toBe(question);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H2');
    const facts = await page.locator('.strip').textContent();
    expect(facts).toMatch(/Outcomedone.*Took[\d.,]+ m?s.*Passages\d+ cited, \d+ read, \d+ left out.*Kindmessage/);
    expect(await page.locator('.verdicts li').first().textContent()).toContain(
      'The lock of Eastpoint was rebuilt in 1931',
    );
    const fate = await page
      .locator('.fates [data-fate="cited"]', { hasText: 'The lock of Eastpoint' })
      .first()
      .innerText();
    expect(fate).toMatch(/lines? \d/u);
    expect(fate).toContain('The lock of Eastpoint was rebuilt in 1931');
    await page.locator('.fates [data-fate="cited"] a', { hasText: 'The lock of Eastpoint' }).first().press('Enter');
    await page.locator('.source-text').waitFor();
    await expect
      .poll(() => page.evaluate(() => ([...(CSS.highlights.get('quote') ?? [])] as Range[])[0]?.toString()))
      .toContain('rebuilt in 1931');
    await page.goBack();
    await page.getByRole('link', { name: 'Traces of its session' }).click();
    await expect.poll(() => rows().locator('a').allTextContents()).toEqual([question]);
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await expect.poll(() => rows().count()).toBeGreaterThan(5);
    expect(await page.title()).toBe('Traces – Footnote');
  });

  it('are filtered as one types, and take the first click after that', async () => {
    await open('/app/traces');
    await rows().nth(1).waitFor();
    const field = page.getByLabel('Asked');
    await field.pressSequentially('LOCK OF');
    await expect.poll(() => new URL(page.url()).search).toBe('?question=LOCK+OF');
    await expect.poll(() => rows().locator('a').allTextContents()).toEqual([question]);
    // A space at the end is the beginning of one more word.
    await field.press(' ');
    await field.pressSequentially('EASTPOINT');
    await expect.poll(() => new URL(page.url()).search).toBe('?question=LOCK+OF+EASTPOINT');
    expect(await field.evaluate((one) => document.activeElement === one)).toBe(true);
    await page.goBack();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(await field.inputValue()).toBe('');
    for (const label of ['Asked', 'Took at least (ms)']) {
      await rows().nth(1).waitFor();
      await page.getByLabel(label).pressSequentially('0');
      await rows().nth(1).locator('a').click();
      await page.locator('.strip').waitFor();
      await page.goBack();
    }
  });

  it('keep their filters in the address, and are found by what was asked', async () => {
    await open('/app/traces');
    await rows().first().waitFor();
    await page.getByLabel('Asked').fill('LOCK OF EASTPOINT');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).search).toBe('?question=LOCK+OF+EASTPOINT');
    await expect.poll(() => rows().locator('a').allTextContents()).toEqual([question]);
    await page.getByLabel('Asked').fill('');
    await page.keyboard.press('Enter');
    await expect.poll(() => rows().count()).toBeGreaterThan(5);
    expect(await rows().locator('a').allTextContents()).not.toContainEqual(expect.stringContaining('search,'));
    await page.goBack();
    await page.goBack();
    await expect.poll(() => rows().count()).toBeGreaterThan(5);
    await page.getByLabel('Outcome').selectOption('error');
    await expect.poll(() => new URL(page.url()).search).toBe('?status=error');
    await expect.poll(() => rows().count()).toBe(failed.length);
    expect((await rows().allTextContents()).join('\n')).toContain('failed: cancelled');
    await page.goBack();
    await expect.poll(() => rows().count()).toBeGreaterThan(5);
    await page.getByLabel('Took at least (ms)').fill('297');
    await page.getByLabel('Took at least (ms)').press('Enter');
    await page.getByLabel('Pinned').selectOption('true');
    await page.getByLabel('Kind').selectOption('ask');
    // How long each took depends on the machine that recorded it.
    const slow = imported.flatMap(recorded).filter(({ trace }) => trace.kind === 'ask' && trace.totalMs >= 297);
    await expect.poll(() => rows().count()).toBe(slow.length);
    await page.reload();
    await expect.poll(() => rows().count()).toBe(slow.length);
    await page.getByText('More filters').click();
    await page.getByLabel('Up to').fill('2001-01-01');
    await expect.poll(() => page.locator('main').textContent()).toContain('There are no such traces');
    await page.goto(`${server.url}/app/traces?minMs=soon&from=x&kind=none`);
    await page.locator('.failure').first().waitFor();
  });

  it('say which filter cannot be read, and wait until it can', async () => {
    await open('/app/traces');
    await rows().first().waitFor();
    const least = page.getByLabel('Took at least (ms)');
    await least.fill('2s');
    await least.press('Enter');
    await expect.poll(() => page.locator('#failure').textContent()).toContain('Took at least: give milliseconds');
    await expect.poll(said).toContain('Took at least');
    expect(await least.evaluate((one) => one.matches(':invalid'))).toBe(true);
    await page.getByLabel('Kind').selectOption('ask');
    expect(new URL(page.url()).search).toBe('');
    await least.fill('.5');
    await least.press('Enter');
    await expect.poll(() => new URL(page.url()).search).toBe('?kind=ask&minMs=0.5');
    await expect.poll(() => least.inputValue()).toBe('0.5');
    await expect.poll(() => page.locator('#failure').count()).toBe(0);
    await least.fill('soon');
    await least.press('Enter');
    await page.locator('#failure').waitFor();
    await least.fill('0.5');
    await least.press('Enter');
    await expect.poll(() => page.locator('#failure').count()).toBe(0);
    expect(await least.evaluate((one) => one.matches(':invalid'))).toBe(false);
  });

  it('drop what comes late of a list whose filters were changed meanwhile', async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await open('');
    // Pages of three, so that there are more; the second one comes when the filters are others already.
    await page.route('**/admin/traces?*', async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', '3');
      if (url.searchParams.has('cursor')) await held;
      await route.continue({ url: url.href });
    });
    await page.goto(`${server.url}/app/traces`);
    await expect.poll(() => rows().count()).toBe(3);
    const later = page.waitForResponse((reply) => reply.url().includes('cursor='));
    await page.getByRole('button', { name: 'More traces' }).click();
    await page.getByLabel('Outcome').selectOption('error');
    await expect.poll(() => rows().count()).toBe(failed.length);
    letGo();
    await (await later).finished();
    // Whatever was to be drawn of it is drawn after two frames.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    expect(await rows().count()).toBe(failed.length);
    expect((await rows().allTextContents()).join('\n')).toContain('failed: cancelled');
  });

  it('say at once what made an answer slow, and show it on the line of time', async () => {
    const [slow] = recorded('silent');
    await open(`/app/traces/${slow?.trace.id}`);
    await page.locator('.strip').waitFor();
    // In sight without a scroll: what it spent its time with, and what that changed.
    expect(await page.locator('.strip').textContent()).toContain('Most of ita model: answer.model.answer@3');
    const found = page.locator('.findings li');
    expect(await found.first().textContent()).toContain('The model did not answer within its share of the time');
    expect(await found.first().evaluate((one) => one.getBoundingClientRect().bottom < innerHeight)).toBe(true);
    expect(await page.locator('.spent li').first().textContent()).toMatch(/answer\.model\.answer@3.*9\d%/);
    const steps = page.locator('.tree ol li');
    const all = await steps.count();
    await page.getByRole('combobox', { name: 'Steps' }).selectOption('long');
    expect(await steps.count()).toBeLessThan(all);
    await page.locator('.tree summary', { hasText: 'answer.model.answer@3' }).click();
    const prompt = page.locator('.call pre').first();
    expect(await prompt.textContent()).toContain('You answer a question from numbered passages');
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    expect(await page.locator('.strip').evaluate((one) => one.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
    expect(await page.locator('.strip').evaluate((one) => one.getBoundingClientRect().bottom < innerHeight)).toBe(true);
  });

  it('draw every call at its time, no bar below two pixels, on either scale', async () => {
    const [slow] = recorded('silent');
    await open(`/app/traces/${slow?.trace.id}`);
    await page.locator('.tree').waitFor();
    const calls = (slow?.events ?? []).flatMap(({ atMs, event }) =>
      event.call ? [{ from: atMs - event.call.latencyMs, to: atMs }] : [],
    );
    const drawn = (): Promise<{ left: number; width: number; whole: number; end: number }[]> =>
      page.locator('.tree summary').evaluateAll((all) =>
        all.map((one) => {
          one.scrollIntoView();
          const track = one.querySelector('.track')?.getBoundingClientRect() ?? new DOMRect();
          const bar = one.querySelector('.span')?.getBoundingClientRect() ?? new DOMRect();
          return { left: bar.left - track.left, width: bar.width, whole: track.width, end: track.right - bar.right };
        }),
      );
    const bars = await drawn();
    expect(bars).toHaveLength(calls.length);
    const total = slow?.trace.totalMs ?? 1;
    for (const { left, width, whole } of bars) {
      const fits = calls.some(
        ({ from, to }) =>
          Math.abs(left - (from / total) * whole) < 2.5 &&
          Math.abs(width - Math.max(2, ((to - from) / total) * whole)) < 1,
      );
      expect(fits, `${left} ${width} of ${whole}`).toBe(true);
    }
    await page.getByLabel('Scale of time').selectOption('log');
    expect(new URL(page.url()).search).toBe('?scale=log');
    for (const { width, end, left } of [...bars, ...(await drawn())]) {
      expect(width).toBeGreaterThanOrEqual(1.99);
      expect(Math.min(end, left)).toBeGreaterThanOrEqual(-0.5);
    }
    await page.getByRole('combobox', { name: 'Steps' }).selectOption('odd');
    expect(await page.locator('.tree ol li').count()).toBeGreaterThan(0);
    expect(await page.locator('.tree ol li:not([data-tone])').count()).toBe(0);
  });

  it('say which claims were dropped and why, and what an upstream said', async () => {
    const [prose] = recorded('prose');
    await open(`/app/traces/${prose?.trace.id}`);
    const dropped = page.locator('.verdicts [data-kept="false"]');
    await dropped.first().waitFor();
    expect(await page.locator('.findings').textContent()).toContain('A claim was dropped');
    expect(await dropped.first().locator('.place').textContent()).not.toBe('');
    await page.goto(`${server.url}/app/traces/${recorded('model').at(-1)?.trace.id}`);
    await expect
      .poll(() => page.locator('.findings').textContent())
      .toContain('closed the connection in the middle of its answer');
    expect(await page.locator('.tree [data-tone="bad"] .sign').first().textContent()).toBe('failed: ');
    await page.goto(`${server.url}/app/traces/${recorded('chat').at(0)?.trace.id}`);
    await expect.poll(() => page.locator('main h2').textContent()).toBe('Is there a spaceport for tomatoes?');
    expect(await page.locator('.tree').textContent()).toContain('a closer look at 2022-03');
  });

  it('run again: the same from the trace, and otherwise with another mode, told claim by claim', async () => {
    const { traceId } = await post('/v1/ask', { question });
    const { traceId: other } = await post('/v1/ask', { question: 'How much rye does the mill grind?' });
    await open(`/app/traces/${traceId}`);
    await page.getByRole('button', { name: 'Replay from the trace' }).click();
    await expect.poll(() => page.locator('.outcome').textContent()).toContain('byte for byte');
    expect(await said()).toContain('byte for byte');
    await page.getByLabel('What if the mode were').selectOption('embedded');
    await page.getByRole('button', { name: 'Run it for real' }).click();
    await expect
      .poll(() => page.locator('.outcome').textContent())
      .toMatch(/It says the same\..*mode: hybrid → embedded/s);
    await page.getByLabel('and these settings').fill('FUSION_METHOD=sideways');
    await page.getByRole('button', { name: 'Run it for real' }).click();
    await page.locator('#failure').waitFor();
    expect(await page.locator('#failure').textContent()).toContain('FUSION_METHOD');
    await page.getByLabel('Compare with').fill(other ?? '');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const only = (side: string) => page.getByRole('region', { name: `Claims: ${side}` }).locator('li');
    await expect
      .poll(() => only('Only in the other').allTextContents())
      .toEqual([expect.stringContaining('400 kilograms')]);
    expect(await only('Only in this one').allTextContents()).toEqual([expect.stringContaining('1931')]);
  });

  it('are pinned, saved, made a case, taken in and deleted', async () => {
    const { traceId } = await post('/v1/ask', { question });
    await open(`/app/traces/${traceId}`);
    const pin = page.getByRole('button', { name: 'Pin', exact: true });
    await pin.click();
    await expect.poll(() => pin.getAttribute('aria-pressed')).toBe('true');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`trace-${traceId}.json`);
    const file = readFileSync(await download.path(), 'utf8');
    expect(JSON.parse(file)).toMatchObject({ format: 'footnote-trace', id: traceId });
    await page.getByRole('button', { name: 'Copy as eval case' }).click();
    await expect.poll(said).toContain('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `footnote eval from-trace ${traceId} --out suite/cases.jsonl`,
    );
    const remove = page.getByRole('button', { name: 'Delete', exact: true });
    await remove.click();
    await page.getByRole('button', { name: 'Keep them' }).click();
    expect(await remove.evaluate((button) => document.activeElement === button)).toBe(true);
    await remove.click();
    await page.getByRole('button', { name: 'Delete them' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/traces');
    expect((await fetch(`${server.url}/admin/traces/${traceId}`)).status).toBe(404);
    await expect.poll(() => rows().count()).toBeGreaterThan(5);
    const before = await rows().count();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'trace.json', mimeType: 'application/json', buffer: Buffer.from(file) });
    await expect.poll(said).toContain('Took in 1 trace');
    await expect.poll(() => rows().count()).toBe(before + 1);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'no.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
    await expect.poll(() => page.locator('#failure').textContent()).toContain('expected "footnote-trace"');
    await page.goto(`${server.url}/app/traces/trc_none`);
    await expect.poll(() => page.locator('main').textContent()).toMatch(/trc_none/);
  });

  it('take markup, long words and other directions for text', async () => {
    const odd = `<img src=x onerror="document.title='run'"> [2] ${'zalgo'.repeat(400)} متى بني الميناء \u202eالقديم`;
    const { traceId } = await post('/v1/ask', { question: odd });
    await open(`/app/traces/${traceId}`);
    await page.locator('.strip').waitFor();
    expect(await page.locator('main h2').textContent()).toContain('<img src=x onerror');
    expect(await page.locator('main :is(img, script, b)').count()).toBe(0);
    for (const summary of await page.locator('.tree summary').all()) await summary.click();
    expect(await page.locator('main').textContent()).not.toContain('\u202e');
    expect(await overflow(page)).toBe(0);
    expect(await page.title()).toContain('<img src=x');
  });

  it.each(ways)('have no finding of axe, $name', async ({ name, options }) => {
    watched = await openPage(browser, server, { ...options, bypassCSP: true });
    ({ page } = watched);
    await page.goto(`${server.url}/app/traces`);
    await rows().first().waitFor();
    await page.getByText('More filters').click();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    for (const trace of [recorded('prose').at(0), recorded('silent').at(0)]) {
      await page.goto(`${server.url}/app/traces/${trace?.trace.id}`);
      await page.locator('.strip').waitFor();
      if (isDrawing && name === 'light' && trace?.trace.id === recorded('silent').at(0)?.trace.id) await draw('trace');
      await page.locator('.tree summary').first().click();
      await page.getByRole('button', { name: 'Replay from the trace' }).click();
      await page.locator('.outcome').waitFor();
      // All of it in sight: half of what lies under the edge is no target.
      await page.setViewportSize({ width: page.viewportSize()?.width ?? 320, height: 6000 });
      expect(await findings(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      const smallest = await page
        .locator('main :is(button, select, summary):visible')
        .evaluateAll((all) => Math.min(...all.map((one) => one.getBoundingClientRect().height)));
      expect(smallest).toBeGreaterThanOrEqual(24);
    }
    expect(await page.locator('[aria-live], [role="status"], [role="alert"]').count()).toBe(1);
  });

  const draw = async (name: string): Promise<void> => {
    await page.setViewportSize({ width: 1240, height: 900 });
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  };

  it('are not offered to a key that may only read, which is told so', async () => {
    const secret = server.createKey('reader');
    await open('/app/traces');
    await page.getByLabel('Key', { exact: true }).fill(secret);
    await page.keyboard.press('Enter');
    await page.locator('#failure').waitFor();
    await expect.poll(() => page.locator('#holdings').textContent()).toMatch(/documents in/);
    expect(await page.getByRole('link', { name: 'Traces' }).count()).toBe(0);
    expect(await rows().count()).toBe(0);
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByLabel('Question').fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.turn[data-state="done"]').waitFor();
    expect(await page.getByRole('link', { name: 'Trace', exact: true }).count()).toBe(0);
  });
});
