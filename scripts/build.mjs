// Emits the package: dist/ holds the JavaScript and declarations of src/, dist/readers/ those of packages/readers/, and every other file of
// src/ beside them at the same relative place; web/dist/ holds the pages. Invariants: dist/ is made anew each time, so nothing deleted is ever packed; and what is packed
// names the readers by their place in it, because it is installed without the workspace.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
// The program is compiled against the declarations of the readers.
for (const project of ['packages/readers/tsconfig.build.json', 'tsconfig.build.json']) compile(project);
run(process.execPath, [join(root, 'web/build.mjs')]);
cpSync(join(root, 'src'), dist, { recursive: true, filter: (path) => !path.endsWith('.ts') });
for (const path of readdirSync(dist, { recursive: true })) {
  if (/\.(js|d\.ts)$/.test(path) && !path.startsWith(`readers${sep}`)) nameReaders(join(dist, path));
}

function compile(project) {
  const compiler = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'tsc.cmd' : 'tsc');
  run(compiler, ['-p', project]);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: command.endsWith('.cmd') });
  if (error || status !== 0) {
    console.error(`build: ${[command, ...args].join(' ')} failed${error ? `: ${error.message}` : ''}`);
    process.exit(1);
  }
}

/** `@footnote/readers/registry/registry` becomes `../readers/registry.js`, as seen from the file. */
function nameReaders(path) {
  const text = readFileSync(path, 'utf8');
  const named = text.replace(/(['"])@footnote\/readers\/([\w/-]+)\1/g, (_, quote, name) => {
    const place = relative(dirname(path), join(dist, 'readers', `${name}.js`)).replaceAll(sep, '/');
    return `${quote}${place.startsWith('.') ? place : `./${place}`}${quote}`;
  });
  if (named !== text) writeFileSync(path, named);
}
