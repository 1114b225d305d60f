// Tests that serve pages find them built from the sources that stand.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export function setup(): void {
  const build = join(import.meta.dirname, '../web/build.mjs');
  const { status } = spawnSync(process.execPath, [build, '--if-stale'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The pages could not be built: see above.');
}
