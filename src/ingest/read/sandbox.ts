// How the processes that parse are started: with a limit on all memory they may write to (heap and buffers alike), without a network,
// and with Node's permission model, which leaves them the right to read the program's own files and nothing else. What the system
// does not offer is left out: the watch over each process (parser-process.ts) and its deadlines hold everywhere.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entryFile } from '../../threads/entry-file.ts';

/**
 * What V8 sets aside without using it, and RLIMIT_DATA counts all the same (measured: 562 MiB of a process with 42 MiB in use, as much
 * again for the thread in which text recognition works).
 */
const setAsideMiB = 1088;
/**
 * V8 lets the young part of a heap grow to 128 MiB, a quarter of what a parser may hold. 32 MiB cost no time (measured: 2.0 seconds of
 * processor time for a MB of Markdown and web pages either way, on a busy machine; with 16 MiB, 2.2).
 */
const youngHalfMiB = 16;

export interface SandboxOptions {
  /** Memory that one process may use. */
  readonly memoryMiB: number;
  /** Heap of JavaScript in it. */
  readonly heapMiB: number;
  /** Files and folders that it may read beside the program. */
  readonly readable?: readonly string[];
}

/** What stands before Node on the command line, each tried once: [program, its arguments]. */
interface Wrapping {
  readonly network: readonly string[];
  readonly memory: string | undefined;
}

let wrapping: Wrapping | undefined;

function findProgram(name: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  return ['/usr/bin', '/bin', '/usr/sbin', '/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

const works = (program: string, parameters: readonly string[]): boolean =>
  spawnSync(program, [...parameters, '/bin/true'], { stdio: 'ignore', timeout: 5000 }).status === 0;

/** A network namespace of its own has no way out. Containers often forbid making one: then only the process itself refuses (parser-child). */
function findWrapping(): Wrapping {
  const unshare = findProgram('unshare');
  const network = ['--user', '--map-root-user', '--net', '--'];
  const prlimit = findProgram('prlimit');
  return {
    network: unshare !== undefined && works(unshare, network) ? [unshare, ...network] : [],
    memory: prlimit !== undefined && works(prlimit, [`--data=${2 ** 31}`, '--']) ? prlimit : undefined,
  };
}

/** The outermost `node_modules` on a path; undefined where there is none. */
function packagesAround(path: string): string | undefined {
  const parts = path.split(sep);
  const around = parts.indexOf('node_modules');
  return around < 0 ? undefined : join(parts.slice(0, around + 1).join(sep), '/');
}

/** The code of the program and its packages: beside it, around it where it is installed, or where links to them lead. */
function readableFiles(): readonly string[] {
  // The same folder but in tests, whose children are those of the bundled program.
  const [sources, started] = [import.meta.url, entryFile('./parser-child', import.meta.url)].map((file) =>
    fileURLToPath(new URL('../../', file)),
  ) as [string, string];
  const root = dirname(sources);
  // Any package of ours: links are followed, as when the child loads it.
  const linked = createRequire(import.meta.url).resolve('zod');
  return [
    ...new Set([
      join(sources, '/'),
      join(started, '/'),
      // In a checkout the readers are a package of their own; in an installed one they lie among the sources.
      join(root, 'packages', '/'),
      join(root, 'package.json'),
      join(root, 'node_modules', '/'),
      ...[root, linked].flatMap((path) => packagesAround(path) ?? []),
    ]),
  ];
}

/** Which walls of the system parsers do without here. */
export function missingWalls(): readonly string[] {
  wrapping ??= findWrapping();
  const { network, memory } = wrapping;
  return [network.length === 0 && 'a network namespace (unshare)', !memory && 'a limit on memory (prlimit)'].filter(
    (wall) => typeof wall === 'string',
  );
}

/** The program to start instead of Node, and what to pass it before the file that it runs. */
export function sandboxed({ memoryMiB, heapMiB, readable = [] }: SandboxOptions): {
  readonly execPath: string;
  readonly execArgv: string[];
} {
  wrapping ??= findWrapping();
  const { network, memory } = wrapping;
  const node = [
    process.execPath,
    `--max-old-space-size=${heapMiB}`,
    `--max-semi-space-size=${youngHalfMiB}`,
    '--expose-gc',
    '--permission',
    ...[...readableFiles(), ...readable].map((folder) => `--allow-fs-read=${folder}`),
    // Text recognition works in threads; they have the permissions of the process.
    '--allow-worker',
  ];
  const limit = memory === undefined ? [] : [memory, `--data=${(memoryMiB + setAsideMiB) * 1024 * 1024}`, '--'];
  const [execPath = process.execPath, ...execArgv] = [...network, ...limit, ...node];
  return { execPath, execArgv };
}
