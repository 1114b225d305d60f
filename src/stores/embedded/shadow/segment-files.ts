// Segments of a record on a network as files of this server, so that a start does not read them from the database again. Invariants: a file is used only
// where it is what was sealed, and only for a segment that the record names; one that it names no more goes within a minute, asked for or not.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesInParts, type IndexLog, type StoredSegment } from '../../../db/repositories/index-log.ts';

export interface SegmentFiles {
  /** The same log, whose segments are read from files where there are some, and kept as files. */
  over(tenant: string, log: IndexLog): IndexLog;
  /** Deletes what no tenant names. */
  sweep(): Promise<void>;
  close(): void;
}

const sweptEveryMs = 30_000;
/** Hashed in one go: some milliseconds. */
const readBytes = 1 << 20;

/** `named`: those of these seals that the record names. */
export function openSegmentFiles(
  folder: string,
  named: (seals: readonly string[]) => Promise<readonly string[]>,
): SegmentFiles {
  /** What cannot be kept, as on a full disk, is read from the database again. */
  async function keep(seal: string, bytes: Uint8Array): Promise<void> {
    const draft = join(folder, `${seal}.${randomUUID()}`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(draft, bytes, { mode: 0o600, flag: 'wx' });
      await rename(draft, join(folder, seal));
    } catch {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  async function find(tenant: string, segment: StoredSegment): Promise<Uint8Array | undefined> {
    const parts = createReadStream(join(folder, segment.seal), { highWaterMark: readBytes });
    return bytesInParts(tenant, segment, parts).catch(() => undefined);
  }

  async function sweep(): Promise<void> {
    // Whatever is there was named before it came, and names that went do not come back.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    // Folders are of others, such as of the disk itself.
    const names = entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []));
    if (names.length === 0) return;
    const kept = new Set(await named(names));
    const gone = names.filter((name) => !kept.has(name)).map((name) => rm(join(folder, name), { force: true }));
    const failed = (await Promise.allSettled(gone)).find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  const sweepSoon = (): Promise<void> => sweep().catch(() => undefined);
  const timer = setInterval(() => void sweepSoon(), sweptEveryMs).unref();
  const first = sweepSoon();

  return {
    over: (tenant, log) => ({
      ...log,
      async changes(...asked) {
        // What went while this server was down.
        await first;
        return log.changes(...asked);
      },
      async bytesOf(segment) {
        const held = await find(tenant, segment);
        if (held) return held;
        const bytes = await log.bytesOf(segment);
        if (bytes) await keep(segment.seal, bytes);
        return bytes;
      },
      async turnOver(given) {
        await log.turnOver(given);
        if (given.made) await keep(given.made.seal, given.made.bytes);
      },
    }),
    sweep,
    close: () => clearInterval(timer),
  };
}
