// Keeps the index of a tenant in a database on a network in order behind the searches: seals the log into segments, merges small ones, and rewrites those
// with deleted entries. One of all servers of the record does so at a time, under a lease; the others read what it made. What is damaged is left to
// a repair. Each step is one commit that changes nothing that a search finds, so a kill between two loses nothing.
import { isFootnoteError } from '../../../core/errors.ts';
import { type IndexLog, type RowRange, sealSegment, type Unsealed } from '../../../db/repositories/index-log.ts';
import { type Leases, untilTaken } from '../../../db/servers/leases.ts';
import type { LiveSegment } from '../../../engine/live-segment.ts';
import { type EngineThreads, engineThreads } from '../../../engine/threads/engine-threads.ts';
import { chooseSegments, ordinarySeals, type SealTiming } from '../choose-segments.ts';
import type { Engine, EngineView } from '../engine.ts';

export interface ShadowUpkeepPorts {
  readonly engine: Engine;
  /** Brings the engine to what is committed. */
  readonly look: () => Promise<EngineView>;
  readonly log: Pick<IndexLog, 'turnOver' | 'tidy' | 'unsealed'>;
  /** Called when nothing is left to do for now. */
  readonly rested?: () => void;
  readonly leases: Pick<Leases, 'take'>;
  readonly timing?: Partial<SealTiming> | undefined;
  /** Where segments are merged. */
  readonly threads?: EngineThreads;
}

export interface ShadowUpkeep {
  /** Starts it soon, unless that is due anyhow. Never throws, never keeps the process alive. */
  schedule(delayMs?: number): void;
  /** Does what there is to do, in its turn with other servers; what waits for quiet, too. Throws what prevents it. */
  settle(): Promise<void>;
  /** Rewrites what holds deleted entries. False: some may be left, and it is to be tried again. */
  purge(): Promise<boolean>;
  /** Why it stopped, where it failed. */
  failure(): string | undefined;
  /** Begins nothing any more; resolves when what is under way has ended, or after some seconds: a kill loses nothing. */
  close(): Promise<void>;
}

const soonMs = 20;
/** Until the next look where another server is at it. */
const othersMs = 10_000;
/** After it failed. */
const restMs = 30_000;
const mostRestMs = 1_800_000;
const mostConflicts = 3;
/** For what is under way, when the program closes. */
const closingMs = 3000;

/** How long it rests after an error and after one more: on a full disk, whose room others need, twice as long each time. */
export const restAfter = (error: unknown, lastMs: number): number =>
  isFootnoteError(error) && error.code === 'storage-full' ? Math.min(Math.max(2 * lastMs, restMs), mostRestMs) : restMs;

export function createShadowUpkeep({
  engine,
  look,
  log,
  rested,
  leases,
  timing,
  threads = engineThreads,
}: ShadowUpkeepPorts): ShadowUpkeep {
  const { sealFrom, quietMs } = { ...ordinarySeals, ...timing };
  const name = engine.tenant.tenant;
  const lease = `upkeep:${name}`;
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let wanted: number | undefined;
  let failed: string | undefined;
  let restedMs = 0;
  let quietSince = performance.now();
  let seenRevision = -1;

  type Haste = 'ordinary' | 'quiet' | 'purging';
  /** `made` in this turn: what was deleted before it began is in none of them, and what is deleted meanwhile has a turn of its own. */
  function choose(view: EngineView, haste: Haste, made?: ReadonlySet<string>): readonly LiveSegment[] {
    if (view.incomplete !== undefined) return [];
    if (engine.revision() !== seenRevision) quietSince = performance.now();
    seenRevision = engine.revision();
    const parts = view.index.segments();
    if (haste === 'purging') {
      const isDue = ({ segment, deadCount }: LiveSegment): boolean => {
        const seal = engine.stored(segment)?.seal;
        return seal !== undefined && deadCount > 0 && !made?.has(seal);
      };
      return parts.filter(isDue).slice(0, 1);
    }
    return chooseSegments(parts, {
      isStored: (segment) => engine.stored(segment) !== undefined,
      sealFrom,
      isQuiet: haste === 'quiet' || performance.now() - quietSince >= quietMs,
    });
  }

  /** To be begun in the turn in which the parts were looked at. */
  async function replace(parts: readonly LiveSegment[], signal: AbortSignal): Promise<string | undefined> {
    const replaced = parts.map(({ segment }) => segment);
    const seals = replaced.flatMap((segment) => engine.stored(segment)?.seal ?? []);
    const revision = engine.revision();
    const range: RowRange = { first: replaced[0]?.rows[0] ?? 0, last: replaced.at(-1)?.rows.at(-1) ?? 0 };
    engine.hold(replaced);
    let seal: string | undefined;
    try {
      const { segment, sha256 } = await threads.merge(parts);
      signal.throwIfAborted();
      if (segment.sizes.entries > 0) {
        seal = sealSegment(name, range, sha256);
        engine.expect({ seal, segment, replaced });
      }
      const made = seal === undefined ? undefined : { seal, bytes: segment.bytes };
      await log.turnOver({ ...range, made, replaced: seals, revision, signal });
      return seal;
    } finally {
      engine.hold([]);
      // Whatever became of it is seen by the next look anyhow.
      await look().catch(() => undefined);
      if (seal !== undefined) engine.forget(seal);
      seenRevision = engine.revision();
      // Threads would hold the segments that were replaced until their next search.
      threads.release(engine.threaded);
    }
  }

  /** Whether it is worth looking at the index, which may not be in memory. */
  async function isWorth(haste: Haste, due?: Unsealed): Promise<boolean> {
    if (engine.revision() !== -1) return true;
    const { rows, hasDeleted } = due ?? (await log.unsealed(sealFrom));
    return hasDeleted || (haste !== 'purging' && rows >= (haste === 'quiet' ? 1 : sealFrom));
  }

  /** For whoever has the lease. How it is when nothing is left to do, and how many segments the database has. */
  async function steps(haste: Haste, signal: AbortSignal) {
    const made = new Set<string>();
    let conflicts = 0;
    for (;;) {
      const stored = await log.tidy();
      signal.throwIfAborted();
      if (!(await isWorth(haste))) return { stored };
      const view = await look();
      const parts = choose(view, haste, made);
      if (parts.length === 0) return { view, stored };
      const seal = await replace(parts, signal).catch((error: unknown) => {
        if (!isFootnoteError(error) || error.code !== 'conflict' || ++conflicts > mostConflicts) throw error;
        return undefined;
      });
      if (seal !== undefined) made.add(seal);
    }
  }

  async function inTurn(haste: Haste) {
    const held = await untilTaken(leases, lease, stop.signal);
    try {
      return await steps(haste, AbortSignal.any([stop.signal, held.signal]));
    } finally {
      await held.release();
    }
  }

  async function round(): Promise<void> {
    const due = await log.unsealed(sealFrom);
    let view = (await isWorth('ordinary', due)) ? await look() : undefined;
    // A server that was killed leaves what was replaced.
    if (due.hasLeft || (view && choose(view, 'ordinary').length > 0)) {
      const held = await leases.take(lease);
      if (!held) return schedule(othersMs);
      try {
        ({ view } = await steps('ordinary', AbortSignal.any([stop.signal, held.signal])));
      } finally {
        await held.release();
      }
    }
    if (view && choose(view, 'quiet').length > 0) schedule(quietMs);
  }

  function run(): void {
    timer = undefined;
    running = round()
      .then(() => {
        failed = undefined;
        restedMs = 0;
      })
      .catch((error: unknown) => {
        // Nothing is lost: the log is complete.
        failed = error instanceof Error ? error.message : String(error);
        restedMs = restAfter(error, restedMs);
        wanted = restedMs;
      })
      .finally(() => {
        running = undefined;
        if (wanted !== undefined) schedule(wanted);
        wanted = undefined;
        rest();
      });
  }

  const rest = (): void => {
    if (!running && !timer && !stop.signal.aborted) rested?.();
  };

  function schedule(delayMs = soonMs): void {
    if (running) wanted = Math.min(wanted ?? delayMs, delayMs);
    if (running || timer || stop.signal.aborted) return;
    timer = setTimeout(run, delayMs).unref();
  }

  return {
    schedule,
    async settle() {
      await inTurn('quiet').finally(rest);
    },
    async purge() {
      const { view, stored } = await inTurn('purging').finally(rest);
      return stored === 0 || view?.incomplete === undefined;
    },
    failure: () => failed,
    async close() {
      stop.abort();
      clearTimeout(timer);
      const limit = Promise.withResolvers<void>();
      const timeout = setTimeout(limit.resolve, closingMs);
      await Promise.race([running, limit.promise]);
      clearTimeout(timeout);
    },
  };
}
