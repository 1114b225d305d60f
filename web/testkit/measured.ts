// How long the pages keep the processor, and what they hold of memory, as Chromium itself counts it.
import type { Page } from 'playwright-core';

export interface Kept {
  /** The longest task, 0 where none took 50 ms. */
  readonly longestMs: number;
  readonly longTasks: number;
}

/** Tasks of 50 ms and more while something is done. */
export async function longTasks(page: Page, act: () => Promise<unknown>): Promise<Kept> {
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(window, { seenTasks: seen });
    new PerformanceObserver((list) => seen.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  await act();
  await frames(page);
  const seen = await page.evaluate(() => (window as unknown as { seenTasks: number[] }).seenTasks);
  return { longestMs: Math.round(Math.max(0, ...seen)), longTasks: seen.length };
}

/** Until what was changed is painted, and what was observed is told. */
const frames = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(), 50))),
      ),
  );

/** Has the turns before those that are shown loaded, page by page, until so many came; there are no more of them. */
export const loadEarlier = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (wanted) => {
    const earlier = (): HTMLElement | undefined =>
      [...document.querySelectorAll<HTMLElement>('#turns > button')].find(({ textContent }) =>
        textContent.includes('Earlier'),
      );
    const perPage = document.querySelectorAll('.turn').length;
    for (let came = perPage; came < wanted; came += perPage) {
      const first = document.querySelector('.turn');
      const button = earlier();
      if (!button) throw new Error(`There are ${came} turns and none before them.`);
      button.click();
      while (document.querySelector('.turn') === first) await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    if (earlier()) throw new Error('More turns are offered than there are.');
  }, count);

/** Opens the first source of the last turn, and then so many pages of it one after another, each until it is drawn. */
export const turnPages = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (wanted) => {
    const drawn = async (before: string | null): Promise<string | null> => {
      for (;;) {
        const label = document.querySelector('#source .page[data-drawn="true"] canvas')?.getAttribute('aria-label');
        if (label && label !== before) return label;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    };
    const marks = [...document.querySelectorAll('.turn')].at(-1)?.querySelectorAll<HTMLElement>('.text .mark');
    marks?.[0]?.click();
    let label = await drawn(null);
    for (let pages = 1; pages < wanted; pages += 1) {
      const buttons = [...document.querySelectorAll<HTMLElement>('#source button')];
      buttons.find((one) => one.getAttribute('aria-label') === 'Next page')?.click();
      label = await drawn(label);
    }
  }, count);

/** Goes through the whole page in so many steps. */
export const scrollThrough = (page: Page, steps: number): Promise<void> =>
  page.evaluate(async (count) => {
    for (let step = 0; step <= count; step += 1) {
      scrollTo(0, (document.documentElement.scrollHeight * (count - step)) / count);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, steps);

export interface Held {
  /** The heap of JavaScript. */
  readonly script: number;
  /** With elements of the page and with buffers. */
  readonly all: number;
}

/** Megabytes that are held after what is not needed was let go. */
export async function heldMegabytes(page: Page): Promise<Held> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const usage = (await session.send('Runtime.getHeapUsage')) as Readonly<Record<string, number>>;
  await session.detach();
  const [script = 0, ...others] = ['usedSize', 'embedderHeapUsedSize', 'backingStorageSize'].map(
    (name) => (usage[name] ?? 0) / 1e6,
  );
  return { script, all: others.reduce((sum, one) => sum + one, script) };
}

/** Milliseconds that a fixed piece of work takes, which tells how busy the machine is. */
export const calibrationMs = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const begun = performance.now();
    let sum = 0;
    for (let at = 0; at < 2e7; at += 1) sum = (sum + at * at) % 1_000_003;
    return performance.now() - begun + (sum < 0 ? 1 : 0);
  });
