// Tests find the program bundled and the pages built from the sources that stand.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export function setup(): void {
  for (const script of ['scripts/bundle.mjs', 'web/build.mjs']) {
    const build = join(import.meta.dirname, '..', script);
    const { status } = spawnSync(process.execPath, [build, '--if-stale'], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`${script} failed: see above.`);
  }
}
