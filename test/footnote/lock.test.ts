import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock, readOwner } from '../../src/footnote/lock.ts';
import { startHeadless, startUnreaped } from './left-processes.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A pid that was alive a moment ago and is not any more. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

describe('acquireLock', () => {
  it('names the owner, and gives the folder up', async () => {
    const lock = await acquireLock(folder, 'footnote ingest');
    expect(await readOwner(folder)).toMatchObject({ pid: process.pid, command: 'footnote ingest' });
    await lock.release();
    expect(await readOwner(folder)).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is refused while the owner lives, and says who that is', async () => {
    await acquireLock(folder, 'footnote serve');
    await expect(acquireLock(folder, 'footnote ask')).rejects.toMatchObject({
      code: 'already-running',
      message: expect.stringContaining(`footnote serve (pid ${process.pid})`),
    });
  });

  it('is not in the way of what else has its name, and leaves it alone', async () => {
    const others = ['lock-3', 'lock-999999999999999', 'lock-99999999999999999999'];
    for (const name of others) await mkdir(join(folder, name));
    await symlink('/dev/zero', join(folder, 'lock-7'));
    expect(await readOwner(folder)).toBeUndefined();
    const lock = await acquireLock(folder, 'footnote serve');
    await expect(acquireLock(folder)).rejects.toMatchObject({ code: 'already-running' });
    expect((await readOwner(folder))?.pid).toBe(process.pid);
    await lock.release();
    expect((await readdir(folder)).sort()).toEqual([...others, 'lock-7'].sort());
    await (await acquireLock(folder)).release();
  });

  it('names the folder, and nothing that is not known, in its messages', async () => {
    await writeFile(join(folder, 'lock-1'), JSON.stringify({ pid: process.pid }));
    await expect(acquireLock(folder)).rejects.toMatchObject({
      message: expect.stringContaining(`belongs to a running process: unknown command (pid ${process.pid})`),
    });
  });

  it('tells where a server can be reached, to the owner of the folder only', async () => {
    const lock = await acquireLock(folder, 'footnote serve');
    await lock.announce({ host: '127.0.0.1', port: 4180 });
    expect((await readOwner(folder))?.server).toEqual({ host: '127.0.0.1', port: 4180 });
    const [name] = await readdir(folder);
    expect((await stat(join(folder, name!))).mode & 0o777).toBe(0o600);
  });

  it('takes over from a process that is gone', async () => {
    await writeFile(
      join(folder, 'lock-7'),
      JSON.stringify({ pid: deadPid(), startedAt: '', command: 'footnote serve' }),
    );
    expect(await readOwner(folder)).toBeUndefined();
    const lock = await acquireLock(folder, 'footnote ask');
    expect((await readOwner(folder))?.command).toBe('footnote ask');
    expect(await readdir(folder)).toEqual(['lock-8']);
    await lock.release();
  });

  it.runIf(process.platform === 'linux')('takes over when the pid belongs to another process now', async () => {
    const reused = { pid: process.pid, processStart: 'an-earlier-boot:1', startedAt: '', command: 'footnote serve' };
    await writeFile(join(folder, 'lock-1'), JSON.stringify(reused));
    await acquireLock(folder, 'footnote ask');
    expect((await readOwner(folder))?.command).toBe('footnote ask');
  });

  it.runIf(process.platform !== 'win32')(
    'takes over from a process that was killed and that nobody reaps',
    async () => {
      const { pid, parent } = await startUnreaped();
      try {
        await writeFile(join(folder, 'lock-1'), JSON.stringify({ pid, startedAt: '', command: 'footnote serve' }));
        await expect.poll(() => readOwner(folder), { timeout: 60_000 }).toBeUndefined();
        await acquireLock(folder, 'footnote ask', { patienceMs: 0 });
        expect((await readOwner(folder))?.command).toBe('footnote ask');
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );

  const leaving: [string, () => Promise<ChildProcess>, object][] = [
    ['said that it stops', async () => spawn('sleep', ['600']), { isStopping: true }],
    // Where a process is killed, its threads end one after another, the last one with what it was writing.
    ...(process.platform === 'linux' && spawnSync('python3', ['-c', '']).status === 0
      ? [['is dying', startHeadless, {}] as [string, () => Promise<ChildProcess>, object]]
      : []),
  ];
  it.each(leaving)('waits for an owner that %s, and no longer than it is told to', async (_, start, more) => {
    const child = await start();
    try {
      const owner = { pid: child.pid, startedAt: '', command: 'footnote serve', ...more };
      await writeFile(join(folder, 'lock-1'), JSON.stringify(owner));
      // No other command may go through it.
      await expect.poll(() => readOwner(folder), { timeout: 60_000 }).toBeUndefined();
      await expect(acquireLock(folder, 'footnote ask', { patienceMs: 0 })).rejects.toMatchObject({
        code: 'already-running',
      });
      let hasIt = false;
      const lock = acquireLock(folder, 'footnote ask', { patienceMs: 600_000 });
      void lock.then(() => {
        hasIt = true;
      });
      await expect(acquireLock(folder, 'footnote ask', { patienceMs: 200 })).rejects.toThrow('running process');
      expect(hasIt).toBe(false);
      child.kill('SIGKILL');
      await (await lock).release();
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('says that it stops, and where it serves no more', async () => {
    const lock = await acquireLock(folder, 'footnote serve');
    await lock.announce({ host: '127.0.0.1', port: 4180 });
    await lock.announceStop();
    expect(await readOwner(folder)).toBeUndefined();
    await lock.release();
    await lock.announceStop();
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes over a lock file that a crash left half-written', async () => {
    await writeFile(join(folder, 'lock-1'), '{"pid":');
    await acquireLock(folder, 'footnote ask');
    expect((await readOwner(folder))?.command).toBe('footnote ask');
  });

  it('says that a file is in the way', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    for (const path of [file, join(file, 'below')])
      await expect(acquireLock(path)).rejects.toMatchObject({
        code: 'invalid-request',
        message: expect.stringMatching(/--data/),
      });
  });

  it('lets exactly one of many processes win a stale lock', async () => {
    await writeFile(join(folder, 'lock-1'), JSON.stringify({ pid: deadPid(), startedAt: '', command: 'gone' }));
    const script = `import { acquireLock } from ${JSON.stringify(resolve('src/footnote/lock.ts'))};
      try { await acquireLock(${JSON.stringify(folder)}, 'contender'); console.log('won'); } catch (error) { console.log(error.code); }
      process.stdin.resume(); process.stdin.on('end', () => process.exit(0));`;
    const contenders = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const said = await Promise.all(
      contenders.map(
        (child) =>
          new Promise<string>((done) => child.stdout.once('data', (data: Buffer) => done(data.toString().trim()))),
      ),
    );
    for (const child of contenders) child.stdin.end();
    expect(said.filter((word) => word === 'won')).toHaveLength(1);
    expect(said.filter((word) => word === 'already-running')).toHaveLength(5);
  });
});
