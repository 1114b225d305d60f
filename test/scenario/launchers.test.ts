// A server that somebody else started for a person (npm with its shell, the command that found a newer Node) ends with it, in order: the
// data folder is given up, and nothing is left running.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isListed, lifeOf, processState } from '../../src/footnote/process-state.ts';
import { root } from '../source-files.ts';

const pretendOld = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });";

let folder = '';
let data = '';
const pids = new Set<number>();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-launchers-'));
  data = join(folder, 'data');
});
afterEach(async () => {
  for (const pid of pids) if (isListed(pid)) process.kill(pid, 'SIGKILL');
  pids.clear();
  await rm(folder, { recursive: true, force: true });
});

interface Started {
  readonly launcher: ChildProcess;
  /** The process that serves. */
  readonly server: number;
}

/** Waits until it serves, and asks the data folder who that is. */
async function start(program: string, words: readonly string[]): Promise<Started> {
  const launcher = spawn(program, words, {
    cwd: root,
    env: { ...process.env, FOOTNOTE_DATA: data, FOOTNOTE_PORT: '0', HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  pids.add(launcher.pid ?? 0);
  let said = '';
  await new Promise<void>((done, fail) => {
    const hear = (bytes: Buffer): void => {
      said += bytes.toString();
      if (said.includes('stops.')) done();
    };
    launcher.stdout.on('data', hear);
    launcher.stderr.on('data', hear);
    launcher.once('exit', () => fail(new Error(`It ended: ${said}`)));
  });
  launcher.removeAllListeners('exit');
  const [lock] = (await readdir(data)).filter((name) => /^lock-\d+$/.test(name));
  const { pid } = JSON.parse(await readFile(join(data, lock ?? ''), 'utf8')) as { pid: number };
  pids.add(pid);
  return { launcher, server: pid };
}

/** It gave the folder up, which a process that was torn down does not. */
async function expectDrained(server: number): Promise<void> {
  await expect.poll(() => lifeOf(server), { timeout: 60_000, interval: 100 }).toBe('dead');
  expect((await readdir(data)).filter((name) => name.startsWith('lock-'))).toEqual([]);
}

const run = (): Promise<Started> => start('npm', ['start']);

describe.runIf(process.platform !== 'win32')('a server whose launcher goes', () => {
  it('ends with npm start that got a SIGTERM', async () => {
    const { launcher, server } = await run();
    expect(launcher.pid).not.toBe(server);
    launcher.kill('SIGTERM');
    await expectDrained(server);
  });

  it('ends in order with npm start that was killed and whose output nobody reads any more', async () => {
    const { launcher, server } = await run();
    launcher.stdout?.destroy();
    launcher.stderr?.destroy();
    launcher.kill('SIGKILL');
    await expectDrained(server);
  });

  it('ends with the shell between npm and itself', async () => {
    const { launcher, server } = await run();
    const shell = (await processState(server))?.parent ?? 0;
    // Some shells become what they run: then there is none.
    if (shell !== launcher.pid) process.kill(shell, 'SIGKILL');
    else launcher.kill('SIGKILL');
    await expectDrained(server);
  });

  it('ends with the command that found a newer Node, however that ended', async () => {
    await writeFile(join(folder, 'old.mjs'), pretendOld);
    const words = ['--import', join(folder, 'old.mjs'), join(root, 'bin/footnote.mjs'), 'serve'];
    const { launcher, server } = await start(process.execPath, words);
    expect(launcher.pid).not.toBe(server);
    launcher.kill('SIGKILL');
    await expectDrained(server);
  });

  it('goes on where a person put it into the background and closed the terminal', async () => {
    const environment = Object.fromEntries(
      Object.entries({ ...process.env, FOOTNOTE_DATA: data, FOOTNOTE_PORT: '0', HOME: folder }).filter(
        ([name]) => !name.startsWith('npm_'),
      ),
    );
    const command = `nohup ${process.execPath} src/cli/main.ts serve > ${join(folder, 'log')} 2>&1 & echo $!`;
    const shell = spawn('sh', ['-c', command], { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = (await once(shell.stdout, 'data')) as [Buffer];
    const server = Number(said.toString());
    pids.add(server);
    await expect
      .poll(() => readdir(data).catch(() => []), { timeout: 60_000, interval: 100 })
      .toContainEqual(expect.stringMatching(/^lock-\d+$/));
    // Twice as long as it looks for launchers.
    const until = performance.now() + 2000;
    await expect.poll(() => performance.now() > until || !isListed(server), { timeout: 60_000 }).toBe(true);
    expect(await lifeOf(server)).toBe('alive');
    process.kill(server, 'SIGTERM');
    await expectDrained(server);
  });
});
