// The ask page in a real browser against the product: ask, watch, open a mark and see exactly the quote, by mouse and by keyboard alone.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EvalReport } from '../../src/shared/contract.ts';
import { hasBrowser, meant, openPage, type Server, sharedBrowser, startServer, type Watched } from './harness.ts';

const mill = [
  '# The mill of Eastpoint',
  '',
  'The lock of the mill was rebuilt in 1931 [2] by Ada Frost, after the flood of 1929. 🌊 The wheel turns four times a minute.',
  '',
  '## Grain',
  '',
  'The mill grinds 400 kilograms of rye a day. <img src=x onerror="document.title=\'run\'">',
  '',
].join('\n');

describe.skipIf(!hasBrowser)('the ask page', () => {
  let browser: Browser;
  let server: Server;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([sharedBrowser(), startServer(meant)]);
    await server.add({ name: 'mill.md', text: mill, mime: 'text/markdown' });
  });
  afterAll(async () => {
    await server?.close();
  });
  beforeEach(async () => {
    watched = await openPage(browser, server);
    ({ page } = watched);
    await page.goto(server.url);
  });
  afterEach(async () => {
    await watched.check();
    await watched.close();
  });

  const ask = async (question: string): Promise<void> => {
    await page.getByLabel('Question').fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.turn[data-state="done"]', { hasText: question }).last().waitFor();
  };
  const highlighted = (): Promise<string> =>
    page.evaluate(() => {
      const [range] = [...(CSS.highlights.get('quote') ?? [])] as Range[];
      return range?.toString() ?? '';
    });

  it('says what the server holds, and answers with marks that open exactly the quote', async () => {
    await expect.poll(() => page.locator('#holdings').textContent()).toMatch(/documents in 2 sources/);
    await ask('When was the lock of the mill rebuilt?');
    const answer = page.locator('.answer').last();
    expect(await answer.locator('.text').textContent()).toContain('1931');
    await answer.locator('.text .mark').first().click();
    await page.locator('.source-text').waitFor();
    const quote = await highlighted();
    expect(quote).toContain('The lock of the mill was rebuilt in 1931 [2] by Ada Frost');
    expect(mill).toContain(quote);
    expect(await page.locator('#source-title').textContent()).toContain('The mill of Eastpoint');
    // What is painted is in sight.
    const inSight = await page.evaluate(() => {
      const [range] = [...(CSS.highlights.get('quote') ?? [])] as Range[];
      const box = range?.getBoundingClientRect();
      return box !== undefined && box.top >= 0 && box.bottom <= innerHeight && box.height > 0;
    });
    expect(inSight).toBe(true);
  });

  it('tells the words that answer from the passage around them', async () => {
    await ask('When was the lock of the mill rebuilt, and by whom?');
    await page.locator('.answer .text .mark').first().click();
    await page.locator('.source-text').waitFor();
    const names = await page.evaluate(() => [...CSS.highlights.keys()]);
    const around = await page.evaluate(() =>
      ([...(CSS.highlights.get('around') ?? [])] as Range[]).map((range) => range.toString()).join(''),
    );
    // Of two highlights the later one is painted above.
    expect(names).toEqual(['around', 'quote']);
    const words = await highlighted();
    expect(await page.locator('.answer .text .claim').first().textContent()).toContain(words);
    expect(around).toContain(words);
    expect(around.length).toBeGreaterThan(words.length);
    expect(await page.locator('#own-tab').getAttribute('href')).toMatch(/&words=\d+-\d+$/);
  });

  it('opens a passage from its heading too, whose mark stands below it', async () => {
    await ask('What does the mill grind a day?');
    await page.locator('.answer .path button').first().click();
    await page.locator('.source-text').waitFor();
    expect(await highlighted()).toContain('400 kilograms of rye');
    expect(await page.locator('.mark[aria-expanded="true"]').count()).toBeGreaterThan(0);
  });

  it('takes what a document writes as [2] for no mark', async () => {
    await ask('Who rebuilt the lock of the mill?');
    const text = page.locator('.answer .text').last();
    expect(await text.textContent()).toContain('1931 [2] by Ada Frost');
    const marks = await text.locator('.mark').allTextContents();
    const answer = await page.evaluate(async (session) => {
      const reply = await fetch(`/v1/rag/sessions/${session}/messages`);
      const { data } = (await reply.json()) as { data: { answer: { marks: { citation: number }[] } }[] };
      return data.at(-1)?.answer.marks.map(({ citation }) => `[${citation}]`) ?? [];
    }, new URL(page.url()).pathname.split('/').at(-1));
    expect(marks).toEqual(answer);
    expect(marks.length).toBeLessThan((await text.textContent())?.match(/\[\d+\]/g)?.length ?? 0);
  });

  it('runs nothing that a document writes', async () => {
    await ask('How much rye does the mill grind a day?');
    await page.locator('.answer .text .mark').first().click();
    await page.locator('.source-text').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Footnote');
  });

  it('keeps the session and the open source in the address', async () => {
    await ask('When was the lock of the mill rebuilt?');
    expect(page.url()).toMatch(/\/app\/ask\/[^/?]+$/);
    await page.locator('.answer .text .mark').first().click();
    await page.locator('.source-text').waitFor();
    const quote = await highlighted();
    await page.reload();
    await page.locator('.source-text').waitFor();
    await expect.poll(highlighted).toBe(quote);
    await page.goBack();
    await page.locator('#source').waitFor({ state: 'detached' });
    expect(await page.locator('.turn').count()).toBe(1);
    await page.goForward();
    await page.locator('.source-text').waitFor();
  });

  it('answers a follow-up in its session, and begins anew when asked to', async () => {
    await ask('When did Ada Frost rebuild the lock?');
    await ask('How often does the wheel turn?');
    expect(await page.locator('.turn').count()).toBe(2);
    const title = page.locator('#sessions a').first();
    await expect.poll(() => title.textContent()).toBe('When did Ada Frost rebuild the lock?');
    await page.getByRole('button', { name: 'New session' }).click();
    expect(await page.locator('.turn').count()).toBe(0);
    await title.click();
    await page.locator('.turn').nth(1).waitFor();
  });

  it('opens a session again whose turns could not be loaded', async () => {
    await ask('When did Ada Frost rebuild the lock?');
    await page.route('**/messages?*', (route) => route.fulfill({ status: 429, body: '{"title":"Too many requests"}' }));
    await page.reload();
    await page.locator('.failure').waitFor();
    expect(await page.locator('.turn').count()).toBe(0);
    await page.unroute('**/messages?*');
    await page.locator('#sessions a').first().click();
    await page.locator('.turn').waitFor();
    await expect.poll(() => page.locator('.failure').count()).toBe(0);
  });

  it('takes no Enter that ends a word for a question, and keeps focus while it answers', async () => {
    const question = page.getByLabel('Question');
    await question.fill('When did Ada Frost rebuild the lock?');
    await question.evaluate((field) =>
      field.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }),
      ),
    );
    expect(await page.locator('.turn').count()).toBe(0);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.turn[data-state="done"]').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('submit');
  });

  it('tells what failed in sight and in words, until it is dismissed or another session is shown', async () => {
    await ask('When did Ada Frost rebuild the lock?');
    await page.route('**/feedback', (route) => route.fulfill({ status: 429, body: '{"title":"Too many requests"}' }));
    for (const leave of ['Dismiss', 'New session']) {
      await page.getByRole('button', { name: 'Thumbs up' }).click();
      const failure = page.locator('.failure');
      expect(await failure.textContent()).toContain('Too many requests.');
      await expect.poll(() => page.locator('#status').textContent()).toContain('Too many requests.');
      await page.evaluate(() => document.querySelector('footer')?.scrollIntoView());
      const box = await failure.boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect(box?.y).toBeLessThan(400);
      await page.getByRole('button', { name: leave }).click();
      await failure.waitFor({ state: 'detached' });
    }
  });

  it('offers to load the text of a source again that could not be had', async () => {
    await ask('When did Ada Frost rebuild the lock?');
    await page.route('**/text?*', (route) => route.fulfill({ status: 429, body: '{"title":"Too many requests"}' }));
    await page.locator('.answer .text .mark').first().click();
    await page.locator('#source .notice').waitFor();
    const url = await page.locator('#own-tab').getAttribute('href');
    await page.goto(new URL(url ?? '', server.url).href);
    await page.locator('main .notice').waitFor();
    expect(await page.locator('#status').textContent()).toContain('Too many requests.');
    await page.unroute('**/text?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.source-text').waitFor();
    expect(await highlighted()).toContain('1931');
  });

  it('loads turns once, however often and quickly that is asked', async () => {
    // One turn a page, and each page as late as the test wants.
    let isHeld = true;
    const held: (() => void)[] = [];
    await page.route('**/messages?*', async (route) => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      await route.continue({ url: route.request().url().replace('limit=50', 'limit=1') });
    });
    const letGo = (): void => {
      isHeld = false;
      for (const go of held.splice(0)) go();
    };
    await ask('When did Ada Frost rebuild the lock?');
    await ask('How often does the wheel turn?');
    await ask('How much rye does the mill grind?');
    const first = new URL(page.url()).pathname;
    await page.getByRole('button', { name: 'New session' }).click();
    await ask('What is the mill called?');
    for (const path of [first, new URL(page.url()).pathname, first])
      await page.locator(`#sessions a[href="${path}"]`).click();
    await expect.poll(() => held.length).toBe(3);
    letGo();
    await page.locator('.turn').waitFor();
    expect(await page.locator('.turn h2').allTextContents()).toEqual(['How much rye does the mill grind?']);
    isHeld = true;
    await page.getByRole('button', { name: 'Earlier questions' }).dblclick();
    await expect.poll(() => held.length).toBe(2);
    letGo();
    await page.locator('.turn').nth(1).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('.turn h2').allTextContents()).toEqual([
      'How often does the wheel turn?',
      'How much rye does the mill grind?',
    ]);
  });

  it('leaves the address alone when a question is stopped before its session is made', async () => {
    let letGo = (): void => undefined;
    await page.route('**/v1/rag/sessions', async (route) => {
      if (route.request().method() === 'POST') await new Promise<void>((resolve) => (letGo = resolve));
      await route.continue().catch(() => undefined);
    });
    await page.getByLabel('Question').fill('When was the lock of the mill rebuilt?');
    await page.keyboard.press('Enter');
    await page.locator('.turn[data-state="running"]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.turn[data-state="stopped"]').waitFor();
    letGo();
    await page.waitForLoadState('networkidle');
    expect(new URL(page.url()).pathname).toBe('/');
    await page.unroute('**/v1/rag/sessions');
    await ask('When was the lock of the mill rebuilt?');
    expect(new URL(page.url()).pathname).toMatch(/^\/app\/ask\//u);
  });

  it('says when nothing answers, and shows no marks then but those of what comes closest', async () => {
    await ask('What is the boiling point of tungsten hexafluoride in the museum of Lima?');
    await page.locator('.answer').last().waitFor();
    expect(await page.locator('#status').textContent()).toMatch(/No answer was found|Answered with/);
  });

  it('does all of it by keyboard alone', async () => {
    await page.keyboard.press('/');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('question');
    await page.keyboard.type('When was the lock of the mill rebuilt?');
    await page.keyboard.press('Enter');
    await page.locator('.turn[data-state="done"]').waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('j');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('claim');
    await page.keyboard.press('1');
    await page.locator('.source-text').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('source-title');
    expect(await highlighted()).toContain('rebuilt in 1931');
    await page.keyboard.press('Escape');
    await page.locator('#source').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-citation'))).toBe('1');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await page.getByRole('dialog').textContent()).toContain('Next and previous claim');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.locator('#welcome').waitFor();
  });

  it('writes what is typed with nothing focused into the question, but for keys that do something there', async () => {
    const question = page.getByLabel('Question');
    await page.locator('#holdings').waitFor();
    // With no answer there is nothing to copy and no claim to go to.
    await page.keyboard.type('could Ada Frost rebuild it? ');
    expect(await question.inputValue()).toBe('could Ada Frost rebuild it? ');
    await question.fill('');
    await question.blur();
    await page.keyboard.type('When did Ada Frost rebuild the lock?');
    await page.keyboard.press('Enter');
    await page.locator('.turn[data-state="done"]').waitFor();
    await question.blur();
    await page.keyboard.press('j');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('claim');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.type('given that, how often does the wheel turn?');
    expect(await question.inputValue()).toBe('given that, how often does the wheel turn?');
    // A button keeps what is pressed on it.
    await page.getByRole('button', { name: 'Thumbs up' }).focus();
    await page.keyboard.press('x');
    expect(await question.inputValue()).not.toContain('x');
  });

  it('takes letters for letters where somebody writes, and everywhere when they are switched off', async () => {
    await page.getByLabel('Question').fill('');
    await page.getByLabel('Question').press('j');
    await page.getByLabel('Question').press('?');
    expect(await page.getByLabel('Question').inputValue()).toBe('j?');
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByLabel('Single letters and digits do this').uncheck();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    // Focus is back where the dialog was opened.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('help');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('/');
    await page.keyboard.press('x');
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('question');
  });

  it('copies with footnotes, keeps a word of praise, and says that a citation is wrong', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await ask('When was the lock of the mill rebuilt?');
    await page.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => page.locator('#status').textContent()).toBe('Copied as Markdown.');
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).waitFor();
    // The same words are told once more.
    await page.evaluate(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      const status = document.getElementById('status') as Node;
      const watcher = new MutationObserver(() => said.push(status.textContent ?? ''));
      watcher.observe(status, { childList: true, characterData: true, subtree: true });
    });
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { said: string[] }).said.at(-1)))
      .toBe('Copied as Markdown.');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/1931 \\\[2\\\] by Ada Frost[\s\S]*\[\^1\][\s\S]*\n\[\^1\]: The mill of Eastpoint, .*line/);
    await page.getByRole('button', { name: 'Thumbs up' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Thumbs up' }).getAttribute('aria-pressed')).toBe('true');
    await page.locator('.answer .text .mark').first().click();
    await page.getByRole('button', { name: 'This citation is wrong' }).click();
    await expect
      .poll(async () => ((await (await fetch(`${server.url}/v1/feedback`)).json()) as { data: object[] }).data)
      .toHaveLength(2);
    const openings = async () => ((await (await fetch(`${server.url}/admin/evals`)).json()) as EvalReport).opened;
    await expect
      .poll(openings)
      .toMatchObject({ judgements: expect.any(Number), meanReciprocalRank: expect.any(Number) });
  });

  it('leads from source to source, and to a tab of its own that shows the same quote', async () => {
    await ask('What does the mill grind, and who rebuilt the lock?');
    await page.locator('.citations .link').first().click();
    await page.locator('.source-text').waitFor();
    const quote = await highlighted();
    const [own] = await Promise.all([page.waitForEvent('popup'), page.locator('#own-tab').click()]);
    await own.locator('.source-text').waitFor();
    const there = await own.evaluate(() => ([...(CSS.highlights.get('quote') ?? [])] as Range[])[0]?.toString());
    expect(there).toBe(quote);
    expect(new URL(own.url()).pathname).toMatch(/^\/app\/documents\//);
    const next = page.getByRole('button', { name: 'Next source' });
    if (await next.isEnabled()) {
      await next.click();
      await expect.poll(() => page.locator('#source-title').textContent()).toMatch(/^2\. /);
    }
  });

  const paste = (text: string, times: number): Promise<void> =>
    page.getByLabel('Question').evaluate(
      (field, { words, count }) => {
        const data = new DataTransfer();
        data.setData('text/plain', words.repeat(count));
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      },
      { words: text, count: times },
    );

  it('cuts nothing of what is typed: it counts, and sends no question that is too long', async () => {
    const question = page.getByLabel('Question');
    const written = 'When was the lock of the mill rebuilt? '.padEnd(20_005, 'Tell me more. ');
    await question.fill(written);
    expect(await question.inputValue()).toBe(written);
    await page.keyboard.press('Enter');
    const count = page.locator('#question-length');
    expect(await count.textContent()).toMatch(/^20,00\d of at most 20,000 characters: take away \d,/);
    expect(await page.locator('.turn').count()).toBe(0);
    expect(await question.inputValue()).toBe(written);
    await question.fill(written.slice(0, 19_500));
    expect(await count.textContent()).toMatch(/^19,\d{3} of at most 20,000 characters\.$/);
    await question.fill('When was the lock of the mill rebuilt?');
    expect(await count.count()).toBe(0);
  });

  it('keeps a long paste beside the question, and shows its quote where it has no document', async () => {
    await paste('The harbour has 12 cranes. ', 1000);
    expect(await page.locator('.pasted').textContent()).toContain('pasted-1.txt, 27 kB');
    await ask('How many cranes has the harbour?');
    expect(await page.locator('.answer').last().textContent()).toContain('12 cranes');
    expect(await page.locator('.pasted').count()).toBe(0);
    await page.locator('.answer .text .mark').first().click();
    expect(await page.locator('#source blockquote').textContent()).toContain('12 cranes');
    expect(await page.locator('#source .notice').count()).toBe(0);
  });

  it('takes pastes as far as a request may be long, each under a name of its own', async () => {
    // Of four bytes as it is sent.
    await paste('ü\n', 100_000);
    await paste('ü\n', 100_000);
    const names = page.locator('.pasted button');
    expect(await names.allTextContents()).toEqual(['Remove pasted-1.txt', 'Remove pasted-2.txt']);
    await paste('ü\n', 50_000);
    expect(await page.locator('.failure').textContent()).toContain('200 kB, and 124 kB are left');
    await names.first().click();
    await paste('ü\n', 100_000);
    expect(await names.allTextContents()).toEqual(['Remove pasted-2.txt', 'Remove pasted-3.txt']);
    await ask('How many cranes has the harbour?');
  });
});
