// What runs .gguf models: node-llama-cpp with the library of this platform alone, in the folder of models. Invariants: one version, the pinned one; no
// package runs a script while it is installed; and nothing is fetched before a person agreed to it.
import { spawn } from 'node:child_process';
import { cp, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
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

const isWhole = async (modules: string): Promise<boolean> => {
  for (const name of packagesHere()) {
    const manifest = await readFile(join(modules, name, 'package.json'), 'utf8').catch(() => '{}');
    if ((JSON.parse(manifest) as { readonly version?: string }).version !== runtimeVersion) return false;
  }
  return true;
};

/** The folder of the package in the folder of models; undefined where it is not installed in the pinned version. */
export async function findRuntime(folder: string): Promise<string | undefined> {
  const modules = join(folder, 'runtime', 'node_modules');
  return (await isWhole(modules)) ? join(modules, runtimeName) : undefined;
}

export interface RuntimeOptions {
  /** Of models. */
  readonly folder: string;
  /** An unpacked copy: a node_modules folder, or one that holds it. Without it npm fetches the packages. */
  readonly runtimeFrom?: string;
  readonly signal?: AbortSignal;
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
    throw signal?.aborted ? toFootnoteError(signal.reason) : toFootnoteError(thrown);
  }
  return join(target, 'node_modules', runtimeName);
}

const named = (packages: readonly string[]): readonly string[] => packages.map((name) => `${name}@${runtimeVersion}`);

async function copyModules(from: string, to: string): Promise<void> {
  const inside = basename(from) === 'node_modules' ? from : join(from, 'node_modules');
  await stat(inside);
  // Commands of packages are links, and nothing here runs them.
  await cp(inside, to, { recursive: true, filter: (path) => basename(path) !== '.bin' });
}

function runNpm(packages: readonly string[], prefix: string, signal: AbortSignal | undefined): Promise<void> {
  const words = ['install', '--ignore-scripts', '--omit=optional', '--no-save', '--no-audit', '--no-fund'];
  const isWindows = process.platform === 'win32';
  return new Promise((resolve, reject) => {
    const child = spawn(
      isWindows ? 'npm.cmd' : 'npm',
      [...words, '--prefix', isWindows ? `"${prefix}"` : prefix, ...named(packages)],
      { stdio: ['ignore', 'ignore', 'pipe'], shell: isWindows, ...(signal && { signal }) },
    );
    let told = '';
    child.stderr.on('data', (piece: Buffer) => {
      told = `${told}${piece.toString()}`.slice(-2000);
    });
    child.on('error', (thrown: NodeJS.ErrnoException) =>
      reject(
        thrown.code === 'ENOENT'
          ? new FootnoteError(
              'unsupported',
              'npm is not on the PATH. Install Node.js with npm, or give an unpacked copy with --runtime FOLDER.',
            )
          : thrown,
      ),
    );
    child.on('close', (code) => {
      if (code === 0) return resolve();
      const line = told.split('\n').find((one) => /^npm (err|error)/iu.test(one)) ?? '';
      reject(
        new FootnoteError(
          'upstream-unavailable',
          `npm could not install ${named(packages).join(' and ')} (exit code ${code}). ${line.trim()} Without network give an unpacked copy with --runtime FOLDER.`,
        ),
      );
    });
  });
}
