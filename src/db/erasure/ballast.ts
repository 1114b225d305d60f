// A few megabytes kept in reserve: on a full disk even DELETE needs room for its journal, so the reserve is given up to let
// deletions through and taken again when there is space.
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toFootnoteError } from '../../core/errors.ts';

/** Room for the journal of a few deletions and for what a checkpoint moves into the database meanwhile. */
export const ballastBytes = 8 * 1024 * 1024;
/** The reserve is taken only where it leaves this many times its size free. */
const headroom = 4;
const retryMs = 30_000;

export interface Ballast {
  /** Gives the reserve up; false if it was already gone. */
  release(): boolean;
  /** Whether the disk has space to spare, the reserve left alone: work that can wait, waits without it. */
  hasRoom(): boolean;
  /** Takes the reserve again where the disk allows. Never throws; at most one try in 30 seconds unless `now`. */
  restore(now?: boolean): void;
}

export function ballastPath(folder: string): string {
  return join(folder, 'ballast');
}

/** A reserve of less is not worth halving. */
const leastBytes = 256 * 1024;

/**
 * Gives up half of the reserve, so that a folder on a full disk can be opened and read: locking it and mapping the journal take a few
 * kilobytes. The other half stays for deletions. False if there is none.
 */
export function halveBallast(folder: string): boolean {
  const path = ballastPath(folder);
  if (!existsSync(path)) return false;
  const half = Math.floor(statSync(path).size / 2);
  if (half < leastBytes) rmSync(path, { force: true });
  else truncateSync(path, half);
  return true;
}

/** Runs `work` again with less and less of the reserve while it fails for want of space. */
export async function withReserve<T>(folder: string, work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (toFootnoteError(error).code !== 'storage-full' || !halveBallast(folder)) throw error;
    }
}

export function createBallast(folder: string): Ballast {
  const path = ballastPath(folder);
  let held = existsSync(path) && statSync(path).size >= ballastBytes;
  let triedAt = Number.NEGATIVE_INFINITY;
  return {
    release() {
      held = false;
      if (!existsSync(path)) return false;
      rmSync(path, { force: true });
      return true;
    },
    hasRoom() {
      try {
        const disk = statfsSync(folder);
        return disk.bavail * disk.bsize >= 2 * ballastBytes;
      } catch {
        return true;
      }
    },
    restore(now = false) {
      if (held || (!now && performance.now() - triedAt < retryMs)) return;
      triedAt = performance.now();
      try {
        const disk = statfsSync(folder);
        if (disk.bavail * disk.bsize < ballastBytes * headroom) return;
        // Random, because some file systems keep no blocks for zeros.
        writeFileSync(path, randomBytes(ballastBytes), { mode: 0o600 });
        held = true;
      } catch {
        rmSync(path, { force: true });
      }
    },
  };
}
