// The archive of conversations in a real browser against the product: when something was spoken of, threads that are never held whole, questions whose looks
// are drawn, and that nobody sees what is not theirs.
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

interface Line {
  readonly conversation_id: string;
  readonly turn_id: string;
  readonly role: string;
  readonly text: string;
  readonly timestamp: string;
  readonly title: string;
}

const day = (year: number, month: number, date: number, hour = 9): string =>
  new Date(Date.UTC(year, month - 1, date, hour)).toISOString();
const turn = (conversation_id: string, number: number, timestamp: string, words: readonly [string, string]): Line[] =>
  (['user', 'assistant'] as const).map((role, at) => ({
    conversation_id,
    turn_id: `${conversation_id}-${number}`,
    role,
    text: words[at] ?? '',
    timestamp,
    title: conversation_id === 'roof' ? 'The roof of the house' : 'A garden for <b>bees</b>',
  }));

/** Solar panels are spoken of in March 2022 most, and once in June 2023; the garden in every month. */
const lines: readonly Line[] = [
  ...[3, 8, 9, 14, 21].flatMap((date, at) =>
    turn('roof', at, day(2022, 3, date), [
      `Which solar panels fit a roof that looks south, number ${at}?`,
      'Panels of 400 watts fit a roof like yours.',
    ]),
  ),
  ...turn('roof', 5, day(2023, 6, 2), ['I bought twelve solar panels today. [1]', 'That is 4.8 kilowatts in all.']),
  ...Array.from({ length: 14 }, (_, month) =>
    turn('garden', month, day(2022, 1 + month, 10), [
      `What do I plant in month ${month}?`,
      'Clover and thyme, which bees like.',
    ]),
  ).flat(),
];
const long: readonly Line[] = Array.from({ length: 300 }, (_, at) => ({
  conversation_id: 'long',
  turn_id: `long-${at}`,
  role: 'user',
  text: `Entry ${at} of the log of the lighthouse.`,
  timestamp: new Date(Date.UTC(2021, 0, 1, at)).toISOString(),
  title: 'The log',
})).flat();

const bring = async (server: Server, all: readonly Line[], secret?: string): Promise<void> => {
  const reply = await fetch(`${server.url}/v1/conversations/import?format=jsonl`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...(secret && { authorization: `Bearer ${secret}` }) },
    body: all.map((line) => JSON.stringify(line)).join('\n'),
  });
  if (!reply.ok) throw new Error(await reply.text());
};

describe.skipIf(!hasBrowser)('the conversations', () => {
  let browser: Browser;
  let server: Server;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer()]);
    await bring(server, [...lines, ...long]);
  });
  afterAll(async () => {
    await server?.close();
  });
  afterEach(async () => {
    await watched.check();
    await watched.close();
  });
  const open = async (path: string, options: Parameters<typeof openPage>[2] = {}): Promise<void> => {
    watched = await openPage(browser, server, { timezoneId: 'UTC', ...options });
    ({ page } = watched);
    await page.goto(server.url + path);
  };
  const picture = () => page.getByRole('img', { name: /^Hits:/ });
  const said = (): Promise<string | null> => page.locator('#found').textContent();

  it('are reached by keys, and tell when something was spoken of', async () => {
    await open('');
    await page.locator('#holdings').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Conversations');
    expect(await page.title()).toBe('Conversations – Footnote');
    await page.locator('.documents li').nth(2).waitFor();
    await page.getByLabel('Look for').fill('solar panels');
    await page.keyboard.press('Enter');
    await expect.poll(said).toMatch(/^6 turns of 320 in 1 conversation\./);
    expect(await picture().getAttribute('aria-label')).toMatch(/the highest is 2022-03 with 5\.$/);
    expect(new URL(page.url()).search).toBe('?q=solar+panels');
    await page.getByText('Hits as a table').click();
    const rows = await page.getByRole('region', { name: 'Hits as a table' }).locator('tbody tr').allTextContents();
    expect(rows).toContain('2022-035 (peak)');
    expect(rows).toHaveLength(16);
    expect(await page.locator('.chart .bar').count()).toBe(16);
    expect(await page.locator('.peak').count()).toBeGreaterThan(0);
  });

  it('are zoomed by brushing bars, and by days where nobody drags', async () => {
    await open('/app/conversations?q=solar+panels');
    const box = (await picture().boundingBox())!;
    const bar = box.width / 16;
    await page.mouse.move(box.x + bar * 0.5, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + bar * 1.5, box.y + 40, { steps: 3 });
    await page.mouse.up();
    await expect.poll(() => new URL(page.url()).searchParams.get('to')).toBe('2022-05-01T00:00:00.000Z');
    await expect.poll(said).toMatch(/^5 turns of/);
    expect(await page.getByLabel('First day').inputValue()).toBe('2022-03-01');
    expect(await page.getByLabel('Last day').inputValue()).toBe('2022-04-30');
    await page.getByLabel('Last day').focus();
    await page.keyboard.type('03092022');
    await page.keyboard.press('Enter');
    await expect.poll(said).toMatch(/^3 turns of/);
    expect(new URL(page.url()).searchParams.get('to')).toBe('2022-03-10');
    await page.goBack();
    await expect.poll(said).toMatch(/^5 turns of/);
    await page.getByRole('link', { name: 'Look at everything' }).click();
    await expect.poll(said).toMatch(/^6 turns of/);
  });

  it('lead from pieces to their turn, and on by conversation', async () => {
    await open('/app/conversations?q=solar+panels');
    await page.locator('.snippets a').first().click();
    await page.locator('.thread [aria-current]').waitFor();
    expect(await page.locator('.thread [aria-current]').count()).toBe(1);
    expect(await page.locator('.thread .turn').count()).toBe(6);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-current'))).toBe('true');
    await page.goBack();
    await expect.poll(said).toMatch(/^6 turns of/);
    await page.getByLabel('Look for').fill('clover');
    await page.keyboard.press('Enter');
    await expect.poll(said).toMatch(/^14 turns of/);
    await page.getByText('By conversation and role').first().click();
    await page.getByRole('link', { name: 'Only in A garden for <b>bees</b>' }).click();
    await expect.poll(said).toMatch(/^14 turns of 14 in 1 conversation/);
    expect(new URL(page.url()).searchParams.get('conversation')).toBe('garden');
    expect(await page.locator('.snippets b').count()).toBe(0);
  });

  it('are read in pages, and never more of one is held than can be drawn', async () => {
    await open('/app/conversations/long');
    const turns = page.locator('.thread .turn');
    await turns.first().waitFor();
    expect(await page.title()).toBe('The log – Footnote');
    expect(await turns.count()).toBe(50);
    expect(await turns.first().evaluate((one) => getComputedStyle(one).contentVisibility)).toBe('auto');
    const shown = async (): Promise<(string | null)[]> => [
      await turns.first().getAttribute('data-turn'),
      await turns.last().getAttribute('data-turn'),
    ];
    for (let last = 99; last < 300; last += 50) {
      await page.getByRole('button', { name: 'Later turns' }).click();
      await expect.poll(shown).toEqual([`long-${Math.max(0, last - 199)}`, `long-${last}`]);
    }
    expect(await turns.count()).toBe(200);
    expect(await page.getByRole('button', { name: 'Later turns' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Earlier turns' }).click();
    await expect.poll(shown).toEqual(['long-80', 'long-279']);
    await page.goto(`${server.url}/app/conversations/long?turn=long-150`);
    await expect.poll(shown).toEqual(['long-130', 'long-170']);
    const place = await page.locator('[aria-current="true"].turn').boundingBox();
    expect(place?.y).toBeGreaterThan(0);
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThan(800);
    await page.getByRole('button', { name: 'Earlier turns' }).click();
    await expect.poll(shown).toEqual(['long-110', 'long-170']);
  });

  it('are asked, with each look drawn on the histogram and each mark leading to its turn', async () => {
    await open('/app/conversations');
    await page.getByLabel('Question to the conversations').fill('When did I buy the solar panels in 2023?');
    await page.keyboard.press('Enter');
    await page.locator('#chat .turn[data-state="done"]').waitFor();
    expect(await page.locator('#chat .text').textContent()).toContain('twelve solar panels');
    await expect.poll(() => page.locator('.band').count()).toBeGreaterThan(0);
    const bars = await page.locator('.chart .bar').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
    const band = await page
      .locator('.band')
      .first()
      .evaluate((one) => one.getBoundingClientRect());
    const under = bars.filter(({ left, right }) => (left + right) / 2 > band.left && (left + right) / 2 < band.right);
    expect(under.length).toBeGreaterThan(0);
    expect(band.top).toBeGreaterThanOrEqual(Math.max(...bars.map(({ bottom }) => bottom)) - 0.5);
    await drawPicture(page, 'conversations', 900);
    await page.locator('#chat summary', { hasText: 'looks at the archive' }).click();
    await page.getByRole('link', { name: 'Look 2' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toMatch(/^2023/);
    expect(await page.locator('#chat .answer').count()).toBe(1);
    // A bracket that somebody wrote is no mark.
    const marks = page.locator('#chat a.mark');
    const links = await marks.evaluateAll((all) => all.map((one) => new URL((one as HTMLAnchorElement).href).search));
    expect(links.every((search) => /^\?turn=(?:roof|garden)-\d+$/.test(search))).toBe(true);
    const name = await marks.first().getAttribute('aria-label');
    expect(name).toMatch(/^Source 1: The roof of the house, /);
    await marks.first().click();
    await page.locator('.thread [aria-current]').waitFor();
    expect(await page.locator('.thread [aria-current] .said').first().textContent()).toContain('[1]');
    // What was said stands below its name, and within its turn.
    const places = await page.locator('.thread [aria-current]').evaluate((turn) => {
      const [own, head] = [turn.getBoundingClientRect(), turn.querySelector('.place')?.getBoundingClientRect()];
      return [...turn.querySelectorAll('.said')].map((one) => {
        const { top, bottom, height } = one.getBoundingClientRect();
        return { isBelow: top >= (head?.top ?? 0), isWithin: bottom <= own.bottom + 1, isTall: height > 10 };
      });
    });
    expect(places.length).toBeGreaterThan(0);
    for (const place of places) expect(place).toEqual({ isBelow: true, isWithin: true, isTall: true });
    await page.goBack();
    await page.locator('#chat .answer').waitFor();
    await expect.poll(() => page.locator('.band').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'New chat' }).click();
    expect(await page.locator('#chat .answer, .band').count()).toBe(0);
  });

  it('say that nothing is known where nothing is', async () => {
    await open('/app/conversations?q=submarine');
    await expect.poll(said).toMatch(/^0 turns of 320/);
    await page.getByRole('heading', { name: 'Nobody spoke of it' }).waitFor();
    await page.getByLabel('Question to the conversations').fill('What did I say of submarines?');
    await page.keyboard.press('Enter');
    await page.locator('#chat .turn[data-state="done"]').waitFor();
    expect(await page.locator('#chat .mark').count()).toBe(0);
  });

  it('are brought in, and removed when asked twice', async () => {
    await open('/app/conversations');
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Bring in an export' }).click(),
    ]);
    const line = { ...lines[0], conversation_id: 'brief', turn_id: 'brief-1', title: 'Brief' };
    await chooser.setFiles({
      name: 'brief.jsonl',
      mimeType: 'application/jsonl',
      buffer: Buffer.from(`${JSON.stringify(line)}\nno line\n`),
    });
    await expect.poll(() => page.locator('#brought').textContent()).toMatch(/^Read 1 conversation: 1 new turns/);
    expect(await page.locator('.notice li').count()).toBe(1);
    await page.getByRole('link', { name: 'Brief' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByRole('heading', { name: 'All conversations' }).waitFor();
    await expect.poll(() => page.locator('.documents li').count()).toBe(3);
  });

  it.each(ways)('have no finding of axe, $name', async ({ options }) => {
    await open('/app/conversations', { ...options, bypassCSP: true });
    await page.locator('.documents li').first().waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel('Question to the conversations').fill('When did I buy the solar panels in 2023?');
    await page.keyboard.press('Enter');
    await page.locator('#chat .turn[data-state="done"]').waitFor();
    await picture().waitFor();
    for (const summary of await page.locator('summary:visible').all()) await summary.click();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    expect(await page.getByRole('navigation', { name: 'More pages' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('navigation', { name: 'More pages' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Conversations', exact: true }).click();
    expect(await page.getByRole('navigation', { name: 'More pages' }).count()).toBe(0);
    await page.goto(`${server.url}/app/conversations/garden`);
    await page.locator('.thread .turn').first().waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    const small = await page
      .locator('button:visible, select:visible, a.mark:visible')
      .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 24).length);
    expect(small).toBe(0);
  });

  it('are shown to whoever brought them in, and to nobody of another key or tenant', async () => {
    const admin = server.createKey('admin', 'admin');
    const reader = server.createKey('reader', 'reader');
    const strangers = [
      server.createKey('reader', 'other-reader', 'other'),
      server.createKey('admin', 'other-admin', 'other'),
    ];
    const open = async (secret: string, path: string): Promise<void> => {
      watched = await openPage(browser, server);
      ({ page } = watched);
      await page.addInitScript((key) => sessionStorage.setItem('footnote-key', key), secret);
      await page.goto(server.url + path);
    };
    for (const secret of [reader, ...strangers]) {
      await open(secret, '/app/conversations?q=solar+panels');
      await expect.poll(said).toMatch(/^0 turns of 0 in 0 conversations/);
      expect(await page.getByRole('button', { name: 'Bring in an export' }).count()).toBe(0);
      await page.goto(`${server.url}/app/conversations`);
      await page.getByText('There are none yet').waitFor();
      expect(await page.getByRole('button', { name: 'Bring in an export' }).count()).toBe(
        secret === strangers[1] ? 1 : 0,
      );
      await page.goto(`${server.url}/app/conversations/roof`);
      await page.locator('.failure').waitFor();
      expect(await page.locator('main').textContent()).not.toContain('The roof');
      expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
      await watched.check();
      await watched.close();
    }
    await open(admin, '/app/conversations?q=solar+panels');
    await expect.poll(said).toMatch(/^6 turns of/);
    await page.getByLabel('Question to the conversations').fill('When did I buy the solar panels in 2023?');
    await page.keyboard.press('Enter');
    await page.locator('#chat .turn[data-state="done"]').waitFor();
    await page.getByRole('button', { name: 'Key', exact: true }).click();
    await page.getByLabel('Key', { exact: true }).fill(reader);
    await page.keyboard.press('Enter');
    await expect.poll(said).toMatch(/^0 turns of 0/);
    expect(await page.locator('#chat .turn, .band, .snippets li').count()).toBe(0);
  });
});
