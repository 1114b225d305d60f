// Installs what a checkout is missing, bundles the program and builds the pages, so that `npm start` and `npm test` each work alone in a fresh clone. Runs before
// anything is installed, hence plain JavaScript for Node 20 without imports beyond Node's own. Invariant: exactly what
// package-lock.json names, nothing written into package.json or the lock, and silence when nothing is missing.
//
// node scripts/install-missing.mjs               everything, for tests and checks
// node scripts/install-missing.mjs --production  what running needs
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const production = process.argv.includes('--production');
const wantedScope = production ? 'production' : 'everything';
const installedPath = join(root, 'node_modules/.package-lock.json');
const stampPath = join(root, 'node_modules/.footnote-install.json');
const nodeBinary = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
const lockHash = createHash('sha256').update(lockText).digest('hex');

/**
 * What runs local models. npm leaves it out in silence where its install script fails, which looks for GPU files on another host, and its entry
 * in the lock names no processor.
 */
const runtime = ['onnxruntime-node', 'onnxruntime-common', '@huggingface/tokenizers'].map(
  (name) => `node_modules/${name}`,
);
const runtimePlatforms = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

if (!isComplete()) install();
await Promise.all([
  buildMissing('the program', 'scripts/bundle.mjs', 'npm run build:program'),
  buildMissing('the pages', 'web/build.mjs', 'npm run build:web'),
]);

function isComplete() {
  if (!existsSync(installedPath)) return false;
  const stamp = readJson(stampPath);
  const enough = stamp?.scope === 'everything' || stamp?.scope === wantedScope;
  if (stamp?.lockHash === lockHash && enough && canRun()) return true;
  if (missingPackages().length > 0 || !canRun()) return false;
  writeStamp();
  return true;
}

/** What npm recorded as installed, held against the lock: names of packages absent or of another version. */
function missingPackages() {
  const installed = readJson(installedPath)?.packages ?? {};
  const wanted = Object.entries(JSON.parse(lockText).packages);
  return wanted
    .filter(([path, entry]) => path !== '' && !(production && entry.dev) && fitsThisMachine(path, entry))
    .filter(([path, entry]) => installed[path]?.version !== entry.version || !existsSync(join(root, path)))
    .map(([path]) => path);
}

function canRunModels() {
  if (!runtimePlatforms.includes(`${process.platform}-${process.arch}`)) return false;
  return process.platform !== 'linux' || process.report.getReport().header.glibcVersionRuntime !== undefined;
}

/** npm may leave out an optional package; only one made for exactly this system and processor is demanded. */
function fitsThisMachine(path, entry) {
  if (!entry.optional) return true;
  if (runtime.includes(path)) return canRunModels();
  return entry.os?.includes(process.platform) && entry.cpu?.includes(process.arch) && !entry.libc;
}

/** Node 24 is a package here: its install script fetches the binary, and does nothing under --ignore-scripts. */
function canRun() {
  return existsSync(nodeBinary) || Number(process.versions.node.split('.')[0]) >= 24;
}

function install() {
  // `npm ci` empties node_modules first, which would pull the floor from under a running server: only for a fresh clone.
  const fresh = !existsSync(installedPath);
  const args = [fresh ? 'ci' : 'install', '--no-audit', '--no-fund', '--loglevel=error'];
  if (!fresh) args.push('--no-save');
  args.push(...(production ? ['--omit=dev'] : ['--include=dev']));
  console.error(`footnote: installing what is missing (npm ${args.join(' ')}), once ...`);
  const npm = process.env.npm_execpath;
  const isScript = npm !== undefined && /\.[cm]?js$/.test(npm) && existsSync(npm);
  const command = isScript ? process.execPath : process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const result = spawnSync(command, isScript ? [npm, ...args] : args, {
    cwd: root,
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
    stdio: ['ignore', 2, 2],
    shell: command.endsWith('.cmd'),
  });
  if (result.error || result.status !== 0) {
    const why = result.error ? result.error.message : `npm ended with ${result.signal ?? `code ${result.status}`}`;
    fail(`could not install the dependencies: ${why}.`, [
      'npm needs the registry once: check the network, a proxy (npm config get proxy) and `npm ping`.',
      `Then run: npm ci${production ? ' --omit=dev' : ''}`,
    ]);
  }
  if (!canRun()) {
    fail('the dependencies are installed, but not Node 24, which this project runs on.', [
      'The package `node` fetches it by an install script: allow it (npm config get ignore-scripts must be false)',
      'and run `npm rebuild node`, or install Node 24 or newer yourself (nodejs.org).',
    ]);
  }
  writeStamp();
}

/** What is built, where it is missing or older than its sources. */
async function buildMissing(what, script, remedy) {
  const node = existsSync(nodeBinary) ? nodeBinary : process.execPath;
  const build = spawn(node, [join(root, script), '--if-stale'], { cwd: root, stdio: ['ignore', 2, 2] });
  const isBuilt = await new Promise((done) =>
    build.on('error', () => done(false)).on('exit', (code) => done(code === 0)),
  );
  if (!isBuilt) fail(`${what} could not be built.`, [`The lines above say why. Then run: ${remedy}`]);
}

function writeStamp() {
  const scope = production && missingDevelopment() ? 'production' : 'everything';
  try {
    writeFileSync(stampPath, `${JSON.stringify({ lockHash, scope })}\n`);
  } catch {
    // A read-only checkout: the check is made again next time.
  }
}

function missingDevelopment() {
  const installed = readJson(installedPath)?.packages ?? {};
  return Object.entries(JSON.parse(lockText).packages).some(
    ([path, entry]) => entry.dev && !entry.optional && installed[path]?.version !== entry.version,
  );
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function fail(message, lines) {
  console.error(`footnote: ${message}\n${lines.map((line) => `  ${line}`).join('\n')}`);
  process.exit(1);
}
