// Emits the package: dist/ holds the JavaScript and declarations of src/, and every other file of src/ beside them at the
// same relative place. Invariant: dist/ is made anew each time, so nothing deleted from src/ is ever packed.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
const compiler = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'tsc.cmd' : 'tsc');
const { status, error } = spawnSync(compiler, ['-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
  shell: compiler.endsWith('.cmd'),
});
if (error || status !== 0) {
  console.error(`build: tsc failed${error ? `: ${error.message}` : ''}`);
  process.exit(1);
}
cpSync(join(root, 'src'), dist, { recursive: true, filter: (path) => !path.endsWith('.ts') });
