// One Chromium, and servers of the product with documents of a test's own. Every page is watched: what its policy refuses, what its console complains of, and
// what it asks of another origin fails the test.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, ConsoleMessage, Page, Request, WebError } from 'playwright-core';
import { programMain } from '../../../testkit/bundled-program.ts';
import { programEnvironment } from '../../../testkit/program-environment.ts';
import { startServerProcess } from '../../../testkit/server-process.ts';
import { hasBrowser, openBrowser } from '../../testkit/browser.ts';
import { closeContexts, oneProcess, takeContext } from './kept-contexts.ts';

export const root = join(import.meta.dirname, '../../..');
/** Where the pictures of the documentation go, while they are drawn anew. */
export const pictures = join(root, 'docs/pictures');
export const isDrawing = process.env['FOOTNOTE_PICTURES'] !== undefined;

if (!hasBrowser)
  console.log(
    'No Chromium is installed, so the pages are not tested: apt-get install -y --no-install-recommends chromium',
  );

export { hasBrowser };

let running: Promise<Browser> | undefined;

/** The one browser of all files of this process, with which it ends. */
export function sharedBrowser(): Promise<Browser> {
  running ??= openBrowser([oneProcess]);
  return running;
}

export interface Server {
  readonly url: string;
  /** Adds a text or a file, and waits until it can be found. */
  add(document: {
    readonly name: string;
    readonly text?: string;
    readonly bytes?: Uint8Array;
    readonly mime?: string;
  }): Promise<string>;
  /** A key of its own, after which the server asks for one. */
  createKey(role: string, name?: string, tenant?: string): string;
  /** From now on it calls with this key of an admin. */
  useKey(key: string): void;
  close(): Promise<void>;
}

/** With the encoder, as people start it: it takes a process of its own, and time for each text. */
export const meant = { ENCODER: 'on' };

/** `settings` by the names of their variables; without an encoder unless they say so. */
export async function startServer(settings: Readonly<Record<string, string>> = {}): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-web-'));
  const data = join(folder, 'data');
  const { url, stop } = await startServerProcess(data, { environment: settings, folder });
  let secret: string | undefined;
  const headers = (): Record<string, string> => (secret ? { authorization: `Bearer ${secret}` } : {});
  return {
    url,
    async add({ name, text, bytes, mime }) {
      const form = new FormData();
      form.append(
        'file',
        new Blob([bytes ? Uint8Array.from(bytes) : (text ?? '')], { type: mime ?? 'text/plain' }),
        name,
      );
      const reply = await fetch(`${url}/v1/documents?wait=true`, { method: 'POST', body: form, headers: headers() });
      if (!reply.ok) throw new Error(`${basename(name)}: ${await reply.text()}`);
      return ((await reply.json()) as { documents: [{ id: string }] }).documents[0].id;
    },
    createKey(role, name = 'tester', tenant = 'default') {
      const wanted = ['keys', 'create', name, '--role', role, '--tenant', tenant, '--yes', '--json'];
      const made = spawnSync(process.execPath, [programMain, '--data', data, ...wanted], {
        env: { ...programEnvironment(), ...settings, ...(secret && { FOOTNOTE_KEY: secret }) },
        cwd: folder,
        encoding: 'utf8',
      });
      if (made.status !== 0) throw new Error(made.stderr);
      secret = (JSON.parse(made.stdout) as { secret: string }).secret;
      return secret;
    },
    useKey(key) {
      secret = key;
    },
    async close() {
      await closeContexts(url);
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Watched {
  readonly page: Page;
  /** Throws for anything that the page should not have done. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The browser's own line for a refusal of the API that a test expects. */
const expected = /Failed to load resource: the server responded with a status of (?:400|401|403|404|409|422|429)/;

export async function openPage(
  browser: Browser,
  server: Server,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const wanted = { viewport: { width: 1280, height: 800 }, ...options };
  const { context, giveBack } = await takeContext(browser, server.url, wanted);
  const complaints: string[] = [];
  const onRequest = (request: Request): void => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'blob:' && protocol !== 'data:' && origin !== server.url)
      complaints.push(`asked ${request.url()}`);
  };
  const onConsole = (message: ConsoleMessage): void => {
    if (['error', 'warning'].includes(message.type()) && !expected.test(message.text()))
      complaints.push(message.text());
  };
  const onError = (error: WebError): void => void complaints.push(String(error.error()));
  context.on('request', onRequest).on('console', onConsole).on('weberror', onError);
  const page = await context.newPage();
  return {
    page,
    async check() {
      const refused = await page.evaluate(() => (window as unknown as { refusedByPolicy: string[] }).refusedByPolicy);
      const all = [...complaints, ...refused];
      if (all.length > 0) throw new Error(all.join('\n'));
    },
    async close() {
      await giveBack();
      context.off('request', onRequest).off('console', onConsole).off('weberror', onError);
    },
  };
}

/** In both schemes, and on the narrowest screen. */
export const ways = [
  { name: 'light', options: { colorScheme: 'light' } },
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'phone', options: { colorScheme: 'light', viewport: { width: 320, height: 640 } } },
] as const;

/** What axe finds. It is put in by the test, which the policy of a page would refuse: the page is opened with `bypassCSP`. */
export async function findings(page: Page): Promise<string[]> {
  await page.addScriptTag({ content: axe.source });
  return page.evaluate(async () => {
    const { axe: run } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await run.run({ runOnly: tags });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** A picture of the documentation, where those are drawn anew: of the top of the page, or from an element on. */
export async function drawPicture(page: Page, name: string, height: number, from = 'body'): Promise<void> {
  if (process.env['FOOTNOTE_PICTURES'] === undefined) return;
  const folder = join(root, 'docs/pictures');
  mkdirSync(folder, { recursive: true });
  await page.setViewportSize({ width: 1240, height });
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.locator(from).evaluate((element) => element.scrollIntoView());
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** The words of the page of a PDF whose centres lie under its boxes. */
export const wordsUnderBoxes = (page: Page): Promise<(string | undefined)[]> =>
  page.evaluate(() => {
    const boxed = [...document.querySelectorAll('.box')].map((box) => box.getBoundingClientRect());
    const isUnder = ({ x, y, width, height }: DOMRect): boolean =>
      boxed.some((box) => {
        const [centreX, centreY] = [x + width / 2, y + height / 2];
        return centreX >= box.left && centreX <= box.right && centreY >= box.top && centreY <= box.bottom;
      });
    return [...document.querySelectorAll('.words span')]
      .filter((word) => isUnder(word.getBoundingClientRect()))
      .map((word) => word.textContent?.trim());
  });
