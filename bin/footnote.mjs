#!/usr/bin/env node
// The installed command. Plain JavaScript for any Node from 20 on: it finds a Node >= 24 (this one, the packaged one, one
// on the PATH) and runs the program there. Invariant: arguments, standard streams, signals and exit code are passed on.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const leastMajor = 24;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'src/cli/main.ts');
// A checkout runs its source; a package has no src/, and Node refuses to strip types below node_modules.
const main = existsSync(source) ? source : join(root, 'dist/cli/main.js');
const nodeName = process.platform === 'win32' ? 'node.exe' : 'node';

if (Number(process.versions.node.split('.')[0]) >= leastMajor) {
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
} else {
  const node = packagedNode() ?? nodeOnPath();
  if (node === undefined) {
    console.error(
      `footnote: needs Node ${leastMajor} or newer; this is ${process.version}, and the packaged one is not there ` +
        `(were install scripts switched off?).\n  Run \`npm rebuild node\` where footnote is installed, or install ` +
        `Node ${leastMajor} from nodejs.org.`,
    );
    process.exit(1);
  }
  runUnder(node);
}

/** The binary of the npm package `node`, which footnote depends on. */
function packagedNode() {
  try {
    const directory = dirname(createRequire(import.meta.url).resolve('node/package.json'));
    const path = join(directory, 'bin', nodeName);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function nodeOnPath() {
  const self = realpathSync(process.execPath);
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(directory, nodeName);
    if (directory === '' || !existsSync(path) || realpathSync(path) === self) continue;
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    if (Number(/^v(\d+)\./.exec(stdout ?? '')?.[1]) >= leastMajor) return path;
  }
  return undefined;
}

function runUnder(node) {
  // So that the program can tell when this process is gone, and nobody is left to pass signals on.
  const env = { ...process.env, FOOTNOTE_WRAPPER_PID: String(process.pid) };
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => {
      // Ctrl-C in a terminal reaches the whole foreground group: passing it on would interrupt the program twice.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    });
  }
  child.on('error', (error) => {
    console.error(`footnote: could not start ${node}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal];
  });
}
