// Makes what is packed: dist/ holds the bundled program (scripts/bundle.mjs), the declarations of src/, and those of packages/readers/ in dist/readers/; web/dist/
// holds the pages. Invariants: declarations are made anew each time, so nothing deleted is ever packed; and they name the readers by their place in the package,
// because it is installed without the workspace.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

run(process.execPath, [join(root, 'scripts/bundle.mjs'), '--alone']);
for (const path of declarations()) rmSync(path);
// The program is declared against the declarations of the readers.
for (const project of ['packages/readers/tsconfig.build.json', 'tsconfig.build.json']) compile(project);
run(process.execPath, [join(root, 'web/build.mjs')]);
for (const path of declarations()) if (!path.startsWith(join(dist, `readers${sep}`))) nameReaders(path);

function declarations() {
  return readdirSync(dist, { recursive: true })
    .filter((path) => path.endsWith('.d.ts'))
    .map((path) => join(dist, path));
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
