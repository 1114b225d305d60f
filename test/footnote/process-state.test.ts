import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { lifeOf, processState, stateFromProc, stateFromPs } from '../../src/footnote/process-state.ts';
import { startHeadless, startUnreaped } from './left-processes.ts';

const onLinux = process.platform === 'linux';
const hasPs = spawnSync('ps', ['-o', 'ppid=,stat=,comm=', '-p', String(process.pid)]).status === 0;
const hasPython = spawnSync('python3', ['-c', '']).status === 0;

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const startWaiting = async (): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  await once(child.stdout, 'data');
  return child;
};

describe.runIf(process.platform !== 'win32')('what the system tells of a process', () => {
  it.each([
    ['/proc', stateFromProc, onLinux],
    ['ps', stateFromPs, hasPs],
  ] as const)('is read from %s: parent, name, life', async (_, read, isThere) => {
    if (!isThere) return;
    const child = await startWaiting();
    const state = await read(child.pid ?? 0);
    expect(state).toMatchObject({ life: 'alive', parent: process.pid });
    // Node names its main thread.
    expect([basename(process.execPath).slice(0, 15), 'MainThread']).toContain(state?.name);
    const unreaped = await startUnreaped();
    started.push(unreaped.parent);
    await expect.poll(async () => (await read(unreaped.pid))?.life, { timeout: 60_000 }).toBe('dead');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await read(child.pid ?? 0)).toBeUndefined();
  });

  it('tells a process that nobody reaps from a living one, and one whose pid another has now', async () => {
    const unreaped = await startUnreaped();
    started.push(unreaped.parent);
    // It still is in the list of processes, where a signal finds it.
    await expect.poll(() => lifeOf(unreaped.pid), { timeout: 60_000 }).toBe('dead');
    expect(process.kill(unreaped.pid, 0)).toBe(true);
    const own = await processState(process.pid);
    expect(await lifeOf(process.pid, own?.start)).toBe('alive');
    if (onLinux) expect(await lifeOf(process.pid, 'an-earlier-boot:1')).toBe('dead');
  });

  it.runIf(onLinux && hasPython)('takes none for dead of which a thread still lives', async () => {
    const child = await startHeadless();
    started.push(child);
    await expect.poll(() => lifeOf(child.pid ?? 0), { timeout: 60_000 }).toBe('dying');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await lifeOf(child.pid ?? 0)).toBe('dead');
  });
});
