// Keeps the vectors of passages in the record, some seconds after they were made: no question waits for the disk. What a kill takes is made anew.
import type { Clock } from '../../core/ids.ts';
import type { EncodedPassageRepository } from '../../db/repositories/encoded-passages.ts';
import type { VectorShelf } from '../../models/encoder/kept-vectors.ts';

const writeAfterMs = 3000;
/** Of a tenant, when they are written at once: half a megabyte. */
const writeFrom = 256;

export interface PassageShelves {
  of(tenant: string): VectorShelf;
  /** Writes what waits. */
  close(): Promise<void>;
}

interface Waiting {
  readonly vectors: Map<string, Float32Array>;
  readonly used: Set<string>;
}

export function createPassageShelves(
  repositoryOf: (tenant: string) => EncodedPassageRepository,
  clock: Pick<Clock, 'now'>,
): PassageShelves {
  let waiting = new Map<string, Waiting>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const due = waiting;
    waiting = new Map();
    // On a full disk they are made anew each time.
    for (const [tenant, { vectors, used }] of due)
      await repositoryOf(tenant)
        .keep(vectors, used, clock.now())
        .catch(() => undefined);
  }

  function add(tenant: string, vectors: ReadonlyMap<string, Float32Array>, used: readonly string[]): void {
    if (vectors.size === 0 && used.length === 0) return;
    const own = waiting.get(tenant) ?? { vectors: new Map(), used: new Set() };
    waiting.set(tenant, own);
    for (const [key, vector] of vectors) own.vectors.set(key, vector);
    for (const key of used) own.used.add(key);
    if (own.vectors.size >= writeFrom) void flush();
    else timer ??= setTimeout(() => void flush(), writeAfterMs).unref();
  }

  return {
    of: (tenant) => ({
      async read(keys) {
        const { vectors, usedBefore } = await repositoryOf(tenant).read(keys);
        add(tenant, new Map(), usedBefore(clock.now()));
        return vectors;
      },
      async keep(vectors) {
        add(tenant, vectors, []);
      },
    }),
    close: flush,
  };
}
