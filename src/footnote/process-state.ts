// What the system tells of another process: who started it, since when it runs, and whether it lives, is dying or is dead. Invariant: a
// process that nobody has reaped yet is dead (for ever, where PID 1 reaps nothing, as in many containers), but not before its last
// thread is: until then it may still write.
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface ProcessState {
  readonly life: 'alive' | 'dying' | 'dead';
  readonly parent: number;
  /** Of its program, without the folder; Linux shortens it to 15 characters. */
  readonly name: string;
  /** Start by the kernel's clock, with the boot it belongs to. Absent where the system does not tell. Unmasks a reused pid. */
  readonly start?: string;
}

const run = promisify(execFile);

/** PF_EXITING of the kernel: it runs no more code of its own. */
const exitingFlag = 0x4;
/** SIGKILL in a mask of signals. */
const killBit = 1n << 8n;
const isDeadState = (state: string | undefined): boolean => state === 'Z' || state === 'X' || state === 'x';

interface StatFields {
  readonly name: string;
  /** From the third field on (proc(5)): the name before it may hold spaces and parentheses. */
  readonly rest: readonly string[];
}

function parseStat(stat: string): StatFields {
  const end = stat.lastIndexOf(')');
  return {
    name: stat.slice(stat.indexOf('(') + 1, end),
    rest: stat
      .slice(end + 2)
      .trim()
      .split(' '),
  };
}

/** Undefined where the process has ended, or may not be looked at. */
const readStat = (path: string): Promise<StatFields | undefined> =>
  readFile(path, 'utf8').then(parseStat, () => undefined);

/** The first thread of a process that is being ended is gone before the others, which may still be inside a write. */
async function hasLivingThread(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const states = await Promise.all(threads.map((thread) => readStat(`/proc/${pid}/task/${thread}/stat`)));
  return states.some((stat) => stat !== undefined && !isDeadState(stat.rest[0]));
}

async function isBeingKilled(pid: number, flags: number): Promise<boolean> {
  if ((flags & exitingFlag) !== 0) return true;
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  const masks = [...status.matchAll(/^(?:SigPnd|ShdPnd):\s*([\da-f]+)$/gm)];
  return masks.some(([, mask]) => (BigInt(`0x${mask}`) & killBit) !== 0n);
}

/** As Linux tells it in /proc. */
export async function stateFromProc(pid: number): Promise<ProcessState | undefined> {
  const stat = await readStat(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const { name, rest } = stat;
  const [state, parent] = rest;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => undefined);
  const life = isDeadState(state)
    ? (await hasLivingThread(pid))
      ? 'dying'
      : 'dead'
    : (await isBeingKilled(pid, Number(rest[6])))
      ? 'dying'
      : 'alive';
  // Fields 4 and 22.
  const ticks = rest[19];
  const start = boot === undefined || ticks === undefined ? undefined : `${boot.trim()}:${ticks}`;
  return { life, parent: Number(parent), name, ...(start !== undefined && { start }) };
}

/** As `ps` tells it, which macOS and the BSDs have. */
export async function stateFromPs(pid: number): Promise<ProcessState | undefined> {
  const { stdout } = await run('ps', ['-o', 'ppid=,stat=,comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  const [parent, state, ...words] = stdout.trim().split('\n', 1)[0]?.split(/\s+/) ?? [];
  const command = words.join(' ');
  if (state === undefined || command === '' || !/^\d+$/.test(parent ?? '')) return undefined;
  // `E` on macOS: it tries to exit.
  const life = isDeadState(state[0])
    ? 'dead'
    : process.platform === 'darwin' && state.includes('E')
      ? 'dying'
      : 'alive';
  return { life, parent: Number(parent), name: command.slice(command.lastIndexOf('/') + 1).replace(/^-/, '') };
}

/** Undefined where the system tells nothing of the process: it has ended, or is not ours to look at. */
export async function processState(pid: number): Promise<ProcessState | undefined> {
  if (process.platform === 'linux') return stateFromProc(pid);
  return process.platform === 'win32' ? undefined : stateFromPs(pid);
}

/** Whether there is an entry for the process, be it dead or alive: one call of the system. */
export function isListed(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is another user's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** What became of the process that had this pid and, where it is known, this start. */
export async function lifeOf(pid: number, start?: string): Promise<ProcessState['life']> {
  if (!isListed(pid)) return 'dead';
  const state = await processState(pid);
  if (state === undefined) return isListed(pid) ? 'alive' : 'dead';
  return state.start !== undefined && start !== undefined && state.start !== start ? 'dead' : state.life;
}
