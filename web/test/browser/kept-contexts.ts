// A profile of the browser that tests take one after another, each as if it were new. What loads a page is mostly the process that is started for it and the
// program compiled in it: where a tab of the same origin stays open, the next one has both already.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

interface Kept {
  readonly context: BrowserContext;
  /** Of the origin, so that its process stays. */
  readonly anchor: Page;
  isTaken: boolean;
}

/** By origin, then by the options of the profile. */
const keptOf = new Map<string, Map<string, Kept>>();

/** Tabs of one site share a process where the browser was started with it, as a tab that a page opened does anywhere. */
export const oneProcess = '--process-per-site';

/** What the page's policy refuses stands in `refusedByPolicy`. */
async function open(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  await context.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(window, { refusedByPolicy: refused });
    addEventListener('securitypolicyviolation', (event) =>
      refused.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  return context;
}

async function keep(browser: Browser, origin: string, options: BrowserContextOptions): Promise<Kept> {
  const context = await open(browser, options);
  const anchor = await context.newPage();
  await anchor.goto(`${origin}/healthz`);
  return { context, anchor, isTaken: false };
}

/** Closes all tabs but the one that stays, and forgets what they kept. */
async function clean({ context, anchor }: Kept, { permissions }: BrowserContextOptions): Promise<void> {
  for (const page of context.pages()) if (page !== anchor) await page.close();
  await context.unrouteAll();
  await context.setOffline(false);
  await context.clearCookies();
  await context.clearPermissions();
  if (permissions !== undefined) await context.grantPermissions(permissions);
  await anchor.evaluate(() => localStorage.clear());
}

/**
 * A profile in which nothing is open but perhaps a tab of `origin`/healthz, and a function that gives it back. One that is taken already is not given twice: a
 * second one of the same options is of its own.
 */
export async function takeContext(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
): Promise<{ readonly context: BrowserContext; giveBack(): Promise<void> }> {
  const alone = async () => {
    const context = await open(browser, options);
    return { context, giveBack: () => context.close() };
  };
  // Looked at once, by what tests put into it.
  if (options.bypassCSP) return alone();
  const ofOrigin = keptOf.get(origin) ?? new Map<string, Kept>();
  keptOf.set(origin, ofOrigin);
  const key = JSON.stringify(options);
  const kept = ofOrigin.get(key) ?? (await keep(browser, origin, options));
  if (kept.isTaken) return alone();
  ofOrigin.set(key, kept);
  kept.isTaken = true;
  return {
    context: kept.context,
    async giveBack() {
      await clean(kept, options);
      kept.isTaken = false;
    },
  };
}

/** Of a server that is about to stop. */
export async function closeContexts(origin: string): Promise<void> {
  for (const { context } of keptOf.get(origin)?.values() ?? []) await context.close();
  keptOf.delete(origin);
}
