// Evaluations and costs in a real browser against the product: answers that a model wrote and judges judged, runs that the command line made, and what it all cost.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { programMain } from '../../../testkit/bundled-program.ts';
import { type LoadProvider, startLoadProvider } from '../../../testkit/load/provider.ts';
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

const mill =
  '# The mill of Eastpoint\n\nThe mill grinds 400 kilograms of rye a day. It was built in 1873 by Anna Berg.\n';
const harbour = '# The harbour\n\nTwelve cranes load ships in the harbour. The basin is 9 metres deep.\n';
const cases = [
  { id: 'rye', question: 'How much rye does the mill grind a day?', answers: ['400 kilograms'] },
  { id: 'depth', question: 'How deep is the basin of the harbour?', answers: ['9 metres'] },
  { id: 'cranes', question: 'How many cranes load ships?', answers: ['Thirteen'] },
];

/** A run as the command line writes it. */
function runSuite(folder: string): string {
  mkdirSync(join(folder, 'docs'), { recursive: true });
  writeFileSync(join(folder, 'docs/mill.md'), mill);
  writeFileSync(join(folder, 'docs/harbour.md'), harbour);
  writeFileSync(join(folder, 'cases.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));
  const done = spawnSync(process.execPath, [programMain, 'eval', 'run', folder, '--out', join(folder, 'run')], {
    env: { ...process.env, FOOTNOTE_DATA: join(folder, 'data'), NO_COLOR: '1' },
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(done.stderr);
  return readFileSync(join(folder, 'run/run.json'), 'utf8');
}

interface RunFile {
  at: string;
  program: string;
  suite: { sha256: string };
  results: { id: string; question: string; measures: Record<string, number>; missed: string[] }[];
}
/** The same run on another day, by another version, in which the answer about rye got worse. */
function laterRun(text: string): string {
  const run = JSON.parse(text) as RunFile;
  run.at = '2030-01-01T00:00:00.000Z';
  run.program = '9.9.9';
  const rye = run.results.find(({ id }) => id === 'rye')!;
  rye.measures['completeness'] = 0;
  rye.missed.push('completeness');
  return JSON.stringify(run);
}

describe.skipIf(!hasBrowser)('the evaluations', () => {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-web-suite-'));
  let browser: Browser;
  let server: Server;
  let provider: LoadProvider;
  let run: string;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    provider = await startLoadProvider();
    [browser, server] = await Promise.all([
      sharedBrowser(),
      startServer({
        ENABLE_ONLINE_EVALS: 'true',
        EVAL_SAMPLE_RATE: '1',
        MODEL_ANSWER: 'azure:load',
        MODEL_PRICES: 'azure:load = 1000 / 2000',
        AZURE_OPENAI_ENDPOINT: provider.address,
        AZURE_OPENAI_API_KEY: 'load',
      }),
    ]);
    run = runSuite(join(folder, 'handbook'));
    await server.add({ name: 'mill.md', text: mill, mime: 'text/markdown' });
    await server.add({ name: 'harbour.md', text: harbour, mime: 'text/markdown' });
    for (const { question } of cases) {
      const body = JSON.stringify({ question });
      const headers = { 'content-type': 'application/json' };
      await fetch(`${server.url}/v1/ask`, { method: 'POST', headers, body });
    }
    const judged = async (): Promise<number> => {
      const reply = await fetch(`${server.url}/admin/evals`);
      return ((await reply.json()) as { stats: { totalEvaluations: number } }).stats.totalEvaluations;
    };
    await vi.waitFor(async () => expect(await judged()).toBeGreaterThan(0), { timeout: 60_000, interval: 200 });
  });
  afterAll(async () => {
    await server?.close();
    await provider?.stop();
    rmSync(folder, { recursive: true, force: true });
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
  const openRuns = async (files: readonly (readonly [name: string, text: string])[]): Promise<void> => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Open runs' }).click(),
    ]);
    await chooser.setFiles(
      files.map(([name, text]) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })),
    );
  };

  it('are reached by keys, and tell what judges said, the worst with a way to its trace', async () => {
    await open('');
    await page.locator('#holdings').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Evaluations and costs', exact: true }).waitFor();
    expect(await page.title()).toBe('Evaluations and costs – Footnote');
    await expect.poll(() => page.locator('#standing').textContent()).toMatch(/^\d judged: groundedness [01]\.\d\d/);
    expect((await rows('By judge'))[0]).toMatch(/^rules\d/);
    const worst = page.getByRole('region', { name: 'The worst', exact: true }).getByRole('link');
    expect(await worst.first().getAttribute('href')).toMatch(/\/app\/traces\/trc_[0-9a-f]+$/);
    const { data } = (await (await fetch(`${server.url}/admin/traces`)).json()) as { data: { id: string }[] };
    const id = (await worst.first().getAttribute('href'))?.split('/').at(-1);
    expect(data.map((one) => one.id)).toContain(id);
    const chart = page.getByRole('img', { name: /^Groundedness by day: one bar/ });
    expect(await chart.count()).toBe(1);
  });

  it('tell what models cost by day and role, for the days that the address names', async () => {
    await open('/app/evals');
    await expect.poll(() => page.locator('#total').textContent()).toMatch(/^\d+ calls, \$\d/);
    expect(await rows('By role')).toEqual([expect.stringMatching(/^answer\d/)]);
    const bars = page.getByRole('img', { name: /^Cost by day: 30 bars/ });
    await bars.waitFor();
    const tall = await page
      .locator('#costs .chart .bar')
      .evaluateAll((all) => all.filter((one) => Number(one.getAttribute('height')) > 0).length);
    expect(tall).toBe(1);
    await page.getByLabel('Count').selectOption('tokens');
    await page.getByRole('img', { name: /^Tokens by day/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?what=tokens');
    await page.goto(`${server.url}/app/evals?from=2020-01-01&to=2020-01-31`);
    await expect.poll(() => page.locator('#total').textContent()).toBe('No model was called in these days.');
    expect(await page.locator('#costs .chart').count()).toBe(0);
  });

  it('set runs of a suite side by side, with the reason of each judge', async () => {
    await open('/app/evals');
    await openRuns([['before.json', run]]);
    await expect.poll(async () => (await rows('Runs and judges')).length).toBeGreaterThan(5);
    expect(await rows('Runs and judges')).toContain('completeness0.700.67, 2 of 3 pass');
    expect(await page.locator('#rows').textContent()).toBe('1 of 3 questions');
    expect((await rows('Question by question'))[0]).toMatch(/^How many cranes load ships\?.*0\.00 does not pass\S/s);
    await page.getByLabel('Only those that a judge does not pass').uncheck();
    await expect.poll(async () => (await rows('Question by question')).length).toBe(3);
    await openRuns([['after.json', laterRun(run)]]);
    await expect.poll(() => page.locator('#compared').textContent()).toMatch(/^3 questions in both\./);
    const changed = (await rows('What changed')).find((row) => row.startsWith('completeness'));
    expect(changed).toMatch(/^completeness0\.670\.33012[-−]0\.333[-−]1\.000 to 0\.000$/);
    await page.getByText('1 question moved').click();
    expect(await rows('Questions that moved')).toEqual([
      expect.stringMatching(/^How much rye.*completeness: 1\.00 → 0\.00$/),
    ]);
    await page.getByLabel('Over time').selectOption('completeness');
    await page.getByRole('img', { name: /^completeness: 2 bars/ }).waitFor();
    expect(await page.locator('#runs .chart .peak').count()).toBe(1);
    await drawPicture(page, 'evals', 900, '#runs h4:last-of-type');
  });

  it('refuse what is no run, and runs of different suites, and say why', async () => {
    await open('/app/evals');
    await openRuns([['notes.json', '{"format": "notes"}']]);
    await expect.poll(() => page.locator('#failure').textContent()).toContain('notes.json is no run of a suite');
    const other = JSON.parse(laterRun(run)) as RunFile;
    other.suite.sha256 = 'another';
    await openRuns([
      ['before.json', run],
      ['other.json', JSON.stringify(other)],
    ]);
    await expect.poll(() => page.locator('#runs .failure').textContent()).toMatch(/^The runs are of different suites/);
  });

  it.each(ways)('have no finding of axe, $name', async ({ options }) => {
    await open('/app/evals', { ...options, bypassCSP: true });
    await page.locator('#standing').waitFor();
    await openRuns([
      ['before.json', run],
      ['after.json', laterRun(run)],
    ]);
    await page.locator('#compared').waitFor();
    for (const summary of await page.locator('main summary:visible').all()) await summary.click();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });

  it('show a reader of either tenant none of what judges said, and what it cost them alone', async () => {
    server.createKey('admin', 'boss');
    const stranger = server.createKey('admin', 'other-boss', 'elsewhere');
    const readers = [server.createKey('reader', 'there', 'elsewhere')];
    server.useKey(server.createKey('admin', 'boss-again'));
    readers.push(server.createKey('reader', 'here'));
    for (const secret of readers) {
      await open('/app/evals', {}, secret);
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.reload();
      await expect.poll(() => page.locator('#total').textContent()).toBe('No model was called in these days.');
      expect(await page.locator('h3').allTextContents()).toEqual(['Runs of suites', 'What models cost for you']);
      expect(asked.filter((path) => path.startsWith('/admin'))).toEqual([]);
      await watched.check();
      await watched.close();
    }
    await open('/app/evals', {}, stranger);
    await page.getByText('None yet.').waitFor();
    await expect.poll(() => page.locator('#total').textContent()).toBe('No model was called in these days.');
  });
});
