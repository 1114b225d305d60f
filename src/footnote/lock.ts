// One process owns a data folder. The owner's lock file says who it is and, once it serves, where it can be reached; no secret stands in
// it (owner-pass.ts). Locks are numbered: whoever finds the newest one dead may create the next number, and creating a file
// is atomic, so that of any number of contenders exactly one wins and a dead owner is never in the way. One that is dying, or says that
// it stops, is waited for.

import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import { defined } from '../core/values/defined.ts';
import { lifeOf, processState } from './process-state.ts';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

export interface Owner {
  readonly pid: number;
  /** When the process started, as the system tells it; absent where the system does not. Unmasks a reused pid. */
  readonly processStart?: string;
  readonly startedAt: string;
  /** What it does, such as `footnote serve`. */
  readonly command: string;
  /** It ends what it has begun and then gives the folder up. */
  readonly isStopping?: boolean;
  /** Present once it serves. */
  readonly server?: ServerAddress;
}

export interface Lock {
  readonly owner: Owner;
  /** Tells other commands where this process can be reached. */
  announce(server: ServerAddress): Promise<void>;
  /** Tells whoever wants the folder next that it will be free soon. Never rejects. */
  announceStop(): Promise<void>;
  /** Gives the folder up. Idempotent. */
  release(): Promise<void>;
}

/** Of what is not ours the name may hold a larger one, which has no successor that would be recognised. */
const largestNumber = 900_000_000_000_000;

interface LockFile {
  readonly number: number;
  readonly path: string;
  readonly owner: Owner | undefined;
  /** False: something else has the name. */
  readonly isFile: boolean;
}

interface LiveOwner {
  readonly owner: Owner;
  /** It will be gone soon. */
  readonly isLeaving: boolean;
}

/** What else is called so (a folder, a name with more digits) is no lock of ours: it is left alone, and its number is not taken. */
const lockName = /^lock-(\d{1,15})$/;
/** A server that stops ends its streams within 8 s, and then closes the record. */
const defaultPatienceMs = 20_000;
const lookEveryMs = 50;

function parseOwner(source: string): Owner | undefined {
  try {
    const value = JSON.parse(source) as Owner;
    if (!Number.isInteger(value.pid) || value.pid <= 0) return undefined;
    return {
      ...value,
      command: typeof value.command === 'string' ? value.command : 'unknown command',
      startedAt: typeof value.startedAt === 'string' ? value.startedAt : 'an unknown time',
    };
  } catch {
    return undefined;
  }
}

function toFolderError(folder: string, error: unknown): FootnoteError {
  const { code } = error as NodeJS.ErrnoException;
  // A person knows the folder, not the file in it that could not be written.
  if (code !== 'ENOTDIR' && code !== 'EEXIST')
    return toFootnoteError(error instanceof Error ? Object.assign(error, { path: folder }) : error);
  return new FootnoteError(
    'invalid-request',
    `${folder} cannot be a data folder: a file is in the way. Choose another with --data or FOOTNOTE_DATA.`,
    { cause: error },
  );
}

/** The lock files there are, newest first. One that cannot be understood has no owner. */
async function readLocks(folder: string): Promise<LockFile[]> {
  let names: Dirent[];
  try {
    names = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw toFolderError(folder, error);
  }
  const locks: LockFile[] = [];
  for (const entry of names) {
    const number = lockName.exec(entry.name)?.[1];
    if (number === undefined) continue;
    const path = join(folder, entry.name);
    if (!entry.isFile()) {
      locks.push({ number: Number(number), path, owner: undefined, isFile: false });
      continue;
    }
    const source = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw toFolderError(folder, error);
    });
    if (source !== undefined) locks.push({ number: Number(number), path, owner: parseOwner(source), isFile: true });
  }
  return locks.sort((a, b) => b.number - a.number);
}

async function findLive(locks: readonly LockFile[]): Promise<LiveOwner | undefined> {
  for (const { owner } of locks) {
    if (owner === undefined) continue;
    const life = await lifeOf(owner.pid, owner.processStart);
    if (life !== 'dead') return { owner, isLeaving: life === 'dying' || owner.isStopping === true };
  }
  return undefined;
}

/**
 * The process that owns the folder, if there is one: none that is dead or about to leave, for which `acquireLock` waits. Throws
 * `storage-denied` if the folder cannot be read.
 */
export async function readOwner(folder: string): Promise<Owner | undefined> {
  const live = await findLive(await readLocks(folder));
  return live?.isLeaving === false ? live.owner : undefined;
}

function alreadyRunning(folder: string, owner: Owner): FootnoteError {
  const where = owner.server ? ` and serves http://${owner.server.host}:${owner.server.port}` : '';
  const advice = owner.server
    ? 'Use it as it is, stop it first, or choose another data folder with --data.'
    : 'Wait until it has ended, or choose another data folder with --data.';
  return new FootnoteError(
    'already-running',
    `${folder} belongs to a running process: ${owner.command} (pid ${owner.pid})${where}. ${advice}`,
    { details: { pid: owner.pid } },
  );
}

/** Creates a file with its content at once, or returns false if the name is taken. Only the owner may read it. */
async function createFile(folder: string, path: string, content: string): Promise<boolean> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx' });
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw toFolderError(folder, error);
  } finally {
    await rm(draft, { force: true });
  }
}

/** What this process was started to do: the first word after the program, without what a person asked. */
const thisCommand = (): string =>
  ['footnote', ...process.argv.slice(2, 3).filter((word) => /^[a-z-]+$/.test(word))].join(' ');

/** Resolves when no process owns the folder, with the locks that are left; one that is leaving is waited for. */
async function readFreeLocks(folder: string, patienceMs: number): Promise<readonly LockFile[]> {
  const until = performance.now() + patienceMs;
  while (true) {
    const locks = await readLocks(folder);
    const live = await findLive(locks);
    if (live === undefined) return locks;
    if (!live.isLeaving || performance.now() > until) throw alreadyRunning(folder, live.owner);
    await pause(lookEveryMs);
  }
}

export interface LockOptions {
  /** How long an owner that is dying or stopping is waited for. */
  readonly patienceMs?: number;
}

/** Throws `already-running` if a live process owns the folder, `storage-denied` or `storage-full` if it cannot be written. */
export async function acquireLock(
  folder: string,
  command: string = thisCommand(),
  { patienceMs = defaultPatienceMs }: LockOptions = {},
): Promise<Lock> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw toFolderError(folder, error);
  });
  const started = (await processState(process.pid))?.start;
  let owner: Owner = defined({ pid: process.pid, processStart: started, startedAt: new Date().toISOString(), command });
  while (true) {
    const locks = await readFreeLocks(folder, patienceMs);
    const number = (locks.find((lock) => lock.number < largestNumber)?.number ?? 0) + 1;
    const path = join(folder, `lock-${number}`);
    if (!(await createFile(folder, path, JSON.stringify(owner)))) continue;
    // A contender with an outdated view may have created a smaller number: the larger one wins.
    const others = (await readLocks(folder)).filter((lock) => lock.path !== path);
    const better = await findLive(others.filter((lock) => lock.number > number));
    if (better) {
      await rm(path, { force: true });
      throw alreadyRunning(folder, better.owner);
    }
    for (const { path: dead, isFile } of locks) if (isFile) await rm(dead, { force: true });

    let released = false;
    const write = async (next: Owner): Promise<void> => {
      owner = next;
      const draft = `${path}.${randomBytes(6).toString('hex')}`;
      try {
        await writeFile(draft, JSON.stringify(owner), { mode: 0o600, flag: 'wx' });
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw toFolderError(folder, error);
      }
    };
    return {
      get owner() {
        return owner;
      },
      announce: (server) => write({ ...owner, server }),
      async announceStop() {
        if (!released) await write({ ...owner, isStopping: true }).catch(() => undefined);
      },
      async release() {
        if (released) return;
        released = true;
        await rm(path, { force: true });
      },
    };
  }
}
