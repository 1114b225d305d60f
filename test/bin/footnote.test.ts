// The installed command, laid out as npm does, in front of a program that reports what reached it: arguments, streams,
// signals and the exit code pass through, both in this Node and in the packaged one that an old Node starts.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../source-files.ts';

const program = `
const [command, ...rest] = process.argv.slice(2);
if (command === 'wait') {
  process.once('SIGTERM', () => { console.log('asked to end'); process.exitCode = 7; clearInterval(timer); });
  const timer = setInterval(() => {}, 1000);
} else if (command === 'echo') {
  process.stdin.pipe(process.stdout);
} else if (command === 'fail') {
  process.exitCode = 5;
}
console.log(JSON.stringify({ command, rest, node: process.execPath }));
`;
const pretendOld = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });";

describe.each([['a new Node'], ['an old Node']])('bin/footnote.mjs under %s', (kind) => {
  const old = kind === 'an old Node';
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'footnote-bin-'));
    for (const path of ['bin', 'dist/cli', 'node_modules/node/bin']) mkdirSync(join(folder, path), { recursive: true });
    copyFileSync(join(root, 'bin/footnote.mjs'), join(folder, 'bin/footnote.mjs'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'dist/cli/main.js'), program);
    writeFileSync(join(folder, 'old.mjs'), pretendOld);
    writeFileSync(join(folder, 'node_modules/node/package.json'), '{"name":"node","version":"24.21.0"}');
    symlinkSync(process.execPath, join(folder, 'node_modules/node/bin/node'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const command = (...args: string[]): string[] => [
    ...(old ? ['--import', join(folder, 'old.mjs')] : []),
    join(folder, 'bin/footnote.mjs'),
    ...args,
  ];

  it('passes arguments and exit code', () => {
    const { stdout, status } = spawnSync(process.execPath, command('fail', 'a b', '--json', ''), { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject({ command: 'fail', rest: ['a b', '--json', ''] });
    expect(status).toBe(5);
  });

  it('passes standard input', () => {
    const { stdout } = spawnSync(process.execPath, command('echo'), { encoding: 'utf8', input: 'through\n' });
    expect(stdout.split('\n')[1]).toBe('through');
  });

  it('passes signals, and the program ends as it wants', async () => {
    const child = spawn(process.execPath, command('wait'), { stdio: ['ignore', 'pipe', 'inherit'] });
    const output = collect(child);
    await output.until('"wait"');
    child.kill('SIGTERM');
    const [status] = (await once(child, 'exit')) as [number | null];
    await output.until('asked to end');
    expect(status).toBe(7);
  });

  it('reports a program that a signal ended', async () => {
    const child = spawn(process.execPath, command('wait'), { stdio: ['ignore', 'pipe', 'inherit'] });
    await collect(child).until('"wait"');
    child.kill('SIGHUP');
    const [status, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(status ?? signal).toBe(old ? 129 : 'SIGHUP');
  });

  if (!old) return;

  it('says what to do where no Node is new enough', () => {
    rmSync(join(folder, 'node_modules/node/bin/node'));
    const { stderr, status } = spawnSync(process.execPath, command('fail'), {
      encoding: 'utf8',
      env: { ...process.env, PATH: join(folder, 'bin') },
    });
    expect(status).toBe(1);
    expect(stderr).toContain('needs Node 24 or newer');
    expect(stderr).toContain('npm rebuild node');
  });

  it('takes a newer Node from the PATH where the packaged one is missing', () => {
    mkdirSync(join(folder, 'elsewhere'));
    copyFileSync(process.execPath, join(folder, 'elsewhere/node'));
    rmSync(join(folder, 'node_modules/node/bin/node'));
    const { stdout, status } = spawnSync(process.execPath, command('fail'), {
      encoding: 'utf8',
      env: { ...process.env, PATH: join(folder, 'elsewhere') },
    });
    expect(status).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ node: join(folder, 'elsewhere/node') });
  });
});

/** Gathers what a child prints; `until` waits for a piece of it. */
function collect(child: ChildProcess): { until(piece: string): Promise<void> } {
  let text = '';
  let check = (): void => {};
  child.stdout?.setEncoding('utf8').on('data', (data: string) => {
    text += data;
    check();
  });
  return {
    until: (piece) =>
      new Promise((resolve) => {
        check = () => {
          if (text.includes(piece)) resolve();
        };
        check();
      }),
  };
}
