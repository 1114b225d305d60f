// A real browser for tests of pages: Debian's Chromium over its DevTools protocol, where it is installed. One tab is one profile.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export const hasBrowser = spawnSync('chromium', ['--version']).status === 0;

export interface Tab {
  open(url: string): Promise<void>;
  /** The value of an expression in the page. */
  read<Value>(expression: string): Promise<Value>;
  /** Waits until the expression is true; throws after half a minute of trying. */
  until(expression: string): Promise<void>;
  /** What the page wrote to its console, and what its policy refused. */
  readonly complaints: readonly string[];
  /** Addresses of requests that were sent. */
  readonly requested: readonly string[];
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly entry?: { readonly text: string }; readonly request?: { readonly url: string } };
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

const tryMs = 50;
/** Longer than a busy machine takes. */
const mostMs = 30_000;

export async function openTab(): Promise<Tab> {
  const profile = await mkdtemp(join(tmpdir(), 'footnote-browser-'));
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-port=0'];
  const browser = spawn('chromium', [...flags, `--user-data-dir=${profile}`, 'about:blank'], { stdio: 'ignore' });
  let port: string | undefined;
  while (port === undefined) {
    port = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '')).split('\n')[0] || undefined;
    if (browser.exitCode !== null) throw new Error(`Chromium ended with ${browser.exitCode}.`);
    await wait(tryMs);
  }
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    type: string;
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(targets.find(({ type }) => type === 'page')?.webSocketDebuggerUrl ?? '');
  await once(socket, 'open');
  const complaints: string[] = [];
  const requested: string[] = [];
  const waiting = new Map<number, (message: Message) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.method === 'Log.entryAdded') complaints.push(message.params?.entry?.text ?? '');
    if (message.method === 'Network.requestWillBeSent') requested.push(message.params?.request?.url ?? '');
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  let count = 0;
  const send = (method: string, params: unknown = {}): Promise<Message> =>
    new Promise((resolve) => {
      count += 1;
      waiting.set(count, resolve);
      socket.send(JSON.stringify({ id: count, method, params }));
    });
  for (const domain of ['Page', 'Log', 'Network', 'Runtime']) await send(`${domain}.enable`);
  const read = async <Value>(expression: string): Promise<Value> => {
    const { result } = await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    return result?.result?.value as Value;
  };
  return {
    complaints,
    requested,
    async open(url) {
      await send('Page.navigate', { url });
    },
    read,
    async until(expression) {
      for (let tried = 0; !(await read<boolean>(`Boolean(${expression})`)); tried += 1) {
        if (tried * tryMs > mostMs) throw new Error(`It never came true: ${expression}. ${complaints.join(' ')}`);
        await wait(tryMs);
      }
    },
    async close() {
      socket.close();
      const ended = once(browser, 'exit');
      browser.kill();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
