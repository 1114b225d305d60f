// A disk of a few megabytes that a test may fill to its last byte; undefined where disks may not be mounted.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Takes every byte that is left. */
  fill(): void;
  /** Gives them back. */
  empty(): void;
  remove(): void;
}

export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const place = mkdtempSync(join(tmpdir(), 'footnote-full-'));
  const folder = join(place, 'disk');
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    console.log('skipped: a small disk to fill needs the right to mount one');
    rmSync(place, { recursive: true });
    return undefined;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a');
      const block = Buffer.alloc(4096, 1);
      try {
        for (;;) writeSync(file, block);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove() {
      execFileSync('umount', ['-l', folder]);
      rmSync(place, { recursive: true, force: true });
    },
  };
}
