// One Chromium for tests and measurements of the pages, where one is installed.
import { spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

const executable = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim())
  .find((path) => path !== '');
export const hasBrowser = executable !== undefined;

/** `more`: arguments of the command line, beside those of all. */
export const openBrowser = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: executable ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
