// Times of the pages in Chromium, against the product, as JSON lines of `{what, limit, got, unit}` and at the end `{busy}`: a program of its own, as it knows
// what stands in a page (npm run bench screen). A fixed piece of work is timed between all steps: how much longer it takes than at its best tells how busy
// the machine was.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../../testkit/engine-timing.ts';
import { startServerProcess } from '../../testkit/server-process.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { openBrowser } from './browser.ts';
import { largeBook, repeatBars, repeatTurns } from './large.ts';
import { calibrationMs, heldMegabytes, loadEarlier, longTasks, scrollThrough, turnPages } from './measured.ts';

const question = 'What is scaled dot-product attention?';

const paper = sharedData('documents', 'pdf', 'attention-is-all-you-need.1706.03762v7.pdf');
if (paper === undefined)
  throw new Error('This bench reads the paper of the evaluation data: set FOOTNOTE_SHARED_DATA.');
const folder = mkdtempSync(join(tmpdir(), 'footnote-screen-'));
const server = await startServerProcess(join(folder, 'data'));
const browser = await openBrowser();

async function add(name: string, bytes: Uint8Array): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(bytes)], { type: 'application/pdf' }), name);
  const reply = await fetch(`${server.url}/v1/documents?wait=true`, { method: 'POST', body: form });
  if (!reply.ok) throw new Error(await reply.text());
  return ((await reply.json()) as { documents: [{ id: string }] }).documents[0].id;
}

const calibrations: number[] = [];
const row = (what: string, limit: number, got: number, unit = 'ms'): void =>
  console.log(JSON.stringify({ what, limit, got: Math.round(got * 10) / 10, unit }));

const openPage = async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  return context.newPage();
};
type Page = Awaited<ReturnType<typeof openPage>>;

const calibrate = async (page: Page): Promise<void> => {
  calibrations.push(await calibrationMs(page));
};

async function firstLoad(slowed: number): Promise<{ readonly paintMs: number; readonly usableMs: number }> {
  const page = await openPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowed });
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if ('usableMs' in window || !document.querySelector('#question')) return;
      Object.assign(window, { usableMs: performance.now() });
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(server.url);
  await page.waitForFunction(() => 'usableMs' in window && performance.getEntriesByType('paint').length > 1);
  const told = await page.evaluate(() => ({
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    usableMs: (window as unknown as { usableMs: number }).usableMs,
  }));
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await calibrate(page);
  await page.context().close();
  return told;
}

/** A server in front of the product that holds the frames of an answer back, and sends them when it is told to. */
async function holdFrames() {
  const held: { frames: string[]; reply?: ServerResponse } = { frames: [] };
  const front = createServer((asked, reply) => {
    const isQuestion = asked.method === 'POST' && asked.url?.endsWith('/messages');
    const headers = { ...asked.headers, host: new URL(server.url).host, origin: server.url };
    const passed = request(`${server.url}${asked.url}`, { method: asked.method, headers }, (answered) => {
      reply.writeHead(answered.statusCode ?? 500, answered.headers);
      if (!isQuestion) return void answered.pipe(reply);
      let text = '';
      answered.on('data', (data) => (text += String(data)));
      answered.on('end', () => {
        reply.flushHeaders();
        held.frames = text.split(/(?<=\n\n)/u).filter(Boolean);
        held.reply = reply;
      });
    });
    asked.pipe(passed);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => front.once('listening', resolve));
  return { held, url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, close: () => front.close() };
}

async function streamed(): Promise<void> {
  const { held, url, close } = await holdFrames();
  const page = await openPage();
  await page.goto(url);
  await page.getByLabel('Question').fill(question);
  const shown: number[] = [];
  const kept = await longTasks(page, async () => {
    await page.keyboard.press('Enter');
    while (held.reply === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    await page.evaluate(() => {
      const seen: number[] = [];
      Object.assign(window, { seenMarks: seen });
      const count = (): number => document.querySelectorAll('.turn .text .mark').length;
      let before = count();
      new MutationObserver(() => {
        if (count() > before) seen.push(Date.now());
        before = count();
      }).observe(document.body, { childList: true, subtree: true });
    });
    const sent: number[] = [];
    for (const frame of held.frames) {
      if (frame.includes('event: delta') && frame.includes('"citation"')) sent.push(Date.now());
      held.reply.write(frame);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    held.reply.end();
    await page.locator('.turn[data-state="done"]').waitFor();
    const seen = await page.evaluate(() => (window as unknown as { seenMarks: number[] }).seenMarks);
    shown.push((seen[0] ?? Number.NaN) - (sent[0] ?? Number.NaN));
  });
  row('first claim on screen after its event', 50, shown[0] ?? Number.NaN);
  row('longest task while an answer streams', 50, kept.longestMs);
  await calibrate(page);
  await page.context().close();
  close();
}

const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
};
const drawn = (page: Page, within = ''): Promise<void> => page.locator(`${within} .page[data-drawn="true"]`).waitFor();

async function sourcePages(): Promise<void> {
  const page = await openPage();
  await page.goto(server.url);
  await page.getByLabel('Question').fill(question);
  await page.keyboard.press('Enter');
  await page.locator('.turn[data-state="done"] .text .mark').first().waitFor();
  row(
    'cited page of a paper of 2 MB',
    1500,
    await timed(async () => {
      await page.locator('.turn .text .mark').first().click();
      await drawn(page, '#source');
    }),
  );
  await calibrate(page);
  row(
    'next page',
    400,
    await timed(async () => {
      const label = await page.locator('#source canvas').getAttribute('aria-label');
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.waitForFunction(
        (before) => document.querySelector('#source canvas')?.getAttribute('aria-label') !== before,
        label,
      );
      await drawn(page, '#source');
    }),
  );
  await calibrate(page);
  await page.context().close();
}

async function book(): Promise<void> {
  const bytes = largeBook(380, 260_000);
  const id = await add('book.pdf', bytes);
  const { text } = (await (await fetch(`${server.url}/v1/documents/${id}/text`)).json()) as { text: string };
  const words = 'voyage to island number 300';
  const start = text.indexOf(words);
  const page = await openPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let fetched = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (fetched += encodedDataLength));
  const tookMs = await timed(async () => {
    await page.goto(`${server.url}/app/documents/${id}?start=${start}&end=${start + words.length}`);
    await drawn(page);
  });
  row('page 300 of a book of 100 MB', 3000, tookMs);
  row('fetched for it', 5, fetched / 1e6, 'MB');
  await calibrate(page);
  await page.context().close();
}

async function longSession(): Promise<void> {
  const page = await openPage();
  await page.goto(server.url);
  await page.getByLabel('Question').fill(question);
  await page.keyboard.press('Enter');
  await page.locator('.turn[data-state="done"] .text .mark').first().waitFor();
  await repeatTurns(page, 1000);
  await page.reload();
  await page.locator('.turn').nth(49).waitFor();
  await loadEarlier(page, 1000);
  const kept = await longTasks(page, () => scrollThrough(page, 400));
  row('longest task while 1,000 turns are scrolled', 100, kept.longestMs);
  await turnPages(page, 8);
  const held = await heldMegabytes(page);
  row('script holds after 1,000 turns and pages of a source', 80, held.script, 'MB');
  row('script, elements and buffers hold', 80, held.all, 'MB');
  await calibrate(page);
  await page.context().close();
}

async function histogram(): Promise<void> {
  await fetch(`${server.url}/v1/conversations/import?format=jsonl`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: JSON.stringify({
      conversation_id: 'log',
      turn_id: 'log-1',
      role: 'user',
      text: 'The lighthouse burns.',
      timestamp: '2021-01-01T00:00:00Z',
    }),
  });
  const page = await openPage();
  await repeatBars(page, 100_000);
  await page.goto(`${server.url}/app/conversations?q=lighthouse`);
  const chart = page.locator('.chart svg').first();
  await chart.waitFor();
  const kept = await longTasks(page, async () => {
    const box = await chart.boundingBox();
    if (!box) throw new Error('The histogram is not drawn.');
    await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2);
    await page.mouse.down();
    for (let step = 1; step <= 30; step += 1)
      await page.mouse.move(box.x + box.width * (0.2 + step * 0.02), box.y + box.height / 2);
    await page.mouse.up();
    await page.locator('#found a').waitFor();
    await chart.waitFor();
  });
  row('longest task while a histogram of 100,000 bars is zoomed', 100, kept.longestMs);
  await calibrate(page);
  await page.context().close();
}

await firstLoad(1); // The first page starts processes of the browser.
const loads: Awaited<ReturnType<typeof firstLoad>>[] = [];
for (let turn = 0; turn < 5; turn += 1) loads.push(await firstLoad(1));
row('first paint', 600, median(loads.map(({ paintMs }) => paintMs)));
row('usable', 1000, median(loads.map(({ usableMs }) => usableMs)));
const slow: Awaited<ReturnType<typeof firstLoad>>[] = [];
for (let turn = 0; turn < 3; turn += 1) slow.push(await firstLoad(4));
row('usable with the processor slowed four times', 2000, median(slow.map(({ usableMs }) => usableMs)));
await add('attention.pdf', readFileSync(paper));
await streamed();
await sourcePages();
await book();
await longSession();
await histogram();
await browser.close();
await server.stop();
rmSync(folder, { recursive: true, force: true });

console.log(JSON.stringify({ busy: median(calibrations) / Math.min(...calibrations) }));
