// What runs .gguf models: node-llama-cpp with the library of this platform alone, in the folder of models. Invariants: one version, the pinned one; no
// package runs a script while it is installed; and nothing is fetched before a person agreed to it.
import { execFile } from 'node:child_process';
import { cp, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';

export const runtimeVersion = '3.21.1';
const runtimeName = 'node-llama-cpp';
/** What npm fetches and what it takes on the disk, on Linux x64. */
export const runtimeBytes = 83e6;
const libraries: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-armv7l',
  'linux-riscv64': 'linux-riscv64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

/** The package that brings it for this machine. Throws `unsupported` where there is none. */
export function libraryHere(): string {
  const platform = `${process.platform}-${process.arch}`;
  const library = libraries[platform];
  if (library !== undefined) return `@${runtimeName}/${library}`;
  throw new FootnoteError(
    'unsupported',
    `No runtime for .gguf models is made for ${platform}. Use a server such as Ollama, or a provider.`,
  );
}

const packagesHere = (): readonly string[] => [runtimeName, libraryHere()];

async function isWhole(modules: string): Promise<boolean> {
  try {
    for (const name of packagesHere())
      if (JSON.parse(await readFile(join(modules, name, 'package.json'), 'utf8')).version !== runtimeVersion)
        return false;
    return true;
  } catch {
    return false;
  }
}

/** The folder of the package in the folder of models; undefined where it is not installed in the pinned version. */
export async function findRuntime(folder: string): Promise<string | undefined> {
  const modules = join(folder, 'runtime', 'node_modules');
  return (await isWhole(modules)) ? join(modules, runtimeName) : undefined;
}

export interface RuntimeOptions {
  /** Of models. */
  readonly folder: string;
  /** An unpacked copy: a node_modules folder, or one that holds it. Without it npm fetches the packages. */
  readonly runtimeFrom?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Puts it there. Throws `unsupported`, `not-found` for a copy that lacks the packages, `upstream-unavailable` where npm fails, `cancelled`. */
export async function installRuntime({ folder, runtimeFrom, signal }: RuntimeOptions): Promise<string> {
  const packages = packagesHere();
  const target = join(folder, 'runtime');
  const staging = `${target}.part`;
  try {
    await rm(staging, { recursive: true, force: true });
    if (runtimeFrom === undefined) await runNpm(packages, staging, signal);
    else await copyModules(runtimeFrom, join(staging, 'node_modules'));
    if (!(await isWhole(join(staging, 'node_modules'))))
      throw new FootnoteError(
        'not-found',
        `${runtimeFrom ?? 'What npm installed'} does not hold ${packages.join(' and ')} of version ${runtimeVersion}. On a machine with network: npm install --ignore-scripts --omit=optional ${named(packages).join(' ')}, then copy its node_modules.`,
      );
    await rm(target, { recursive: true, force: true });
    await rename(staging, target);
  } catch (thrown) {
    await rm(staging, { recursive: true, force: true });
    throw toFootnoteError(thrown);
  }
  return join(target, 'node_modules', runtimeName);
}

const run = promisify(execFile);
const named = (packages: readonly string[]): readonly string[] => packages.map((name) => `${name}@${runtimeVersion}`);

async function copyModules(from: string, to: string): Promise<void> {
  const inside = basename(from) === 'node_modules' ? from : join(from, 'node_modules');
  await stat(inside);
  // Commands of packages are links, and nothing here runs them.
  await cp(inside, to, { recursive: true, filter: (path) => basename(path) !== '.bin' });
}

async function runNpm(packages: readonly string[], prefix: string, signal: AbortSignal | undefined): Promise<void> {
  const shell = process.platform === 'win32';
  const words = ['install', '--ignore-scripts', '--omit=optional', '--no-save', '--no-audit', '--no-fund', '--prefix'];
  try {
    await run(shell ? 'npm.cmd' : 'npm', [...words, shell ? `"${prefix}"` : prefix, ...named(packages)], {
      shell,
      signal,
    });
  } catch (thrown) {
    if (signal?.aborted) throw signal.reason;
    const { code, stderr = '' } = thrown as { readonly code?: number | string; readonly stderr?: string };
    const why =
      code === 'ENOENT' ? 'npm is not on the PATH.' : (/^npm err.*$/imu.exec(stderr)?.[0] ?? `Exit code ${code}.`);
    throw new FootnoteError(
      'upstream-unavailable',
      `${named(packages).join(' and ')} could not be installed. ${why} Without network give an unpacked copy with --runtime FOLDER.`,
    );
  }
}
