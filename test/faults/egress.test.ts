// No request leaves the machine: the whole path from a folder to an answer runs under strace, and every connection of
// every process is looked at. The check can fail: a program that dials out is caught by the same look.
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programMain } from '../../testkit/bundled-program.ts';

const run = promisify(execFile);

function hasStrace(): boolean {
  try {
    execFileSync('strace', ['-e', 'trace=connect', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log('skipped: strace is not usable here');
    return false;
  }
}

/** Addresses outside the loopback range that a command or its children connected or sent to. */
async function outsideAddresses(log: string, command: readonly string[]): Promise<string[]> {
  await run('strace', ['-f', '-qq', '-e', 'trace=connect,sendto,sendmsg', '-o', log, ...command], {
    env: { PATH: process.env['PATH'] ?? '' },
  }).catch((error: unknown) => {
    // A refused connection may end the command with an error: what counts is what it tried.
    if ((error as { code?: unknown }).code === 'ENOENT') throw error;
  });
  const lines = (await readFile(log, 'utf8')).split('\n');
  return lines.filter(
    (line) => /sa_family=AF_INET6?\b/u.test(line) && !/inet_addr\("127\.|inet_pton\(AF_INET6, "::1"/u.test(line),
  );
}

describe.skipIf(!hasStrace())('egress', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-egress-'));
    await mkdir(join(folder, 'docs'));
    await writeFile(
      join(folder, 'docs', 'page.html'),
      '<html><head><link rel="stylesheet" href="http://192.0.2.1/a.css"></head><body><img src="http://192.0.2.1/b.png" alt="A map"><h1>Harbour</h1><p>The harbour opened in 1921.</p></body></html>',
    );
    await writeFile(
      join(folder, 'docs', 'note.md'),
      '# Note\n\nThe bridge is 120 metres long. ![x](http://192.0.2.1/c.png)\n',
    );
    await writeFile(join(folder, 'docs', 'code.py'), 'def area(width, height):\n    return width * height\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('reading a folder and asking connects to nothing outside', async () => {
    const footnote = (...words: string[]) => [process.execPath, programMain, '--data', join(folder, 'data'), ...words];
    const log = join(folder, 'strace.log');
    expect(await outsideAddresses(log, footnote('ingest', join(folder, 'docs')))).toEqual([]);
    expect(await outsideAddresses(log, footnote('ask', 'When did the harbour open?', '--json'))).toEqual([]);
    const { stdout } = await run(process.execPath, footnote('ask', 'When did the harbour open?').slice(1));
    expect(stdout).toContain('1921');
  });

  it('would see a connection if there was one', async () => {
    const dial =
      "require('net').connect(9, '192.0.2.1').on('error', () => {}).setTimeout(50, function () { this.destroy() })";
    expect(await outsideAddresses(join(folder, 'dial.log'), [process.execPath, '-e', dial])).not.toEqual([]);
  });
});
