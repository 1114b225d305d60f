// Where a measurement was taken: machine, Node, commit and a hash of the data it read. Invariant: nothing here names a
// path, a user or a host, so that a committed result can be compared with one from another machine.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { cpus, platform, release, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly os: string;
  readonly node: string;
}

/** The machine as far as it matters to a timing. */
export function describeMachine(): Machine {
  const all = cpus();
  return {
    cpu: all[0]?.model.trim() || 'unknown',
    cores: all.length,
    memoryGiB: Math.round((totalmem() / 2 ** 30) * 10) / 10,
    os: `${platform()} ${release()}`,
    node: process.version,
  };
}

/** The commit that was measured; `+changes` after it when tracked source differed from the commit; `unknown` without git. */
export function describeCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD');
    const changed = git(
      'status',
      '--porcelain',
      '--',
      '../src',
      '../package-lock.json',
      '.',
      ':!results',
      ':!REPORT.md',
      ':!report/*.md',
      ':!staleness.json',
    );
    return changed === '' ? commit : `${commit}+changes`;
  } catch {
    return 'unknown';
  }
}

/**
 * SHA-256 (first 16 hex digits) over the names, relative to each given path, and contents of files and folders.
 * The order of the paths and the place where they lie do not matter; any changed byte or name does.
 */
export async function hashData(paths: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const path of paths) await collect(path, basename(path), lines);
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex').slice(0, 16);
}

async function collect(path: string, name: string, lines: string[]): Promise<void> {
  if ((await stat(path)).isDirectory()) {
    for (const child of await readdir(path)) await collect(join(path, child), `${name}/${child}`, lines);
    return;
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  lines.push(`${name} ${hash.digest('hex')}`);
}
