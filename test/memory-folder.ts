// Where tests keep their data folders: in memory, where there is room for them. On a disk each commit waits for it, which was a third of what tests of the
// record took. Suites about what a disk does, and costs, which are compared with what a disk cost, stay on it.
import { mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';

const place = '/dev/shm';
const leastBytes = 4 * 2 ** 30;

/** Tests start programs of their own making. */
function runsPrograms(): boolean {
  const mounted = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounted.findLast((line) => line.split(' ')[1] === place)?.split(' ')[3] ?? 'noexec';
  return !options.split(',').includes('noexec');
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize >= leastBytes && runsPrograms();
  } catch {
    return false;
  }
}

/** The folder of this run, for `TMPDIR`; undefined where data folders stay on the disk. */
export const memoryFolder = hasRoom() ? `${place}/footnote-tests-${process.pid}` : undefined;

// Servers that run as another user have their own folders in it.
export function setup(): void {
  if (memoryFolder !== undefined) mkdirSync(memoryFolder, { recursive: true, mode: 0o711 });
}

export function teardown(): void {
  if (memoryFolder !== undefined) rmSync(memoryFolder, { recursive: true, force: true });
}
